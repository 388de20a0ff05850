'use strict'

/**
 * Columns by name and in their order.
 */

/** @typedef {InstanceType<typeof import('./column').Column>} AnyColumn */

/**
 * By name; of several columns of one name the last one, as in a row of stock's.
 *
 * @param {AnyColumn[]} columnList
 * @returns {Record<string, AnyColumn>}
 */
function byName(columnList) {
  /** @type {Record<string, AnyColumn>} */
  const columns = Object.create(null)
  for (const column of columnList) columns[column.name] = column
  return columns
}

/**
 * What one `read` of a cursor gives, and one `data` event of a stream: some rows as columns. It has the length that the
 * array of rows would have, which is by what pg-query-stream knows whether more will come, and as an iterable it has one
 * element, itself: the one that the stream is to pass on.
 */
class ColumnBatch {
  /**
   * @param {AnyColumn[]} columnList
   * @param {number} length
   */
  constructor(columnList, length) {
    this.length = length
    this.columnList = columnList
    this.columns = byName(columnList)
  }

  *[Symbol.iterator]() {
    if (this.length > 0) yield this
  }
}

module.exports = { ColumnBatch, byName }
