'use strict'

/**
 * Which columns Rust converts, and who converts the others.
 *
 * A column is converted natively only if the parser that pg would call for it is the very function that pg-types
 * registers: whatever the application has put in its place is called in its stead, with what stock passes.
 */

const { createArrayParsers, readArray } = require('./values/array')
const { createIntervalParser } = require('./values/interval')
const { readBytea, readByteaBytes } = require('./values/bytea')
const { readBinaryArray } = require('./values/binary-array')
const { zonedDate, localDate } = require('./values/binary-date')
const L = require('./layout')

/**
 * How the cells of a column become values.
 *
 * @typedef {object} Column
 * @property {number} kind what Rust does, one of `KIND_*`
 * @property {How} how what JavaScript does with what Rust left
 * @property {((text: string) => any) | null} convert for 'convert': makes the value of the text
 * @property {((bytes: Buffer, start: number, length: number) => any) | null} read makes the value of the bytes: for
 *   'read', and for 'convert' where a text is large
 *
 * @typedef {'text' | 'call' | 'convert' | 'read' | 'bytes' | 'int' | 'bool' | 'double' | 'zoned' | 'local'} How
 *   'text': the text itself; 'call': the parser with the text; 'bytes': the parser with a Buffer
 */

/** pg-types 2: what its functions do was looked at. */
const KNOWN_TYPES = /^2\./

// One object for all columns that are converted alike: shapes of rows are told apart by them.
const TEXT = column(L.KIND_TEXT, 'text')
const CALL = column(L.KIND_TEXT, 'call')
const OID = column(L.KIND_OID, 'double')
const LOCAL = column(L.KIND_LOCAL, 'local')
const BYTES = column(L.KIND_RAW, 'bytes')

/** @type {Map<number, Column>} pg-types' binary parsers by type */
const BINARY = new Map([
  [16, column(L.KIND_BINARY_BOOL, 'bool')],
  [20, column(L.KIND_BINARY_INT8, 'text')],
  [21, column(L.KIND_BINARY_INT2, 'int')],
  [23, column(L.KIND_BINARY_INT4, 'int')],
  [25, TEXT],
  [26, column(L.KIND_BINARY_OID, 'double')],
  [700, column(L.KIND_BINARY_FLOAT4, 'double')],
  [701, column(L.KIND_BINARY_FLOAT8, 'double')],
  [1114, column(L.KIND_RAW, 'read', null, readLocal)],
  [1184, column(L.KIND_RAW, 'read', null, readZoned)],
  [1700, column(L.KIND_BINARY_NUMERIC, 'double')],
])

/** The parsers of one copy of pg-types, as it registers them itself. */
class StockTypes {
  /**
   * @param {any} types the copy's exports
   * @param {any} textParsers those of its `lib/textParsers`
   * @param {any} binaryParsers those of its `lib/binaryParsers`
   */
  constructor(types, textParsers, binaryParsers) {
    this.types = types
    /** @type {Record<number, Function>} */
    const text = {}
    textParsers.init((/** @type {number} */ oid, /** @type {Function} */ parse) => {
      text[oid] = parse
    })
    /** @type {Record<number, Function>} */
    this.binary = {}
    binaryParsers.init((/** @type {number} */ oid, /** @type {Function} */ parse) => {
      this.binary[oid] = parse
    })
    // Bound functions are made anew by each `init`: only the ones in the registry can be met.
    for (const oid of [1114, 1184]) {
      const registered = types.getTypeParser(oid, 'binary')
      if (registered.name === `bound ${unbound(this.binary[oid])}`) this.binary[oid] = registered
    }
    /** @type {Map<number, Column>} */
    this.binaryColumns = new Map(BINARY)
    for (const oid of [1000, 1007, 1008, 1009, 1016]) {
      this.binaryColumns.set(oid, column(L.KIND_RAW, 'read', null, arrayReader(this.binary[oid])))
    }
    /** What serves a type that has no parser. */
    this.noParse = types.getTypeParser(0, 'text')
    this.text = text
    this.textColumns = textColumns(text, types)
  }

  /**
   * @param {any} field of a RowDescription
   * @param {Function} parse what pg would call for it
   * @returns {Column}
   */
  column(field, parse) {
    if (field.format === 'binary') return this.binaryColumn(field.dataTypeID, parse)
    if (parse === this.noParse) return TEXT
    const known = this.textColumns.get(parse)
    if (known === undefined) return CALL
    // One function reads all integers; an oid may be above those of 32 bits with a sign.
    if (known.how === 'int' && field.dataTypeID === 26) return OID
    // One function reads all dates of pg-types; which form they have hangs on the type.
    if (known.how === 'zoned' && field.dataTypeID !== 1184) {
      if (field.dataTypeID === 1082 || field.dataTypeID === 1114) return LOCAL
      return CALL
    }
    return known
  }

  /**
   * @param {number} oid
   * @param {Function} parse
   * @returns {Column}
   */
  binaryColumn(oid, parse) {
    if (parse === this.noParse) return TEXT
    const known = parse === this.binary[oid] ? this.binaryColumns.get(oid) : undefined
    return known ?? BYTES
  }
}

/** @typedef {InstanceType<typeof StockTypes>} Types */

/**
 * @param {number} kind
 * @param {How} how
 * @param {Column['convert']} convert
 * @param {Column['read']} read
 * @returns {Column}
 */
function column(kind, how, convert = null, read = null) {
  return { kind, how, convert, read }
}

/**
 * @param {Record<number, any>} text pg-types' text parsers by OID
 * @param {any} types pg-types
 * @returns {Map<Function, Column>} what is known to do the same as each
 */
function textColumns(text, types) {
  const interval = createIntervalParser(text[1186])
  /** @type {Map<Function, Column>} */
  const columns = new Map()
  for (const [parse, twin] of createArrayParsers(text, { 17: readBytea, 1186: interval })) {
    columns.set(parse, column(L.KIND_TEXT, 'convert', twin))
  }
  columns.set(text[1001], column(L.KIND_TEXT, 'convert', byteaArrayReader(types)))
  columns.set(text[16], column(L.KIND_BOOL, 'bool'))
  columns.set(text[17], column(L.KIND_TEXT, 'convert', readBytea, readByteaBytes))
  columns.set(text[20], column(L.KIND_TEXT, 'text'))
  columns.set(text[23], column(L.KIND_INT, 'int'))
  columns.set(text[701], column(L.KIND_FLOAT, 'double'))
  columns.set(text[1184], column(L.KIND_ZONED, 'zoned'))
  columns.set(text[1186], column(L.KIND_TEXT, 'convert', interval))
  return columns
}

/**
 * Arrays of bytea never go to stock's parser, whose elements may never come to an end.
 *
 * @param {any} types pg-types
 */
function byteaArrayReader(types) {
  const element = (/** @type {string | null} */ text) => (text === null ? null : readBytea(text))
  return (/** @type {string} */ text) =>
    text === '' ? null : (readArray(text, readBytea) ?? types.arrayParser.create(text, element).parse())
}

/** @param {Function} bound */
function unbound(bound) {
  return bound.name.replace(/^bound /, '')
}

/**
 * A binary timestamp: microseconds since 2000-01-01, infinities at the ends of int64.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} length
 * @param {(millis: number, micros: number) => any} make
 */
function readTimestamp(bytes, start, length, make) {
  if (length !== 8) throw malformedCell(`a timestamp of ${length} bytes`)
  const value = bytes.readBigInt64BE(start)
  if (value === 0x7fffffffffffffffn) return Infinity
  if (value === -0x8000000000000000n) return -Infinity
  const micros = BigInt.asUintN(64, value % 1000n < 0n ? (value % 1000n) + 1000n : value % 1000n)
  return make(Number((value - micros) / 1000n) + 946684800000, Number(micros))
}

/** @type {NonNullable<Column['read']>} */
function readZoned(bytes, start, length) {
  return readTimestamp(bytes, start, length, zonedDate)
}

/** @type {NonNullable<Column['read']>} */
function readLocal(bytes, start, length) {
  return readTimestamp(bytes, start, length, localDate)
}

/**
 * @param {Function} stock pg-types' parser, for elements that are left to it
 * @returns {NonNullable<Column['read']>}
 */
function arrayReader(stock) {
  return (bytes, start, length) => {
    const array = readBinaryArray(bytes, start, start + length)
    return array === undefined ? stock(Buffer.from(bytes.subarray(start, start + length))) : array
  }
}

/**
 * The error for a cell that is not of its type.
 *
 * @param {string} what
 */
function malformedCell(what) {
  return Object.assign(new Error(`malformed cell: ${what}`), { code: '08P01' })
}

module.exports = { StockTypes, KNOWN_TYPES, malformedCell }
