'use strict'

/**
 * Makes the rows of `rowMode: 'lazy'`.
 *
 * The row keeps a copy of its message and reads a cell when it is asked for. Since the same few columns are usually read
 * of row after row, a shape notices which ones those are, and has them decoded with the next batches: by Rust, or, for
 * texts, from the chunk. The application's parsers are called on first access all the same. A column that is not read
 * any more falls back with a later result.
 *
 * Rows that pg makes itself are plain: without this package's acceleration, for a query whose 'dataRow' messages
 * somebody listens to, for a `Result` of the application's own, and for a row that is not as it should be.
 */

const { LazyRow, UNREAD, NONE } = require('./lazy-row')
const { keep } = require('./lazy-cell')
const { zonedValue, localValue } = require('./row-builder-plain')
const { readText } = require('./text')
const {
  BATCH_HEADER_WORDS,
  ROW_BODY,
  ROW_WORDS,
  CELL_WORDS,
  NULL,
  RAW,
  KIND_RAW,
  KIND_BINARY_INT8,
} = require('./layout')

/** So many columns at most are decoded with the batch. Whoever reads more is better off with plain rows. */
const MOST_EAGER = 16

/** A column is decoded with the batch when it was read of so many rows, which are half of all. */
const FEWEST_READS = 16

/** After so many rows it is asked whether a column is still read: of one row in eight. */
const REVIEW_ROWS = 1000

/** A longer text is not made before it is read. */
const LONGEST_EAGER = 1024

/**
 * A column as a row's Proxy finds it.
 *
 * @typedef {object} LazyColumn
 * @property {string} name
 * @property {number} index
 * @property {import('./column-plan').Column} column
 * @property {number} slot where a row has its value; -1: none was read yet
 * @property {number} reads how often it was read
 * @property {boolean} isEager
 */

/** Handler of the Proxies of a shape's rows, as long as the same columns are decoded with the batch. */
class LazyLayout {
  // Own properties: V8 looks them up with each operation.
  get = LazyRow.get
  has = LazyRow.has
  set = LazyRow.set
  ownKeys = LazyRow.ownKeys
  getOwnPropertyDescriptor = LazyRow.getOwnPropertyDescriptor
  defineProperty = LazyRow.defineProperty
  deleteProperty = LazyRow.deleteProperty
  preventExtensions = LazyRow.preventExtensions
  getPrototypeOf = LazyRow.getPrototypeOf
  setPrototypeOf = LazyRow.setPrototypeOf

  /**
   * @param {LazyShape} shape
   * @param {Set<number>} eager indexes of the columns that are decoded with the batch
   */
  constructor(shape, eager) {
    const { names, columns } = shape
    this.shape = shape
    this.isLocal = shape.isLocal
    this.wholePlan = shape.base.plan
    /** @type {Record<string, any>} what a row is before it has values: the order of its keys */
    this.empty = {}
    for (const name of names) this.empty[name] = null
    this.keys = Object.keys(this.empty)
    /** @type {Map<PropertyKey, LazyColumn>} of several columns of one name the last one, as in stock */
    this.columns = new Map()
    for (let index = 0; index < names.length; index++) {
      this.columns.set(names[index], {
        name: names[index],
        index,
        column: columns[index],
        slot: -1,
        reads: 0,
        isEager: false,
      })
    }
    this.list = [...this.columns.values()]
    this.eager = this.list.filter(({ index }) => eager.has(index))
    this.pending = 0
    this.plan = new Uint8Array(names.length).fill(KIND_RAW)
    for (let slot = 0; slot < this.eager.length; slot++) {
      const column = this.eager[slot]
      const { how, kind } = column.column
      column.slot = slot
      column.isEager = true
      if (how === 'call' || how === 'convert') this.pending |= 1 << slot
      if (!isText(column.column)) this.plan[column.index] = kind
    }
    /** Slots that are taken. */
    this.slots = this.eager.length
    this.rows = 0
  }

  /** @param {LazyColumn} column */
  countRead(column) {
    column.reads++
    if (!column.isEager && column.reads >= FEWEST_READS && column.reads * 2 >= this.rows) {
      if (canBeEager(column)) this.shape.isDue = true
    }
  }

  /**
   * @param {import('./row-builder').Batch} batch
   * @param {number} record
   * @param {Function[]} parsers
   */
  make(batch, record, parsers) {
    const { table, bytes } = batch
    const { eager } = this
    const count = eager.length
    let { pending } = this
    let values = NONE
    if (count > 0) {
      values = new Array(count)
      for (let slot = 0; slot < count; slot++) {
        const { column, index } = eager[slot]
        const at = record + ROW_WORDS + CELL_WORDS * index
        const value = eagerValue(batch, at, column)
        values[slot] = value
        if (value === null || value === UNREAD) pending &= ~(1 << slot)
      }
    }
    this.rows++
    return new Proxy(new LazyRow(keep(bytes, table[record + ROW_BODY]), parsers, values, pending), this)
  }
}

/**
 * A cell as far as it can be told with nobody noticing: the text for a parser that was not called yet.
 *
 * @param {import('./row-builder').Batch} batch
 * @param {number} at
 * @param {import('./column-plan').Column} column
 */
function eagerValue({ table, doubles, bytes }, at, column) {
  const word = table[at + 1]
  if (word === NULL) return null
  if (word === RAW) {
    if (!isText(column)) return UNREAD
    const start = table[at]
    const length = (bytes[start - 2] << 8) | bytes[start - 1]
    if ((bytes[start - 4] | bytes[start - 3]) !== 0 || length > LONGEST_EAGER) return UNREAD
    return readText(bytes, start, start + length)
  }
  switch (column.how) {
    case 'int':
      return table[at]
    case 'bool':
      return table[at] === 1
    case 'double':
      return doubles[at >> 1]
    case 'zoned':
      return zonedValue(doubles[at >> 1])
    case 'local':
      return localValue(doubles[at >> 1])
    default:
      return UNREAD
  }
}

/**
 * Whether a column's cells are texts, for the row or for a function.
 *
 * @param {import('./column-plan').Column} column
 */
function isText({ how, kind }) {
  return how === 'call' || how === 'convert' || (how === 'text' && kind !== KIND_BINARY_INT8)
}

/** @param {LazyColumn} column */
function canBeEager({ column }) {
  return isText(column) || !['text', 'read', 'bytes'].includes(column.how)
}

/** @typedef {InstanceType<typeof LazyLayout>} Layout */

/** Stands in for a shape of plain rows, whose columns it shares. */
class LazyShape {
  /** @param {import('./row-builder').RowShape} base */
  constructor(base) {
    this.base = base
    this.names = base.names
    this.columns = base.columns
    this.asArray = false
    this.stride = base.stride
    this.isLocal = base.isLocal
    /** Whether to think about which columns are decoded with the batch. */
    this.isDue = false
    this.isNewResult = false
    this.layout = new LazyLayout(this, new Set())
  }

  /** What the next batch is decoded with. Rows may be made of a batch that was decoded with another plan. */
  get plan() {
    if (this.isDue) this.review()
    return this.layout.plan
  }

  /**
   * Counts rows that are about to be made.
   *
   * @param {number} count
   * @param {number} before how many rows the result has already
   */
  count(count, before) {
    if (before > 0 || this.layout.rows < REVIEW_ROWS) return
    this.isDue = true
    this.isNewResult = true
  }

  review() {
    const { layout, isNewResult } = this
    const { rows } = layout
    const wanted = layout.list.filter((column) => {
      if (column.isEager && !isNewResult) return true
      if (column.reads < FEWEST_READS || !canBeEager(column)) return false
      return column.reads * (column.isEager ? 8 : 2) >= rows
    })
    const eager = new Set(wanted.slice(0, MOST_EAGER).map(({ index }) => index))
    this.isDue = this.isNewResult = false
    if (eager.size !== layout.eager.length || layout.eager.some(({ index }) => !eager.has(index))) {
      this.layout = new LazyLayout(this, eager)
    } else if (isNewResult) {
      layout.rows = 0
      for (const column of layout.list) column.reads = 0
    }
  }

  /**
   * @param {import('./row-builder').Batch} batch
   * @param {number} record
   * @param {Function[]} parsers
   */
  build(batch, record, parsers) {
    return this.layout.make(batch, record, parsers)
  }

  /**
   * @param {any[]} rows where they go
   * @param {number} count
   * @param {import('./row-builder').Batch} batch
   * @param {Function[]} parsers
   */
  buildMany(rows, count, batch, parsers) {
    const { layout, stride } = this
    for (let i = 0, record = BATCH_HEADER_WORDS; i < count; i++, record += stride) {
      rows.push(layout.make(batch, record, parsers))
    }
  }
}

/** @type {WeakMap<object, LazyShape>} by their shapes of plain rows */
const lazyShapes = new WeakMap()

/**
 * The shape that makes rows as a query or cursor wants them.
 *
 * @param {import('./row-builder').RowShape} shape
 * @param {any} target pg's Query or Cursor
 * @returns {any} a shape
 */
function shapeFor(shape, target) {
  if (target._rowMode !== 'lazy' && target._conf?.rowMode !== 'lazy') return shape
  let lazy = lazyShapes.get(shape)
  if (lazy === undefined) {
    lazy = new LazyShape(shape)
    lazyShapes.set(shape, lazy)
  }
  return lazy
}

module.exports = { shapeFor }
