'use strict'

// The table of people: the same bytes as `benches/languages/people.rs` makes, which a hash shows.

const wire = require('../../__test__/support/wire')
const { ChunkWriter } = require('../lib/chunk-writer')

const ROWS = 20_000

const COLUMNS = [
  { name: 'id', dataTypeID: 23 },
  { name: 'name', dataTypeID: 25 },
  { name: 'balance', dataTypeID: 20 },
  { name: 'note', dataTypeID: 25 },
  { name: 'active', dataTypeID: 16 },
]

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'

/**
 * The cells of row `i`, in text format.
 * @param {number} i
 * @returns {(string | null)[]}
 */
const cellsOf = (i) => [
  String(i + 1),
  i % 7 === 0 ? `zoë-${i}` : `user-${i}`,
  String(i * 1_000_003 - 2 ** 40),
  i % 5 === 0 ? null : ALPHABET.repeat(2).slice(0, i % 40),
  i % 3 === 0 ? 'f' : 't',
]

/**
 * What the server sends for `select * from people`, in the pieces in which a socket gives it.
 * @param {number} [rows]
 */
const people = (rows = ROWS) => {
  const writer = new ChunkWriter()
  writer.write(
    wire.rowDescription(COLUMNS.map((column, i) => ({ ...column, tableID: 16385, columnID: i + 1 })))
  )
  for (let i = 0; i < rows; i++) writer.write(wire.dataRow(cellsOf(i)))
  writer.write(wire.commandComplete(`SELECT ${rows}`))
  writer.write(wire.readyForQuery())
  return writer.end()
}

module.exports = { people, cellsOf, ROWS }
