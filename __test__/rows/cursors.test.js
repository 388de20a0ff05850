'use strict'

const test = require('node:test')
const { pieces } = require('../support/query')
const { reply, other, sameHoweverCut } = require('./support/replies')

// Rows by the portion, cursors, query streams, pools and pipelines.

/** @typedef {import('../support/query').Context} Context */

test('rows by the portion: the rows option', async () => {
  for (const rows of [1, 2, 10, 24, 25, 26]) {
    await sameHoweverCut({ replies: [reply()], query: { text: 'select', values: [1], rows }, made: 'any' })
  }
})

for (const rowMode of [undefined, 'array']) {
  test(`cursors${rowMode ? ', as arrays' : ''}`, async () => {
    for (const sizes of [[1, 1, 1, 100], [5, 5, 5, 5, 5, 5], [100], [25, 1], [24, 24], [26]]) {
      await sameHoweverCut({
        replies: [reply()],
        run: async (/** @type {Context} */ { client, Cursor, log }) => {
          const cursor = client.query(new Cursor('select', [1], { rowMode }))
          cursor.on('row', (/** @type {any[]} */ ...args) =>
            log.push([args.length, args[0], args[1] === cursor._result])
          )
          cursor.on('end', (/** @type {any} */ result) => log.push(['end', result]))
          const pages = []
          for (const size of sizes) pages.push(await cursor.read(size))
          await cursor.close()
          return pages
        },
      })
    }
  })

  test(`query streams${rowMode ? ', as arrays' : ''}`, async () => {
    for (const config of [
      {},
      { batchSize: 1 },
      { batchSize: 7 },
      { highWaterMark: 3 },
      { batchSize: 25 },
      { batchSize: 1000 },
    ]) {
      await sameHoweverCut({
        replies: [reply()],
        run: async (/** @type {Context} */ { client, QueryStream }) => {
          const stream = client.query(new QueryStream('select', [1], { ...config, rowMode }))
          const rows = []
          for await (const row of stream) rows.push(row)
          return [rows, stream._result.fields, stream._result.rowCount]
        },
      })
    }
  })
}

test('a cursor’s callback brings rows and result', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: async (/** @type {Context} */ { client, Cursor }) => {
      const cursor = client.query(new Cursor('select'))
      const read = () =>
        new Promise((resolve) => cursor.read(10, (/** @type {any[]} */ ...args) => resolve(args)))
      return [await read(), await read(), await read(), await read()]
    },
  })
})

test('a cursor with types of its own, one that is closed early, one that fails', async () => {
  const types = { getTypeParser: () => (/** @type {string} */ value) => `<${value}>` }
  await sameHoweverCut({
    replies: [reply()],
    run: async (/** @type {Context} */ { client, Cursor }) =>
      client.query(new Cursor('select', [], { types })).read(100),
  })
  await sameHoweverCut({
    replies: [reply(), other],
    made: 'any',
    run: async (/** @type {Context} */ { client, Cursor }) => {
      const cursor = client.query(new Cursor('select'))
      const rows = await cursor.read(3)
      await cursor.close()
      return [rows, await cursor.read(3), await client.query('select')]
    },
  })
  await sameHoweverCut({
    replies: [{ ...reply(), error: { S: 'ERROR', C: '22012', M: 'division by zero' } }, other],
    made: 'any',
    run: async (/** @type {Context} */ { client, Cursor }) => {
      const cursor = client.query(new Cursor('select'))
      const error = await cursor.read(100).catch((/** @type {any} */ error) => error)
      return [error, await client.query('select')]
    },
  })
})

test('a query stream that is destroyed early', async () => {
  await sameHoweverCut({
    replies: [reply(), other],
    made: 'any',
    run: async (/** @type {Context} */ { client, QueryStream }) => {
      const rows = []
      for await (const row of client.query(new QueryStream('select', [], { batchSize: 4 }))) {
        rows.push(row)
        if (rows.length === 6) break
      }
      return [rows, await client.query('select')]
    },
  })
})

test('two cursors one after the other, a query in between', async () => {
  await sameHoweverCut({
    replies: [reply(), other, reply(3)],
    run: async (/** @type {Context} */ { client, Cursor }) => {
      const first = client.query(new Cursor('select'))
      const second = client.query('select')
      const third = client.query(new Cursor('select'))
      const pages = [await first.read(100)]
      return [pages, await second, await third.read(100)]
    },
  })
})

test('pools', async () => {
  await sameHoweverCut({
    replies: [],
    made: 'any',
    run: async (/** @type {Context} */ { pg }) => {
      const { FakeBackend } = require('../support/fake-backend')
      const backends = /** @type {any[]} */ ([])
      const stream = () => {
        const backend = new FakeBackend(pieces(300))
        backend.replies.push(...Array(20).fill(reply()))
        backends.push(backend)
        return backend
      }
      const pool = new pg.Pool({ user: 'u', database: 'd', password: 'p', stream, max: 2 })
      const results = await Promise.all(Array.from({ length: 12 }, (_, i) => pool.query('select $1', [i])))
      await pool.end()
      return [results, backends.length]
    },
  })
})

test('a pipeline', async () => {
  await sameHoweverCut({
    replies: [
      reply(),
      other,
      reply(0),
      { ...reply(3), error: { S: 'ERROR', C: 'X', M: 'no' } },
      reply(2),
      other,
    ],
    client: { pipeline: true },
    made: 'any',
    run: (/** @type {Context} */ { client }) =>
      Promise.allSettled(
        Array.from({ length: 6 }, (_, i) =>
          client.query({ text: 'select $1', values: [i], rowMode: i % 2 ? 'array' : undefined })
        )
      ),
  })
})
