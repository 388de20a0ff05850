'use strict'

const { performance } = require('node:perf_hooks')
const { setImmediate: turn } = require('node:timers/promises')
const { GcWatch } = require('./gc-watch')

/**
 * What a value holds, in bytes. Needs `--expose-gc`.
 * @template T
 * @param {() => T} make
 */
const weigh = async (make) => {
  await collect()
  const before = held()
  const watch = new GcWatch()
  watch.start()
  const start = performance.now()
  const value = make()
  const ms = performance.now() - start
  const { collections, pauseMs } = await watch.stop()
  await collect()
  return { value, bytes: held() - before, ms, collections, gcPauseMs: pauseMs }
}

const collect = async () => {
  for (let i = 0; i < 4; i++) {
    ;/** @type {() => void} */ (globalThis.gc)()
    await turn()
  }
}

/** `external` includes the memory of Buffers. */
const held = () => {
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

module.exports = { weigh }
