'use strict'

// The tables of bench:large, made by the server itself. Each column is said twice: as an SQL expression of the row's
// number `i`, and as JavaScript that gives the text and the value of the same cell.

/**
 * @typedef {object} LargeColumn
 * @property {string} name
 * @property {string} type as pg knows it, without what is in brackets
 * @property {string} sql
 * @property {(i: number) => string | null} text
 * @property {(i: number) => any} value
 */

const { createHash } = require('node:crypto')

/** @typedef {(k: number) => Omit<LargeColumn, 'name'>} Kind of the k-th column */

/** @type {Kind} */
const int4 = (k) => {
  const value = (/** @type {number} */ i) => (i * 7919 + k * 104_729) % 2_000_000_000
  return {
    type: 'int4',
    sql: `((i::int8 * 7919 + ${k * 104_729}) % 2000000000)::int4`,
    text: (i) => String(value(i)),
    value,
  }
}

/** 5 to 30 characters, NULL in one of twenty. @type {Kind} */
const text = (k) => {
  const value = (/** @type {number} */ i) =>
    (i + k) % 20 === 0
      ? null
      : createHash('md5')
          .update(String(i * 40 + k))
          .digest('hex')
          .slice(0, 5 + ((i * 7 + k) % 26))
  return {
    type: 'text',
    sql: `case when (i + ${k}) % 20 = 0 then null else left(md5((i * 40 + ${k})::text), 5 + (i * 7 + ${k}) % 26) end`,
    text: value,
    value,
  }
}

/** @type {Kind} */
const bool = (k) => {
  const value = (/** @type {number} */ i) => (i * 31 + k) % 3 === 0
  return {
    type: 'bool',
    sql: `(i * 31 + ${k}) % 3 = 0`,
    text: (i) => (value(i) ? 't' : 'f'),
    value,
  }
}

/** Never a whole millisecond, so that no rounding decides what a Date says. @type {Kind} */
const timestamptz = (k) => {
  const date = (/** @type {number} */ i) => new Date(Date.UTC(2022, 0, 1) + (i * 40 + k) * 31_001)
  return {
    type: 'timestamptz',
    sql: `timestamptz '2022-01-01 00:00:00.000456+00' + make_interval(secs => (i * 40 + ${k}) * 31.001)`,
    text: (i) => `${date(i).toISOString().replace('T', ' ').replace('Z', '')}456+00`,
    value: date,
  }
}

/** @type {Kind} */
const numeric = (k) => {
  const value = (/** @type {number} */ i) => {
    const digits = String(((i * 40 + k) * 7919) % 100_000_000_000).padStart(5, '0')
    return `${digits.slice(0, -4)}.${digits.slice(-4)}`
  }
  return {
    type: 'numeric',
    sql: `round((i::int8 * 40 + ${k}) * 7919 % 100000000000 / 10000.0, 4)`,
    text: value,
    value,
  }
}

/** @type {Kind} */
const title = () => {
  const value = (/** @type {number} */ i) => `title ${i}`
  return { type: 'text', sql: `'title ' || i`, text: value, value }
}

/** @param {Kind[]} kinds */
const columnsOf = (kinds) => kinds.map((kind, k) => ({ name: `column_${k + 1}`, ...kind(k) }))

/** Columns that are read where a query reads two of forty. */
const READ = [6, 21]

const BYTEA = 50 * 2 ** 20
const PIECE = createHash('md5').update('a piece of a large value').digest()

/** @type {(length: number) => Kind} */
const bytea = (length) => () => {
  const value = () => Buffer.alloc(length, PIECE)
  return {
    type: 'bytea',
    sql: `decode(repeat('${PIECE.toString('hex')}', ${length / PIECE.length}), 'hex')`,
    text: () => `\\x${value().toString('hex')}`,
    value,
  }
}

/**
 * @typedef {object} Table
 * @property {LargeColumn[]} columns
 * @property {number} rows
 * @property {string[]} setup statements
 * @property {string} text the query
 *
 * @typedef {'wide' | 'narrow' | 'bytea'} TableName
 */

/**
 * @param {TableName} name
 * @param {number} scale 1 for the sizes that NOTES.md names; a smaller one for a quick look
 * @returns {Table}
 */
const tableOf = (name, scale) => {
  switch (name) {
    case 'wide': {
      const kinds = Array.from({ length: 40 }, (_, k) => [int4, text, bool, timestamptz, numeric][k % 5])
      return generated(name, columnsOf(kinds), Math.ceil(100_000 * scale))
    }
    case 'narrow':
      return generated(name, columnsOf([int4, int4, bool, int4, title]), Math.ceil(5000 * scale))
    case 'bytea': {
      const length = PIECE.length * Math.ceil((BYTEA * scale) / PIECE.length)
      return generated('large_value', columnsOf([bytea(length)]), 1)
    }
  }
}

/**
 * @param {string} name
 * @param {LargeColumn[]} columns
 * @param {number} rows
 * @returns {Table}
 */
const generated = (name, columns, rows) => {
  const expressions = columns.map(({ name, sql }) => `${sql} as ${name}`).join(', ')
  return {
    columns,
    rows,
    text: `select * from ${name}`,
    setup: [
      // What the server does to find the rows should be little beside sending them.
      "set temp_buffers = '256MB'",
      `create temp table ${name} as select ${expressions} from generate_series(1, ${rows}) i`,
      `analyze ${name}`,
    ],
  }
}

module.exports = { tableOf, READ }
