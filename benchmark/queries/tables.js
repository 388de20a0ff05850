'use strict'

// Temporary tables: each connection of the benchmark makes those that it needs, and they are gone with it, however its
// process ends.

/** @typedef {import('./columns').Column} Column */

/** @param {string | null} text */
const literal = (text) => (text === null ? 'null' : `'${text.replaceAll("'", "''")}'`)

/**
 * @param {string} table
 * @param {Column[]} columns
 */
const createTable = (table, columns) =>
  `create temp table ${table} (${columns
    .map(({ name, type }, at) => `${name} ${type}${at === 0 ? ' primary key' : ''}`)
    .join(', ')})`

/**
 * @param {string} table
 * @param {Column[]} columns
 * @param {number} from
 * @param {number} rows
 */
const fillTable = (table, columns, from, rows) => {
  const values = Array.from(
    { length: rows },
    (_, i) => `(${columns.map(({ text }) => literal(text(from + i))).join(', ')})`
  )
  return `insert into ${table} values ${values.join(', ')}`
}

/**
 * What a client should give for the rows from `from` on, in the terms of `plain`.
 * @param {Column[]} columns
 * @param {number} from
 * @param {number} rows
 */
const expectedRows = (columns, from, rows) =>
  Array.from({ length: rows }, (_, i) => columns.map(({ value }) => plain(value(from + i))))

/**
 * A value without its class, so that the same thing said by two clients compares equal; a date still differs from a text
 * and a number from a string of digits.
 * @param {any} value
 * @returns {any}
 */
const plain = (value) => {
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return { date: value.toISOString() }
  if (value instanceof Uint8Array) return { bytes: Buffer.from(value).toString('hex') }
  if (Array.isArray(value)) return value.map(plain)
  return Object.fromEntries(
    Object.entries(value)
      .map(([key, inner]) => /** @type {const} */ ([key, plain(inner)]))
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )
}

module.exports = { createTable, fillTable, expectedRows, plain }
