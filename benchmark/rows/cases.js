'use strict'

// What is measured, and what it should come to. A target is the least ratio stock time / our time, or for `heap` the
// most that our heap may be of stock's; cases without one are there to inform.

/** @typedef {import('../lib/measure').Case & {stream: string, consumer: 'dropped' | 'kept' | 'heap'}} Case */

/** @type {Record<string, Partial<Record<'dropped' | 'kept' | 'heap', number | null>>>} */
const TARGETS = {
  wide: { dropped: 4.5, kept: 2.8, heap: 1.1 },
  short: { dropped: 5, kept: 4.5, heap: 1.1 },
  codes: { dropped: null, kept: null, heap: 1.1 },
  types: { dropped: 3, kept: 2.5, heap: 1.1 },
  array: { dropped: 4.5, kept: 4, heap: 1.1 },
  binary: { dropped: 5, kept: 4, heap: 1.1 },
  'one-row': { dropped: 1.2 },
  'one-row-sent': { dropped: null },
  lazy: { dropped: 12, kept: 6, heap: 1.1 },
}

/** @type {Case[]} */
const CASES = Object.entries(TARGETS).flatMap(([stream, consumers]) =>
  Object.entries(consumers).map(([consumer, target]) => ({
    name: `${stream}/${consumer}`,
    stream,
    consumer: /** @type {Case['consumer']} */ (consumer),
    target,
    measures: consumer === 'heap' ? 'heap' : 'time',
  }))
)

module.exports = { CASES }
