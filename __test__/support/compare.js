'use strict'

const assert = require('node:assert/strict')
const fc = require('fast-check')
const stockMessages = require('pg-protocol/dist/messages')
const { Parser: StockParser } = require('pg-protocol/dist/parser')
const { createParser } = require('../../lib/parser')
const { collect, everyWay, cutAt, guarded, randomCuts } = require('./chunks')

// The reference is the installed pg-protocol, run on the same bytes in the same test. The native parser is made with
// pg-protocol's own message classes, so equal means equal down to the prototype and, for the messages that pg-protocol
// shares between all parsers (bindComplete and its like), to the object itself.

const NativeParser = createParser(stockMessages)

const SINGLETONS = [
  stockMessages.parseComplete,
  stockMessages.bindComplete,
  stockMessages.closeComplete,
  stockMessages.noData,
  stockMessages.portalSuspended,
  stockMessages.replicationStart,
  stockMessages.emptyQuery,
  stockMessages.copyDone,
]

const UNTOUCHED = -12345

/** Puts a mark into the shared messages, so that a length left by the other parser cannot pass for the right one. */
const markSingletons = () => {
  for (const message of SINGLETONS) message.length = UNTOUCHED
}

/**
 * What stock makes of a stream in one piece. A copy each time: stock hands out views of its input.
 * @param {Buffer} stream
 */
const stockCollect = (stream) => {
  markSingletons()
  return collect(new StockParser(), [Buffer.from(stream)])
}

/** @param {Buffer[]} chunks @param {string} [encoding] of the parser */
const nativeCollect = (chunks, encoding) => {
  markSingletons()
  return collect(new NativeParser({ encoding }), chunks)
}

/**
 * @param {any} actual a row of ours
 * @param {any} expected a row of stock's
 */
const assertSameRow = (actual, expected) => {
  assert.ok(actual instanceof stockMessages.DataRowMessage, "is an instance of stock's DataRowMessage")
  assert.equal(actual.constructor.name, 'DataRowMessage')
  assert.equal(actual.name, expected.name)
  assert.equal(actual.length, expected.length)
  assert.equal(actual.fieldCount, expected.fieldCount)
  assertSameFields(actual.fields, expected.fields)
  assert.deepEqual(Object.keys(actual).sort(), Object.keys(expected).sort())
}

/**
 * As `deepEqual` for arrays of strings and nulls, at the speed that a cut at each of 10 000 offsets needs.
 * @param {any} actual
 * @param {any} expected
 */
const assertSameFields = (actual, expected) => {
  let same =
    Array.isArray(actual) &&
    actual.length === expected.length &&
    Object.keys(actual).length === expected.length
  for (let i = 0; same && i < expected.length; i++) same = actual[i] === expected[i]
  if (!same) assert.deepEqual(actual, expected)
}

/**
 * @param {any} actual
 * @param {any} expected
 */
const assertSameMessage = (actual, expected) => {
  if (expected.name === 'dataRow') return assertSameRow(actual, expected)
  if (SINGLETONS.includes(expected))
    return assert.ok(actual === expected, `the one shared ${expected.name} object`)
  assert.equal(
    Object.getPrototypeOf(actual),
    Object.getPrototypeOf(expected),
    `prototype of ${expected.name}`
  )
  assert.deepEqual(Object.getOwnPropertyNames(actual), Object.getOwnPropertyNames(expected))
  assert.deepEqual(Object.keys(actual), Object.keys(expected))
  assert.deepEqual(actual, expected)
  if (expected instanceof Error) {
    assert.equal(actual.message, expected.message)
    assert.equal(String(actual), String(expected))
  }
}

/**
 * @param {{message: any, length: number}[]} actual
 * @param {{message: any, length: number}[]} expected
 * @param {string} [how]
 */
const assertSameMessages = (actual, expected, how = 'whole') => {
  try {
    assert.deepEqual(
      actual.map(({ message }) => message.name),
      expected.map(({ message }) => message.name)
    )
    for (let i = 0; i < expected.length; i++) {
      assert.equal(
        actual[i].length,
        expected[i].length,
        `length of message ${i}, ${expected[i].message.name}`
      )
      assertSameMessage(actual[i].message, expected[i].message)
    }
  } catch (error) {
    if (error instanceof Error) error.message = `[${how}] ${error.message}`
    throw error
  }
}

/**
 * The messages of a stream are those of stock however the stream is cut. They are compared after the whole stream has
 * passed, so what is compared is what a consumer who keeps messages would see.
 * @param {Buffer} stream
 * @param {{cuts?: Iterable<number>, random?: number, encoding?: string}} [options] see `everyWay`; `random` is the number of
 *   random cuttings, `encoding` that of the parser
 */
const assertSameAsStock = (stream, options = {}) => {
  const expected = stockCollect(stream)
  assert.ok(expected.length > 0, 'the stream has messages')
  for (const { how, chunks } of everyWay(stream, options))
    assertSameMessages(nativeCollect(chunks, options.encoding), expected, how)
  fc.assert(
    fc.property(randomCuts(stream.length), (offsets) => {
      assertSameMessages(
        nativeCollect(cutAt(stream, offsets), options.encoding),
        expected,
        `cut at ${offsets}`
      )
    }),
    { numRuns: options.random ?? 50 }
  )
}

/**
 * The same for one way of cutting, where a stream is too long for all of them.
 * @param {Buffer} stream
 * @param {Buffer[]} [chunks]
 * @param {string} [encoding]
 */
const assertSameOnce = (stream, chunks = [guarded(stream)], encoding) =>
  assertSameMessages(nativeCollect(chunks, encoding), stockCollect(stream))

module.exports = {
  stockMessages,
  StockParser,
  NativeParser,
  SINGLETONS,
  markSingletons,
  stockCollect,
  nativeCollect,
  assertSameMessage,
  assertSameMessages,
  assertSameAsStock,
  assertSameOnce,
}
