'use strict'

/**
 * `pg-protocol-native/arrow`: a result of columns as a `Table` of apache-arrow.
 *
 * Columns lie in memory as Arrow has them, so that most are taken as they are: numbers, microseconds, texts and bytes, and
 * the bits that tell of NULLs. Copied is what Arrow has in another form: booleans are bits there, and milliseconds integers.
 */

const arrow = load()
const { Column, formOf } = require('./columns/column')

/** @typedef {InstanceType<typeof Column>} AnyColumn */

/** @returns {any} */
function load() {
  try {
    return require('apache-arrow')
  } catch (cause) {
    throw new Error(
      "pg-protocol-native/arrow needs the package apache-arrow: install it with 'npm install apache-arrow'",
      { cause }
    )
  }
}

/**
 * @param {any} result of a query with `rowMode: 'columns'`, of `copyColumns`, or a batch of a cursor or stream
 * @returns {any}
 */
function toArrow(result) {
  const columns = result?.columnList
  if (!Array.isArray(columns) || columns.some((column) => !(column instanceof Column))) {
    throw new TypeError(
      "toArrow() takes a result with columns: ask for them with rowMode: 'columns', and accelerate pg"
    )
  }
  const length = columns[0]?.length ?? 0
  const children = columns.map(dataOf)
  const fields = columns.map((column, i) => new arrow.Field(column.name, children[i].type, true))
  const schema = new arrow.Schema(fields)
  const struct = arrow.makeData({ type: new arrow.Struct(fields), length, nullCount: 0, children })
  return new arrow.Table(schema, [new arrow.RecordBatch(schema, struct)])
}

/** @param {AnyColumn} column */
function dataOf(column) {
  const { values } = column
  switch (formOf(column)) {
    case 'number':
      return make(column, numberType(values), values)
    case 'int8':
      return make(column, new arrow.Int64(), values)
    case 'bool':
      return make(column, new arrow.Bool(), bitsOf(values))
    case 'utc':
      return make(
        column,
        new arrow.TimestampMillisecond('UTC'),
        integersOf(column, (millis) => millis)
      )
    case 'local':
      return column.dataTypeID === DATE
        ? make(column, new arrow.DateDay(), daysOf(column))
        : make(column, new arrow.TimestampMillisecond(), integersOf(column, wallOf))
    case 'utc-micros':
      return make(column, new arrow.TimestampMicrosecond('UTC'), values)
    case 'local-micros':
      return make(column, new arrow.TimestampMicrosecond(), values)
    case 'text':
      return make(column, new arrow.Utf8(), values.data, values.offsets)
    case 'bytes':
      return make(column, new arrow.Binary(), values.data, values.offsets)
    default:
      return dataOfValues(column)
  }
}

const DATE = 1082

/**
 * @param {AnyColumn} column
 * @param {any} type
 * @param {any} data
 * @param {Int32Array} [valueOffsets]
 */
function make({ nulls, length }, type, data, valueOffsets) {
  return arrow.makeData({
    type,
    length,
    nullCount: nulls === null ? 0 : countNulls(nulls, length),
    nullBitmap: nulls ?? undefined,
    data,
    valueOffsets,
  })
}

/** @param {Int32Array | Uint32Array | Float64Array} values */
function numberType(values) {
  if (values instanceof Int32Array) return new arrow.Int32()
  if (values instanceof Uint32Array) return new arrow.Uint32()
  return new arrow.Float64()
}

/**
 * @param {Uint8Array} nulls
 * @param {number} length
 */
function countNulls(nulls, length) {
  let count = length
  for (let byte of nulls) for (; byte !== 0; byte &= byte - 1) count--
  return count
}

/** @param {Uint8Array} values 0 and 1 */
function bitsOf(values) {
  const bits = new Uint8Array((values.length + 7) >> 3)
  for (let i = 0; i < values.length; i++) bits[i >> 3] |= values[i] << (i & 7)
  return bits
}

const MOST = 2n ** 63n - 1n
const LEAST = -(2n ** 63n)

/**
 * Milliseconds as Arrow has them; of infinities the extremes, as the server has them.
 *
 * @param {AnyColumn} column
 * @param {(millis: number) => number} convert
 */
function integersOf(column, convert) {
  const { values, length } = column
  const integers = new BigInt64Array(length)
  for (let i = 0; i < length; i++) {
    if (column.isNull(i)) continue
    const millis = finite(column, values[i])
    integers[i] = millis === Infinity ? MOST : millis === -Infinity ? LEAST : BigInt(convert(millis))
  }
  return integers
}

/** @param {AnyColumn} column of dates */
function daysOf(column) {
  const { values, length } = column
  const days = new Int32Array(length)
  for (let i = 0; i < length; i++) {
    if (column.isNull(i)) continue
    const millis = finite(column, values[i])
    if (millis === Infinity) days[i] = 0x7fffffff
    else if (millis === -Infinity) days[i] = -0x80000000
    else days[i] = Math.floor(wallOf(millis) / 86_400_000)
  }
  return days
}

/**
 * @param {AnyColumn} column
 * @param {number} millis
 */
function finite({ name }, millis) {
  if (!Number.isNaN(millis)) return millis
  throw new RangeError(
    `column ${JSON.stringify(name)} has a time that a Date cannot hold: ask for rowMode: 'columns-micros'`
  )
}

/**
 * What a clock of the local zone shows, as if it were UTC.
 *
 * @param {number} millis
 */
function wallOf(millis) {
  const date = new Date(millis)
  const wall = new Date(0)
  wall.setUTCFullYear(date.getFullYear(), date.getMonth(), date.getDate())
  return wall.setUTCHours(date.getHours(), date.getMinutes(), date.getSeconds(), date.getMilliseconds())
}

/**
 * A plain array: of strings, numbers, booleans, bigints or dates.
 *
 * @param {AnyColumn} column
 */
function dataOfValues({ name, values }) {
  const kinds = new Set()
  for (const value of values) if (value !== null) kinds.add(value instanceof Date ? 'date' : typeof value)
  const [kind = 'string', ...others] = kinds
  const types = /** @type {Record<string, () => any>} */ ({
    string: () => new arrow.Utf8(),
    number: () => new arrow.Float64(),
    boolean: () => new arrow.Bool(),
    bigint: () => new arrow.Int64(),
    date: () => new arrow.TimestampMillisecond('UTC'),
  })
  if (others.length > 0 || types[kind] === undefined) {
    throw new TypeError(
      `column ${JSON.stringify(name)} has values that Arrow has no type for (${[...kinds].join(', ')}): cast it to text in ` +
        'the query, or set no parser for its type'
    )
  }
  const type = types[kind]()
  if (values.length === 0) return arrow.makeData({ type, length: 0, nullCount: 0 })
  const [data] = arrow.vectorFromArray(values, type).data
  return data
}

exports.toArrow = toArrow
