'use strict'

const { PerformanceObserver, constants } = require('node:perf_hooks')
const { setImmediate: turn } = require('node:timers/promises')

/** @typedef {{collections: number, major: number, pauseMs: number}} Collections */

/** Bun does not tell of its collections: there it counts none. */
const TOLD = PerformanceObserver.supportedEntryTypes.includes('gc')

/** Counts garbage collections, incremental steps included, and what they stopped the program for. */
class GcWatch {
  start() {
    this.entries = /** @type {PerformanceEntry[]} */ ([])
    this.observer = new PerformanceObserver((list) => this.entries?.push(...list.getEntries()))
    if (TOLD) this.observer.observe({ entryTypes: ['gc'] })
  }

  /** @returns {Promise<Collections>} */
  async stop() {
    // Node queues the entries for the next turn of the event loop.
    await turn()
    const entries = [...(this.entries ?? []), ...(this.observer?.takeRecords() ?? [])]
    this.observer?.disconnect()
    return {
      collections: entries.length,
      major: entries.filter((entry) => kindOf(entry) === constants.NODE_PERFORMANCE_GC_MAJOR).length,
      pauseMs: entries.reduce((sum, entry) => sum + entry.duration, 0),
    }
  }
}

/** @param {any} entry */
const kindOf = (entry) => entry.detail?.kind

module.exports = { GcWatch }
