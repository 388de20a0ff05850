'use strict'

/**
 * The lazy row: a DataRow message that holds its bytes and decodes what is asked for.
 *
 * pg-protocol's own class makes a string of each cell before anybody asks. Here a row is a small object:
 * which Buffer, where in it. Its `fields` are made when they are read ({@link module:batch}), a single cell
 * by `text(i)` or `cell(i)` without making the others.
 */

const { inspect } = require('node:util')
const { RowRun, readFields, findCell, cellEnd } = require('./batch')
const { readText } = require('./text')

/** @typedef {InstanceType<typeof RowRun>} Run */

/** @typedef {{ length: number, name: string, fieldCount: number }} Message what a row shows before it is read */

/**
 * Gives the object it is called with in place of a new one, so that a derived class can add fields to it.
 *
 * @type {new (object: object) => Message}
 */
const Itself = /** @type {any} */ (
  class {
    /** @param {object} object */
    constructor(object) {
      return object
    }
  }
)

/**
 * What is private to a row, and its methods, which `createDataRowMessage` gives to the class of each copy of
 * pg-protocol. The private names exist once: were they made anew for each copy, V8 would see other names at the same
 * places of the code and no longer compile them to plain loads.
 */
class LazyRow extends Itself {
  /**
   * Defines what was decoded as the row's own property `fields`, which stock's rows have.
   *
   * `Object.defineProperty` does the same in some 100 ns; a class field is compiled to a few instructions. It
   * fetches its value from the row: handed over in a variable it would cost V8's write barrier each time.
   */
  static #Decoded = class extends Itself {
    fields = LazyRow.#decodedOf(/** @type {any} */ (this))
  }

  /** @type {Run | null} null for a row made of fields */
  #run
  #body
  /** @type {(string | null)[] | null} */
  #decoded = null

  /**
   * @param {object} row
   * @param {Run | null} run
   * @param {number} body
   */
  constructor(row, run, body) {
    super(row)
    this.#run = run
    this.#body = body
  }

  /**
   * @param {any} row of any class
   * @returns {import('./encoding').Encoding | null} of its bytes, if that is not UTF-8
   */
  static encodingOf(row) {
    return #run in row ? (row.#run?.encoding ?? null) : null
  }

  /**
   * @param {LazyRow} row
   * @param {(string | null)[]} fields
   */
  static setFields(row, fields) {
    row.#decoded = fields
    new LazyRow.#Decoded(row)
  }

  /**
   * All cells as strings, null for NULL. Made on the first read and an own property from then on.
   *
   * @returns {(string | null)[]}
   */
  get fields() {
    let fields = this.#decoded
    if (fields === null) {
      const run = /** @type {Run} */ (this.#run)
      fields = readFields(run, this.#body, this.length, this.fieldCount)
      this.#decoded = fields
      if (!isFrozen(this)) new LazyRow.#Decoded(this)
    }
    return fields
  }

  set fields(value) {
    Object.defineProperty(this, 'fields', { value, writable: true, enumerable: true, configurable: true })
  }

  /** @param {LazyRow} row */
  static #decodedOf(row) {
    return row.#decoded
  }

  /** The Buffer that holds the row, null for a row that was made of fields. */
  get bytes() {
    const run = this.#run
    return run === null ? null : run.bytes
  }

  /** Offset of the row's Int16 count of cells in `bytes`. */
  get offset() {
    return this.#body
  }

  /**
   * @param {number} i
   * @returns {boolean} whether cell `i` is NULL
   */
  isNull(i) {
    if (this.#run === null) return this.#own(i) === null
    return this.#cellEnd(i) < 0
  }

  /**
   * Cell `i` alone, as a string. Not remembered.
   *
   * @param {number} i
   * @returns {string | null}
   */
  text(i) {
    const run = this.#run
    if (run === null) return this.#own(i)
    const end = this.#cellEnd(i)
    if (end < 0) return null
    const read = run.encoding === null ? readText : run.encoding.read
    return read(run.bytes, this.#start(i) + 4, end)
  }

  /**
   * The bytes of cell `i`: a view, no copy.
   *
   * @param {number} i
   * @returns {Buffer | null}
   */
  cell(i) {
    const run = this.#run
    if (run === null) {
      const text = this.#own(i)
      return text === null ? null : Buffer.from(text)
    }
    const end = this.#cellEnd(i)
    return end < 0 ? null : run.bytes.subarray(this.#start(i) + 4, end)
  }

  /**
   * Copies the row's bytes into a Buffer of their own, so that a kept row keeps no chunk alive.
   *
   * @returns {this}
   */
  detach() {
    const run = this.#run
    if (run !== null) {
      const size = this.length - 4
      // Not from Node's shared slab: a few kept rows would keep slabs of 8 KiB alive.
      const copy = Buffer.allocUnsafeSlow(size)
      run.bytes.copy(copy, 0, this.#body, this.#body + size)
      this.#run = new RowRun(copy, -1, run.encoding)
      this.#body = 0
    }
    return this
  }

  toJSON() {
    return { length: this.length, fields: this.fields, name: this.name, fieldCount: this.fieldCount }
  }

  /** @param {number} i */
  #start(i) {
    const run = /** @type {Run} */ (this.#run)
    return findCell(run, this.#body, this.length, this.fieldCount, i)
  }

  /** @param {number} i */
  #cellEnd(i) {
    const count = this.fieldCount
    if (i >>> 0 !== i || i >= count) throw outOfRange(i, count)
    const { bytes } = /** @type {Run} */ (this.#run)
    return cellEnd(bytes, this.#start(i), this.#body + this.length - 4, i, count)
  }

  /** @param {number} i */
  #own(i) {
    const { fields } = this
    if (i >>> 0 !== i || i >= fields.length) throw outOfRange(i, fields.length)
    return fields[i]
  }
}

/**
 * Whether a row was frozen before it was read: then its fields are remembered, but not as its own property.
 *
 * `Object.isExtensible` is a call into V8's runtime and costs more than all else that is done for a row once.
 *
 * @param {{ length: number }} row
 */
function isFrozen(row) {
  try {
    const { length } = row
    row.length = length
    return false
  } catch {
    return true
  }
}

/**
 * Makes the class of lazy rows for one copy of pg-protocol.
 *
 * @param {Function} Base that copy's `DataRowMessage`: a lazy row is an instance of it
 * @returns {new (length: number, source: any, offset?: number, fieldCount?: number) => LazyRow}
 */
function createDataRowMessage(Base) {
  class DataRowMessage {
    /**
     * Three forms: `(length, fields)` as in pg-protocol; `(length, bytes, offset)` for a row in a Buffer,
     * `offset` being that of its Int16 count of cells; and the parser's own, which has counted the cells.
     *
     * @param {number} length the message's length in bytes, its type byte not counted
     * @param {(string | null)[] | Buffer | Run} source
     * @param {number} [offset]
     * @param {number} [fieldCount]
     */
    constructor(length, source, offset, fieldCount) {
      this.length = length
      this.name = 'dataRow'
      if (fieldCount !== undefined) {
        this.fieldCount = fieldCount
        new LazyRow(this, /** @type {Run} */ (source), /** @type {number} */ (offset))
      } else if (Array.isArray(source)) {
        this.fieldCount = source.length
        new LazyRow(this, null, 0)
        LazyRow.setFields(/** @type {any} */ (this), source)
      } else {
        const bytes = /** @type {Buffer} */ (source)
        const body = checkPlace(length, bytes, offset)
        this.fieldCount = (bytes[body] << 8) | bytes[body + 1]
        new LazyRow(this, new RowRun(bytes, -1), body)
      }
    }

    /** What `console.log` shows: stock's object with the same properties, which Node formats in our place. */
    [inspect.custom]() {
      const plain = Object.create(Base.prototype)
      plain.length = this.length
      try {
        plain.fields = /** @type {any} */ (this).fields
      } catch (err) {
        // A log line is no place to fail.
        plain.fields = err
      }
      plain.name = this.name
      plain.fieldCount = this.fieldCount
      return plain
    }
  }

  const { constructor: _, ...shared } = Object.getOwnPropertyDescriptors(LazyRow.prototype)
  Object.setPrototypeOf(Object.defineProperties(DataRowMessage.prototype, shared), Base.prototype)
  warmUp(/** @type {any} */ (DataRowMessage))
  return /** @type {any} */ (DataRowMessage)
}

/**
 * @param {unknown} i
 * @param {number} count
 */
function outOfRange(i, count) {
  return new RangeError(`cell index ${String(i)} is out of range: the row has ${count} cells`)
}

/**
 * @param {number} length
 * @param {unknown} bytes
 * @param {unknown} offset
 * @returns {number}
 */
function checkPlace(length, bytes, offset) {
  if (!Buffer.isBuffer(bytes)) {
    throw new TypeError(
      'DataRowMessage takes (length, fields) or (length, bytes, offset) with a Buffer of bytes'
    )
  }
  if (!Number.isInteger(length) || length < 6) {
    throw new RangeError(`a DataRow message is at least 6 bytes long, not ${length}`)
  }
  if (!Number.isInteger(offset) || Number(offset) < 0 || Number(offset) + length - 4 > bytes.length) {
    throw new RangeError(
      `a DataRow message of length ${length} at offset ${String(offset)} does not lie in ${bytes.length} bytes`
    )
  }
  return Number(offset)
}

/**
 * V8 decides how many fields fit into an object itself after it has seen the first few of a class. It must
 * see `fields` on them, or each row would keep its fields in a second object.
 *
 * @param {new (length: number, bytes: Buffer, offset: number) => { fields: (string | null)[] }} DataRowMessage
 */
function warmUp(DataRowMessage) {
  const bytes = Buffer.alloc(2)
  for (let i = 0; i < 16; i++) void new DataRowMessage(6, bytes, 0).fields
}

module.exports = { createDataRowMessage, encodingOf: LazyRow.encodingOf }
