'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { flavours, connect, same, assertSame, pieces } = require('../support/query')
const { readBinaryCorpus } = require('../support/values')
const { readBinary } = require('../support/binary-reference')
const wire = require('../support/wire')

// Columns in binary format. Stock makes a string of the bytes before its parsers see them, and so destroys all above
// 0x7f: it is the reference where there are none, and a plain reader is where there are.

const ALL = readBinaryCorpus()
const MODES = [{ text: 'select' }, { text: 'select', rowMode: 'array' }]

/**
 * @param {any[]} columns
 * @param {(Buffer | string | null)[][]} rows
 * @param {any[][]} expected the values of each row
 * @param {string} at
 */
const assertReads = async (columns, rows, expected, at) => {
  for (const query of MODES) {
    for (const cut of [undefined, pieces(61), pieces(5000)]) {
      const context = await connect(flavours().native, { cut })
      context.backend.replies.push({ columns, rows })
      const before = context.made()
      const result = await context.client.query(query)
      if (!cut) assert.equal(context.made() - before, rows.length, 'rows that the accelerator made')
      const values = result.rows.map((/** @type {any} */ row) =>
        query.rowMode ? row : columns.map(({ name }) => row[name])
      )
      assertSame(values, expected, { at: `${at}${query.rowMode ? ', as arrays' : ''}` })
      await context.client.end()
    }
  }
}

test('the corpus has values for every type that pg-types parses in binary format', () => {
  const { types } = flavours().stock
  const covered = new Set(ALL.map(({ oid }) => oid))
  // char[] and name[]: pg-types gives them the parser of arrays, which does not know their elements.
  const without = [1000, 1008]
  for (let oid = 0; oid < 10_000; oid++) {
    const parsed = types.getTypeParser(oid, 'binary') !== types.getTypeParser(99_999, 'binary')
    if (parsed && !without.includes(oid)) assert.ok(covered.has(oid), `type ${oid}`)
  }
})

for (const { type, oid, values, wrong } of ALL) {
  const columns = [{ name: 'v', dataTypeID: oid, format: 1 }]

  test(`${type}: each value alone, and many`, async () => {
    for (const value of values)
      await assertReads(columns, [[value]], [[readBinary(oid, value)]], value.toString('hex'))
    const many = Array.from({ length: 5 }, () => [...values, null]).flat()
    await assertReads(
      columns,
      many.map((value) => [value]),
      many.map((value) => [value === null ? null : readBinary(oid, value)]),
      type
    )
  })

  test(`${type}: among columns in text format`, async () => {
    const mixed = [
      { name: 't', dataTypeID: oid },
      { name: 'b', dataTypeID: oid, format: 1 },
      { name: 'i', dataTypeID: 23 },
    ]
    const parse = flavours().native.types.getTypeParser(oid, 'text')
    const rows = values.map((value, i) => ['{}', value, String(i)])
    if (oid === 17) for (const row of rows) row[0] = '\\x7b'
    const expected = values.map((value, i) => [parse(String(rows[i][0])), readBinary(oid, value), i])
    await assertReads(mixed, rows, expected, type)
  })

  const ascii = values.filter((value) => value.every((byte) => byte < 0x80))
  test(`${type}: as stock where no byte is above 0x7f`, { skip: ascii.length === 0 }, async () => {
    for (const value of ascii) {
      if (isOdd(oid, value)) continue
      await same({ replies: [{ columns, rows: [[value], [null], [value]] }], at: value.toString('hex') })
    }
  })

  test(`${type}: values that cannot be of their type`, { skip: wrong.length === 0 }, async () => {
    for (const value of wrong) {
      for (const query of MODES) {
        for (const before of [0, 20]) {
          const context = await connect(flavours().native)
          const rows = [...Array(before).fill([values[0]]), [value], [values[0]]]
          context.backend.replies.push({ columns, rows }, { columns: ['n'], rows: [['next']] })
          const outcome = await context.client.query(query).catch((/** @type {any} */ error) => ({ error }))
          const at = `${value.toString('hex')}: ${JSON.stringify(outcome.rows)}`
          assert.ok(outcome.error instanceof Error, at)
          assert.match(outcome.error.message, /\S/, at)
          const { rows: next } = await context.client.query('select')
          assert.equal(next[0].n, 'next')
          await context.client.end()
        }
      }
    }
  })
}

/** Where pg-types' own parser is wrong even about bytes that have reached it: tiny floats, scales of numerics below one. */
function isOdd(/** @type {number} */ oid, /** @type {Buffer} */ value) {
  if (oid === 700) return (value[0] & 0x7f) === 0 && value[1] < 0x80 && value.some((byte) => byte !== 0)
  if (oid === 701) return (value[0] & 0x7f) === 0 && value[1] < 0x10 && value.some((byte) => byte !== 0)
  return false
}

test('numbers of all sizes', async () => {
  const context = await connect(flavours().native)
  const columns = [21, 23, 26, 20, 700, 701].map((dataTypeID, i) => ({
    name: `c${i}`,
    dataTypeID,
    format: 1,
  }))
  const row = fc.tuple(
    ...[2, 4, 4, 8, 4, 8].map((size) => fc.uint8Array({ minLength: size, maxLength: size }))
  )
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 1, maxLength: 40 }), async (made) => {
      const rows = made.map((cells) => cells.map((cell) => Buffer.from(cell)))
      context.backend.replies.push({ columns, rows })
      const result = await context.client.query({ text: 'select', rowMode: 'array' })
      const expected = rows.map((cells) => cells.map((cell, i) => readBinary(columns[i].dataTypeID, cell)))
      assertSame(result.rows, expected)
    }),
    { numRuns: 100 }
  )
  await context.client.end()
})

test('a random cell of any type is read or refused', async () => {
  const context = await connect(flavours().native)
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.array(fc.constantFrom(0, 1, 2, 0x17, 0x19, 0x14, 0xff), { maxLength: 48 })
  )
  const oids = fc.constantFrom(...ALL.map(({ oid }) => oid))
  await fc.assert(
    fc.asyncProperty(oids, bytes, async (dataTypeID, cell) => {
      const rows = [[Buffer.from(cell)]]
      context.backend.replies.push({ columns: [{ name: 'v', dataTypeID, format: 1 }], rows })
      const outcome = await context.client.query('select').catch((/** @type {any} */ error) => ({ error }))
      if (outcome.error) return assert.ok(outcome.error instanceof Error)
      const value = outcome.rows[0].v
      assert.notEqual(value, undefined)
      // The reader may throw where ours refused; it may not give something else.
      assertSame(value, readBinary(dataTypeID, rows[0][0]))
    }),
    { numRuns: 1000 }
  )
  context.backend.replies.push({ columns: ['n'], rows: [wire.dataRow(['next'])] })
  assert.equal((await context.client.query('select')).rows[0].n, 'next')
  await context.client.end()
})

test('a cursor on columns in binary format', async () => {
  const context = await connect(flavours().native)
  const columns = [
    { name: 'v', dataTypeID: 23, format: 1 },
    { name: 't', dataTypeID: 25, format: 1 },
  ]
  const cells = Array.from({ length: 20 }, (_, i) => [wire.int32(i * 100_000_000), Buffer.from(`é${i}`)])
  context.backend.replies.push({ columns, rows: cells })
  const cursor = context.client.query(new context.Cursor('select'))
  const rows = [...(await cursor.read(7)), ...(await cursor.read(100))]
  assertSame(
    rows,
    cells.map(([number, text]) => ({ v: number.readInt32BE(), t: text.toString() }))
  )
  await context.client.end()
})
