'use strict'

const path = require('node:path')
const { openClient, openDirect } = require('./receivers')

/**
 * @typedef {object} Contender
 * @property {(options?: {sends?: boolean}) => Promise<import('./receivers').Receiver>} open a connection
 * @property {(() => number) | null} made how many rows were built natively so far; null: that is not its way
 */

/**
 * @param {string} name `stock`; `direct`: stock's Parser and Result without the events between them; `native`; or the
 *   folder of another checkout of this package
 * @returns {Contender}
 */
const loadContender = (name) => {
  const pg = require('pg')
  if (name === 'stock') return { open: (options) => openClient(pg, options), made: null }
  if (name === 'direct') return { open: async () => openDirect(pg), made: null }
  // A fallback to JavaScript would be measured as if it were the real thing.
  process.env.PG_PROTOCOL_NATIVE = 'require'
  const folder = name === 'native' ? path.join(__dirname, '..', '..') : path.resolve(name)
  const handle = require(path.join(folder, 'lib', 'pg.js')).accelerate(pg)
  if (!handle.active) throw new Error(handle.reason)
  return { open: (options) => openClient(pg, options), made: () => handle.stats.rows }
}

/** What dates cost hangs on the zone: it must not on that of the machine. */
const environment = () => ({ ...process.env, TZ: 'UTC' })

module.exports = { loadContender, environment }
