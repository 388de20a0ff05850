'use strict'

// One flavour of the soak test: `node [-r register] soak-worker.js`, driven by soak.js through messages.

const pg = require('pg')
const Cursor = require('pg-cursor')
const QueryStream = require('pg-query-stream')
const { createRandom } = require('./fault-proxy')
const { PAIRED, STORM, WrongRow, nameOf } = require('./soak-tasks')

/** A task that takes longer hangs. */
const PATIENCE_MS = 30_000

/** @type {string[]} */
const uncaught = []
process.on('uncaughtException', (error) => uncaught.push(String(error.stack)))
process.on('unhandledRejection', (error) => uncaught.push(String(/** @type {any} */ (error)?.stack ?? error)))

process.on('message', async (/** @type {any} */ { task, ...options }) => {
  /** @type {any} */
  let answer
  try {
    answer = await /** @type {(options: any) => Promise<any>} */ (TASKS[task])(options)
  } catch (error) {
    answer = { failed: String(/** @type {any} */ (error)?.stack ?? error) }
  }
  process.send?.({ ...answer, uncaught: uncaught.splice(0), memory: memory() })
})

/** @type {Record<string, (options: any) => Promise<any>>} */
const TASKS = { paired, storm, leave: async () => process.exit() }

/**
 * One task with one connection.
 *
 * @param {{ config: any, name: string }} options
 */
async function paired({ config, name }) {
  const log = /** @type {any[]} */ ([])
  const client = new pg.Client(config)
  client.on('error', (/** @type {any} */ error) => log.push(`client: ${nameOf(error)}`))
  client.on('end', () => log.push('client: end'))
  const work = async () => {
    await client.connect()
    log.push('connected')
    await PAIRED[name]({ client, pg, Cursor, QueryStream, log })
  }
  await patiently(name, work()).catch((error) => log.push(`error: ${nameOf(error)}`))
  await patiently(`end() after ${name}`, client.end())
  return { log }
}

/**
 * Many tasks at once, for a time.
 *
 * @param {{ config: any, admin: any, seed: number, ms: number, connections: number }} options
 */
async function storm({ config, admin: adminConfig, seed, ms, connections }) {
  const random = createRandom(seed)
  const pool = new pg.Pool({
    ...config,
    max: Math.ceil(connections / 2),
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 500,
  })
  pool.on('error', () => {})
  const admin = new pg.Pool({ ...adminConfig, max: 4 })
  admin.on('error', () => {})
  const connect = async (/** @type {any} */ options) => {
    const client = new pg.Client({ ...config, connectionTimeoutMillis: 10_000, ...options })
    client.on('error', () => {})
    await client.connect()
    return client
  }
  /** @type {Record<string, number>} */
  const done = {}
  /** @type {Record<string, number>} */
  const errors = {}
  const names = Object.keys(STORM)
  const end = Date.now() + ms
  const someone = async () => {
    while (Date.now() < end) {
      const name = names[random(names.length)]
      try {
        await patiently(name, STORM[name]({ pg, pool, Cursor, admin, connect, random }))
        done[name] = (done[name] ?? 0) + 1
      } catch (/** @type {any} */ error) {
        if (error instanceof WrongRow || error instanceof Hung) throw error
        const kind = nameOf(error)
        errors[kind] = (errors[kind] ?? 0) + 1
        // A server that restarts refuses at once, and nothing is won by asking a thousand times.
        if (kind === 'ECONNREFUSED' || kind === '57P03')
          await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }
  await Promise.all(Array.from({ length: connections }, someone))
  await patiently('pool.end()', Promise.all([pool.end(), admin.end()]))
  return { done, errors, active: await openSockets() }
}

class Hung extends Error {}

/**
 * @template T
 * @param {string} what
 * @param {Promise<T>} work
 * @returns {Promise<T>}
 */
async function patiently(what, work) {
  let timer
  const hangs = new Promise((resolve, reject) => {
    timer = setTimeout(() => reject(new Hung(`${what} hangs`)), PATIENCE_MS)
  })
  try {
    return await /** @type {Promise<T>} */ (Promise.race([work, hangs]))
  } finally {
    clearTimeout(timer)
  }
}

/** How many sockets stay open although nobody uses them; closing takes a moment. */
async function openSockets() {
  for (let i = 0; ; i++) {
    const open = process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length
    if (open === 0 || i === 50) return open
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

function memory() {
  globalThis.gc?.()
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage()
  return { rss, heapUsed, external, arrayBuffers }
}
