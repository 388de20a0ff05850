'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { connect, assertSame, pieces } = require('../support/query')
const { loadFlavour } = require('../support/flavours')
const { columnsOf, rowsOf } = require('../support/shapes')

// accelerate() and restore(): what is changed in pg is put back, connections that are open go on either way, and one
// copy of pg does not know of another.

const columns = columnsOf(['a', 'b', 'c', 'd', 'e'])
const reply = (/** @type {number} */ count) => ({ columns, rows: rowsOf(5, count) })

/** Everything that could have been changed, down to the functions. @param {any} flavour */
const snapshot = ({ pg, Cursor, QueryStream }) => {
  const found = new Map()
  const visit = (/** @type {string} */ name, /** @type {any} */ object) => {
    for (const key of Reflect.ownKeys(object)) {
      const descriptor = /** @type {any} */ (Object.getOwnPropertyDescriptor(object, key))
      found.set(`${name}.${String(key)}`, descriptor.value ?? descriptor.get)
    }
  }
  const query = pg.Client.Query ?? pg.Query
  for (const [name, Class] of Object.entries({
    Client: pg.Client,
    Connection: pg.Connection,
    Query: query,
    Result: pg.Result,
    Pool: pg.Pool,
    Cursor,
    QueryStream,
  })) {
    visit(name, Class)
    visit(`${name}.prototype`, Class.prototype)
  }
  visit('pg', pg)
  visit('types', pg.types)
  return found
}

const accelerate = (/** @type {import('../support/query').Flavour} */ { pg, within }) =>
  within(() => require('../../lib/pg').accelerate(pg))

test('restore puts everything back', () => {
  const flavour = loadFlavour()
  const before = snapshot(flavour)
  const handle = accelerate(flavour)
  handle.restore()
  const after = snapshot(flavour)
  assert.deepEqual([...after.keys()], [...before.keys()])
  for (const [name, value] of before) assert.equal(after.get(name), value, name)
})

test('connections of before and after, across accelerate and restore', async () => {
  const stock = await connect(loadFlavour())
  const expected = async (/** @type {number} */ count) => {
    stock.backend.replies.push(reply(count))
    return stock.client.query('select')
  }
  const flavour = loadFlavour()
  const early = await connect(flavour)
  const check = async (/** @type {any} */ context, /** @type {number} */ count) => {
    context.backend.replies.push(reply(count))
    const copies = { actual: flavour, expected: stock }
    assertSame(await context.client.query('select'), await expected(count), copies)
  }
  await check(early, 20)
  const handle = accelerate(flavour)
  const late = await connect(flavour)
  await check(early, 21)
  await check(late, 22)
  const made = handle.stats.rows
  assert.ok(made >= 22, 'rows of a connection that was opened after')
  handle.restore()
  const last = await connect(flavour)
  for (const context of [early, late, last]) await check(context, 23)
  assert.equal(handle.stats.rows, made, 'none after restore')
  const again = accelerate(flavour)
  const renewed = await connect(flavour)
  await check(renewed, 24)
  for (const context of [early, late, last]) await check(context, 25)
  assert.ok(again.stats.rows >= 24)
  again.restore()
  for (const { client } of [early, late, last, renewed, stock]) await client.end()
})

test('restore while rows come in', async () => {
  const stock = await connect(loadFlavour())
  stock.backend.replies.push(reply(60), reply(5))
  const expected = [await stock.client.query('select'), await stock.client.query('select')]
  for (const at of [1, 17, 59]) {
    for (const cut of [undefined, pieces(100)]) {
      const flavour = loadFlavour()
      const handle = accelerate(flavour)
      const { client, backend } = await connect(flavour, { cut })
      backend.replies.push(reply(60), reply(5))
      let rows = 0
      const query = new flavour.pg.Query('select', () => {})
      query.on('row', () => {
        if (++rows === at) handle.restore()
      })
      const first = await new Promise((resolve) => client.query(query).once('end', resolve))
      const copies = { actual: flavour, expected: stock }
      assertSame([first, await client.query('select')], expected, copies)
      assert.equal(rows, 60)
      await client.end()
    }
  }
  await stock.client.end()
})

test('twice: accelerated once, restored once', async () => {
  const flavour = loadFlavour()
  const before = snapshot(flavour)
  const first = accelerate(flavour)
  const second = accelerate(flavour)
  const { client, backend } = await connect(flavour)
  backend.replies.push(reply(10))
  assert.equal((await client.query('select')).rows.length, 10)
  first.restore()
  second.restore()
  first.restore()
  for (const [name, value] of snapshot(flavour)) assert.equal(value, before.get(name), name)
  await client.end()
})

test('two copies of pg: parsers set in one do not serve in the other', async () => {
  const copies = [loadFlavour({ accelerate: true }), loadFlavour({ accelerate: true })]
  copies[0].types.setTypeParser(23, (/** @type {string} */ value) => `first ${value}`)
  const contexts = [await connect(copies[0]), await connect(copies[1])]
  const ask = async (/** @type {any} */ context) => {
    context.backend.replies.push({
      columns: [
        { name: 'n', dataTypeID: 23 },
        { name: 'i', dataTypeID: 1186 },
      ],
      rows: Array(20).fill(['1', '1 day']),
    })
    return (await context.client.query('select')).rows[19]
  }
  for (let i = 0; i < 2; i++) {
    const [first, second] = [await ask(contexts[0]), await ask(contexts[1])]
    assert.equal(first.n, 'first 1')
    assert.equal(second.n, 1)
    assert.ok(first.i instanceof copies[0].PostgresInterval)
    assert.ok(second.i instanceof copies[1].PostgresInterval)
  }
  copies[0].handle.restore()
  const made = copies[1].made()
  assert.equal((await ask(contexts[0])).n, 'first 1')
  assert.equal((await ask(contexts[1])).n, 1)
  assert.equal(copies[1].made(), made + 20, 'the other copy is still accelerated')
  for (const { client } of contexts) await client.end()
})
