'use strict'

// The child process of one side: one parser, one stream, one consumer, for its whole life.

const { serve } = require('../lib/worker')
const { loadParser } = require('./contenders')
const { measureKept } = require('./kept')
const { TimedCase } = require('./timed')

/** @type {InstanceType<typeof TimedCase>} */
let timed

serve({
  prepare: (/** @type {any} */ options) => {
    timed = new TimedCase(loadParser(options.contender), options)
    return timed.check()
  },
  warm: (/** @type {{ms: number}} */ options) => timed.warm(options),
  round: (/** @type {{passes: number}} */ options) => timed.round(options),
  checkInput: () => timed.checkInput(),
  kept: (/** @type {any} */ options) => measureKept(loadParser(options.contender), options),
})
