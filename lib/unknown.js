'use strict'

// The warning about a copy of pg or pg-protocol that is not known.

const CODE = 'PG_PROTOCOL_NATIVE_UNKNOWN'

// On `process`, so that register and accelerate, and other copies of this package, do not say it twice.
const WARNED = Symbol.for('pg-protocol-native.unknown')

/**
 * @param {string} what  is left, and to what, such as 'FILE as it is'
 * @param {string} why
 */
function warnUnknown(what, why) {
  const holder = /** @type {any} */ (process)
  const warned = holder[WARNED] ?? new Set()
  if (warned.has(what)) return
  warned.add(what)
  Reflect.defineProperty(process, WARNED, { value: warned, configurable: true })
  process.emitWarning(`pg-protocol-native leaves ${what}: ${why}`, {
    type: 'PgProtocolNativeWarning',
    code: CODE,
  })
}

exports.warnUnknown = warnUnknown
