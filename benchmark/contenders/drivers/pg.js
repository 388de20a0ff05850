'use strict'

// pg, stock or with ours under it, and its bindings to libpq (`pg.native`), which have the same interface.

const { READ } = require('../../queries/scenarios')

/**
 * @typedef {import('../load').Scenario} Scenario
 * @typedef {import('../load').Session} Session
 * @typedef {import('../load').Driver} Driver
 */

/** @param {any} pg @returns {Driver} */
const forPg = (pg) => ({ cannot: () => null, open: (url, scenario) => open(pg, url, scenario) })

/** @type {Record<string, string>} */
const NOT_NATIVE = {
  cursor: 'pg-cursor does not work with pg-native',
  stream: 'pg-query-stream does not work with pg-native',
  pipeline: 'pg-native does not pipeline',
}

/** @param {any} pg its `native` @returns {Driver} */
const forPgNative = (pg) => ({
  cannot: ({ way, binary }) => NOT_NATIVE[way] ?? (binary ? 'pg-native knows no binary format' : null),
  open: (url, scenario) => open(pg, url, scenario),
})

/**
 * @param {any} pg
 * @param {string} url
 * @param {Scenario} scenario
 * @returns {Promise<Session>}
 */
const open = async (pg, url, scenario) => {
  const client = await connect(pg, url, scenario)
  return {
    run: (sql) => client.query(sql),
    pass: PASSES[scenario.way](client, scenario),
    countOf: (outcome) => (Array.isArray(outcome) ? sum(outcome) : outcome.rowCount),
    rowsOf: (outcome) => (Array.isArray(outcome) ? outcome.flatMap((result) => result.rows) : outcome.rows),
    valuesOf: (row) => (Array.isArray(row) ? row : scenario.columns.map(({ name }) => row[name])),
    readBack: async (text, values) => (await client.query(text, values)).rows,
    end: () => client.end(),
  }
}

/** @param {{rowCount: number}[]} results */
const sum = (results) => results.reduce((count, { rowCount }) => count + rowCount, 0)

/**
 * @param {any} pg
 * @param {string} url
 * @param {Scenario} scenario
 */
const connect = async (pg, url, { way }) => {
  // One connection, which has the temporary tables, and which must not be closed while the others are measured.
  if (way === 'pool') return new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 })
  const client = new pg.Client({ connectionString: url, pipeline: way === 'pipeline' })
  await client.connect()
  return client
}

/** @param {Scenario} scenario */
const queryOf = ({ name, text, prepared, values, array, binary }) => {
  const fixed = {
    text,
    ...(prepared ? { name } : {}),
    ...(array ? { rowMode: 'array' } : {}),
    ...(binary ? { binary: true } : {}),
  }
  return (/** @type {number} */ n) => ({ ...fixed, values: values?.(n) })
}

/** @type {Record<Scenario['way'], (client: any, scenario: Scenario) => Session['pass']>} */
const PASSES = {
  query(client, scenario) {
    const query = queryOf(scenario)
    return (n) => client.query(query(n))
  },

  pool(pool, scenario) {
    const query = queryOf(scenario)
    return (n) => pool.query(query(n))
  },

  transaction(client, { statements = [] }) {
    return async (n) => {
      let result
      await client.query('begin')
      for (const { text, values } of statements) result = await client.query(text, values(n))
      await client.query('commit')
      return result
    }
  },

  cursor(client, { text, count }) {
    const Cursor = /** @type {any} */ (require('pg-cursor'))
    return async () => {
      const cursor = client.query(new Cursor(text))
      const rows = []
      while (rows.length < count) {
        const part = await cursor.read(READ)
        if (part.length === 0) break
        rows.push(...part)
      }
      await cursor.close()
      return { rows, rowCount: rows.length }
    }
  },

  stream(client, { text }) {
    const QueryStream = /** @type {any} */ (require('pg-query-stream'))
    return () =>
      new Promise((resolve, reject) => {
        /** @type {any[]} */
        const rows = []
        client
          .query(new QueryStream(text, [], { batchSize: READ }))
          .on('data', (/** @type {any} */ row) => rows.push(row))
          .on('end', () => resolve({ rows, rowCount: rows.length }))
          .on('error', reject)
      })
  },

  pipeline(client, scenario) {
    const query = queryOf(scenario)
    const { queries = 1 } = scenario
    return (n) => Promise.all(Array.from({ length: queries }, () => client.query(query(n))))
  },
}

module.exports = { forPg, forPgNative }
