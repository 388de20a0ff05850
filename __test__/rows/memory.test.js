'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { inChild } = require('../support/child')

// Rows that are dropped leave nothing behind, rows that are kept hold nothing but themselves.

const MIB = 1024 * 1024

/** @param {number[]} samples bytes in use, after each tenth of the rows */
const assertFlat = (samples) => {
  assert.equal(samples.length, 10)
  const grown = Math.max(...samples.slice(5)) - Math.max(...samples.slice(1, 5))
  assert.ok(
    grown < 2 * MIB,
    `grew by ${(grown / MIB).toFixed(1)} MiB: ${samples.map((n) => (n / MIB).toFixed(1))}`
  )
}

for (const how of [
  'row events',
  'row events, as arrays',
  'a cursor',
  'a query stream',
  'one query per row',
]) {
  const total = how.startsWith('row events') ? 1_000_000 : 100_000
  test(`${total} rows, dropped: ${how}`, () => {
    const work = async (/** @type {NodeJS.Require} */ require) => {
      const { flavours, connect } = require('../support/query')
      const { columnsOf, rowsOf } = require('../support/shapes')
      const wire = require('../support/wire')
      const how = 'HOW'
      const COUNT = how.startsWith('row events') ? 1_000_000 : 100_000
      const context = await connect(flavours().native)
      const { client, backend, pg, Cursor, QueryStream } = context
      const columns = columnsOf(Array.from({ length: 6 }, (_, i) => `c${i}`))
      const messages = rowsOf(6, 500).map(wire.dataRow)
      const samples = /** @type {number[]} */ ([])
      let count = 0
      const onRow = () => {
        if (++count % (COUNT / 10) !== 0) return
        globalThis.gc?.()
        const { heapUsed, external } = process.memoryUsage()
        samples.push(heapUsed + external)
      }
      if (how.startsWith('row events')) {
        const pieces = function* () {
          for (let i = 0; i < COUNT / 500; i++) yield Buffer.concat(messages)
        }
        backend.replies.push({ columns, stream: pieces() })
        const query = new pg.Query({ text: 'select', rowMode: how.endsWith('arrays') ? 'array' : undefined })
        query.on('row', onRow)
        await new Promise((resolve) => client.query(query).once('end', resolve))
      } else if (how === 'one query per row') {
        for (let i = 0; i < COUNT / 10; i++) {
          backend.replies.push({ columns, rows: [messages[i % 500]] })
          const { rows } = await client.query({ name: 'p', text: 'select', values: [i] })
          for (let k = 0; k < 10 * rows.length; k++) onRow()
        }
      } else {
        backend.replies.push({ columns, rows: Array.from({ length: COUNT }, (_, i) => messages[i % 500]) })
        if (how === 'a cursor') {
          const cursor = client.query(new Cursor('select'))
          for (let rows = await cursor.read(1000); rows.length > 0; rows = await cursor.read(1000))
            rows.forEach(onRow)
        } else {
          const stream = client.query(new QueryStream('select', [], { batchSize: 100 }))
          await new Promise((resolve) => stream.on('data', onRow).on('end', resolve))
        }
      }
      return { samples, count, made: context.made() }
    }
    // A function in a process of its own cannot see this one's variables.
    const source = Object.assign(() => {}, { toString: () => work.toString().replace('HOW', how) })
    const { result, stderr } = inChild(__filename, /** @type {any} */ (source), { flags: ['--expose-gc'] })
    assert.ok(result, stderr)
    assert.equal(result.count, total)
    assert.ok(result.made > 0)
    assertFlat(result.samples)
  })
}

test('kept rows take no more memory than those of stock', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const { flavours, connect, pieces } = require('../support/query')
      const { columnsOf, rowsOf } = require('../support/shapes')
      const columns = columnsOf(Array.from({ length: 10 }, (_, i) => `c${i}`))
      const rows = rowsOf(10, 10_000)
      const used = async () => {
        // What was just in use is still on somebody's stack.
        for (let i = 0; i < 3; i++) {
          await new Promise(setImmediate)
          globalThis.gc?.()
        }
        const { heapUsed, external } = process.memoryUsage()
        return heapUsed + external
      }
      const weigh = async (/** @type {import('../support/query').Flavour} */ flavour) => {
        const { client, backend } = await connect(flavour, { cut: pieces(65_536) })
        const run = (/** @type {number} */ count) => {
          backend.replies.push({ columns, rows: rows.slice(0, count) })
          return client.query('select')
        }
        // The last one is small: somebody may still have it in hand.
        for (const count of [10_000, 10_000, 10]) await run(count)
        const before = await used()
        const kept = await run(10_000)
        const after = await used()
        if (kept.rows.length !== 10_000) throw new Error('rows are missing')
        return after - before
      }
      return [await weigh(flavours().stock), await weigh(flavours().native)]
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  const [stock, native] = result
  assert.ok(stock > 10_000 * 10 * 8, `${stock} bytes cannot be all of the rows`)
  assert.ok(native < 1.1 * stock, `${native} bytes, ${stock} with stock`)
})

test('one kept row of a hundred does not hold the other ones', () => {
  const { result, stderr } = inChild(
    __filename,
    async (require) => {
      const { flavours, connect } = require('../support/query')
      const used = async () => {
        for (let i = 0; i < 3; i++) {
          await new Promise(setImmediate)
          globalThis.gc?.()
        }
        const { heapUsed, external } = process.memoryUsage()
        return heapUsed + external
      }
      const texts = /** @type {Record<number, (text: string) => string>} */ ({
        25: (text) => text,
        17: (text) => text,
        1009: (text) => `{"${text}",NULL}`,
      })
      const weigh = async (
        /** @type {import('../support/query').Flavour} */ flavour,
        /** @type {number} */ oid
      ) => {
        const columns = Array.from({ length: 10 }, (_, i) => ({ name: `c${i}`, dataTypeID: oid }))
        const { client, backend } = await connect(flavour)
        const row = (/** @type {number} */ r) =>
          columns.map((_, c) => texts[oid](`${r} and ${c}, with some text behind`))
        const kept = []
        let before = 0
        for (let round = 0; round < 30; round++) {
          if (round === 10) before = await used()
          backend.replies.push({ columns, rows: Array.from({ length: 500 }, (_, r) => row(round * 500 + r)) })
          const { rows } = await client.query('select')
          kept.push(...rows.filter((/** @type {any} */ _, /** @type {number} */ i) => i % 100 === 0))
        }
        const each = ((await used()) - before) / 100
        if (kept.length !== 150) throw new Error('rows are missing')
        return each
      }
      const { stock, native } = flavours()
      const weights = []
      for (const oid of [25, 17, 1009])
        weights.push({ oid, stock: await weigh(stock, oid), native: await weigh(native, oid) })
      return weights
    },
    { flags: ['--expose-gc'] }
  )
  assert.ok(result, stderr)
  for (const { oid, stock, native } of result) {
    // Strings that were cut out of a pool of 8 KiB hold it; a row may have its cells in two of them.
    assert.ok(
      native < stock + 2 * 8192,
      `type ${oid}: ${native} bytes for each row that is kept, ${stock} with stock`
    )
  }
})
