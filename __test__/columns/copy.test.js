'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { Client } = require('pg')
const { copyColumns } = require('../../lib/pg')
const { sourceOf } = require('../../lib/columns/copy-source')
const { loadBoth } = require('../support/flavours')
const { assertSame } = require('../support/query')
const { useServer } = require('../support/server')
const { rowsOf } = require('./support/read-columns')

// COPY against the same query as rows of stock, on a real server.

const SCHEMA = 'pgn_copy_columns'

const TABLE = `
  create table all_types as select i as id, i % 2 = 0 as bo, (i * 7)::int2 as i2, i::int8 * 10000000000 as i8,
    (i * 1000003)::oid as oi, i / 7.0::float8 as f8, (i * 12345.6789)::numeric(20, 4) as nu,
    (10::numeric ^ (i % 40 - 20)) * (case when i % 2 = 0 then 1 else -1 end) as nw,
    'text ' || i as te, ('v' || i)::varchar(10) as vc, ('c' || i)::char(8) as ch, 'n'::name as na, 'x'::"char" as sc,
    json_build_object('i', i) as js, jsonb_build_object('é', i) as jb, md5(i::text)::uuid as uu,
    decode(md5(i::text), 'hex') as by, date '1990-02-27' + i * 37 as da,
    timestamp '1899-12-31 23:59:59.999999' + i * interval '101 days 1.000001 second' as ts,
    timestamptz '1899-12-31 23:59:59.999999+00' + i * interval '101 days 1.000001 second' as tz
  from generate_series(1, 400) as i`

const setUp = async (/** @type {any} */ { config }) => {
  const client = new Client(config)
  await client.connect()
  await client.query(`drop schema if exists ${SCHEMA} cascade; create schema ${SCHEMA}`)
  await client.query(`set search_path = ${SCHEMA}`)
  await client.query(TABLE)
  const { fields } = await client.query('select * from all_types')
  // every column is NULL somewhere, and all of them in one row
  const nulls = fields.map(
    ({ name }, i) => `${name} = case when id % 11 = ${i % 11} then null else ${name} end`
  )
  await client.query(`update all_types set ${nulls.slice(1).join(', ')}`)
  await client.query('insert into all_types default values')
  await client.query(`insert into all_types (nu, nw, f8, da, ts, tz) values
    ('NaN', 'NaN', 'NaN', 'infinity', 'infinity', 'infinity'),
    (0, 'Infinity', 'Infinity', '-infinity', '-infinity', '-infinity'),
    (0.0001, '-Infinity', '-0', '4713-01-01 BC', '4713-01-01 BC', '4713-01-01 BC'),
    (-1, 0.00, 0, '275760-09-12', '275760-09-12 12:00:00', '275760-09-13 00:00:00+00'),
    (-1, 1e100, 0, '5874897-12-31', '290000-01-01', '290000-01-01')`)
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

test('every type that can be read, in several zones', async () => {
  const { TZ } = process.env
  try {
    await withClients(async ({ stock, native }) => {
      for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia']) {
        process.env.TZ = zone
        const text = 'select * from all_types order by id, nu, nw'
        const { rows, fields } = await stock.query({ text, rowMode: 'array' })
        for (const client of [native, stock]) {
          for (const micros of [false, true]) {
            const result = await copyColumns(client, `copy (${text}) to stdout (format binary)`, { micros })
            assert.equal(result.command, 'COPY')
            assert.equal(result.rowCount, rows.length)
            assert.deepEqual(
              result.fields.map(({ name }) => name),
              fields.map((/** @type {any} */ { name }) => name)
            )
            assertSame(rowsOf(result), rows, { expected: both.stock, at: `${zone}, micros ${micros}` })
          }
        }
      }
    })
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
})

test('packed as by a query with columns', async () => {
  await withClients(async ({ native }) => {
    const text =
      'select id, bo, i2, i8, oi, f8, nu, te, js, uu, by, da, ts, tz from all_types where id < 50 order by id'
    for (const micros of [false, true]) {
      const rowMode = micros ? 'columns-micros' : 'columns'
      const query = await native.query({ text, rowMode })
      const copy = await copyColumns(native, `copy (${text}) to stdout with (format 'binary')`, { micros })
      for (const [i, { name, values, nulls, dataTypeID }] of query.columnList.entries()) {
        const found = copy.columnList[i]
        assert.deepEqual([found.name, found.dataTypeID, found.nulls], [name, dataTypeID, nulls])
        assert.deepEqual(found.values, values, name)
      }
    }
  })
})

test('a table, some of its columns, many rows, none', async () => {
  await withClients(async ({ stock, native }) => {
    await native.query('create temporary table odd ("a b" int4, "c,d)" text)')
    await native.query(`insert into odd select i, repeat('x', i % 3000) from generate_series(1, 20000) as i`)
    const { rows } = await native.query({ text: 'table odd', rowMode: 'array' })
    assertSame(rowsOf(await copyColumns(native, 'COPY odd TO STDOUT BINARY')), rows)
    assertSame(
      rowsOf(await copyColumns(native, 'copy odd ("c,d)", "a b") to stdout (format binary)')),
      rows.map((/** @type {any} */ [a, b]) => [b, a])
    )
    const named = [
      { name: 'x', dataTypeID: 23 },
      { name: 'y', dataTypeID: 25 },
    ]
    const result = await copyColumns(native, 'copy odd to stdout (format binary)', { columns: named })
    assert.deepEqual(Object.keys(result.columns), ['x', 'y'])
    const none = await copyColumns(stock, `copy (select 1 as a where false) to stdout (format binary)`)
    assert.deepEqual([none.rowCount, none.columns.a.values], [0, new Int32Array(0)])
  })
})

test('wrong input is rejected, and the connection serves the next query', async () => {
  await withClients(async ({ native }) => {
    const good = async () =>
      assert.deepEqual(rowsOf(await copyColumns(native, 'copy (select 1 as a) to stdout (format binary)')), [
        [1],
      ])
    await assert.rejects(
      copyColumns(native, 'copy (select 1 as a) to stdout'),
      /does not begin as a binary COPY/
    )
    await good()
    await assert.rejects(
      copyColumns(native, 'copy (select array[1] as a) to stdout (format binary)'),
      /column "a".*1007.*cast it/
    )
    await assert.rejects(copyColumns(native, 'select 1'), /does not see what this statement copies/)
    await assert.rejects(copyColumns(native, 'copy (select nope) to stdout (format binary)'), {
      code: '42703',
    })
    await good()
    const sql =
      'copy (select i, 100 / (i - 50000) from generate_series(1, 60000) as i) to stdout (format binary)'
    await assert.rejects(copyColumns(native, sql), { code: '22012' })
    await good()
    await assert.rejects(
      copyColumns(native, 'copy (select 1, 2) to stdout (format binary)', {
        columns: [{ name: 'a', dataTypeID: 23 }],
      }),
      { code: '08P01' }
    )
    await assert.rejects(
      copyColumns(native, 'copy (select 1) to stdout (format binary)', {
        columns: [{ name: 'a', dataTypeID: 20 }],
      }),
      { code: '08P01' }
    )
    await good()
    await assert.rejects(
      copyColumns(native, 'copy all_types from stdin (format binary)', { columns: [] }),
      /has nothing to send/
    )
    await good()
    await assert.rejects(copyColumns(/** @type {any} */ ({}), 'x'), TypeError)
    await assert.rejects(copyColumns(native, /** @type {any} */ (7)), TypeError)
    await assert.rejects(copyColumns(native, 'x', /** @type {any} */ ({ colums: [] })), /no option "colums"/)
  })
})

test('what a COPY copies is seen through quotes and comments', () => {
  for (const [text, source] of /** @type {[string, string | null][]} */ ([
    ['copy t to stdout', 'select * from t'],
    ['COPY a."b to stdout" (x, "y z") TO STDOUT (FORMAT binary)', 'select x, "y z" from a."b to stdout"'],
    [
      "copy (select ' to stdout ' || $$) to stdout$$ /* ) to stdout */, $x$ ' $x$) to stdout",
      "select ' to stdout ' || $$) to stdout$$ /* ) to stdout */, $x$ ' $x$",
    ],
    ['copy (select 1)to stdout', 'select 1'],
    ['copy\n(select (1), (2)) -- to stdout\n to\n stdout', null],
    ['copy t from stdin', null],
    ['copy (select 1 to stdout', null],
    ['select 1', null],
  ])) {
    assert.equal(sourceOf(text), source, text)
  }
})
