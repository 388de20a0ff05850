'use strict'

/**
 * Rows out of a batch: for each shape of rows a function that is compiled for it.
 *
 * The simple version, `row-builder-plain.js`, walks over the columns and asks for each what to do. Here that is
 * written out: one object literal with a piece of code per column, which gives all rows of a shape one hidden class,
 * allocates a row at once, and lets V8 see that a column of integers is one.
 *
 * Names and values never become code: a name is quoted by `JSON.stringify`, the rest are numbers made here.
 */

const { makeText } = require('./cells')
const { plainBuilder, readLeft, zonedValue, localValue } = require('./row-builder-plain')
const { ROW_WORDS, CELL_WORDS, KIND_TEXT, KIND_PASSING } = require('./layout')

/**
 * A decoded run of rows: the table in two views, the pools, and the Buffer for what was left alone.
 *
 * @typedef {object} Batch
 * @property {Int32Array} table
 * @property {Float64Array} doubles
 * @property {string[]} pools
 * @property {string[]} strings the texts that exist already
 * @property {Buffer} bytes
 *
 * @typedef {(batch: Batch, record: number, parsers: Function[]) => any} BuildRow
 */

/** So many rows of a shape are built plainly: compiling takes as long as some hundred rows. */
const PLAIN_ROWS = 64

/** A result of so many rows is worth a second hidden class. */
const MANY_ROWS = 5000

/** A literal of more properties gains nothing, and takes long to compile. */
const MOST_COLUMNS = 256

/** Whether code may be generated: asked once. */
let generates = () => {
  let can = true
  try {
    new Function('')
  } catch {
    can = false
  }
  generates = () => can
  return can
}

/** The names and conversions of a result's columns, and what builds its rows. */
class Shape {
  /**
   * @param {string[]} names
   * @param {import('./column-plan').Column[]} columns
   * @param {boolean} asArray `rowMode: 'array'`
   */
  constructor(names, columns, asArray) {
    this.names = names
    this.columns = columns
    this.asArray = asArray
    this.plan = Uint8Array.from(columns, kindOf)
    this.stride = ROW_WORDS + CELL_WORDS * columns.length
    /** Whether values hang on the local time zone. */
    this.isLocal = columns.some(({ how }) => how === 'local' || how === 'read')
    this.rows = 0
    this.build = plainBuilder(this)
    this.buildMany = manyPlainly
    this.compiled = false
  }

  /**
   * Counts rows that are about to be built. When they have become many, the builder is compiled: before the
   * first rows of a result, so that all of them have one hidden class, unless that result alone is large.
   *
   * @param {number} count
   * @param {number} before how many rows the result has already
   */
  count(count, before) {
    this.rows += count
    if (this.compiled || this.rows <= PLAIN_ROWS || (before > 0 && before < MANY_ROWS)) return
    this.compiled = true
    if (this.columns.length <= MOST_COLUMNS && generates()) compile(this)
  }
}

/**
 * What Rust does with a column. A text that a function will make something else of is not laid among those that stay.
 *
 * @param {import('./column-plan').Column} column
 */
function kindOf({ kind, how }) {
  return kind === KIND_TEXT && (how === 'call' || how === 'convert') ? KIND_PASSING : kind
}

/**
 * @this {Shape}
 * @param {any[]} rows where they go
 * @param {number} count
 * @param {Batch} batch
 * @param {Function[]} parsers
 */
function manyPlainly(rows, count, batch, parsers) {
  const { build, stride } = this
  for (let i = 0, record = ROW_WORDS; i < count; i++, record += stride)
    rows.push(build(batch, record, parsers))
}

/** @param {Shape} shape */
function compile(shape) {
  const { columns, names, asArray, stride } = shape
  const values = columns.map((column, i) => cellCode(column.how, i, ROW_WORDS + CELL_WORDS * i))
  const row = asArray
    ? `[${values.join(',\n')}]`
    : `{${values.map((value, i) => `${JSON.stringify(names[i])}: ${value}`).join(',\n')}}`
  const converts = columns.map(({ convert }) => convert)
  const code = `
    const left = (bytes, start, parsers, i) => readLeft(bytes, start, columns[i], parsers, i)
    return {
      build(batch, r, parsers) {
        const { table: t, doubles: d, bytes: b, pools, strings: s } = batch
        const p0 = pools[0], p1 = pools[1], p2 = pools[2], p3 = pools[3]
        let w = 0, x = ''
        return ${row}
      },
      buildMany(rows, count, batch, parsers) {
        const { table: t, doubles: d, bytes: b, pools, strings: s } = batch
        const p0 = pools[0], p1 = pools[1], p2 = pools[2], p3 = pools[3]
        let w = 0, x = ''
        for (let i = 0, r = ${ROW_WORDS}; i < count; i++, r += ${stride}) rows.push(${row})
      }
    }`
  const scope = { readLeft, columns, converts, makeText, zonedValue, localValue }
  const made = new Function(...Object.keys(scope), `'use strict'\n${code}`)(...Object.values(scope))
  shape.build = made.build
  shape.buildMany = made.buildMany
}

/**
 * The expression for one cell.
 *
 * @param {import('./column-plan').How} how
 * @param {number} i the column's index
 * @param {number} at where the cell stands in the record
 * @returns {string}
 */
function cellCode(how, i, at) {
  const left = `w === -1 ? null : left(b, t[r + ${at}], parsers, ${i})`
  const word = `(w = t[r + ${at + 1}])`
  // Records and cells begin at even words.
  const double = `d[(r + ${at}) >> 1]`
  const text =
    `w >= 0x40000 ? (x = s[w & 0xffff]) !== '' ? x : makeText(w & 0xffff, s) : ` +
    `(w < 0x10000 ? p0 : w < 0x20000 ? p1 : w < 0x30000 ? p2 : p3).substring(t[r + ${at}], w & 0xffff)`
  switch (how) {
    case 'int':
      return `${word} === 0 ? t[r + ${at}] : ${left}`
    case 'bool':
      return `${word} === 0 ? t[r + ${at}] === 1 : ${left}`
    case 'double':
      return `${word} !== -1 && w !== -2 ? ${double} : ${left}`
    case 'zoned':
      return `${word} !== -1 && w !== -2 ? zonedValue(${double}) : ${left}`
    case 'local':
      return `${word} !== -1 && w !== -2 ? localValue(${double}) : ${left}`
    case 'call':
      return `${word} >= 0 ? parsers[${i}](${text}) : ${left}`
    case 'convert':
      return `${word} >= 0 ? converts[${i}](${text}) : ${left}`
    case 'text':
      return `${word} >= 0 ? (${text}) : ${left}`
    default:
      return `${word} === -1 ? null : left(b, t[r + ${at}], parsers, ${i})`
  }
}

/** @typedef {InstanceType<typeof Shape>} RowShape */

/** As many shapes are kept; an application has some hundred. */
const MOST_SHAPES = 1000

/**
 * Shapes by what makes them. The cache is emptied when it is full: shapes that are in use come back at once.
 *
 * @type {Map<string, Shape>}
 */
let shapes = new Map()

/**
 * The shape of a result's rows; the same one for results that are alike.
 *
 * @param {string[]} names
 * @param {import('./column-plan').Column[]} columns
 * @param {boolean} asArray
 * @returns {Shape}
 */
function shapeOf(names, columns, asArray) {
  let key = asArray ? 'a' : 'o'
  for (let i = 0; i < names.length; i++) key += `\u0000${columnId(columns[i])}${names[i]}`
  let shape = shapes.get(key)
  if (shape === undefined) {
    if (shapes.size >= MOST_SHAPES) shapes = new Map()
    shape = new Shape(names, columns, asArray)
    shapes.set(key, shape)
  }
  return shape
}

/** @type {WeakMap<object, string>} */
const ids = new WeakMap()
let lastId = 0

/**
 * A character for each column object: those that convert alike are the same object.
 *
 * @param {object} column
 */
function columnId(column) {
  let id = ids.get(column)
  if (id === undefined) {
    id = `${++lastId}\u0001`
    ids.set(column, id)
  }
  return id
}

module.exports = { Shape, shapeOf }
