#!/usr/bin/env node
'use strict'

// `npm run bench:languages`: one table, read in JavaScript and in Rust. NOTES.md says how.

const { measure } = require('./languages/measure')
const { ROWS } = require('./languages/people')
const { build, rustVersions } = require('./languages/rust')
const { CONTENDERS, REFERENCE } = require('./languages/sides')
const { describeMachine } = require('./lib/machine')
const { UsageError, readOptions, positive, pick, runWithNode, withoutNode } = require('./lib/options')
const { Progress } = require('./lib/progress')
const { saveResult, toJson } = require('./lib/results')
const { formatTable, short, times, span } = require('./lib/table')

const FULL = { roundMs: 500, warmMs: 1500 }
const QUICK = { roundMs: 100, warmMs: 300 }

const USAGE = `Usage: npm run bench:languages -- [options]

  --only NAMES    ${CONTENDERS.map(({ name }) => name).join(', ')}, separated by commas;
                  ${REFERENCE}, which the others are multiples of, is always there
  --rounds N      rounds (default 9)
  --quick         3 short rounds: for a first look, not for a result
  --node PATH     with another Node
  --json          the result as JSON on stdout
  --save          also write it to benchmark/results/`

const main = async (/** @type {string[]} */ args) => {
  const options = readOptions(args)
  if (options.help) return print(USAGE)
  if (options.assert) throw new UsageError('Nothing is aimed at here that --assert could check.')
  const rounds = positive(options.rounds, 'rounds', options.quick ? 3 : 9, { whole: true })
  const names = pick(
    CONTENDERS.map(({ name }) => name),
    options.only
  )
  if (options.node !== undefined) {
    process.exitCode = runWithNode(options.node, withoutNode(args))
    return
  }
  const plan = { rounds, rows: ROWS, ...(options.quick ? QUICK : FULL) }
  const contenders = CONTENDERS.filter(({ name }) => name === REFERENCE || names.includes(name))
  const executable = build()
  const described = describeMachine(['pg-protocol'])
  const machine = { ...described, versions: { ...described.versions, ...rustVersions() } }
  const progress = new Progress(rounds + 2)
  try {
    const measured = await measure(contenders, executable, plan, (doing) => progress.step(doing))
    progress.end()
    const result = { benchmark: 'languages', date: new Date().toISOString(), machine, plan, ...measured }
    print(options.json ? toJson(result) : asText(result))
    if (options.save) process.stderr.write(`Saved as ${saveResult('languages', result)}\n`)
  } finally {
    progress.end()
  }
}

/**
 * @param {{machine: any, plan: import('./languages/measure').Plan, input: {bytes: number},
 *   contenders: import('./languages/measure').Measured[]}} result
 */
const asText = ({ machine, plan, input, contenders }) =>
  [
    `Node ${machine.node}, rustc ${machine.versions.rustc}, postgres-protocol ${machine.versions['postgres-protocol']}, ` +
      `pg-protocol ${machine.versions['pg-protocol']}, ${machine.cpu}, ${machine.cores} cores`,
    `${plan.rows} rows, ${input.bytes} bytes in pieces of 64 KiB; ${plan.rounds} rounds`,
    '',
    formatTable(
      ['contender', 'ms', 'range', 'multiple', 'range'],
      contenders.map(({ title, ms, msRange, multiple, multipleRange }) => [
        title,
        short(ms),
        span(msRange),
        times(multiple),
        span(multipleRange),
      ])
    ),
  ].join('\n')

const print = (/** @type {string} */ text) => void process.stdout.write(`${text}\n`)

main(process.argv.slice(2)).catch((error) => {
  process.stderr.write(`${error instanceof UsageError ? error.message : error.stack}\n`)
  process.exitCode = error instanceof UsageError ? 2 : 1
})
