'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { same, pieces } = require('../support/query')
const { rowsOf } = require('../support/shapes')
const wire = require('../support/wire')
const { columns, reply, other, nothing, insert, sameHoweverCut, events } = require('./support/replies')

// The ways in which an application gets the rows of a query: promises, callbacks, events, prepared statements, several
// statements in one text; and what else may come in between.

/** @typedef {import('../support/query').Context} Context */

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
