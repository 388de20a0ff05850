'use strict'

const assert = require('node:assert/strict')

/**
 * The rows of a result that came as columns, as arrays; what is packed is looked at on the way.
 * @param {any} result
 * @returns {any[][]}
 */
const rowsOf = (result) => {
  assert.deepEqual(result.rows, [], 'no rows beside the columns')
  return rowsOfList(result.columnList, result.columnList[0]?.length ?? result.rowCount, result.columns)
}

/**
 * @param {any[]} columnList
 * @param {number} length
 * @param {Record<string, any>} columns
 */
const rowsOfList = (columnList, length, columns) => {
  assert.deepEqual(Object.keys(columns).sort(), [...new Set(columnList.map(({ name }) => name))].sort())
  const read = columnList.map((column) => {
    assert.equal(column.length, length)
    assert.equal(
      columns[column.name],
      columnList.findLast(({ name }) => name === column.name)
    )
    checkPacked(column)
    for (const i of [-1, 0.5, length, NaN]) assert.equal(column.get(i), undefined)
    return [...column]
  })
  return Array.from({ length }, (_, i) => read.map((values) => values[i]))
}

/** @param {any} column */
const checkPacked = ({ values, nulls, length }) => {
  if (nulls !== null) {
    assert.ok(nulls instanceof Uint8Array && nulls.length === Math.ceil(length / 8))
    let count = 0
    for (let i = 0; i < nulls.length * 8; i++) {
      const bit = (nulls[i >> 3] >> (i & 7)) & 1
      if (i >= length) assert.equal(bit, 0, 'no bits behind the last row')
      else if (bit === 0) count++
    }
    assert.ok(count > 0, 'a bitmap only where there are NULLs')
  }
  if (values.offsets) {
    const { offsets, data } = values
    assert.ok(offsets instanceof Int32Array && offsets.length === length + 1 && offsets[0] === 0)
    for (let i = 0; i < length; i++) assert.ok(offsets[i] <= offsets[i + 1])
    assert.equal(offsets[length], data.length)
    assert.equal(data.constructor, Uint8Array)
  } else {
    assert.equal(values.length, length)
  }
}

/**
 * Runs a query as rows with stock and as columns with the accelerator, for comparisons of `same`.
 * @param {any} [query]
 * @param {string} [rowMode]
 */
const asColumns =
  (query = {}, rowMode = 'columns') =>
  async (/** @type {any} */ { name, client }) => {
    const text = 'select'
    if (name === 'stock') return (await client.query({ text, ...query, rowMode: 'array' })).rows
    return rowsOf(await client.query({ text, ...query, rowMode }))
  }

module.exports = { rowsOf, rowsOfList, asColumns }
