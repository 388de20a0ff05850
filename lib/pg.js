'use strict'

/**
 * `pg-protocol-native/pg`: accelerates a copy of pg.
 *
 * The parser under it becomes the native one, and the rows of its queries and cursors are built natively. What is
 * changed in pg: `Parser` of its pg-protocol, `Connection.prototype.attachListeners`, which makes the parser, and
 * `Client.prototype._attachListeners`, which tells whose connection it is.
 */

const { EventEmitter } = require('node:events')
const path = require('node:path')
const { createRequire } = require('node:module')
const { native, reason, warnOnce } = require('./native')

const UNKNOWN_CODE = 'PG_PROTOCOL_NATIVE_UNKNOWN'

/** What is known of one copy of pg: its types and classes. */
class Accelerator {
  /**
   * @param {any} Result
   * @param {import('./column-plan').Types} types
   */
  constructor(Result, types) {
    this.active = true
    this.types = types
    this.stats = { rows: 0 }
    this.emit = EventEmitter.prototype.emit
    this.addRow = Result.prototype.addRow
    this.Result = Result
    this.parseRow = Result.prototype.parseRow
    /** Whether `parseRow` sets the value of a NULL, or leaves it to what the row starts with. */
    this.setsNulls = /\]\s*=\s*null\b/.test(String(this.parseRow))
    this.parseRowAsArray = Result.prototype._parseRowAsArray
    /** @type {WeakMap<object, any>} */
    this.clients = new WeakMap()
  }

  /** @param {object} connection */
  clientOf(connection) {
    return this.clients.get(connection)
  }

  /**
   * Whether a result makes its rows as pg's own does.
   *
   * @param {any} result
   */
  isStockResult(result) {
    return (
      result.constructor === this.Result &&
      result.parseRow === (result.rowAsArray ? this.parseRowAsArray : this.parseRow) &&
      Array.isArray(result.rows)
    )
  }
}

/** @typedef {InstanceType<typeof Accelerator>} AcceleratorOfCopy */

/**
 * @typedef {object} Handle
 * @property {boolean} active whether the copy of pg is accelerated
 * @property {string | null} reason why it is not
 * @property {{ rows: number }} stats `rows`: how many rows were built natively
 * @property {() => void} restore puts back what was there; open connections go on without acceleration
 */

/**
 * Accelerates a copy of pg: its results are the same, and come faster.
 *
 * A pg whose shape is not known stays as it is, with one warning.
 *
 * @param {any} pg what `require('pg')` gives
 * @returns {Handle}
 */
function accelerate(pg) {
  if (!native) {
    warnOnce('pg is left as it is')
    return inactive(reason)
  }
  const file = typeof pg?.Connection === 'function' ? fileOf(pg.Connection) : undefined
  if (file === undefined) return leaveStock('this pg', 'its Connection was not loaded from a file of its own')
  try {
    return accelerateCopy(file)
  } catch (err) {
    return leaveStock(file, String(err))
  }
}

/**
 * @param {string} connectionFile `lib/connection.js` of a copy of pg
 * @returns {Handle}
 */
function accelerateCopy(connectionFile) {
  const Connection = createRequire(connectionFile)('./connection')
  let copy = copies.get(Connection)
  if (copy === undefined) {
    const made = accelerateNew(connectionFile)
    if (typeof made === 'string') return leaveStock(connectionFile, made)
    copy = made
    copies.set(Connection, copy)
  }
  return handleOf(copy, Connection)
}

/**
 * A copy of pg that is accelerated, by as many handles as `users`.
 *
 * @typedef {{ accelerator: AcceleratorOfCopy, undo: (() => void)[], users: number }} Copy
 */

/** @type {WeakMap<object, Copy>} by its Connection */
const copies = new WeakMap()

/**
 * @param {string} connectionFile
 * @returns {Copy | string} a string: why not
 */
function accelerateNew(connectionFile) {
  const patch = require('./register-patch')
  const parserFile = patch.protocolParserFile(connectionFile)
  if (parserFile === null) return 'it does not use pg-protocol'
  const rows = createAccelerator(connectionFile)
  if (typeof rows === 'string') return rows
  const parserExports = createRequire(connectionFile)(parserFile)
  /** @type {(() => void)[]} */
  const undo = []
  if (!patch.isNativeParser(parserExports.Parser)) {
    const messages = createRequire(parserFile)('./messages')
    const unknown = patch.unknownProtocol(parserExports, messages, patch.versionAbove(parserFile))
    if (unknown !== null) return `${parserFile}: ${unknown}`
    undo.push(patch.patchProtocol(parserExports, messages))
  }
  undo.push(...patchPg(rows.accelerator, rows.Connection, rows.Client, parserExports))
  return { accelerator: rows.accelerator, undo, users: 0 }
}

/**
 * @param {Copy} copy
 * @param {object} Connection
 * @returns {Handle}
 */
function handleOf(copy, Connection) {
  let active = true
  copy.users++
  return {
    get active() {
      return active
    },
    reason: null,
    stats: copy.accelerator.stats,
    restore() {
      if (!active) return
      active = false
      if (--copy.users > 0) return
      copy.accelerator.active = false
      copies.delete(Connection)
      for (const step of copy.undo.splice(0).reverse()) step()
    },
  }
}

/**
 * @param {string} connectionFile
 * @returns {{ accelerator: Accelerator, Connection: any, Client: any } | string} a string: why not
 */
function createAccelerator(connectionFile) {
  const { StockTypes, KNOWN_TYPES } = require('./column-plan')
  const fromPg = createRequire(connectionFile)
  const Result = fromPg('./result')
  const Client = fromPg('./client')
  const Connection = fromPg('./connection')
  const typesFile = fromPg.resolve('pg-types')
  const fromTypes = createRequire(typesFile)
  const { version } = fromTypes(path.join(path.dirname(typesFile), 'package.json'))
  if (!KNOWN_TYPES.test(version)) return `pg-types ${version} is not known`
  const { parseRow, _parseRowAsArray, addRow, addFields } = Result.prototype
  if ([parseRow, _parseRowAsArray, addRow, addFields].some((method) => typeof method !== 'function')) {
    return 'its Result has another shape'
  }
  if (
    !String(parseRow).includes('this._parsers[i](') ||
    !String(_parseRowAsArray).includes('this._parsers[i](')
  ) {
    return 'its Result makes rows in another way'
  }
  if (typeof Client.prototype._attachListeners !== 'function') return 'its Client has another shape'
  const types = new StockTypes(
    fromTypes(typesFile),
    fromTypes('./lib/textParsers'),
    fromTypes('./lib/binaryParsers')
  )
  return { accelerator: new Accelerator(Result, types), Connection, Client }
}

/**
 * @param {Accelerator} accelerator
 * @param {any} Connection
 * @param {any} Client
 * @param {any} parserExports
 * @returns {(() => void)[]}
 */
function patchPg(accelerator, Connection, Client, parserExports) {
  const { ConnectionRows } = require('./connection-rows')
  return [
    replace(Client.prototype, '_attachListeners', (stock) => {
      /** @this {any} */
      return function _attachListeners(/** @type {any} */ connection) {
        accelerator.clients.set(connection, this)
        return stock.apply(this, arguments)
      }
    }),
    replace(Connection.prototype, 'attachListeners', (stock) => {
      /** @this {any} */
      return function attachListeners(/** @type {any} */ stream) {
        const { Parser } = parserExports
        if (!accelerator.active || typeof Parser.forStream !== 'function') return stock.apply(this, arguments)
        const rows = new ConnectionRows(this, accelerator)
        return Parser.forStream(stream, () => stock.apply(this, arguments), rows)
      }
    }),
  ]
}

/**
 * @param {any} object
 * @param {string} name of a method
 * @param {(stock: Function) => Function} wrap
 * @returns {() => void} puts back what was there, unless somebody has wrapped it again
 */
function replace(object, name, wrap) {
  const stock = object[name]
  const wrapper = wrap(stock)
  object[name] = wrapper
  return () => {
    if (object[name] === wrapper) object[name] = stock
  }
}

/**
 * The file that exports a value.
 *
 * @param {unknown} value
 * @returns {string | undefined}
 */
function fileOf(value) {
  return Object.keys(require.cache).find((file) => require.cache[file]?.exports === value)
}

/**
 * @param {string} what
 * @param {string} why
 */
function leaveStock(what, why) {
  process.emitWarning(`pg-protocol-native leaves ${what} as it is: ${why}`, {
    type: 'PgProtocolNativeWarning',
    code: UNKNOWN_CODE,
  })
  return inactive(why)
}

/**
 * @param {string | null} why
 * @returns {Handle}
 */
function inactive(why) {
  return { active: false, reason: why, stats: { rows: 0 }, restore() {} }
}

module.exports = { accelerate, Accelerator }
