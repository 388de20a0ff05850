'use strict'

/**
 * The order in which the sides are measured in one round: it is turned by one place every second round and reversed in
 * the others, so that none is always first (a cold clock) or always after the same neighbour.
 * @template Side
 * @param {Side[]} sides
 * @param {number} round from 0
 * @returns {Side[]}
 */
const orderOf = (sides, round) => {
  const turn = (round >> 1) % sides.length
  const turned = [...sides.slice(turn), ...sides.slice(0, turn)]
  return round % 2 === 1 ? turned.reverse() : turned
}

/**
 * Measures every side once per round, one after the other and never two at a time.
 * @template {string} Side
 * @template Sample
 * @param {{
 *   sides: Side[],
 *   rounds: number,
 *   measure: (side: Side, round: number) => Promise<Sample>,
 *   onRound?: (round: number) => void,
 * }} plan
 * @returns {Promise<Record<Side, Sample[]>>}
 */
const runRounds = async ({ sides, rounds, measure, onRound }) => {
  const samples = /** @type {any} */ (Object.fromEntries(sides.map((side) => [side, []])))
  for (let round = 0; round < rounds; round++) {
    if (onRound) onRound(round)
    for (const side of orderOf(sides, round)) samples[side].push(await measure(side, round))
  }
  return samples
}

module.exports = { orderOf, runRounds }
