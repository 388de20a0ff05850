'use strict'

/**
 * Rows out of a batch without code generation: for the first rows of a shape, for very wide ones, and where
 * `new Function` is forbidden. The slow twin of `row-builder.js`.
 */

const { knownText, readRaw, rawLength } = require('./cells')
const { localToDate } = require('./local-time')
const { malformedCell } = require('./column-plan')
const {
  ROW_WORDS,
  CELL_WORDS,
  NULL,
  RAW,
  KIND_TEXT,
  KIND_BINARY_INT2,
  KIND_BINARY_NUMERIC,
} = require('./layout')

/** @typedef {import('./row-builder').Batch} Batch */
/** @typedef {import('./row-builder').RowShape} Shape */

/**
 * @param {Shape} shape
 * @returns {import('./row-builder').BuildRow}
 */
function plainBuilder(shape) {
  const { names, columns, asArray } = shape
  const count = columns.length
  if (asArray) {
    return (batch, record, parsers) => {
      const row = new Array(count)
      for (let i = 0; i < count; i++)
        row[i] = readCell(batch, record + ROW_WORDS + CELL_WORDS * i, columns[i], parsers, i)
      return row
    }
  }
  /** @type {Record<string, null>} */
  const empty = Object.create(null)
  for (const name of names) empty[name] = null
  return (batch, record, parsers) => {
    /** @type {Record<string, any>} */
    const row = { ...empty }
    for (let i = 0; i < count; i++) {
      row[names[i]] = readCell(batch, record + ROW_WORDS + CELL_WORDS * i, columns[i], parsers, i)
    }
    return row
  }
}

/**
 * @param {Batch} batch
 * @param {number} at where the cell stands in the table
 * @param {import('./column-plan').Column} column
 * @param {Function[]} parsers what pg would call: `result._parsers`
 * @param {number} i the column's index
 * @returns {any}
 */
function readCell(batch, at, column, parsers, i) {
  const word = batch.table[at + 1]
  if (word === NULL) return null
  if (word === RAW) return readLeft(batch.bytes, batch.table[at], column, parsers, i)
  switch (column.how) {
    case 'int':
      return batch.table[at]
    case 'bool':
      return batch.table[at] === 1
    case 'double':
      return batch.doubles[at >> 1]
    case 'zoned':
      return zonedValue(batch.doubles[at >> 1])
    case 'local':
      return localValue(batch.doubles[at >> 1])
    case 'call':
      return parsers[i](poolText(batch, batch.table[at], word))
    case 'convert':
      return /** @type {(text: string) => any} */ (column.convert)(poolText(batch, batch.table[at], word))
    default:
      return poolText(batch, batch.table[at], word)
  }
}

/**
 * A text of the pools, or one that exists already.
 *
 * @param {import('./row-builder').Batch} batch
 * @param {number} start
 * @param {number} word
 */
function poolText({ pools, strings }, start, word) {
  const end = word & 0xffff
  return word >= 0x40000 ? knownText(end, strings) : pools[word >> 16].substring(start, end)
}

/**
 * The value of a cell that Rust left alone.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @param {import('./column-plan').Column} column
 * @param {Function[]} parsers
 * @param {number} i
 * @returns {any}
 */
function readLeft(bytes, start, column, parsers, i) {
  if (column.read !== null) return column.read(bytes, start, rawLength(bytes, start))
  switch (column.how) {
    case 'text':
      if (column.kind !== KIND_TEXT)
        throw malformedCell(`column ${i} of binary format has ${rawLength(bytes, start)} bytes`)
      return readRaw(bytes, start)
    case 'convert':
      return /** @type {(text: string) => any} */ (column.convert)(readRaw(bytes, start))
    case 'bytes':
      return parsers[i](Buffer.from(bytes.subarray(start, start + rawLength(bytes, start))))
    default:
      if (column.kind >= KIND_BINARY_INT2 && column.kind <= KIND_BINARY_NUMERIC) {
        throw malformedCell(
          `column ${i} of binary format cannot be read from ${rawLength(bytes, start)} bytes`
        )
      }
      return parsers[i](readRaw(bytes, start))
  }
}

/** @param {number} millis */
function zonedValue(millis) {
  return millis === Infinity || millis === -Infinity ? millis : new Date(millis)
}

/** @param {number} wall */
function localValue(wall) {
  return wall === Infinity || wall === -Infinity ? wall : localToDate(wall)
}

module.exports = { plainBuilder, readCell, readLeft, zonedValue, localValue }
