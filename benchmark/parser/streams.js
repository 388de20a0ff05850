'use strict'

// The streams that the parsers are measured on. Each is built once per process from a seed, so base and head get the
// same bytes, and each process its own copy of them.

const wire = require('../../__test__/support/wire')
const { ChunkWriter, slowCopy } = require('../lib/chunk-writer')
const { RowWriter } = require('../lib/row-writer')
const { createRandom } = require('../lib/random')
const {
  ascii,
  accented,
  cjk,
  emoji,
  integer,
  bool,
  numeric,
  timestamptz,
  nullable,
} = require('../lib/columns')

/**
 * @typedef {{
 *   title: string, rows: number, answers?: boolean,
 *   columns: import('../lib/columns').Column[], seed: number,
 * }} Stream `answers`: each row is a whole answer to a query, in a chunk of its own
 * @typedef {{chunks: Buffer[], rows: number, columns: number, bytes: number, messages: number}} BuiltStream
 */

const MIXED = [integer(-2147483648, 2147483647), nullable(20, ascii(5, 30)), bool(), timestamptz(), numeric()]

/** @type {Record<string, Stream>} */
const STREAMS = {
  wide: {
    title: '100 000 rows x 40 mixed text cells',
    rows: 100_000,
    columns: Array.from({ length: 40 }, (_, i) => MIXED[i % MIXED.length]),
    seed: 40,
  },
  narrow: {
    title: '400 000 rows x 5 short cells',
    rows: 400_000,
    columns: [integer(1, 999999), integer(0, 9999), bool(), integer(0, 99), ascii(3, 12)],
    seed: 5,
  },
  long: {
    title: '400 000 rows x 4 long ASCII texts',
    rows: 400_000,
    columns: Array.from({ length: 4 }, () => ascii(40, 120)),
    seed: 4,
  },
  'non-ascii': {
    title: '400 000 rows x 3 short non-ASCII texts',
    rows: 400_000,
    columns: [accented(4, 12), cjk(2, 8), emoji(3, 10)],
    seed: 3,
  },
  'one-row': {
    title: 'answer of one row x 5 cells, 6 messages in one chunk',
    rows: 4096,
    answers: true,
    columns: [integer(1, 999999), ascii(5, 20), bool(), timestamptz(), numeric()],
    seed: 6,
  },
  'one-value': {
    title: 'answer of one row x 1 cell, 6 messages in one chunk',
    rows: 4096,
    answers: true,
    columns: [integer(1, 999999)],
    seed: 1,
  },
}

/**
 * @param {string} name
 * @param {number} [scale] of the number of rows, for tests
 * @returns {BuiltStream}
 */
const buildStream = (name, scale = 1) => {
  const stream = STREAMS[name]
  const rows = Math.max(1, Math.round(stream.rows * scale))
  return stream.answers ? buildAnswers(stream, rows) : buildResult(stream, rows)
}

/**
 * One large result.
 * @param {Stream} stream
 * @param {number} rows
 */
const buildResult = ({ columns, seed }, rows) => {
  const random = createRandom(seed)
  const writer = new ChunkWriter()
  const row = new RowWriter()
  writer.write(description(columns.length))
  for (let i = 0; i < rows; i++) {
    const length = row.write(columns.map((column) => column(random)))
    writer.write(row.bytes, length)
  }
  writer.write(wire.commandComplete(`SELECT ${rows}`))
  writer.write(wire.readyForQuery())
  return built(writer.end(), rows, columns.length, rows + 3)
}

/**
 * Answers to a prepared statement as `pg` sends it (Parse, Bind, Describe, Execute, Sync). Thousands of different
 * ones, so that nothing is gained by remembering a chunk or a row.
 * @param {Stream} stream
 * @param {number} rows
 */
const buildAnswers = ({ columns, seed }, rows) => {
  const random = createRandom(seed)
  const before = Buffer.concat([wire.parseComplete(), wire.bindComplete(), description(columns.length)])
  const after = Buffer.concat([wire.commandComplete('SELECT 1'), wire.readyForQuery()])
  const chunks = []
  for (let i = 0; i < rows; i++) {
    const row = wire.dataRow(columns.map((column) => column(random)))
    chunks.push(slowCopy(Buffer.concat([before, row, after])))
  }
  return built(chunks, rows, columns.length, rows * 6)
}

/** @param {number} columns */
const description = (columns) =>
  wire.rowDescription(
    Array.from({ length: columns }, (_, i) => ({ name: `column_${i + 1}`, tableID: 16385, columnID: i + 1 }))
  )

/** @param {Buffer[]} chunks @param {number} rows @param {number} columns @param {number} messages */
const built = (chunks, rows, columns, messages) => ({
  chunks,
  rows,
  columns,
  messages,
  bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
})

module.exports = { STREAMS, buildStream }
