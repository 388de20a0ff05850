'use strict'

const { finished } = require('node:stream/promises')
const Cursor = require('pg-cursor')
const QueryStream = require('pg-query-stream')
const { rollingDigest } = require('../support/snapshot')
const { errorOf, recordMessages } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

module.exports = {
  async 'pg-cursor: batches of several sizes'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const cursor = client.query(new Cursor('select * from samples where id > $1 order by id', [0]))
    const batches = []
    for (const size of [1, 2, 50, 3, 1000, 5]) batches.push(await cursor.read(size))
    await cursor.close()
    return { batches, messages, after: await client.query('select 1 as one') }
  },

  async 'pg-cursor: closed early, and used after that'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const cursor = client.query(new Cursor('select i from generate_series(1, 100000) i'))
    const first = await cursor.read(10)
    await cursor.close()
    return { first, late: await cursor.read(10), after: await client.query('select 1 as one') }
  },

  async 'pg-cursor: array mode, no rows, no columns, types of its own'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    const types = { getTypeParser: () => (/** @type {string} */ value) => `<${value}>` }
    for (const cursor of [
      new Cursor('select * from people order by id', undefined, { rowMode: 'array' }),
      new Cursor('select * from people where false'),
      new Cursor('select from generate_series(1, 3)'),
      new Cursor('select * from people order by id', undefined, { types }),
      new Cursor(`insert into people values (200, 'c', 1) returning *`),
      new Cursor('delete from people where id = 200'),
    ]) {
      client.query(cursor)
      results.push(await cursor.read(10))
      await cursor.close()
    }
    return results
  },

  async 'pg-cursor: errors at once and between rows'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const wrong = client.query(new Cursor('select * frm nothing'))
    const atOnce = await errorOf(wrong.read(1))
    const later = client.query(new Cursor('select i, 1 / (50 - i) as q from generate_series(1, 100) i'))
    const rows = await later.read(20)
    const between = await errorOf(later.read(100))
    return {
      atOnce,
      rows,
      between,
      again: await errorOf(later.read(1)),
      after: await client.query('select 1 as one'),
    }
  },

  async 'pg-cursor: two on two clients, read in turn'(/** @type {Context} */ { connect }) {
    const cursors = []
    for (const order of ['asc', 'desc']) {
      const client = await connect()
      cursors.push(client.query(new Cursor(`select id, c_text from samples order by id ${order}`)))
    }
    const batches = []
    for (let i = 0; i < 10; i++) for (const cursor of cursors) batches.push(await cursor.read(7))
    return batches
  },

  async 'pg-query-stream: all rows, with back-pressure'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const digest = rollingDigest()
    const stream = client.query(
      new QueryStream(`select i, repeat('é', i % 40) as t from generate_series(1, 20000) i`, [], {
        batchSize: 500,
      })
    )
    let count = 0
    for await (const row of stream) {
      digest.add(row)
      if (++count % 1000 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    return digest.value()
  },

  async 'pg-query-stream: all types, array mode, parameters'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const rows = []
    for await (const row of client.query(new QueryStream('select * from samples order by id'))) rows.push(row)
    const options = { rowMode: 'array', batchSize: 1 }
    const stream = client.query(
      new QueryStream('select * from people where id < $1 order by id', [3], options)
    )
    for await (const row of stream) rows.push(row)
    return rows
  },

  async 'pg-query-stream: left early, and failing'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const first = []
    for await (const row of client.query(new QueryStream('select i from generate_series(1, 100000) i'))) {
      first.push(row)
      if (first.length === 5) break
    }
    const failing = client.query(new QueryStream('select 1 / (5 - i) as q from generate_series(1, 10) i'))
    const error = await errorOf(finished(failing.resume()))
    return { first, error, after: await client.query('select 1 as one') }
  },
}
