'use strict'

// postgres.js. Where it gives another value than pg, its value is brought into pg's terms for the check of answers, never
// while it is measured.

const { READ } = require('../../queries/scenarios')
const { inTermsOfPg, withNulls } = require('./terms')

/**
 * @typedef {import('../load').Scenario} Scenario
 * @typedef {import('../load').Session} Session
 */

/** Installed on demand, so the checker of types must not look for it. @type {string} */
const PACKAGE = 'postgres'

/** @param {Scenario} scenario */
const cannot = ({ binary }) => (binary ? 'postgres.js knows no binary format' : null)

/**
 * @param {string} url
 * @param {Scenario} scenario
 * @returns {Promise<Session>}
 */
const open = async (url, scenario) => {
  const postgres = require(PACKAGE)
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  return {
    run: (text) => sql.unsafe(text).simple(),
    pass: PASSES[scenario.way](sql, scenario),
    countOf: (outcome) => (outcome.count === undefined ? sum(outcome) : outcome.count),
    rowsOf: (outcome) => (outcome.count === undefined ? outcome.flat() : [...outcome]),
    valuesOf: (row) => inTermsOfPg(scenario.columns, row).map(withNulls),
    readBack: (text, values) => sql.unsafe(text, values),
    end: () => sql.end(),
  }
}

/** @param {{count: number}[]} results */
const sum = (results) => results.reduce((all, { count }) => all + count, 0)

/**
 * Prepared as the scenario says; written as a template, postgres.js would prepare all of them.
 * @param {any} sql
 * @param {Scenario} scenario
 */
const asker = (sql, { text, prepared = false, values = () => [], array }) => {
  const options = { prepare: prepared }
  const typed = (/** @type {any} */ value) =>
    Array.isArray(value) ? sql.array(value, ELEMENTS[typeof value[0]]) : value
  const ask = (/** @type {number} */ n) => sql.unsafe(text, values(n).map(typed), options)
  return array ? (/** @type {number} */ n) => ask(n).values() : ask
}

/** It takes the type of an array from its first element, and gets it wrong. @type {Record<string, number>} */
const ELEMENTS = { number: 23, boolean: 16, string: 25 }

/** @type {Record<Scenario['way'], (sql: any, scenario: Scenario) => Session['pass']>} */
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

  cursor(sql, { text }) {
    return async () => {
      const rows = /** @type {any} */ ([])
      for await (const part of sql.unsafe(text).cursor(READ)) rows.push(...part)
      rows.count = rows.length
      return rows
    }
  },

  stream(sql, { text }) {
    return async () => {
      const rows = /** @type {any} */ ([])
      await sql.unsafe(text).forEach((/** @type {any} */ row) => rows.push(row))
      rows.count = rows.length
      return rows
    }
  },

  pipeline(sql, scenario) {
    const ask = asker(sql, scenario)
    return (n) => Promise.all(Array.from({ length: scenario.queries ?? 1 }, () => ask(n)))
  },
}

module.exports = { cannot, open }
