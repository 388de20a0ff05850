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
  const folder = name === 'native' ? path.join(__dirname, '..', '..') : path.resolve(name)
  const handle = require(path.join(folder, 'lib', 'pg.js')).accelerate(pg)
  // Stock would be measured as if it were the real thing.
  if (!handle.active) throw new Error(handle.reason)
  return { open: (options) => openClient(pg, options), made: () => handle.stats.rows }
}

/**
 * @param {string} name
 * @returns {NodeJS.ProcessEnv}
 */
const environmentOf = (name) => {
  // What dates cost hangs on the zone: results of two machines must not.
  const env = { ...process.env, TZ: 'UTC' }
  // Stock must not notice us at all; our side must fail rather than fall back to JavaScript.
  return name === 'stock' || name === 'direct' ? env : { ...env, PG_PROTOCOL_NATIVE: 'require' }
}

module.exports = { loadContender, environmentOf }
