'use strict'

// What is measured, and what it should come to. A target is the least ratio stock time / our time, or for `kept` the
// most that our heap may be of stock's; cases without one are there to inform.

/** @typedef {import('../lib/measure').Case & {stream: string, consumer: string}} Case */

/** @type {Record<string, Record<string, number | null>>} */
const TARGETS = {
  wide: { never: 30, fields: 4.5, cells: null, text: null, kept: 1.25 },
  narrow: { never: 30, fields: 5, cells: null, text: null, kept: 1.25 },
  long: { never: 7, fields: 2, cells: null, text: null, kept: 1.25 },
  'non-ascii': { never: 25, fields: 4, cells: null, text: null, kept: 1.25 },
  'one-row': { fields: 1, never: null },
  'one-value': { fields: null },
}

/** @type {Case[]} */
const CASES = Object.entries(TARGETS).flatMap(([stream, consumers]) =>
  Object.entries(consumers).map(([consumer, target]) => ({
    name: `${stream}/${consumer}`,
    stream,
    consumer,
    target,
    measures: consumer === 'kept' ? 'heap' : 'time',
  }))
)

module.exports = { CASES }
