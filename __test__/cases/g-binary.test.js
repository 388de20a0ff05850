'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { flavours, connect } = require('../support/query')
const wire = require('../support/wire')

// Reports from the field about the binary format.

/**
 * What a cell in binary format comes to, alone and behind good rows, as object and as array.
 * @param {number} oid
 * @param {Buffer} cell
 * @param {Buffer} good
 */
const outcomes = async (oid, cell, good) => {
  const { client, backend } = await connect(flavours().native)
  const found = []
  for (const before of [0, 30]) {
    for (const rowMode of [undefined, 'array']) {
      const columns = [{ name: 'v', dataTypeID: oid, format: 1 }]
      const rows = [...Array(before).fill([good]), [cell], [good]]
      backend.replies.push({ columns, rows }, { columns: ['n'], rows: [['next']] })
      const outcome = await client
        .query({ text: 'select', rowMode })
        .catch((/** @type {any} */ error) => error)
      assert.equal((await client.query('select')).rows[0].n, 'next')
      found.push(outcome)
    }
  }
  await client.end()
  return found
}

const int4Array = (/** @type {number[]} */ dimensions, /** @type {Buffer[]} */ ...elements) =>
  Buffer.concat([
    wire.int32(dimensions.length),
    wire.int32(0),
    wire.int32(23),
    ...dimensions.flatMap((size) => [wire.int32(size), wire.int32(1)]),
    ...elements,
  ])
const element = (/** @type {Buffer} */ bytes) => Buffer.concat([wire.int32(bytes.length), bytes])
const goodArray = int4Array([1], element(wire.int32(7)))
const numeric = wire.hex('0002 0000 0000 0002 0001 1194')

// oven-sh/bun#33576, t8y2/dbx#5535
for (const [what, oid, cell, good] of /** @type {[string, number, Buffer, Buffer][]} */ ([
  ['a float8 of 4 bytes', 701, wire.hex('3f800000'), wire.hex('3ff0000000000000')],
  ['a float4 of 8 bytes', 700, wire.hex('3ff0000000000000'), wire.hex('3f800000')],
  ['a timestamptz of 4 bytes', 1184, wire.hex('00000000'), wire.hex('0000000000000000')],
  ['a bool of no byte', 16, wire.hex(''), wire.hex('01')],
  ['a bool of value 2', 16, wire.hex('02'), wire.hex('01')],
  ['an int4 of 2 bytes', 23, wire.hex('0001'), wire.hex('00000001')],
  ['an int8 of 4 bytes', 20, wire.hex('00000001'), wire.hex('0000000000000001')],
  ['an int4[] with an element of 5 bytes', 1007, int4Array([1], element(Buffer.alloc(5))), goodArray],
  ['an int4[] of 2^31 - 1 elements', 1007, int4Array([0x7fffffff], element(wire.int32(1))), goodArray],
  ['an int4[] of 65536 x 65536 elements', 1007, int4Array([65536, 65536], element(wire.int32(1))), goodArray],
  [
    'an int4[] of 2^31 - 1 dimensions',
    1007,
    Buffer.concat([wire.int32(0x7fffffff), wire.int32(0), wire.int32(23)]),
    goodArray,
  ],
  ['an int4[] with fewer elements than announced', 1007, int4Array([3], element(wire.int32(1))), goodArray],
  [
    'a numeric with more digits announced than present',
    1700,
    wire.hex('0005 0000 0000 0002 0001 1194'),
    numeric,
  ],
  ['a numeric of 65535 digits announced', 1700, wire.hex('ffff 0000 0000 0002 0001'), numeric],
])) {
  test(`F48: ${what} is refused`, async () => {
    const before = process.memoryUsage().rss
    for (const error of await outcomes(oid, cell, good)) {
      assert.ok(error instanceof Error, `gave ${JSON.stringify(error.rows?.at(-2))}`)
      assert.ok(error.message.length > 10, error.message)
    }
    assert.ok(process.memoryUsage().rss - before < 256 * 1024 * 1024, 'memory was asked for')
  })
}

test('bytes above 0x7f are what they are', async () => {
  const columns = [
    { name: 'i', dataTypeID: 23, format: 1 },
    { name: 'f', dataTypeID: 701, format: 1 },
    { name: 't', dataTypeID: 25, format: 1 },
    { name: 'd', dataTypeID: 1184, format: 1 },
  ]
  const moment = Buffer.alloc(8)
  moment.writeBigInt64BE(BigInt(Date.parse('1999-12-31T23:59:59.999Z') - Date.UTC(2000, 0, 1)) * 1000n)
  const cells = [wire.int32(-2), wire.hex('c00921fb54442d18'), Buffer.from('é😀'), moment]
  const { client, backend } = await connect(flavours().native)
  for (const count of [1, 50]) {
    backend.replies.push({ columns, rows: Array(count).fill(cells) })
    const { rows } = await client.query('select')
    for (const row of rows) {
      assert.deepEqual([row.i, row.f, row.t], [-2, -Math.PI, 'é😀'])
      assert.equal(row.d.toISOString(), '1999-12-31T23:59:59.999Z')
    }
  }
  await client.end()
})

test('parsers of the application get the bytes', async () => {
  const bytes = wire.hex('00 7f 80 ff c3 28')
  for (const rowMode of [undefined, 'array']) {
    const { client, backend } = await connect(flavours().native)
    const seen = /** @type {any[]} */ ([])
    client.setTypeParser(2950, 'binary', (/** @type {any} */ value) => (seen.push(value), 'read'))
    backend.replies.push({
      columns: [{ name: 'v', dataTypeID: 2950, format: 1 }],
      rows: Array(10).fill([bytes]),
    })
    const { rows } = await client.query({ text: 'select', rowMode })
    assert.deepEqual(Object.values(rows[9]), ['read'])
    assert.equal(seen.length, 10)
    for (const value of seen) {
      assert.ok(Buffer.isBuffer(value))
      assert.ok(value.equals(bytes))
    }
    await client.end()
  }
})
