'use strict'

/**
 * A seeded source of numbers in [0, 1) (mulberry32). The streams have to be the same bytes in every process, on every
 * Node version and in results that lie years apart; a generator of our own six lines cannot change under us.
 * @param {number} seed
 * @returns {() => number}
 */
const createRandom = (seed) => {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits = (bits + Math.imul(bits ^ (bits >>> 7), bits | 61)) ^ bits
    return ((bits ^ (bits >>> 14)) >>> 0) / 4294967296
  }
}

/**
 * A whole number from `from` to `to`, both included.
 * @param {() => number} random
 * @param {number} from
 * @param {number} to
 */
const between = (random, from, to) => from + Math.floor(random() * (to - from + 1))

module.exports = { createRandom, between }
