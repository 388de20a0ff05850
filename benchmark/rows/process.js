'use strict'

// The child process of one side: one contender, one stream, one consumer, for its whole life.

const { serve } = require('../lib/worker')
const { loadContender } = require('./contenders')
const { measureKept } = require('./kept')
const { TimedCase } = require('./timed')

/** @type {InstanceType<typeof TimedCase>} */
let timed

serve({
  prepare: async (/** @type {any} */ options) => {
    timed = await TimedCase.open(loadContender(options.contender), options)
    return timed.check()
  },
  warm: (/** @type {{ms: number}} */ options) => timed.warm(options),
  round: (/** @type {{passes: number}} */ options) => timed.round(options),
  checkInput: () => timed.checkInput(),
  kept: (/** @type {any} */ options) => measureKept(loadContender(options.contender), options),
})
