'use strict'

/**
 * @param {number[]} values at least one
 */
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
}

/**
 * @param {number[]} values
 * @returns {[number, number]}
 */
const range = (values) => [Math.min(...values), Math.max(...values)]

/**
 * How far a ratio is from 1, the same for 2 and for 1/2: twice as fast and half as fast are equally far.
 * @param {number} ratio
 */
const distance = (ratio) => Math.max(ratio, 1 / ratio) - 1

module.exports = { median, range, distance }
