'use strict'

const test = require('node:test')
const fc = require('fast-check')
const { openPair, closePair, same, flavours } = require('../support/query')
const { GENERATED, garbage } = require('../support/arbitraries')
const { isEndless } = require('../support/values')

// Made-up values per type. PG_PROTOCOL_NATIVE_TEST_CASES=100000 tries so many of each type.

const CASES = Number(process.env.PG_PROTOCOL_NATIVE_TEST_CASES ?? 2000)
const PER_QUERY = 40

for (const [type, { oid, values }] of Object.entries(GENERATED)) {
  const throws = thrower(oid)
  for (const [what, source, cases] of /** @type {[string, fc.Arbitrary<string>, number][]} */ ([
    ['values', values, CASES],
    ['values changed in one place', fc.tuple(values, fc.nat(), garbage).map(spoil), CASES / 4],
    ['garbage', garbage, CASES / 4],
  ])) {
    test(`${type}: ${what}`, async () => {
      const pair = await openPair()
      const columns = [{ name: 'v', dataTypeID: oid }]
      const usable = source.filter((value) => !isEndless(oid, value))
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.option(usable, { freq: 9 }), { minLength: 1, maxLength: 2 * PER_QUERY }),
          fc.boolean(),
          async (cells, asArray) => {
            const good = cells.filter((cell) => cell === null || !throws(cell))
            const rows = good.map((cell) => [cell])
            const query = { text: 'select', rowMode: asArray ? 'array' : undefined }
            await same({ on: pair, replies: [{ columns, rows }], query, made: 'any' })
            const [bad] = cells.filter((cell) => cell !== null && throws(cell))
            if (bad === undefined) return
            await same({
              on: pair,
              replies: [{ columns, rows: [...rows, [bad], ...rows] }],
              query,
              made: 'any',
            })
          }
        ),
        { numRuns: Math.ceil(cases / PER_QUERY) }
      )
      await closePair(pair)
    })
  }
}

/** @param {number} oid */
function thrower(oid) {
  const parser = flavours().stock.types.getTypeParser(oid, 'text')
  return (/** @type {string} */ value) => {
    try {
      parser(value)
      return false
    } catch {
      return true
    }
  }
}

/** @param {[string, number, string]} parts */
function spoil([value, at, other]) {
  const place = at % (value.length + 1)
  return value.slice(0, place) + other.slice(0, 2) + value.slice(place + (at % 3))
}
