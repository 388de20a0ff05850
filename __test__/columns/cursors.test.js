'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { flavours, connect, same, pieces } = require('../support/query')
const { rowsOfList } = require('./support/read-columns')

const COLUMNS = [
  { name: 'a', dataTypeID: 23 },
  { name: 'b', dataTypeID: 25 },
  { name: 'c', dataTypeID: 1184 },
]
const rows = (/** @type {number} */ count) =>
  Array.from({ length: count }, (_, i) => [String(i), i % 3 ? `row ${i}` : null, '2026-08-18 09:12:00+00'])

/** @param {any} batch */
const rowsOfBatch = (batch) =>
  batch.length === 0 && Array.isArray(batch) ? [] : rowsOfList(batch.columnList, batch.length, batch.columns)

for (const count of [0, 1, 9, 10, 11, 25]) {
  test(`a cursor reads ${count} rows in batches of columns`, async () => {
    for (const cut of [undefined, pieces(33)]) {
      await same({
        replies: [{ columns: COLUMNS, rows: rows(count) }],
        cut,
        run: async ({ client, Cursor, name }) => {
          const rowMode = name === 'stock' ? 'array' : 'columns'
          const cursor = client.query(new Cursor('select', [], { rowMode }))
          const batches = []
          for (;;) {
            const batch = await cursor.read(10)
            batches.push(name === 'stock' ? batch : rowsOfBatch(batch))
            if (batch.length < 10) break
          }
          batches.push(await cursor.read(10))
          await cursor.close()
          return batches
        },
      })
    }
  })

  test(`a stream gives ${count} rows in batches of columns`, async () => {
    for (const cut of [undefined, pieces(33)]) {
      await same({
        replies: [{ columns: COLUMNS, rows: rows(count) }],
        cut,
        run: async ({ client, QueryStream, name }) => {
          const rowMode = name === 'stock' ? 'array' : 'columns'
          const stream = client.query(new QueryStream('select', [], { rowMode, batchSize: 10 }))
          const found = []
          for await (const batch of stream) {
            if (name === 'stock') {
              found.push(batch)
              continue
            }
            assert.ok(batch.length > 0 && batch.length <= 10)
            assert.ok(stream.readableLength <= 1, 'no more than one batch ahead')
            found.push(...rowsOfBatch(batch))
          }
          return found
        },
      })
    }
  })
}

test('the result of a cursor has the columns of the batch', async () => {
  const { client, backend, Cursor } = await connect(flavours().native)
  backend.replies.push({ columns: COLUMNS, rows: rows(3) })
  const cursor = client.query(new Cursor('select', [], { rowMode: 'columns' }))
  const { batch, result } = await new Promise((resolve, reject) =>
    cursor.read(2, (/** @type {any} */ err, /** @type {any} */ found, /** @type {any} */ of) =>
      err ? reject(err) : resolve({ batch: found, result: of })
    )
  )
  assert.deepEqual(batch.columns.a.values, Int32Array.of(0, 1))
  assert.deepEqual(result.rows, [])
  assert.equal(result.columnList, batch.columnList)
  assert.deepEqual([...batch], [batch])
  await cursor.close()
  await client.end()
})

test('a cursor whose rows are messages, or whose rows somebody listens to', async () => {
  await same({
    replies: [{ columns: COLUMNS, rows: rows(25) }],
    made: 'any',
    run: async ({ client, Cursor, name, log }) => {
      client.connection.on('dataRow', (/** @type {any} */ { fields }) => log.push(fields))
      const cursor = client.query(
        new Cursor('select', [], { rowMode: name === 'stock' ? 'array' : 'columns' })
      )
      const batch = await cursor.read(20)
      await cursor.close()
      return name === 'stock' ? batch : rowsOfBatch(batch)
    },
  })
  await same({
    replies: [{ columns: COLUMNS, rows: rows(25) }],
    made: 'any',
    run: async ({ client, Cursor, log }) => {
      const cursor = client.query(new Cursor('select', [], { rowMode: 'columns' }))
      cursor.on('row', (/** @type {any} */ row) => log.push(row))
      const batch = await cursor.read(20)
      await cursor.close()
      return batch
    },
  })
})

test('an error of the server fails the read of a cursor and of a stream', async () => {
  const error = { S: 'ERROR', C: '57014', M: 'canceled' }
  const { client, backend, Cursor, QueryStream } = await connect(flavours().native)
  backend.replies.push({ columns: COLUMNS, rows: rows(3), error })
  const cursor = client.query(new Cursor('select', [], { rowMode: 'columns' }))
  await assert.rejects(cursor.read(10), { code: '57014' })
  backend.replies.push({ columns: COLUMNS, rows: rows(3), error })
  const stream = client.query(new QueryStream('select', [], { rowMode: 'columns' }))
  await assert.rejects(
    async () => {
      for await (const batch of stream) assert.fail(`no batch is handed out: ${batch.length}`)
    },
    { code: '57014' }
  )
  backend.replies.push({ columns: COLUMNS, rows: rows(3) })
  const again = client.query(new Cursor('select', [], { rowMode: 'columns' }))
  assert.equal((await again.read(10)).length, 3)
  await client.end()
})

test('F53 a stream that nobody reads reads no further than a batch', async () => {
  const { client, backend, QueryStream } = await connect(flavours().native)
  backend.replies.push({ columns: COLUMNS, rows: rows(1000) })
  const stream = client.query(new QueryStream('select', [], { rowMode: 'columns', batchSize: 10 }))
  let seen = 0
  for await (const batch of stream) {
    seen += batch.length
    await new Promise((resolve) => setImmediate(resolve))
    const asked = [...backend.received].filter((type) => type === 'E').length
    assert.ok(asked * 10 <= seen + 20, `${asked} batches were asked for when ${seen} rows were seen`)
  }
  assert.equal(seen, 1000)
  await client.end()
})
