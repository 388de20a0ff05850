'use strict'

const path = require('node:path')
const { runRounds } = require('../lib/rounds')
const { SIDES, contenderOf, inTurn, perSide, sameAnswer } = require('../lib/sides')
const { median } = require('../lib/statistics')
const { hasTargets, isMet } = require('../lib/target')
const { verdict } = require('../lib/verdict')
const { Worker } = require('../lib/worker')
const { stepsOf } = require('./steps')

const FILE = path.join(__dirname, 'process.js')
const QUICK_SCALE = 0.1

/**
 * @typedef {import('../contenders').Contender} Contender
 * @typedef {import('../lib/server-command').Plan} Plan
 * @typedef {import('../lib/server-command').Tools} Tools
 * @typedef {typeof import('./cases').CASES[number]} Case
 * @typedef {{contender: Contender, consumer: import('./cases').Consumer, decodeTimer?: boolean}} Taker
 */

/** @param {Plan} plan */
const scaleOf = ({ quick }) => (quick ? QUICK_SCALE : 1)

/**
 * One process for each way to take the result, all alive for the whole case, measured in turns.
 * @template {string} S
 * @param {Case} what
 * @param {Record<S, Taker>} takers
 * @param {Plan} plan
 * @param {Tools} tools
 * @param {(checks: Record<S, {digest: string}>) => void} compare
 * @returns {Promise<Record<S, any[]>>} samples
 */
const takeTurns = async ({ name, table }, takers, plan, { url, report, defer }, compare) => {
  const sides = /** @type {S[]} */ (Object.keys(takers))
  const workers = perSide(sides, (side) => startWorker(takers[side]))
  const running = defer(() => Promise.all(sides.map((side) => workers[side].end())))
  try {
    report(`${name}: checking the answers`)
    compare(
      await inTurn(sides, (side) =>
        workers[side].ask('prepare', {
          setup: takers[side].contender.setup,
          consumer: takers[side].consumer,
          table,
          scale: scaleOf(plan),
          url,
        })
      )
    )
    report(`${name}: warming up`)
    await inTurn(sides, (side) => workers[side].ask('round', { ms: plan.warmMs }))
    const samples = await runRounds({
      sides,
      rounds: plan.rounds,
      measure: (side) => workers[side].ask('round', { ms: plan.roundMs }),
      onRound: (round) => report(`${name}: round ${round + 1} of ${plan.rounds}`),
    })
    await inTurn(sides, (side) => workers[side].ask('end'))
    return samples
  } finally {
    await running.now()
  }
}

/** @param {Taker} taker */
const startWorker = ({ contender: { execPath, execArgv, env, setup }, decodeTimer }) =>
  decodeTimer
    ? new Worker(FILE, {
        execArgv: ['-r', path.join(__dirname, 'decode-timer.js'), ...execArgv],
        env: { ...env, PG_PROTOCOL_NATIVE_BENCH_FOLDER: /** @type {string} */ (setup.folder) },
      })
    : new Worker(FILE, { execPath, execArgv, env })

/**
 * The floor is the same for both: a process of stock pg that has lent its socket.
 * @param {Contender} contender
 * @returns {Taker}
 */
const floorTaker = (contender) => ({ contender, consumer: 'floor' })

/**
 * @param {Case} what
 * @param {Plan & {floor: Contender}} plan
 * @param {Tools} tools
 */
const measureLarge = async (what, plan, tools) => {
  if (what.consumer === 'steps') return measureSteps(what, plan, tools)
  const { consumer, name, title } = what
  const takers = {
    ...perSide(SIDES, (side) => ({ contender: contenderOf(plan, side), consumer })),
    floor: floorTaker(plan.floor),
  }
  const samples = await takeTurns(what, takers, plan, tools, (checks) => {
    const own = SIDES.filter((side) => contenderOf(plan, side).kind !== 'peer')
    // That the parsers give the same is seen by comparing cells; a row that is lazy is of another class.
    if (own.length > 0)
      sameAnswer(
        name,
        perSide(own, (side) => checks[side])
      )
  })
  const figures = (/** @type {string} */ key) =>
    perSide(SIDES, (side) => samples[side].map((sample) => sample[key]))
  const cpu = verdict(figures('cpuMs'), 'lower')
  const toFloor = (/** @type {'base' | 'head'} */ side, key = 'ms') =>
    median(samples[side].map((sample, round) => sample[key] / samples.floor[round][key]))
  const target = hasTargets(plan) ? what.target : undefined
  const compared = verdict(figures('ms'), 'lower')
  const floor = {
    ms: median(samples.floor.map(({ ms }) => ms)),
    cpuMs: median(samples.floor.map(({ cpuMs }) => cpuMs)),
    base: toFloor('base'),
    head: toFloor('head'),
  }
  return {
    name,
    title,
    unit: 'ms',
    ...compared,
    target: target ?? null,
    met: isMet(target, { ...compared, floor }),
    cpu: { base: cpu.base, head: cpu.head, ratio: cpu.ratio, range: cpu.range, noise: cpu.noise },
    floor,
    gc: { base: collectionsOf(samples.base), head: collectionsOf(samples.head) },
    samples,
  }
}

/**
 * Where the time of a query goes, from the differences between ways to take it that do more and more.
 * @param {Case} what
 * @param {Plan & {floor: Contender}} plan
 * @param {Tools} tools
 */
const measureSteps = async (what, plan, tools) => {
  const takers = {
    floor: floorTaker(plan.floor),
    ...takersOf('base', plan.base),
    ...takersOf('head', plan.head),
  }
  const samples = await takeTurns(what, takers, plan, tools, () => {})
  return {
    name: what.name,
    title: what.title,
    unit: 'steps',
    steps: { base: stepsOf('base', plan.base, samples), head: stepsOf('head', plan.head, samples) },
    samples,
  }
}

/**
 * @param {'base' | 'head'} side
 * @param {Contender} contender
 * @returns {Record<string, Taker>}
 */
const takersOf = (side, contender) => ({
  [`${side}/never`]: { contender, consumer: 'never' },
  [`${side}/rows`]: { contender, consumer: 'dropped' },
  ...(contender.kind === 'register'
    ? { [`${side}/decoded`]: { contender, consumer: 'decoded', decodeTimer: true } }
    : { [`${side}/values`]: { contender, consumer: 'values' } }),
})

/** Per query. @param {{collections: number, gcPauseMs: number}[]} samples */
const collectionsOf = (samples) => ({
  collections: median(samples.map((sample) => sample.collections)),
  pauseMs: median(samples.map((sample) => sample.gcPauseMs)),
})

module.exports = { measureLarge }
