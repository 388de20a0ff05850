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

/**
 * The share of the measured time in which a process that has nothing to wait for did not run: what other programs took.
 * @param {{ms: number, cpuMs: number, passes: number}[]} samples
 */
const disturbance = (samples) => {
  let wall = 0
  let ran = 0
  for (const { ms, cpuMs, passes } of samples) {
    wall += ms * passes
    // The collector's helper threads make CPU time longer than wall time.
    ran += Math.min(ms, cpuMs) * passes
  }
  return wall === 0 ? 0 : 1 - ran / wall
}

module.exports = { median, range, distance, disturbance }
