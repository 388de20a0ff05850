'use strict'

const path = require('node:path')
const { runRounds } = require('../lib/rounds')
const { SIDES, contenderOf, inTurn, perSide, sameAnswer } = require('../lib/sides')
const { median } = require('../lib/statistics')
const { hasTargets, isMet } = require('../lib/target')
const { verdict } = require('../lib/verdict')
const { Worker } = require('../lib/worker')

const FILE = path.join(__dirname, 'process.js')

/**
 * @typedef {import('../contenders').Contender} Contender
 * @typedef {{base: Contender, head: Contender, rounds: number, roundMs: number, warmMs: number}} Plan
 */

/**
 * Four processes live for the whole scenario, two of each side, and take turns.
 * @param {import('./scenarios').Scenario} scenario
 * @param {Plan} plan
 * @param {{url: string, report: (doing: string) => void, defer: import('../lib/cleanup').Defer}} tools
 */
const measureScenario = async (scenario, plan, { url, report, defer }) => {
  const { name, title, group } = scenario
  const target = hasTargets(plan) ? scenario.target : undefined
  const workers = perSide(SIDES, (side) => {
    const { execPath, execArgv, env } = contenderOf(plan, side)
    return new Worker(FILE, { execPath, execArgv, env })
  })
  const running = defer(() => Promise.all(Object.values(workers).map((worker) => worker.end())))
  try {
    report(`${name}: checking the answers`)
    const checks = await inTurn(SIDES, (side) =>
      workers[side].ask('prepare', { setup: contenderOf(plan, side).setup, scenario: name, url })
    )
    compareAnswers(name, plan, checks)
    report(`${name}: warming up`)
    await inTurn(SIDES, (side) => workers[side].ask('round', { ms: plan.warmMs }))
    const samples = await runRounds({
      sides: [...SIDES],
      rounds: plan.rounds,
      measure: (side) => workers[side].ask('round', { ms: plan.roundMs }),
      onRound: (round) => report(`${name}: round ${round + 1} of ${plan.rounds}`),
    })
    compareAnswers(name, plan, await inTurn(SIDES, (side) => workers[side].ask('check')))
    await inTurn(SIDES, (side) => workers[side].ask('end'))
    const figures = (/** @type {string} */ key) =>
      perSide(SIDES, (side) => samples[side].map((sample) => sample[key]))
    const cpu = verdict(figures('cpuMs'), 'lower')
    const compared = verdict(figures('qps'), 'higher')
    return {
      name,
      title,
      group,
      unit: 'q/s',
      ...compared,
      target: target ?? null,
      met: isMet(target, compared),
      cpu: { base: cpu.base, head: cpu.head, ratio: cpu.ratio, range: cpu.range, noise: cpu.noise },
      gc: { base: collectionsOf(samples.base), head: collectionsOf(samples.head) },
      samples,
    }
  } finally {
    await running.now()
  }
}

/**
 * Each has been compared with what the tables hold. Two that are pg must also agree in all that the comparison with
 * others leaves out: classes, order of names, sign of zero.
 * @param {string} name
 * @param {Plan} plan
 * @param {Record<import('../lib/sides').Side, {digest: string}>} checks
 */
const compareAnswers = (name, plan, checks) => {
  const own = SIDES.filter((side) => contenderOf(plan, side).setup.driver.startsWith('pg'))
  if (own.length > 0)
    sameAnswer(
      name,
      perSide(own, (side) => checks[side])
    )
}

/** Of a thousand queries. @param {{collections: number, gcPauseMs: number}[]} samples */
const collectionsOf = (samples) => ({
  collections: 1000 * median(samples.map((sample) => sample.collections)),
  pauseMs: 1000 * median(samples.map((sample) => sample.gcPauseMs)),
})

module.exports = { measureScenario }
