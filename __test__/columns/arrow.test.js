'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { spawnSync } = require('node:child_process')
const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const { tableFromIPC, tableToIPC, Type } = require('apache-arrow')
const { toArrow } = require('../../lib/arrow')
const { copyColumns } = require('../../lib/pg')
const { loadBoth } = require('../support/flavours')
const { flavours, connect } = require('../support/query')
const { useServer } = require('../support/server')

// Tables of Arrow, written as IPC files and read back: by apache-arrow, and by pyarrow where PYTHON (or python3) has it.

const server = useServer()
const both = loadBoth()
const { native } = both

const SQL = `
  select i::int2 as i2, i * 1000003 as i4, i::int8 * 10000000000000 as i8, (i * 10000019)::oid as oi, i / 3.0::float4 as f4,
    i / 7.0::float8 as f8, i % 2 = 0 as bo, 'text é ' || i as te, (i * 1.25)::numeric(10, 2) as nu, md5(i::text)::uuid as uu,
    json_build_object('i', i) as js, decode(md5(i::text), 'hex') as by, date '1960-01-31' + i * 100 as da,
    timestamp '1899-12-31 23:59:59.123456' + i * interval '400 days 7 hours' as ts,
    timestamptz '1899-12-31 23:59:59.123456+00' + i * interval '400 days 7 hours' as tz, array[i, null] as ar
  from generate_series(1, 130) as i`
const COLUMNS = [
  'i2',
  'i4',
  'i8',
  'oi',
  'f4',
  'f8',
  'bo',
  'te',
  'nu',
  'uu',
  'js',
  'by',
  'da',
  'ts',
  'tz',
  'ar',
]
const NULLABLE = `select ${COLUMNS.map((name, i) => `case when i4 % 7 = ${i % 7} then null else ${name} end as ${name}`)} from (${SQL}) as t`

/** @param {(clients: { stock: any, native: any }) => Promise<void>} body */
const withClients = async (body) => {
  const clients = /** @type {any} */ ({})
  try {
    for (const [name, { pg }] of Object.entries(both)) {
      clients[name] = new pg.Client(server().config)
      await clients[name].connect()
      await clients[name].query("set timezone = 'UTC'")
    }
    await body(clients)
  } finally {
    await Promise.all(Object.values(clients).map((client) => client.end()))
  }
}

/** As a file, and back. @param {any} table */
const roundTrip = (table) => tableFromIPC(tableToIPC(table, 'file'))

/** What a cell of the table should be, by the server's own text. @type {Record<string, (text: string) => any>} */
const READERS = {
  i2: Number,
  i4: Number,
  i8: BigInt,
  oi: Number,
  f4: Number,
  f8: Number,
  bo: (text) => text === 'true',
  te: String,
  nu: String,
  uu: String,
  js: String,
  ar: String,
  by: (text) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  da: (text) => Date.parse(`${text}T00:00:00Z`),
}

/** Microseconds since 1970 by the text of a timestamp. @param {string} text */
const microsOf = (text) => {
  const [date, clock] = text.split(' ')
  const [, time, fraction] = /** @type {RegExpExecArray} */ (/^(\d\d:\d\d:\d\d)(?:\.(\d+))?/.exec(clock))
  return BigInt(Date.parse(`${date}T${time}Z`)) * 1000n + BigInt((fraction ?? '').padEnd(6, '0'))
}

/** @param {bigint} micros */
const floorMillis = (micros) => (micros - (((micros % 1000n) + 1000n) % 1000n)) / 1000n

/** @param {any} table @param {any[]} texts rows of the columns as text @param {'ms' | 'us'} unit */
const checkTable = (table, texts, unit) => {
  assert.deepEqual(table.schema.names, COLUMNS)
  assert.equal(table.numRows, texts.length)
  for (const name of COLUMNS) {
    const vector = table.getChild(name)
    assert.equal(vector.nullCount, texts.filter((row) => row[name] === null).length, name)
    for (const [i, row] of texts.entries()) {
      if (row[name] === null) {
        assert.equal(vector.get(i), null)
        continue
      }
      if (name !== 'ts' && name !== 'tz') {
        assert.deepEqual(vector.get(i), READERS[name](row[name]), `${name} ${i}`)
        continue
      }
      const micros = microsOf(row[name])
      assert.equal(vector.data[0].values[i], unit === 'us' ? micros : floorMillis(micros), `${name} ${i}`)
    }
  }
  const { tz, ts } = Object.fromEntries(
    table.schema.fields.map((/** @type {any} */ field) => [field.name, field.type])
  )
  assert.deepEqual([tz.timezone, ts.timezone ?? null], ['UTC', null])
  assert.equal(tz.typeId, Type.Timestamp)
}

test('every type, with and without NULLs, in several zones of this process', async () => {
  const { TZ } = process.env
  try {
    await withClients(async ({ stock, native: client }) => {
      for (const sql of [SQL, NULLABLE]) {
        const casts = COLUMNS.map((name) => `${name}::text`).join(', ')
        const { rows } = await stock.query(`select ${casts} from (${sql}) as t`)
        for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata']) {
          process.env.TZ = zone
          for (const [rowMode, unit] of /** @type {const} */ ([
            ['columns', 'ms'],
            ['columns-micros', 'us'],
          ])) {
            const table = toArrow(await client.query({ text: sql, rowMode }))
            checkTable(table, rows, unit)
            checkTable(roundTrip(table), rows, unit)
          }
        }
      }
    })
  } finally {
    if (TZ === undefined) delete process.env.TZ
    else process.env.TZ = TZ
  }
})

test('what lies in memory as in Arrow is not copied', async () => {
  await withClients(async ({ native: client }) => {
    const result = await client.query({ text: SQL, rowMode: 'columns-micros' })
    const table = toArrow(result)
    for (const name of ['i2', 'i4', 'i8', 'oi', 'f4', 'f8', 'ts', 'tz']) {
      assert.equal(table.getChild(name).data[0].values.buffer, result.columns[name].values.buffer, name)
    }
    for (const name of ['te', 'nu', 'uu', 'js', 'by']) {
      const [data] = table.getChild(name).data
      assert.equal(data.values.buffer, result.columns[name].values.data.buffer, name)
      assert.equal(data.valueOffsets.buffer, result.columns[name].values.offsets.buffer, name)
    }
  })
})

test('batches of a stream, a COPY, binary format, no rows, no columns', async () => {
  await withClients(async ({ native: client }) => {
    const stream = client.query(
      new native.QueryStream('select i from generate_series(1, 25) as i', [], {
        rowMode: 'columns',
        batchSize: 10,
      })
    )
    const found = []
    for await (const batch of stream) found.push(...roundTrip(toArrow(batch)).getChild('i'))
    assert.deepEqual(
      found,
      Array.from({ length: 25 }, (_, i) => i + 1)
    )
    const copy = await copyColumns(
      client,
      "copy (select 1.50::numeric as a, 'x' as b) to stdout (format binary)"
    )
    assert.deepEqual(
      roundTrip(toArrow(copy))
        .toArray()
        .map((/** @type {any} */ row) => row.toJSON()),
      [{ a: '1.50', b: 'x' }]
    )
    const text = "select 7 as a, '\\x00ff'::bytea as b, true as c, now() as d"
    const binary = await client.query({ text, values: [], binary: true, rowMode: 'columns' })
    const row = roundTrip(toArrow(binary)).get(0)
    assert.deepEqual([row.a, row.b, row.c], [7, Uint8Array.of(0, 255), true])
    for (const sql of [`${SQL} limit 0`, 'select']) {
      const empty = roundTrip(toArrow(await client.query({ text: sql, rowMode: 'columns' })))
      assert.deepEqual([empty.numRows, empty.schema.names], [0, sql === 'select' ? [] : COLUMNS])
    }
    const twice = toArrow(await client.query({ text: 'select 1 as a, 2 as a', rowMode: 'columns' }))
    assert.deepEqual(twice.schema.names, ['a', 'a'])
  })
})

test('F32 infinities are the extremes, and what a Date cannot hold is refused by name', async () => {
  await withClients(async ({ native: client }) => {
    const text = `select 'infinity'::timestamptz as tz, '-infinity'::timestamp as ts, 'infinity'::date as da
      union all select '-infinity', 'infinity', '-infinity'`
    const extremes = BigInt64Array.of(2n ** 63n - 1n, -(2n ** 63n))
    for (const rowMode of ['columns', 'columns-micros']) {
      const table = roundTrip(toArrow(await client.query({ text, rowMode })))
      assert.deepEqual(new BigInt64Array(table.getChild('tz').data[0].values), extremes)
      assert.deepEqual(new BigInt64Array(table.getChild('ts').data[0].values), extremes.toReversed())
      assert.deepEqual(
        new Int32Array(table.getChild('da').data[0].values),
        Int32Array.of(2 ** 31 - 1, -(2 ** 31))
      )
    }
    const far = { text: "select timestamptz '290000-01-01 00:00:00+00' as far" }
    const result = await client.query({ ...far, rowMode: 'columns' })
    assert.throws(() => toArrow(result), /column "far".*columns-micros/)
    assert.ok(
      toArrow(await client.query({ ...far, rowMode: 'columns-micros' })).getChild('far').data[0].values[0] >
        0n
    )
  })
})

test("values of the application's parsers", async () => {
  const { client, backend } = await connect(flavours().native)
  const parsers = /** @type {Record<number, (text: string) => any>} */ ({
    1: (text) => text.toUpperCase(),
    2: Number,
    3: BigInt,
    4: (text) => text === '1',
    5: (text) => new Date(Number(text)),
  })
  const types = {
    getTypeParser: (/** @type {number} */ oid) => parsers[oid] ?? ((/** @type {any} */ value) => ({ value })),
  }
  const columns = [1, 2, 3, 4, 5].map((dataTypeID) => ({ name: `c${dataTypeID}`, dataTypeID }))
  backend.replies.push({
    columns,
    rows: [['1', '1', '1', '1', '1'], Array(5).fill(null), ['a', '2', '3', '4', '5']],
  })
  const table = roundTrip(toArrow(await client.query({ text: 'select', types, rowMode: 'columns' })))
  const read = columns.map(({ name }) => [...table.getChild(name)])
  assert.deepEqual(read, [
    ['1', null, 'A'],
    [1, null, 2],
    [1n, null, 3n],
    [true, null, false],
    [1, null, 5],
  ])
  backend.replies.push({ columns: [{ name: 'x', dataTypeID: 9 }], rows: [['1']] })
  const objects = await client.query({ text: 'select', types, rowMode: 'columns' })
  assert.throws(() => toArrow(objects), /column "x".*no type for \(object\)/)
  await client.end()
})

test('what is no result of columns is refused', () => {
  for (const result of [undefined, null, {}, { rows: [] }, { columnList: [{}] }]) {
    assert.throws(() => toArrow(/** @type {any} */ (result)), TypeError)
  }
})

const python = process.env.PYTHON ?? 'python3'
const hasPyarrow = spawnSync(python, ['-c', 'import pyarrow']).status === 0

test('pyarrow reads the file', { skip: hasPyarrow ? false : `${python} has no pyarrow` }, async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'pgn-arrow-'))
  try {
    await withClients(async ({ native: client }) => {
      const result = await client.query({ text: NULLABLE, rowMode: 'columns-micros' })
      const file = path.join(folder, 'table.arrow')
      fs.writeFileSync(file, tableToIPC(toArrow(result), 'file'))
      const script = `
import sys, json, pyarrow as pa
table = pa.ipc.open_file(sys.argv[1]).read_all()
table.validate(full=True)
plain = lambda v: None if v is None else v.hex() if isinstance(v, bytes) else v
out = {}
for name in table.column_names:
    column = table.column(name)
    if pa.types.is_timestamp(column.type): column = column.cast(pa.int64())
    if pa.types.is_date(column.type): column = column.cast(pa.int32())
    out[name] = [str(column.type)] + [plain(v) for v in column.to_pylist()]
print(json.dumps({'types': [str(f.type) for f in table.schema], 'out': out}))`
      const { status, stdout, stderr } = spawnSync(python, ['-c', script, file], { encoding: 'utf8' })
      assert.equal(status, 0, stderr)
      const { types, out } = JSON.parse(stdout)
      assert.deepEqual(types, [
        ...[
          'int32',
          'int32',
          'int64',
          'uint32',
          'double',
          'double',
          'bool',
          'string',
          'string',
          'string',
          'string',
        ],
        ...['binary', 'date32[day]', 'timestamp[us]', 'timestamp[us, tz=UTC]', 'string'],
      ])
      for (const { name, values, length, ...column } of result.columnList) {
        for (let i = 0; i < length; i++) {
          const found = out[name][i + 1]
          const expected = result.columns[name].get(i)
          if (expected === null) assert.equal(found, null)
          else if (name === 'by') assert.equal(found, expected.toString('hex'))
          else if (name === 'ts' || name === 'tz' || name === 'i8') assert.equal(found, Number(values[i]))
          else if (name === 'da')
            assert.equal(
              found * 86_400_000,
              Date.UTC(expected.getFullYear(), expected.getMonth(), expected.getDate())
            )
          else if (name === 'js') assert.deepEqual(JSON.parse(found), expected)
          else if (name === 'ar') assert.match(found, /^\{\d+,NULL\}$/)
          else assert.equal(found, expected, name)
        }
        assert.ok(column)
      }
    })
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
})
