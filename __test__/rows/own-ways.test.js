'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same, pieces, flavours, connect } = require('../support/query')
const { rowsOf } = require('../support/shapes')
const { columns, reply, other, sameHoweverCut, events } = require('./support/replies')

// Applications that handle queries, clients, connections and their messages in ways of their own: pg's own code has to
// make their rows, or they are to be none the wiser.

/** @typedef {import('../support/query').Context} Context */

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
