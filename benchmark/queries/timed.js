'use strict'

const { isDeepStrictEqual, inspect } = require('node:util')
const { loadContender } = require('../contenders/load')
const { timeFor } = require('../lib/timing')
const { Digest } = require('../rows/digest')
const { scenarioOf } = require('./scenarios')
const { plain } = require('./tables')

/** The temporary tables in memory of the connection. */
const SETTINGS = "set temp_buffers = '256MB'"
/** Rows that are enough for the accelerator to have compiled code for them. */
const CHECKED_ROWS = 12

/** One client with one scenario, measured a round at a time. */
class TimedScenario {
  /** @param {{setup: import('../contenders').Setup, scenario: string, url: string}} what */
  static async open({ setup, scenario: name, url }) {
    const { driver, made } = loadContender(setup)
    const scenario = scenarioOf(name)
    const session = await driver.open(url, scenario)
    for (const statement of [SETTINGS, ...scenario.setup]) await session.run(statement)
    return new TimedScenario(scenario, session, made)
  }

  /**
   * @param {import('./scenarios').Scenario} scenario
   * @param {import('../contenders/load').Session} session
   * @param {(() => number) | null} made
   */
  constructor(scenario, session, made) {
    this.scenario = scenario
    this.session = session
    this.made = made
    this.queries = scenario.queries ?? 1
    this.count = scenario.count * this.queries
    this.built = scenario.built ?? this.count
    /** Of the pass that comes next. */
    this.n = 0
  }

  async reset() {
    const { reset, limit } = this.scenario
    if (reset) await this.session.run(reset)
    if (limit) this.n = 0
  }

  /** What the client answers, before its time counts and after. */
  async check() {
    await this.reset()
    // All processes the same questions, however many they have answered meanwhile.
    this.n = 0
    const passes = Math.max(2, Math.ceil(CHECKED_ROWS / this.count))
    const outcomes = await this.checkMade(passes, async () => {
      const outcomes = []
      while (outcomes.length < passes) outcomes.push(await this.pass())
      return outcomes
    })
    const digest = new Digest()
    for (const [at, outcome] of outcomes.entries()) {
      // What the client made itself, with classes and the order of names.
      for (const row of this.session.rowsOf(outcome)) digest.row(row)
      await this.checkAnswer(at, outcome)
    }
    return { digest: digest.end() }
  }

  /**
   * @param {number} n
   * @param {any} outcome
   */
  async checkAnswer(n, outcome) {
    const { scenario, session, queries } = this
    const { readBack, values = () => [] } = scenario
    const rows = readBack ? await session.readBack(readBack, values(n).slice(-1)) : session.rowsOf(outcome)
    const came = rows.map((row) => session.valuesOf(row).map(plain))
    const one = scenario.expected(n)
    const expected = Array.from({ length: readBack ? 1 : queries }, () => one).flat()
    if (isDeepStrictEqual(came, expected)) return
    throw new WrongAnswer(`${scenario.name}: ${firstDifference(came, expected)}`)
  }

  async pass() {
    const outcome = await this.session.pass(this.n++)
    const count = this.session.countOf(outcome)
    if (count !== this.count)
      throw new WrongAnswer(`${this.scenario.name}: ${count} rows in place of ${this.count}`)
    return outcome
  }

  /**
   * Rows that went stock's way would be measured as if they were native ones.
   * @template T
   * @param {number | ((outcome: T) => number)} passes
   * @param {() => Promise<T>} work
   */
  async checkMade(passes, work) {
    const before = this.made?.() ?? 0
    const outcome = await work()
    if (this.made === null) return outcome
    const rows = this.built * (typeof passes === 'number' ? passes : passes(outcome))
    const made = this.made() - before
    if (made !== rows) throw new Error(`${this.scenario.name}: ${made} of ${rows} rows were built natively`)
    return outcome
  }

  /** @param {{ms: number}} budget */
  async round({ ms }) {
    await this.reset()
    const { limit = Infinity } = this.scenario
    const timed = await this.checkMade(
      ({ passes }) => passes,
      () => timeFor(() => this.pass(), { ms, most: limit - (limit === Infinity ? 0 : this.n) })
    )
    const queries = timed.passes * this.queries
    return {
      qps: queries / (timed.ms / 1000),
      queries,
      ms: timed.ms / queries,
      cpuMs: timed.cpuMs / queries,
      collections: timed.collections / queries,
      gcPauseMs: timed.gcPauseMs / queries,
    }
  }

  end() {
    return this.session.end()
  }
}

/** The client works and says something else: a reason to leave out another client, and an error of ours. */
class WrongAnswer extends Error {}

/**
 * @param {any[][]} came
 * @param {any[][]} expected
 */
const firstDifference = (came, expected) => {
  if (came.length !== expected.length) return `${came.length} rows in place of ${expected.length}`
  for (const [at, row] of expected.entries()) {
    const column = row.findIndex((value, i) => !isDeepStrictEqual(value, came[at][i]))
    if (column >= 0)
      return `row ${at + 1}, column ${column + 1} is ${show(came[at][column])} in place of ${show(row[column])}`
  }
  return 'rows of another length'
}

/** @param {any} value */
const show = (value) => inspect(value, { breakLength: Infinity, depth: 1 }).slice(0, 100)

module.exports = { TimedScenario }
