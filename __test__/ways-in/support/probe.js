'use strict'

// Runs in the app's process: one connection of a given pg to the fake server, and what came of it.

const Module = /** @type {any} */ (require('node:module'))

/** How many rows `register` has built natively in this process. */
function built() {
  return Module[Symbol.for('pg-protocol-native.register@1')]?.stats.rows ?? 0
}

/**
 * @typedef {object} Outcome
 * @property {boolean} native  whether the parser is the native one
 * @property {boolean} built  whether `register` built the rows
 * @property {any[]} rows
 * @property {string} code
 * @property {boolean} isDatabaseError
 * @property {number} after
 */

/**
 * @param {any} pg
 * @returns {Promise<Outcome>}
 */
async function probe(pg) {
  const client = new pg.Client()
  await client.connect()
  const before = built()
  const { rows } = await client.query('rows 3')
  const isBuilt = built() > before
  let native = false
  client.connection.on('dataRow', (/** @type {any} */ message) => {
    // Only rows of the native parser know the bytes they came from. Once somebody looks at them, pg builds the rows.
    native = Buffer.isBuffer(message.bytes)
  })
  const again = await client.query('rows 3')
  if (JSON.stringify(again.rows) !== JSON.stringify(rows)) throw new Error('rows differ with a listener')
  const error = await client.query('error').catch((/** @type {any} */ err) => err)
  const after = (await client.query({ text: 'rows 2', values: [] })).rowCount
  await client.end()
  return {
    native,
    built: isBuilt,
    rows,
    code: error.code,
    isDatabaseError: error instanceof pg.DatabaseError,
    after,
  }
}

/** What `probe` gives when all is well. */
const rows = [1, 2, 3].map((id) => ({ id, name: `é😀 ${id}` }))
const STOCK = { native: false, built: false, rows, code: '42P01', isDatabaseError: true, after: 2 }
const PARSER = { ...STOCK, native: true }
const NATIVE = { ...PARSER, built: true }

exports.built = built
exports.probe = probe
exports.NATIVE = NATIVE
exports.PARSER = PARSER
exports.STOCK = STOCK
