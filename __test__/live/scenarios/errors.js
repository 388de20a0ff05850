'use strict'

const { errorOf, recordMessages, nextEvent, until, sleep } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

const ALL_FIELDS = `using message = 'boom – 💥', errcode = 'P0123', detail = 'd', hint = 'h', column = 'c1',
  constraint = 'k', datatype = 'dt', table = 'tt', schema = 'ss'`

module.exports = {
  async 'errors with all their fields'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const errors = []
    for (const text of [
      'select * frm people',
      `select 'é', no_such_column from people`,
      'select * from no_such_table',
      `insert into people values (1, 'again', 1)`,
      'insert into people values (9, null, 1)',
      `insert into people values (9, 'x', -1)`,
      'select 1 / 0',
      `select 'x'::int`,
      `do $$ begin raise exception ${ALL_FIELDS}; end $$`,
      `do $$ begin execute 'select nothing_of_that_name'; end $$`,
      `do $$ begin raise exception using message = ''; end $$`,
      `do $$ begin raise exception using message = repeat('long ü ', 5000); end $$`,
    ]) {
      errors.push(await errorOf(client.query(text)))
      errors.push(await errorOf(client.query({ text, queryMode: 'extended' })))
    }
    const isDatabaseError = errors.every((error) => error instanceof require('pg').DatabaseError)
    return { errors, isDatabaseError, messages, after: await client.query('select 1 as one') }
  },

  async 'an error between rows'(/** @type {Context} */ { pg, connect }) {
    const client = await connect()
    const text = 'select i, 1 / (500 - i) as q from generate_series(1, 1000) i'
    const rows = []
    const query = client.query(new pg.Query(text))
    query.on('row', (/** @type {any} */ row) => rows.push(row))
    const error = await nextEvent(query, 'error')
    return {
      count: rows.length,
      error,
      promised: await errorOf(client.query(text)),
      after: await client.query('select 1'),
    }
  },

  async 'values that cannot be bound'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const hostile = {
      toPostgres() {
        throw new Error('no value')
      },
    }
    return {
      hostile: await errorOf(client.query('select $1::text', [hostile])),
      tooFew: await errorOf(client.query('select $1::text, $2::text', ['x'])),
      tooMany: await errorOf(client.query('select 1', ['x'])),
      noText: await errorOf(client.query({})),
      after: await client.query('select 1 as one'),
    }
  },

  async 'statement_timeout, lock_timeout and query_timeout'(/** @type {Context} */ { connect }) {
    const client = await connect({ statement_timeout: 50 })
    const statement = await errorOf(client.query('select pg_sleep(10)'))
    const after = await client.query('select 1 as one')

    const holder = await connect()
    const waiter = await connect({ lock_timeout: 50 })
    await holder.query('begin')
    await holder.query('lock table people in access exclusive mode')
    const lock = await errorOf(waiter.query('select * from people'))
    await holder.query('rollback')

    const reader = await connect({ query_timeout: 100 })
    const read = await errorOf(reader.query('select pg_sleep(0.3)'))
    await sleep(400)
    return { statement, after, lock, read, readAfter: await reader.query('select 2 as two') }
  },

  async 'a query cancelled by another client'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const other = await connect()
    const running = errorOf(client.query('select pg_sleep(30)'))
    await until(async () => {
      const { rows } = await other.query(`select pg_cancel_backend(pid) as done from pg_stat_activity
        where pid = ${client.processID} and state = 'active' and wait_event = 'PgSleep'`)
      return rows.length === 1 && rows[0].done
    })
    return { error: await running, after: await client.query('select 1 as one') }
  },

  async 'a query cancelled with the key from BackendKeyData'(/** @type {Context} */ { pg, connect, config }) {
    const client = await connect()
    const other = await connect()
    const keyTypes = [typeof client.processID, typeof client.secretKey, Number.isInteger(client.secretKey)]
    const running = errorOf(client.query('select pg_sleep(30)'))
    await until(async () => {
      const { rows } = await other.query(
        `select from pg_stat_activity where pid = ${client.processID} and wait_event = 'PgSleep'`
      )
      return rows.length === 1
    })
    const messenger = new pg.Client(config())
    messenger.connection.connect(messenger.port, messenger.host)
    await nextEvent(messenger.connection, 'connect')
    messenger.connection.cancel(client.processID, client.secretKey)
    await nextEvent(messenger.connection, 'end')
    return { keyTypes, error: await running, after: await client.query('select 1 as one') }
  },

  async 'a connection that the server ends'(/** @type {Context} */ { connect }) {
    const client = await connect()
    /** @type {any[]} */
    const events = []
    client.on('error', (/** @type {any} */ error) => events.push(error.message))
    const ended = nextEvent(client, 'end')
    const error = await errorOf(client.query('select pg_terminate_backend(pg_backend_pid())'))
    await ended
    return { error, events, after: await errorOf(client.query('select 1')) }
  },

  async 'a connection ended while idle'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const other = await connect()
    /** @type {any[]} */
    const events = []
    client.on('error', (/** @type {any} */ error) => events.push(error))
    const ended = nextEvent(client, 'end')
    await other.query(`select pg_terminate_backend(${client.processID})`)
    await ended
    return events
  },
}
