'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same, pieces, flavours, connect } = require('../support/query')
const { columnsOf, rowsOf } = require('../support/shapes')
const wire = require('../support/wire')

// The ways in which an application gets its rows: promises, callbacks, events, cursors, streams, pools, pipelines,
// prepared statements, several statements in one text; and what else may come in between.

/** @typedef {import('../support/query').Context} Context */

const columns = columnsOf(['id', 'text', 'flag', 'at', 'amount'])
const reply = (count = 25, tag = `SELECT ${count}`) => ({ columns, rows: rowsOf(5, count), tag })
const other = { columns: columnsOf(['x', 'y']), rows: rowsOf(2, 9), tag: 'SELECT 9' }
const nothing = { columns: null, tag: 'CREATE TABLE' }
const insert = { columns: null, tag: 'INSERT 0 3' }

/** Whole, and cut: then some rows are in no chunk alone. @param {any} comparison */
const sameHoweverCut = async (comparison) => {
  await same(comparison)
  for (const size of [1, 100, 999])
    await same({ ...comparison, cut: pieces(size), made: comparison.made === 'none' ? 'none' : 'any' })
}

/** @param {Context} context @param {any} query emits `row` or not, and ends @param {(event: any[]) => void} [onEvent] */
const events = ({ client, log }, query, onEvent = () => {}) =>
  new Promise((resolve) => {
    query.on('row', (/** @type {any[]} */ ...args) => {
      log.push(['row', args.length, args[0]])
      onEvent(args)
    })
    query.on('error', (/** @type {any} */ error) => resolve(['error', error]))
    query.on('end', (/** @type {any[]} */ ...args) => resolve(['end', ...args]))
    client.query(query)
  })

test('simple and extended protocol, promise and callback', async () => {
  for (const config of [
    'select',
    { text: 'select', values: [1] },
    { text: 'select', queryMode: 'extended' },
    { text: 'select', rowMode: 'array', values: ['x'] },
  ]) {
    await sameHoweverCut({ replies: [reply()], query: config })
    await sameHoweverCut({
      replies: [reply()],
      run: (/** @type {Context} */ { client, log }) =>
        new Promise((resolve) =>
          client.query(config, (/** @type {any[]} */ ...args) => resolve([args, log.length]))
        ),
    })
  }
})

test('row events, without a callback: rows are not kept', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: (/** @type {Context} */ context) => events(context, new context.pg.Query('select')),
  })
  await sameHoweverCut({
    replies: [reply()],
    run: (/** @type {Context} */ context) =>
      events(context, new context.pg.Query({ text: 'select', rowMode: 'array' })),
  })
})

test('row events besides a callback: rows are kept, the very same objects', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: ({ client, pg, log }) =>
      new Promise((resolve) => {
        const query = new pg.Query('select', (/** @type {any} */ error, /** @type {any} */ result) => {
          assert.deepEqual(result.rows, log)
          for (const [i, row] of result.rows.entries()) assert.equal(row, log[i])
          resolve([error, result])
        })
        query.on('row', (/** @type {any} */ row) => log.push(row))
        client.query(query)
      }),
  })
})

test('the row event brings the result as it is at that moment', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: ({ client, pg, log }) =>
      new Promise((resolve) => {
        const query = new pg.Query('select', (/** @type {any} */ error, /** @type {any} */ result) =>
          resolve(result)
        )
        query.on('row', (/** @type {any} */ row, /** @type {any} */ result) => {
          log.push([row, result.rows.length, result.rowCount, result.command, result === query._result])
        })
        client.query(query)
      }),
  })
})

test('listeners that come and go while rows arrive', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: ({ client, pg, log }) =>
      new Promise((resolve) => {
        const query = new pg.Query('select')
        const second = (/** @type {any} */ row) => log.push(['second', row])
        query.once('row', (/** @type {any} */ row) => {
          log.push(['once', row])
          query.on('row', second)
        })
        query.on('row', (/** @type {any} */ row) => {
          log.push(['first', row])
          if (log.length > 12) query.removeListener('row', second)
          if (log.length > 18) query.removeAllListeners('row')
        })
        query.on('end', resolve)
        client.query(query)
      }),
  })
})

test('a listener only for the first row: rows are not kept', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: ({ client, pg, log }) =>
      new Promise((resolve) => {
        const query = new pg.Query('select')
        query.once('row', (/** @type {any} */ row) => log.push(row))
        query.on('end', resolve)
        client.query(query)
      }),
  })
})

test('no listener and no callback: rows are kept', async () => {
  await sameHoweverCut({
    replies: [reply()],
    run: ({ client, pg }) =>
      new Promise((resolve) => client.query(new pg.Query('select')).on('end', resolve)),
  })
})

test('rows that the listener changes', async () => {
  await sameHoweverCut({
    replies: [reply(), reply()],
    run: async ({ client, pg }) => {
      const change = (/** @type {any} */ row) => {
        row.extra = { more: true }
        delete row.text
        row.id = 'changed'
        row.at?.setTime(0)
      }
      const query = new pg.Query('select', () => {})
      query.on('row', change)
      const first = await new Promise((resolve) => client.query(query).on('end', resolve))
      return [first, await client.query('select')]
    },
  })
})

test('rows are nobody else’s: what is done to one does not show in another', async () => {
  await same({
    replies: [reply(50), reply(50)],
    run: async ({ client }) => {
      const { rows } = await client.query('select')
      for (const row of rows.slice(0, 25)) {
        Object.assign(row, { id: -1, text: -1, more: 1 })
        Object.setPrototypeOf(row, null)
      }
      return [rows, await client.query('select')]
    },
  })
})

test('an emit of the query’s own', async () => {
  await sameHoweverCut({
    replies: [reply()],
    made: 'any',
    run: ({ client, pg, log }) =>
      new Promise((resolve) => {
        const query = new pg.Query('select', (/** @type {any} */ error, /** @type {any} */ result) =>
          resolve(result)
        )
        const emit = query.emit
        query.emit = function (/** @type {any[]} */ ...args) {
          log.push([args[0], args.length])
          return emit.apply(this, args)
        }
        client.query(query)
      }),
  })
})

test('several statements in one text', async () => {
  for (const replies of [
    [reply(), other],
    [reply(3), reply(4), reply(5)],
    [nothing, reply(), insert, other, nothing],
    [reply(0), reply(0)],
    [other, reply(0), other],
    [{ columns: [], rows: [[], []] }, reply(2)],
  ]) {
    for (const rowMode of [undefined, 'array']) {
      await sameHoweverCut({ replies: [replies], query: { text: 'a; b', rowMode } })
      await sameHoweverCut({
        replies: [replies],
        run: (/** @type {Context} */ context) =>
          events(context, new context.pg.Query({ text: 'a; b', rowMode })),
      })
    }
  }
})

test('empty results and statements without rows', async () => {
  for (const one of [reply(0), nothing, insert, { columns: null, tag: 'BEGIN' }]) {
    await sameHoweverCut({ replies: [one] })
    await sameHoweverCut({ replies: [one], query: { text: 'x', values: [1] } })
    await sameHoweverCut({
      replies: [one],
      run: (/** @type {Context} */ context) => events(context, new context.pg.Query('x')),
    })
  }
})

test('an error after some rows, and the next query', async () => {
  const failing = { ...reply(), error: { S: 'ERROR', C: '22012', M: 'division by zero' } }
  for (const config of ['select', { text: 'select', values: [1] }]) {
    await sameHoweverCut({
      replies: [failing, other],
      made: 'any',
      run: async (/** @type {Context} */ context) => {
        const error = await events(context, new context.pg.Query(config))
        return [error, await context.client.query('select')]
      },
    })
  }
  await sameHoweverCut({ replies: [[other, failing, other]], made: 'any' })
})

test('notices, parameters and notifications among rows', async () => {
  const between = [
    wire.noticeResponse({ S: 'NOTICE', M: 'hear' }),
    wire.parameterStatus('TimeZone', 'UTC'),
    wire.notificationResponse(1, 'ch', 'payload'),
  ]
  const rows = rowsOf(5, 40).flatMap((cells, i) => {
    const row = wire.dataRow(cells)
    return i % 7 === 3 ? [Buffer.concat([between[i % 3], row])] : [row]
  })
  for (const cut of [undefined, pieces(77)]) {
    await same({
      replies: [{ columns, rows }],
      made: cut ? 'any' : 'all',
      cut,
      run: (context) => {
        const { client, log } = context
        client.on('notice', (/** @type {any} */ notice) => log.push(['notice', notice.message]))
        client.on('notification', (/** @type {any} */ { channel, payload }) =>
          log.push(['notification', channel, payload])
        )
        return events(context, new context.pg.Query('select'))
      },
    })
  }
})

test('prepared statements, described anew each time', async () => {
  await sameHoweverCut({
    replies: [reply(1), reply(1), reply(1), reply(20), other, reply(1), other, reply(2)],
    run: async (/** @type {Context} */ { client }) => {
      const results = []
      for (let i = 0; i < 8; i++) results.push(await client.query({ name: 'p', text: 'select', values: [i] }))
      return results
    },
  })
})

test('the description of a statement is recognised, and its type parsers are asked for all the same', async () => {
  await same({
    replies: Array(6).fill(reply(3)),
    run: async ({ client, types, log }) => {
      const results = []
      for (let i = 0; i < 6; i++) {
        const asking = {
          getTypeParser: (/** @type {any[]} */ ...args) => {
            log.push([i, ...args])
            return i === 2 ? String : types.getTypeParser(...args)
          },
        }
        results.push(await client.query({ name: 'p', text: 'select', values: [i], types: asking }))
      }
      // The descriptions are the application's to change.
      results[0].fields[0].name = 'changed'
      results[1].fields.length = 1
      return [results, results[3].fields === results[4].fields, results[3].fields[0] === results[4].fields[0]]
    },
  })
})

test('fields that the application changes do not come back with the next query', async () => {
  await same({
    replies: Array(5).fill(reply(3)),
    run: async ({ client }) => {
      const results = []
      for (let i = 0; i < 5; i++) {
        const result = await client.query({ name: 'p', text: 'select', values: [i] })
        results.push(
          structuredClone(result.rows),
          result.fields.map((/** @type {any} */ field) => ({ ...field }))
        )
        result.fields[0].name = 'changed'
        result.fields[1].dataTypeID = 1
        result.fields.pop()
        result._parsers.length = 0
      }
      return results
    },
  })
})

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

test('queries of the application’s own make see messages with fields', async () => {
  await sameHoweverCut({
    replies: [reply()],
    made: 'none',
    run: (/** @type {Context} */ { client, log }) =>
      new Promise((resolve) => {
        client.query({
          submit: (/** @type {any} */ connection) => connection.query('select'),
          handleRowDescription: (/** @type {any} */ { fields }) => log.push(fields),
          handleDataRow: (/** @type {any} */ message) =>
            log.push([message.name, message.length, message.fieldCount, message.fields]),
          handleCommandComplete: (/** @type {any} */ message) => log.push(message),
          handleReadyForQuery: () => resolve('ready'),
          handleError: resolve,
        })
      }),
  })
})

for (const event of ['dataRow', 'message']) {
  test(`who listens to '${event}' of the connection sees each row`, async () => {
    await sameHoweverCut({
      replies: [reply(), other],
      made: 'none',
      run: async (/** @type {Context} */ { client, log }) => {
        client.connection.on(event, (/** @type {any} */ message) => log.push([message.name, message.fields]))
        return [await client.query('select'), await client.query('select')]
      },
    })
    await sameHoweverCut({
      replies: [reply()],
      made: 'any',
      run: (/** @type {Context} */ context) => {
        const { client, log } = context
        let rows = 0
        const listener = (/** @type {any} */ message) => log.push([message.name, message.fields])
        return events(context, new context.pg.Query('select'), () => {
          if (++rows === 5) client.connection.on(event, listener)
          if (rows === 15) client.connection.removeListener(event, listener)
        })
      },
    })
  })
}

/** What an application may do to a query before it is made, or when its rows are described. */
const changes = /** @type {Record<string, (query: any, log: any[]) => void>} */ ({
  handleDataRow: (query, log) => {
    const handle = query.handleDataRow
    query.handleDataRow = function (/** @type {any} */ message) {
      log.push(message.fields)
      return handle.call(this, message)
    }
  },
  parseRow: (query, log) => {
    const parse = query._result.parseRow
    query._result.parseRow = function (/** @type {any} */ fields) {
      log.push(fields)
      return { wrapped: parse.call(this, fields) }
    }
  },
  addRow: (query, log) => {
    query._result.addRow = function (/** @type {any} */ row) {
      log.push(row)
      this.rows.unshift(row)
    }
  },
  addFields: (query, log) => {
    const add = query._result.addFields
    query._result.addFields = function (/** @type {any} */ fields) {
      log.push(fields.length)
      return add.call(this, fields.slice().reverse())
    }
  },
  'the names of fields, before they are added': (query) =>
    describing(query, (message) => {
      for (const field of message.fields) field.name = field.name.toUpperCase()
    }),
  'the fields': (query) =>
    described(query, (result) => {
      result.fields = result.fields.map((/** @type {any} */ field) => ({
        ...field,
        name: `my ${field.name}`,
      }))
    }),
  'the names of fields': (query) =>
    described(query, (result) => {
      result.fields[1].name = 'renamed'
    }),
  'the formats of fields': (query) =>
    described(query, (result) => {
      result.fields[1].format = 'binary'
    }),
  'the parsers': (query) =>
    described(query, (result) => {
      result._parsers = result._parsers.map(() => (/** @type {string} */ text) => `<${text}>`)
    }),
  'one parser': (query) =>
    described(query, (result) => {
      result._parsers[0] = (/** @type {string} */ text) => `<${text}>`
    }),
  'the parseRow of the result, when it is described': (query) =>
    described(query, (result) => {
      result.parseRow = result._parseRowAsArray
    }),
  'whether rows are kept': (query) =>
    described(query, () => {
      query._accumulateRows = false
    }),
  'what a row has before its cells': (query) =>
    described(query, (result) => {
      result._prebuiltEmptyResultObject = { first: true, text: 'x' }
    }),
  rowAsArray: (query) => {
    query._result.rowAsArray = true
  },
  'rows that are there already': (query) => {
    query._result.rows = ['kept']
  },
  'a result of another class': (query) => {
    const { constructor: Result } = query._result
    query._result = new (class Own extends Result {
      parseRow(/** @type {any} */ fields) {
        return { own: super.parseRow(fields) }
      }
    })(query._rowMode, query.types)
    query._results = query._result
  },
})

/** @param {any} query @param {(message: any) => void} change */
const describing = (query, change) => {
  const handle = query.handleRowDescription
  query.handleRowDescription = function (/** @type {any} */ message) {
    change(message)
    handle.call(this, message)
  }
}

/** @param {any} query @param {(result: any) => void} change */
const described = (query, change) => {
  const handle = query.handleRowDescription
  query.handleRowDescription = function (/** @type {any} */ message) {
    handle.call(this, message)
    change(this._result)
  }
}

for (const [what, change] of Object.entries(changes)) {
  test(`an application that changes ${what}`, async () => {
    for (const config of ['select', { text: 'select', values: [1], rowMode: 'array' }]) {
      await sameHoweverCut({
        replies: [reply(), other],
        made: 'any',
        run: async (/** @type {Context} */ { client, pg, log }) => {
          const query = new pg.Query(config)
          change(query, log)
          const result = await new Promise((resolve) => client.query(query).on('end', resolve))
          const { fields, rows, rowCount, command, _prebuiltEmptyResultObject } = result
          return [
            { fields, rows, rowCount, command, _prebuiltEmptyResultObject },
            await client.query('select'),
          ]
        },
      })
    }
  })
}

test('a client that handles rows itself', async () => {
  await sameHoweverCut({
    replies: [reply(), reply()],
    made: 'none',
    run: async (/** @type {Context} */ { pg, backend, log }) => {
      class Own extends pg.Client {
        _handleDataRow(/** @type {any} */ message) {
          log.push(message.fields)
          super._handleDataRow(message)
        }
      }
      const { FakeBackend } = require('../support/fake-backend')
      const own = new FakeBackend(backend.cut)
      own.replies.push(...backend.replies.splice(0))
      const client = new Own({ user: 'u', database: 'd', password: 'p', stream: () => own })
      await client.connect()
      return [await client.query('select'), await client.query('select')]
    },
  })
})

test('a connection whose listeners for rows are replaced', async () => {
  await sameHoweverCut({
    replies: [reply(), reply()],
    made: 'none',
    run: async (/** @type {Context} */ { client, log }) => {
      const [listener] = client.connection.listeners('dataRow')
      client.connection.removeAllListeners('dataRow')
      client.connection.on('dataRow', (/** @type {any} */ message) => {
        log.push(message.fields)
        if (log.length % 2) listener(message)
      })
      return [await client.query('select'), await client.query('select')]
    },
  })
})

test('a connection with an emit of its own', async () => {
  await sameHoweverCut({
    replies: [reply(), reply()],
    made: 'none',
    run: async (/** @type {Context} */ { client, log }) => {
      const { emit } = client.connection
      client.connection.emit = function (/** @type {string} */ name, /** @type {any} */ message) {
        log.push([name, message?.fields?.length])
        return emit.call(this, name, message)
      }
      return [await client.query('select'), await client.query('select')]
    },
  })
})

test('classes derived from Query', async () => {
  await sameHoweverCut({
    replies: [reply(), reply()],
    made: 'any',
    run: async (/** @type {Context} */ { client, pg, log }) => {
      class Plain extends pg.Query {}
      class Own extends pg.Query {
        handleDataRow(/** @type {any} */ message) {
          log.push(message.fields)
          super.handleDataRow(message)
        }
      }
      const run = (/** @type {any} */ query) =>
        new Promise((resolve) => client.query(query).on('end', resolve))
      return [await run(new Plain('select')), await run(new Own('select'))]
    },
  })
})

test('rows that are read later are what they were', async () => {
  const context = await connect(flavours().native)
  const rows = rowsOf(5, 40)
  const wide = Array.from({ length: 30 }, (_, i) => ({ columns, rows: rowsOf(5, 200, i + 2) }))
  context.backend.replies.push({ columns, rows }, ...wide)
  const first = await context.client.query('select')
  const before = JSON.stringify(first.rows)
  for (let i = 0; i < wide.length; i++) await context.client.query('select')
  assert.equal(JSON.stringify(first.rows), before)
  await context.client.end()
})

test('a query that is cancelled by the end of its connection', async () => {
  await same({
    replies: [reply(200)],
    made: 'any',
    cut: pieces(1000),
    run: async (context) => {
      const { client, log, pg } = context
      client.on('error', (/** @type {any} */ error) => log.push(error.message))
      const query = new pg.Query('select')
      return events(context, query, () => {
        if (log.length === 50) client.connection.stream.destroy()
      })
    },
  })
})
