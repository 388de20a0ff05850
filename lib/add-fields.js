'use strict'

/**
 * `Result.prototype.addFields` for descriptions that were seen before.
 *
 * Stock builds an empty row of the description's names each time, property by property, which for a result of one row
 * takes longer than that row. The parsers are asked for as stock does: whose they are may change from query to query.
 */

const { descriptionOf } = require('./descriptions')

/** What pg since 8.11.1 does with a description; before, there is no empty row. */
const KNOWN = /this\._prebuiltEmptyResultObject = \{ ?\.\.\.row ?\}/

/**
 * @param {Function} stock
 * @param {{ active: boolean, types: { types: any } }} accelerator
 * @returns {Function} `stock` itself where it does something else
 */
function createAddFields(stock, accelerator) {
  if (!KNOWN.test(String(stock))) return stock
  const stockTypes = accelerator.types.types

  /** @this {any} a Result */
  return function addFields(/** @type {any[]} */ fieldDescriptions) {
    const description = accelerator.active ? descriptionOf(fieldDescriptions) : null
    if (description === null || !description.hasNamesOf(fieldDescriptions))
      return stock.apply(this, arguments)
    if (description.empty === null) {
      stock.apply(this, arguments)
      description.empty = { ...this._prebuiltEmptyResultObject }
      return
    }
    const count = fieldDescriptions.length
    this.fields = fieldDescriptions
    if (count > 0) this._parsers = new Array(count)
    const types = this._types || stockTypes
    for (let i = 0; i < count; i++) {
      const { dataTypeID, format } = fieldDescriptions[i]
      this._parsers[i] = types.getTypeParser(dataTypeID, format || 'text')
    }
    this._prebuiltEmptyResultObject = { ...description.empty }
  }
}

module.exports = { createAddFields }
