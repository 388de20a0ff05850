'use strict'

/**
 * What `rowMode: 'columns'` gives of a column: its values as the wire had them, packed, and beside them `get(i)`, the value
 * that a row of stock's would have there.
 *
 * Each class knows one way from the packed form to that value. Values are made when they are asked for and not kept.
 */

const { readText } = require('../text')
const { zonedDate, localDate } = require('../values/binary-date')
const { localToDate } = require('../local-time')

/** @typedef {{ name: string, dataTypeID: number }} Field */

/**
 * @typedef {object} Packed what Rust gives of a column
 * @property {any} values a typed array
 * @property {Int32Array | undefined} offsets of a column of texts or bytes
 * @property {Uint8Array | undefined} nulls
 * @property {Uint16Array | undefined} micros beyond the millisecond
 * @property {number} length
 */

/** A column whose values are the elements of an array. */
class Column {
  /**
   * @param {Field} field
   * @param {any} values
   * @param {Uint8Array | null} nulls
   * @param {number} length
   */
  constructor({ name, dataTypeID }, values, nulls, length) {
    this.name = name
    this.dataTypeID = dataTypeID
    this.values = values
    this.nulls = nulls
    this.length = length
  }

  /** @param {number} i */
  isNull(i) {
    const { nulls } = this
    return nulls !== null && (nulls[i >> 3] & (1 << (i & 7))) === 0
  }

  /**
   * @param {number} i
   * @returns {any} undefined where there is no such row
   */
  get(i) {
    if (!(i >= 0 && i < this.length) || !Number.isInteger(i)) return undefined
    return this.isNull(i) ? null : this.valueAt(i)
  }

  /**
   * @param {number} i of a row that has a value
   * @returns {any}
   */
  valueAt(i) {
    return this.values[i]
  }

  *[Symbol.iterator]() {
    for (let i = 0; i < this.length; i++) yield this.get(i)
  }
}

/** Values that JavaScript made one by one: those of an application's parser, and of types that have no packed form. */
class PlainColumn extends Column {
  /** @override @param {number} i */
  isNull(i) {
    return this.values[i] === null
  }
}

class BoolColumn extends Column {
  /** @override @param {number} i */
  valueAt(i) {
    return this.values[i] === 1
  }
}

/** Values that pg gives as strings, though they are integers. */
class Int8Column extends Column {
  /** @override @param {number} i */
  valueAt(i) {
    return String(this.values[i])
  }
}

/** Milliseconds since 1970. */
class MillisColumn extends Column {
  /** @override @param {number} i */
  valueAt(i) {
    const millis = this.values[i]
    return isInfinite(millis) ? millis : new Date(millis)
  }
}

/** The same of binary format, whose dates have microseconds in stock. */
class BinaryMillisColumn extends Column {
  #micros

  /**
   * @param {Field} field
   * @param {any} values
   * @param {Uint8Array | null} nulls
   * @param {number} length
   * @param {Uint16Array} micros
   */
  constructor(field, values, nulls, length, micros) {
    super(field, values, nulls, length)
    this.#micros = micros
  }

  /** @override @param {number} i */
  valueAt(i) {
    const millis = this.values[i]
    return isInfinite(millis) ? millis : zonedDate(millis, this.#micros[i])
  }
}

/** Microseconds since 1970; `make` makes the date of the milliseconds and the rest. */
class MicrosColumn extends Column {
  #make

  /**
   * @param {Field} field
   * @param {any} values
   * @param {Uint8Array | null} nulls
   * @param {number} length
   * @param {(millis: number, micros: number) => any} make
   */
  constructor(field, values, nulls, length, make) {
    super(field, values, nulls, length)
    this.#make = make
  }

  /** @override @param {number} i */
  valueAt(i) {
    const value = this.values[i]
    if (value === MOST) return Infinity
    if (value === LEAST) return -Infinity
    const rest = ((value % 1000n) + 1000n) % 1000n
    return this.#make(Number((value - rest) / 1000n), Number(rest))
  }
}

const MOST = 0x7fffffffffffffffn
const LEAST = -0x8000000000000000n

/** Texts or bytes behind each other, as Arrow has them. */
class BytesColumn extends Column {
  /** Node's view of the data, which decodes texts. */
  #bytes
  #read

  /**
   * @param {Field} field
   * @param {{ offsets: Int32Array, data: Uint8Array }} values
   * @param {Uint8Array | null} nulls
   * @param {number} length
   * @param {(bytes: Buffer, start: number, end: number) => any} read
   */
  constructor(field, values, nulls, length, read) {
    super(field, values, nulls, length)
    const { buffer, byteOffset, byteLength } = values.data
    this.#bytes = Buffer.from(/** @type {ArrayBuffer} */ (buffer), byteOffset, byteLength)
    this.#read = read
  }

  /** @override @param {number} i */
  valueAt(i) {
    const { offsets } = this.values
    return this.#read(this.#bytes, offsets[i], offsets[i + 1])
  }
}

/** @param {number} millis */
const isInfinite = (millis) => millis === Infinity || millis === -Infinity

/**
 * What a column's packed values are, where neither their array nor the type says so.
 *
 * @typedef {'number' | 'bool' | 'int8' | 'utc' | 'local' | 'utc-micros' | 'local-micros' | 'text' | 'bytes'} Form
 *
 * @typedef {(field: Field, packed: Packed) => Column} Make
 */

/** @type {WeakMap<Column, Form>} */
const forms = new WeakMap()

/**
 * @param {Column} column
 * @returns {Form | 'values'} 'values': a plain array
 */
function formOf(column) {
  return forms.get(column) ?? 'values'
}

/**
 * @param {Form} form
 * @param {Make} make
 * @returns {Make}
 */
function as(form, make) {
  return (field, packed) => {
    const column = make(field, packed)
    forms.set(column, form)
    return column
  }
}

/**
 * From the wall clock to the moment, in place.
 *
 * @param {Column} column
 * @param {(wall: number) => Date} toDate
 */
function toMoments(column, toDate) {
  const { values, length } = column
  for (let i = 0; i < length; i++) {
    if (!isInfinite(values[i]) && !column.isNull(i)) values[i] = toDate(values[i]).getTime()
  }
  return column
}

/** @type {Make} */
const binaryMillis = (field, { values, nulls, length, micros }) =>
  new BinaryMillisColumn(field, values, nulls ?? null, length, /** @type {Uint16Array} */ (micros))

/** @type {(Class: any) => Make} */
const column =
  (Class) =>
  (field, { values, nulls, length }) =>
    new Class(field, values, nulls ?? null, length)

/** @type {(make: (millis: number, micros: number) => any) => Make} */
const micros =
  (make) =>
  (field, { values, nulls, length }) =>
    new MicrosColumn(field, values, nulls ?? null, length, make)

/** @type {(read: (bytes: Buffer, start: number, end: number) => any) => Make} */
const bytes =
  (read) =>
  (field, { values, offsets, nulls, length }) =>
    new BytesColumn(
      field,
      { offsets: /** @type {Int32Array} */ (offsets), data: values },
      nulls ?? null,
      length,
      read
    )

const millis = column(MillisColumn)

/** How a packed column becomes one that is handed out. */
const makers = {
  plain: as('number', column(Column)),
  bool: as('bool', column(BoolColumn)),
  int8: as('int8', column(Int8Column)),
  zonedMillis: as('utc', millis),
  localMillis: as('local', (field, packed) => toMoments(millis(field, packed), localToDate)),
  binaryZonedMillis: as('utc', binaryMillis),
  binaryLocalMillis: as('local', (field, packed) =>
    toMoments(binaryMillis(field, packed), (wall) => localDate(wall, 0))
  ),
  zonedMicros: as(
    'utc-micros',
    micros((millis) => new Date(millis))
  ),
  localMicros: as(
    'local-micros',
    micros((millis) => localToDate(millis))
  ),
  binaryZonedMicros: as('utc-micros', micros(zonedDate)),
  binaryLocalMicros: as('local-micros', micros(localDate)),
  text: as('text', bytes(readText)),
  /** The same of binary format, whose bytes need not be text. */
  binaryText: as('bytes', bytes(readText)),
  /** Views, without a copy. */
  bytea: as(
    'bytes',
    bytes((data, start, end) => data.subarray(start, end))
  ),
  /** @param {(text: string) => any} convert what pg would call */
  converted: (convert) =>
    as(
      'text',
      bytes((data, start, end) => convert(readText(data, start, end)))
    ),
}

module.exports = { Column, PlainColumn, makers, formOf }
