'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { setTimeout: wait } = require('node:timers/promises')
const { flavours, connect, whole, pieces } = require('../support/query')
const { loadFlavour } = require('../support/flavours')
const { columnsOf, rowsOf } = require('../support/shapes')
const wire = require('../support/wire')

// query.pause() and query.resume(): rows stop and go on, the socket with them, and whatever ends a query while it is
// paused ends it after the rows that had come.

/** @typedef {import('../support/query').Context} Context */

const names = ['id', 'text', 'flag', 'at', 'amount']
const columns = columnsOf(names)
const reply = (/** @type {number} */ count, rest = {}) => ({
  columns,
  rows: rowsOf(names.length, count),
  ...rest,
})
const turn = () => new Promise((resolve) => setImmediate(resolve))

/**
 * Notes what becomes of a query.
 *
 * @param {Context} context
 * @param {any} query
 * @param {(row: any, rows: any[]) => void} [onRow]
 */
const watch = ({ log }, query, onRow) => {
  const rows = /** @type {any[]} */ ([])
  query.on('row', (/** @type {any} */ row) => {
    rows.push(row)
    log.push('row')
    onRow?.(row, rows)
  })
  query.on('error', (/** @type {any} */ error) => log.push(`error ${error.code ?? error.message}`))
  query.on('end', () => log.push('end'))
  const settled = new Promise((resolve) => query.once('end', resolve).once('error', resolve))
  return { rows, settled }
}

/** What stock gives for the same rows. @param {any} what */
const expectedRows = async (what) => {
  const context = await connect(flavours().stock)
  context.backend.replies.push(what)
  const { rows } = await context.client.query('select')
  await context.client.end()
  return rows
}

for (const [how, cut] of /** @type {[string, any][]} */ ([
  ['in one chunk', whole],
  ['in pieces of 100 bytes', pieces(100)],
  ['in pieces of 3 bytes', pieces(3)],
])) {
  test(`pause at every row, resume later: the same rows, ${how}`, async () => {
    const context = await connect(flavours().native, { cut })
    const { client, backend, pg, made } = context
    backend.replies.push(reply(200))
    const before = made()
    const query = new pg.Query('select')
    let paused = false
    const { rows, settled } = watch(context, query, () => {
      assert.equal(paused, false, 'no row comes while paused')
      paused = true
      query.pause()
      setImmediate(() => {
        paused = false
        query.resume()
      })
    })
    client.query(query)
    await settled
    assert.deepEqual(rows, await expectedRows(reply(200)))
    assert.equal(made() - before, 200, 'rows are built natively all the same')
    await client.end()
  })
}

test('pause() stops the socket, resume() starts it, each also twice', async () => {
  const context = await connect(flavours().native, { cut: pieces(500) })
  const { client, backend, pg } = context
  backend.replies.push(reply(500))
  const query = new pg.Query('select')
  const { rows, settled } = watch(context, query, (row, { length }) => {
    if (length === 10) assert.equal(query.pause(), query)
  })
  client.query(query)
  await wait(20)
  assert.equal(rows.length, 10)
  assert.equal(backend.isPaused(), true)
  query.pause()
  await wait(20)
  assert.equal(rows.length, 10)
  assert.ok(backend.readableLength < 200_000)
  assert.equal(query.resume(), query)
  assert.equal(backend.isPaused(), false)
  query.resume()
  await settled
  assert.equal(rows.length, 500)
  await client.end()
})

test('pause and resume in the listener change nothing', async () => {
  const context = await connect(flavours().native)
  const { client, backend, pg } = context
  backend.replies.push(reply(100))
  const query = new pg.Query('select')
  const { rows, settled } = watch(context, query, () => query.pause().resume())
  client.query(query)
  await settled
  assert.equal(rows.length, 100)
  assert.equal(backend.isPaused(), false)
  await client.end()
})

test('a query that is paused before its turn: the ones before it are answered, and no row comes', async () => {
  const context = await connect(flavours().native)
  const { client, backend, pg } = context
  backend.replies.push(reply(5), reply(7), reply(3))
  const query = new pg.Query('select')
  query.pause()
  const { rows, settled } = watch(context, query)
  const first = client.query('select')
  client.query(query)
  const third = client.query('select')
  assert.equal((await first).rows.length, 5)
  await wait(20)
  assert.equal(rows.length, 0)
  query.resume()
  await settled
  assert.equal(rows.length, 7)
  assert.equal((await third).rows.length, 3)
  await client.end()
})

test('resume() before its turn takes the pause back', async () => {
  const context = await connect(flavours().native)
  const { client, backend, pg } = context
  backend.replies.push(reply(5), reply(7))
  const query = new pg.Query('select')
  query.pause()
  const { rows, settled } = watch(context, query)
  const first = client.query('select')
  client.query(query)
  query.resume()
  await first
  await settled
  assert.equal(rows.length, 7)
  await client.end()
})

test('a query that has ended pauses nothing', async () => {
  const context = await connect(flavours().native)
  const { client, backend, pg } = context
  backend.replies.push(reply(5), reply(6))
  const query = new pg.Query('select')
  query.once('end', () => query.pause())
  const { settled } = watch(context, query)
  client.query(query)
  await settled
  query.pause()
  assert.equal((await client.query('select')).rows.length, 6)
  await client.end()
})

test('a query with a callback, which gathers its rows', async () => {
  const context = await connect(flavours().native, { cut: pieces(400) })
  const { client, backend, pg } = context
  backend.replies.push(reply(100))
  let result = /** @type {any} */ (null)
  const query = new pg.Query(
    'select',
    (/** @type {any} */ error, /** @type {any} */ answer) => (result = answer)
  )
  client.query(query)
  query.pause()
  await wait(20)
  assert.equal(result, null)
  query.resume()
  await wait(20)
  assert.equal(result.rows.length, 100)
  await client.end()
})

test('other connections go on', async () => {
  const context = await connect(flavours().native)
  const other = await context.connect()
  context.backend.replies.push(reply(50))
  other.backend.replies.push(reply(9))
  const query = new context.pg.Query('select')
  const { rows, settled } = watch(context, query, () => query.pause())
  context.client.query(query)
  await turn()
  assert.equal((await other.client.query('select')).rows.length, 9)
  while (rows.length < 50) {
    query.resume()
    await turn()
  }
  query.resume()
  await settled
  await context.client.end()
  await other.client.end()
})

test('several statements in one text, notices in between', async () => {
  const context = await connect(flavours().native, { cut: pieces(77) })
  const { client, backend, pg } = context
  backend.replies.push([
    reply(5),
    { columns: null, tag: 'CREATE TABLE' },
    reply(6, { before: wire.noticeResponse({ M: 'n' }) }),
  ])
  const query = new pg.Query('select; create; select')
  const { rows, settled } = watch(context, query, () => {
    query.pause()
    setImmediate(() => query.resume())
  })
  client.query(query)
  await settled
  assert.equal(rows.length, 11)
  await client.end()
})

test('an error of the server while paused comes after the rows that came before it', async () => {
  const context = await connect(flavours().native)
  const { client, backend, pg, log } = context
  backend.replies.push(reply(20, { error: { S: 'ERROR', C: '57014', M: 'canceled' } }), reply(4))
  const query = new pg.Query('select')
  const { rows, settled } = watch(context, query, () => query.pause())
  client.query(query)
  for (let i = 1; i <= 20; i++) {
    await turn()
    assert.equal(rows.length, i)
    query.resume()
  }
  await settled
  assert.deepEqual(log, [...Array(20).fill('row'), 'error 57014'])
  assert.equal((await client.query('select')).rows.length, 4)
  await client.end()
})

for (const [what, drop] of /** @type {[string, (context: Context) => any][]} */ ([
  ['client.end()', ({ client }) => client.end()],
  ['the connection is dropped', ({ backend }) => backend.destroy()],
  [
    'the connection breaks',
    ({ backend }) => backend.destroy(Object.assign(new Error('reset'), { code: 'ECONNRESET' })),
  ],
])) {
  test(`${what} while paused: the rows that had come, then what stock says`, async () => {
    /** @param {import('../support/query').Flavour} flavour */
    const run = async (flavour) => {
      const context = await connect(flavour)
      const { client, backend, pg, log } = context
      client.on('error', (/** @type {any} */ error) => log.push(`client error ${error.message}`))
      client.on('end', () => log.push('client end'))
      backend.replies.push(reply(20))
      const query = new pg.Query('select')
      const { rows, settled } = watch(context, query, (row, { length }) => {
        if (length === 5) query.pause?.()
        // Stock has no pause: the same happens to it behind the last row.
        if (length === (query.pause ? 5 : 20)) setImmediate(() => (ended = Promise.resolve(drop(context))))
      })
      let ended = Promise.resolve()
      // Without its end the query would be over before it is dropped.
      const { execute } = backend
      backend.execute = function (portal, limit) {
        execute.call(this, portal, limit)
        this.held.pop()
        this.held.push = () => 0
      }
      client.query(query)
      await settled
      await ended
      for (let i = 0; i < 5; i++) await turn()
      assert.equal(rows.length, 20)
      return log
    }
    assert.deepEqual(await run(flavours().native), await run(flavours().stock))
  })
}

test('client.end() in a pipeline: the queries end first', async () => {
  const context = await connect(flavours().native, { client: { pipeline: true } })
  const { client, backend, pg } = context
  backend.replies.push(reply(20), reply(3))
  const query = new pg.Query('select')
  const { rows, settled } = watch(context, query, (row, { length }) => length === 2 && query.pause())
  client.query(query)
  const second = client.query('select')
  await wait(20)
  assert.equal(rows.length, 2)
  await client.end()
  await settled
  assert.equal(rows.length, 20)
  assert.equal((await second).rows.length, 3)
})

test('query_timeout while paused: the error, and the connection serves the next query', async () => {
  const context = await connect(flavours().native, { client: { query_timeout: 30 } })
  const { client, backend, pg, log } = context
  backend.replies.push(reply(20), reply(4))
  const query = new pg.Query('select')
  const { rows } = watch(context, query, (row, { length }) => length === 2 && query.pause())
  client.query(query)
  await wait(60)
  assert.equal(rows.length, 20)
  assert.equal(backend.isPaused(), false)
  assert.ok(log.includes('error Query read timeout') || log.includes('end'), log.join())
  assert.equal((await client.query('select')).rows.length, 4)
  await client.end()
})

test('a listener that throws on a row which a dropped connection delivers: pg hears of the end', async () => {
  const context = await connect(flavours().native)
  const { client, backend, pg, log } = context
  client.on('error', (/** @type {any} */ error) => log.push(error.message))
  backend.replies.push(reply(20))
  const query = new pg.Query('select')
  const thrown = /** @type {unknown[]} */ ([])
  process.setUncaughtExceptionCaptureCallback((error) => thrown.push(error))
  try {
    watch(context, query, (row, { length }) => {
      if (length === 2) query.pause()
      if (length === 3) throw new Error('mine')
    })
    client.query(query)
    await wait(10)
    backend.destroy()
    await wait(10)
  } finally {
    process.setUncaughtExceptionCaptureCallback(null)
  }
  assert.deepEqual(thrown.map(String), ['Error: mine'])
  assert.ok(log.includes('Connection terminated unexpectedly'), log.join())
})

test('restore() lets paused queries go on, and takes the methods away', async () => {
  const flavour = loadFlavour({ accelerate: true })
  const context = await connect(flavour)
  const { client, backend, pg } = context
  backend.replies.push(reply(20))
  const query = new pg.Query('select')
  const { rows, settled } = watch(context, query, (row, { length }) => length === 2 && query.pause())
  client.query(query)
  await wait(10)
  assert.equal(rows.length, 2)
  flavour.handle.restore()
  await settled
  assert.equal(rows.length, 20)
  assert.equal(query.pause, undefined)
  assert.equal(query.resume, undefined)
  await client.end()
})

test('methods of that name that pg or somebody else has given queries stay', async () => {
  const mine = () => 'mine'
  const flavour = loadFlavour({
    accelerate: true,
    before: ({ Query }) => {
      Query.prototype.pause = mine
    },
  })
  assert.equal(flavour.pg.Query.prototype.pause, mine)
  assert.equal(flavour.pg.Query.prototype.resume, undefined)
  flavour.handle.restore()
  assert.equal(flavour.pg.Query.prototype.pause, mine)
})

test('queries look as before: no property of their own, none to enumerate', () => {
  const { stock, native } = flavours()
  const keys = (/** @type {any} */ object) => {
    const found = []
    for (const key in object) found.push(key)
    return found
  }
  assert.deepEqual(keys(new native.pg.Query('select')), keys(new stock.pg.Query('select')))
})

test('actions in the listener, cut anywhere: the rows of stock', async () => {
  const expected = await expectedRows(reply(60))
  let seed = 1
  const random = (/** @type {number} */ end) => (seed = (seed * 48271) % 2147483647) % end
  for (let round = 0; round < 60; round++) {
    const context = await connect(flavours().native, { cut: pieces(1 + random(3000)) })
    const { client, backend, pg } = context
    backend.replies.push(reply(60))
    const query = new pg.Query('select')
    const { rows, settled } = watch(context, query, () => {
      switch (random(6)) {
        case 0:
          return void query.pause().resume()
        case 1:
          query.pause()
          return void setImmediate(() => query.resume())
        case 2:
          query.pause()
          return void process.nextTick(() => query.resume())
        case 3:
          query.resume()
      }
    })
    client.query(query)
    await settled
    assert.deepEqual(rows, expected, `round ${round}`)
    await client.end()
  }
})
