'use strict'

const test = require('node:test')
const { flavours, openPair, closePair, same, whole, pieces } = require('../support/query')
const { textValues } = require('../support/values')
const { asColumns } = require('./support/read-columns')

// Stock cuts a bytea off where its hex digits are wrong; as columns the query is rejected, which has its own test.
//
// Each type with each of its hard values in text format, read back out of columns: alone, among many rows with NULLs
// in between, in one wide row, whole and cut. What stock throws is thrown when the value is asked for.

/** Whether a text begins as a bytea in hex form and does not go on as one: no server prints that. */
const isBadHex = (/** @type {number} */ oid, /** @type {Buffer} */ value) =>
  oid === 17 && value.toString().startsWith('\\x') && !/^\\x([0-9a-f]{2})*$/i.test(value.toString())

for (const { type, oid, values: all } of textValues()) {
  const values = all.filter((value) => !isBadHex(oid, value))
  const column = { name: 'v', dataTypeID: oid }
  const parser = flavours().stock.types.getTypeParser(oid, 'text')
  const throws = (/** @type {Buffer} */ value) => {
    try {
      parser(value.toString())
      return false
    } catch {
      return true
    }
  }
  const good = values.filter((value) => !throws(value))

  for (const rowMode of ['columns', 'columns-micros']) {
    test(`${type}: each value alone, as ${rowMode}`, async () => {
      const pair = await openPair()
      for (const value of values) {
        await same({
          on: pair,
          replies: [{ columns: [column], rows: [[value]] }],
          run: asColumns({}, rowMode),
          made: 'any',
          at: `${type} ${JSON.stringify(value.toString().slice(0, 60))}`,
        })
      }
      await closePair(pair)
    })
  }

  test(`${type}: many rows`, async () => {
    const pair = await openPair()
    const once = good.flatMap((value, i) => (i % 5 === 0 ? [[value], [null]] : [[value]]))
    const rows = [...once, ...once]
    for (const cut of [whole, pieces(100), pieces(16_384)]) {
      for (const rowMode of ['columns', 'columns-micros']) {
        await same({
          on: pair,
          replies: [{ columns: [column], rows }],
          run: asColumns({}, rowMode),
          cut,
          at: `${type}, many, as ${rowMode}`,
        })
      }
    }
    await closePair(pair)
  })

  test(`${type}: many columns`, async () => {
    const pair = await openPair()
    const columns = good.map((_, i) => ({ name: `v${i}`, dataTypeID: oid }))
    const rows = [good, good.map(() => null), good, good.map((value, i) => (i % 3 === 0 ? null : value))]
    await same({ on: pair, replies: [{ columns, rows }], run: asColumns(), at: `${type}, wide` })
    await closePair(pair)
  })
}
