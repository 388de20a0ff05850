'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { openPair, closePair, same, pieces, cuts, whole } = require('../support/query')
const { NAMES, columnsOf, rowsOf } = require('../support/shapes')
const wire = require('../support/wire')
const { inChild } = require('../support/child')

// Column names and counts: keys, their order, duplicates, and where a row begins and ends.

const MODES = [{ text: 'select' }, { text: 'select', rowMode: 'array' }]

/** A column named __proto__ is left to stock, which treats it in another way in each release. */
const made = (/** @type {any[]} */ names, /** @type {any} */ { rowMode }) =>
  names.includes('__proto__') && rowMode !== 'array' ? 'any' : 'all'

for (const [what, names] of Object.entries(NAMES)) {
  test(what, async () => {
    const columns = columnsOf(names)
    for (const query of MODES) {
      for (const count of [1, 2, 3, 10, 100]) {
        await same({
          replies: [{ columns, rows: rowsOf(names.length, count) }],
          query,
          made: made(names, query),
        })
      }
      await same({
        replies: [{ columns, rows: rowsOf(names.length, 30, 1) }],
        query,
        made: made(names, query),
        at: 'all NULL',
      })
      await same({
        replies: [{ columns, rows: rowsOf(names.length, 30) }],
        query,
        cut: pieces(7),
        made: 'any',
      })
    }
  })
}

test('all of these shapes in turn on one connection, again and again', async () => {
  const pair = await openPair()
  for (let round = 0; round < 5; round++) {
    for (const [what, names] of Object.entries(NAMES)) {
      const reply = { columns: columnsOf(names), rows: rowsOf(names.length, round) }
      await same({
        on: pair,
        replies: [reply],
        query: MODES[round % 2],
        made: made(names, MODES[round % 2]),
        at: what,
      })
    }
  }
  await closePair(pair)
})

test('more shapes than any cache of builders should hold', async () => {
  const pair = await openPair()
  for (let i = 0; i < 600; i++) {
    const names = [`c${i}`, 'x', `d${i % 7}`]
    await same({ on: pair, replies: [{ columns: columnsOf(names), rows: rowsOf(3, 1 + (i % 40)) }] })
  }
  await closePair(pair)
})

test('the same names with other types, the same types with other names', async () => {
  const pair = await openPair()
  const rows = Array.from({ length: 20 }, (_, i) => [String(i), String(i + 1)])
  for (const types of [
    [23, 23],
    [25, 23],
    [23, 25],
    [20, 20],
    [701, 1700],
    [23, 23],
  ]) {
    for (const names of [
      ['a', 'b'],
      ['b', 'a'],
      ['a', 'a'],
      ['ab', ''],
      ['', 'ab'],
      ['a\u0000', 'b'],
    ]) {
      const columns = names.map((name, i) => ({ name: name.replace('\u0000', ''), dataTypeID: types[i] }))
      await same({ on: pair, replies: [{ columns, rows }] })
    }
  }
  await closePair(pair)
})

test('descriptions that differ in nothing that a row shows', async () => {
  const pair = await openPair()
  const rows = [['1'], ['2']]
  for (const more of [{}, { tableID: 5 }, { columnID: 3 }, { dataTypeSize: 4 }, { dataTypeModifier: 7 }]) {
    await same({ on: pair, replies: [{ columns: [{ name: 'a', dataTypeID: 23, ...more }], rows }] })
  }
  await closePair(pair)
})

test('no columns', async () => {
  for (const query of [...MODES, { text: 'select', values: [1] }]) {
    for (const count of [0, 1, 3, 1000]) {
      const { native } = await same({ replies: [{ columns: [], rows: Array(count).fill([]) }], query })
      assert.equal(native.rows.length, count)
      assert.equal(native.fields.length, 0)
    }
  }
})

for (const count of [1, 40, 255, 256, 257, 1023, 1024, 1025, 1600]) {
  test(`${count} columns`, async () => {
    const names = Array.from({ length: count }, (_, i) => `c${i}`)
    const columns = columnsOf(names)
    for (const query of MODES) {
      await same({ replies: [{ columns, rows: rowsOf(count, 1) }], query })
      await same({ replies: [{ columns, rows: rowsOf(count, 12) }], query, made: 'some' })
      await same({ replies: [{ columns, rows: rowsOf(count, 5) }], query, cut: pieces(4093), made: 'any' })
    }
  })
}

test('more columns than a batch has room for', async () => {
  for (const count of [4096, 8192, 9000, 32_767]) {
    const columns = columnsOf(Array.from({ length: count }, (_, i) => `c${i}`))
    await same({ replies: [{ columns, rows: rowsOf(count, 3) }], query: MODES[1], made: 'any' })
  }
})

test("columns that Object's prototype knows of", () => {
  // In a process of its own: not even the test runner has to bear with such a prototype.
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const { same } = require('../support/query')
      const { columnsOf, rowsOf } = require('../support/shapes')
      const columns = columnsOf(['id', 'polluted', 'frozen', 'constructor'])
      const set = /** @type {any[]} */ ([])
      Object.defineProperty(Object.prototype, 'polluted', {
        configurable: true,
        get: () => 'got',
        set(value) {
          set.push(value)
        },
      })
      Object.defineProperty(Object.prototype, 'frozen', { configurable: true, value: 'frozen' })
      const modes = [{ text: 'select' }, { text: 'select', rowMode: 'array' }]
      for (const count of [1, 100]) {
        for (const query of modes) await same({ replies: [{ columns, rows: rowsOf(4, count) }], query })
      }
      return set.length
    },
    { timeout: 10_000 }
  )
  assert.equal(result, 0, stderr)
})

test('every place to cut in a short result', async () => {
  const columns = columnsOf(['a', 'b', 'c', 'd'])
  const reply = { columns, rows: rowsOf(4, 7) }
  const length = Buffer.concat([
    wire.rowDescription(columns),
    ...reply.rows.map(wire.dataRow),
    wire.commandComplete('SELECT 7'),
    wire.readyForQuery(),
  ]).length
  const pair = await openPair()
  for (let at = 1; at < length; at++) {
    await same({ on: pair, replies: [reply], cut: cuts(at), made: 'any', at: `cut at ${at}` })
  }
  for (const size of [1, 2, 3, 5, 8, 13, 21, 34, 55]) {
    await same({ on: pair, replies: [reply], cut: pieces(size), made: 'any', at: `pieces of ${size}` })
  }
  await closePair(pair)
})

test('numbers of rows around the borders of batches', async () => {
  const pair = await openPair()
  const columns = columnsOf(['a', 'b', 'c'])
  const counts = [
    0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512,
    513,
  ]
  for (const count of [...counts, 1000, 1023, 1024, 1025, 2047, 2048, 2049, 4096, 4097]) {
    await same({ on: pair, replies: [{ columns, rows: rowsOf(3, count) }], cut: whole, at: `${count} rows` })
  }
  await closePair(pair)
})

test('rows of all sizes: many in a chunk, larger than a chunk, each larger than any pool', async () => {
  const pair = await openPair()
  const columns = columnsOf(['a', 'b', 'c', 'd'])
  for (const size of [0, 1, 12, 13, 100, 4000, 8191, 8192, 8193, 65_536, 100_000, 300_000]) {
    for (const letter of ['a', 'é', '日']) {
      const text = letter.repeat(size / Buffer.byteLength(letter))
      const rows = Array.from({ length: 6 }, (_, i) => [String(i), text + i, 't', '2024-01-01 00:00:00+00'])
      await same({ on: pair, replies: [{ columns, rows }], cut: whole, made: 'some', at: `${size} bytes` })
      await same({
        on: pair,
        replies: [{ columns, rows }],
        cut: pieces(65_536),
        made: 'any',
        at: `${size} bytes, cut`,
      })
    }
  }
  await closePair(pair)
})
