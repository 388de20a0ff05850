'use strict'

/**
 * What applications do, for the soak test. Rows can be told from their number, so that whatever comes can be checked
 * without asking anybody: a prefix of the right rows, and then the end or an error.
 */

const { createHash } = require('node:crypto')

const COLUMNS = `i, i % 3 = 0 as flag, 'row ' || i || repeat('é', i % 17) as text,
  case when i % 5 = 0 then null else '漢字' || i end as maybe, i * 1.5::float8 as float, (i * 10)::int8 as big,
  (i || '.50')::numeric as amount, timestamptz '2024-01-01 00:00:00+00' + i * interval '1 hour' as at,
  array[i, null, -i] as list, json_build_object('i', i) as json, decode(lpad(to_hex(i), 8, '0'), 'hex') as bytes`

const rowsQuery = (/** @type {number | string} */ count) =>
  `select ${COLUMNS} from generate_series(1, ${count}) i`

/** So many rows, of which one comes every millisecond: there is time for something to happen. @param {number} count */
const slowQuery = (count) => `${rowsQuery(count)} where pg_sleep(0.001)::text = ''`

/** The row number `i` as it has to be. @param {number} i */
function rightRow(i) {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(i)
  return {
    i,
    flag: i % 3 === 0,
    text: `row ${i}${'é'.repeat(i % 17)}`,
    maybe: i % 5 === 0 ? null : `漢字${i}`,
    float: i * 1.5,
    big: String(i * 10),
    amount: `${i}.50`,
    at: new Date(Date.UTC(2024, 0, 1, i)),
    list: [i, null, -i],
    json: { i },
    bytes,
  }
}

/** All of every fifth row, which is as different from the one before as the others are. @param {any} row @param {number} i */
function checkRow(row, i) {
  if (row.i === i && i % 5 !== 1) return
  const found = JSON.stringify(row)
  const right = JSON.stringify(rightRow(i))
  if (found !== right) throw new WrongRow(`row ${i} is ${found}, not ${right}`)
}

/** Not one of the errors that a fault may cause. */
class WrongRow extends Error {}

/** An error as an application sees it. @param {any} error */
function nameOf(error) {
  if (error instanceof WrongRow) throw error
  return error?.code ?? error?.message ?? String(error)
}

/**
 * Tasks that one client after the other does, alike with the same bytes: what they note is compared between stock and
 * native. Each gets a client that may be cut off at any byte.
 *
 * @type {Record<string, (context: { client: any, pg: any, Cursor: any, QueryStream: any, log: any[] }) => Promise<void>>}
 */
const PAIRED = {
  async gathered({ client, log }) {
    const { rows, rowCount, command } = await client.query(rowsQuery(500))
    log.push(rowCount, command, digest(rows))
  },

  async 'as arrays'({ client, log }) {
    const { rows, fields } = await client.query({ text: rowsQuery(200), rowMode: 'array' })
    log.push(digest(rows), digest(fields))
  },

  async events({ client, pg, log }) {
    const query = new pg.Query(rowsQuery(800))
    let rows = 0
    query.on('row', (/** @type {any} */ row) => checkRow(row, ++rows))
    client.query(query)
    await settled(query).catch((error) => log.push(nameOf(error)))
    log.push(`${rows} rows`)
  },

  async 'a cursor'({ client, Cursor, log }) {
    const cursor = client.query(new Cursor(rowsQuery('$1'), [300]))
    let rows = 0
    for (;;) {
      const portion = await cursor.read(50)
      if (portion.length === 0) break
      for (const row of portion) checkRow(row, ++rows)
      log.push(portion.length)
    }
    await cursor.close()
  },

  async 'a stream'({ client, QueryStream, log }) {
    let rows = 0
    const stream = client.query(new QueryStream(rowsQuery('$1'), [400], { batchSize: 60 }))
    stream.on('data', (/** @type {any} */ row) => checkRow(row, ++rows))
    stream.on('error', (/** @type {any} */ error) => log.push(nameOf(error)))
    // A query stream does not tell of the end of its connection: it waits for the answer to its last message.
    await new Promise((resolve) => {
      stream.once('end', resolve)
      client.once('end', resolve)
    })
    log.push(`${rows} rows`)
  },

  async 'a prepared statement'({ client, log }) {
    for (let i = 0; i < 20; i++) {
      const { rows } = await client.query({
        name: 'one',
        text: 'select $1::int as i, $2 as text',
        values: [i, 'é'.repeat(i)],
      })
      log.push(digest(rows))
    }
  },

  async 'several statements, one of which fails'({ client, log }) {
    const results = await client.query('select 1 as a; select 2 as b, null as c')
    log.push(digest(results.map((/** @type {any} */ { rows }) => rows)))
    await client
      .query('select 1 / (3 - i) as x from generate_series(1, 9) i')
      .catch((/** @type {any} */ error) => log.push(nameOf(error)))
    const { rows } = await client.query(`select 'after' as a`)
    log.push(rows)
  },

  async 'notices, notifications, COPY'({ client, log }) {
    client.on('notice', (/** @type {any} */ { message }) => log.push(message))
    client.on('notification', (/** @type {any} */ { channel, payload }) => log.push(channel, payload))
    await client.query('listen soak')
    await client.query(`do $$ begin raise notice 'é %', 7; end $$`)
    await client.query(`notify soak, 'payload'`)
    const { command, rowCount } = await client.query('copy (select generate_series(1, 300)) to stdout')
    log.push(command, rowCount)
  },
}

/**
 * @typedef {object} Storm
 * @property {any} pg
 * @property {any} pool
 * @property {any} Cursor
 * @property {any} admin a pool whose connections nobody disturbs
 * @property {(options?: any) => Promise<any>} connect a client of its own
 * @property {(end: number) => number} random
 */

/**
 * Tasks that many do at once, among faults. Each ends with right rows or an error.
 *
 * @type {Record<string, (storm: Storm) => Promise<void>>}
 */
const STORM = {
  async 'pool.query'({ pool, random }) {
    const count = 1 + random(300)
    const { rows } = await pool.query(rowsQuery('$1'), [count])
    if (rows.length !== count) throw new WrongRow(`${rows.length} rows, not ${count}`)
    rows.forEach((/** @type {any} */ row, /** @type {number} */ i) => checkRow(row, i + 1))
  },

  async 'many small queries'({ pool, random }) {
    await Promise.all(
      Array.from({ length: 10 }, async () => {
        const i = 1 + random(5000)
        const { rows } = await pool.query(`select ${COLUMNS} from (select $1::int as i) s`, [i])
        checkRow(rows[0], i)
      })
    )
  },

  async 'row events'({ connect, pg, random }) {
    const client = await connect()
    try {
      await rowEvents(client, new pg.Query(rowsQuery(1 + random(2000))), random)
    } finally {
      await client.end()
    }
  },

  async 'a cursor, closed early'({ connect, Cursor, random }) {
    const client = await connect()
    try {
      const cursor = client.query(new Cursor(rowsQuery('$1'), [1000]))
      let rows = 0
      for (let i = random(8); i > 0; i--)
        for (const row of await cursor.read(1 + random(90))) checkRow(row, ++rows)
      // A cursor waits for the answer to its last message, also where the connection has ended.
      await Promise.race([cursor.close(), new Promise((resolve) => client.once('end', resolve))])
    } finally {
      await client.end()
    }
  },

  async 'cancelled in the middle'({ connect, pg, admin, random }) {
    const client = await connect()
    try {
      const query = new pg.Query(slowQuery(5000))
      query.once('row', () => {
        setTimeout(
          () => admin.query('select pg_cancel_backend($1)', [client.processID]).catch(() => {}),
          random(5)
        )
      })
      await rowEvents(client, query, random)
    } finally {
      await client.end()
    }
  },

  async 'terminated in the middle'({ connect, pg, admin, random }) {
    const client = await connect()
    try {
      const query = new pg.Query(slowQuery(5000))
      query.once('row', () => {
        setTimeout(
          () => admin.query('select pg_terminate_backend($1)', [client.processID]).catch(() => {}),
          random(5)
        )
      })
      await rowEvents(client, query, random)
    } finally {
      await client.end()
    }
  },

  async statement_timeout({ connect, random }) {
    const client = await connect({ statement_timeout: 10 + random(20) })
    try {
      const { rows } = await client.query(slowQuery(5000))
      rows.forEach((/** @type {any} */ row, /** @type {number} */ i) => checkRow(row, i + 1))
    } finally {
      await client.end()
    }
  },

  async query_timeout({ connect, random }) {
    const client = await connect({ query_timeout: 5 + random(20) })
    try {
      const { rows } = await client.query(slowQuery(5000))
      rows.forEach((/** @type {any} */ row, /** @type {number} */ i) => checkRow(row, i + 1))
    } finally {
      await client.end()
    }
  },

  async 'end() while rows come'({ connect, pg, random }) {
    const client = await connect()
    const query = new pg.Query(slowQuery(5000))
    query.once('row', () => setTimeout(() => client.end(), random(30)))
    await rowEvents(client, query, random)
  },
}

/** Row by row; where the query can be paused, now and then it is. @param {any} client @param {any} query @param {any} random */
async function rowEvents(client, query, random) {
  let rows = 0
  /** @type {unknown} */
  let wrong
  query.on('row', (/** @type {any} */ row) => {
    try {
      checkRow(row, ++rows)
    } catch (error) {
      wrong ??= error
    }
    if (query.pause === undefined || random(200) !== 0) return
    query.pause()
    setTimeout(() => query.resume(), random(3))
  })
  client.query(query)
  const error = await settled(query).catch((/** @type {any} */ error) => error)
  if (wrong !== undefined) throw wrong
  if (error !== undefined) throw error
}

/** @param {any} query @returns {Promise<void>} */
function settled(query) {
  return new Promise((resolve, reject) => query.once('end', () => resolve(undefined)).once('error', reject))
}

/** @param {unknown} value */
function digest(value) {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 16)
}

/**
 * Errors that faults and the tasks themselves cause, in stock as well.
 */
const EXPECTED_ERRORS = [
  '57014', // cancelled, also by statement_timeout
  '57P01', // terminated, or the server is restarted
  '57P02',
  '57P03', // starting, or stopping
  '08006',
  '53300',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
]

module.exports = { PAIRED, STORM, EXPECTED_ERRORS, WrongRow, nameOf }
