'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { isDeepStrictEqual } = require('node:util')
const { compareFlavours, assertBuilt } = require('./support/compare-flavours')
const { SAMPLE_TYPES } = require('../../scripts/sample-types')

// pg passes a cell in binary format through a string, in which bytes above 0x7f are lost. Rows that are built natively
// are read from the bytes: they have the values that the same cells have in text format, and those of stock where no
// byte is above 0x7f.

const reports = compareFlavours(require.resolve('./scenarios/binary'))

/** Types of which pg-types' parsers are inexact or wrong for some values, whatever the bytes. */
const INEXACT = new Set(['c_float4', 'c_float8', 'c_numeric', 'c_bool_array'])

/** @type {Record<string, (text: any) => any>} what the value in text format is in binary format */
const FROM_TEXT = {
  c_float4: (value) => Math.fround(value),
  c_numeric: Number,
  c_int8_array: (value) =>
    value.map((/** @type {any} */ element) => (element === null ? null : Number(element))),
}

/** @param {any} column @param {any} cell */
const expected = ({ name, known }, { text, utf8, bytes }) => {
  if (bytes === null) return null
  if (!known) return utf8
  return (FROM_TEXT[name] ?? ((/** @type {any} */ value) => value))(text)
}

/** @param {string} scenario what came of it with each flavour */
const valuesOf = (scenario) => {
  const { stock, register, override } = reports()
  assertBuilt(stock.outcomes[scenario], register.outcomes[scenario])
  return [stock, register, override].map(({ outcomes }) => {
    assert.equal(outcomes[scenario].threw, undefined, outcomes[scenario].stack)
    return outcomes[scenario].value
  })
}

/** @param {any[]} columns */
const assertRight = (columns) => {
  assert.equal(columns.length, SAMPLE_TYPES.length)
  for (const column of columns) {
    for (const cell of column.cells) {
      assert.deepEqual(cell.value, expected(column, cell), `${column.name}, bytes ${cell.bytes}`)
    }
  }
}

for (const scenario of ['by query', 'by cursor', 'by stream']) {
  test(`all types in binary format, ${scenario}`, () => {
    const [theirs, ours, overridden] = valuesOf(scenario)
    assertRight(ours)
    const count = { asStock: 0, repaired: 0 }
    for (const [c, column] of ours.entries()) {
      for (const [i, { value, ascii, bytes }] of column.cells.entries()) {
        const at = `${column.name}, bytes ${bytes}`
        const stock = theirs[c].cells[i].value
        if (bytes === null || (!column.known && !column.name.endsWith('_array'))) {
          assert.deepEqual(value, stock, at)
        } else if (ascii) {
          if (!INEXACT.has(column.name)) assert.deepEqual(value, stock, at)
          count.asStock++
        } else if (!isDeepStrictEqual(value, stock)) {
          count.repaired++
        }
      }
    }
    assert.ok(count.asStock > 500, `${count.asStock} cells without a byte above 0x7f`)
    assert.ok(count.repaired > 500, `${count.repaired} cells that stock gets wrong`)
    assert.deepEqual(overridden, theirs, 'with the override pg builds the rows')
  })
}

test('all types in binary format, as arrays', () => {
  const [stock, ours, overridden] = valuesOf('as arrays')
  assertRight(ours)
  for (const { class: name, message } of [stock, overridden]) {
    assert.deepEqual([name, message], ['TypeError', 'buffer.readInt32BE is not a function'])
  }
})
