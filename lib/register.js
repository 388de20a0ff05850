'use strict'

// `pg-protocol-native/register`: requiring it puts the native parser under each copy of pg in this process, those
// already loaded and those to come. The app does not change.

const Module = /** @type {any} */ (require('node:module'))
const { native, reason, warnOnce } = require('./native')
const { watchModules } = require('./register-hook')

const PARSER_FILE = /[\\/]pg-protocol[\\/]dist[\\/]parser\.js$/
const CONNECTION_FILE = /[\\/]pg[\\/]lib[\\/]connection\.js$/
const UNKNOWN_CODE = 'PG_PROTOCOL_NATIVE_UNKNOWN'

// On the module system, which is what gets patched: a second copy of this package, or this one loaded a second time
// after its cache entry was deleted, finds the first one's work here and adds nothing.
const REGISTERED = Symbol.for('pg-protocol-native.register@1')

/**
 * @typedef {object} Registration
 * @property {boolean} active
 * @property {string | null} reason  why it is not active, or null
 * @property {string[]} files  the patched files, absolute paths
 * @property {() => void} restore
 */

/** @returns {Registration} */
function register() {
  if (!native) {
    warnOnce('pg is left as it is')
    return { active: false, reason, files: [], restore() {} }
  }
  const earlier = Module[REGISTERED]
  if (earlier?.active) return earlier

  const patch = require('./register-patch')
  /** @type {Array<() => void>} */
  const undo = []
  let warned = false

  /** @type {Registration} */
  const registration = { active: true, reason: null, files: [], restore }

  const unwatch = watchModules([
    { file: PARSER_FILE, loaded: safely(protocolLoaded) },
    { file: CONNECTION_FILE, loaded: safely(connectionLoaded) },
  ])
  Object.defineProperty(Module, REGISTERED, { value: registration, configurable: true })
  return registration

  /** @type {import('./register-hook').Watch['loaded']} */
  function protocolLoaded(module, filename) {
    if (patch.isNativeParser(module.exports?.Parser)) return
    const messages = module.require('./messages')
    const unknown = patch.unknownProtocol(module.exports, messages, patch.versionAbove(filename))
    if (unknown) return leaveStock(filename, unknown)
    undo.push(patch.patchProtocol(module.exports, messages))
    registration.files.push(filename)
  }

  /** @type {import('./register-hook').Watch['loaded']} */
  function connectionLoaded(module, filename) {
    const parserFile = patch.protocolParserFile(filename)
    // pg that does not use pg-protocol, or whose pg-protocol is this package or was left as it is
    if (!parserFile || !registration.files.includes(parserFile)) return
    const shape = patch.connectionShape(module.exports)
    if (shape === 'done') return
    if (shape === 'no') return leaveStock(filename, 'its Connection has another shape')
    undo.push(patch.patchConnection(module.exports, Module._cache[parserFile].exports))
    registration.files.push(filename)
  }

  /**
   * Nothing that goes wrong here may keep the app from loading its own module.
   *
   * @param {import('./register-hook').Watch['loaded']} loaded
   * @returns {import('./register-hook').Watch['loaded']}
   */
  function safely(loaded) {
    return (module, filename) => {
      try {
        loaded(module, filename)
      } catch (err) {
        leaveStock(filename, String(err))
      }
    }
  }

  /**
   * @param {string} filename
   * @param {string} why
   */
  function leaveStock(filename, why) {
    if (warned) return
    warned = true
    process.emitWarning(`pg-protocol-native leaves ${filename} as it is: ${why}`, {
      type: 'PgProtocolNativeWarning',
      code: UNKNOWN_CODE,
    })
  }

  function restore() {
    if (!registration.active) return
    registration.active = false
    registration.reason = 'restore() was called'
    registration.files = []
    unwatch()
    for (const step of undo.splice(0).reverse()) step()
    if (Module[REGISTERED] === registration) delete Module[REGISTERED]
  }
}

module.exports = register()
