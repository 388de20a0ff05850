'use strict'

const test = require('node:test')
const assert = require('node:assert/strict')
const { flavours, openPair, closePair, same, whole, pieces } = require('../support/query')
const { textValues, isEndless } = require('../support/values')

// Each type with each of its hard values in text format, as a server could send it and as it never would: alone, among
// many rows, in one wide row, with NULLs in between, as objects and as arrays, whole and cut.

const ALL = textValues()

test('the corpora have values for every type that pg-types parses', () => {
  const { types } = flavours().stock
  const tried = new Set(ALL.map(({ oid }) => oid))
  const unparsed = types.getTypeParser(25, 'text')
  for (let oid = 0; oid < 10_000; oid++) {
    if (types.getTypeParser(oid, 'text') !== unparsed) assert.ok(tried.has(oid), `type ${oid}`)
  }
  for (const { type, oid, values } of ALL) {
    assert.ok(values.length > 50, `${type} has values`)
    for (const value of values) assert.ok(!isEndless(oid, value))
  }
})

for (const { type, oid, values } of ALL) {
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

  test(`${type}: each value alone`, async () => {
    const pair = await openPair()
    for (const value of values) {
      await same({
        on: pair,
        replies: [{ columns: [column], rows: [[value]] }],
        made: 'any',
        at: `${type} ${JSON.stringify(value.toString().slice(0, 60))}`,
      })
    }
    await closePair(pair)
  })

  test(`${type}: many rows`, async () => {
    const pair = await openPair()
    const once = good.flatMap((value, i) => (i % 5 === 0 ? [[value], [null]] : [[value]]))
    const rows = [...once, ...once]
    for (const { rowMode, cut } of [
      { cut: whole },
      { cut: pieces(100) },
      { cut: pieces(16_384), rowMode: 'array' },
      { cut: pieces(1013), rowMode: 'array' },
    ]) {
      await same({
        on: pair,
        replies: [{ columns: [column], rows }],
        query: { text: 'select', rowMode },
        cut,
        made: 'some',
        at: `${type}${rowMode ? ' as arrays' : ''}`,
      })
    }
    await closePair(pair)
  })

  test(`${type}: many columns`, async () => {
    const pair = await openPair()
    const columns = good.map((_, i) => ({ name: `v${i}`, dataTypeID: oid }))
    const rows = [good, good.map(() => null)]
    for (let every = 2; every < 6; every++) {
      rows.push(good.map((value, i) => (i % every === 0 ? null : value)))
      rows.push(good.map((value, i) => (i % every === 0 ? value : null)))
    }
    for (const rowMode of [undefined, 'array']) {
      await same({
        on: pair,
        replies: [{ columns, rows: [...rows, ...rows] }],
        query: { text: 'select', rowMode },
        made: 'some',
        at: `${type}${rowMode ? ' as arrays' : ''}`,
      })
    }
    await closePair(pair)
  })
}
