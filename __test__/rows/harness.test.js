'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { assertSame, same, flavours, openPair, closePair, pieces } = require('../support/query')

// The other tests of rows say nothing unless the comparison sees what it is there to see.

const differing = /** @type {[string, any, any][]} */ ([
  ['values', 1, 2],
  ['types', 1, '1'],
  ['the sign of zero', 0, -0],
  ['undefined and null', undefined, null],
  ['a hole', Object.assign(new Array(2), { 1: 1 }), [undefined, 1]],
  ['lengths', [1], [1, 2]],
  ['an array and an object', { 0: 1 }, [1]],
  ['key order', { a: 1, b: 2 }, { b: 2, a: 1 }],
  ['a missing key', { a: 1 }, { a: 1, b: undefined }],
  ['prototypes', {}, Object.create(null)],
  ['an own __proto__', JSON.parse('{"__proto__": null}'), {}],
  ['a frozen object', Object.freeze({ a: 1 }), { a: 1 }],
  ['a frozen array', Object.freeze([1]), [1]],
  [
    'enumerability',
    Object.defineProperty({}, 'a', { value: 1, writable: true, configurable: true }),
    { a: 1 },
  ],
  [
    'a getter',
    {
      get a() {
        return 1
      },
    },
    { a: 1 },
  ],
  ['symbols', { [Symbol.iterator]: 1 }, {}],
  ['times', new Date(1), new Date(2)],
  ['invalid and valid dates', new Date(NaN), new Date(0)],
  ['own properties of dates', Object.assign(new Date(0), { usec: 1 }), new Date(0)],
  ['bytes', Buffer.from('a'), Buffer.from('b')],
  ['a Buffer and a Uint8Array', new Uint8Array([97]), Buffer.from('a')],
  ['depth', { a: [{ b: 1 }] }, { a: [{ b: 2 }] }],
  ['error messages', new Error('a'), new Error('b')],
  ['error classes', new TypeError('a'), new Error('a')],
  ['error codes', Object.assign(new Error('a'), { code: 1 }), new Error('a')],
  ['functions of other arity', (/** @type {any} */ a) => a, () => 1],
  ['a function and an object', {}, () => 1],
])

for (const [what, a, b] of differing) {
  test(`the comparison sees ${what}`, () => {
    assert.throws(() => assertSame(a, b), { name: 'AssertionError' })
    assert.throws(() => assertSame(b, a), { name: 'AssertionError' })
    assert.throws(() => assertSame({ deep: [a] }, { deep: [b] }), { name: 'AssertionError' })
  })
}

test('the comparison lets equal things pass', () => {
  const make = () => ({
    n: [NaN, -0, null, undefined, 1.5, 'é', 10n, true],
    d: [new Date(5), new Date(NaN)],
    b: Buffer.from([0, 255]),
    e: Object.assign(new RangeError('x'), { code: 'y' }),
    o: Object.create(null),
  })
  assertSame(make(), make())
})

test("each copy's classes are its own, and are the same to the comparison", () => {
  const { stock, native } = flavours()
  assert.notEqual(stock.pg, native.pg)
  assert.notEqual(stock.PostgresInterval, native.PostgresInterval)
  assert.notEqual(stock.types.getTypeParser(23), native.types.getTypeParser(23))
  const copies = { actual: native, expected: stock }
  assertSame(new native.PostgresInterval('1 day'), new stock.PostgresInterval('1 day'), copies)
  assertSame(native.types.getTypeParser(16), stock.types.getTypeParser(16), copies)
  assert.throws(() => assertSame(native.types.getTypeParser(16), stock.types.getTypeParser(17), copies))
  assert.throws(() =>
    assertSame(new stock.PostgresInterval('1 day'), new stock.PostgresInterval('1 day'), copies)
  )
})

test('a whole result is compared, and the stream may be cut', async () => {
  for (const cut of [undefined, pieces(1)]) {
    const { native } = await same({
      replies: [
        { columns: [{ name: 'a', dataTypeID: 23 }, 'b'], rows: Array(10).fill(['1', 'x']), tag: 'SELECT 10' },
      ],
      cut,
      made: 'any',
    })
    assert.equal(native.rowCount, 10)
    assert.deepEqual({ ...native.rows[9] }, { a: 1, b: 'x' })
    assert.equal(native.fields[0].dataTypeID, 23)
  }
})

test('a comparison fails when the accelerator makes other rows than the test says', async () => {
  const replies = [{ columns: ['a'], rows: [['1'], ['2']] }]
  const pair = await openPair()
  await same({ on: pair, replies, made: 'all' })
  await assert.rejects(same({ on: pair, replies, made: 'none' }), /rows that the accelerator made/)
  await assert.rejects(same({ on: pair, replies, made: 1 }), /rows that the accelerator made/)
  await closePair(pair)
})
