'use strict'

const { performance } = require('node:perf_hooks')
const { setImmediate: turn } = require('node:timers/promises')
const { GcWatch } = require('./gc-watch')

/** Waited for only where there is something to wait for. @typedef {() => void | Promise<void>} Pass */

/**
 * Runs until the optimising compiler has had its say.
 * @param {Pass} pass
 * @param {number} ms
 * @returns {Promise<{passMs: number}>} what the last pass took
 */
const warm = async (pass, ms) => {
  const end = performance.now() + ms
  let passMs = 0
  for (let passes = 0; passes < 3 || performance.now() < end; passes++) {
    const start = performance.now()
    const work = pass()
    if (work !== undefined) await work
    passMs = performance.now() - start
    await turn()
  }
  return { passMs }
}

/**
 * @param {Pass} pass
 * @param {number} passes
 */
const round = async (pass, passes) => {
  const watch = new GcWatch()
  watch.start()
  const cpu = process.cpuUsage()
  const start = performance.now()
  for (let i = 0; i < passes; i++) {
    const work = pass()
    if (work !== undefined) await work
    // As between the reads of a socket, finalizers and other tasks get their turn.
    await turn()
  }
  const ms = (performance.now() - start) / passes
  const { user, system } = process.cpuUsage(cpu)
  const { collections, major, pauseMs } = await watch.stop()
  return {
    ms,
    cpuMs: (user + system) / 1000 / passes,
    passes,
    collections: collections / passes,
    majorCollections: major / passes,
    gcPauseMs: pauseMs / passes,
  }
}

/**
 * Work that waits for a server, again and again until the time is over.
 * @param {() => Promise<unknown>} pass
 * @param {{ms: number, most?: number}} budget `most` passes
 */
const timeFor = async (pass, { ms, most = Infinity }) => {
  const watch = new GcWatch()
  watch.start()
  let passes = 0
  const cpu = process.cpuUsage()
  const start = performance.now()
  let now = start
  while (now - start < ms && passes < most) {
    await pass()
    passes++
    now = performance.now()
  }
  const { user, system } = process.cpuUsage(cpu)
  const { collections, pauseMs } = await watch.stop()
  return { ms: now - start, cpuMs: (user + system) / 1000, passes, collections, gcPauseMs: pauseMs }
}

module.exports = { warm, round, timeFor }
