'use strict'

const { distance } = require('./statistics')

/**
 * @typedef {{least?: number, mostOfFloor?: number}} Target `least` ratio to stock; `mostOfFloor`: how many times the floor
 *   head may take
 */

/**
 * A target is one of register against stock; other comparisons have none.
 * @param {{base: {kind: string}, head: {kind: string, commit: string | null}}} plan
 */
const hasTargets = ({ base, head }) => base.kind === 'stock' && head.kind === 'register'

/**
 * Parity is met within the noise of the run, for nothing can be level in every run; what is to be faster has to be.
 * @param {Target | undefined} target
 * @param {{ratio: number, noise: number, floor?: {head: number}}} row
 * @returns {boolean | null} null: there is no target
 */
const isMet = (target, { ratio, noise, floor }) => {
  if (target === undefined) return null
  const { least, mostOfFloor } = target
  if (least !== undefined && ratio < least && !(least === 1 && distance(ratio) <= noise)) return false
  return mostOfFloor === undefined || floor === undefined || floor.head <= mostOfFloor
}

/** @param {boolean | null | undefined} met */
const showMet = (met) => (met == null ? '' : met ? 'yes' : 'NO')

/**
 * @param {Target | null | undefined} target
 * @returns {string}
 */
const showTarget = (target) =>
  [
    ...(target?.least === undefined ? [] : [`${target.least}x`]),
    ...(target?.mostOfFloor === undefined ? [] : [`<= ${target.mostOfFloor}x floor`]),
  ].join(', ')

module.exports = { hasTargets, isMet, showMet, showTarget }
