'use strict'

/**
 * npm run demo
 *
 * Starts a real PostgreSQL, fills some tables, and runs the same queries through `pg` as it is and through `pg` with
 * `pg-protocol-native/register`, in one process each. Compares the answers value by value, then times both in turns.
 */

const { fork } = require('node:child_process')
const os = require('node:os')
const path = require('node:path')
const { parseArgs } = require('node:util')
const { Client } = require('pg')
const { startServer } = require('../../scripts/postgres-server')
const { firstDifference } = require('./difference')
const { SCHEMA, QUERIES, tables } = require('./queries')

const REGISTER = path.join(__dirname, '..', '..', 'lib', 'register.js')
// the answer whose bytes are given to the parsers alone
const PARSED_QUERY = 1
const DROP_SCHEMA = `drop schema if exists ${SCHEMA} cascade`

function readOptions() {
  const { values } = parseArgs({
    options: { rows: { type: 'string', default: '5000' }, rounds: { type: 'string', default: '11' } },
  })
  const [rows, rounds] = [Number(values.rows), Number(values.rounds)]
  if (!Number.isInteger(rows) || rows < 100) throw new Error('--rows takes a whole number, at least 100')
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('--rounds takes a whole number, at least 1')
  return { rows, rounds }
}

/** A line that is overwritten on a terminal; elsewhere a line per step, without its details. */
const progress = {
  step: '',
  show(/** @type {string} */ step, /** @type {string} */ detail = '') {
    if (process.stdout.isTTY) process.stdout.write(`\r\x1b[2K${step} ${detail}`)
    else if (step !== this.step) console.log(step)
    this.step = step
  },
  clear() {
    if (process.stdout.isTTY) process.stdout.write('\r\x1b[2K')
  },
}

/** @typedef {{ ask: (command: string, argument?: unknown) => Promise<any>, kill: () => void }} Worker */

/**
 * @param {string[]} execArgv
 * @param {NodeJS.ProcessEnv} env
 * @returns {Worker}
 */
function startWorker(execArgv, env) {
  const child = fork(path.join(__dirname, 'worker.js'), { execArgv, env, serialization: 'advanced' })
  let gone = ''
  child.once('exit', (code, signal) => (gone = `the process under test ended with ${signal ?? code}`))
  return {
    ask: (command, argument) =>
      new Promise((resolve, reject) => {
        const ended = () => reject(new Error(gone))
        if (gone) return ended()
        child.once('exit', ended)
        child.once('message', (/** @type {any} */ { error, result }) => {
          child.off('exit', ended)
          if (error) reject(new Error(error))
          else resolve(result)
        })
        child.send({ command, argument })
      }),
    kill: () => child.kill(),
  }
}

async function fill(/** @type {import('pg').ClientConfig} */ config, /** @type {string[]} */ statements) {
  const client = new Client(config)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

const quantile = (/** @type {number[]} */ numbers, /** @type {number} */ share) => {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (sorted.length - 1) * share
  const below = sorted[Math.floor(at)]
  return below + (sorted[Math.ceil(at)] - below) * (at % 1)
}

/**
 * Times the same thing in both processes, in turns, and the one who begins changes.
 *
 * @param {{ stock: Worker, native: Worker }} workers
 * @param {number} rounds
 * @param {string} title
 * @param {[command: string, argument: unknown]} question
 */
async function measure({ stock, native }, rounds, title, question) {
  /** @type {{ stock: number, native: number }[]} */
  const times = []
  for (let round = -1; round < rounds; round++) {
    progress.show('Timing both in turns', `${title}: round ${Math.max(round + 1, 1)} of ${rounds}`)
    const time = { stock: 0, native: 0 }
    if (round % 2) time.stock = await stock.ask(...question)
    time.native = await native.ask(...question)
    if (!(round % 2)) time.stock = await stock.ask(...question)
    // the first round warms up
    if (round >= 0) times.push(time)
  }
  const ratios = times.map((time) => time.stock / time.native)
  return {
    title,
    stock: quantile(
      times.map(({ stock }) => stock),
      1 / 2
    ),
    native: quantile(
      times.map(({ native }) => native),
      1 / 2
    ),
    ratio: quantile(ratios, 1 / 2),
    // the middle half of the rounds
    lower: quantile(ratios, 1 / 4),
    upper: quantile(ratios, 3 / 4),
  }
}

function printTable(
  /** @type {string} */ heading,
  /** @type {Awaited<ReturnType<typeof measure>>[]} */ lines
) {
  const number = (/** @type {number} */ value) => value.toFixed(value < 1 ? 3 : 1).padStart(10)
  const ratio = (/** @type {number} */ value) => `${value.toFixed(value < 10 ? 2 : 0)}x`
  console.log(
    `\n${heading.padEnd(34)}${'pg alone'.padStart(10)}${'register'.padStart(10)}${'ratio'.padStart(9)}`
  )
  for (const { title, stock, native, ratio: middle, lower, upper } of lines) {
    const figures = `${number(stock)}${number(native)}${ratio(middle).padStart(9)}`
    console.log(`${title.padEnd(34)}${figures}  (${ratio(lower)} to ${ratio(upper)})`)
  }
}

async function main() {
  const { rows, rounds } = readOptions()
  progress.show('Starting PostgreSQL')
  const server = await startServer()
  /** @type {Worker[]} */
  const running = []
  try {
    progress.show(`Filling the tables, ${rows} rows each`)
    await fill(server.config, [
      DROP_SCHEMA,
      `create schema ${SCHEMA}`,
      `set search_path = ${SCHEMA}`,
      ...tables(rows),
    ])

    const stock = startWorker([], { ...server.env, PG_PROTOCOL_NATIVE: 'off' })
    running.push(stock)
    const native = startWorker(['-r', REGISTER], { ...server.env, PG_PROTOCOL_NATIVE: 'require' })
    running.push(native)
    const workers = { stock, native }
    if ((await stock.ask('start')).native) throw new Error('the process that should run pg alone does not')
    if (!(await native.ask('start')).native) throw new Error('pg does not run on the native parser')

    let compared = 0
    for (const [at, { title }] of QUERIES.entries()) {
      progress.show('Comparing the answers', title)
      const { answer } = await stock.ask('answer', at)
      const { answer: accelerated, built } = await native.ask('answer', at)
      const difference = firstDifference(answer, accelerated)
      if (difference) throw new Error(`The answers to "${title}" differ: ${difference}`)
      if (built !== answer.rows.length) throw new Error(`pg itself built rows of "${title}"`)
      compared += answer.rows.length
    }

    const queries = []
    for (const [at, { title }] of QUERIES.entries())
      queries.push(await measure(workers, rounds, title, ['time', at]))
    const bytes = await stock.ask('record', PARSED_QUERY)
    await native.ask('record', PARSED_QUERY)
    const parsing = []
    for (const [title, readFields] of /** @type {const} */ ([
      ['no cell is read', false],
      ['`fields` of each row are read', true],
    ])) {
      parsing.push(await measure(workers, rounds, title, ['parse', readFields]))
    }
    for (const worker of running.splice(0)) await worker.ask('stop')
    progress.clear()

    console.log(`${server.description}, Node.js ${process.version}, ${os.cpus()[0]?.model ?? process.arch}`)
    console.log(`Answers compared value by value: ${QUERIES.length} queries, ${compared} rows, all equal.`)
    console.log(`Tables of ${rows} rows, where nothing else is said.`)
    printTable('client.query, ms', queries)
    printTable(`The parser alone, ${(bytes / 1e6).toFixed(1)} MB, ms`, parsing)
    console.log(
      [
        '',
        `Medians of ${rounds} rounds, both in turns, one process each; in brackets the middle half of the rounds' ratios.`,
        'Above 1x register took less time; where the brackets include 1x there is no clear difference.',
        'client.query includes the server and the socket: with register their share is what remains.',
      ].join('\n')
    )
  } finally {
    progress.clear()
    for (const worker of running) worker.kill()
    await fill(server.config, [`set client_min_messages = warning`, DROP_SCHEMA])
    await server.stop()
  }
}

main().catch((error) => {
  console.error(error.message)
  process.exitCode = 1
})
