'use strict'

/** An interrupted benchmark: nothing went wrong, and there is no result. */
class Interrupted extends Error {
  /** @param {NodeJS.Signals} signal */
  constructor(signal) {
    super(`Interrupted by ${signal}; nothing is left behind.`)
    this.exitCode = signal === 'SIGINT' ? 130 : 143
  }
}

/** @typedef {{now: () => Promise<void>, cancel: () => void}} Deferred */

/**
 * @typedef {(undo: () => unknown) => Deferred} Defer
 *
 * What has to be undone when the work is over, whether it came to its end, failed, or was interrupted: last things
 * first, each once.
 */
class Cleanup {
  /** @type {(() => unknown)[]} */
  steps = []
  over = false

  /** @type {Defer} */
  defer = (undo) => {
    this.steps.push(undo)
    const cancel = () => {
      const at = this.steps.indexOf(undo)
      if (at >= 0) this.steps.splice(at, 1)
      return at >= 0
    }
    const now = async () => {
      if (cancel()) await undo()
    }
    // Work that was interrupted may have come to this before it noticed.
    if (this.over) void now()
    return { now, cancel }
  }

  async run() {
    this.over = true
    for (let undo = this.steps.pop(); undo; undo = this.steps.pop()) {
      try {
        await undo()
      } catch {
        // The rest has to be undone all the same, and what went wrong before is what people need to know.
      }
    }
  }
}

/**
 * @template T
 * @param {(cleanup: Cleanup) => Promise<T>} work
 * @returns {Promise<T>} rejected with `Interrupted` where a signal came
 */
const withCleanup = async (work) => {
  const cleanup = new Cleanup()
  /** @type {(error: Error) => void} */
  let interrupt = () => {}
  const interrupted = new Promise((_, reject) => (interrupt = reject))
  interrupted.catch(() => {})
  const onSignal = (/** @type {NodeJS.Signals} */ signal) => interrupt(new Interrupted(signal))
  process.on('SIGINT', onSignal).on('SIGTERM', onSignal)
  try {
    return await Promise.race([work(cleanup), /** @type {Promise<never>} */ (interrupted)])
  } finally {
    await cleanup.run()
    process.off('SIGINT', onSignal).off('SIGTERM', onSignal)
  }
}

module.exports = { Cleanup, Interrupted, withCleanup }
