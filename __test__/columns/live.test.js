'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { Client } = require('pg')
const { createEnum, createTable, edgeQuery } = require('../../scripts/sample-types')
const { loadBoth } = require('../support/flavours')
const { assertSame } = require('../support/query')
const { useServer } = require('../support/server')
const { rowsOf, rowsOfList } = require('./support/read-columns')

// A real server: every type, in text and binary format, by query, cursor and stream, in several time zones.

const SCHEMA = 'pgn_columns'
const ROWS = 500

const setUp = async (/** @type {any} */ { config }) => {
  const client = new Client(config)
  await client.connect()
  await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`)
  await client.query(`set search_path = ${SCHEMA}`)
  await client.query(createEnum)
  await client.query(createTable('samples', ROWS))
  await client.end()
}

const cleanUp = async (/** @type {any} */ { config }) => {
  const client = new Client(config)
  await client.connect()
  await client.query(`drop schema ${SCHEMA} cascade`)
  await client.end()
}

const server = useServer({ prepare: setUp, cleanUp })
const both = loadBoth()

/** @param {(clients: { stock: any, native: any }) => Promise<void>} body */
const withClients = async (body) => {
  const clients = /** @type {any} */ ({})
  try {
    for (const [name, { pg }] of Object.entries(both)) {
      clients[name] = new pg.Client(server().config)
      await clients[name].connect()
      await clients[name].query(`set search_path = ${SCHEMA}`)
    }
    await body(clients)
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.end()))
  }
}

const compare = { actual: both.native, expected: both.stock }

const ZONES = ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia']

test('every type in text format, in several zones', async () => {
  const { TZ } = process.env
  try {
    await withClients(async ({ stock, native }) => {
      for (const zone of ZONES) {
        process.env.TZ = zone
        for (const text of ['select * from samples order by id', edgeQuery()]) {
          const { rows } = await stock.query({ text, rowMode: 'array' })
          assert.ok(rows.length > 1)
          for (const rowMode of ['columns', 'columns-micros']) {
            const before = both.native.made()
            const found = rowsOf(await native.query({ text, rowMode }))
            assertSame(found, rows, { ...compare, at: `${zone}, ${rowMode}` })
            assert.equal(both.native.made() - before, rows.length)
          }
        }
      }
    })
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
})

test('every type in binary format, as rows have them', async () => {
  await withClients(async ({ native }) => {
    const query = { text: 'select * from samples where id > $1 order by id', values: [0], binary: true }
    const { rows } = await native.query({ ...query, rowMode: 'array' })
    for (const rowMode of ['columns', 'columns-micros']) {
      assertSame(rowsOf(await native.query({ ...query, rowMode })), rows, { at: rowMode })
    }
  })
})

test('microseconds are those of the server', async () => {
  await withClients(async ({ native }) => {
    const text = `
      select at, extract(epoch from at) * 1000000 as micros, at at time zone 'UTC' as clock
      from (select timestamptz '1899-12-31 23:59:59.123456+00' + i * interval '1 year 1.000001 second' as at
        from generate_series(0, 300) as i) as t`
    for (const values of [undefined, []]) {
      for (const binary of [false, true]) {
        const { columns } = await native.query({ text, values, binary, rowMode: 'columns-micros' })
        const expected = [...columns.micros].map((micros) => BigInt(Math.round(Number(micros))))
        assert.deepEqual([...columns.at.values], expected)
        assert.deepEqual([...columns.clock.values], expected)
        const infinite = await native.query({
          text: "select timestamptz 'infinity' as a, timestamptz '-infinity' as b",
          values,
          binary,
          rowMode: 'columns-micros',
        })
        assert.deepEqual(infinite.columns.a.values, BigInt64Array.of(2n ** 63n - 1n))
        assert.deepEqual(infinite.columns.b.values, BigInt64Array.of(-(2n ** 63n)))
      }
    }
  })
})

test('by cursor and by stream', async () => {
  await withClients(async ({ stock, native }) => {
    const text = 'select * from samples order by id'
    const { rows } = await stock.query({ text, rowMode: 'array' })
    const { Cursor, QueryStream } = both.native
    const cursor = native.query(new Cursor(text, [], { rowMode: 'columns' }))
    const found = []
    for (let batch = await cursor.read(77); batch.length > 0; batch = await cursor.read(77)) {
      found.push(...rowsOfList(batch.columnList, batch.length, batch.columns))
    }
    await cursor.close()
    assertSame(found, rows, { ...compare, at: 'cursor' })
    found.length = 0
    const stream = native.query(new QueryStream(text, [], { rowMode: 'columns', batchSize: 33 }))
    for await (const batch of stream) found.push(...rowsOfList(batch.columnList, batch.length, batch.columns))
    assertSame(found, rows, { ...compare, at: 'stream' })
  })
})

test('many rows, in chunks as the network cuts them', async () => {
  await withClients(async ({ native }) => {
    const text = `
      select i, i::int8 * 1000000007 as big, i / 7.0::float8 as f, 'text ' || i as t,
        case when i % 3 = 0 then null else decode(md5(i::text), 'hex') end as b
      from generate_series(1, 50000) as i`
    const { rows } = await native.query({ text, rowMode: 'array' })
    assertSame(rowsOf(await native.query({ text, rowMode: 'columns' })), rows)
  })
})

test('a cancelled query and a lost connection reject, and give nothing', async () => {
  await withClients(async ({ stock, native }) => {
    const text = "select i, repeat('x', 1000) as t, pg_sleep(0.001) from generate_series(1, 100000) as i"
    const { rows } = await native.query('select pg_backend_pid() as pid')
    await native.query('set statement_timeout = 100')
    await assert.rejects(native.query({ text, rowMode: 'columns' }), { code: '57014' })
    await native.query('set statement_timeout = 0')
    assert.deepEqual(rowsOf(await native.query({ text: 'select 1 as a', rowMode: 'columns' })), [[1]])
    native.on('error', () => {})
    const lost = assert.rejects(native.query({ text, rowMode: 'columns' }))
    await stock.query('select pg_sleep(0.1), pg_terminate_backend($1)', [rows[0].pid])
    await lost
  })
})
