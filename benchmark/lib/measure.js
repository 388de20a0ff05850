'use strict'

const { runRounds } = require('./rounds')
const { median } = require('./statistics')
const { verdict } = require('./verdict')
const { Worker } = require('./worker')

const SIDES = /** @type {const} */ (['base', 'head', 'base2', 'head2'])

/**
 * @typedef {typeof SIDES[number]} Side
 * @typedef {{base: string, head: string, rounds: number, roundMs: number, warmMs: number, scale: number}} Plan
 *
 * @typedef {object} Case
 * @property {string} name
 * @property {number | null} target the least ratio of base's time and head's, or for heap the most that head's may be of
 *   base's; null: only to inform
 * @property {'time' | 'heap'} measures
 *
 * @typedef {object} Setting what a benchmark measures with
 * @property {string} file the child process, a module that calls `serve`
 * @property {(contender: string) => NodeJS.ProcessEnv} environment
 * @property {(what: any) => object} options of a case for the child process
 */

/**
 * @param {Plan} plan
 * @param {Side} side
 */
const contenderOf = (plan, side) => (side.startsWith('base') ? plan.base : plan.head)

/**
 * Four processes live for the whole case, two of each side, and take turns.
 * @template {Case} C
 * @param {Setting} setting
 * @param {C} what
 * @param {Plan} plan
 * @param {(doing: string) => void} report
 */
const measureTime = async ({ file, environment, options }, what, plan, report) => {
  const workers = fourOf((side) => new Worker(file, { env: environment(contenderOf(plan, side)) }))
  try {
    report(`${what.name}: checking the answers`)
    const checks = await inTurn((side) =>
      workers[side].ask('prepare', {
        ...options(what),
        contender: contenderOf(plan, side),
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
 * @template {Case} C
 * @param {Setting} setting
 * @param {C} what
 * @param {Plan} plan
 * @param {(doing: string) => void} report
 */
const measureHeap = async ({ file, environment, options }, what, plan, report) => {
  report(`${what.name}: heap held`)
  const results = await inTurn(async (side) => {
    const contender = contenderOf(plan, side)
    const worker = new Worker(file, { execArgv: ['--expose-gc'], env: environment(contender) })
    try {
      return await worker.ask('kept', { ...options(what), contender, scale: plan.scale })
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
 * @template {Case} C
 * @param {Setting} setting
 * @param {C} what
 * @param {Plan} plan
 * @param {(doing: string) => void} [report]
 */
const measure = (setting, what, plan, report = () => {}) =>
  what.measures === 'heap'
    ? measureHeap(setting, what, plan, report)
    : measureTime(setting, what, plan, report)

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
 * @param {Case} what
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
