'use strict'

// The child process of one side: one client, one table and one way to take it, for its whole life.

const { serve } = require('../lib/worker')
const { TimedLarge } = require('./timed')

/** @type {InstanceType<typeof TimedLarge>} */
let timed

serve({
  prepare: async (/** @type {import('./timed').What} */ what) => {
    timed = await TimedLarge.open(what)
    return timed.check()
  },
  round: (/** @type {{ms: number}} */ options) => timed.round(options),
  check: () => timed.check(),
  end: () => timed.end(),
})
