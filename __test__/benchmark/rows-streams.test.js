'use strict'

const assert = require('node:assert/strict')
const { describe, it } = require('node:test')
const { Parser } = require('pg-protocol/dist/parser.js')
const pg = require('pg')
const { openClient } = require('../../benchmark/rows/receivers')
const { answer } = require('../../benchmark/rows/consumers')
const { TYPES } = require('../../benchmark/rows/columns')
const { STREAMS, buildStream } = require('../../benchmark/rows/streams')

describe('made-up answers of the rows benchmark', () => {
  for (const [name, { answers, columns, config }] of Object.entries(STREAMS)) {
    it(`${name}: is the same each time and what its title says`, () => {
      const stream = buildStream(name, 0.01)
      assert.deepEqual(Buffer.concat(stream.chunks), Buffer.concat(buildStream(name, 0.01).chunks))
      const extended = config.values !== undefined
      const expected = [...(extended ? ['parseComplete', 'bindComplete'] : []), 'rowDescription']
      const names = /** @type {string[]} */ ([])
      const parser = new Parser()
      for (const chunk of stream.chunks) {
        const before = names.length
        parser.parse(chunk, (/** @type {any} */ message) => {
          names.push(message.name)
          if (message.name === 'dataRow') assert.equal(message.fields.length, columns.length)
        })
        if (answers) {
          const whole = [...expected, 'dataRow', 'commandComplete', 'readyForQuery']
          assert.deepEqual(names.slice(before), whole)
        }
      }
      assert.deepEqual(names.slice(0, expected.length), expected)
      assert.equal(names.length, stream.messages)
      assert.equal(names.filter((message) => message === 'dataRow').length, stream.rows)
      assert.equal(names.at(-1), 'readyForQuery')
    })
  }

  it('has no byte in binary format that stock would destroy', () => {
    const parser = new Parser()
    for (const chunk of buildStream('binary', 0.01).chunks) {
      parser.parse(chunk, (/** @type {any} */ message) => {
        if (message.name === 'dataRow') assert.doesNotMatch(message.fields.join(''), /[^\0-\x7f]/)
      })
    }
  })

  it('has every type once, with values that are of it', async () => {
    const { chunks, config, columns } = buildStream('types', 0.01)
    assert.equal(columns.length, Object.keys(TYPES).length)
    assert.equal(new Set(columns.map(({ dataTypeID }) => dataTypeID)).size, columns.length)
    const { rows } = answer(await openClient(pg), chunks, config, null)
    assert.equal(rows.length, 200)
    const types = Object.keys(TYPES)
    const isNumber = (/** @type {unknown} */ value) => typeof value === 'number' && !Number.isNaN(value)
    const isDate = (/** @type {unknown} */ value) => value instanceof Date && !Number.isNaN(value.getTime())
    /** @type {Record<string, (value: any) => boolean>} */
    const is = {
      int2: (value) => Number.isInteger(value) && Math.abs(value) <= 32768,
      int4: Number.isInteger,
      oid: (value) => value > 0 && value < 2 ** 32,
      int8: (value) => /^\d+$/.test(value) && BigInt(value) < 2n ** 63n,
      float4: isNumber,
      float8: isNumber,
      bool: (value) => typeof value === 'boolean',
      numeric: (value) => !Number.isNaN(Number(value)),
      uuid: (value) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value),
      char: (value) => value.length === 1,
      bpchar: (value) => value.length === 12,
      date: isDate,
      timestamp: isDate,
      timestamptz: isDate,
      bytea: Buffer.isBuffer,
      json: (value) => value.tags.length === 2,
      jsonb: (value) => typeof value.active === 'boolean',
      interval: (value) => isNumber(value.hours ?? value.minutes ?? value.seconds),
      'int4[]': (value) => value.length > 0 && value.every(Number.isInteger),
      'text[]': (value) => value.every((/** @type {any} */ text) => text === null || text.length >= 3),
    }
    types.forEach((type, i) => {
      const test = is[type] ?? ((value) => typeof value === 'string' && value.length > 0)
      for (const row of rows) assert.ok(test(row[`column_${i + 1}`]), `${type}: ${row[`column_${i + 1}`]}`)
    })
    assert.ok(
      rows.some((/** @type {any} */ row) => row[`column_${types.indexOf('text[]') + 1}`].includes(null))
    )
  })
})
