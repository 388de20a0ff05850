'use strict'

const path = require('node:path')
const { runRounds } = require('../lib/rounds')
const { median } = require('../lib/statistics')
const { verdict } = require('../lib/verdict')
const { Worker } = require('../lib/worker')

const PROCESS = path.join(__dirname, 'process.js')
const SIDES = /** @type {const} */ (['base', 'head', 'base2', 'head2'])

/**
 * @typedef {typeof SIDES[number]} Side
 * @typedef {{base: string, head: string, rounds: number, roundMs: number, warmMs: number, scale: number}} Plan
 */

/**
 * @param {Plan} plan
 * @param {Side} side
 */
const contenderOf = (plan, side) => (side.startsWith('base') ? plan.base : plan.head)

/**
 * Four processes live for the whole case, two of each side, and take turns.
 * @param {import('./cases').Case} what
 * @param {Plan} plan
 * @param {(doing: string) => void} [report]
 */
const measureTime = async (what, plan, report = () => {}) => {
  const { stream, consumer } = what
  const workers = fourOf((side) => new Worker(PROCESS, { env: environment(plan, side) }))
  try {
    report(`${what.name}: checking the answers`)
    const checks = await inTurn((side) =>
      workers[side].ask('prepare', {
        contender: contenderOf(plan, side),
        stream,
        consumer,
        scale: plan.scale,
      })
    )
    sameAnswer(what, checks)
    report(`${what.name}: warming up`)
    const warm = await inTurn((side) => workers[side].ask('warm', { ms: plan.warmMs }))
    const passes = fourOf((side) => Math.max(1, Math.round(plan.roundMs / warm[side].passMs)))
    const samples = await runRounds({
      sides: [...SIDES],
      rounds: plan.rounds,
      measure: (side) => workers[side].ask('round', { passes: passes[side] }),
      onRound: (round) => report(`${what.name}: round ${round + 1} of ${plan.rounds}`),
    })
    await inTurn((side) => workers[side].ask('checkInput'))
    const { rows, bytes, messages, chunks } = checks.base
    const result = judge(samples, 'ms')
    return {
      ...what,
      unit: 'ms',
      input: { rows, bytes, messages, chunks },
      ...result,
      cpu: judge(samples, 'cpuMs').ratio,
      gc: { base: collectionsOf(samples.base), head: collectionsOf(samples.head) },
      met: what.target === null ? null : result.ratio >= what.target,
      samples,
    }
  } finally {
    await Promise.all(Object.values(workers).map((worker) => worker.end()))
  }
}

/**
 * Memory is measured once per process, since a heap that was used before is another heap.
 * @param {import('./cases').Case} what
 * @param {Plan} plan
 * @param {(doing: string) => void} [report]
 */
const measureHeap = async (what, plan, report = () => {}) => {
  report(`${what.name}: heap held`)
  const results = await inTurn(async (side) => {
    const worker = new Worker(PROCESS, { execArgv: ['--expose-gc'], env: environment(plan, side) })
    try {
      return await worker.ask('kept', {
        contender: contenderOf(plan, side),
        stream: what.stream,
        scale: plan.scale,
      })
    } finally {
      await worker.end()
    }
  })
  sameAnswer(what, results)
  const samples = fourOf((side) => [results[side]])
  const result = judge(samples, 'bytes')
  // For memory the plain way to say it: how much of stock's, 1.25 being more.
  const held = 1 / result.ratio
  return {
    ...what,
    unit: 'bytes',
    input: null,
    cpu: null,
    ...result,
    ratio: held,
    range: /** @type {[number, number]} */ ([held, held]),
    ratios: [held],
    // One sample says nothing about rounds that agree.
    mark: null,
    gc: { base: collectionsOf(samples.base), head: collectionsOf(samples.head) },
    met: what.target === null ? null : held <= what.target,
    samples,
  }
}

/**
 * @param {import('./cases').Case} what
 * @param {Plan} plan
 * @param {(doing: string) => void} [report]
 */
const measure = (what, plan, report) =>
  what.consumer === 'kept' ? measureHeap(what, plan, report) : measureTime(what, plan, report)

/**
 * @template T
 * @param {(side: Side) => T} make
 * @returns {Record<Side, T>}
 */
const fourOf = (make) => ({
  base: make('base'),
  head: make('head'),
  base2: make('base2'),
  head2: make('head2'),
})

/**
 * @param {(side: Side) => Promise<any>} work one after the other: two at a time would measure each other
 * @returns {Promise<Record<Side, any>>}
 */
const inTurn = async (work) => {
  const results = /** @type {any} */ ({})
  for (const side of SIDES) results[side] = await work(side)
  return results
}

/**
 * @param {Plan} plan
 * @param {Side} side
 */
const environment = (plan, side) =>
  // Stock must not notice us at all; our side must fail rather than fall back to JavaScript.
  contenderOf(plan, side) === 'stock' ? process.env : { ...process.env, PG_PROTOCOL_NATIVE: 'require' }

/**
 * @param {import('./cases').Case} what
 * @param {Record<Side, {digest: string}>} results
 */
const sameAnswer = (what, results) => {
  for (const side of SIDES) {
    if (results[side].digest !== results.base.digest)
      throw new Error(`${what.name}: ${side} gives another answer than base`)
  }
}

/**
 * @param {Record<Side, any[]>} samples
 * @param {string} key
 */
const judge = (samples, key) => {
  const figures = fourOf((side) => samples[side].map((sample) => sample[key]))
  return verdict(figures, 'lower')
}

/** @param {{collections: number, gcPauseMs: number}[]} samples */
const collectionsOf = (samples) => ({
  collections: median(samples.map((sample) => sample.collections)),
  pauseMs: median(samples.map((sample) => sample.gcPauseMs)),
})

module.exports = { measure }
