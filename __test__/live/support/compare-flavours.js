'use strict'

const { test } = require('node:test')
const assert = require('node:assert/strict')
const { spawn } = require('node:child_process')
const path = require('node:path')
const v8 = require('node:v8')
const { Client } = require('pg')
const { useServer } = require('../../support/server')
const { createEnum, createTable } = require('../../../scripts/sample-types')

// The same scenarios against the same server in one process per flavour, and the results side by side.

const ROOT = path.join(__dirname, '..', '..', '..')

/** @type {Record<string, string[]>} */
const FLAVOURS = {
  stock: [],
  register: ['-r', path.join(ROOT, 'lib', 'register.js')],
  override: ['-r', path.join(__dirname, 'override.js')],
}

/**
 * @typedef {object} Outcome
 * @property {any} [value]
 * @property {any} [threw]
 * @property {string} [stack]
 * @property {number} messages
 * @property {number} rows how many of them were rows
 * @property {number} built how many rows were built natively, and were no messages
 * @property {boolean} watched whether the scenario looked at messages
 *
 * @typedef {{ outcomes: Record<string, Outcome>, counted: any }} Report
 */

/**
 * @param {string} flavour
 * @param {string} file
 * @param {NodeJS.ProcessEnv} env
 * @returns {Promise<Report>}
 */
const runFlavour = (flavour, file, env) =>
  new Promise((resolve, reject) => {
    const args = [...FLAVOURS[flavour], path.join(__dirname, 'worker.js'), file]
    const child = spawn(process.execPath, args, {
      env: { ...env, PG_PROTOCOL_NATIVE: flavour === 'stock' ? 'off' : 'require' },
      stdio: ['ignore', 'inherit', 'pipe', 'pipe'],
    })
    /** @type {Buffer[]} */
    const pieces = []
    let stderr = ''
    const [, , errors, report] = /** @type {any[]} */ (child.stdio)
    errors.on('data', (/** @type {string} */ text) => (stderr += text))
    report.on('data', (/** @type {Buffer} */ piece) => pieces.push(piece))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      if (code === 0) resolve(v8.deserialize(Buffer.concat(pieces)))
      else reject(new Error(`the ${flavour} process ended with ${signal ?? code}:\n${stderr}`))
    })
  })

/**
 * @param {import('../../support/server').Server} server
 * @param {string[]} statements
 */
const runStatements = async (server, statements) => {
  const client = new Client(server.config)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * Defines one test per scenario that the file exports: an async function which gets the context that worker.js makes
 * and returns what is to be compared. One with the property `differs` is run too, but its outcomes are left to the
 * test file. With `register` all rows have to be built natively, unless the scenario looks at messages or has the
 * property `rowsOfPg`, which says why pg builds some.
 * @param {string} file
 * @returns {() => Record<string, Report>} what each flavour reported, inside a test
 */
const compareFlavours = (file) => {
  const schema = `pgn_test_${path.basename(file, '.js').replace(/\W/g, '_')}_${process.pid}`
  /** @type {Record<string, Report>} */
  const reports = {}

  useServer({
    async prepare(server) {
      await runStatements(server, [
        `create schema ${schema}`,
        `set search_path = ${schema}`,
        createEnum,
        createTable('samples', 200),
        'create table people (id int primary key, name text not null, age int constraint grown check (age > 0))',
        `insert into people values (1, 'Zoë', 30), (2, '山田', 40), (3, '', null)`,
      ])
      // one after the other: they write to the same tables
      for (const flavour of Object.keys(FLAVOURS)) {
        reports[flavour] = await runFlavour(flavour, file, { ...server.env, TEST_SCHEMA: schema })
      }
    },
    cleanUp: (server) => runStatements(server, [`drop schema if exists ${schema} cascade`]),
  })

  for (const [name, { differs, rowsOfPg }] of Object.entries(require(file))) {
    if (differs) continue
    test(name, () => {
      const stock = reports.stock.outcomes[name]
      assert.equal(stock.threw, undefined, `the scenario itself failed with stock: ${stock.stack}`)
      assert.notEqual(stock.value, undefined, 'the scenario has a result')
      assert.ok(stock.messages > 0, 'the scenario talks to the server')
      for (const flavour of ['register', 'override']) {
        const { value, threw, stack, messages } = reports[flavour].outcomes[name]
        assert.equal(threw, undefined, `${flavour}: ${stack}`)
        assert.deepEqual(value, stock.value, `${flavour} gives what stock gives`)
        assert.ok(messages > 0, `${flavour}: the messages went through the parser`)
      }
      assertBuilt(stock, reports.register.outcomes[name], rowsOfPg)
      assert.equal(reports.override.outcomes[name].built, 0, 'the override leaves rows to pg')
    })
  }

  test('the parser was the one that each flavour is named after', () => {
    const { stock, register, override } = reports
    assert.equal(stock.counted.parser, 'stock')
    assert.equal(stock.counted.own, 0)
    assert.ok(stock.counted.rows > 0)
    for (const { counted } of [register, override]) {
      assert.equal(counted.parser, 'native')
      assert.equal(counted.own, counted.rows, 'every row is one of the native parser')
      assert.ok(counted.rows + counted.built > 0)
    }
  })

  return () => reports
}

/**
 * @param {Outcome} stock
 * @param {Outcome} native
 * @param {string} [rowsOfPg]
 */
const assertBuilt = (stock, native, rowsOfPg) => {
  if (native.watched) return
  if (rowsOfPg) assert.ok(native.rows > 0, `there are rows that pg builds: ${rowsOfPg}`)
  else assert.equal(native.rows, 0, 'every row is built natively')
  if (stock.rows > 0) assert.ok(native.rows + native.built > 0, 'rows came')
}

module.exports = { compareFlavours, assertBuilt }
