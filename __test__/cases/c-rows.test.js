'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same, pieces } = require('../support/query')
const { inChild } = require('../support/child')

// Reports from the field about how rows are built.

const TEXT = 25
const INT4 = 23
const column = (/** @type {string} */ name, dataTypeID = INT4) => ({ name, dataTypeID })

/** One after the other: as objects and as arrays, in few rows and in many. @param {any} reply @param {any[]} rows @param {any[]} arrays */
const assertRows = async ({ columns, rows: cells }, rows, arrays) => {
  for (const times of [1, 50]) {
    const many = Array(times).fill(cells).flat()
    // Such a column is left to stock, which treats it in another way in each release.
    const made = columns.some((/** @type {any} */ { name }) => name === '__proto__') ? 'any' : 'all'
    const { native } = await same({ replies: [{ columns, rows: many }], made })
    assert.deepEqual(
      native.rows.slice(-rows.length).map((/** @type {any} */ row) => Object.entries(row)),
      rows
    )
    assert.equal(native.fields.length, columns.length)
    const { native: asArrays } = await same({
      replies: [{ columns, rows: many }],
      query: { text: 'select', rowMode: 'array' },
    })
    assert.deepEqual(asArrays.rows.slice(-arrays.length), arrays)
    await same({ replies: [{ columns, rows: many }], cut: pieces(11), made: 'any' })
  }
}

// oven-sh/bun#38130, #16178, #15287, jvalue/jayvee#75, brianc/node-postgres#507, #934
test('F21: names that look like numbers come first, in their order', async () => {
  await assertRows(
    { columns: ['b', '10', '9', '01'].map((name) => column(name)), rows: [['1', '2', '3', '4']] },
    [
      [
        ['9', 3],
        ['10', 2],
        ['b', 1],
        ['01', 4],
      ],
    ],
    [[1, 2, 3, 4]]
  )
})

test('F21: names with quotes, backslashes, other letters, a blank, nothing', async () => {
  const names = ["it's", 'a\\b', '日本😀', ' ', '', '"', '`${x}`', '\u2028', '__proto__', 'constructor']
  await assertRows(
    { columns: names.map((name) => column(name)), rows: [names.map((_, i) => String(i))] },
    [names.map((name, i) => [name, i])],
    [names.map((_, i) => i)]
  )
})

// brianc/node-postgres#280, #1539, #1516, #3167, porsager/postgres#18
test('F22: of columns of the same name the last one counts, at the place of the first', async () => {
  await assertRows(
    { columns: [column('a'), column('a'), column('b')], rows: [['1', '2', '3']] },
    [
      [
        ['a', 2],
        ['b', 3],
      ],
    ],
    [[1, 2, 3]]
  )
  await assertRows({ columns: [column('a'), column('a')], rows: [['2', null]] }, [[['a', null]]], [[2, null]])
  await assertRows({ columns: [column('a'), column('a')], rows: [[null, '2']] }, [[['a', 2]]], [[null, 2]])
})

test('F23: rows without columns', async () => {
  await assertRows({ columns: [], rows: [[]] }, [[]], [[]])
  await assertRows({ columns: [], rows: [[], [], []] }, [[], [], []], [[], [], []])
})

// oven-sh/bun#36554, pgdogdev/pgdog#396, GlareDB/glaredb#1636
test('F26: a row of fewer cells than described leaves the rest as NULL', async () => {
  for (const many of [1, 30]) {
    const reply = { columns: [column('a', TEXT), column('b', TEXT)], rows: Array(many).fill(['1']) }
    const { native } = await same({ replies: [reply], made: 'any' })
    assert.deepEqual({ ...native.rows.at(-1) }, { a: '1', b: null })
    const { native: arrays } = await same({
      replies: [reply],
      made: 'any',
      query: { text: 'select', rowMode: 'array' },
    })
    assert.deepEqual(arrays.rows.at(-1), ['1'])
  }
})

test('F26: a row of more cells than described rejects its query, and the next one is served', async () => {
  for (const before of [0, 30]) {
    for (const rowMode of [undefined, 'array']) {
      const { native } = await same({
        replies: [
          { columns: [column('a')], rows: [...Array(before).fill(['1']), ['1', '2'], ['3']] },
          { columns: [column('b')], rows: [['4']] },
        ],
        made: 'any',
        run: async ({ client }) => [
          await client.query({ text: 'select', rowMode }).catch((/** @type {any} */ error) => error),
          await client.query('select'),
        ],
      })
      assert.ok(native[0] instanceof TypeError)
      assert.equal(native[1].rows[0].b, 4)
    }
  }
})

// brianc/node-postgres#1204, #1241, #1218, #954
test('F27: the error of a type parser is the one that its query is rejected with, once', async () => {
  for (const values of [undefined, [1]]) {
    await same({
      replies: [
        { columns: [column('n', 21)], rows: [['1'], ['2']] },
        { columns: [column('n', 21)], rows: [['3']] },
      ],
      made: 'any',
      run: async ({ client, log }) => {
        const thrown = new Error('not today')
        client.setTypeParser(21, (/** @type {string} */ value) => {
          log.push(value)
          throw thrown
        })
        const errors = /** @type {any[]} */ ([])
        const error = await client
          .query({ text: 'select', values })
          .catch((/** @type {any} */ error) => (errors.push(error), error))
        client.setTypeParser(21, Number)
        const next = await client.query({ text: 'select', values })
        assert.equal(error, thrown)
        assert.equal(errors.length, 1)
        assert.equal(next.rows[0].n, 3)
        return [error, next]
      },
    })
  }
})

test('F27: bad JSON is a SyntaxError', async () => {
  for (const oid of [114, 3802]) {
    const { native } = await same({
      replies: [
        { columns: [column('j', oid)], rows: [['{"a": 1}'], ['{bad']] },
        { columns: [column('j', oid)], rows: [['{}']] },
      ],
      made: 'any',
      run: async ({ client }) => [
        await client.query('select').catch((/** @type {any} */ error) => error),
        await client.query('select'),
      ],
    })
    assert.ok(native[0] instanceof SyntaxError)
    assert.deepEqual(native[1].rows[0].j, {})
  }
})

// brianc/node-postgres#3042, #3055, #3043, #3369
test('F29: all rows of a result have one hidden class', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const { flavours, connect } = require('../support/query')
      const haveSameMap = new Function('a', 'b', 'return %HaveSameMap(a, b)')
      const { client, backend } = await connect(flavours().native)
      const shapes = []
      for (const count of [10, 600]) {
        const columns = Array.from({ length: count }, (_, i) => ({
          name: `c${i}`,
          dataTypeID: i % 2 ? 25 : 23,
        }))
        const rows = Array.from({ length: 60_000 / count }, (_, r) => columns.map((_, c) => String(r + c)))
        backend.replies.push({ columns, rows }, { columns, rows })
        for (let i = 0; i < 2; i++) {
          const result = await client.query('select')
          const last = result.rows.at(-1)
          const others = result.rows.filter((row) => !haveSameMap(row, last)).length
          shapes.push({ count, rows: result.rows.length, others, warm: i > 0 })
        }
      }
      return shapes
    },
    { flags: ['--allow-natives-syntax'] }
  )
  assert.ok(result, stderr)
  for (const { count, rows, others, warm } of result) {
    // V8 gives the first rows of all a class that it takes back when it has seen what comes after, also with stock.
    const message = `of ${rows} rows of ${count} columns ${others} have another shape than the last`
    assert.ok(others <= (warm ? 0 : 2), message)
  }
})

test('F29: rows can be spread and written as JSON', async () => {
  const columns = Array.from({ length: 10 }, (_, i) => column(`c${i}`, i % 2 ? TEXT : INT4))
  const rows = Array.from({ length: 1000 }, (_, r) => columns.map((_, c) => String(r * c)))
  const { stock, native } = await same({ replies: [{ columns, rows }] })
  assert.equal(JSON.stringify(native.rows), JSON.stringify(stock.rows))
  assert.deepEqual(
    native.rows.map((/** @type {any} */ row) => ({ ...row, more: 1 })),
    stock.rows.map((/** @type {any} */ row) => ({ ...row, more: 1 }))
  )
})
