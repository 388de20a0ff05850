'use strict'

/**
 * What is known of one copy of pg whose rows are built natively: its classes and its pg-types.
 */

const { EventEmitter } = require('node:events')
const { createRequire } = require('node:module')
const { StockTypes, KNOWN_TYPES } = require('./column-plan')
const { changeQuery } = require('./columns/target')
const { ConnectionRows, handlerKind } = require('./connection-rows')
const { versionAbove } = require('./patch-protocol')
const { QueryPauses } = require('./query-pauses')

class Accelerator {
  /**
   * @param {any} Result
   * @param {any} Client
   * @param {any} Query
   * @param {import('./column-plan').Types} types
   */
  constructor(Result, Client, Query, types) {
    this.active = true
    this.Query = Query
    this.pauses = new QueryPauses()
    this.types = types
    this.stats = { rows: 0 }
    this.emit = EventEmitter.prototype.emit
    // In old releases a client has a function of its own in its place.
    this.handleDataRow = Client.prototype._handleDataRow
    this.addRow = Result.prototype.addRow
    this.Result = Result
    this.Query = Query
    this.parseRow = Result.prototype.parseRow
    /** Whether `parseRow` sets the value of a NULL, or leaves it to what the row starts with. */
    this.setsNulls = /\]\s*=\s*null\b/.test(String(this.parseRow))
    this.parseRowAsArray = Result.prototype._parseRowAsArray
    /** @type {WeakMap<object, any>} */
    this.clients = new WeakMap()
  }

  /**
   * Notes whose connection it is, and which of its listeners for rows is pg's own: the one that was added last.
   *
   * @param {any} connection
   * @param {any} client
   */
  noteClient(connection, client) {
    this.clients.set(connection, { client, listener: connection.listeners('dataRow').at(-1) })
  }

  /**
   * @param {object} connection
   * @returns {{ client: any, listener: Function } | undefined}
   */
  clientOf(connection) {
    return this.clients.get(connection)
  }

  /**
   * Has queries give columns that ask for them.
   *
   * @param {(object: any, name: string, wrap: (stock: Function) => Function) => () => void} replace
   * @returns {() => void} undoes it
   */
  changeQuery(replace) {
    const { prototype } = this.Query
    const known = ['handleRowDescription', 'handleCommandComplete', 'handleError']
    if (known.some((name) => typeof prototype[name] !== 'function')) return () => {}
    return changeQuery(prototype, this, replace, handlerKind)
  }

  /**
   * Who takes the rows of a connection.
   *
   * @param {object} connection
   */
  rowsOf(connection) {
    return new ConnectionRows(connection, this)
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
 * Looks at a copy of pg.
 *
 * @param {string} file  any in its lib folder
 * @param {any} Client  its
 * @returns {Accelerator | string} a string: why its rows cannot be built natively
 */
function createAccelerator(file, Client) {
  const fromPg = createRequire(file)
  const typesFile = fromPg.resolve('pg-types')
  const fromTypes = createRequire(typesFile)
  const version = versionAbove(fromTypes.resolve('./lib/textParsers'))
  if (version === null || !KNOWN_TYPES.test(version)) return `pg-types ${version} is not known`
  const Result = fromPg('./result')
  const { parseRow, _parseRowAsArray, addRow, addFields } = Result.prototype
  if ([parseRow, _parseRowAsArray, addRow, addFields].some((method) => typeof method !== 'function')) {
    return 'its Result has another shape'
  }
  if ([parseRow, _parseRowAsArray].some((method) => !String(method).includes('this._parsers[i]('))) {
    return 'its Result makes rows in another way'
  }
  if (typeof Client?.prototype?._attachListeners !== 'function') return 'its Client has another shape'
  const types = new StockTypes(
    fromTypes(typesFile),
    fromTypes('./lib/textParsers'),
    fromTypes('./lib/binaryParsers')
  )
  return new Accelerator(Result, Client, fromPg('./query'), types)
}

exports.Accelerator = Accelerator
exports.createAccelerator = createAccelerator
