'use strict'

const { isDeepStrictEqual, inspect } = require('node:util')
const { Digest } = require('../rows/digest')
const { plain } = require('../queries/tables')
const { readMessages } = require('./consumers')
const { READ } = require('./tables')

/** One row of so many is compared cell by cell: all of them would take longer than the benchmark. */
const EVERY = 7

/**
 * @typedef {import('./tables').Table} Table
 * @typedef {{digest: string, rows: number}} Answer
 */

/**
 * Compares rows with what the table holds.
 * @param {Table} table
 * @param {any[]} rows as the client gave them
 * @param {(row: any) => any[]} valuesOf
 * @returns {Answer}
 */
const checkRows = (table, rows, valuesOf) => {
  const digest = new Digest()
  for (let at = 0; at < rows.length; at += EVERY) {
    digest.row(rows[at])
    const expected = table.columns.map(({ value }) => plain(value(at + 1)))
    compare(at, valuesOf(rows[at]).map(plain), expected)
  }
  return end(table, digest, rows.length)
}

/**
 * @param {Table} table
 * @param {any} client
 * @param {'two fields' | 'bytes' | 'never' | 'values'} consumer
 * @returns {Promise<Answer>}
 */
const checkMessages = async (table, client, consumer) => {
  const digest = new Digest()
  let at = 0
  await readMessages(client, table.text, (message) => {
    const columns = consumer === 'two fields' ? READ.map((column) => table.columns[column]) : table.columns
    if (at % EVERY === 0) {
      const all = consumer === 'bytes' && message.bytes ? cellsOf(message) : message.fields
      const cells = consumer === 'two fields' ? READ.map((column) => all[column]) : all
      digest.row(cells)
      const row = at + 1
      compare(
        at,
        cells,
        columns.map(({ text }) => text(row))
      )
    }
    at++
  })
  return end(table, digest, at)
}

/**
 * The cells of a row, found by whoever is given only its place.
 * @param {{bytes: Buffer, offset: number}} row
 */
const cellsOf = ({ bytes, offset }) => {
  const cells = /** @type {(string | null)[]} */ ([])
  let at = offset + 2
  for (let left = bytes.readUInt16BE(offset); left > 0; left--) {
    const length = bytes.readInt32BE(at)
    at += 4
    cells.push(length < 0 ? null : bytes.toString('utf8', at, at + length))
    at += Math.max(0, length)
  }
  return cells
}

/**
 * @param {number} at
 * @param {any[]} came
 * @param {any[]} expected
 */
const compare = (at, came, expected) => {
  const column = expected.findIndex((value, i) => !isDeepStrictEqual(value, came[i]))
  if (column < 0 && came.length === expected.length) return
  const show = (/** @type {any} */ value) => inspect(value, { depth: 1 }).slice(0, 80)
  throw new Error(
    `row ${at + 1}, column ${column + 1} is ${show(came[column])} in place of ${show(expected[column])}`
  )
}

/**
 * @param {Table} table
 * @param {InstanceType<typeof Digest>} digest
 * @param {number} rows
 */
const end = (table, digest, rows) => {
  if (rows !== table.rows) throw new Error(`${rows} rows in place of ${table.rows}`)
  return { digest: digest.end(), rows }
}

module.exports = { checkRows, checkMessages }
