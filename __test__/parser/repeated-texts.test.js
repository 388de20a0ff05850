'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const wire = require('../support/wire')
const { NativeParser, StockParser } = require('../support/compare')
const { messagesOf, inPieces } = require('../support/chunks')
const { SLOTS } = require('../../lib/layout')

// Texts that come again are told by Rust as "the one of this slot". That must never be seen: neither when slots are
// given to other texts, nor when rows are skipped, read late, backwards, or while another parser decodes.

/** @param {string[][]} rows */
const streamOf = (rows) => Buffer.concat(rows.map((row) => wire.dataRow(row)))

/** Texts of a column whose values come again, of which there are `kinds`. @param {number} kinds */
const repeated = (kinds) => (/** @type {number} */ i) => `kind ${(i * 7919) % kinds}`

const COLUMNS = {
  'a few values': repeated(3),
  'as many values as a batch has new ones': repeated(130),
  'more values than slots': repeated(3 * SLOTS),
  'other values all the time': (/** @type {number} */ i) => `value ${i}`,
  'other values, then few': (/** @type {number} */ i) => (i < 3000 ? `value ${i}` : `kind ${i % 5}`),
  'few values, then others': (/** @type {number} */ i) => (i < 3000 ? `kind ${i % 5}` : `value ${i}`),
  'the same with other ends': (/** @type {number} */ i) => 'abcdefghijkl'.slice(0, 1 + (i % 12)),
  'texts that begin alike': (/** @type {number} */ i) => `abcdefghijk${'xyz'[i % 3]}${i % 2 ? '' : 'longer'}`,
  'short and long in turn': (/** @type {number} */ i) => (i % 2 ? 'open' : 'a text that is long'),
  'not all of it ASCII': (/** @type {number} */ i) => ['open', 'geöffnet', '開', 'oben'][i % 4],
}

/** @param {(i: number) => string} column @param {number} count */
const rowsOf = (column, count) =>
  Array.from({ length: count }, (_, i) => [column(i), String(i * 12345), column(i + 1), column(count - i)])

for (const [name, column] of Object.entries(COLUMNS)) {
  test(`repeated texts: ${name}`, () => {
    const rows = rowsOf(column, 6000)
    const stream = streamOf(rows)
    const expected = messagesOf(new StockParser(), [Buffer.from(stream)]).map(({ fields }) => fields)
    assert.deepEqual(expected, rows)
    for (const size of [stream.length, 65536, 5000]) {
      const read = /** @type {any[]} */ ([])
      const parser = new NativeParser()
      for (const chunk of inPieces(stream, size)) parser.parse(chunk, (message) => read.push(message.fields))
      assert.deepEqual(read, rows)
    }
  })

  test(`repeated texts, rows skipped, read late and backwards: ${name}`, () => {
    const rows = rowsOf(column, 3000)
    const chunks = inPieces(streamOf(rows), 65536)
    for (const step of [2, 3, 7]) {
      const messages = messagesOf(new NativeParser(), chunks)
      const seen = new Map()
      for (let i = 0; i < messages.length; i += step) seen.set(i, messages[i].fields)
      for (let i = messages.length - 1; i >= 0; i -= step - 1) seen.set(i, messages[i].fields)
      for (const [i, fields] of seen) assert.deepEqual(fields, rows[i], `row ${i}`)
    }
  })
}

test('repeated texts of parsers that take turns, one row each', () => {
  const columns = Object.values(COLUMNS)
  const streams = columns.map((column) => rowsOf(column, 400))
  const messages = streams.map((rows) => messagesOf(new NativeParser(), [streamOf(rows)]))
  for (let i = 0; i < 400; i++) {
    for (const [which, rows] of streams.entries()) assert.deepEqual(messages[which][i].fields, rows[i])
  }
})

test('repeated texts of a row that is cut off behind them', () => {
  // The batch ends before that row, which has brought new texts; the next batch meets them again.
  const rows = rowsOf(repeated(4), 50)
  const whole = streamOf(rows)
  const broken = wire.dataRow(['new one', 'new two', 'new three', 'new four'])
  broken.writeInt32BE(1000, broken.length - 'new four'.length - 4)
  const after = streamOf([['new one', 'new two', 'new three', 'new four'], ...rows])
  const messages = messagesOf(new NativeParser(), [Buffer.concat([whole, whole, broken, after])])
  const read = messages.map((message) => {
    try {
      return message.fields
    } catch (error) {
      return /** @type {Error} */ (error).message
    }
  })
  assert.match(String(read[100]), /^malformed DataRow message: cell 3 has 1000 bytes/)
  read.splice(100, 1)
  assert.deepEqual(read, [...rows, ...rows, ['new one', 'new two', 'new three', 'new four'], ...rows])
})

test('repeated texts in any order', () => {
  const text = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom('open', 'closed', 'new', 'a', '', '17', 'twelve chars', 'thirteen char'),
    },
    fc.string({ maxLength: 14 }),
    fc.string({ unit: 'binary', maxLength: 5 })
  )
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text, text), { minLength: 1, maxLength: 400 }),
      fc.array(fc.nat(400), { maxLength: 60 }),
      (rows, order) => {
        const texts = rows.map((row) => row.map((text) => Buffer.from(text).toString()))
        const stream = streamOf(texts)
        const messages = messagesOf(new NativeParser(), [stream])
        for (const i of order) if (i < rows.length) assert.deepEqual(messages[i].fields, texts[i])
        messages.forEach((message, i) => assert.deepEqual(message.fields, texts[i]))
      }
    ),
    { numRuns: 100 }
  )
})
