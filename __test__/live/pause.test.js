'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { setTimeout: wait } = require('node:timers/promises')
const { inChild } = require('../support/child')
const { flavours } = require('../support/query')
const { useServer } = require('../support/server')

// Queries that are paused, on a real server, whose socket fills and whose backend then waits.

const server = useServer()
const ROWS = 50_000

/**
 * A query that pauses at its 10th row.
 *
 * @param {(context: { client: any, query: any, rows: any[], log: string[], pg: any }) => Promise<void>} work
 */
const whilePaused = async (work) => {
  const { pg } = flavours().native
  const client = new pg.Client(server().config)
  await client.connect()
  const log = /** @type {string[]} */ ([])
  client.on('error', (/** @type {any} */ error) => log.push(`client ${error.message}`))
  const query = new pg.Query(`select i, repeat('x', 500) as text from generate_series(1, ${ROWS}) i`)
  const rows = /** @type {any[]} */ ([])
  const settled = new Promise((resolve) => {
    query.on('row', (/** @type {any} */ row) => {
      rows.push(row)
      assert.equal(row.i, rows.length)
      if (rows.length === 10) {
        query.pause()
        resolve(undefined)
      }
    })
  })
  query.on('error', (/** @type {any} */ error) => log.push(error.code ?? error.message))
  query.on('end', () => log.push('end'))
  client.query(query)
  await settled
  // The server has time to fill the socket.
  await wait(50)
  assert.equal(rows.length, 10)
  await work({ client, query, rows, log, pg })
  await client.end()
}

/** @param {() => boolean} condition */
const until = async (condition) => {
  for (let i = 0; i < 1000 && !condition(); i++) await wait(10)
  assert.ok(condition())
}

test('it is cancelled while paused: rows up to the error, and the connection serves the next query', () =>
  whilePaused(async ({ client, query, rows, log, pg }) => {
    const other = new pg.Client(server().config)
    await other.connect()
    await other.query('select pg_cancel_backend($1)', [client.processID])
    await wait(50)
    assert.deepEqual(log, [])
    query.resume()
    await until(() => log.length > 0)
    assert.deepEqual(log, ['57014'])
    assert.ok(rows.length > 10 && rows.length < ROWS)
    assert.equal((await client.query('select 7 as a')).rows[0].a, 7)
    await other.end()
  }))

test('its backend is terminated while paused: rows up to the end, then the error of pg', () =>
  whilePaused(async ({ client, query, rows, log, pg }) => {
    const other = new pg.Client(server().config)
    await other.connect()
    await other.query('select pg_terminate_backend($1)', [client.processID])
    await wait(50)
    assert.deepEqual(log, [])
    query.resume()
    await until(() => log.some((line) => line.startsWith('client')))
    assert.ok(rows.length > 10 && rows.length < ROWS)
    assert.match(log.join(', '), /^(57P01|ECONNRESET|Connection terminated unexpectedly|client )/)
    assert.ok(!log.includes('end'))
    await other.end()
  }))

test('client.end() while paused: the query ends and the client does', () =>
  whilePaused(async ({ client, rows, log }) => {
    await client.end()
    await until(() => log.length > 0)
    assert.ok(rows.length > 10 && rows.length < ROWS)
    assert.deepEqual(log, ['Connection terminated'])
  }))

test('pausing for long loses nothing', () =>
  whilePaused(async ({ query, rows, log }) => {
    query.on('row', () => {
      if (rows.length % 5000 !== 0) return
      query.pause()
      setTimeout(() => query.resume(), 20)
    })
    query.resume()
    await until(() => log.length > 0)
    assert.deepEqual(log, ['end'])
    assert.equal(rows.length, ROWS)
  }))

const MIB = 1024 * 1024

test('F53: a slow consumer of a result of 1 GB: the process stays below 192 MiB', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const pg = require('pg')
      require('../../lib/pg').accelerate(pg)
      const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL })
      await client.connect()
      const query = new pg.Query(`select i, repeat('x', 1000) as text from generate_series(1, 1000000) i`)
      let rows = 0
      let bytes = 0
      let pauses = 0
      let late = 0
      let paused = false
      let peak = 0
      query.on('row', (/** @type {any} */ row) => {
        if (paused) late++
        rows++
        bytes += row.text.length
        if (rows % 256 !== 0) return
        peak = Math.max(peak, process.memoryUsage.rss())
        pauses++
        paused = true
        query.pause()
        setTimeout(() => {
          paused = false
          query.resume()
        }, 1)
      })
      client.query(query)
      await new Promise((resolve, reject) => query.once('end', resolve).once('error', reject))
      await client.end()
      return { rows, bytes, pauses, late, peak }
    },
    { env: { ...process.env, TEST_DATABASE_URL: connectionString() } }
  )
  assert.ok(result, stderr)
  assert.equal(result.rows, 1_000_000)
  assert.equal(result.bytes, 1_000_000_000)
  assert.equal(result.pauses, 3906)
  assert.equal(result.late, 0)
  assert.ok(result.peak < 192 * MIB, `${Math.round(result.peak / MIB)} MiB`)
})

function connectionString() {
  const { config } = server()
  return config.connectionString ?? ''
}
