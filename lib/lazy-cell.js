'use strict'

/**
 * What a lazy row keeps, and one cell out of it.
 *
 * A row keeps its DataRow message as a string of one character per byte: V8 makes such a copy of some hundred bytes in a
 * fraction of the time that a Buffer takes, frees it without asking anybody, and it is exactly as long as the row. A
 * Buffer holds only what is longer than `LONGEST_STRING`.
 *
 * That the cells are within the message was checked when the row was made.
 */

const { createDecoder, decode } = require('./binding')
const { readCell } = require('./row-builder-plain')
const { readText } = require('./text')
const { followZone } = require('./local-time')
const {
  ROWS,
  BATCH_HEADER_WORDS,
  ROW_WORDS,
  CELL_WORDS,
  DATA_ROW,
  KIND_INT,
  KIND_BOOL,
  KIND_BINARY_INT8,
} = require('./layout')

/** A longer message is kept as a Buffer. */
const LONGEST_STRING = 1 << 16

/** Where the cells begin: behind the type byte, the message's length and the count of cells. */
const FIRST_CELL = 7

/** V8 copies what `substring` cuts out if it is shorter than this; a longer piece keeps the whole string alive. */
const SHORTEST_SLICE = 13

/** A message that is too long for a string. Knows where its cells begin, as far as it was read. */
class LongMessage {
  /** @param {Buffer} bytes */
  constructor(bytes) {
    this.bytes = bytes
    this.starts = [FIRST_CELL]
  }
}

/** @typedef {string | InstanceType<typeof LongMessage>} Message */

/**
 * A message to keep.
 *
 * @param {Buffer} bytes
 * @param {number} body where the message's body begins
 * @returns {Message}
 */
function keep(bytes, body) {
  const start = body - 5
  const end = body - 4 + readInt32(bytes, body - 4)
  if (end - start <= LONGEST_STRING) return /** @type {any} */ (bytes).latin1Slice(start, end)
  // One that came in many pieces has a Buffer of its own.
  if (bytes.buffer.byteLength - (end - start) < LONGEST_STRING) {
    return new LongMessage(bytes.subarray(start, end))
  }
  const copy = Buffer.allocUnsafeSlow(end - start)
  bytes.copy(copy, 0, start, end)
  return new LongMessage(copy)
}

/**
 * @param {Buffer} bytes
 * @param {number} at
 */
function readInt32(bytes, at) {
  return (bytes[at] << 24) | (bytes[at + 1] << 16) | (bytes[at + 2] << 8) | bytes[at + 3]
}

/**
 * The Int32 before a cell: how many bytes it has, -1 for NULL.
 *
 * @param {Message} message
 * @param {number} at
 */
function lengthAt(message, at) {
  if (typeof message !== 'string') return readInt32(message.bytes, at)
  return (
    (message.charCodeAt(at) << 24) |
    (message.charCodeAt(at + 1) << 16) |
    (message.charCodeAt(at + 2) << 8) |
    message.charCodeAt(at + 3)
  )
}

/**
 * The message that was read last, and where its cells begin as far as is known: all cells of a row, read in any order,
 * cost one walk.
 */
let walked = ''
const walkedStarts = [FIRST_CELL]

/**
 * Where the length of cell `i` stands.
 *
 * @param {Message} message
 * @param {number} i
 */
function findCell(message, i) {
  let starts = walkedStarts
  if (typeof message !== 'string') {
    starts = message.starts
  } else if (walked !== message) {
    walked = message
    starts.length = 1
  }
  let known = starts.length - 1
  if (known >= i) return starts[i]
  let at = starts[known]
  for (; known < i; known++) {
    const length = lengthAt(message, at)
    at += length < 0 ? 4 : 4 + length
    starts.push(at)
  }
  return at
}

/**
 * The value of one cell, as stock makes it.
 *
 * @param {Message} message
 * @param {import('./column-plan').Column} column
 * @param {number} i the column's index
 * @param {Function[]} parsers what pg would call: `result._parsers`
 * @returns {any}
 */
function readLazily(message, column, i, parsers) {
  const at = findCell(message, i)
  const length = lengthAt(message, at)
  if (length < 0) return null
  const start = at + 4
  switch (column.how) {
    case 'text':
      if (column.kind !== KIND_BINARY_INT8) return textAt(message, start, length)
      break
    case 'call':
      return parsers[i](textAt(message, start, length))
    case 'convert':
      if (column.read !== null && length > LONGEST_STRING) break
      return /** @type {(text: string) => any} */ (column.convert)(textAt(message, start, length))
    case 'bytes':
      return parsers[i](bytesAt(message, start, length))
    case 'read':
      return /** @type {NonNullable<typeof column.read>} */ (column.read)(
        bytesAt(message, start, length),
        0,
        length
      )
    case 'int': {
      if (typeof message !== 'string' || column.kind !== KIND_INT) break
      const value = shortInt(message, start, length)
      if (value !== -1) return value
      break
    }
    case 'bool':
      if (typeof message === 'string' && length === 1 && column.kind === KIND_BOOL) {
        const code = message.charCodeAt(start)
        if (code === 0x74) return true
        if (code === 0x66) return false
      }
  }
  return decodeAlone(message, start, length, column, i, parsers)
}

/**
 * @param {string} message
 * @param {number} start
 * @param {number} length
 * @returns {number} -1: something else than up to nine digits
 */
function shortInt(message, start, length) {
  const negative = length > 1 && message.charCodeAt(start) === 0x2d
  const end = start + length
  let at = negative ? start + 1 : start
  if (at === end || end - at > 9) return -1
  let value = 0
  for (; at < end; at++) {
    const digit = message.charCodeAt(at) - 0x30
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  // -0 and -1 go the long way.
  return negative ? (value < 2 ? -1 : -value) : value
}

/**
 * A text that keeps alive no more than itself, or a row that it makes up half of.
 *
 * @param {Message} message
 * @param {number} start
 * @param {number} length
 * @returns {string}
 */
function textAt(message, start, length) {
  if (typeof message !== 'string') return readText(message.bytes, start, start + length)
  const text = message.substring(start, start + length)
  if (length < SHORTEST_SLICE || length * 2 > message.length) {
    let all = 0
    for (let k = 0; k < length; k++) all |= text.charCodeAt(k)
    if (all < 0x80) return text
  }
  desk.bytes.latin1Write(text, 0)
  return readText(desk.bytes, 0, length)
}

/**
 * A Buffer of its own for somebody who may keep it.
 *
 * @param {Message} message
 * @param {number} start
 * @param {number} length
 * @returns {Buffer}
 */
function bytesAt(message, start, length) {
  if (typeof message === 'string') return Buffer.from(message.substring(start, start + length), 'latin1')
  return Buffer.from(message.bytes.subarray(start, start + length))
}

const decoder = createDecoder()

/** Where a single cell or a single row is decoded. */
const desk = makeDesk()

/** @typedef {ReturnType<typeof makeDesk>} Desk */

function makeDesk() {
  const table = new Int32Array(8192)
  return {
    table,
    doubles: new Float64Array(table.buffer),
    pools: ['', '', '', ''],
    strings: [],
    bytes: /** @type {any} */ (Buffer.allocUnsafeSlow(LONGEST_STRING + FIRST_CELL + 4)),
  }
}

/**
 * Has Rust decode one cell as it does in a batch: as a row of one column.
 *
 * @param {Message} message
 * @param {number} start
 * @param {number} length
 * @param {import('./column-plan').Column} column
 * @param {number} i
 * @param {Function[]} parsers
 */
function decodeAlone(message, start, length, column, i, parsers) {
  const { table, doubles, pools, strings } = desk
  const size = FIRST_CELL + 4 + length
  const bytes = size <= desk.bytes.length ? desk.bytes : Buffer.allocUnsafeSlow(size)
  if (typeof message === 'string') bytes.latin1Write(message.substring(start, start + length), FIRST_CELL + 4)
  else message.bytes.copy(bytes, FIRST_CELL + 4, start, start + length)
  bytes[0] = DATA_ROW
  bytes.writeInt32BE(size - 1, 1)
  bytes.writeInt16BE(1, 5)
  bytes.writeInt32BE(length, FIRST_CELL)
  // Another row's bytes that were longer may lie behind it.
  if (size < bytes.length) bytes[size] = 0
  if (column.how === 'local') followZone()
  decodeInto(desk, bytes, Uint8Array.of(column.kind))
  return readCell(
    { table, doubles, pools, strings, bytes },
    BATCH_HEADER_WORDS + ROW_WORDS,
    column,
    parsers,
    i
  )
}

/** Reads many cells of one row. */
class RowReader {
  /**
   * @param {Message} message
   * @param {Function[]} parsers
   * @param {import('./lazy-shape').Layout} layout
   */
  constructor(message, parsers, layout) {
    this.message = message
    this.parsers = parsers
    this.layout = layout
    /** @type {Desk | null} where the row was decoded */
    this.desk = null
    this.isDecoded = false
  }

  /** @param {import('./lazy-shape').LazyColumn} column */
  cell({ column, index }) {
    if (!this.isDecoded) this.decode()
    const { message, parsers } = this
    if (this.desk === null) return readLazily(message, column, index, parsers)
    return readCell(this.desk, BATCH_HEADER_WORDS + ROW_WORDS + CELL_WORDS * index, column, parsers, index)
  }

  /** Has Rust decode the row as a batch of one. A parser that is called in between may read another row. */
  decode() {
    const { message, layout } = this
    this.isDecoded = true
    if (typeof message !== 'string') return
    const desk = spareDesks.pop() ?? makeDesk()
    const size = desk.bytes.latin1Write(message, 0)
    desk.bytes[size] = 0
    if (layout.isLocal) followZone()
    if (decodeInto(desk, desk.bytes, layout.wholePlan) === 1) this.desk = desk
    else spareDesks.push(desk)
  }

  release() {
    if (this.desk !== null) spareDesks.push(this.desk)
  }
}

/** @type {Desk[]} */
const spareDesks = []

/**
 * @param {Message} message
 * @param {Function[]} parsers
 * @param {import('./lazy-shape').Layout} layout
 */
function readerOf(message, parsers, layout) {
  return new RowReader(message, parsers, layout)
}

/**
 * @param {Desk} desk
 * @param {Buffer} bytes
 * @param {Uint8Array} plan
 */
function decodeInto({ table, pools }, bytes, plan) {
  pools[0] = pools[1] = pools[2] = pools[3] = ''
  table[ROWS] = 5
  decode(decoder, bytes, table, pools, plan)
  return table[ROWS]
}

module.exports = { keep, readLazily, readerOf, LONGEST_STRING }
