'use strict'

// Answers of a server: description, rows, end. Each is built once per process from a seed, so base and head get the same
// bytes, and each process its own copy of them.

const wire = require('../../__test__/support/wire')
const { ChunkWriter, slowCopy } = require('../lib/chunk-writer')
const { ascii, integer, nullable, oneOf } = require('../lib/columns')
const { createRandom } = require('../lib/random')
const { RowWriter } = require('../lib/row-writer')
const { TYPES, text, binary, binaryInt4, binaryBool } = require('./columns')

/**
 * @typedef {{text: string, values?: any[], binary?: boolean, rowMode?: string}} QueryConfig
 *
 * @typedef {object} Stream
 * @property {string} title
 * @property {number} rows
 * @property {boolean} [answers] each row is a whole answer to a query of its own, in a chunk of its own
 * @property {boolean} [sends] the queries are written, too
 * @property {QueryConfig} config of the query
 * @property {number[]} reads indexes of the columns that the application reads; none: rows are only taken
 * @property {import('./columns').TypedColumn[]} columns
 * @property {number} seed
 *
 * @typedef {Stream & {chunks: Buffer[], bytes: number, messages: number}} BuiltStream
 */

const SIMPLE = { text: 'select' }
/** Has values, and therefore goes the way of Parse, Bind, Describe, Execute and Sync. */
const EXTENDED = { text: 'select $1', values: ['1'] }

const MIXED = ['int4', 'text', 'bool', 'timestamptz', 'numeric'].map((type) =>
  type === 'text' ? text(type, nullable(20, ascii(5, 30))) : text(type)
)
const WIDE = Array.from({ length: 40 }, (_, i) => MIXED[i % MIXED.length])
const SHORT = [
  text('int4', integer(1, 999999)),
  text('int4', integer(0, 9999)),
  text('bool'),
  text('int4', integer(0, 99)),
  text('text', ascii(3, 12)),
]
const LETTERS = Array.from({ length: 26 }, (_, i) => String.fromCharCode(65 + i))
const CODES = [
  text('int4', integer(1, 999999)),
  text('text', oneOf(['pending', 'paid', 'shipped', 'delivered', 'returned'])),
  text('text', oneOf(LETTERS.flatMap((a) => LETTERS.slice(0, 8).map((b) => a + b)))),
  text('text', oneOf(Array.from({ length: 60 }, (_, i) => `group-${i * 37}`))),
  text('int4', integer(0, 9999)),
]
const SHORT_BINARY = [
  binary('int4', binaryInt4(999999)),
  binary('int4', binaryInt4(9999)),
  binary('bool', binaryBool),
  binary('int4', binaryInt4(99)),
  binary('text', ascii(3, 12)),
]
const ROW_OF_12 = [
  ...['int8', 'uuid', 'text', 'varchar', 'bool', 'int4', 'int2', 'float8', 'numeric', 'date'],
  ...['timestamptz', 'timestamptz'],
].map((type) => text(type))

/** @type {Record<string, Stream>} */
const STREAMS = {
  wide: {
    title: '100 000 rows x 40 mixed columns',
    rows: 100_000,
    columns: WIDE,
    config: SIMPLE,
    reads: [],
    seed: 40,
  },
  short: {
    title: '400 000 rows x 5 short columns',
    rows: 400_000,
    columns: SHORT,
    config: SIMPLE,
    reads: [],
    seed: 5,
  },
  codes: {
    title: '400 000 rows x 5 columns, three of them statuses and codes',
    rows: 400_000,
    columns: CODES,
    config: SIMPLE,
    reads: [],
    seed: 6,
  },
  types: {
    title: `20 000 rows x ${Object.keys(TYPES).length} columns, one of each type`,
    rows: 20_000,
    columns: Object.keys(TYPES).map((type) => text(type)),
    config: SIMPLE,
    reads: [],
    seed: 23,
  },
  array: {
    title: "400 000 rows x 5 short columns, rowMode 'array'",
    rows: 400_000,
    columns: SHORT,
    config: { ...SIMPLE, rowMode: 'array' },
    reads: [],
    seed: 5,
  },
  binary: {
    title: '400 000 rows x 5 short columns in binary format',
    rows: 400_000,
    columns: SHORT_BINARY,
    config: { ...EXTENDED, binary: true },
    reads: [],
    seed: 5,
  },
  'one-row': {
    title: 'answer of one row x 12 columns, a new Query each time',
    rows: 4096,
    answers: true,
    columns: ROW_OF_12,
    config: EXTENDED,
    reads: [],
    seed: 12,
  },
  'one-row-sent': {
    title: 'the same, the writing of the query included',
    rows: 4096,
    answers: true,
    sends: true,
    columns: ROW_OF_12,
    config: EXTENDED,
    reads: [],
    seed: 12,
  },
  lazy: {
    title: "the wide stream, rowMode 'lazy', 2 of 40 columns read",
    rows: 100_000,
    columns: WIDE,
    config: { ...SIMPLE, rowMode: 'lazy' },
    reads: [5, 21],
    seed: 40,
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
  const chunks = stream.answers ? buildAnswers(stream, rows) : buildResult(stream, rows)
  const around = stream.config.values === undefined ? 3 : 5
  return {
    ...stream,
    rows,
    chunks,
    bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0),
    messages: stream.answers ? rows * (around + 1) : rows + around,
  }
}

/**
 * One large result.
 * @param {Stream} stream
 * @param {number} rows
 */
const buildResult = (stream, rows) => {
  const random = createRandom(stream.seed)
  const writer = new ChunkWriter()
  const row = new RowWriter()
  writer.write(before(stream))
  for (let i = 0; i < rows; i++) {
    const length = row.write(stream.columns.map(({ cell }) => cell(random)))
    writer.write(row.bytes, length)
  }
  writer.write(after(rows))
  return writer.end()
}

/**
 * Answers of one row. Thousands of different ones, so that nothing is gained by remembering a chunk or a row.
 * @param {Stream} stream
 * @param {number} rows
 */
const buildAnswers = (stream, rows) => {
  const random = createRandom(stream.seed)
  const [start, end] = [before(stream), after(1)]
  return Array.from({ length: rows }, () =>
    slowCopy(Buffer.concat([start, wire.dataRow(stream.columns.map(({ cell }) => cell(random))), end]))
  )
}

/** @param {Stream} stream */
const before = ({ columns, config }) =>
  Buffer.concat([
    ...(config.values === undefined ? [] : [wire.parseComplete(), wire.bindComplete()]),
    wire.rowDescription(
      columns.map(({ dataTypeID, format }, i) => ({
        name: nameOf(i),
        tableID: 16385,
        columnID: i + 1,
        dataTypeID,
        format,
      }))
    ),
  ])

/** @param {number} rows */
const after = (rows) => Buffer.concat([wire.commandComplete(`SELECT ${rows}`), wire.readyForQuery()])

/** @param {number} i */
const nameOf = (i) => `column_${i + 1}`

module.exports = { STREAMS, buildStream, nameOf }
