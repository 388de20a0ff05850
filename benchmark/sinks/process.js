'use strict'

// The child process of one side: one contender, one case, for its whole life.

const { serve } = require('../lib/worker')
const { loadContender } = require('../rows/contenders')
const { openCase, measureHeld } = require('./timed')

/** @type {Awaited<ReturnType<typeof openCase>>} */
let timed

serve({
  prepare: async (/** @type {any} */ options) => {
    timed = await openCase(loadContender(options.contender), options)
    return timed.check()
  },
  warm: (/** @type {{ms: number}} */ options) => timed.warm(options),
  round: (/** @type {{passes: number}} */ options) => timed.round(options),
  checkInput: () => timed.checkInput(),
  kept: (/** @type {any} */ options) => measureHeld(loadContender(options.contender), options),
})
