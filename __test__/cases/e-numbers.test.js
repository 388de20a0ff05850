'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same, flavours, connect, pieces } = require('../support/query')
const { readCorpus } = require('../support/values')
const { inChild } = require('../support/child')
const wire = require('../support/wire')

// Reports from the field about numbers, booleans and bytea.

/**
 * The values of one column, the same as stock's, alone and among others.
 * @param {number} oid
 * @param {(string | null)[]} cells
 */
const read = async (oid, cells) => {
  const columns = [{ name: 'v', dataTypeID: oid }]
  const rows = cells.map((cell) => [cell])
  for (const row of rows) await same({ replies: [{ columns, rows: [row] }] })
  const { native } = await same({
    replies: [{ columns, rows: [...rows, ...rows, ...rows, ...rows, ...rows] }],
  })
  return native.rows.slice(-cells.length).map((/** @type {any} */ row) => row.v)
}

// brianc/node-postgres#166, #107, #452, #614, brianc/node-pg-types#86, #151, #118, porsager/postgres#27
test('F37: int8 and numeric stay exact', async () => {
  const int8 = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '0']
  assert.deepEqual(await read(20, int8), int8)
  const numeric = ['1.10', '12345678901234567890.123456789', 'NaN', 'Infinity', '-Infinity', '0.00']
  assert.deepEqual(await read(1700, numeric), numeric)
  assert.deepEqual(await read(1016, ['{9007199254740993,NULL,-9223372036854775808}']), [
    ['9007199254740993', null, '-9223372036854775808'],
  ])
  assert.deepEqual(await read(1231, ['{1.10,NaN,NULL,12345678901234567890.5}']), [
    [1.1, NaN, null, 12345678901234567000],
  ])
})

// brianc/node-postgres#1260, cockroachdb/cockroach#18929, #26925
test('F39: integers as parseInt reads them, never wrapped', async () => {
  const cells = ['+5', ' 5', '5abc', '', '1e3', '0x10', '2147483648', '-2147483649', '99999999999', '-0', '١']
  for (const oid of [21, 23, 26]) {
    assert.deepEqual(
      await read(oid, cells),
      cells.map((cell) => parseInt(cell, 10))
    )
  }
  assert.deepEqual(await read(23, ['+5', ' 5', '5abc', '', '1e3', '0x10', '2147483648']), [
    5,
    5,
    5,
    NaN,
    1,
    0,
    2147483648,
  ])
  assert.deepEqual(await read(20, ['5', '+5', '5abc', '']), ['5', '+5', '5abc', ''])
})

test('F39: booleans', async () => {
  const right = ['t', 'true', 'TRUE', 'y', 'yes', 'on', '1']
  assert.deepEqual(
    await read(16, right),
    right.map(() => true)
  )
  const wrong = ['T', 'f', '0', 'False', 'Yes', '', ' t', 'tt', 'True', 'ON', 'é', 'null']
  assert.deepEqual(
    await read(16, wrong),
    wrong.map(() => false)
  )
})

// brianc/node-postgres#1286, #2240, #2241, #1203, porsager/postgres#207
test('F41: big cells take time in proportion to their size', async () => {
  const MIB = 1024 * 1024
  const digits = Buffer.from('0123456789abcdef'.repeat(65_536))
  const time = async (/** @type {number} */ size, /** @type {number} */ piece) => {
    const { client, backend } = await connect(flavours().native, { cut: pieces(piece) })
    const cell = Buffer.concat([Buffer.from('\\x'), ...Array(size).fill(digits)])
    backend.replies.push({ columns: [{ name: 'v', dataTypeID: 17 }], rows: [[cell]] })
    const start = process.hrtime.bigint()
    const { rows } = await client.query('select')
    const took = Number(process.hrtime.bigint() - start) / 1e6
    assert.equal(rows[0].v.length, (size * MIB) / 2)
    assert.equal(rows[0].v[7], 0xef)
    assert.equal(rows[0].v.at(-1), 0xef)
    await client.end()
    return took
  }
  await time(4, 16_384)
  for (const piece of [16_384, 1024]) {
    const small = await time(4, piece)
    const large = await time(32, piece)
    // 8 times as much; 64 times where every piece copies what has come so far.
    assert.ok(
      large < 30 * Math.max(small, 5),
      `4 MiB in ${small} ms, 32 MiB in ${large} ms, pieces of ${piece}`
    )
  }
})

test('F41: big cells of text, among small ones', async () => {
  const columns = [
    { name: 'i', dataTypeID: 23 },
    { name: 't', dataTypeID: 25 },
    { name: 'b', dataTypeID: 17 },
  ]
  const text = 'é'.repeat(1024 * 1024)
  const bytes = `\\x${'ab'.repeat(1024 * 1024)}`
  const rows = [
    ['1', 'small', '\\x00'],
    ['2', text, bytes],
    ['3', 'small', '\\x00'],
    ['4', text, bytes],
  ]
  await same({ replies: [{ columns, rows }], made: 'some' })
  await same({ replies: [{ columns, rows }], cut: pieces(65_536), made: 'any' })
})

test('bytea: both spellings, whole and cut short', async () => {
  const values = await read(17, [
    '\\x00ff7f',
    '\\xDEADbeef',
    '\\x',
    '',
    'a\\000\\377b',
    'a\\\\b',
    '\\x1',
    '\\x12zz34',
  ])
  assert.deepEqual(
    values.map((value) => value.toString('hex')),
    ['00ff7f', 'deadbeef', '', '', '6100ff62', '615c62', '', '12']
  )
})

const endless = readCorpus('bytea-endless').values

test('malformed bytea: stock goes on for ever', () => {
  const { timedOut } = inChild(
    __filename,
    async (require) => require('pg-types').getTypeParser(17, 'text')('a\\b'),
    { timeout: 1000 }
  )
  assert.ok(timedOut)
})

test('malformed bytea: its query is rejected, and the connection lives on', () => {
  const { result, timedOut, stderr } = inChild(
    __filename,
    async (require) => {
      const { flavours, connect } = require('../support/query')
      const { readCorpus } = require('../support/values')
      const { client, backend } = await connect(flavours().native)
      const outcomes = []
      for (const value of readCorpus('bytea-endless').values) {
        for (const before of [0, 30]) {
          for (const rowMode of [undefined, 'array']) {
            const rows = [...Array(before).fill(['\\x00']), [value], ['\\x01']]
            backend.replies.push(
              { columns: [{ name: 'v', dataTypeID: 17 }], rows },
              { columns: ['n'], rows: [['next']] }
            )
            const { message } = await client.query({ text: 'select', rowMode }).catch((error) => error)
            const { rows: next } = await client.query('select')
            outcomes.push({ value: value.toString(), message, next: next[0].n })
          }
        }
      }
      return outcomes
    },
    { timeout: 20_000 }
  )
  assert.ok(!timedOut, 'does not end')
  assert.ok(result, stderr)
  assert.equal(result.length, endless.length * 4)
  for (const { value, message, next } of result) {
    assert.match(message ?? 'no error', /bytea/, value)
    assert.equal(next, 'next')
  }
})

test('malformed bytea in an array ends, too', () => {
  const { result, timedOut, stderr } = inChild(
    __filename,
    async (require) => {
      const { flavours, connect } = require('../support/query')
      const { client, backend } = await connect(flavours().native)
      const rows = [['{"\\\\x00"}'], ['{"a\\\\b"}']]
      backend.replies.push(
        { columns: [{ name: 'v', dataTypeID: 1001 }], rows },
        { columns: ['n'], rows: [['next']] }
      )
      const { message } = await client.query('select').catch((error) => error)
      return { message, next: (await client.query('select')).rows }
    },
    { timeout: 10_000 }
  )
  assert.ok(!timedOut, 'does not end')
  assert.ok(result, stderr)
  assert.match(result.message ?? 'no error', /bytea/)
  assert.deepEqual(result.next, [{ n: 'next' }])
})

test('a number in a row of its own bytes: nothing is read beyond the cell', async () => {
  const columns = [
    { name: 'a', dataTypeID: 23 },
    { name: 'b', dataTypeID: 23 },
  ]
  const rows = Array.from({ length: 30 }, () => wire.dataRow(['1', '23456789']))
  const { native } = await same({ replies: [{ columns, rows }] })
  for (const row of native.rows) assert.deepEqual({ ...row }, { a: 1, b: 23456789 })
})
