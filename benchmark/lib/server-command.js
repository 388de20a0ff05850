'use strict'

// A benchmark that measures through a server: options, contenders, server, cases, result. What is measured is the
// benchmark's own.

const { NAMES, describeContender, prepareContender } = require('../contenders')
const { startServer } = require('../../scripts/postgres-server')
const { Interrupted, withCleanup } = require('./cleanup')
const { describeMachine } = require('./machine')
const { UsageError, readOptions, positive, pick, runWithNode, withoutNode } = require('./options')
const { Progress } = require('./progress')
const { resultName, saveResult, toJson } = require('./results')
const { urlOf } = require('./url')

/**
 * @typedef {import('../contenders').Contender} Contender
 * @typedef {import('./cleanup').Defer} Defer
 * @typedef {{base: Contender, head: Contender, rounds: number, roundMs: number, warmMs: number, quick: boolean}} Plan
 * @typedef {{url: string, report: (doing: string) => void, defer: Defer}} Tools
 */

/**
 * @template {{name: string}} C
 * @typedef {object} ServerBenchmark
 * @property {string} name
 * @property {string} command as typed
 * @property {C[]} cases
 * @property {{rounds: number, seconds: number}} full
 * @property {{rounds: number, seconds: number}} quick
 * @property {(what: C, contender: Contender) => string | null} cannot why a contender cannot take part
 * @property {(what: C, plan: Plan) => number} steps of the progress line
 * @property {(what: C, plan: Plan, tools: Tools) => Promise<any>} measure
 * @property {(result: any) => string} table in Markdown
 */

const OWN = /** @type {const} */ ({
  base: { type: 'string', default: 'stock' },
  head: { type: 'string', default: 'register' },
  seconds: { type: 'string' },
})

/** @param {ServerBenchmark<any>} benchmark */
const usage = ({ command, cases, full }) => `Usage: ${command} -- [options]

  --only NAMES    separated by commas: ${cases.map(({ name }) => name).join(', ')}
  --rounds N      rounds per scenario (default ${full.rounds})
  --seconds X     of each round and process (default ${full.seconds})
  --quick         a first look, not a result
  --node PATH     with another Node
  --base NAME     what to compare with: ${NAMES} (default: stock)
  --head NAME     what to measure: the same (default: register)
  --assert        exit code 1 when a target is missed
  --json          the result as JSON on stdout
  --save          also write it to benchmark/results/, with its table; a whole run, neither --quick nor
                  --only, always does

The server is the one that DATABASE_URL or PGHOST name, else a temporary one.`

/**
 * @template {{name: string}} C
 * @param {ServerBenchmark<C>} benchmark
 * @param {string[]} args
 */
const run = async (benchmark, args) => {
  const options = readOptions(args, OWN)
  if (options.help) return print(usage(benchmark))
  const defaults = options.quick ? benchmark.quick : benchmark.full
  const rounds = positive(options.rounds, 'rounds', defaults.rounds, { whole: true })
  const seconds = positive(options.seconds, 'seconds', defaults.seconds)
  const names = pick(
    benchmark.cases.map(({ name }) => name),
    options.only
  )
  if (options.node !== undefined) {
    process.exitCode = runWithNode(options.node, withoutNode(args))
    return
  }
  const result = await withCleanup(async ({ defer }) => {
    const tools = { say, defer }
    const base = await prepareContender(options.base, tools)
    const head = options.head === options.base ? base : await prepareContender(options.head, tools)
    const plan = {
      base,
      head,
      rounds,
      roundMs: seconds * 1000,
      warmMs: Math.max(100, (seconds * 1000) / 3),
      quick: options.quick,
    }
    const server = await reachServer(defer)
    const cases = benchmark.cases.filter(({ name }) => names.includes(name))
    const machine = describeMachine(['pg', 'pg-protocol', 'pg-types', 'pg-cursor', 'pg-query-stream'])
    const { measured, skipped } = await measureAll(benchmark, cases, plan, {
      url: urlOf(server.config),
      defer,
    })
    return {
      benchmark: benchmark.name,
      date: new Date().toISOString(),
      machine,
      server: server.description,
      plan: { base: base.name, head: head.name, rounds, seconds, quick: options.quick },
      contenders: { base: describeContender(base), head: describeContender(head) },
      skipped,
      cases: measured,
    }
  })
  const text = benchmark.table(result)
  print(options.json ? toJson(result) : text)
  if (options.assert && result.cases.some(({ met }) => met === false)) process.exitCode = 1
  const isWhole = !options.quick && options.only === undefined
  if (options.save || isWhole) say(`saved as ${saveResult(resultName(result), result, { text })}`)
}

/** @param {Defer} defer */
const reachServer = async (defer) => {
  try {
    const server = await startServer()
    defer(() => server.stop())
    return server
  } catch (error) {
    throw new UsageError(/** @type {Error} */ (error).message.replace(/\s+/g, ' '))
  }
}

/**
 * @template {{name: string}} C
 * @param {ServerBenchmark<C>} benchmark
 * @param {C[]} cases
 * @param {Plan} plan
 * @param {{url: string, defer: Defer}} tools
 */
const measureAll = async ({ cannot, measure, steps }, cases, plan, { url, defer }) => {
  const skipped = /** @type {{name: string, why: string}[]} */ ([])
  const wanted = cases.filter((what) => {
    const why = cannot(what, plan.base) ?? cannot(what, plan.head)
    if (why !== null) skipped.push({ name: what.name, why })
    return why === null
  })
  const progress = new Progress(
    wanted.reduce((sum, what) => sum + steps(what, plan), 0),
    { lines: true }
  )
  const ended = defer(() => progress.end())
  const measured = []
  for (const what of wanted) {
    const report = (/** @type {string} */ doing) => progress.step(doing)
    try {
      measured.push(await measure(what, plan, { url, report, defer }))
    } catch (error) {
      // Other clients may not be able to do what ours can; nothing of ours may be left out that way.
      if (![plan.base, plan.head].some(({ kind }) => kind === 'peer')) throw error
      skipped.push({ name: what.name, why: firstLine(error) })
    }
  }
  await ended.now()
  return { measured, skipped }
}

/** @param {any} error whose message is what another process said */
const firstLine = ({ message }) => message.split('\n')[0].replace(/^(\w*Error: )+/i, '')

/** @param {string} what */
const say = (what) => void process.stderr.write(`${what[0].toUpperCase()}${what.slice(1)}\n`)

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`)

/**
 * @template {{name: string}} C
 * @param {ServerBenchmark<C>} benchmark
 */
const runServerBenchmark = async (benchmark) => {
  try {
    await run(benchmark, process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof UsageError) && !(error instanceof Interrupted)) {
      process.stderr.write(`${/** @type {Error} */ (error).stack}\n`)
      process.exit(1)
    }
    process.stderr.write(`${error.message}\n`)
    // Work that was interrupted may still hold something open.
    process.exit(error instanceof Interrupted ? error.exitCode : 2)
  }
}

module.exports = { runServerBenchmark }
