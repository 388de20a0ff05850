'use strict'

const test = require('node:test')
const path = require('node:path')
const { installApp, temporaryFolder } = require('../package/support/npm')
const { textValues } = require('../support/values')
const { same, pieces } = require('../support/query')
const { loadBoth } = require('../support/flavours')
const { asColumns, rowsOf, rowsOfList } = require('./support/read-columns')

// Older releases of pg, installed from the registry, with the cursors of their time.

const folder = temporaryFolder('old-pg-columns')

for (const [version, cursor, stream] of [
  ['8.11.0', '2.10.0', '4.5.0'],
  ['8.16.3', '2.15.3', '4.10.3'],
]) {
  test(`pg ${version}`, async () => {
    const app = path.join(folder, version)
    installApp(app, { dependencies: { pg: version, 'pg-cursor': cursor, 'pg-query-stream': stream } })
    const both = loadBoth({ folder: app })
    const columns = [23, 20, 701, 16, 1184, 1114, 17, 114, 25].map((dataTypeID, i) => ({
      name: `c${i}`,
      dataTypeID,
    }))
    const cells = [
      '1',
      '2',
      '0.5',
      't',
      '2026-08-18 09:12:00.5+02',
      '2026-08-18 09:12:00',
      '\\x00ff',
      '[1]',
      'é',
    ]
    const rows = Array.from({ length: 25 }, (_, i) => cells.map((cell, k) => ((i + k) % 4 ? cell : null)))
    const reply = { columns, rows }
    for (const cut of [undefined, pieces(40)]) {
      await same({ flavours: both, replies: [reply], run: asColumns(), cut })
      await same({
        flavours: both,
        replies: [reply],
        run: asColumns({ values: ['x'] }, 'columns-micros'),
        cut,
      })
      await same({
        flavours: both,
        replies: [reply],
        cut,
        run: async ({ client, QueryStream, name }) => {
          const rowMode = name === 'stock' ? 'array' : 'columns'
          const found = []
          for await (const batch of client.query(new QueryStream('select', [], { rowMode, batchSize: 10 }))) {
            if (name === 'stock') found.push(batch)
            else found.push(...rowsOfList(batch.columnList, batch.length, batch.columns))
          }
          return found
        },
      })
      await same({
        flavours: both,
        replies: [[reply, { columns: null, tag: 'UPDATE 1' }, reply]],
        cut,
        run: async ({ client, name }) => {
          const rowMode = name === 'stock' ? 'array' : 'columns'
          const [first, , last] = await client.query({ text: 'several', rowMode })
          return name === 'stock' ? [first.rows, last.rows] : [rowsOf(first), rowsOf(last)]
        },
      })
    }
    for (const { type, oid, values } of textValues()) {
      const parse = both.stock.types.getTypeParser(oid, 'text')
      const isGood = (/** @type {Buffer} */ value) => {
        try {
          parse(value.toString())
          return !/^\\x/.test(value.toString())
        } catch {
          return false
        }
      }
      const good = values.filter(isGood).map((value) => [value])
      await same({
        flavours: both,
        replies: [{ columns: [{ name: 'v', dataTypeID: oid }], rows: good }],
        run: asColumns(),
        at: type,
      })
    }
  })
}
