'use strict'

/**
 * The columns of one result while its rows arrive.
 *
 * The simple version makes rows and turns them round. Here Rust packs a whole run of rows with one call, and tells only the
 * places of cells that it cannot convert. When a cell turns up that its column cannot hold, which no healthy server sends,
 * that column becomes a plain array of what stock makes of its cells: nothing is bent into a type that does not fit.
 */

const { createColumns, appendRows, takeFault, takeColumn, dropColumns } = require('../binding')
const { malformedCell } = require('../column-plan')
const { followZone } = require('../local-time')
const { readLeft } = require('../row-builder-plain')
const { PlainColumn } = require('./column')
const { packOf, LEFT } = require('./pack')
const L = require('../layout')

/** Room for the places of the left cells of many rows: 64 KiB. */
const TABLE_WORDS = 16384

/**
 * Tables that nobody needs at the moment: a parser of the application may run another query's rows through.
 *
 * @type {Int32Array[]}
 */
const spareTables = []

/**
 * A column that JavaScript makes.
 *
 * @typedef {object} LeftColumn
 * @property {number} index
 * @property {any[]} values
 */

class ColumnsBuilder {
  /**
   * @param {any[]} fields
   * @param {Function[]} parsers what pg would call for them
   * @param {import('../column-plan').Types} types
   * @param {boolean} inMicros
   */
  constructor(fields, parsers, types, inMicros) {
    this.fields = fields
    this.parsers = parsers ?? []
    this.columns = fields.map((field, i) => types.column(field, parsers[i]))
    this.packs = fields.map((field, i) => packOf(field, parsers[i], this.columns[i], types, inMicros))
    this.isLocal = this.packs.some(({ isLocal }) => isLocal)
    this.rows = 0
    /** @type {LeftColumn[]} in the order of the columns, as Rust has their places */
    this.left = []
    this.packs.forEach((pack, index) => {
      if (pack.make === null) this.left.push({ index, values: [] })
    })
    /** @type {any} */
    this.state = createColumns(Uint8Array.from(this.packs, ({ kind }) => kind))
  }

  /**
   * Takes rows that lie behind each other.
   *
   * @param {Buffer} bytes
   * @param {number} body of the first row
   * @param {number} count
   * @throws {Error} what a parser of the application threw, or what is wrong with a row: the columns are of no use then
   */
  append(bytes, body, count) {
    const table = this.table()
    try {
      table[L.APPEND_BODY] = body
      let lacking = count
      while (lacking > 0) {
        table[L.APPEND_ROWS] = lacking
        appendRows(this.state, bytes, table)
        const taken = table[L.APPEND_ROWS]
        const next = table[L.APPEND_BODY]
        const fault = table[L.APPEND_FAULT]
        const column = table[L.APPEND_COLUMN]
        this.readLeft(bytes, table, taken)
        this.rows += taken
        lacking -= taken
        if (fault === L.FAULT_UNFIT && column < this.fields.length) this.leave(column)
        else if (fault !== L.FAULT_NONE) throw this.fault(fault, column)
        else if (taken === 0) throw new Error(`the row at byte ${next} could not be read`)
        table[L.APPEND_BODY] = next
      }
    } finally {
      if (table.length === TABLE_WORDS) spareTables.push(table)
    }
  }

  /** A table with room for the places of one row at least. */
  table() {
    const words = L.APPEND_HEADER_WORDS + L.PLACE_WORDS * this.fields.length
    return words > TABLE_WORDS ? new Int32Array(words) : (spareTables.pop() ?? new Int32Array(TABLE_WORDS))
  }

  /**
   * Makes the values that are left to JavaScript, row by row: so the application's parsers are called in stock's order.
   *
   * @param {Buffer} bytes
   * @param {Int32Array} table
   * @param {number} rows
   */
  readLeft(bytes, table, rows) {
    const { left, columns, parsers } = this
    if (left.length === 0) return
    let at = L.APPEND_HEADER_WORDS
    for (let row = 0; row < rows; row++) {
      for (let i = 0; i < left.length; i++, at += L.PLACE_WORDS) {
        const { index, values } = left[i]
        values.push(
          table[at + 1] === L.PLACE_NULL ? null : readLeft(bytes, table[at], columns[index], parsers, index)
        )
      }
    }
  }

  /**
   * From here on the column is made by JavaScript, and so is what it has already.
   *
   * @param {number} index
   */
  leave(index) {
    const values = [...this.take(index)]
    const before = this.left.findIndex((column) => column.index > index)
    this.left.splice(before < 0 ? this.left.length : before, 0, { index, values })
    this.packs[index] = LEFT
  }

  /** @param {number} index of a column that is packed */
  take(index) {
    return takePacked(this.state, index, this.packs[index], this.fields[index], this.rows)
  }

  /**
   * @param {number} fault
   * @param {number} column
   */
  fault(fault, column) {
    return faultOf(this.state, fault, this.fields, column)
  }

  /**
   * All rows have come. The builder is of no use afterwards.
   *
   * @returns {InstanceType<typeof import('./column').Column>[]} in the order of the fields
   */
  finish() {
    const left = new Map(this.left.map(({ index, values }) => [index, values]))
    const columns = this.fields.map((field, i) => {
      const values = left.get(i)
      return values === undefined ? this.take(i) : new PlainColumn(field, values, null, this.rows)
    })
    this.release()
    return columns
  }

  /** Gives back what the rows took that will not be asked for. */
  release() {
    if (this.state === null) return
    dropColumns(this.state)
    this.state = null
  }
}

/**
 * Takes a column out of Rust's hands.
 *
 * @param {any} state
 * @param {number} index
 * @param {import('./pack').Pack} pack
 * @param {import('./column').Field} field
 * @param {number} rows
 */
function takePacked(state, index, { millis, isLocal, make }, field, rows) {
  const parts = /** @type {any[]} */ ([undefined, undefined, undefined, undefined])
  takeColumn(state, Int32Array.of(index, millis), parts)
  const [values, offsets, nulls, micros] = parts
  if (isLocal) followZone()
  const packed = { values, offsets, nulls, micros, length: rows }
  return /** @type {import('./pack').Make} */ (make)(field, packed)
}

/**
 * Why rows were not taken.
 *
 * @param {any} state
 * @param {number} fault one of `FAULT_*`
 * @param {any[]} fields
 * @param {number} column
 */
function faultOf(state, fault, fields, column) {
  const name = JSON.stringify(fields[column]?.name)
  switch (fault) {
    case L.FAULT_TOO_LARGE:
      return Object.assign(
        new RangeError(`column ${name} has more than 2 GiB: read it in parts, with a cursor or a stream`),
        { code: 'PG_PROTOCOL_NATIVE_COLUMN_TOO_LARGE' }
      )
    case L.FAULT_NO_ROOM:
      return new RangeError(`there is no memory for column ${name}`)
    case L.FAULT_UNFIT:
      return malformedCell(
        column < fields.length
          ? `a value of column ${name} is beyond what the column can hold`
          : `a row of more cells than there are columns, which are ${fields.length}`
      )
    default:
      return malformedCell(takeFault(state))
  }
}

/** @typedef {InstanceType<typeof ColumnsBuilder>} Builder */

module.exports = { ColumnsBuilder, takePacked, faultOf }
