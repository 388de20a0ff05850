'use strict'

// Decides whether the native parser serves in this process, and says it in one place. Every way into the package
// asks here; requiring this module loads the binary and never prints. PG_PROTOCOL_NATIVE has the last word:
//
//   auto, or not set   native where the binary loads, otherwise pg-protocol's own parser and one warning
//   off                pg-protocol's own parser, without a warning
//   require            native, or an error that says why not

const { readSetting } = require('./setting')

const WARNING_CODE = 'PG_PROTOCOL_NATIVE_FALLBACK'

// On `process`, since module state does not suffice for "once": Jest and vitest load packages again and again, and
// an app can have two copies of this one.
const WARNED = Symbol.for('pg-protocol-native.warned')

/**
 * @typedef {object} State
 * @property {boolean} native  the native parser serves
 * @property {any} binding  the addon, or null
 * @property {string | null} reason  one sentence on why the native parser does not serve, or null
 * @property {string} setting  what PG_PROTOCOL_NATIVE says: 'auto', 'off' or 'require'
 */

/** @returns {State} */
function decide() {
  const setting = readSetting('PG_PROTOCOL_NATIVE', ['auto', 'off', 'require'])
  if (setting === 'off') {
    return {
      native: false,
      binding: null,
      reason: 'PG_PROTOCOL_NATIVE=off switches the native parser off',
      setting,
    }
  }
  try {
    return { native: true, binding: require('./binding'), reason: null, setting }
  } catch (err) {
    if (setting === 'require') throw err
    return { native: false, binding: null, reason: /** @type {Error} */ (err).message, setting }
  }
}

const state = decide()

/**
 * Tells the user, once per process, that the native parser does not serve although nobody switched it off.
 *
 * @param {string} consequence  what happens instead, as a clause without a full stop
 */
function warnOnce(consequence) {
  if (state.native || state.setting === 'off' || Reflect.has(process, WARNED)) return
  Reflect.defineProperty(process, WARNED, { value: true, configurable: true })
  process.emitWarning(`${state.reason} (${consequence}; PG_PROTOCOL_NATIVE=off silences this warning)`, {
    type: 'PgProtocolNativeWarning',
    code: WARNING_CODE,
  })
}

exports.native = state.native
exports.binding = state.binding
exports.reason = state.reason
exports.setting = state.setting
exports.warnOnce = warnOnce
exports.WARNING_CODE = WARNING_CODE
