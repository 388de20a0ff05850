'use strict'

// Bun.sql; this file runs on Bun. For the check of answers its values are brought into pg's terms, never while it is
// measured.

const { inTermsOfPg } = require('./terms')

/**
 * @typedef {import('../load').Scenario} Scenario
 * @typedef {import('../load').Session} Session
 */

/** @type {Record<string, string>} */
const MISSING = {
  cursor: 'Bun.sql has no cursors',
  stream: 'Bun.sql does not stream rows',
}

/** @param {Scenario} scenario */
const cannot = ({ way, binary }) => MISSING[way] ?? (binary ? 'Bun.sql chooses the format by itself' : null)

/**
 * @param {string} url
 * @param {Scenario} scenario
 * @returns {Promise<Session>}
 */
const open = async (url, scenario) => {
  const { SQL } = /** @type {any} */ (globalThis).Bun
  const sql = new SQL(url, { max: 1, idleTimeout: 0, connectionTimeout: 15 })
  await sql.connect()
  return {
    run: (text) => sql.unsafe(text).simple(),
    pass: PASSES[scenario.way](sql, scenario),
    countOf: (outcome) => (outcome.count === undefined ? sum(outcome) : outcome.count),
    rowsOf: (outcome) => (outcome.count === undefined ? outcome.flat() : [...outcome]),
    valuesOf: (row) => inTermsOfPg(scenario.columns, row),
    readBack: (text, values) => sql.unsafe(text, values),
    end: () => sql.end(),
  }
}

/** @param {{count: number}[]} results */
const sum = (results) => results.reduce((all, { count }) => all + count, 0)

/**
 * @param {any} sql
 * @param {Scenario} scenario
 */
const asker = (sql, { text, values = () => [], array }) =>
  array
    ? (/** @type {number} */ n) => sql.unsafe(text, values(n)).values()
    : (/** @type {number} */ n) => sql.unsafe(text, values(n))

/** @type {Record<string, (sql: any, scenario: Scenario) => Session['pass']>} */
const PASSES = {
  query: asker,
  pool: asker,

  transaction(sql, { statements = [] }) {
    return (n) =>
      sql.begin(async (/** @type {any} */ transaction) => {
        let result
        for (const { text, values } of statements) result = await transaction.unsafe(text, values(n))
        return result
      })
  },

  pipeline(sql, scenario) {
    const ask = asker(sql, scenario)
    return (n) => Promise.all(Array.from({ length: scenario.queries ?? 1 }, () => ask(n)))
  },
}

module.exports = { cannot, open }
