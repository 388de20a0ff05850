'use strict'

/**
 * A row of `rowMode: 'lazy'`: its cells are decoded when they are read, each once.
 *
 * To whoever uses it, it is a plain object with a property per column. That takes a Proxy: only a Proxy is asked before
 * its keys are enumerated. Getters on a prototype are faster to read, but such a row is empty when it is spread, and
 * 40 accessors of its own cost a row more than decoding all of it. `benchmark/NOTES.md` has the figures.
 *
 * Behind the Proxy is a `LazyRow`, which has private fields and no properties. When all columns are needed at once, a
 * plain row is made, and the traps go on with that one. Only if somebody freezes the row, or defines a property that
 * cannot be changed, the `LazyRow` itself gets the properties: a Proxy must not claim such things of an empty object.
 *
 * A plain row without this package's acceleration, and where pg itself makes the row: see `lazy-shape.js`.
 */

const { inspect } = require('node:util')
const { readLazily, readerOf } = require('./lazy-cell')

/** @typedef {import('./lazy-cell').Message} Message */
/** @typedef {import('./lazy-shape').Layout} Layout the handler of the Proxy */
/** @typedef {import('./lazy-shape').LazyColumn} LazyColumn */

/** In place of a value that was not read yet. */
const UNREAD = Object.freeze({ unread: true })

/** @type {any[]} */
const NONE = []

/** Asking a row for its property of this name tells which `LazyRow` is behind it. */
const PROBE = Symbol('lazy row')

/** @type {LazyRow | null} */
let probed = null

class LazyRow {
  /** @type {Message} */
  #message
  /** The result's parsers. */
  #parsers
  /** By slot. */
  #values
  /** A bit for each slot that has a text which is not converted yet. */
  #pending
  /** @type {Record<PropertyKey, any> | null} the plain row that has taken this one's place */
  #plain = null

  /**
   * @param {Message} message
   * @param {Function[]} parsers
   * @param {any[]} values
   * @param {number} pending
   */
  constructor(message, parsers, values, pending) {
    this.#message = message
    this.#parsers = parsers
    this.#values = values
    this.#pending = pending
  }

  /**
   * @param {LazyRow} row
   * @param {LazyColumn} column
   * @param {Layout} layout
   */
  static #read(row, column, layout) {
    const { slot, index, column: how } = column
    const parsers = row.#parsers
    const values = row.#values
    let value
    if (slot >= 0 && slot < values.length) {
      value = values[slot]
      if (value !== UNREAD && (slot > 30 || ((row.#pending >> slot) & 1) === 0)) return value
    }
    layout.countRead(column)
    if (slot >= 0 && slot <= 30 && ((row.#pending >> slot) & 1) === 1) {
      value =
        how.how === 'call'
          ? parsers[index](value)
          : /** @type {(text: string) => any} */ (how.convert)(/** @type {any} */ (value))
      row.#pending &= ~(1 << slot)
      values[slot] = value
      return value
    }
    value = readLazily(row.#message, how, index, parsers)
    LazyRow.#store(row, column, layout, value)
    return value
  }

  /**
   * @param {LazyRow} row
   * @param {LazyColumn} column
   * @param {Layout} layout
   * @param {any} value
   */
  static #store(row, column, layout, value) {
    if (column.slot < 0) column.slot = layout.slots++
    const { slot } = column
    if (row.#values === NONE) row.#values = []
    const values = row.#values
    while (values.length < slot) values.push(UNREAD)
    values[slot] = value
    if (slot <= 30) row.#pending &= ~(1 << slot)
  }

  /**
   * The plain row in place of this one, from now on.
   *
   * @param {LazyRow} row
   * @param {Layout} layout
   * @returns {Record<PropertyKey, any>}
   */
  static #toPlain(row, layout) {
    if (row.#plain !== null) return row.#plain
    const plain = { ...layout.empty }
    const { list } = layout
    let done = 0
    const read = readerOf(row.#message, row.#parsers, layout)
    try {
      for (; done < list.length; done++) {
        const column = list[done]
        plain[column.name] = LazyRow.#has(row, column.slot)
          ? LazyRow.#read(row, column, layout)
          : read.cell(column)
      }
    } catch (err) {
      // No parser is called again for what it has made.
      for (const column of list.slice(0, done)) LazyRow.#store(row, column, layout, plain[column.name])
      throw err
    } finally {
      read.release()
    }
    LazyRow.#become(row, plain)
    return plain
  }

  /**
   * Whether there is something for a column besides the message.
   *
   * @param {LazyRow} row
   * @param {number} slot
   */
  static #has(row, slot) {
    return slot >= 0 && slot < row.#values.length && row.#values[slot] !== UNREAD
  }

  /**
   * @param {LazyRow} row
   * @param {Record<PropertyKey, any>} plain
   */
  static #become(row, plain) {
    row.#plain = plain
    row.#message = ''
    row.#parsers = NONE
    row.#values = NONE
  }

  /**
   * Gives the `LazyRow` itself the properties.
   *
   * @param {LazyRow} row
   * @param {Layout} layout
   */
  static #settle(row, layout) {
    const plain = LazyRow.#toPlain(row, layout)
    if (plain === row) return
    Object.defineProperties(row, Object.getOwnPropertyDescriptors(plain))
    Object.setPrototypeOf(row, Object.getPrototypeOf(plain))
    row.#plain = /** @type {any} */ (row)
  }

  /**
   * The plain row that a row gives when asked for one: the caller's own.
   *
   * @param {LazyRow} row
   * @param {Layout} layout
   */
  static toObject(row, layout) {
    return { ...LazyRow.#toPlain(row, layout) }
  }

  /**
   * What is shown of a row: an error in place of a value that its parser cannot make. A log line is no place to fail.
   *
   * @param {LazyRow} row
   * @param {Layout} layout
   */
  static show(row, layout) {
    try {
      return LazyRow.#toPlain(row, layout)
    } catch {
      const shown = { ...layout.empty }
      for (const column of layout.list) {
        try {
          shown[column.name] = LazyRow.#read(row, column, layout)
        } catch (err) {
          shown[column.name] = err
        }
      }
      return shown
    }
  }

  // The traps of the Proxy. `this` is the row's layout.

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {PropertyKey} key
   * @param {any} receiver
   */
  static get(row, key, receiver) {
    const column = this.columns.get(key)
    const plain = row.#plain
    if (column !== undefined && plain === null) {
      const { slot } = column
      const values = row.#values
      if (slot >= 0 && slot < values.length && (slot > 30 || ((row.#pending >> slot) & 1) === 0)) {
        const value = values[slot]
        if (value !== UNREAD) {
          column.reads++
          return value
        }
      }
      return LazyRow.#read(row, column, this)
    }
    if (plain !== null && key in plain) return Reflect.get(plain, key, receiver)
    return Reflect.get(METHODS, key, receiver)
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {PropertyKey} key
   * @param {any} value
   * @param {any} receiver
   */
  static set(row, key, value, receiver) {
    const column = this.columns.get(key)
    if (column !== undefined && row.#plain === null && behind(receiver) === row) {
      LazyRow.#store(row, column, this, value)
      return true
    }
    return Reflect.set(LazyRow.#toPlain(row, this), key, value, receiver)
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {PropertyKey} key
   */
  static has(row, key) {
    const plain = row.#plain
    if (plain === null ? this.columns.has(key) : key in plain) return true
    return key in METHODS
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   */
  static ownKeys(row) {
    if (row.#plain === null) {
      // Whoever asks for the keys asks for each value next: that is faster for all at once.
      try {
        LazyRow.#toPlain(row, this)
      } catch {
        return this.keys
      }
    }
    return Reflect.ownKeys(/** @type {any} */ (row.#plain))
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {PropertyKey} key
   */
  static getOwnPropertyDescriptor(row, key) {
    const plain = row.#plain
    if (key === PROBE) {
      probed = row
      probedLayout = this
      return undefined
    }
    if (plain !== null) return Reflect.getOwnPropertyDescriptor(plain, key)
    const column = this.columns.get(key)
    if (column === undefined) return undefined
    return { value: LazyRow.#read(row, column, this), writable: true, enumerable: true, configurable: true }
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {PropertyKey} key
   * @param {PropertyDescriptor} descriptor
   */
  static defineProperty(row, key, descriptor) {
    const plain = LazyRow.#toPlain(row, this)
    if (!Reflect.defineProperty(plain, key, descriptor)) return false
    if (Reflect.getOwnPropertyDescriptor(plain, key)?.configurable === false) LazyRow.#settle(row, this)
    return true
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {PropertyKey} key
   */
  static deleteProperty(row, key) {
    return Reflect.deleteProperty(LazyRow.#toPlain(row, this), key)
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   */
  static preventExtensions(row) {
    LazyRow.#settle(row, this)
    return Reflect.preventExtensions(row)
  }

  /** @param {LazyRow} row */
  static getPrototypeOf(row) {
    return row.#plain === null ? Object.prototype : Reflect.getPrototypeOf(row.#plain)
  }

  /**
   * @this {Layout}
   * @param {LazyRow} row
   * @param {object | null} prototype
   */
  static setPrototypeOf(row, prototype) {
    return Reflect.setPrototypeOf(LazyRow.#toPlain(row, this), prototype)
  }

  /** Node shows what is behind a Proxy, and calls this with the Proxy. */
  [inspect.custom]() {
    const row = behind(this)
    return row === null ? this : LazyRow.show(row, probedLayout)
  }
}

/** @type {any} the layout of the row that was probed */
let probedLayout = null

/**
 * The `LazyRow` behind a Proxy; its layout is then in `probedLayout`.
 *
 * @param {any} row
 * @returns {LazyRow | null}
 */
function behind(row) {
  if (row === null || typeof row !== 'object') return null
  probed = null
  Reflect.getOwnPropertyDescriptor(row, PROBE)
  const found = probed
  probed = null
  return found
}

/** What a row has besides its columns. A column of such a name takes its place. */
const METHODS = {
  /**
   * A plain row, as stock makes it: a new one each time.
   *
   * @this {any}
   */
  toObject() {
    const row = behind(this)
    if (row === null) throw new TypeError('toObject() was called on something that is no lazy row')
    return LazyRow.toObject(row, probedLayout)
  },

  /**
   * For `JSON.stringify`, which is faster with a plain row.
   *
   * @this {any}
   */
  toJSON() {
    const row = behind(this)
    return row === null ? this : LazyRow.toObject(row, probedLayout)
  },

  [inspect.custom]: LazyRow.prototype[inspect.custom],
}

module.exports = { LazyRow, UNREAD, NONE }
