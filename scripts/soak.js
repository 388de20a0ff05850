'use strict'

/**
 * The soak test: `npm run soak -- [--minutes N] [--seed N] [--connections N]`.
 *
 * A real server, a proxy that splits, delays and cuts, and two processes, one with stock pg and one with `register`.
 *
 * - Paired: both do the same task with a connection to which the same happens at the same byte. What the application
 *   sees has to be the same, errors and their order included.
 * - Storm: each has many connections at once, a pool, cursors, cancelled and terminated queries, timeouts, a server that
 *   is restarted. Every row has to be right, every task has to end, and with an error that stock has, too.
 *
 * At the end it prints what was done, and memory at the beginning and at the end.
 */

const { fork } = require('node:child_process')
const path = require('node:path')
const { startProxy, randomPlan, createRandom, HARMLESS } = require('./fault-proxy')
const { startServer } = require('./postgres-server')
const { PAIRED, EXPECTED_ERRORS } = require('./soak-tasks')

const ROOT = path.join(__dirname, '..')
const MIB = 1024 * 1024

/** A connection of so many is cut off in a storm. */
const STORM_CUTS = 4

/** The arguments are wrong. */
class Usage extends Error {}

async function main() {
  const { minutes, seed, connections } = readArguments(process.argv.slice(2))
  const server = await startServer()
  const address = addressOf(server)
  console.log(`${server.description}, Node.js ${process.version}, ${minutes} minutes, seed ${seed}`)

  let plan = () => HARMLESS
  const proxy = await startProxy(address, () => plan())
  const direct = { connectionString: server.config.connectionString }
  const config = { connectionString: through(proxy.port, server) }
  const flavours = [
    new Flavour('stock', []),
    new Flavour('native', ['-r', path.join(ROOT, 'lib', 'register.js')]),
  ]
  const problems = /** @type {string[]} */ ([])
  const counts = { paired: 0, restarts: 0 }
  const end = Date.now() + minutes * 60_000

  for (let round = 0; (Date.now() < end && problems.length === 0) || round === 0; round++) {
    // A quarter of the time paired, the rest in storms.
    const pairedEnd = Math.min(end, Date.now() + Math.min(15_000, minutes * 15_000))
    const names = Object.keys(PAIRED)
    for (let i = 0; (Date.now() < pairedEnd && problems.length === 0) || i < names.length; i++) {
      const name = names[i % names.length]
      const planSeed = seed + round * 1_000_003 + i
      const logs = []
      for (const flavour of flavours) {
        plan = () => randomPlan(planSeed, { mostBytes: 60_000 })
        const answer = await flavour.ask({ task: 'paired', config, name })
        problems.push(...complaints(flavour, answer))
        logs.push(answer.log)
      }
      counts.paired++
      const [expected, actual] = logs.map((log) => JSON.stringify(log))
      if (expected !== actual)
        problems.push(`${name}, seed ${planSeed}:\n  stock  ${expected}\n  native ${actual}`)
    }

    const stormMs = Math.min(20_000, Math.max(2000, (minutes * 60_000) / 3))
    for (const flavour of flavours) {
      if (problems.length > 0) break
      const stormSeed = seed + round * 7919
      let next = stormSeed * 1000
      plan = () => randomPlan(next++, { cuts: STORM_CUTS, mostBytes: 2_000_000, resets: true })
      const storm = flavour.ask({
        task: 'storm',
        config,
        admin: direct,
        seed: stormSeed,
        ms: stormMs,
        connections,
      })
      const restarts = restartNowAndThen(server, stormMs, createRandom(stormSeed))
      const answer = await storm
      counts.restarts += await restarts
      problems.push(...complaints(flavour, answer))
      flavour.add(answer)
    }
  }

  const { connections: proxied, cuts, pieces } = proxy.count()
  console.log(
    `${counts.paired} paired tasks; ${proxied} connections, ${cuts} of them cut; ${pieces} pieces; ${counts.restarts} restarts`
  )
  for (const flavour of flavours) problems.push(...flavour.report())
  for (const flavour of flavours) flavour.leave()
  await proxy.close()
  await server.stop()
  for (const problem of problems) console.error(problem)
  console.log(
    problems.length === 0 ? 'stock and native gave the same; no wrong row, no task that hung' : 'FAILED'
  )
  if (problems.length > 0) process.exitCode = 1
}

/** A process of one flavour, and what it has reported. */
class Flavour {
  /**
   * @param {string} name
   * @param {string[]} flags
   */
  constructor(name, flags) {
    this.name = name
    this.process = fork(path.join(__dirname, 'soak-worker.js'), [], {
      execArgv: ['--expose-gc', '--no-deprecation', ...flags],
      env: { ...process.env, PG_PROTOCOL_NATIVE: name === 'stock' ? 'off' : 'require' },
    })
    /** @type {Record<string, number>} */
    this.done = {}
    /** @type {Record<string, number>} */
    this.errors = {}
    /** Memory after each storm. @type {any[]} */
    this.memory = []
  }

  /** @param {any} message @returns {Promise<any>} */
  ask(message) {
    return new Promise((resolve, reject) => {
      const exited = (/** @type {number} */ code) =>
        reject(new Error(`the ${this.name} process ended with ${code}`))
      this.process.once('exit', exited)
      this.process.once('message', (answer) => {
        this.process.off('exit', exited)
        resolve(answer)
      })
      this.process.send(message)
    })
  }

  /** @param {any} answer of a storm */
  add({ done = {}, errors = {}, memory }) {
    for (const [name, count] of Object.entries(done)) this.done[name] = (this.done[name] ?? 0) + count
    for (const [kind, count] of Object.entries(errors)) this.errors[kind] = (this.errors[kind] ?? 0) + count
    this.memory.push(memory)
  }

  /** Prints; gives what is wrong. */
  report() {
    const list = (/** @type {Record<string, number>} */ counts) =>
      Object.entries(counts)
        .sort(([, a], [, b]) => b - a)
        .map(([name, count]) => `${name} ${count}`)
        .join(', ')
    const mib = (/** @type {number} */ bytes) => `${(bytes / MIB).toFixed(1)} MiB`
    const [first, last] = [this.memory[0], this.memory.at(-1)]
    console.log(`${this.name}: ${list(this.done)}`)
    console.log(`  errors: ${list(this.errors)}`)
    if (first === undefined) return []
    for (const kind of ['rss', 'heapUsed', 'external']) {
      console.log(
        `  ${kind}: ${mib(first[kind])} after the first storm, ${mib(last[kind])} after the last of ${this.memory.length}`
      )
    }
    const unknown = Object.keys(this.errors).filter((kind) => !EXPECTED_ERRORS.includes(kind))
    return unknown.map((kind) => `${this.name}: an error that nothing here causes: ${kind}`)
  }

  leave() {
    this.process.send({ task: 'leave' })
  }
}

/**
 * @param {Flavour} flavour
 * @param {any} answer
 * @returns {string[]}
 */
function complaints({ name }, { failed, uncaught, active = 0 }) {
  const found = uncaught.map((/** @type {string} */ error) => `${name}, uncaught: ${error}`)
  if (failed !== undefined) found.push(`${name}: ${failed}`)
  if (active > 0) found.push(`${name}: ${active} sockets are still open after the storm`)
  return found
}

/**
 * @param {import('./postgres-server').Server} server
 * @param {number} ms
 * @param {(end: number) => number} random
 */
async function restartNowAndThen(server, ms, random) {
  let restarts = 0
  const end = Date.now() + ms - 1000
  for (;;) {
    const wait = 1000 + random(5000)
    if (server.restart === null || Date.now() + wait > end) return restarts
    await new Promise((resolve) => setTimeout(resolve, wait))
    await server.restart()
    restarts++
  }
}

/** @param {import('./postgres-server').Server} server */
function addressOf(server) {
  const { Client } = require('pg')
  const { host, port } = new Client(server.config)
  if (host.startsWith('/')) throw new Usage('the soak test needs a server that is reached through TCP')
  return { host, port }
}

/**
 * @param {number} port
 * @param {import('./postgres-server').Server} server
 */
function through(port, server) {
  const { Client } = require('pg')
  const { user, password, database } = new Client(server.config)
  const part = (/** @type {string | undefined} */ text) => encodeURIComponent(text ?? '')
  return `postgres://${part(user)}:${part(password)}@127.0.0.1:${port}/${part(database)}`
}

/** @param {string[]} args */
function readArguments(args) {
  const found = { minutes: 1, seed: 1 + Math.floor(Math.random() * 1e6), connections: 50 }
  for (let i = 0; i < args.length; i += 2) {
    const name = /** @type {keyof typeof found} */ (args[i].replace(/^--/, ''))
    if (!args[i].startsWith('--') || !Object.hasOwn(found, name)) {
      throw new Usage(
        `unknown argument ${args[i]}; usage: npm run soak -- [--minutes N] [--seed N] [--connections N]`
      )
    }
    const value = Number(args[i + 1])
    const isWhole = name !== 'minutes'
    if (!(value > 0) || (isWhole && !Number.isInteger(value))) {
      throw new Usage(
        `--${name} takes a ${isWhole ? 'whole ' : ''}number above 0, not ${args[i + 1] ?? 'nothing'}`
      )
    }
    found[name] = value
  }
  return found
}

main().catch((error) => {
  console.error(error instanceof Usage ? error.message : error)
  process.exitCode = error instanceof Usage ? 2 : 1
})
