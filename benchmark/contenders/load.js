'use strict'

// In the child process: gets the client ready that is to be measured.

const Module = require('node:module')
const path = require('node:path')

/**
 * @typedef {import('../queries/scenarios').Scenario} Scenario
 *
 * @typedef {object} Session one connection and what is asked through it
 * @property {(sql: string) => Promise<unknown>} run statements without parameters
 * @property {(n: number) => Promise<any>} pass asks for the n-th time
 * @property {(outcome: any) => number} countOf rows that came, or were changed
 * @property {(outcome: any) => any[]} rowsOf as the client gave them
 * @property {(row: any) => any[]} valuesOf a row, in the order of the columns and in the terms of pg
 * @property {(text: string, values: any[]) => Promise<any[]>} readBack
 * @property {() => Promise<unknown>} end
 *
 * @typedef {object} Driver
 * @property {(scenario: Scenario) => string | null} cannot why a scenario is not for this client
 * @property {(url: string, scenario: Scenario) => Promise<Session>} open
 */

/**
 * @param {import('./index').Setup} setup
 * @returns {{driver: Driver, made: (() => number) | null}} `made`: how many rows were built natively so far; null: that is not its way
 */
const loadContender = ({ driver, kind, folder }) => {
  if (driver === 'postgres') return { driver: require('./drivers/postgres'), made: null }
  if (driver === 'bun') return { driver: require('./drivers/bun'), made: null }
  const pg = require('pg')
  const { forPg, forPgNative } = require('./drivers/pg')
  if (driver === 'pg-native') return { driver: forPgNative(pg.native), made: null }
  if (kind === 'parser') {
    const { accelerate } = require(path.join(/** @type {string} */ (folder), 'lib', 'pg.js'))
    const { active, reason } = accelerate(pg, { rows: false })
    if (!active) throw new Error(reason)
  }
  if (kind !== 'register') return { driver: forPg(pg), made: null }
  const { active, stats } = /** @type {any} */ (Module)[Symbol.for('pg-protocol-native.register@1')]
  if (!active) throw new Error('register is not active')
  return { driver: forPg(pg), made: () => stats.rows }
}

module.exports = { loadContender }
