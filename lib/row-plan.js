'use strict'

/**
 * What the rows of a description are built with, kept until something about it changes.
 */

const { shapeOf } = require('./row-builder')

class RowPlan {
  /**
   * @param {any[]} fields
   * @param {Function[]} parsers what pg would call for them
   * @param {boolean} asArray
   * @param {import('./row-builder').RowShape | null} shape null where pg is to build the rows
   */
  constructor(fields, parsers, asArray, shape) {
    this.parsers = parsers === undefined ? [] : parsers.slice()
    this.names = fields.map(({ name }) => name)
    this.types = fields.map(typeOf)
    this.asArray = asArray
    this.shape = shape
  }

  /**
   * Whether rows with these fields and parsers are built the same way. Walks over the columns, for an application may
   * have changed any of them.
   *
   * @param {any[]} fields
   * @param {Function[]} parsers
   * @param {boolean} asArray
   */
  fits(fields, parsers, asArray) {
    const { names, types } = this
    if (asArray !== this.asArray || fields.length !== names.length || !this.isParsedBy(parsers)) return false
    for (let i = 0; i < names.length; i++) {
      if (fields[i].name !== names[i] || typeOf(fields[i]) !== types[i]) return false
    }
    return true
  }

  /** @param {Function[]} parsers */
  isParsedBy(parsers) {
    const known = this.parsers
    for (let i = 0; i < known.length; i++) if (parsers[i] !== known[i]) return false
    return true
  }
}

/**
 * A field's type, and its format in the sign.
 *
 * @param {{ dataTypeID: number, format: string }} field
 */
function typeOf({ dataTypeID, format }) {
  return format === 'binary' ? -dataTypeID : dataTypeID
}

/**
 * @param {any} result
 * @param {import('./accelerator').AcceleratorOfCopy} accelerator
 * @returns {InstanceType<typeof RowPlan>}
 */
function makePlan({ fields, _parsers: parsers, rowAsArray }, accelerator) {
  return new RowPlan(fields, parsers, rowAsArray, makeShape(fields, parsers, rowAsArray, accelerator))
}

/**
 * @param {any[]} fields
 * @param {Function[]} parsers
 * @param {boolean} asArray
 * @param {import('./accelerator').AcceleratorOfCopy} accelerator
 */
function makeShape(fields, parsers, asArray, { types, setsNulls }) {
  const count = fields.length
  const names = new Array(count)
  const columns = new Array(count)
  for (let i = 0; i < count; i++) {
    const { name } = fields[i]
    // In pg before 8.21 such a column changes the row's prototype.
    if ((name === '__proto__' && !asArray) || typeof parsers[i] !== 'function') return null
    names[i] = name
    columns[i] = types.column(fields[i], parsers[i])
  }
  // In pg 8.11.3 and its next releases a NULL leaves the value of the column of the same name before it.
  if (!setsNulls && new Set(names).size < count) return null
  return shapeOf(names, columns, asArray)
}

/** @typedef {InstanceType<typeof RowPlan>} PlanOfRows */

module.exports = { makePlan }
