'use strict'

// What is changed in a copy of pg: `Connection.prototype.attachListeners`, where the parser is made and learns which
// socket it reads from and who takes the rows, `Client.prototype._attachListeners`, which tells whose connection
// it is, and `Query`, which gets `pause` and `resume`. Both are taken into use bit by bit, since register sees pg's files one after the other, and by many at once.

const fs = require('node:fs')
const { createRequire } = require('node:module')
const { createAddFields } = require('./add-fields')
const { isNativeParser, once } = require('./patch-protocol')
const { useQueryPauses } = require('./query-pauses')

// On a Connection: what is changed in its copy of pg. Other copies of this package find it, and add nothing.
const COPY = Symbol.for('pg-protocol-native.pg@1')

/**
 * @typedef {object} Copy
 * @property {any} accelerator  null: pg builds the rows
 * @property {string | null} encoding  in which text is read, where somebody has asked for one
 * @property {number} users
 * @property {number} rowUsers
 * @property {() => void} undo
 * @property {() => void} undoRows
 */

/**
 * Tells the parsers of a copy of pg which socket they read.
 *
 * @param {any} Connection
 * @param {any} parserExports  of the pg-protocol that this pg uses
 * @param {string | null} [encoding]  in which text is read
 * @returns {(() => void) | string} undoes it when nobody else asks for it; a string: why it was left as it is
 */
function useConnection(Connection, parserExports, encoding = null) {
  if (typeof Connection?.prototype?.attachListeners !== 'function') return 'its Connection has another shape'
  /** @type {Copy} */
  const copy = Connection[COPY] ?? changeConnection(Connection, parserExports)
  copy.users++
  const before = copy.encoding
  copy.encoding = encoding ?? before
  return once(() => {
    if (encoding !== null) copy.encoding = before
    if (--copy.users > 0) return
    delete Connection[COPY]
    copy.undo()
  })
}

/**
 * @param {any} Connection
 * @param {any} parserExports
 * @returns {Copy}
 */
function changeConnection(Connection, parserExports) {
  /** @type {Copy} */
  const copy = { accelerator: null, encoding: null, users: 0, rowUsers: 0, undo() {}, undoRows() {} }
  copy.undo = replace(Connection.prototype, 'attachListeners', (stock) => {
    /** @this {any} */
    return function attachListeners(/** @type {any} */ stream) {
      const { Parser } = parserExports
      if (copy.users === 0 || !isNativeParser(Parser)) return stock.apply(this, arguments)
      const rows = copy.accelerator?.rowsOf(this) ?? null
      return Parser.forStream(stream, () => stock.apply(this, arguments), rows, copy.encoding)
    }
  })
  Object.defineProperty(Connection, COPY, { value: copy, configurable: true })
  return copy
}

/**
 * Builds the rows of a copy of pg natively. Its Connection is in use.
 *
 * @param {any} Connection
 * @param {any} Client
 * @param {string} file  any in pg's lib folder
 * @returns {{ undo: () => void, stats: { rows: number } } | string} a string: why it was left as it is
 */
function useRows(Connection, Client, file) {
  /** @type {Copy} */
  const copy = Connection[COPY]
  if (copy.accelerator === null) {
    const accelerator = require('./accelerator').createAccelerator(file, Client)
    if (typeof accelerator === 'string') return accelerator
    changeClient(copy, Client, accelerator)
  }
  copy.rowUsers++
  const undo = once(() => {
    if (--copy.rowUsers > 0) return
    copy.accelerator.active = false
    copy.accelerator = null
    copy.undoRows()
  })
  return { undo, stats: copy.accelerator.stats }
}

/**
 * @param {Copy} copy
 * @param {any} Client
 * @param {import('./accelerator').Accelerator} accelerator
 */
function changeClient(copy, Client, accelerator) {
  copy.accelerator = accelerator
  const undoClient = replace(Client.prototype, '_attachListeners', (stock) => {
    /** @this {any} */
    return function _attachListeners(/** @type {any} */ connection) {
      const attached = stock.apply(this, arguments)
      accelerator.noteClient(connection, this)
      return attached
    }
  })
  const { prototype } = accelerator.Result
  const undoResult = replace(prototype, 'addFields', (stock) => createAddFields(stock, accelerator))
  const undoPauses = useQueryPauses(accelerator.Query, Client, accelerator.pauses, replace)
  const undoQuery = accelerator.changeQuery(replace)
  copy.undoRows = () => {
    undoClient()
    undoResult()
    undoQuery()
    undoPauses()
  }
}

/**
 * Whether a Connection's copy of pg has been changed.
 *
 * @param {any} Connection
 */
function isInUse(Connection) {
  return Connection?.[COPY] !== undefined
}

/**
 * Whether a client's connection has the native parser, whose messages keep their bytes.
 *
 * @param {any} connection
 * @returns {boolean}
 */
function isAccelerated(connection) {
  return connection?.constructor?.[COPY]?.accelerator?.clientOf(connection) !== undefined
}

/**
 * pg 8.0 depends on pg-protocol, but uses it only when asked to.
 *
 * @param {string} connectionFile
 */
function hasOwnParser(connectionFile) {
  try {
    return !/require\(['"]pg-protocol['"]\)/.test(fs.readFileSync(connectionFile, 'utf8'))
  } catch {
    return false
  }
}

/**
 * Why pg builds its rows itself, or null if they can be built natively. Loads this pg.
 *
 * @param {string} file  any in pg's lib folder
 * @returns {string | null}
 */
function unknownRows(file) {
  try {
    const fromPg = createRequire(file)
    const accelerator = require('./accelerator').createAccelerator(file, fromPg('./client'))
    return typeof accelerator === 'string' ? accelerator : null
  } catch (err) {
    return String(err)
  }
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

exports.hasOwnParser = hasOwnParser
exports.isAccelerated = isAccelerated
exports.isInUse = isInUse
exports.replace = replace
exports.unknownRows = unknownRows
exports.useConnection = useConnection
exports.useRows = useRows
