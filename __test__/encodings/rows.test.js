'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { flavours, connect, assertSame, pieces, whole } = require('../support/query')
const { loadFlavour } = require('../support/flavours')
const { columnsOf, rowsOf } = require('../support/shapes')
const wire = require('../support/wire')
const { rowsOf: rowsOfColumns } = require('../columns/support/read-columns')

// Rows of pg from a server that sends another encoding: accelerated, they are what stock gives for the same text in
// UTF-8.

/** @typedef {import('../support/query').Context} Context */

const names = ['id', 'text', 'flag', 'at', 'amount', 'big', 'json', 'list', 'bytes']
const TEXTS = [
  '',
  'é',
  'naïve café',
  'ÿ'.repeat(20),
  'plain ASCII',
  'a longer text with an é in it',
  'x'.repeat(3000) + 'é',
]

/** Rows as text; every second column of text is one of `TEXTS`. @param {number} count */
const textRows = (count) =>
  rowsOf(names.length, count).map((/** @type {any[]} */ cells, /** @type {number} */ i) =>
    cells.map((cell, k) => (columns[k].dataTypeID === 25 ? TEXTS[(i + k) % TEXTS.length] : cell))
  )
const columns = columnsOf(names)
const odd = [...columns, { name: 'né', dataTypeID: 25 }, { name: 'own', dataTypeID: 600_000 }]
const oddRows = (/** @type {number} */ count) =>
  textRows(count).map((cells, i) => [...cells, TEXTS[i % TEXTS.length], i % 3 === 0 ? null : `é${i}`])

/** @param {any} cell */
const toLatin1 = (cell) => (typeof cell === 'string' ? Buffer.from(cell, 'latin1') : cell)
const inLatin1 = (/** @type {{ columns: any[], rows: any[] }} */ { columns, rows, ...rest }) => ({
  ...rest,
  columns: columns.map((column) => ({ ...column, name: toLatin1(column.name) })),
  rows: rows.map((cells) => cells.map(toLatin1)),
})

/**
 * What a query comes to with stock, in UTF-8, and accelerated, in LATIN1.
 *
 * @param {any} reply
 * @param {(context: Context) => Promise<any>} run
 * @param {{ cut?: any, made?: number }} [options]
 */
const both = async (reply, run, { cut = whole, made = reply.rows.length } = {}) => {
  const { stock, native } = flavours()
  const expected = await connect(stock, { cut })
  expected.backend.replies.push(reply)
  const right = await run(expected)
  const context = await connect(native, { cut })
  context.backend.replies.push(
    { columns: null, tag: 'SET', after: wire.parameterStatus('client_encoding', 'LATIN1') },
    inLatin1(reply)
  )
  await context.client.query('set client_encoding to latin1')
  const before = context.made()
  assertSame(await run(context), right, { actual: native, expected: stock })
  assert.equal(context.made() - before, made, 'rows are built natively')
  await expected.client.end()
  await context.client.end()
}

for (const [how, cut] of /** @type {[string, any][]} */ ([
  ['in one chunk', whole],
  ['in pieces of 1000 bytes', pieces(1000)],
  ['in pieces of 33 bytes', pieces(33)],
])) {
  for (const rowMode of [undefined, 'array']) {
    test(`every type, ${how}${rowMode ? ', as arrays' : ''}`, async () => {
      for (const count of [0, 1, 7, 300]) {
        await both(
          { columns: odd, rows: oddRows(count) },
          ({ client }) => client.query({ text: 'select', rowMode }),
          { cut }
        )
      }
    })
  }
}

test('lazy rows', async () => {
  const reply = { columns: odd, rows: oddRows(200) }
  const show = async (/** @type {Context} */ { client }) => {
    const { rows } = await client.query({ text: 'select', rowMode: 'lazy' })
    const read = rows.map((/** @type {any} */ row, /** @type {number} */ i) =>
      i % 2 ? row['né'] : { ...row }
    )
    return [read, JSON.stringify(rows)]
  }
  await both(reply, show)
})

test('row events that pause, cursors, own parsers', async () => {
  const reply = { columns: odd, rows: oddRows(150) }
  await both(reply, async ({ client, pg }) => {
    const rows = /** @type {any[]} */ ([])
    const query = new pg.Query('select')
    query.on('row', (/** @type {any} */ row) => {
      rows.push(row)
      query.pause?.()
      if (query.resume) setImmediate(() => query.resume())
    })
    client.query(query)
    await new Promise((resolve) => query.once('end', resolve))
    return rows
  })
  await both(reply, async ({ client, Cursor }) => {
    const cursor = client.query(new Cursor('select'))
    const rows = []
    for (let portion; (portion = await cursor.read(40)).length > 0;) rows.push(...portion)
    await cursor.close()
    return rows
  })
  const heard = /** @type {string[]} */ ([])
  const types = {
    getTypeParser: () => (/** @type {string} */ text) => {
      heard.push(text)
      return `<${text}>`
    },
  }
  await both(reply, ({ client }) => client.query({ text: 'select', types }))
  assert.deepEqual(heard.slice(heard.length / 2), heard.slice(0, heard.length / 2))
})

test('columns in binary format: text is decoded, bytes are left', async () => {
  const { native } = flavours()
  const { client, backend } = await connect(native)
  const bytes = Buffer.from([0xe9, 0x80, 0, 1])
  backend.replies.push(
    { columns: null, tag: 'SET', after: wire.parameterStatus('client_encoding', 'LATIN1') },
    {
      columns: [
        { name: 'text', dataTypeID: 25, format: 1 },
        { name: 'int4', dataTypeID: 23, format: 1 },
        { name: 'own', dataTypeID: 600_001, format: 1 },
        { name: 'time', dataTypeID: 1184, format: 1 },
      ],
      rows: [[Buffer.from([0xe9, 0x80]), wire.int32(-23), bytes, Buffer.alloc(8)]],
    }
  )
  await client.query('set')
  const heard = /** @type {any[]} */ ([])
  const types = {
    getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) =>
      oid === 600_001
        ? (/** @type {any} */ value) => heard.push(value) && 'own'
        : native.pg.types.getTypeParser(oid, format),
  }
  const { rows } = await client.query({ text: 'select', types })
  assert.deepEqual(rows, [{ text: 'é\u0080', int4: -23, own: 'own', time: rows[0].time }])
  assert.equal(rows[0].time.getTime(), 946684800000)
  assert.deepEqual(heard, [bytes])
  await client.end()
})

test('a row that is not as it should be rejects its query, in any encoding', async () => {
  const { client, backend } = await connect(flavours().native)
  const bad = wire.message('D', wire.int16(2), wire.int32(1), Buffer.from([0xe9]), wire.int32(9), 'x')
  const columns = ['a', 'b']
  const good = [Buffer.from([0xe9]), 'x']
  backend.replies.push(
    { columns: null, tag: 'SET', after: wire.parameterStatus('client_encoding', 'LATIN1') },
    { columns, rows: [good, good, bad, good] },
    { columns, rows: [good, ['one'], good] }
  )
  await client.query('set')
  await assert.rejects(client.query('select'), { code: '08P01' })
  assert.deepEqual((await client.query('select')).rows, [
    { a: 'é', b: 'x' },
    { a: 'one', b: null },
    { a: 'é', b: 'x' },
  ])
  await client.end()
})

test('a row of some MiB, and texts of several bytes for each character', async () => {
  const { client, backend, made } = await connect(flavours().native, { cut: pieces(65536) })
  backend.replies.push(
    { columns: null, tag: 'SET', after: wire.parameterStatus('client_encoding', 'EUC_JP') },
    {
      columns: ['a', 'b'],
      rows: [
        [Buffer.alloc(5_000_000, 'c6fc', 'hex'), 'x'],
        [wire.hex('c6fccbdc'), null],
      ],
    }
  )
  await client.query('set')
  const before = made()
  const { rows } = await client.query('select')
  assert.equal(rows[0].a, '日'.repeat(2_500_000))
  assert.deepEqual(rows[1], { a: '日本', b: null })
  assert.equal(made() - before, 2)
  await client.end()
})

test('accelerate(pg, { encoding })', async () => {
  const read = async (/** @type {any} */ options) => {
    const flavour = loadFlavour({ accelerate: true, options })
    const { client, backend } = await connect(flavour)
    backend.replies.push(
      { columns: null, tag: 'SET', after: wire.parameterStatus('client_encoding', 'LATIN1') },
      { columns: ['a'], rows: [[Buffer.from([0xe9])]] }
    )
    await client.query('set')
    const { rows } = await client.query('select')
    await client.end()
    flavour.handle.restore()
    return rows[0].a
  }
  assert.equal(await read(undefined), 'é')
  assert.equal(await read({ encoding: 'auto' }), 'é')
  assert.equal(await read({ encoding: 'utf8' }), '\ufffd')
  assert.equal(await read({ encoding: 'utf8', rows: false }), '\ufffd')
  assert.equal(await read({ encoding: 'KOI8R' }), 'И')
  assert.equal(await read({ rows: false }), 'é')
  await assert.rejects(read({ encoding: 'ebcdic' }), {
    name: 'TypeError',
    message: `the option "encoding" of accelerate() is "auto", "utf8" or another encoding of PostgreSQL's, not "ebcdic"`,
  })
})

test('columns, whole and in pieces', async () => {
  const { stock, native } = flavours()
  for (const cut of [whole, pieces(1000), pieces(33)]) {
    for (const listens of [false, true]) {
      const reply = { columns: odd, rows: oddRows(200) }
      const expected = await connect(stock, { cut })
      expected.backend.replies.push(reply)
      const { rows } = await expected.client.query({ text: 'select', rowMode: 'array' })
      const context = await connect(native, { cut })
      context.backend.replies.push(
        { columns: null, tag: 'SET', after: wire.parameterStatus('client_encoding', 'LATIN1') },
        inLatin1(reply)
      )
      await context.client.query('set client_encoding to latin1')
      // Who listens to a connection's messages gets each row as one, on its way to the columns.
      if (listens) context.client.connection.on('dataRow', () => {})
      const result = await context.client.query({ text: 'select', rowMode: 'columns' })
      assertSame(rowsOfColumns(result), rows, { actual: native, expected: stock })
      await expected.client.end()
      await context.client.end()
    }
  }
})
