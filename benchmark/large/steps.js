'use strict'

const { median } = require('../lib/statistics')

/**
 * @typedef {{socket: number, parse: number, convert: number, build: number}} Steps in ms of one query
 */

/**
 * From the medians of ways to take the same result, each doing more than the one before:
 *
 * - socket: the bytes are thrown away (`floor`);
 * - parse: what messages cost that nobody reads (`never`), above that;
 * - convert: where pg makes the rows, what reading each cell and calling its parser costs (`values`) above that; where
 *   ours makes them, the time inside the calls into Rust that decode (`decoded`);
 * - build: what whole rows cost (`rows`) above all that.
 *
 * What noise makes negative counts as nothing.
 * @param {'base' | 'head'} side
 * @param {{kind: string}} contender
 * @param {Record<string, {ms: number, decodeMs?: number}[]>} samples
 * @returns {Steps}
 */
const stepsOf = (side, { kind }, samples) => {
  const of = (/** @type {string} */ way) => median(samples[way].map(({ ms }) => ms))
  const socket = of('floor')
  const never = Math.max(socket, of(`${side}/never`))
  const rows = Math.max(never, of(`${side}/rows`))
  const converted =
    kind === 'register'
      ? median(samples[`${side}/decoded`].map(({ decodeMs = 0 }) => decodeMs))
      : of(`${side}/values`) - never
  const convert = Math.min(Math.max(0, converted), rows - never)
  return { socket, parse: never - socket, convert, build: rows - never - convert }
}

module.exports = { stepsOf }
