'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const fc = require('fast-check')
const { readBinaryArray } = require('../../lib/values/binary-array')
const { zonedDate, localDate } = require('../../lib/values/binary-date')

const runs = Number(process.env.PG_PROTOCOL_NATIVE_TEST_CASES ?? 2000)

/** @type {Record<number, (bytes: Buffer) => any>} pg-types' binary parsers, called with whole bytes */
const stock = {}
require('pg-types/lib/binaryParsers').init((/** @type {number} */ oid, /** @type {any} */ parse) => {
  stock[oid] = parse
})

const BOOL = 16
const INT8 = 20
const INT4 = 23
const TEXT = 25

/** @param {number[]} values */
const words = (...values) => {
  const bytes = Buffer.alloc(values.length * 4)
  values.forEach((value, i) => bytes.writeInt32BE(value, i * 4))
  return bytes
}

/**
 * @param {number} type
 * @param {number[]} sizes
 * @param {(Buffer | null)[]} elements
 */
const arrayBytes = (type, sizes, elements) =>
  Buffer.concat([
    words(sizes.length, elements.includes(null) ? 1 : 0, type),
    ...sizes.map((size) => words(size, 1)),
    ...elements.flatMap((element) => (element === null ? [words(-1)] : [words(element.length), element])),
  ])

/** @param {Buffer} bytes within others, as in a row */
const read = (bytes) => {
  const around = Buffer.concat([Buffer.alloc(3, 0xee), bytes, Buffer.alloc(5, 0xee)])
  return readBinaryArray(around, 3, 3 + bytes.length)
}

/** @param {number} value */
const int4 = (value) => words(value)
/** @param {bigint} value */
const int8 = (value) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64BE(value)
  return bytes
}

test('arrays of int4, int8 and text are those of pg-types', () => {
  const sizes = fc.array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 })
  /** @type {[number, fc.Arbitrary<Buffer>][]} */
  const types = [
    // stock reads negative integers as large ones
    [INT4, fc.nat(0x7fffffff).map(int4)],
    [INT8, fc.bigInt({ min: 0n, max: 2n ** 53n }).map(int8)],
    [TEXT, fc.string({ unit: 'grapheme', maxLength: 6 }).map((text) => Buffer.from(text))],
    [TEXT, fc.uint8Array({ maxLength: 6 }).map((bytes) => Buffer.from(bytes))],
  ]
  for (const [type, element] of types) {
    const elements = fc.array(fc.option(element, { freq: 5 }), { minLength: 81, maxLength: 81 })
    fc.assert(
      fc.property(sizes, elements, (shape, values) => {
        const count = shape.length === 0 ? 0 : shape.reduce((product, size) => product * size, 1)
        const bytes = arrayBytes(type, shape, values.slice(0, count))
        assert.deepStrictEqual(read(bytes), stock[1007](bytes))
      }),
      { numRuns: Math.ceil(runs / 4) }
    )
  }
})

test('integers of arrays keep their sign', () => {
  assert.deepEqual(
    read(arrayBytes(INT4, [3], [int4(-1), int4(-0x80000000), int4(0x7fffffff)])),
    [-1, -0x80000000, 0x7fffffff]
  )
  assert.deepEqual(read(arrayBytes(INT8, [2], [int8(-1n), int8(-(2n ** 63n))])), [-1, -(2 ** 63)])
})

test('arrays of booleans are arrays of booleans', () => {
  assert.deepEqual(read(arrayBytes(BOOL, [3], [Buffer.from([1]), null, Buffer.from([0])])), [
    true,
    null,
    false,
  ])
})

test('arrays of other types are left to stock', () => {
  assert.equal(read(arrayBytes(24, [1], [int4(1)])), undefined)
})

test('F48: an array with a wrong size, count or length is refused', () => {
  const good = arrayBytes(INT4, [1], [int4(7)])
  assert.deepEqual(read(good), [7])
  /** @param {Buffer} bytes */
  const refused = (bytes) =>
    assert.throws(() => read(bytes), { code: '08P01', message: /^malformed binary array: / })
  for (let end = 0; end < good.length; end++) refused(good.subarray(0, end))
  refused(Buffer.concat([good, Buffer.alloc(1)]))
  refused(arrayBytes(INT4, [1], [Buffer.alloc(5)]))
  refused(arrayBytes(INT4, [1], [Buffer.alloc(3)]))
  refused(arrayBytes(INT8, [1], [int4(7)]))
  refused(arrayBytes(BOOL, [1], [Buffer.from([2])]))
  refused(arrayBytes(BOOL, [1], [Buffer.alloc(0)]))
  refused(arrayBytes(INT4, [2], [int4(7)]))
  refused(arrayBytes(INT4, [0x7fffffff], [int4(7)]))
  refused(arrayBytes(INT4, [0x10000, 0x10000, 0x10000, 0x10000], [int4(7)]))
  refused(arrayBytes(INT4, [-1, -1], [int4(7)]))
  refused(arrayBytes(INT4, [0], []))
  refused(arrayBytes(INT4, [1, 1, 1, 1, 1, 1, 1], [int4(7)]))
  for (const levels of [-1, 7, 0x7fffffff, -0x80000000]) {
    const bytes = Buffer.from(good)
    bytes.writeInt32BE(levels, 0)
    refused(bytes)
  }
  for (const length of [-2, 5, 0x7fffffff, -0x80000000]) {
    const bytes = Buffer.from(good)
    bytes.writeInt32BE(length, 20)
    refused(bytes)
  }
})

const MICROS_1970_TO_2000 = 946_684_800_000_000n
/** Stock takes these for what they are. */
const afterYear2000 = fc.bigInt({ min: 0n, max: 5n * 10n ** 15n })

test('timestamps of this millennium are those of pg-types', () => {
  const before = process.env.TZ
  for (const zone of ['UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Australia/Lord_Howe']) {
    process.env.TZ = zone
    fc.assert(
      fc.property(afterYear2000, (micros) => {
        const millis = Number((micros + MICROS_1970_TO_2000) / 1000n)
        const rest = Number(micros % 1000n)
        for (const [oid, ours] of [
          [1184, zonedDate(millis, rest)],
          [1114, localDate(millis, rest)],
        ]) {
          const theirs = stock[Number(oid)](int8(micros))
          assert.equal(Number(ours), theirs.getTime())
          assert.deepEqual(Object.keys(ours), Object.keys(theirs))
          assert.equal(/** @type {any} */ (ours).getMicroSeconds(), theirs.getMicroSeconds())
        }
      }),
      { numRuns: Math.ceil(runs / 5) }
    )
  }
  if (before === undefined) delete process.env.TZ
  else process.env.TZ = before
})

test('a date keeps its microseconds on itself', () => {
  const [date, other] = [zonedDate(0, 5), localDate(0, 7)]
  date.setMicroSeconds(999)
  assert.deepEqual([date.usec, date.getMicroSeconds(), date.getUTCMicroSeconds()], [999, 999, 999])
  assert.equal(other.usec, 7)
  assert.ok(Number.isNaN(localDate(NaN, 0).getTime()))
})
