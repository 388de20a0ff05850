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
 * @param {Field} field
 * @param {Packed} packed
 */
const plain = (field, { values, nulls, length }) => new Column(field, values, nulls ?? null, length)

/**
 * @param {Field} field
 * @param {Packed} packed
 */
const bool = (field, { values, nulls, length }) => new BoolColumn(field, values, nulls ?? null, length)

/**
 * @param {Field} field
 * @param {Packed} packed
 */
const int8 = (field, { values, nulls, length }) => new Int8Column(field, values, nulls ?? null, length)

/**
 * @param {Field} field
 * @param {Packed} packed
 */
const zonedMillis = (field, { values, nulls, length }) =>
  new MillisColumn(field, values, nulls ?? null, length)

/**
 * From the wall clock to the moment, in place.
 *
 * @param {Field} field
 * @param {Packed} packed
 */
const localMillis = (field, { values, nulls, length }) => {
  const column = new MillisColumn(field, values, nulls ?? null, length)
  for (let i = 0; i < length; i++) {
    if (!isInfinite(values[i]) && !column.isNull(i)) values[i] = localToDate(values[i]).getTime()
  }
  return column
}

/**
 * @param {Field} field
 * @param {Packed} packed
 */
const binaryZonedMillis = (field, { values, nulls, length, micros }) =>
  new BinaryMillisColumn(field, values, nulls ?? null, length, /** @type {Uint16Array} */ (micros))

/**
 * @param {Field} field
 * @param {Packed} packed
 */
const binaryLocalMillis = (field, packed) => {
  const { values, length } = packed
  const column = binaryZonedMillis(field, packed)
  for (let i = 0; i < length; i++) {
    if (!isInfinite(values[i]) && !column.isNull(i)) values[i] = localDate(values[i], 0).getTime()
  }
  return column
}

/** @param {(millis: number, micros: number) => any} make */
const micros =
  (make) =>
  (/** @type {Field} */ field, /** @type {Packed} */ { values, nulls, length }) =>
    new MicrosColumn(field, values, nulls ?? null, length, make)

/** @param {(bytes: Buffer, start: number, end: number) => any} read */
const bytes =
  (read) =>
  (/** @type {Field} */ field, /** @type {Packed} */ { values, offsets, nulls, length }) =>
    new BytesColumn(
      field,
      { offsets: /** @type {Int32Array} */ (offsets), data: values },
      nulls ?? null,
      length,
      read
    )

/** How a packed column becomes one that is handed out. */
const makers = {
  plain,
  bool,
  int8,
  zonedMillis,
  localMillis,
  binaryZonedMillis,
  binaryLocalMillis,
  zonedMicros: micros((millis) => new Date(millis)),
  localMicros: micros((millis) => localToDate(millis)),
  binaryZonedMicros: micros(zonedDate),
  binaryLocalMicros: micros(localDate),
  text: bytes(readText),
  /** Views, without a copy. */
  bytea: bytes((data, start, end) => data.subarray(start, end)),
  /** @param {(text: string) => any} convert what pg would call */
  converted: (convert) => bytes((data, start, end) => convert(readText(data, start, end))),
}

module.exports = { Column, PlainColumn, makers }
