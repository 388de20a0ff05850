'use strict'

// Runs in the app's process: one connection of a given pg to the fake server, and what came of it.

/**
 * @param {any} pg
 * @returns {Promise<{ native: boolean, rows: any[], code: string, isDatabaseError: boolean, after: number }>}
 */
async function probe(pg) {
  const client = new pg.Client()
  await client.connect()
  let native = false
  client.connection.on('dataRow', (/** @type {any} */ message) => {
    // Only rows of the native parser know the bytes they came from.
    native = Buffer.isBuffer(message.bytes)
  })
  const { rows } = await client.query('rows 3')
  const error = await client.query('error').catch((/** @type {any} */ err) => err)
  const after = (await client.query({ text: 'rows 2', values: [] })).rowCount
  await client.end()
  return { native, rows, code: error.code, isDatabaseError: error instanceof pg.DatabaseError, after }
}

/** What `probe` gives when all is well. */
const rows = [1, 2, 3].map((id) => ({ id, name: `é😀 ${id}` }))
const STOCK = { native: false, rows, code: '42P01', isDatabaseError: true, after: 2 }
const NATIVE = { ...STOCK, native: true }

exports.probe = probe
exports.NATIVE = NATIVE
exports.STOCK = STOCK
