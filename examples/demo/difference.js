'use strict'

const { isDeepStrictEqual, inspect } = require('node:util')

const show = (/** @type {unknown} */ value) => {
  const text = inspect(value, { depth: 2, breakLength: Infinity })
  return text.length > 200 ? `${text.slice(0, 200)}...` : text
}

const isContainer = (/** @type {any} */ value) =>
  Array.isArray(value) || Object.prototype.toString.call(value) === '[object Object]'

/**
 * Where two values differ first, for people; null where they are deep-equal.
 *
 * @param {any} stock
 * @param {any} native
 * @param {string} [at]
 * @returns {string | null}
 */
function firstDifference(stock, native, at = 'result') {
  if (isDeepStrictEqual(stock, native)) return null
  if (isContainer(stock) && isContainer(native)) {
    const keys = new Set([...Object.keys(stock), ...Object.keys(native)])
    for (const key of keys) {
      const found = firstDifference(
        stock[key],
        native[key],
        Array.isArray(stock) ? `${at}[${key}]` : `${at}.${key}`
      )
      if (found) return found
    }
  }
  return `${at} is ${show(stock)} with pg alone and ${show(native)} with register`
}

module.exports = { firstDifference }
