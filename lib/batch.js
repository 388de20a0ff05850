'use strict'

/**
 * The cells of rows that are read one after the other, decoded for many rows at once.
 *
 * The simple version decodes each row when it is asked for, one `buffer.toString` per cell, 50 to 60 ns
 * each. Here Rust decodes the rest of a run as soon as a second row in succession is read: one call makes
 * up to four strings of all texts of some dozen to some hundred rows (`src/batch.rs`, `src/text/pool.rs`),
 * and a row cuts its cells out of them with `substring`, 8 to 15 ns each.
 *
 * The table and the pools belong to the latest batch only, whoever asked for it. A row that is read when
 * another batch has taken their place is decoded by itself or starts a batch anew: its bytes are still there.
 */

const { createDictionaryDecoder, decode } = require('./binding')
const { readText } = require('./text')
const { makeStrings, learnTexts, makeText, readRaw } = require('./cells')
const { ROWS, BATCH_HEADER_WORDS, ROW_BODY, ROW_WORDS, CELL_WORDS, NULL } = require('./layout')

/** Room for the cells of some dozen wide or some hundred narrow rows: 64 KiB. */
const TABLE_WORDS = 16384

/** The plan that reads every column as text. */
const ALL_TEXT = new Uint8Array(0)

const decoder = createDictionaryDecoder()
const table = new Int32Array(TABLE_WORDS)

/** Which run the table belongs to. A number, so that the table does not keep a run's bytes alive. */
let owner = 0
/** Where in the table the row stands that will be read next if rows are read in order. */
let cursor = 0
/** Words of a record. */
let stride = 0
/** Where the last record ends. */
let tableEnd = 0
/** The pools: short and long cells of one byte per character, the same of two. */
const pools = ['', '', '', '']
/** The texts that came again. */
const strings = makeStrings()

let runs = 0

/** @typedef {InstanceType<typeof RowRun>} Run */

/** DataRow messages that lie behind each other in one Buffer: what the rows of a chunk have in common. */
class RowRun {
  /**
   * @param {Buffer} bytes what holds the messages
   * @param {number} expected offset of a row's body: when that row is read, a batch is decoded at once; -1: none
   * @param {import('./encoding').Encoding | null} [encoding] of the texts, if that is not UTF-8
   */
  constructor(bytes, expected, encoding = null) {
    this.bytes = bytes
    this.encoding = encoding
    this.serial = ++runs
    /** Body of the row that follows the one whose fields were read last. */
    this.expected = expected
    /** Whether rows of this run were read one after the other. */
    this.inOrder = expected >= 0
    /** Body of the row whose cells' places are in `cellStarts`. */
    this.cellsOf = -1
    /** @type {number[] | null} where the cells of that row begin, their lengths included, as far as known */
    this.cellStarts = null
  }
}

/**
 * All cells of the row whose body begins at `body`, as pg-protocol's `parseDataRowMessage` gives them.
 *
 * @param {Run} run
 * @param {number} body offset of the row's Int16 count of cells
 * @param {number} length the message's length as on the wire
 * @param {number} count the number of cells
 * @returns {(string | null)[]}
 * @throws {Error} where the cells do not fill the row as they should
 */
function readFields(run, body, length, count) {
  const expected = run.expected === body
  // The next message's body: 4 bytes of this one's length are not in its body, 5 are the next one's header.
  run.expected = body + length + 1
  if (owner === run.serial && find(body)) return cut(run.bytes, count)
  if (run.encoding !== null) return readRow(run.bytes, body, length, count, run.encoding.read)
  if (expected) {
    run.inOrder = true
    decodeBatch(run, body, count)
    if (tableEnd > cursor) return cut(run.bytes, count)
  }
  return readRow(run.bytes, body, length, count)
}

/**
 * @param {Run} run
 * @param {number} body
 * @param {number} count
 */
function decodeBatch(run, body, count) {
  // Nobody's until it is whole: making the pools' strings may fail.
  owner = 0
  pools[0] = pools[1] = pools[2] = pools[3] = ''
  table[ROWS] = body
  decode(decoder, run.bytes, table, pools, ALL_TEXT)
  learnTexts(table, pools[0], strings)
  owner = run.serial
  cursor = BATCH_HEADER_WORDS
  stride = ROW_WORDS + CELL_WORDS * count
  tableEnd = cursor + table[ROWS] * stride
}

/**
 * Moves the cursor to a row. Rows read in order are found at once, others by walking.
 *
 * @param {number} body
 * @returns {boolean} whether the table has the row
 */
function find(body) {
  if (cursor < tableEnd && table[cursor + ROW_BODY] === body) return true
  let record = cursor < tableEnd && table[cursor + ROW_BODY] < body ? cursor : BATCH_HEADER_WORDS
  while (record < tableEnd) {
    const at = table[record + ROW_BODY]
    if (at === body) {
      cursor = record
      return true
    }
    if (at > body) return false
    record += stride
  }
  return false
}

/**
 * Cuts the cells of the record at the cursor out of the pools and moves the cursor behind it.
 *
 * @param {Buffer} bytes
 * @param {number} count
 * @returns {(string | null)[]}
 */
function cut(bytes, count) {
  const latin1Short = pools[0]
  const latin1Long = pools[1]
  const utf16Short = pools[2]
  const utf16Long = pools[3]
  const fields = new Array(count)
  let at = cursor + ROW_WORDS
  for (let i = 0; i < count; i++) {
    const start = table[at]
    const word = table[at + 1]
    at += CELL_WORDS
    if (word >= 0) {
      const end = word & 0xffff
      if (word >= 0x40000) {
        const text = strings[end]
        fields[i] = text !== '' ? text : makeText(end, strings)
      } else if (word < 0x10000) fields[i] = latin1Short.substring(start, end)
      else if (word < 0x20000) fields[i] = latin1Long.substring(start, end)
      else if (word < 0x30000) fields[i] = utf16Short.substring(start, end)
      else fields[i] = utf16Long.substring(start, end)
    } else {
      fields[i] = word === NULL ? null : readRaw(bytes, start)
    }
  }
  cursor = at
  return fields
}

/**
 * The slow twin of a batch: one row by itself, one string per cell.
 *
 * @param {Buffer} bytes
 * @param {number} body
 * @param {number} length
 * @param {number} count
 * @param {(bytes: Buffer, start: number, end: number) => string} [read]
 * @returns {(string | null)[]}
 */
function readRow(bytes, body, length, count, read = readText) {
  const rowEnd = body + length - 4
  const fields = new Array(count)
  let at = body + 2
  for (let i = 0; i < count; i++) {
    const end = cellEnd(bytes, at, rowEnd, i, count)
    fields[i] = end < 0 ? null : read(bytes, at + 4, end)
    at = end < 0 ? at + 4 : end
  }
  return fields
}

/**
 * Checks the cell whose Int32 length stands at `at`.
 *
 * @param {Buffer} bytes
 * @param {number} at
 * @param {number} rowEnd
 * @param {number} i the cell's index
 * @param {number} count the number of cells
 * @returns {number} the offset behind the cell, -1 where it is NULL
 * @throws {Error} where the cell is not inside its row
 */
function cellEnd(bytes, at, rowEnd, i, count) {
  if (at + 4 > rowEnd) throw malformed(`cell ${i} of ${count} is missing, ${rowEnd - at} bytes are left`)
  const length = (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
  if (length < 0) {
    if (length === -1) return -1
    throw malformed(`cell ${i} has the length ${length}`)
  }
  const end = at + 4 + length
  if (end > rowEnd) throw malformed(`cell ${i} has ${length} bytes, ${rowEnd - at - 4} are left`)
  return end
}

/**
 * Where a single cell is. The places of a row's cells are remembered as far as they were walked, so that
 * reading all cells of a row one by one, in any order, costs no more than one walk.
 *
 * @param {Run} run
 * @param {number} body
 * @param {number} length
 * @param {number} count
 * @param {number} i the cell's index, below `count`
 * @returns {number} where the cell's Int32 length stands
 */
function findCell(run, body, length, count, i) {
  let starts = run.cellStarts
  if (starts === null) starts = run.cellStarts = []
  if (run.cellsOf !== body) {
    run.cellsOf = body
    starts.length = 0
    starts.push(body + 2)
  }
  const { bytes } = run
  const rowEnd = body + length - 4
  let known = starts.length - 1
  if (known >= i) return starts[i]
  let at = starts[known]
  while (known < i) {
    const end = cellEnd(bytes, at, rowEnd, known, count)
    at = end < 0 ? at + 4 : end
    starts.push(at)
    known++
  }
  return at
}

/**
 * @param {string} what
 * @returns {Error & { code: string }}
 */
function malformed(what) {
  return Object.assign(new Error(`malformed DataRow message: ${what}`), { code: '08P01' })
}

module.exports = { RowRun, readFields, readRow, findCell, cellEnd }
