'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { flavours, connect, assertSame, pieces } = require('../support/query')
const { readBinaryCorpus } = require('../support/values')
const { readBinary } = require('../support/binary-reference')
const { rowsOf } = require('./support/read-columns')

// Columns in binary format, against a plain reader: stock destroys bytes above 0x7f before its parsers see them.

for (const { type, oid, values, wrong } of readBinaryCorpus()) {
  const columns = [
    { name: 'v', dataTypeID: oid, format: 1 },
    { name: 't', dataTypeID: 25 },
  ]

  test(`${type}: many values, as columns`, async () => {
    const cells = Array.from({ length: 3 }, () => [...values, null]).flat()
    const rows = cells.map((value, i) => [value, String(i)])
    const expected = cells.map((value, i) => [value === null ? null : readBinary(oid, value), String(i)])
    for (const rowMode of ['columns', 'columns-micros']) {
      for (const cut of [undefined, pieces(61), pieces(5000)]) {
        const context = await connect(flavours().native, { cut })
        context.backend.replies.push({ columns, rows })
        const before = context.made()
        assertSame(rowsOf(await context.client.query({ text: 'select', rowMode })), expected, { at: type })
        assert.equal(context.made() - before, rows.length)
        await context.client.end()
      }
    }
  })

  test(`F48 ${type}: bytes that are no value reject the query, and the next one is served`, async () => {
    const context = await connect(flavours().native)
    for (const value of wrong) {
      context.backend.replies.push({
        columns,
        rows: [
          [values[0], 'a'],
          [value, 'b'],
          [values[0], 'c'],
        ],
      })
      await assert.rejects(context.client.query({ text: 'select', rowMode: 'columns' }), { code: '08P01' })
      context.backend.replies.push({ columns, rows: [[values[0], 'a']] })
      const result = await context.client.query({ text: 'select', rowMode: 'columns' })
      assertSame(rowsOf(result), [[readBinary(oid, values[0]), 'a']], { at: type })
    }
    await context.client.end()
  })
}
