'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { inChild } = require('../support/child')

// F50: a lazy row that is kept holds its own bytes and no chunk, and a value that is kept does not hold its row.

const KIB = 1024

/** What is done with 100 000 rows of some 700 bytes; gives the bytes in use afterwards that were not before. */
const work = async (/** @type {NodeJS.Require} */ require) => {
  const how = 'HOW'
  const { flavours, connect } = require('../support/query')
  const wire = require('../support/wire')
  const context = await connect(flavours().native)
  const { client, backend, pg, QueryStream } = context
  const columns = Array.from({ length: 40 }, (_, i) => `c${i}`)
  const message = (/** @type {number} */ n) =>
    wire.dataRow(columns.map((_, i) => `${n} ${'abcdefghijklmnopqrst'.slice(0, 4 + (i % 17))}`))
  const chunk = (/** @type {number} */ n) =>
    Buffer.concat(Array.from({ length: 100 }, (_, i) => message(n + i)))
  const pieces = function* (/** @type {number} */ count) {
    for (let n = 0; n < count; n += 100) yield chunk(n)
  }
  const used = async () => {
    // What was just in use is still on somebody's stack.
    for (let i = 0; i < 3; i++) {
      await new Promise(setImmediate)
      globalThis.gc?.()
    }
    const { heapUsed, external, arrayBuffers } = process.memoryUsage()
    return heapUsed + external + arrayBuffers
  }
  const kept = /** @type {any[]} */ ([])
  const run = async (/** @type {number} */ count) => {
    if (how === 'a result') {
      backend.replies.push({ columns, stream: pieces(count) })
      const { rows } = await client.query({ text: 'select', rowMode: 'lazy' })
      for (let i = 0; i < rows.length; i += 1000) kept.push(rows[i])
      // A connection may remember its last result.
      backend.replies.push({ columns: ['a'], rows: [['1']] })
      await client.query('select')
    } else if (how === 'a stream') {
      const rows = []
      for (const bytes of pieces(count))
        for (let at = 0; at < bytes.length; at += 1 + bytes.readInt32BE(at + 1)) {
          rows.push(bytes.subarray(at, at + 1 + bytes.readInt32BE(at + 1)))
        }
      backend.replies.push({ columns, rows })
      let n = 0
      for await (const row of client.query(
        new QueryStream('select', [], { rowMode: 'lazy', batchSize: 1000 })
      )) {
        if (n++ % 1000 === 0) kept.push(row)
      }
      backend.portals.clear()
    } else {
      backend.replies.push({ columns, stream: pieces(count) })
      const query = client.query(new pg.Query({ text: 'select', rowMode: 'lazy' }))
      let n = 0
      query.on('row', (/** @type {any} */ row) => {
        if (how === 'values of events') kept.push(row.c16)
        else if (n++ % 1000 === 0) kept.push(row)
      })
      await new Promise((resolve) => query.on('end', resolve))
    }
  }
  await run(2000)
  kept.length = 0
  const before = await used()
  await run(how === 'a stream' ? 20_000 : 100_000)
  const grown = (await used()) - before
  const first = typeof kept[0] === 'string' ? kept[0] : { ...kept[0] }.c1
  return { grown, kept: kept.length, first, made: context.made() }
}

for (const [how, count, most] of /** @type {[string, number, number][]} */ ([
  ['a result', 100, 3 * KIB],
  ['events', 100, 3 * KIB],
  ['a stream', 20, 8 * KIB],
  ['values of events', 100_000, 100],
])) {
  test(`F50: what is kept of the rows of ${how} holds no more than it needs`, () => {
    // A function in a process of its own cannot see this one's variables.
    const source = Object.assign(() => {}, { toString: () => work.toString().replace('HOW', how) })
    const { result, stderr } = inChild(__filename, /** @type {any} */ (source), { flags: ['--expose-gc'] })
    assert.ok(result, stderr)
    assert.equal(result.kept, count)
    assert.match(result.first, /^0 abcde/)
    assert.ok(result.made > 20_000)
    // Whatever else the process keeps: caches, compiled code.
    const spare = 512 * KIB
    assert.ok(
      result.grown < count * most + spare,
      `${result.grown} bytes for ${count}, ${(result.grown / count).toFixed(0)} each`
    )
  })
}

test('F50: all 1600 columns of a row in reverse order: as fast as in order, within reason', () => {
  const { result, stderr } = inChild(__filename, async (require) => {
    const { flavours, connect } = require('../support/query')
    const context = await connect(flavours().native)
    const columns = Array.from({ length: 1600 }, (_, i) => `c${i}`)
    const time = async (/** @type {string[]} */ order) => {
      const samples = []
      for (let i = 0; i < 5; i++) {
        context.backend.replies.push({ columns, rows: Array(8).fill(columns) })
        const { rows } = await context.client.query({ text: 'select', rowMode: 'lazy' })
        const start = process.hrtime.bigint()
        for (const row of rows) for (const name of order) if (row[name] !== name) throw new Error(name)
        samples.push(Number(process.hrtime.bigint() - start))
      }
      return Math.min(...samples)
    }
    const reversed = [...columns].reverse()
    await time(columns)
    await time(reversed)
    return { inOrder: await time(columns), inReverse: await time(reversed) }
  })
  assert.ok(result, stderr)
  // One walk per cell would be some hundred times slower.
  assert.ok(result.inReverse < 10 * result.inOrder, JSON.stringify(result))
})
