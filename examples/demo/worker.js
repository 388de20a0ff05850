'use strict'

/**
 * One of the demo's two processes: runs what it is told through the `pg` of this process. Nothing in here knows
 * which parser serves; that was decided by how the process was started:
 *
 *   node worker.js                                   pg as it is
 *   node -r pg-protocol-native/register worker.js    pg with the native parser, its rows built natively
 */

const Module = require('node:module')
const { performance } = require('node:perf_hooks')
const { Client } = require('pg')
const { configFromEnvironment } = require('../../scripts/postgres-server')
const { SCHEMA, QUERIES } = require('./queries')

/** The parser class that pg gets when it asks for one. */
function parserOfPg() {
  const requireOfPg = Module.createRequire(require.resolve('pg/lib/connection.js'))
  return requireOfPg('pg-protocol/dist/parser.js').Parser
}

/** How many rows `register` has built natively, if it is there. */
function builtRows() {
  const registration = /** @type {any} */ (Module)[Symbol.for('pg-protocol-native.register@1')]
  return registration ? registration.stats.rows : 0
}

const client = new Client(/** @type {import('pg').ClientConfig} */ (configFromEnvironment()))

/** @type {Buffer[]} */
let recorded = []
let recordedRows = 0

/** Keeps the bytes of one query's answer, in the pieces in which the socket brought them. */
async function record(/** @type {number} */ at) {
  recorded = []
  const { stream } = /** @type {any} */ (client).connection
  const keep = (/** @type {Buffer} */ chunk) => recorded.push(Buffer.from(chunk))
  // before pg's own listener, which may move the bytes
  stream.prependListener('data', keep)
  recordedRows = (await client.query(QUERIES[at].query)).rows.length
  stream.off('data', keep)
}

const commands = {
  async start() {
    await client.connect()
    await client.query(`set search_path = ${SCHEMA}`)
    return { native: typeof parserOfPg().forStream === 'function' }
  },

  /** The answer itself, for comparison, and how many of its rows were built natively. */
  async answer(/** @type {number} */ at) {
    const before = builtRows()
    const { rows, fields, rowCount, command } = await client.query(QUERIES[at].query)
    const built = builtRows() - before
    return { answer: { command, rowCount, fields: fields.map((field) => ({ ...field })), rows }, built }
  },

  /** Milliseconds for one measurement. */
  async time(/** @type {number} */ at) {
    const { query, repeat } = QUERIES[at]
    const start = performance.now()
    for (let i = 0; i < repeat; i++) await client.query(query)
    return performance.now() - start
  },

  async record(/** @type {number} */ at) {
    await record(at)
    return recorded.reduce((sum, { length }) => sum + length, 0)
  },

  /** Milliseconds for parsing the recorded bytes once. */
  async parse(/** @type {boolean} */ readFields) {
    const Parser = parserOfPg()
    let rows = 0
    let cells = 0
    const take = (/** @type {any} */ message) => {
      if (message.name !== 'dataRow') return
      rows++
      if (readFields) cells += message.fields.length
    }
    let passes = 0
    let total = 0
    // a pass that reads nothing is too short to be timed by itself
    while (total < 20) {
      // pg-protocol's parser moves bytes about in the chunks that it is given, so each pass gets its own
      const chunks = recorded.map((chunk) => Buffer.from(chunk))
      const parser = new Parser()
      const start = performance.now()
      for (const chunk of chunks) parser.parse(chunk, take)
      total += performance.now() - start
      passes++
    }
    if (rows !== passes * recordedRows || (readFields && cells < rows))
      throw new Error('rows were lost in parsing')
    return total / passes
  },

  async stop() {
    await client.end()
  },
}

process.on('message', async (/** @type {{ command: keyof typeof commands, argument: any }} */ message) => {
  const { command, argument } = message
  try {
    const run = /** @type {(argument: any) => Promise<unknown>} */ (commands[command])
    process.send?.({ result: await run(argument) })
  } catch (error) {
    process.send?.({ error: /** @type {Error} */ (error).message })
  }
  if (command === 'stop') process.disconnect?.()
})
// without the demo there is nothing to do
process.on('disconnect', () => process.exit())
