'use strict'

// What is measured, and the gates of SINKS.md: the least ratio stock time / our time, or for `heap` the most that ours may be
// of stock's; cases without one are there to inform.

/** @typedef {import('../lib/measure').Case & {stream: string, consumer: 'columns' | 'heap' | 'server'}} Case */

/** @type {Record<string, Partial<Record<'columns' | 'heap' | 'server', number | null>>>} */
const GATES = {
  wide: { columns: 6, heap: 1 / 3, server: 3 },
  short: { columns: null, heap: null },
  types: { columns: null, heap: null },
  binary: { columns: null, heap: null },
}

/** @type {Case[]} */
const CASES = Object.entries(GATES).flatMap(([stream, consumers]) =>
  Object.entries(consumers).map(([consumer, target]) => ({
    name: `${stream}/${consumer}`,
    stream,
    consumer: /** @type {Case['consumer']} */ (consumer),
    target,
    measures: consumer === 'heap' ? 'heap' : 'time',
  }))
)

module.exports = { CASES }
