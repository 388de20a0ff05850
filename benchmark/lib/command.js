'use strict'

const { describeMachine } = require('./machine')
const { measure } = require('./measure')
const { UsageError, readOptions, positive, pick, runWithNode, withoutNode } = require('./options')
const { Progress } = require('./progress')
const { asText } = require('./report')
const { saveResult, toJson } = require('./results')
const { disturbance } = require('./statistics')

/**
 * One of the package's benchmarks that compare a base with a head.
 * @template {import('./measure').Case} C
 * @typedef {object} Benchmark
 * @property {string} name
 * @property {string} scenarios what `--only` takes, for the help
 * @property {string} contenders what `--base` and `--head` take, for the help
 * @property {C[]} cases
 * @property {import('./measure').Setting} setting
 * @property {string[]} packages whose versions belong to the result
 * @property {(contender: string) => unknown} load throws where there is no such contender; the processes load it for themselves
 * @property {string} heapTitle
 * @property {(plan: import('./measure').Plan) => Promise<{what: (name: C) => boolean, why: string}[]>} [skip] which cases
 *   cannot be measured
 */

const OWN = /** @type {const} */ ({
  base: { type: 'string', default: 'stock' },
  head: { type: 'string', default: 'native' },
  scale: { type: 'string' },
})

const FULL = { roundMs: 300, warmMs: 600 }
const QUICK = { roundMs: 100, warmMs: 200 }

/** @param {Benchmark<any>} benchmark */
const usage = ({ name, scenarios, contenders }) => `Usage: npm run bench:${name} -- [options]

  --only NAMES    ${scenarios}, separated by commas
  --rounds N      rounds per case (default 7)
  --quick         3 short rounds per case: for a first look, not for a result
  --node PATH     with another Node
  --base NAME     what to compare with: ${contenders} (default: stock)
  --head NAME     what to measure: the same (default: native)
  --scale X       times X rows in each stream, for trying things out
  --json          the result as JSON on stdout
  --save          also write it to benchmark/results/
  --assert        exit code 1 when a target is missed`

/**
 * @template {import('./measure').Case} C
 * @param {Benchmark<C>} benchmark
 * @param {string[]} args
 */
const run = async (benchmark, args) => {
  const options = readOptions(args, OWN)
  if (options.help) return print(usage(benchmark))
  const rounds = positive(options.rounds, 'rounds', options.quick ? 3 : 7, { whole: true })
  const scale = positive(options.scale, 'scale', 1)
  const names = pick(
    benchmark.cases.map(({ name }) => name),
    options.only
  )
  if (options.node !== undefined) {
    process.exitCode = runWithNode(options.node, withoutNode(args))
    return
  }
  for (const name of [options.base, options.head]) canLoad(benchmark, name)
  const plan = { base: options.base, head: options.head, rounds, scale, ...(options.quick ? QUICK : FULL) }
  const machine = describeMachine(benchmark.packages)
  const wanted = benchmark.cases.filter(({ name }) => names.includes(name))
  const skips = (await benchmark.skip?.(plan)) ?? []
  const cases = wanted.filter((what) => !skips.some((skip) => skip.what(what)))
  const measured = await measureAll(benchmark, cases, plan)
  const result = {
    benchmark: benchmark.name,
    date: new Date().toISOString(),
    machine,
    plan,
    disturbance: disturbance(samplesOf(measured)),
    skipped: skips.filter((skip) => wanted.some(skip.what)).map(({ why }) => why),
    cases: measured,
  }
  if (options.json) print(toJson(result))
  else print(asText(result, { base: label(benchmark, plan.base, machine), heap: benchmark.heapTitle }))
  if (options.save) process.stderr.write(`Saved as ${saveResult(benchmark.name, result)}\n`)
  if (options.assert && measured.some(({ met }) => met === false)) process.exitCode = 1
}

/**
 * Before anything is built or measured.
 * @param {Benchmark<any>} benchmark
 * @param {string} name
 */
const canLoad = ({ load }, name) => {
  try {
    load(name)
  } catch (error) {
    throw new UsageError(`Cannot measure '${name}': ${/** @type {Error} */ (error).message.split('\n')[0]}.`)
  }
}

/**
 * @template {import('./measure').Case} C
 * @param {Benchmark<C>} benchmark
 * @param {C[]} cases
 * @param {import('./measure').Plan} plan
 */
const measureAll = async ({ setting }, cases, plan) => {
  const steps = cases.reduce((sum, { measures }) => sum + (measures === 'heap' ? 1 : plan.rounds + 2), 0)
  const progress = new Progress(steps)
  const measured = []
  try {
    for (const what of cases)
      measured.push(await measure(setting, what, plan, (doing) => progress.step(doing)))
  } finally {
    progress.end()
  }
  return measured
}

/**
 * Those of the timed rounds.
 * @param {{unit: string, samples: Record<string, any[]>}[]} cases
 */
const samplesOf = (cases) =>
  cases.filter(({ unit }) => unit === 'ms').flatMap(({ samples }) => Object.values(samples).flat())

/**
 * @param {Benchmark<any>} benchmark
 * @param {string} contender
 * @param {{versions: Record<string, string>}} machine
 */
const label = ({ packages }, contender, { versions }) =>
  contender === 'stock' ? packages.map((name) => `${name} ${versions[name]}`).join(', ') : contender

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`)

/**
 * @template {import('./measure').Case} C
 * @param {Benchmark<C>} benchmark
 */
const runBenchmark = (benchmark) =>
  run(benchmark, process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error instanceof UsageError ? error.message : error.stack}\n`)
    process.exitCode = error instanceof UsageError ? 2 : 1
  })

module.exports = { runBenchmark }
