'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { openPair, closePair, same, pieces } = require('../support/query')
const { loadBoth } = require('../support/flavours')

// Type parsers of the user's: on pg.types, on the client, on the query, before and after; what they are called with,
// how often, in which order, with which `this`; and what comes of it when they throw.

/** @typedef {import('../support/query').Context} Context */

const columns = [
  { name: 'i', dataTypeID: 23 },
  { name: 't', dataTypeID: 25 },
  { name: 'b', dataTypeID: 20 },
  { name: 'd', dataTypeID: 1184 },
  { name: 'n', dataTypeID: 1700 },
  { name: 'f', dataTypeID: 16 },
]
const rows = Array.from({ length: 30 }, (_, i) =>
  [
    `${i}`,
    `té${i}`,
    `900${i}`,
    `2024-01-${String((i % 28) + 1).padStart(2, '0')} 00:00:00+00`,
    `${i}.5`,
    i % 2 ? 't' : 'f',
  ].map((cell, column) => ((i + column) % 13 === 0 ? null : cell))
)
const reply = { columns, rows }

/**
 * A parser that notes its calls; the `_parsers` array that is its `this` cannot be told before the query has ended.
 * @param {any[]} log
 * @param {string} name
 */
const noting = (log, name, give = (/** @type {any} */ value) => `<${value}>`) =>
  function (/** @type {any[]} */ ...args) {
    // @ts-ignore
    log.push({ name, args, self: this })
    return give(args[0])
  }

const MODES = [{ text: 'select' }, { text: 'select', rowMode: 'array' }]

/** @param {(context: Context) => any} prepare @param {any} [more] */
const sameInBothModes = async (prepare, more = {}) => {
  const both = loadBoth({ before: more.before })
  for (const query of MODES) {
    for (const cut of [undefined, pieces(40)]) {
      await same({
        replies: [reply, reply],
        flavours: both,
        made: cut ? 'any' : 'all',
        cut,
        run: async (context) => {
          const config = { ...query, ...prepare(context) }
          const first = await context.client.query(config)
          for (const entry of context.log) if (entry.self) assert.equal(entry.self, first._parsers)
          return [first, await context.client.query(config)]
        },
        ...more.comparison,
      })
    }
  }
}

for (const oid of [23, 25, 20, 1184, 1700, 16]) {
  test(`type ${oid}: parser set on pg.types`, async () => {
    await sameInBothModes(({ types, log }) => void types.setTypeParser(oid, noting(log, 'global')))
  })

  test(`type ${oid}: parser set on pg.types before pg is accelerated`, async () => {
    const log = /** @type {any[]} */ ([])
    await sameInBothModes(() => undefined, {
      before: (/** @type {any} */ pg) => pg.types.setTypeParser(oid, noting(log, 'global')),
    })
    assert.ok(log.length > 0)
  })

  test(`type ${oid}: parser set on the client`, async () => {
    await sameInBothModes(({ client, log }) => void client.setTypeParser(oid, noting(log, 'client')))
  })

  test(`type ${oid}: parser from the query's types`, async () => {
    await sameInBothModes(({ types, log }) => ({
      types: {
        getTypeParser(/** @type {any[]} */ ...args) {
          log.push({ asked: args })
          return args[0] === oid ? noting(log, 'query') : types.getTypeParser(...args)
        },
      },
    }))
  })
}

test('types given to the client', async () => {
  for (const query of MODES) {
    const asked = { stock: /** @type {any[]} */ ([]), native: /** @type {any[]} */ ([]) }
    const both = loadBoth()
    const open = (/** @type {'stock' | 'native'} */ name) => ({
      types: {
        getTypeParser(/** @type {any[]} */ ...args) {
          asked[name].push(args)
          return args[0] === 23
            ? (/** @type {string} */ value) => Number(value) + 0.5
            : both[name].types.getTypeParser(...args)
        },
      },
    })
    const pair = {
      stock: (await openPair({ flavours: both, client: open('stock') })).stock,
      native: (await openPair({ flavours: both, client: open('native') })).native,
    }
    await same({ on: pair, replies: [reply], query })
    await same({ on: pair, replies: [reply], query })
    assert.deepEqual(asked.native, asked.stock)
    assert.equal(asked.native.length, 2 * columns.length)
    await closePair(pair)
  }
})

test('the query’s types come before the client’s, and those before the ones of pg', async () => {
  await sameInBothModes(({ types, client, log }) => {
    types.setTypeParser(23, noting(log, 'pg'))
    types.setTypeParser(20, noting(log, 'pg'))
    types.setTypeParser(16, noting(log, 'pg'))
    client.setTypeParser(20, noting(log, 'client'))
    client.setTypeParser(16, noting(log, 'client'))
    const overrides = {
      getTypeParser(/** @type {number} */ oid, /** @type {string} */ format) {
        return oid === 16 ? noting(log, 'query') : client.getTypeParser(oid, format)
      },
    }
    return { types: overrides }
  })
})

test('all parsers are asked for once per description, with type and format', async () => {
  await sameInBothModes(({ types, log }) => ({
    types: {
      getTypeParser(/** @type {any[]} */ ...args) {
        log.push({ asked: args })
        return types.getTypeParser(...args)
      },
    },
  }))
})

test('what parsers may give', async () => {
  const gifts = [
    undefined,
    null,
    NaN,
    -0,
    Symbol.iterator,
    10n,
    () => 1,
    [],
    {},
    new Date(0),
    Promise.resolve(1),
    new Map(),
  ]
  for (const gift of gifts) {
    await sameInBothModes(({ client }) => {
      client.setTypeParser(23, () => gift)
      client.setTypeParser(25, () => gift)
    })
  }
})

test('functions that are somebody else’s: built-ins, parsers of other types', async () => {
  const others = [
    Number,
    String,
    BigInt,
    Boolean,
    parseInt,
    parseFloat,
    Symbol.for,
    Array.of,
    (/** @type {any} */ v) => v,
  ]
  for (const other of others) await sameInBothModes(({ client }) => void client.setTypeParser(23, other))
  for (const oid of [16, 17, 20, 21, 23, 25, 700, 1082, 1184, 1186, 1007, 1016, 1700]) {
    await sameInBothModes(({ client, types }) => {
      client.setTypeParser(23, types.getTypeParser(oid))
      client.setTypeParser(20, types.getTypeParser(oid))
      client.setTypeParser(1700, types.getTypeParser(oid))
      client.setTypeParser(25, types.getTypeParser(oid))
      client.setTypeParser(1184, types.getTypeParser(oid))
    })
  }
})

test('parsers of types that have none', async () => {
  await same({
    replies: [
      {
        columns: [
          { name: 'e', dataTypeID: 99_999 },
          { name: 'u', dataTypeID: 4294967295 },
        ],
        rows: Array(20).fill(['x', null]),
      },
    ],
    prepare: ({ client, log }) => {
      client.setTypeParser(99_999, noting(log, 'enum'))
      client.setTypeParser(4294967295, noting(log, 'huge'))
    },
    run: async ({ client, log }) => {
      const result = await client.query('select')
      for (const entry of log) entry.self = entry.self === result._parsers
      return result
    },
  })
})

test('no parser at all: setTypeParser(oid, undefined), a getTypeParser that gives nothing', async () => {
  await sameInBothModes(({ client }) => {
    client.setTypeParser(23, undefined)
    client.setTypeParser(25, undefined)
  })
  await same({
    replies: [reply, reply],
    made: 'any',
    run: async ({ client }) => {
      const failed = await client
        .query({ text: 'select', types: { getTypeParser: () => undefined } })
        .catch((/** @type {any} */ e) => e)
      return [failed, await client.query('select')]
    },
  })
})

test('parsers that change between two queries', async () => {
  const both = loadBoth()
  const pair = await openPair({ flavours: both })
  const query = (/** @type {any} */ prepare) => same({ on: pair, replies: [reply], prepare })
  const stock = /** @type {any} */ ({})
  await query((/** @type {Context} */ { name, types }) => (stock[name] = types.getTypeParser(23)))
  await query((/** @type {Context} */ { types }) =>
    types.setTypeParser(23, (/** @type {string} */ v) => `${v}!`)
  )
  await query((/** @type {Context} */ { client }) =>
    client.setTypeParser(23, (/** @type {string} */ v) => `${v}?`)
  )
  await query((/** @type {Context} */ { client, name }) => client.setTypeParser(23, stock[name]))
  await query((/** @type {Context} */ { client }) => client.setTypeParser(1184, String))
  await query((/** @type {Context} */ { types, name }) => types.setTypeParser(23, stock[name]))
  await closePair(pair)
})

test('parsers that change while rows come in: the query has got its own already', async () => {
  await same({
    flavours: loadBoth(),
    replies: [reply, reply],
    run: async ({ client, pg, types, log }) => {
      const query = new pg.Query('select')
      query.on('row', (/** @type {any} */ row) => {
        log.push(row)
        if (log.length === 3) client.setTypeParser(23, () => 'client')
        if (log.length === 5) types.setTypeParser(25, () => 'pg')
      })
      await new Promise((resolve) => client.query(query).once('end', resolve))
      return client.query('select')
    },
  })
})

test('a result whose parsers are replaced while rows come in', async () => {
  await same({
    replies: [reply],
    made: 'any',
    run: async ({ client, pg, log }) => {
      const query = new pg.Query('select')
      query.on('row', (/** @type {any} */ row, /** @type {any} */ result) => {
        log.push(row)
        if (log.length === 4) result._parsers[0] = () => 'another'
        if (log.length === 9) result._parsers = result._parsers.map(() => String)
      })
      return new Promise((resolve) => client.query(query).once('end', resolve))
    },
  })
})

for (const rowMode of [undefined, 'array']) {
  for (const at of [0, 1, 7, 27]) {
    test(`a parser that throws at row ${at}${rowMode ? ', as arrays' : ''}`, async () => {
      for (const cut of [undefined, pieces(33)]) {
        await same({
          replies: [reply, { columns, rows: rows.slice(0, 5) }],
          made: 'any',
          cut,
          run: async ({ client, pg, log }) => {
            const thrown = Object.assign(new Error('mine'), { code: 'MINE' })
            let calls = 0
            const parse = (/** @type {string} */ value) => {
              log.push(value)
              if (calls++ === at) throw thrown
              return value
            }
            const types = {
              getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) =>
                oid === 25 ? parse : client.getTypeParser(oid, format),
            }
            const query = new pg.Query({ text: 'select', rowMode, types })
            query.on('row', (/** @type {any} */ row) => log.push(row))
            query.on('end', () => log.push('end'))
            const error = await new Promise((resolve) => client.query(query).once('error', resolve))
            assert.equal(error, thrown, 'that very object')
            return [error, query._result, await client.query('select')]
          },
        })
      }
    })
  }
}

test('a parser that throws what is no Error', async () => {
  for (const thrown of ['text', 5, { an: 'object' }]) {
    await same({
      replies: [reply, reply],
      made: 'any',
      run: async ({ client, pg }) => {
        const parse = () => {
          throw thrown
        }
        const query = new pg.Query({ text: 'select', types: { getTypeParser: () => parse } })
        const error = await new Promise((resolve) => client.query(query).once('error', resolve))
        assert.equal(error, thrown)
        return [error, await client.query('select')]
      },
    })
  }
})

test('JSON that is none, in the middle of rows', async () => {
  for (const at of [0, 3, 25]) {
    const cells = Array.from({ length: 26 }, (_, i) => [String(i), i === at ? '{bad' : `{"i": ${i}}`])
    await same({
      replies: [
        {
          columns: [
            { name: 'i', dataTypeID: 23 },
            { name: 'j', dataTypeID: 3802 },
          ],
          rows: cells,
        },
        reply,
      ],
      made: 'any',
      run: async ({ client, pg, log }) => {
        const query = new pg.Query('select')
        query.on('row', (/** @type {any} */ row) => log.push(row))
        const error = await new Promise((resolve) => client.query(query).once('error', resolve))
        assert.ok(error instanceof SyntaxError)
        assert.equal(log.length, at)
        return [error, await client.query('select')]
      },
    })
  }
})

test('a parser that makes a query of its own', async () => {
  await same({
    replies: [{ columns: [columns[0]], rows: [['1'], ['2'], ['3']] }, reply, reply, reply],
    made: 'all',
    run: async ({ client }) => {
      const others = /** @type {Promise<any>[]} */ ([])
      const parse = (/** @type {string} */ value) => {
        others.push(client.query('select'))
        return value
      }
      const result = await client.query({ text: 'select', types: { getTypeParser: () => parse } })
      return [result, await Promise.all(others)]
    },
  })
})

test('a parser that throws: the rows before it are in the result of the query', async () => {
  for (const at of [0, 1, 12, 29]) {
    await same({
      replies: [{ columns, rows: rows.map((cells) => cells.map((cell) => cell ?? '1')) }, reply],
      made: 'any',
      run: async ({ client, pg }) => {
        let calls = 0
        const parse = (/** @type {string} */ value) => {
          if (calls++ === at) throw new Error('mine')
          return value
        }
        const types = {
          getTypeParser: (/** @type {number} */ oid, /** @type {string} */ format) =>
            oid === 25 ? parse : client.getTypeParser(oid, format),
        }
        const query = new pg.Query({ text: 'select', types }, () => {})
        const error = await new Promise((resolve) => {
          query.callback = resolve
          client.query(query)
        })
        assert.equal(query._result.rows.length, at)
        return [error, query._result, await client.query('select')]
      },
    })
  }
})

// Fake timers and JSON libraries replace what is global, after pg was loaded.
for (const [name, replace] of /** @type {[string, () => () => void][]} */ ([
  ['Date', () => swap(globalThis, 'Date', class Fake extends Date {})],
  ['JSON.parse', () => swap(JSON, 'parse', () => 'mine')],
  ['parseFloat', () => swap(globalThis, 'parseFloat', () => -1)],
])) {
  test(`an application that replaces ${name}`, async () => {
    const types = [23, 701, 1082, 1114, 1184, 114, 1007, 1022, 1185, 199, 1186]
    const cells = [
      '7',
      '1.5',
      '2024-01-02',
      '2024-01-02 03:04:05',
      '2024-01-02 03:04:05+00',
      '{"a": 1}',
      '{7,8}',
      '{1.5}',
    ]
    cells.push('{"2024-01-02 03:04:05+00"}', '{"1"}', '1 day 00:00:01')
    const many = {
      columns: types.map((dataTypeID, i) => ({ name: `c${i}`, dataTypeID })),
      rows: Array(20).fill(cells),
    }
    const pair = await openPair()
    await same({ on: pair, replies: [many] })
    const putBack = replace()
    try {
      await same({ on: pair, replies: [many], made: 'any' })
    } finally {
      putBack()
    }
    await same({ on: pair, replies: [many] })
    await closePair(pair)
  })
}

/** @param {any} object @param {string} name @param {any} other */
function swap(object, name, other) {
  const descriptor = /** @type {any} */ (Object.getOwnPropertyDescriptor(object, name))
  Object.defineProperty(object, name, { ...descriptor, value: other })
  return () => void Object.defineProperty(object, name, descriptor)
}

test('parsers for columns of the binary format get a Buffer', async () => {
  const binary = [
    { name: 'a', dataTypeID: 99_999, format: 1 },
    { name: 'b', dataTypeID: 25, format: 1 },
    { name: 'c', dataTypeID: 25 },
  ]
  await same({
    replies: [{ columns: binary, rows: Array(20).fill(['bytes', 'text', 'text']) }],
    prepare: ({ client, log }) =>
      client.setTypeParser(
        99_999,
        'binary',
        noting(log, 'mine', (value) => value.toString('hex'))
      ),
    run: async ({ client, log }) => {
      const result = await client.query('select')
      assert.ok(log.every(({ args: [value] }) => Buffer.isBuffer(value)))
      for (const entry of log) entry.self = entry.self === result._parsers
      return result
    },
  })
})
