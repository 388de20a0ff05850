'use strict'

const { median, range, distance } = require('./statistics')

/** A change below 2 % is never called one, however quiet the machine was. */
const LEAST_EFFECT = 0.02

/**
 * One figure per round and process. `base2` and `head2` are second processes of the same code: what they differ by is
 * noise and nothing else.
 * @typedef {{base: number[], head: number[], base2: number[], head2: number[]}} Rounds
 */

/**
 * @typedef {{
 *   base: number, head: number,
 *   ratio: number, range: [number, number], ratios: number[],
 *   noise: number, noiseBase: [number, number], noiseHead: [number, number],
 *   mark: 'faster' | 'slower' | null,
 * }} Verdict
 */

/**
 * Compares head with base. A ratio above 1 means that head is better.
 *
 * A mark is given only when the median of the per-round ratios moved further than the noise, at least 2 %, and every
 * round went the same way. The noise is the furthest that any round of base/base or head/head got from 1: strict on
 * purpose, and stricter with more rounds, because a mark should mean something.
 * @param {Rounds} rounds
 * @param {'lower' | 'higher'} better which figures are good ones: times ('lower') or queries per second ('higher')
 * @returns {Verdict}
 */
const verdict = (rounds, better) => {
  const { base, head, base2, head2 } = rounds
  if (base.length === 0 || [head, base2, head2].some((figures) => figures.length !== base.length)) {
    throw new RangeError('every process needs one figure per round')
  }
  const gain = better === 'lower' ? ratiosOf(base, head) : ratiosOf(head, base)
  const ratio = median(gain)
  const noiseBase = ratiosOf(base, base2)
  const noiseHead = ratiosOf(head, head2)
  const noise = Math.max(...[...noiseBase, ...noiseHead].map(distance))
  return {
    base: median(base),
    head: median(head),
    ratio,
    range: range(gain),
    ratios: gain,
    noise,
    noiseBase: range(noiseBase),
    noiseHead: range(noiseHead),
    mark: markOf(gain, ratio, noise),
  }
}

/** @param {number[]} above @param {number[]} below */
const ratiosOf = (above, below) => above.map((figure, round) => figure / below[round])

/**
 * @param {number[]} gain
 * @param {number} ratio
 * @param {number} noise
 */
const markOf = (gain, ratio, noise) => {
  if (distance(ratio) < LEAST_EFFECT || distance(ratio) <= noise) return null
  if (gain.every((round) => round > 1)) return 'faster'
  if (gain.every((round) => round < 1)) return 'slower'
  return null
}

module.exports = { verdict, LEAST_EFFECT }
