'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const path = require('node:path')
const { installApp, temporaryFolder } = require('../package/support/npm')
const { same, pieces } = require('../support/query')
const { loadBoth } = require('../support/flavours')
const { NAMES, columnsOf, rowsOf } = require('../support/shapes')
const { GENERATED } = require('../support/arbitraries')
const fc = require('fast-check')

// Older releases of pg, installed from the registry, with the cursors of their time.

/** @typedef {import('../support/query').Context} Context */

const folder = temporaryFolder('old-pg')

for (const [version, cursor, stream] of [
  ['8.11.0', '2.10.0', '4.5.0'],
  ['8.11.3', '2.10.3', '4.5.3'],
  ['8.16.3', '2.15.3', '4.10.3'],
]) {
  test(`pg ${version}`, async (t) => {
    const app = path.join(folder, version)
    installApp(app, { dependencies: { pg: version, 'pg-cursor': cursor, 'pg-query-stream': stream } })
    const both = loadBoth({ folder: app })
    assert.equal(require(path.join(app, 'node_modules/pg/package.json')).version, version)
    const check = (/** @type {any} */ comparison) => same({ flavours: both, ...comparison })

    await t.test('shapes', async () => {
      for (const [what, names] of Object.entries(NAMES)) {
        for (const query of [{ text: 'select' }, { text: 'select', rowMode: 'array' }]) {
          const reply = { columns: columnsOf(names), rows: rowsOf(names.length, 30) }
          await check({
            replies: [reply],
            query,
            at: what,
            made: isOdd(names) ? 'any' : 'all',
          })
          await check({ replies: [reply], query, at: what, cut: pieces(50), made: 'any' })
        }
      }
      await check({ replies: [{ columns: [], rows: [[], []] }] })
    })

    await t.test('values of all types', async () => {
      for (const [type, { oid, values }] of Object.entries(GENERATED)) {
        const rows = fc.sample(values, { numRuns: 30, seed: 7 }).map((value) => [value])
        await check({ replies: [{ columns: [{ name: 'v', dataTypeID: oid }], rows }], at: type })
      }
    })

    const columns = columnsOf(['a', 'b', 'c'])
    const reply = { columns, rows: rowsOf(3, 25) }

    await t.test('row events, cursors, streams, several statements', async () => {
      await check({
        replies: [reply],
        run: ({ client, pg, log }) =>
          new Promise((resolve) => {
            const query = new pg.Query('select')
            query.on('row', (/** @type {any} */ row) => log.push(row))
            client.query(query).on('end', resolve)
          }),
      })
      await check({
        replies: [reply],
        run: async ({ client, Cursor }) => {
          const cursor = client.query(new Cursor('select'))
          return [await cursor.read(1), await cursor.read(5), await cursor.read(100)]
        },
      })
      await check({
        replies: [reply],
        run: async ({ client, QueryStream }) => {
          const rows = []
          for await (const row of client.query(new QueryStream('select', [], { batchSize: 4 })))
            rows.push(row)
          return rows
        },
      })
      await check({ replies: [[reply, { columns: null, tag: 'INSERT 0 1' }, reply]] })
      await check({ replies: Array(5).fill(reply), run: prepared })
    })

    await t.test('parsers of the application, and one that throws', async () => {
      await check({
        replies: [reply, reply],
        made: 'any',
        run: async ({ client, log }) => {
          client.setTypeParser(23, (/** @type {string} */ value) => (log.push(value), `<${value}>`))
          const result = await client.query('select')
          client.setTypeParser(23, () => {
            throw new Error('mine')
          })
          return [result, await client.query('select').catch((/** @type {any} */ error) => error)]
        },
      })
    })

    await t.test('rows that do not fit their description', async () => {
      for (const row of [['1'], ['1', 'b', 't', 'more'], []]) {
        await check({
          replies: [{ columns, rows: [...reply.rows, row, ...reply.rows] }, reply],
          made: 'any',
          run: async ({ client }) => [
            await client.query('select').catch((/** @type {any} */ error) => error),
            await client.query('select'),
          ],
        })
      }
    })
  })
}

/**
 * Columns named __proto__, or by the same name: releases of pg treat them in different ways, they may be left to it.
 * @param {(string | Buffer)[]} names
 */
function isOdd(names) {
  return names.includes('__proto__') || new Set(names.map(String)).size < names.length
}

/** @param {Context} context */
async function prepared({ client }) {
  const results = []
  for (let i = 0; i < 5; i++) results.push(await client.query({ name: 'p', text: 'select', values: [i] }))
  return results
}
