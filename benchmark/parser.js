#!/usr/bin/env node
'use strict'

// `npm run bench:parser`: our Parser against the installed pg-protocol's, without a server. NOTES.md says how.

const { describeMachine } = require('./lib/machine')
const { UsageError, readOptions, positive, pick, runWithNode, withoutNode } = require('./lib/options')
const { Progress } = require('./lib/progress')
const { saveResult, toJson } = require('./lib/results')
const { disturbance } = require('./lib/statistics')
const { formatTable, short, times, span, percent } = require('./lib/table')
const { CASES } = require('./parser/cases')
const { loadParser } = require('./parser/contenders')
const { CONSUMERS } = require('./parser/consumers')
const { measure } = require('./parser/measure')
const { STREAMS } = require('./parser/streams')

const USAGE = `Usage: npm run bench:parser -- [options]

  --only NAMES    streams (${Object.keys(STREAMS).join(', ')}), consumers
                  (${[...Object.keys(CONSUMERS), 'kept'].join(', ')}) or pairs such as wide/fields, separated by commas
  --rounds N      rounds per case (default 7)
  --quick         3 short rounds per case: for a first look, not for a result
  --node PATH     with another Node
  --base NAME     what to compare with: stock (default), native, or the path of a module that exports Parser
  --head NAME     what to measure: native (default), stock, or a path
  --scale X       times X rows in each stream, for trying things out
  --json          the result as JSON on stdout
  --save          also write it to benchmark/results/
  --assert        exit code 1 when a target is missed`

const OWN = /** @type {const} */ ({
  base: { type: 'string', default: 'stock' },
  head: { type: 'string', default: 'native' },
  scale: { type: 'string' },
})

/** @param {string[]} args */
const main = async (args) => {
  const options = readOptions(args, OWN)
  if (options.help) return print(USAGE)
  const rounds = positive(options.rounds, 'rounds', options.quick ? 3 : 7, { whole: true })
  const scale = positive(options.scale, 'scale', 1)
  const names = pick(
    CASES.map(({ name }) => name),
    options.only
  )
  if (options.node !== undefined) {
    process.exitCode = runWithNode(options.node, withoutNode(args))
    return
  }
  for (const name of [options.base, options.head]) canLoad(name)
  const cases = CASES.filter(({ name }) => names.includes(name))
  const plan = { base: options.base, head: options.head, rounds, scale, ...(options.quick ? QUICK : FULL) }
  const machine = describeMachine(['pg-protocol'])
  const measured = await measureAll(cases, plan)
  const result = {
    benchmark: 'parser',
    date: new Date().toISOString(),
    machine,
    plan,
    disturbance: disturbance(samplesOf(measured)),
    cases: measured,
  }
  if (options.json) print(toJson(result))
  else print(asText(result))
  if (options.save) process.stderr.write(`Saved as ${saveResult('parser', result)}\n`)
  if (options.assert && measured.some(({ met }) => met === false)) process.exitCode = 1
}

/**
 * Before anything is built or measured; the processes load it for themselves.
 * @param {string} name
 */
const canLoad = (name) => {
  try {
    loadParser(name)
  } catch (error) {
    throw new UsageError(`Cannot measure '${name}': ${/** @type {Error} */ (error).message.split('\n')[0]}.`)
  }
}

/** The share of time taken by others from which a result says nothing. */
const BUSY = 0.05

const FULL = { roundMs: 300, warmMs: 600 }
const QUICK = { roundMs: 100, warmMs: 200 }

/** @typedef {Awaited<ReturnType<typeof measure>>} Measured */

/**
 * @param {import('./parser/cases').Case[]} cases
 * @param {import('./parser/measure').Plan} plan
 */
const measureAll = async (cases, plan) => {
  const stepsOf = (/** @type {import('./parser/cases').Case} */ { consumer }) =>
    consumer === 'kept' ? 1 : plan.rounds + 2
  const progress = new Progress(cases.reduce((sum, what) => sum + stepsOf(what), 0))
  const measured = /** @type {Measured[]} */ ([])
  try {
    for (const what of cases) measured.push(await measure(what, plan, (doing) => progress.step(doing)))
  } finally {
    progress.end()
  }
  return measured
}

/**
 * Those of the timed rounds.
 * @param {Measured[]} cases
 */
const samplesOf = (cases) =>
  cases.filter(({ unit }) => unit === 'ms').flatMap(({ samples }) => Object.values(samples).flat())

/**
 * @param {{
 *   machine: ReturnType<typeof describeMachine>, plan: import('./parser/measure').Plan,
 *   disturbance: number, cases: Measured[],
 * }} result
 */
const asText = ({ machine, plan, disturbance, cases }) => {
  const timed = cases.filter(({ unit }) => unit === 'ms')
  const kept = cases.filter(({ unit }) => unit === 'bytes')
  return [
    `Node ${machine.node} (V8 ${machine.v8}), ${machine.cpu}, ${machine.cores} cores, ${machine.platform}`,
    `base: ${label(plan.base, machine)}, head: ${plan.head}; ${plan.rounds} rounds; milliseconds for one pass over the stream`,
    ...(plan.scale === 1 ? [] : [`STREAMS TIMES ${plan.scale}: not comparable with other results`]),
    ...(disturbance > BUSY
      ? [`OTHER PROGRAMS TOOK ${percent(disturbance)} OF THE MEASURED TIME: not a result to keep`]
      : []),
    ...(timed.length === 0 ? [] : ['', timeTable(timed)]),
    ...(kept.length === 0 ? [] : ['', 'Heap held by kept `fields`, MiB:', '', heapTable(kept)]),
  ].join('\n')
}

/** @param {string} contender @param {{versions: Record<string, string>}} machine */
const label = (contender, machine) =>
  contender === 'stock' ? `pg-protocol ${machine.versions['pg-protocol']}` : contender

/** @param {Measured[]} cases */
const timeTable = (cases) =>
  formatTable(
    ['case', 'base', 'head', 'ratio', 'range', 'noise', 'mark', 'by CPU', 'target', 'met', 'GCs', 'GC pause'],
    cases.map((row) => [
      row.name,
      short(row.base),
      short(row.head),
      times(row.ratio),
      span(row.range),
      percent(row.noise),
      row.mark ?? '',
      row.cpu === null ? '' : times(row.cpu),
      row.target === null ? '' : times(row.target),
      metOf(row),
      `${short(row.gc.base.collections)} > ${short(row.gc.head.collections)}`,
      `${short(row.gc.base.pauseMs)} > ${short(row.gc.head.pauseMs)}`,
    ])
  )

/** @param {Measured[]} cases */
const heapTable = (cases) =>
  formatTable(
    ['case', 'base', 'head', 'head/base', 'noise', 'target', 'met', 'ms', 'GCs', 'GC pause'],
    cases.map((row) => [
      row.name,
      short(row.base / 2 ** 20),
      short(row.head / 2 ** 20),
      times(row.ratio),
      percent(row.noise),
      row.target === null ? '' : `<= ${times(row.target)}`,
      metOf(row),
      `${short(row.samples.base[0].ms)} > ${short(row.samples.head[0].ms)}`,
      `${short(row.gc.base.collections)} > ${short(row.gc.head.collections)}`,
      `${short(row.gc.base.pauseMs)} > ${short(row.gc.head.pauseMs)}`,
    ])
  )

/** @param {{met: boolean | null}} row */
const metOf = ({ met }) => (met === null ? '' : met ? 'yes' : 'NO')

/** @param {string} text */
const print = (text) => void process.stdout.write(`${text}\n`)

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error instanceof UsageError ? error.message : error.stack}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
