'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const legacyAssert = require('node:assert')
const { inspect, types: utilTypes } = require('node:util')
const { spawnSync } = require('node:child_process')
const { same, openPair, closePair, pieces, assertSame } = require('../support/query')
const { NAMES, columnsOf, rowsOf } = require('../support/shapes')
const { loadBoth } = require('../support/flavours')
const wire = require('../support/wire')

// `rowMode: 'lazy'`: whatever is done with a lazy row gives what a plain row of stock gives.

const LAZY = { text: 'select', rowMode: 'lazy' }

/** @param {any} rows */
const assertLazy = (rows) => {
  for (const row of rows) assert.ok(utilTypes.isProxy(row), 'a plain row in place of a lazy one')
}

/**
 * Rows of stock and lazy rows of the same cells.
 *
 * @param {{ columns: any[], rows: any[], on?: any, flavours?: any, query?: any, lazy?: boolean }} what
 * @returns {Promise<{ plain: any[], lazy: any[] }>}
 */
const rowsOfBoth = async ({ columns, rows, on, flavours, query, lazy = true }) => {
  const pair = on ?? (await openPair({ flavours }))
  const outcomes = []
  for (const { client, backend } of [pair.stock, pair.native]) {
    backend.replies.push({ columns, rows })
    outcomes.push((await client.query({ ...LAZY, ...query })).rows)
  }
  if (!on) await closePair(pair)
  if (lazy) assertLazy(outcomes[1])
  return { plain: outcomes[0], lazy: outcomes[1] }
}

const COLUMNS = columnsOf(Array.from({ length: 15 }, (_, i) => `c${i}`))
const ROWS = rowsOf(15, 3)

const three = () => 3

/** @type {PropertyDescriptor & ThisType<any>} */
const TWICE = {
  get() {
    return [this.c1, this.c1]
  },
  set(value) {
    this.c1 = value
  },
  configurable: true,
}

class Model {
  get shout() {
    return `${/** @type {any} */ (this).c1}!`
  }
}

/** @type {Record<string, (row: any) => any>} what an application does with a row */
const USES = {
  'its properties by name': (row) => [row.c0, row.c3, row.c7, row.missing],
  'its properties by a computed name': (row) => Object.keys(COLUMNS).map((i) => row[`c${i}`]),
  destructuring: ({ c1, c4, ...rest }) => [c1, c4, rest],
  'Object.keys': (row) => Object.keys(row),
  'Object.values': (row) => Object.values(row),
  'Object.entries': (row) => Object.entries(row),
  'Object.getOwnPropertyNames': (row) => Object.getOwnPropertyNames(row),
  'Object.getOwnPropertyDescriptors': (row) => Object.getOwnPropertyDescriptors(row),
  'for in': (row) => {
    const seen = []
    for (const name in row) seen.push([name, row[name]])
    return seen
  },
  spread: (row) => ({ before: 1, ...row }),
  'Object.assign': (row) => Object.assign({}, row),
  'Object.fromEntries': (row) => Object.fromEntries(Object.entries(row)),
  'JSON.stringify': (row) => JSON.stringify(row),
  'JSON.stringify with names and indent': (row) => JSON.stringify({ row }, ['row', 'c1', 'c2'], 2),
  in: (row) => ['c0' in row, 'missing' in row, 'toString' in row, Symbol.iterator in row],
  hasOwnProperty: (row) => [
    // eslint-disable-next-line no-prototype-builtins -- people do
    row.hasOwnProperty('c2'),
    Object.hasOwn(row, 'x'),
    Object.hasOwn(row, 'toString'),
  ],
  // eslint-disable-next-line no-prototype-builtins -- people do
  propertyIsEnumerable: (row) => [row.propertyIsEnumerable('c2'), row.propertyIsEnumerable('toString')],
  'what it is': (row) => [
    typeof row,
    String(row),
    Array.isArray(row),
    row instanceof Object,
    row.constructor === Object,
    Object.getPrototypeOf(row) === Object.prototype,
    row.__proto__ === Object.prototype,
    Object.prototype.toString.call(row),
    row.valueOf() === row,
    row.then,
    row[Symbol.toPrimitive],
  ],
  inspect: (row) => [inspect(row), inspect([row], { depth: 0 }), inspect({ row }, { compact: false })],
  'assigning to a column': (row) => {
    row.c1 = 'another'
    row.c0 = row.c0 + 1
    return [row.c1, row]
  },
  'assigning undefined and null': (row) => {
    row.c1 = undefined
    row.c2 = null
    return [row.c1, 'c1' in row, row.c2, row]
  },
  'adding a property': (row) => {
    row.extra = { a: 1 }
    row['c9 '] = 1
    return [row.extra, row]
  },
  'deleting a column': (row) => {
    const deleted = delete row.c1
    return [deleted, row.c1, 'c1' in row, row]
  },
  'deleting and adding again': (row) => {
    delete row.c1
    row.c1 = 'last'
    return row
  },
  'reading twice': (row) => [row.c3 === row.c3, row.c9 === row.c9, row.c3 === { ...row }.c3],
  'changing a value': (row) => {
    row.c3?.setTime(0)
    row.c8?.push('more')
    return row
  },
  freezing: (row) => {
    Object.freeze(row)
    return [
      Object.isFrozen(row),
      Reflect.set(row, 'c1', 1),
      Reflect.set(row, 'x', 1),
      Reflect.deleteProperty(row, 'c1'),
      row,
      Object.getPrototypeOf(row) === Object.prototype,
    ]
  },
  sealing: (row) => {
    Object.seal(row)
    row.c1 = 'in place'
    return [Object.isSealed(row), Object.isFrozen(row), row]
  },
  'defining properties': (row) => {
    Object.defineProperty(row, 'c1', { value: 'defined' })
    Object.defineProperty(row, 'hidden', { value: 1, enumerable: false, configurable: true })
    Object.defineProperty(row, 'fixed', { value: 2 })
    Object.defineProperty(row, 'sum', { get: three, enumerable: true, configurable: true })
    return [row.c1, row.hidden, row.fixed, row.sum, Object.keys(row), JSON.stringify(row)]
  },
  'an accessor that looks at its row': (row) => {
    Object.defineProperty(row, 'twice', TWICE)
    row.twice = 'set'
    return [row.twice, row.c1]
  },
  'another prototype': (row) => {
    Object.setPrototypeOf(row, Model.prototype)
    return [row.shout, row instanceof Model, Object.keys(row), row.toString()]
  },
  'an object that inherits from it': (row) => {
    const child = Object.create(row)
    child.c1 = 'own'
    child.extra = 1
    return [child.c0, child.c1, row.c1, 'extra' in row, Object.keys(child), JSON.stringify(child), child.c3]
  },
  'reading in reverse': (row) => COLUMNS.map((_, i) => row[`c${14 - i}`]),
  'a Map and a Set of it': (row) => [new Map([[row, 1]]).get(row), new Set([row, row]).size],
  'comparing with itself spread': (row) => {
    legacyAssert.deepEqual(row, { ...row })
    assert.deepEqual(row, { ...row })
    assert.deepEqual({ ...row }, row)
    assert.notDeepEqual(row, { ...row, c1: 'another' })
    return true
  },
}

for (const [name, use] of Object.entries(USES)) {
  test(`a lazy row does as a plain one: ${name}`, async () => {
    const pair = await openPair()
    const options = { actual: pair.native, expected: pair.stock }
    // Later rows have columns that are decoded with the batch, since they were read before.
    for (const warm of [0, 40, 40]) {
      const both = await rowsOfBoth({ columns: COLUMNS, rows: [...ROWS, ...rowsOf(15, warm)], on: pair })
      assert.equal(both.lazy.length, both.plain.length)
      both.lazy.forEach((row, i) => {
        assertSame(use(row), use(both.plain[i]), { ...options, at: `row ${i}` })
        assertSame(row, both.plain[i], { ...options, at: `row ${i} itself` })
      })
    }
    await closePair(pair)
  })
}

test('assert.deepEqual of a lazy row and a plain one', async () => {
  // Columns whose values are of no class that each copy of pg has its own of.
  const columns = COLUMNS.slice(0, 11)
  const { plain, lazy } = await rowsOfBoth({ columns, rows: rowsOf(11, 3) })
  legacyAssert.deepEqual(lazy, plain)
  assert.deepStrictEqual(lazy, plain)
  assert.deepStrictEqual(plain, (await rowsOfBoth({ columns, rows: rowsOf(11, 3) })).lazy)
})

test('toObject gives a plain row of the caller alone', async () => {
  const { plain, lazy } = await rowsOfBoth({ columns: COLUMNS.slice(0, 11), rows: rowsOf(11, 2) })
  const date = lazy[0].c3
  const object = lazy[0].toObject()
  assert.equal(utilTypes.isProxy(object), false)
  assert.deepStrictEqual(object, plain[0])
  assert.equal(object.c3, date, 'what was read before is the same value')
  object.c0 = 'changed'
  assert.equal(lazy[0].c0, plain[0].c0)
  assert.deepStrictEqual(lazy[0].toObject(), plain[0])
  assert.deepStrictEqual(lazy[1].toJSON(), plain[1])
  assert.equal('toObject' in lazy[0], true)
  assert.equal(Object.hasOwn(lazy[0], 'toObject'), false)
  assert.throws(() => lazy[0].toObject.call({}), TypeError)
  assert.deepStrictEqual(structuredClone(lazy[1].toObject()), structuredClone(plain[1]))
})

for (const [name, names] of Object.entries(NAMES)) {
  test(`lazy rows, column names: ${name}`, async () => {
    const columns = columnsOf(names)
    const pair = await openPair()
    // pg makes rows with a column named __proto__ itself.
    const lazy = !names.includes('__proto__')
    for (let i = 0; i < 2; i++) {
      const both = await rowsOfBoth({ columns, rows: rowsOf(names.length, 40), on: pair, lazy })
      const options = { actual: pair.native, expected: pair.stock }
      for (const [k, row] of both.lazy.entries()) {
        const expected = both.plain[k]
        for (const key of Object.keys(expected)) assertSame(row[key], expected[key], { ...options, at: key })
        assertSame(JSON.stringify(row), JSON.stringify(expected), options)
        assertSame({ ...row }, expected, options)
        assertSame(row, expected, options)
      }
    }
    await closePair(pair)
  })
}

test('columns named as the methods of a row', async () => {
  const columns = ['toObject', 'toJSON', 'constructor', 'hasOwnProperty', '__defineGetter__', 'valueOf']
  const { plain, lazy } = await rowsOfBoth({ columns, rows: [['a', 'b', 'c', 'd', 'e', null]] })
  assert.equal(lazy[0].toObject, 'a')
  assert.equal(lazy[0].toJSON, 'b')
  assert.deepStrictEqual({ ...lazy[0] }, plain[0])
  assert.equal(JSON.stringify(lazy[0]), JSON.stringify(plain[0]))
  assert.equal(inspect(lazy[0]), inspect(plain[0]))
})

test('lazy rows without columns', async () => {
  const { plain, lazy } = await rowsOfBoth({ columns: [], rows: [[], [], []], lazy: false })
  assert.deepStrictEqual(lazy, plain)
  assert.equal(JSON.stringify(lazy), '[{},{},{}]')
})

test('lazy rows of 1600 columns', async () => {
  const columns = columnsOf(Array.from({ length: 1600 }, (_, i) => `c${i}`))
  const pair = await openPair()
  const options = { actual: pair.native, expected: pair.stock }
  const { plain, lazy } = await rowsOfBoth({ columns, rows: rowsOf(1600, 3), on: pair })
  for (let i = 1599; i >= 0; i--) assertSame(lazy[0][`c${i}`], plain[0][`c${i}`], options)
  assertSame(lazy, plain, options)
  await closePair(pair)
})

test('lazy rows longer than a chunk, in pieces', async () => {
  const columns = columnsOf(['id', 'long', 'flag', 'at', 'n', 'f', 'big', 'json', 'ints', 'bytes'])
  const long = 'é'.repeat(50_000)
  const rows = Array.from({ length: 4 }, (_, i) => {
    const row = rowsOf(10, 4)[i]
    row[1] = long + i
    row[9] = `\\x${'ab'.repeat(40_000)}`
    return row
  })
  for (const cut of [pieces(1000), pieces(65_536), pieces(1_000_000)]) {
    const pair = await openPair({ cut })
    const options = { actual: pair.native, expected: pair.stock }
    const { plain, lazy } = await rowsOfBoth({ columns, rows, on: pair })
    for (const i of [3, 0, 2]) {
      assert.equal(lazy[i].long, plain[i].long)
      assertSame(lazy[i].bytes, plain[i].bytes, options)
      assert.equal(lazy[i].id, plain[i].id)
    }
    assertSame(lazy, plain, options)
    await closePair(pair)
  }
})

/** Values that take another way than most of their type. @type {[number, string[]][]} */
const VALUES = [
  [
    23,
    [
      '0',
      '-0',
      '-1',
      '-2147483648',
      '2147483647',
      '123456789',
      '1234567890',
      '007',
      '-',
      '',
      ' 5',
      '5x',
      'x',
    ],
  ],
  [16, ['t', 'f', 'true', 'on', '', 'T', '1', 'no']],
  [
    25,
    ['', 'short', 'twelve chars', 'thirteen char', 'é', 'é'.repeat(20), 'x'.repeat(5000), '日本語', '\u0080'],
  ],
  [20, ['9007199254740993', '-1', '']],
  [26, ['0', '2147483648', '4294967295', '4294967296', '']],
  [701, ['1.5', 'NaN', '-Infinity', '1e-7', '', 'x', '12345678901234567890']],
  [
    1184,
    ['2024-01-02 03:04:05.678+00', 'infinity', '-infinity', '0044-03-15 00:00:00+00 BC', 'nonsense', ''],
  ],
  [1114, ['2024-03-31 02:30:00', 'infinity', '0099-01-01 00:00:00', '']],
  [1082, ['2024-02-29', '-infinity', '12024-01-01']],
  [17, ['\\x00ff', '\\x', 'abc\\000\\\\']],
  [114, ['null', '{"__proto__": 1}', '[1, 2]', '"text"']],
  [1007, ['{1,NULL,-3}', '{}', '{{1,2},{3,4}}']],
  [1186, ['1 year 2 days 03:04:05.6', '']],
  [600, ['(1.5,-2)']],
]

for (const [oid, values] of VALUES) {
  test(`lazy rows, values of type ${oid}`, async () => {
    const columns = [{ name: 'before' }, { name: 'v', dataTypeID: oid }]
    const rows = [null, ...values].map((value) => ['x', value])
    const many = Array.from({ length: 40 }, (_, i) => rows[i % rows.length])
    const pair = await openPair()
    const options = { actual: pair.native, expected: pair.stock }
    for (let i = 0; i < 3; i++) {
      const { plain, lazy } = await rowsOfBoth({ columns, rows: many, on: pair })
      lazy.forEach((row, k) => assertSame(row.v, plain[k].v, { ...options, at: `${inspect(many[k][1])}` }))
      assertSame(lazy, plain, options)
    }
    await closePair(pair)
  })
}

test('lazy rows of binary format', async () => {
  const int8 = Buffer.alloc(8)
  int8.writeBigInt64BE(-9007199254740993n)
  const types = /** @type {[number, Buffer][]} */ ([
    [16, Buffer.from([1])],
    [20, int8],
    [21, Buffer.from([0, 7])],
    [23, Buffer.from([0, 0, 0, 7])],
    [25, Buffer.from('text')],
    [700, Buffer.from([0x3f, 0x80, 0, 0])],
    [1184, Buffer.from([0, 0, 0, 0, 0, 1, 2, 3])],
    [1114, Buffer.from([0, 0, 0, 0, 0, 1, 2, 3])],
    [99999, Buffer.from('abc')],
  ])
  const columns = types.map(([dataTypeID], i) => ({ name: `b${i}`, dataTypeID, format: 1 }))
  const rows = Array.from({ length: 40 }, () => types.map(([, bytes]) => bytes))
  const pair = await openPair()
  const { lazy } = await rowsOfBoth({ columns, rows, on: pair, query: { binary: true } })
  pair.native.backend.replies.push({ columns, rows })
  const plain = (await pair.native.client.query({ text: 'select', binary: true })).rows
  // The plain rows of this package: stock destroys bytes above 0x7f.
  const options = { actual: pair.native, expected: pair.native }
  lazy.forEach((row, i) => {
    for (const key of Object.keys(plain[i]).reverse())
      assertSame(row[key], plain[i][key], { ...options, at: key })
  })
  assertSame(lazy, plain, options)
  await closePair(pair)
})

test("the application's parsers are called once per cell, when it is read, as stock calls them", async () => {
  const flavours = loadBoth()
  const calls = /** @type {any[][]} */ ([])
  const pair = await openPair({ flavours })
  const config = {
    getTypeParser: (/** @type {number} */ oid) =>
      /** @this {any} */
      function (/** @type {any[]} */ ...args) {
        calls.push([oid, args, Array.isArray(this) && this.length])
        return oid === 25 ? undefined : { parsed: args[0] }
      },
  }
  const columns = [{ name: 'a', dataTypeID: 23 }, 'b', { name: 'c', dataTypeID: 20 }]
  const rows = Array.from({ length: 50 }, (_, i) => [String(i), `text ${i}`, i % 5 ? `${i}00` : null])
  for (let round = 0; round < 3; round++) {
    calls.length = 0
    pair.native.backend.replies.push({ columns, rows })
    const lazy = (await pair.native.client.query({ ...LAZY, types: config })).rows
    assertLazy(lazy)
    assert.deepEqual(calls, [], 'nothing is read yet')
    for (const [i, row] of lazy.entries()) {
      assert.equal(row.c, row.c)
      assert.deepEqual(calls.splice(0), i % 5 ? [[20, [`${i}00`], 3]] : [])
      assert.equal(row.b, undefined)
      assert.equal(row.b, undefined)
      assert.deepEqual(calls.splice(0), [[25, [`text ${i}`], 3]])
      void { ...row }
      JSON.stringify(row)
      assert.deepEqual(calls.splice(0), [[23, [String(i)], 3]])
    }
  }
  await closePair(pair)
})

test('a parser that throws throws where the cell is read, and nowhere else', async () => {
  const pair = await openPair({ flavours: loadBoth() })
  const { client, backend } = pair.native
  let calls = 0
  const config = {
    getTypeParser: (/** @type {number} */ oid) => (/** @type {string} */ text) => {
      calls++
      if (oid === 20) throw new Error(`cannot read ${text}`)
      return `${oid} ${text}`
    },
  }
  const columns = [
    { name: 'a', dataTypeID: 23 },
    { name: 'bad', dataTypeID: 20 },
    { name: 'z', dataTypeID: 23 },
  ]
  for (let round = 0; round < 2; round++) {
    backend.replies.push({ columns, rows: Array.from({ length: 40 }, () => ['1', '2', '3']) })
    const { rows } = await client.query({ ...LAZY, types: config })
    for (const row of rows) {
      assert.throws(() => row.bad, /cannot read 2/)
      assert.throws(() => row.bad, /cannot read 2/)
      assert.throws(() => ({ ...row }), /cannot read 2/)
      assert.throws(() => row.toObject(), /cannot read 2/)
      assert.deepEqual(Reflect.ownKeys(row), ['a', 'bad', 'z'])
      assert.match(inspect(row), /a: '23 1',\n {2}bad: Error: cannot read 2/)
      calls = 0
      assert.equal(row.a, '23 1')
      assert.equal(row.z, '23 3')
      assert.equal(calls, 0, 'both were made for what was shown')
      row.bad = 'mended'
      assert.deepStrictEqual(row.toObject(), { a: '23 1', bad: 'mended', z: '23 3' })
    }
  }
  backend.replies.push({ columns: ['x'], rows: [['goes on']] })
  assert.deepEqual((await client.query('select')).rows, [{ x: 'goes on' }])
  await closePair(pair)
})

test('a parser that reads another lazy row', async () => {
  const pair = await openPair({ flavours: loadBoth() })
  const { client, backend } = pair.native
  const columns = columnsOf(Array.from({ length: 8 }, (_, i) => `c${i}`))
  backend.replies.push(
    { columns, rows: rowsOf(8, 2) },
    { columns, rows: rowsOf(8, 2) },
    { columns, rows: rowsOf(8, 2) }
  )
  const plain = (await client.query('select')).rows
  const [other] = (await client.query(LAZY)).rows
  const getTypeParser = (/** @type {number} */ oid) => (/** @type {string} */ text) =>
    oid === 16 ? { ...other } : pair.native.types.getTypeParser(oid)(text)
  const [row] = (await client.query({ ...LAZY, types: { getTypeParser } })).rows
  assert.deepStrictEqual(row.toObject(), { ...plain[0], c2: plain[0] })
  await closePair(pair)
})

for (const [how, run] of /** @type {[string, (context: any) => Promise<any>][]} */ ([
  [
    'a cursor',
    async ({ client, Cursor }) => {
      const cursor = client.query(new Cursor('select', [], { rowMode: 'lazy' }))
      const rows = []
      for (let some = await cursor.read(7); some.length > 0; some = await cursor.read(7)) rows.push(...some)
      return rows
    },
  ],
  [
    'a query stream',
    async ({ client, QueryStream }) => {
      const rows = []
      for await (const row of client.query(new QueryStream('select', [], { rowMode: 'lazy', batchSize: 9 })))
        rows.push(row)
      return rows
    },
  ],
  [
    'row events',
    async ({ client, pg }) => {
      const rows = /** @type {any[]} */ ([])
      const query = client.query(new pg.Query(LAZY))
      query.on('row', (/** @type {any} */ row) => {
        void row.c1
        void row.c3
        rows.push(row)
      })
      await new Promise((resolve, reject) => query.on('end', resolve).on('error', reject))
      return rows
    },
  ],
  [
    'a prepared statement',
    async ({ client }) => (await client.query({ ...LAZY, name: 'p', values: [1] })).rows,
  ],
])) {
  test(`lazy rows of ${how}`, async () => {
    const { native } = await same({ replies: [{ columns: COLUMNS, rows: rowsOf(15, 60) }], run })
    assert.equal(native.length, 60)
    assertLazy(native)
  })
}

test('statements of one text, each with rows of another shape', async () => {
  const { native } = await same({
    replies: [
      [
        { columns: ['a', 'b'], rows: [['1', '2']] },
        { columns: ['b'], rows: [['3'], ['4']] },
      ],
    ],
    query: LAZY,
  })
  for (const { rows } of native) assertLazy(rows)
})

const bad = Buffer.concat([Buffer.from([0, 2]), Buffer.from([0, 0, 0, 1, 0x31, 0, 0, 0, 9, 0x32])])

test('a row that is not as it should be rejects the query, as with plain rows', async () => {
  const good = ['1', '2']
  for (const row of [wire.message('D', bad), wire.dataRow(['1'])]) {
    const pair = await openPair()
    const errors = []
    for (const query of [LAZY, { text: 'select' }]) {
      const { client, backend } = pair.native
      backend.replies.push({ columns: ['a', 'b'], rows: [good, row, good] })
      errors.push(
        await client
          .query(query)
          .then((/** @type {any} */ { rows }) => rows.map((/** @type {any} */ r) => ({ ...r })), String)
      )
      backend.replies.push({ columns: ['a', 'b'], rows: [good] })
      assert.deepStrictEqual((await client.query(LAZY)).rows[0].toObject(), { a: '1', b: '2' })
    }
    assert.deepStrictEqual(errors[0], errors[1])
    await closePair(pair)
  }
})

test('without acceleration the rows are plain', async () => {
  const { stock } = loadBoth()
  const pair = await openPair({ flavours: { stock, native: stock } })
  pair.stock.backend.replies.push({ columns: ['a'], rows: [['1']] })
  const { rows } = await pair.stock.client.query(LAZY)
  assert.deepStrictEqual(rows, [{ a: '1' }])
  assert.equal(utilTypes.isProxy(rows[0]), false)
  await closePair(pair)
})

const FLAG = '--disallow-code-generation-from-strings'

test('lazy rows without code generation', { skip: process.execArgv.includes(FLAG) }, () => {
  const env = { ...process.env }
  delete env.NODE_TEST_CONTEXT
  const { status, stdout } = spawnSync(process.execPath, [FLAG, __filename], { encoding: 'utf8', env })
  assert.equal(status, 0, stdout)
  assert.match(stdout, /# pass [1-9]|ℹ pass [1-9]/)
})
