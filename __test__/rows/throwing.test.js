'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { inChild } = require('../support/child')

// What a row listener throws, and what a type parser throws under a cursor of stock's, nobody catches: it leaves by the
// socket. Stock delivers rows a second time then. Here each row comes once, and the connection goes on.

/**
 * @param {string} how what to do, a key of `ways`
 * @param {number} size of the pieces that the answer comes in
 */
const run = (how, size) => {
  const work = async (/** @type {NodeJS.Require} */ require) => {
    const { flavours, connect, pieces } = require('../support/query')
    const context = await connect(flavours().native, { cut: pieces(Number('SIZE')) })
    const { client, backend, pg, Cursor } = context
    const columns = [
      { name: 'i', dataTypeID: 23 },
      { name: 't', dataTypeID: 25 },
    ]
    const rows = Array.from({ length: 40 }, (_, i) => [String(i), `t${i}`])
    backend.replies.push({ columns, rows }, { columns, rows: [['99', 'next']] })
    const uncaught = /** @type {string[]} */ ([])
    process.on('uncaughtException', (error) => uncaught.push(error.message))
    const seen = /** @type {number[]} */ ([])
    const isBad = (/** @type {number} */ i) => i === 0 || i === 5 || i === 6 || i === 39
    const ways = {
      listener: () => {
        const query = new pg.Query('select', () => {})
        query.on('row', (/** @type {any} */ row) => {
          seen.push(row.i)
          if (isBad(row.i)) throw new Error(`row ${row.i}`)
        })
        return new Promise((resolve) => client.query(query).once('end', resolve))
      },
      cursor: async () => {
        const parse = (/** @type {string} */ value) => {
          seen.push(Number(value))
          if (isBad(Number(value))) throw new Error(`row ${value}`)
          return Number(value)
        }
        const types = {
          getTypeParser: (/** @type {number} */ oid) =>
            oid === 23 ? parse : client.getTypeParser(oid, 'text'),
        }
        const cursor = client.query(new Cursor('select', [], { types }))
        return { rows: await cursor.read(100) }
      },
    }
    const result = /** @type {any} */ (await ways.HOW())
    const next = await client.query('select')
    return { uncaught, seen, kept: result.rows.map((/** @type {any} */ row) => row.i), next: next.rows }
  }
  const source = work.toString().replace('SIZE', String(size)).replace('HOW', how)
  return inChild(__filename, /** @type {any} */ (Object.assign(() => {}, { toString: () => source })), {
    timeout: 10_000,
  })
}

const all = Array.from({ length: 40 }, (_, i) => i)
const bad = [0, 5, 6, 39]

for (const size of [100_000, 90]) {
  for (const how of ['listener', 'cursor']) {
    test(`a ${how === 'cursor' ? 'type parser under a cursor' : 'row listener'} that throws, in pieces of ${size}`, () => {
      const { result, stderr, timedOut } = run(how, size)
      assert.ok(!timedOut, 'does not end')
      assert.ok(result, stderr)
      assert.deepEqual(result.seen, all)
      assert.deepEqual(
        result.uncaught,
        bad.map((i) => `row ${i}`)
      )
      assert.deepEqual(
        result.kept,
        all.filter((i) => !bad.includes(i))
      )
      assert.deepEqual(result.next, [{ i: 99, t: 'next' }])
    })
  }
}
