'use strict'

const { Client } = require('pg')
const { startServer } = require('../../scripts/postgres-server')

/** The wide table, of the same types as the stream of that name. */
const TABLE = 'pgn_bench_wide'
const ROWS = 100_000

const TYPES = [
  '(i::int8 * 2654435761 % 1999999)::int4 - 999999',
  'case when (i + c) % 5 = 0 then null else left(md5((i::int8 * c)::text), 5 + (i + c) % 25) end',
  '(i + c) % 2 = 0',
  "timestamptz '2020-01-01' + i * interval '37.123457 seconds'",
  '((i::int8 * 7919 + c) % 1000000)::numeric / 100',
]

const CREATE = `create unlogged table ${TABLE} as select ${Array.from(
  { length: 40 },
  (_, c) => `(${TYPES[c % TYPES.length].replaceAll(/\bc\b/g, String(c + 1))}) as column_${c + 1}`
).join(', ')} from generate_series(1, ${ROWS}) as i`

/**
 * Does the work while there is a server with the table, if the arguments ask for what needs one.
 * @param {string[]} args
 * @param {() => Promise<unknown>} work
 */
const withServer = async (args, work) => {
  const only = args.find((arg, i) => arg.startsWith('--only=') || args[i - 1] === '--only')
  if (args.includes('--help') || (only !== undefined && !/server|wide(?!\/)/.test(only))) return work()
  const server = await startServer()
  const client = new Client(server.config)
  try {
    await client.connect()
    await client.query(`drop table if exists ${TABLE}`)
    await client.query(CREATE)
    Object.assign(process.env, server.env)
    await work()
  } finally {
    await client.query(`drop table if exists ${TABLE}`)
    await client.end()
    await server.stop()
  }
}

module.exports = { withServer, TABLE, ROWS }
