'use strict'

const { runRounds } = require('./rounds')
const { SIDES, contenderOf, inTurn, perSide, sameAnswer } = require('./sides')
const { median } = require('./statistics')
const { verdict } = require('./verdict')
const { Worker } = require('./worker')

/**
 * @typedef {import('./sides').Side} Side
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
 * Four processes live for the whole case, two of each side, and take turns.
 * @template {Case} C
 * @param {Setting} setting
 * @param {C} what
 * @param {Plan} plan
 * @param {(doing: string) => void} report
 */
const measureTime = async ({ file, environment, options }, what, plan, report) => {
  const workers = perSide(SIDES, (side) => new Worker(file, { env: environment(contenderOf(plan, side)) }))
  try {
    report(`${what.name}: checking the answers`)
    const checks = await inTurn(SIDES, (side) =>
      workers[side].ask('prepare', {
        ...options(what),
        contender: contenderOf(plan, side),
        scale: plan.scale,
      })
    )
    sameAnswer(what.name, checks)
    report(`${what.name}: warming up`)
    const warm = await inTurn(SIDES, (side) => workers[side].ask('warm', { ms: plan.warmMs }))
    const passes = perSide(SIDES, (side) => Math.max(1, Math.round(plan.roundMs / warm[side].passMs)))
    const samples = await runRounds({
      sides: [...SIDES],
      rounds: plan.rounds,
      measure: (side) => workers[side].ask('round', { passes: passes[side] }),
      onRound: (round) => report(`${what.name}: round ${round + 1} of ${plan.rounds}`),
    })
    await inTurn(SIDES, (side) => workers[side].ask('checkInput'))
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
  const results = await inTurn(SIDES, async (side) => {
    const contender = contenderOf(plan, side)
    const worker = new Worker(file, { execArgv: ['--expose-gc'], env: environment(contender) })
    try {
      return await worker.ask('kept', { ...options(what), contender, scale: plan.scale })
    } finally {
      await worker.end()
    }
  })
  sameAnswer(what.name, results)
  const samples = perSide(SIDES, (side) => [results[side]])
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
 * @param {Record<Side, any[]>} samples
 * @param {string} key
 */
const judge = (samples, key) => {
  const figures = perSide(SIDES, (side) => samples[side].map((sample) => sample[key]))
  return verdict(figures, 'lower')
}

/** @param {{collections: number, gcPauseMs: number}[]} samples */
const collectionsOf = (samples) => ({
  collections: median(samples.map((sample) => sample.collections)),
  pauseMs: median(samples.map((sample) => sample.gcPauseMs)),
})

module.exports = { measure }
