'use strict'

const path = require('node:path')
const { performance } = require('node:perf_hooks')
const { Worker } = require('../lib/worker')
const { RustProcess } = require('./rust')

/**
 * @typedef {{input: string, bytes: number, answer: string, rows: number}} Check
 * @typedef {object} Side a contender in a process of its own
 * @property {(rows: number) => Promise<Check>} prepare
 * @property {(ms: number) => Promise<{passMs: number}>} warm
 * @property {(passes: number) => Promise<{ms: number}>} round
 * @property {() => Promise<void>} finish after the last round
 * @property {() => Promise<void>} end
 *
 * @typedef {{name: string, title: string, open: (executable: string) => Side}} Contender
 */

/** What all others are multiples of. */
const REFERENCE = 'postgres-protocol'

/** @param {string} crate @returns {(executable: string) => Side} */
const inRust = (crate) => (executable) => {
  const child = new RustProcess(executable)
  return {
    prepare: (rows) => child.ask('prepare', crate, rows),
    async warm(ms) {
      let passMs = 0
      for (const end = performance.now() + ms; performance.now() < end;)
        passMs = (await child.ask('round', 5)).ms
      return { passMs }
    },
    round: (passes) => child.ask('round', passes),
    finish: async () => {},
    end: () => child.end(),
  }
}

/** @param {string} reader @returns {() => Side} */
const inJavaScript = (reader) => () => {
  // A fallback would be measured as if it were the real thing.
  const worker = new Worker(path.join(__dirname, 'process.js'), {
    env: { ...process.env, PG_PROTOCOL_NATIVE: 'require' },
  })
  let input = ''
  return {
    async prepare(rows) {
      const check = await worker.ask('prepare', { reader, rows })
      input = check.input
      return check
    },
    warm: (ms) => worker.ask('warm', { ms }),
    round: (passes) => worker.ask('round', { passes }),
    async finish() {
      if ((await worker.ask('input')) !== input) throw new Error(`${reader} wrote into its input`)
    },
    end: () => worker.end(),
  }
}

/** @type {Contender[]} */
const CONTENDERS = [
  { name: REFERENCE, title: 'Rust, crate postgres-protocol: messages and ranges', open: inRust(REFERENCE) },
  {
    name: 'crate',
    title: "Rust, this package's crate: index and ranges",
    open: inRust('pg-protocol-native'),
  },
  { name: 'lazy', title: 'JavaScript, this package: lazy rows', open: inJavaScript('lazy rows') },
  { name: 'fields', title: 'JavaScript, this package: `fields` of each row', open: inJavaScript('fields') },
  { name: 'pg-protocol', title: 'JavaScript, pg-protocol', open: inJavaScript('pg-protocol') },
]

module.exports = { CONTENDERS, REFERENCE }
