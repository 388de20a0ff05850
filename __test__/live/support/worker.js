'use strict'

// Runs one file of scenarios in a process of its own: node [-r register] worker.js <file>. What each one returned, or
// threw, goes to descriptor 3, with an account of the parser that did the work.

const fs = require('node:fs')
const path = require('node:path')
const v8 = require('node:v8')
const Module = require('node:module')
const { configFromEnvironment } = require('../../../scripts/postgres-server')
const { watching } = require('./helpers')
const { snapshot } = require('./snapshot')

const TIMEOUT_MS = 60000

/** What `register` exports, where it is at work. */
const registered = () => /** @type {any} */ (Module)[Symbol.for('pg-protocol-native.register@1')]

/** How many rows have been built natively. */
const built = () => registered()?.stats.rows ?? 0

/**
 * Counts what pg's parser delivers: `rows` are those that became messages, `own` those of them that only the native
 * parser can have made. Rows that are built natively are no messages.
 */
const watchParser = () => {
  const counted = { parser: '', messages: 0, rows: 0, own: 0, built: 0 }
  // the pg-protocol that pg itself gets, whatever is in its place
  const requireOfPg = Module.createRequire(require.resolve('pg/lib/connection.js'))
  const { Parser } = requireOfPg('pg-protocol/dist/parser.js')
  counted.parser = typeof Parser.forStream === 'function' ? 'native' : 'stock'
  const { parse } = Parser.prototype
  Parser.prototype.parse = function (
    /** @type {Buffer} */ chunk,
    /** @type {(message: any) => void} */ callback
  ) {
    return parse.call(this, chunk, (/** @type {any} */ message) => {
      counted.messages++
      if (message.name === 'dataRow') {
        counted.rows++
        if (typeof message.detach === 'function') counted.own++
      }
      callback(message)
    })
  }
  return counted
}

const main = async () => {
  const pg = require('pg')
  const counted = watchParser()
  const config = configFromEnvironment()
  if (!config) throw new Error('no server is named in the environment')
  const schema = process.env.TEST_SCHEMA

  /** @type {Set<any>} */
  let open = new Set()
  const context = {
    pg,
    schema,
    /** Whether rows are built natively, unless somebody looks at them. */
    rowsAreNative: registered() !== undefined,
    embedded: process.env.PG_PROTOCOL_NATIVE_TEST_SERVER === 'embedded',
    config: (/** @type {any} */ options) => ({ ...config, options: `-c search_path=${schema}`, ...options }),
    /** A connected client; it is closed after the scenario. */
    connect: async (/** @type {any} */ options) => {
      const client = new pg.Client(context.config(options))
      open.add(client)
      await client.connect()
      return client
    },
  }

  /** @type {Record<string, any>} */
  const outcomes = {}
  for (const [name, scenario] of Object.entries(require(path.resolve(process.argv[2])))) {
    let timer
    const timeout = new Promise((_, reject) => {
      timer = setTimeout(() => reject(new Error(`it took more than ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    })
    const before = { ...counted, built: built() }
    watching.messages = false
    try {
      const value = snapshot(await Promise.race([scenario(context), timeout]))
      outcomes[name] = { value }
    } catch (error) {
      outcomes[name] = { threw: snapshot(error), stack: /** @type {any} */ (error).stack }
    }
    clearTimeout(timer)
    for (const client of open) {
      client.on('error', () => {})
      await client.end()
    }
    open = new Set()
    Object.assign(outcomes[name], {
      messages: counted.messages - before.messages,
      rows: counted.rows - before.rows,
      built: built() - before.built,
      watched: watching.messages,
    })
  }
  counted.built = built()
  fs.writeSync(3, v8.serialize({ outcomes, counted }))
}

main().then(
  () => process.exit(0),
  (error) => {
    console.error(error)
    process.exit(1)
  }
)
