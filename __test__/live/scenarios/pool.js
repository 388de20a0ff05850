'use strict'

const Pool = require('pg-pool')
const { errorOf, nextEvent } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

/** Runs `body` with a pool and ends the pool. */
const withPool = async (
  /** @type {Context} */ { pg, config },
  /** @type {any} */ options,
  /** @type {(pool: any) => Promise<any>} */ body
) => {
  const pool = new Pool({ Client: pg.Client, ...config(), ...options })
  try {
    return await body(pool)
  } finally {
    await pool.end()
  }
}

module.exports = {
  async 'many queries over few clients'(/** @type {Context} */ context) {
    return withPool(context, { max: 3 }, async (pool) => {
      const results = await Promise.all(
        Array.from({ length: 40 }, (_, i) =>
          pool.query('select $1::int as i, p.* from people p order by id', [i])
        )
      )
      return { rows: results.map(({ rows }) => rows), total: pool.totalCount <= 3 }
    })
  },

  async 'pg.Pool gives what pg-pool gives'(/** @type {Context} */ { pg, config }) {
    const pool = new pg.Pool(config())
    const result = await pool.query('select * from samples order by id limit 20')
    await pool.end()
    return result
  },

  async 'an error leaves the client usable'(/** @type {Context} */ context) {
    return withPool(context, { max: 1 }, async (pool) => ({
      error: await errorOf(pool.query('select 1 / 0')),
      extended: await errorOf(pool.query('select 1 / $1::int', [0])),
      after: await pool.query('select 1 as one'),
      total: pool.totalCount,
    }))
  },

  async 'a transaction on a client of its own'(/** @type {Context} */ context) {
    return withPool(context, { max: 2 }, async (pool) => {
      const client = await pool.connect()
      await client.query('begin')
      await client.query(`insert into people values (100, 'pooled', 1)`)
      const inside = await client.query('select * from people where id = 100')
      const outside = await pool.query('select * from people where id = 100')
      await client.query('rollback')
      client.release()
      return { inside: inside.rows, outside: outside.rows, total: pool.totalCount }
    })
  },

  async 'an idle client that the server ends'(/** @type {Context} */ context) {
    return withPool(context, { max: 2 }, async (pool) => {
      const { rows } = await pool.query('select pg_backend_pid() as pid')
      const lost = nextEvent(pool, 'error')
      const other = await context.connect()
      await other.query('select pg_terminate_backend($1)', [rows[0].pid])
      const error = await lost
      return { error, after: await pool.query('select 1 as one'), total: pool.totalCount }
    })
  },

  async 'a pool that cannot connect'(/** @type {Context} */ context) {
    const pool = new Pool({ ...context.config(), connectionString: undefined, host: '127.0.0.1', port: 1 })
    const error = await errorOf(pool.query('select 1'))
    await pool.end()
    // something must have come from the server for the test to count
    await (await context.connect()).query('select 1')
    return { code: error.code, after: (await errorOf(pool.query('select 1'))).message }
  },
}
