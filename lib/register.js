'use strict'

// `pg-protocol-native/register`: requiring it accelerates each copy of pg in this process, those already loaded and
// those to come. The app does not change.
//
// It does to each copy what `accelerate(pg)` does, file by file as they are loaded: pg-protocol first, which an app may
// also use by itself, then pg's connection.js, and last its client.js, behind which all that makes rows is there.

const Module = /** @type {any} */ (require('node:module'))
const path = require('node:path')
const { native, reason, warnOnce } = require('./native')
const { readRowsSetting } = require('./setting')
const { watchModules } = require('./register-hook')

const PARSER_FILE = /[\\/]pg-protocol[\\/]dist[\\/]parser\.js$/
const CONNECTION_FILE = /[\\/]pg[\\/]lib[\\/]connection\.js$/
const CLIENT_FILE = /[\\/]pg[\\/]lib[\\/]client\.js$/

// On the module system, which is what gets patched: a second copy of this package, or this one loaded a second time
// after its cache entry was deleted, finds the first one's work here and adds nothing.
const REGISTERED = Symbol.for('pg-protocol-native.register@1')

/** @typedef {typeof import('./register')} Registration */

/** @returns {Registration} */
function register() {
  const rows = readRowsSetting() !== 'off'
  if (!native) {
    warnOnce('pg is left as it is')
    return { active: false, reason, files: [], stats: { rows: 0 }, restore() {} }
  }
  const earlier = Module[REGISTERED]
  if (earlier?.active) return earlier

  // A setting that is wrong is an error here, and not a warning with each pg that is found.
  require('./encoding')
  const { hasOwnParser, isInUse, useConnection, useRows } = require('./patch-pg')
  const { isNativeParser, protocolParserFile, useProtocol } = require('./patch-protocol')
  const { warnUnknown } = require('./unknown')
  /** @type {(() => void)[]} */
  const undo = []
  /** @type {Set<{ rows: number }>} of each copy of pg */
  const counts = new Set()
  /** @type {string[]} */
  let files = []
  let active = true

  const unwatch = watchModules([
    { file: PARSER_FILE, loaded: safely(protocolLoaded) },
    { file: CONNECTION_FILE, loaded: safely(connectionLoaded) },
    ...(rows ? [{ file: CLIENT_FILE, loaded: safely(clientLoaded) }] : []),
  ])

  /** @type {Registration} */
  const registration = {
    get active() {
      return active
    },
    get reason() {
      return active ? null : 'restore() was called'
    },
    get files() {
      return files
    },
    stats: {
      get rows() {
        let sum = 0
        for (const { rows } of counts) sum += rows
        return sum
      },
    },
    restore,
  }
  Object.defineProperty(Module, REGISTERED, { value: registration, configurable: true })
  return registration

  /** @type {import('./register-hook').Watch['loaded']} */
  function protocolLoaded(module, filename) {
    used(useProtocol(filename, module.exports), filename)
  }

  /** @type {import('./register-hook').Watch['loaded']} */
  function connectionLoaded(module, filename) {
    const parserFile = protocolParserFile(filename)
    if (parserFile === null || hasOwnParser(filename)) return
    // Has been loaded, unless by an override it is the one of this package.
    const parserExports = module.require(parserFile)
    // otherwise it was left as it is
    if (!isNativeParser(parserExports.Parser)) return
    used(useConnection(module.exports, parserExports), filename)
  }

  /** @type {import('./register-hook').Watch['loaded']} */
  function clientLoaded(module, filename) {
    const Connection = require.cache[path.join(path.dirname(filename), 'connection.js')]?.exports
    if (!isInUse(Connection)) return
    const use = useRows(Connection, module.exports, filename)
    if (typeof use === 'string') {
      warnUnknown(`the rows of ${path.dirname(path.dirname(filename))} to pg`, use)
      return
    }
    counts.add(use.stats)
    used(use.undo, filename)
  }

  /**
   * @param {(() => void) | string | null} use
   * @param {string} filename
   */
  function used(use, filename) {
    if (use === null) return
    if (typeof use === 'string') return warnUnknown(`${filename} as it is`, use)
    undo.push(use)
    if (!files.includes(filename)) files.push(filename)
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
        warnUnknown(`${filename} as it is`, String(err))
      }
    }
  }

  function restore() {
    if (!active) return
    active = false
    files = []
    unwatch()
    for (const step of undo.splice(0).reverse()) step()
    if (Module[REGISTERED] === registration) delete Module[REGISTERED]
  }
}

module.exports = register()
