'use strict'

const SIDES = /** @type {const} */ (['base', 'head', 'base2', 'head2'])

/** @typedef {typeof SIDES[number]} Side `base2` and `head2`: second processes of the same code, which show the noise */

/**
 * @template T
 * @param {{base: T, head: T}} plan
 * @param {Side} side
 */
const contenderOf = (plan, side) => (side.startsWith('base') ? plan.base : plan.head)

/**
 * @template {string} S
 * @template T
 * @param {readonly S[]} sides
 * @param {(side: S) => T} make
 * @returns {Record<S, T>}
 */
const perSide = (sides, make) =>
  /** @type {Record<S, T>} */ (Object.fromEntries(sides.map((side) => [side, make(side)])))

/**
 * @template {string} S
 * @param {readonly S[]} sides
 * @param {(side: S) => Promise<any>} work one after the other: two at a time would measure each other
 * @returns {Promise<Record<S, any>>}
 */
const inTurn = async (sides, work) => {
  const results = /** @type {any} */ ({})
  for (const side of sides) results[side] = await work(side)
  return results
}

/**
 * @template {string} S
 * @param {string} name of the case
 * @param {Record<S, {digest: string}>} results
 */
const sameAnswer = (name, results) => {
  const sides = /** @type {S[]} */ (Object.keys(results))
  for (const side of sides) {
    if (results[side].digest !== results[sides[0]].digest)
      throw new Error(`${name}: ${side} gives another answer than ${sides[0]}`)
  }
}

module.exports = { SIDES, contenderOf, perSide, inTurn, sameAnswer }
