'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { openPair, closePair, same, pieces, flavours, connect } = require('../support/query')
const wire = require('../support/wire')

// Rows that do not fit their description, or themselves. Where a row can be read, what stock gives is given; where a
// cell runs past its row stock reads the next message as data, and here the query is rejected.

const columns = [
  { name: 'a', dataTypeID: 23 },
  { name: 'b', dataTypeID: 25 },
  { name: 'c', dataTypeID: 1184 },
]
const good = ['1', 'x', '2024-01-01 00:00:00+00']
const next = { columns: [{ name: 'n', dataTypeID: 23 }], rows: [['5'], ['6']] }

/** The query, then another one: the connection lives on. */
const andThen = async (
  /** @type {import('../support/query').Context} */ { client, log, pg },
  /** @type {any} */ config
) => {
  const query = new pg.Query({ text: 'select', ...config })
  query.on('row', (/** @type {any} */ row) => log.push(row))
  const first = await new Promise((resolve) => {
    query.on('error', (/** @type {any} */ error) => resolve({ error }))
    query.on('end', (/** @type {any} */ result) => resolve({ result }))
    client.query(query)
  })
  return [first, await client.query('select')]
}

for (const rowMode of [undefined, 'array']) {
  for (const [what, row] of /** @type {[string, any][]} */ ([
    ['no cells', []],
    ['one cell', ['1']],
    ['two cells', ['1', 'x']],
    ['one NULL', [null]],
    ['four cells', [...good, 'more']],
    ['four cells, the last of them NULL', [...good, null]],
    ['300 cells', [...good, ...Array(297).fill('y')]],
  ])) {
    for (const place of ['alone', 'first', 'in the middle', 'last']) {
      test(`a row of ${what}, ${place}${rowMode ? ', as arrays' : ''}`, async () => {
        const before = place === 'first' || place === 'alone' ? 0 : 20
        const after = place === 'last' || place === 'alone' ? 0 : 20
        const rows = [...Array(before).fill(good), row, ...Array(after).fill(good)]
        for (const cut of [pieces(100_000), pieces(50)]) {
          await same({
            replies: [{ columns, rows }, next],
            cut,
            made: 'any',
            run: (context) => andThen(context, { rowMode }),
          })
        }
      })
    }
  }
}

test('cells after the last: the row of a description without columns', async () => {
  for (const rowMode of [undefined, 'array']) {
    await same({
      replies: [{ columns: [], rows: [[], ['1'], []] }, next],
      made: 'any',
      run: (context) => andThen(context, { rowMode }),
    })
  }
})

const cell = (/** @type {number} */ length, /** @type {string} */ bytes) =>
  Buffer.concat([wire.int32(length), Buffer.from(bytes)])

for (const [what, body] of /** @type {[string, Buffer][]} */ ([
  [
    'a cell that is longer than the row',
    Buffer.concat([wire.int16(3), cell(1, '1'), cell(100, 'x'), cell(1, 'y')]),
  ],
  [
    'a last cell that is one byte longer than the row',
    Buffer.concat([wire.int16(3), cell(1, '1'), cell(1, 'x'), cell(2, 'y')]),
  ],
  ['a cell of 2^31 - 1 bytes', Buffer.concat([wire.int16(3), cell(0x7fffffff, '1')])],
  ['a cell of -2 bytes', Buffer.concat([wire.int16(3), cell(-2, ''), cell(1, 'x'), cell(1, 'y')])],
  [
    'a cell of -2^31 bytes',
    Buffer.concat([wire.int16(3), cell(-0x80000000, ''), cell(1, 'x'), cell(1, 'y')]),
  ],
  ['half a length', Buffer.concat([wire.int16(3), cell(1, '1'), cell(1, 'x'), Buffer.from([0, 0])])],
  ['fewer cells than it counts', Buffer.concat([wire.int16(3), cell(1, '1'), cell(1, 'x')])],
  ['no cell of 65535', wire.int16(65535)],
])) {
  for (const before of [0, 1, 20]) {
    for (const rowMode of [undefined, 'array']) {
      const title = `a row with ${what}, after ${before} rows${rowMode ? ', as arrays' : ''}`
      test(title, async () => {
        for (const cut of [pieces(100_000), pieces(20)]) {
          const context = await connect(flavours().native, { cut })
          const rows = [...Array(before).fill(good), wire.message('D', body), ...Array(5).fill(good)]
          context.backend.replies.push({ columns, rows }, next)
          const [first, second] = await andThen(context, { rowMode })
          assert.match(first.error?.message ?? 'no error', /malformed DataRow/)
          assert.equal(first.error.code, '08P01')
          assert.equal(context.log.length, before, 'the rows before it')
          assert.deepEqual(second.rows.map(Object.values), [[5], [6]])
          await context.client.end()
        }
      })
    }
  }
}

test('bytes after the last cell of a row are nobody’s', async () => {
  const padded = wire.message('D', wire.dataRowBody(good), Buffer.from('left over'))
  await same({
    replies: [{ columns, rows: [good, padded, good, padded] }, next],
    made: 'any',
    run: (context) => andThen(context, {}),
  })
})

test('rows before any description, and after the end of a result', async () => {
  const pair = await openPair()
  const tail = Buffer.concat([wire.commandComplete('SELECT 1'), wire.dataRow(good)])
  await same({
    on: pair,
    replies: [{ columns, rows: [good], after: tail }, next],
    made: 'any',
    run: (context) => andThen(context, {}),
  })
  await closePair(pair)
})
