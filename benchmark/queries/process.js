'use strict'

// The child process of one side: one client and one scenario, for its whole life.

const { serve } = require('../lib/worker')
const { TimedScenario } = require('./timed')

/** @type {InstanceType<typeof TimedScenario>} */
let timed

serve({
  prepare: async (/** @type {any} */ what) => {
    timed = await TimedScenario.open(what)
    return timed.check()
  },
  round: (/** @type {{ms: number}} */ options) => timed.round(options),
  check: () => timed.check(),
  end: () => timed.end(),
})
