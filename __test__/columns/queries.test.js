'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { loadBoth } = require('../support/flavours')
const { flavours, connect, openPair, closePair, same, assertSame, pieces, cuts } = require('../support/query')
const { NAMES } = require('../support/shapes')
const wire = require('../support/wire')
const { rowsOf, rowsOfList, asColumns } = require('./support/read-columns')

const int = (/** @type {string} */ name) => ({ name, dataTypeID: 23 })
const text = (/** @type {string} */ name) => ({ name, dataTypeID: 25 })

/** A result with a column of each packed form, and its rows. */
const MIXED = {
  columns: [
    int('a'),
    { name: 'b', dataTypeID: 20 },
    { name: 'c', dataTypeID: 701 },
    { name: 'd', dataTypeID: 16 },
    { name: 'e', dataTypeID: 1184 },
    { name: 'f', dataTypeID: 1114 },
    { name: 'g', dataTypeID: 17 },
    { name: 'h', dataTypeID: 3802 },
    { name: 'i', dataTypeID: 1007 },
    { name: 'j', dataTypeID: 1115 },
    text('k'),
    { name: 'l', dataTypeID: 1082 },
    { name: 'm', dataTypeID: 26 },
    { name: 'n', dataTypeID: 1700 },
  ],
  rows: [
    [
      '1',
      '9007199254740993',
      '0.5',
      't',
      '2026-08-18 09:12:00.123456+02',
      '2026-08-18 09:12:00.5',
      '\\x00ff',
      '{"a":[1]}',
    ].concat(['{1,2}', '{"2026-08-18 09:12:00"}', 'é漢😀', '2026-08-18', '4294967295', '12.50']),
    Array(14).fill(null),
    ['-2', '-1', 'NaN', 'f', 'infinity', '-infinity', '\\x', 'null', '{}', '{}', '', 'infinity', '0', 'NaN'],
  ],
}

test('a result is cut at each byte', async () => {
  const pair = await openPair()
  const length = 700
  for (let at = 1; at < length; at++) {
    await same({ on: pair, replies: [MIXED], run: asColumns(), cut: cuts(at), at: `cut at ${at}` })
  }
  for (const size of [1, 2, 3, 5, 7, 64]) {
    await same({ on: pair, replies: [MIXED], run: asColumns(), cut: pieces(size), at: `pieces of ${size}` })
  }
  await closePair(pair)
})

test('what is packed, and how', async () => {
  const { client, backend } = await connect(flavours().native)
  backend.replies.push(MIXED)
  const { columns, rowCount, command, fields } = await client.query({ text: 'select', rowMode: 'columns' })
  assert.deepEqual(
    { rowCount, command, fields: fields.length },
    { rowCount: 3, command: 'SELECT', fields: 14 }
  )
  const packed = (/** @type {string} */ name) => columns[name].values
  assert.deepEqual(packed('a'), Int32Array.of(1, 0, -2))
  assert.deepEqual(packed('b'), BigInt64Array.of(9007199254740993n, 0n, -1n))
  assert.deepEqual(packed('c'), Float64Array.of(0.5, 0, NaN))
  assert.deepEqual(packed('d'), Uint8Array.of(1, 0, 0))
  assert.deepEqual(packed('e'), Float64Array.of(Date.parse('2026-08-18T07:12:00.123Z'), 0, Infinity))
  assert.deepEqual(packed('f'), Float64Array.of(+new Date(2026, 7, 18, 9, 12, 0, 500), 0, -Infinity))
  assert.deepEqual(packed('g'), { offsets: Int32Array.of(0, 2, 2, 2), data: Uint8Array.of(0, 255) })
  assert.deepEqual(packed('h'), {
    offsets: Int32Array.of(0, 9, 9, 13),
    data: new Uint8Array(Buffer.from('{"a":[1]}null')),
  })
  assert.ok(Array.isArray(packed('j')))
  assert.deepEqual(packed('l'), Float64Array.of(+new Date(2026, 7, 18), 0, Infinity))
  assert.deepEqual(packed('m'), Uint32Array.of(4294967295, 0, 0))
  for (const name of 'abcdefghiklmn') assert.deepEqual(columns[name].nulls, Uint8Array.of(0b101))
  assert.equal(columns.a.dataTypeID, 23)
  assert.ok(Buffer.isBuffer(columns.g.get(0)))

  backend.replies.push(MIXED)
  const micros = (await client.query({ text: 'select', rowMode: 'columns-micros' })).columns
  const most = 2n ** 63n - 1n
  assert.deepEqual(micros.e.values, BigInt64Array.of(1787037120123456n, 0n, most))
  // without a zone, of the wall clock
  assert.deepEqual(micros.f.values, BigInt64Array.of(1787044320500000n, 0n, -most - 1n))
  await client.end()
})

test('F32 infinity, and what a Date cannot hold', async () => {
  const columns = [
    { name: 'z', dataTypeID: 1184 },
    { name: 'l', dataTypeID: 1114 },
  ]
  const rows = [
    ['infinity', '-infinity'],
    ['275760-09-13 00:00:00+00', '275760-09-13 00:00:00'],
    ['275760-09-13 00:00:00.001+00', '275760-09-15 00:00:00'],
    ['275760-09-13 05:30:00+05:30', '1970-01-01 00:00:00'],
    ['294276-12-31 23:59:59.999999+00', '294276-12-31 23:59:59.999999'],
    ['4714-11-24 00:00:00+00 BC', '4714-11-24 00:00:00 BC'],
  ]
  for (let count = 1; count <= rows.length; count++) {
    for (const rowMode of ['columns', 'columns-micros']) {
      await same({ replies: [{ columns, rows: rows.slice(0, count) }], run: asColumns({}, rowMode) })
    }
  }
})

test('F37 int8 is exact, as the integer and as the string', async () => {
  const values = ['9007199254740993', '-9223372036854775808', '9223372036854775807', '0']
  const columns = [{ name: 'v', dataTypeID: 20 }]
  await same({ replies: [{ columns, rows: values.map((value) => [value]) }], run: asColumns() })
})

test('F39 a cell that no packed column can hold makes it a plain array', async () => {
  const good = [
    ['1', 'a'],
    [null, 'b'],
    ['3', 'c'],
  ]
  for (const [oid, odd] of /** @type {[number, string[]][]} */ ([
    [23, ['+5', ' 5', '5abc', '', '1e3', '0x10', '2147483648', '-0']],
    [20, ['+5', '007', '9223372036854775808', '', 'x']],
    [26, ['-1', '4294967296', 'x']],
    [701, ['1.5 m', '', 'inf']],
    [1184, ['18.08.2026 00:00:00 UTC', '', '2026-13-01 00:00:00+00']],
    [1114, ['18.08.2026 00:00:00', '2026-02-30 00:00:00']],
    [1082, ['18.08.2026', 'x']],
    [17, ['escaped\\000', 'abc']],
  ])) {
    for (const value of odd) {
      const before =
        oid === 17
          ? [
              ['\\x01', 'a'],
              [null, 'b'],
            ]
          : oid > 1000
            ? [['infinity', 'a']]
            : good
      const rows = [...before, [value, 'x'], ...before, [value, null], ...before]
      const columns = [{ name: 'v', dataTypeID: oid }, text('t')]
      for (const cut of [undefined, pieces(30)]) {
        await same({ replies: [{ columns, rows }], run: asColumns(), cut, at: `${oid} ${value}` })
      }
      const { client, backend } = await connect(flavours().native)
      backend.replies.push({ columns, rows })
      const result = await client.query({ text: 'select', rowMode: 'columns' })
      assert.ok(Array.isArray(result.columns.v.values))
      assert.ok(result.columns.t.values.data instanceof Uint8Array)
      await client.end()
    }
  }
})

test('F21 F22 names of all sorts, and twice', async () => {
  for (const names of Object.values(NAMES)) {
    const columns = names.map((name) => ({ name, dataTypeID: 25 }))
    const rows = [names.map((_, i) => String(i)), names.map(() => null)]
    await same({ replies: [{ columns, rows }], run: asColumns() })
  }
  const { client, backend } = await connect(flavours().native)
  backend.replies.push({ columns: [int('a'), int('a'), int('b')], rows: [['1', '2', '3']] })
  const { columns, columnList } = await client.query({ text: 'select', rowMode: 'columns' })
  assert.deepEqual(
    columnList.map((/** @type {any} */ { name }) => name),
    ['a', 'a', 'b']
  )
  assert.equal(columns.a, columnList[1])
  assert.deepEqual(rowsOfList(columnList, 1, columns), [[1, 2, 3]])
  await client.end()
})

test('F23 no columns, no rows, no result', async () => {
  const { client, backend } = await connect(flavours().native)
  const ask = (/** @type {any} */ reply) => {
    backend.replies.push(reply)
    return client.query({ text: 'select', rowMode: 'columns' })
  }
  const none = await ask({ columns: [], rows: [[], [], []] })
  assert.deepEqual([none.rowCount, none.columnList, { ...none.columns }, none.rows], [3, [], {}, []])
  const empty = await ask({ columns: MIXED.columns, rows: [] })
  assert.deepEqual([empty.rowCount, empty.columnList.length, empty.columns.a.length], [0, 14, 0])
  assert.deepEqual(empty.columns.a.values, new Int32Array(0))
  assert.deepEqual(empty.columns.g.values.offsets, Int32Array.of(0))
  assert.deepEqual([...empty.columns.e], [])
  const command = await ask({ columns: null, tag: 'UPDATE 7' })
  assert.deepEqual([command.rowCount, command.columnList, { ...command.columns }], [7, [], {}])
  await client.end()
})

test('several statements give a result each', async () => {
  const { client, backend } = await connect(flavours().native)
  backend.replies.push([
    { columns: [int('a')], rows: [['1'], ['2']] },
    { columns: null, tag: 'CREATE TABLE' },
    { columns: [text('b'), int('c')], rows: [['x', null]] },
    { columns: [int('a')], rows: [] },
  ])
  const results = await client.query({ text: 'several', rowMode: 'columns' })
  assert.equal(results.length, 4)
  assert.deepEqual(
    results.map((/** @type {any} */ result) => [result.command, result.rowCount]),
    [
      ['SELECT', 2],
      ['CREATE', null],
      ['SELECT', 1],
      ['SELECT', 0],
    ]
  )
  assert.deepEqual(rowsOf(results[0]), [[1], [2]])
  assert.deepEqual(results[1].columnList, [])
  assert.deepEqual(rowsOf(results[2]), [['x', null]])
  assert.deepEqual(rowsOf(results[3]), [])
  await client.end()
})

test('parsers of the application give plain arrays, and are called as by stock', async () => {
  const both = loadBoth()
  for (const { pg } of Object.values(both)) {
    pg.types.setTypeParser(23, (/** @type {string} */ value) => ({ int: value }))
    pg.types.setTypeParser(1700, parseFloat)
    pg.types.setTypeParser(20, pg.types.getTypeParser(21))
  }
  const columns = [...MIXED.columns, int('o'), text('p')]
  const rows = MIXED.rows.map((row) => [...row, row[0], row[1]])
  await same({ flavours: both, replies: [{ columns, rows }], run: asColumns() })
  /** @param {any} context */
  const run = async (context) => {
    const types = {
      getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) =>
        oid === 25 || oid === 16
          ? (/** @type {any} */ ...values) => {
              context.log.push([oid, format, ...values])
              return { oid, values }
            }
          : context.pg.types.getTypeParser(oid, format),
    }
    return asColumns({ types })(context)
  }
  await same({ flavours: both, replies: [{ columns, rows }], run, cut: pieces(50) })
  const { client, backend } = await connect(both.native)
  backend.replies.push({ columns, rows })
  const result = await client.query({ text: 'select', rowMode: 'columns' })
  assert.ok(Array.isArray(result.columns.a.values) && result.columns.a.nulls === null)
  assert.ok(result.columns.n.values instanceof Float64Array)
  await client.end()
})

test('F27 a parser that throws rejects its query with that error, and the next one is served', async () => {
  const { client, backend, types } = await connect(flavours().native)
  const error = new Error('no')
  let calls = 0
  const throwing = {
    getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) =>
      oid === 25
        ? () => {
            if (++calls === 2) throw error
          }
        : types.getTypeParser(oid, format),
  }
  const reply = {
    columns: [int('a'), text('b')],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
      ['3', 'z'],
    ],
  }
  for (const cut of [undefined, pieces(10)]) {
    backend.cut = cut ?? backend.cut
    calls = 0
    backend.replies.push(reply)
    const failed = client.query({ text: 'select', rowMode: 'columns', types: throwing })
    await assert.rejects(failed, (thrown) => thrown === error)
    assert.equal(calls, 2)
    backend.replies.push(reply)
    assert.deepEqual(rowsOf(await client.query({ text: 'select', rowMode: 'columns' })), [
      [1, 'x'],
      [2, 'y'],
      [3, 'z'],
    ])
  }
  await client.end()
})

test('F26 a malformed row rejects its query, and the next one is served', async () => {
  const { client, backend } = await connect(flavours().native)
  const columns = [int('a'), { name: 'b', dataTypeID: 17 }]
  const good = ['1', '\\x00']
  for (const bad of [
    wire.dataRow(['1']),
    wire.dataRow(['1', '\\x00', '3']),
    wire.message('D', Buffer.from([0, 2, 0, 0, 0, 1, 0x61])),
    wire.message('D', Buffer.from([0, 2, 0, 0, 0, 9, 0x61])),
    wire.message('D', Buffer.from([0, 2, 0, 0, 0, 1, 0x61, 0xff, 0xff, 0xff, 0xfe])),
    wire.dataRow(['1', '\\x0']),
    wire.dataRow(['1', '\\x0g']),
    wire.dataRow(['1', '\\xgg']),
  ]) {
    for (const cut of [undefined, pieces(7)]) {
      backend.cut = cut ?? ((bytes) => [bytes])
      backend.replies.push({ columns, rows: [good, bad, good] })
      await assert.rejects(client.query({ text: 'select', rowMode: 'columns' }), { code: '08P01' })
      backend.replies.push({ columns, rows: [good] })
      const result = await client.query({ text: 'select', rowMode: 'columns' })
      assertSame(rowsOf(result), [[1, Buffer.from([0])]])
    }
  }
  backend.replies.push({ columns: [], rows: [['1']] })
  await assert.rejects(client.query({ text: 'select', rowMode: 'columns' }), { code: '08P01' })
  await client.end()
})

test('an error of the server in the middle rejects the query, and the next one is served', async () => {
  const { client, backend } = await connect(flavours().native)
  for (const values of [undefined, ['x']]) {
    backend.replies.push({ ...MIXED, error: { S: 'ERROR', C: '57014', M: 'canceled' } })
    await assert.rejects(client.query({ text: 'select', values, rowMode: 'columns' }), { code: '57014' })
    backend.replies.push({ columns: [int('a')], rows: [['1']] })
    assert.deepEqual(rowsOf(await client.query({ text: 'select', values, rowMode: 'columns' })), [[1]])
  }
  await client.end()
})

test('a connection that is lost in the middle of a row rejects the query', async () => {
  const { client, backend } = await connect(flavours().native)
  client.on('error', () => {})
  const half = wire.dataRow(['1', 'x'.repeat(100)]).subarray(0, 50)
  backend.replies.push({
    columns: [int('a'), text('b')],
    rows: [['1', 'x']],
    stream: (function* () {
      yield half
      backend.destroy(new Error('lost'))
      yield Buffer.alloc(0)
    })(),
  })
  await assert.rejects(client.query({ text: 'select', rowMode: 'columns' }), { message: /lost|terminated/ })
})

test('rows in pages, and of a prepared statement', async () => {
  const rows = Array.from({ length: 25 }, (_, i) => [String(i), `row ${i}`])
  const reply = { columns: [int('a'), text('b')], rows }
  await same({ replies: [reply], run: asColumns({ rows: 10 }) })
  await same({
    replies: [reply, reply],
    run: async (context) => [
      await asColumns({ name: 'p', values: ['x'] })(context),
      await asColumns({ name: 'p', values: ['x'] })(context),
    ],
  })
})

test('who listens to messages gets them, and the columns are whole', async () => {
  const rows = Array.from({ length: 20 }, (_, i) => [String(i), i % 3 ? `row ${i}` : null])
  const reply = { columns: [int('a'), text('b')], rows }
  for (const event of ['message', 'dataRow']) {
    for (const cut of [undefined, pieces(64)]) {
      const { client, backend } = await connect(flavours().native, { cut })
      const heard = /** @type {any[]} */ ([])
      client.connection.on(event, (/** @type {any} */ message) => {
        if (message.name !== 'dataRow') return
        if (heard.length % 2) message.detach()
        heard.push(message.fields)
        // from here on rows are taken in runs
        if (heard.length === 7) client.connection.removeAllListeners('message')
      })
      backend.replies.push(reply)
      const result = await client.query({ text: 'select', rowMode: 'columns' })
      assert.deepEqual(
        rowsOf(result),
        rows.map(([a, b]) => [Number(a), b])
      )
      assert.equal(heard.length, event === 'message' ? 7 : 20)
      assert.deepEqual(heard, rows.slice(0, heard.length))
      await client.end()
    }
  }
})

test('rows that are messages of somebody else', async () => {
  const { client, backend } = await connect(flavours().native)
  client.connection.on('rowDescription', () => {
    client.connection.emit('dataRow', { name: 'dataRow', fields: ['7', 'é', null] })
  })
  backend.replies.push({ columns: [int('a'), text('b'), text('c')], rows: [['1', null, '']] })
  const result = await client.query({ text: 'select', rowMode: 'columns' })
  assert.deepEqual(rowsOf(result), [
    [7, 'é', null],
    [1, null, ''],
  ])
  await client.end()
})

test('where somebody listens to rows, rows are what there is', async () => {
  const reply = {
    columns: [int('a'), text('b')],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  }
  /** @param {any} context */
  const run = async ({ client, pg, log }) => {
    const query = new pg.Query({ text: 'select', rowMode: 'columns' })
    query.on('row', (/** @type {any} */ row) => log.push(row))
    const result = await new Promise((resolve, reject) => {
      query.on('end', resolve).on('error', reject)
      client.query(query)
    })
    return [result.rows, 'columns' in result]
  }
  await same({ replies: [reply], run })
})

test("a query's own way with rows is left to it", async () => {
  const reply = {
    columns: [int('a'), text('b')],
    rows: [
      ['1', 'x'],
      ['2', 'y'],
    ],
  }
  /** @param {any} context */
  const run = async ({ client, pg, log }) => {
    const query = new pg.Query({ text: 'select', rowMode: 'columns' })
    query.handleDataRow = (/** @type {any} */ message) => log.push(message.fields)
    await new Promise((resolve, reject) => {
      query.on('end', resolve).on('error', reject)
      client.query(query)
    })
  }
  await same({ replies: [reply], run, made: 'none' })
  /** @param {any} context */
  const results = async ({ client, pg, log }) => {
    const query = new pg.Query({ text: 'select', rowMode: 'columns' })
    query._result.addRow = (/** @type {any} */ row) => log.push(row)
    await new Promise((resolve, reject) => {
      query.on('end', resolve).on('error', reject)
      client.query(query)
    })
  }
  await same({ replies: [reply], run: results, made: 'any' })
})

test('a Query object and a callback', async () => {
  const { client, backend, pg } = await connect(flavours().native)
  const reply = { columns: [int('a')], rows: [['1'], ['2']] }
  backend.replies.push(reply, reply)
  const query = new pg.Query({ text: 'select', rowMode: 'columns' })
  const ended = new Promise((resolve) => query.on('end', resolve))
  client.query(query)
  assert.deepEqual(rowsOf(await ended), [[1], [2]])
  assert.deepEqual(
    Object.keys(query),
    Object.keys(new pg.Query({ text: 'select', rowMode: 'columns' })).concat('_accumulateRows')
  )
  const result = await new Promise((resolve, reject) => {
    client.query(
      { text: 'select', rowMode: 'columns' },
      (/** @type {any} */ err, /** @type {any} */ found) => (err ? reject(err) : resolve(found))
    )
  })
  assert.deepEqual(rowsOf(result), [[1], [2]])
  await client.end()
})

test('a parser that runs a query of its own on another connection', async () => {
  const { native } = flavours()
  const inner = await connect(native)
  const outer = await connect(native)
  const rows = Array.from({ length: 6 }, (_, i) => [String(i), `t${i}`])
  const reply = { columns: [int('a'), text('b')], rows }
  /** @type {Promise<any>[]} */
  const results = []
  const types = {
    getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) =>
      oid === 25
        ? (/** @type {string} */ value) => {
            inner.backend.replies.push(reply)
            results.push(inner.client.query({ text: 'select', rowMode: 'columns' }))
            // the answer comes while this result's rows are being read
            inner.backend.pump()
            return value
          }
        : native.types.getTypeParser(oid, format),
  }
  outer.backend.replies.push(reply)
  const expected = rows.map(([a, b]) => [Number(a), b])
  assert.deepEqual(rowsOf(await outer.client.query({ text: 'select', rowMode: 'columns', types })), expected)
  for (const result of await Promise.all(results)) assert.deepEqual(rowsOf(result), expected)
  await inner.client.end()
  await outer.client.end()
})

test('without the accelerator, and after restore, rows are rows', async () => {
  const reply = { columns: [int('a')], rows: [['1']] }
  const both = loadBoth()
  for (const flavour of [both.stock, both.native]) {
    both.native.handle.restore()
    const { client, backend } = await connect(flavour)
    backend.replies.push(reply)
    const result = await client.query({ text: 'select', rowMode: 'columns' })
    assert.deepEqual([result.rows, result.columns], [[{ a: 1 }], undefined])
    await client.end()
  }
})

test('a wide table of thousands of columns', async () => {
  const columns = Array.from({ length: 20_000 }, (_, i) =>
    i % 2 ? int(`c${i}`) : { name: `c${i}`, dataTypeID: 1115 }
  )
  const row = columns.map((_, i) => (i % 2 ? String(i) : '{}'))
  await same({ replies: [{ columns, rows: [row, row, row] }], run: asColumns() })
})
