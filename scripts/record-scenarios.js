'use strict'

/** What record.js records: each scenario opens exactly one connection through the proxy and closes it. */

const { finished } = require('node:stream/promises')
const { Client, Query } = require('pg')
const Cursor = require('pg-cursor')
const copyStreams = require('pg-copy-streams')
const { serialize } = require('pg-protocol')
const { createEnum, createTable, edgeQuery } = require('./sample-types')

/** @typedef {import('pg').ClientConfig} Config */
/**
 * @typedef {object} Scenario
 * @property {string} name
 * @property {string} contains what a reader finds in it
 * @property {string} [differs] where the native parser gives other messages than pg-protocol, and why
 * @property {(config: Config) => Promise<void>} run
 */

const WIDE_COLUMNS = 40

async function prepareDatabase(/** @type {Config} */ config) {
  const client = new Client(config)
  await client.connect()
  const wide = Array.from({ length: WIDE_COLUMNS }, (_, at) => `'cell ' || (i * ${at + 1}) as column_${at}`)
  await client.query(`
    ${createEnum};
    ${createTable('samples', 30)};
    create table wide as select ${wide.join(', ')} from generate_series(1, 50) i;
    create table people (id int primary key, name text not null, age int check (age > 0));
    insert into people values (1, 'Zoë', 30), (2, '山田', 40);
    create role pgn_trust login;
    create role pgn_password login password 'secret';
    set password_encryption = 'scram-sha-256';
    create role pgn_scram login password 'secret';
    set client_min_messages = error;
    set password_encryption = 'md5';
    create role pgn_md5 login password 'secret';
    grant select on all tables in schema public to public;
    create publication pgn_publication for table people;
  `)
  await client.query(`select pg_create_logical_replication_slot('pgn_slot', 'pgoutput')`)
  await client.query(`insert into people values (3, 'replicated', 50)`)
  await client.end()
}

/**
 * A scenario: connects, runs `body`, disconnects.
 *
 * @param {string} name
 * @param {string} contains
 * @param {(client: any) => Promise<unknown>} body
 * @param {Config & { pipeline?: boolean, binary?: boolean, differs?: string }} [options]
 * @returns {Scenario}
 */
function scenario(name, contains, body, { differs, ...options } = {}) {
  const run = async (/** @type {Config} */ config) => {
    /** @type {any} */
    const client = new Client({ ...config, ...options })
    const closed = new Promise((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    try {
      await client.connect()
      await body(client)
      // an error is reported before the ReadyForQuery that follows it
      if (!client.readyForQuery) await Promise.race([nextMessage(client, 'readyForQuery'), closed])
      await client.end()
    } catch (/** @type {any} */ error) {
      // refusals and errors of the server belong to the recording; anything else is a fault of the scenario
      if (!error.severity) throw error
      client.end().catch(() => {})
    }
    await closed
  }
  return { name, contains, differs, run }
}

const rejected = (/** @type {Promise<unknown>} */ query) =>
  query.then(
    () => Promise.reject(new Error('the query was expected to fail')),
    (error) => {
      if (!error.severity) throw error
    }
  )

/** Waits for the messages that an asynchronous notification or a raw frame brings. */
const nextMessage = (/** @type {any} */ client, /** @type {string} */ name) =>
  new Promise((resolve) => client.connection.once(name, resolve))

/** Makes `client` ask for another minor version of the protocol than pg does. */
function askForProtocol(/** @type {any} */ client, /** @type {number} */ minor) {
  client.connection.startup = (/** @type {Record<string, string>} */ config) => {
    const bytes = serialize.startup(config)
    bytes.writeUInt16BE(minor, 6)
    client.connection.stream.write(bytes)
  }
}

/** @returns {Scenario} */
function protocolScenario(
  /** @type {string} */ name,
  /** @type {string} */ contains,
  /** @type {string} */ differs,
  /** @type {number} */ minor
) {
  const run = async (/** @type {Config} */ config) => {
    const client = new Client(config)
    const closed = new Promise((resolve) => client.once('end', resolve))
    client.on('error', () => {})
    askForProtocol(client, minor)
    // pg takes NegotiateProtocolVersion for an error and gives up; the connection itself goes on
    const ready = nextMessage(client, 'readyForQuery')
    client.connect().catch(() => {})
    await ready
    client.connection.end()
    await closed
  }
  return { name, contains, differs, run }
}

/** @type {Scenario[]} */
const SCENARIOS = [
  scenario('startup-scram', 'log-in with SCRAM-SHA-256', async () => {}, {
    user: 'pgn_scram',
    password: 'secret',
  }),
  scenario('startup-md5', 'log-in with an MD5 password', async () => {}, {
    user: 'pgn_md5',
    password: 'secret',
  }),
  scenario('startup-password', 'log-in with a clear-text password', async () => {}, {
    user: 'pgn_password',
    password: 'secret',
  }),
  scenario('startup-trust', 'log-in without a password', async () => {}, { user: 'pgn_trust' }),
  scenario('startup-refused', 'SCRAM with a wrong password: a FATAL error', async () => {}, {
    user: 'pgn_scram',
    password: 'wrong',
  }),
  protocolScenario(
    'startup-protocol-3.2',
    'protocol 3.2: BackendKeyData with a key of 32 bytes',
    'BackendKeyData has `secretKeyBytes`, the whole key, besides',
    2
  ),
  protocolScenario(
    'startup-protocol-3.9',
    'a minor version that the server does not know: NegotiateProtocolVersion',
    'a message of its own instead of an error; BackendKeyData has `secretKeyBytes`',
    9
  ),
  scenario('simple-query', 'simple queries: rows, NULLs, no rows, no columns, commands', async (client) => {
    await client.query('select id, name, age, null as nothing from people order by id')
    await client.query('select * from people where false')
    await client.query('select from generate_series(1, 3)')
    await client.query(`update people set age = age + 1 where id = 1`)
    await client.query('create temp table t (i int)')
    await client.query('drop table t')
    await client.query(`select ctid, xmin, 4294967295::oid as oid from people where id = 2`)
  }),
  scenario(
    'multi-statement',
    'several statements in one simple query, one of them failing',
    async (client) => {
      await client.query(
        `select 1 as a; select 'x' as b, 2 as c; begin; update people set age = 31 where id = 1; commit`
      )
      await rejected(client.query('select 1; select 1 / 0; select 2'))
    }
  ),
  scenario('empty-query', 'empty queries, simple and extended', async (client) => {
    await client.query('')
    await client.query('-- only a comment')
    await client.query({ text: '', queryMode: 'extended' })
    await client.query({ text: ';', queryMode: 'extended' })
    await client.query('select 1;;')
  }),
  scenario('extended-query', 'parameters: parse, bind, describe, execute', async (client) => {
    await client.query('select $1::int as i, $2::text as t, $3::timestamptz as at', [
      1,
      'Grüße 😀',
      new Date(0),
    ])
    await client.query('select $1::text as t', [null])
    await client.query('insert into people values ($1, $2, $3)', [10, 'ten', 10])
    await client.query('delete from people where id = $1 returning name', [10])
    await rejected(client.query('select $1::int', ['no number']))
  }),
  scenario(
    'prepared-statement',
    'one prepared statement executed five times, closed and described',
    async (client) => {
      for (let i = 1; i <= 5; i++) {
        await client.query({ name: 'by id', text: 'select * from people where id = $1', values: [i] })
      }
      const { connection } = client
      connection.describe({ type: 'S', name: 'by id' })
      connection.close({ type: 'S', name: 'by id' })
      const ready = nextMessage(client, 'readyForQuery')
      connection.sync()
      await ready
    }
  ),
  scenario(
    'types-text',
    'all common types in text format, NULLs and the edges of each type',
    async (client) => {
      await client.query('select * from samples order by id')
      await client.query(edgeQuery())
    }
  ),
  scenario(
    'types-binary',
    'all common types in binary format, NULLs and the edges of each type',
    async (client) => {
      await client.query({ text: 'select * from samples order by id', queryMode: 'extended' })
      await client.query({ text: edgeQuery(), queryMode: 'extended' })
    },
    // the values are not wanted, and pg-types does not know every array in binary format
    { binary: true, types: { getTypeParser: () => (/** @type {unknown} */ value) => value } }
  ),
  scenario('wide-rows', `50 rows of ${WIDE_COLUMNS} short ASCII cells`, (client) =>
    client.query('select * from wide')
  ),
  scenario('long-cells', 'cells of 0 to 20 000 bytes, ASCII and not', (client) =>
    client.query(`select n, repeat('a', n) as ascii, repeat('é', n / 4) as accents, repeat('😀', n / 8) as emoji
      from unnest(array[0, 1, 15, 16, 17, 255, 256, 4096, 20000]) n`)
  ),
  scenario(
    'errors',
    'errors: position, constraint fields, all fields of RAISE, an error between rows',
    async (client) => {
      await rejected(client.query('select * frm people'))
      await rejected(client.query(`select 'é', no_such_column from people`))
      await rejected(client.query(`insert into people values (1, 'again', 1)`))
      await rejected(client.query(`insert into people values (5, null, 1)`))
      await rejected(client.query(`insert into people values (5, 'x', -1)`))
      await rejected(client.query('select 1 / (20 - i) from generate_series(1, 40) i'))
      await rejected(
        client.query(`do $$ begin raise exception using message = 'boom – 💥', errcode = 'P0123', detail = 'd', hint = 'h',
        column = 'c1', constraint = 'k', datatype = 'dt', table = 'tt', schema = 'ss'; end $$`)
      )
      await rejected(client.query(`do $$ begin execute 'select nothing_of_that_name'; end $$`))
    }
  ),
  scenario('terminated', 'a connection ended by the server: FATAL', async (client) => {
    await rejected(client.query('select pg_terminate_backend(pg_backend_pid())'))
  }),
  scenario('notices', 'notices of each level with all fields, also between rows', async (client) => {
    await client.query('set client_min_messages = debug1')
    for (const level of ['debug', 'info', 'notice', 'warning']) {
      await client.query(`do $$ begin raise ${level} 'a ${level}'; end $$`)
    }
    await client.query(`do $$ begin raise notice using message = 'hi', errcode = '01234', detail = 'd', hint = 'h',
      column = 'c1', constraint = 'k', datatype = 'dt', table = 'tt', schema = 'ss'; end $$`)
    await client.query(`create function pg_temp.noisy(i int) returns int language plpgsql as
      $$ begin raise notice 'row %', i; return i; end $$`)
    await client.query('select pg_temp.noisy(i) from generate_series(1, 5) i')
  }),
  scenario('notifications', 'NOTIFY: no payload, non-ASCII, long', async (client) => {
    await client.query('listen pgn_channel')
    await client.query('notify pgn_channel')
    await client.query(`notify pgn_channel, 'Grüße 😀'`)
    await client.query(`select pg_notify('pgn_channel', repeat('x', 7999))`)
  }),
  scenario('parameter-status', 'SET of reported parameters', async (client) => {
    await client.query(`set timezone = 'America/New_York'`)
    await client.query(`set datestyle = 'German'`)
    await client.query(`set application_name = 'fixture'`)
    await client.query(`set client_encoding = 'latin1'`)
    await client.query(`select U&'caf\\00e9' as raw_latin1`)
  }),
  scenario('transactions', 'transaction states, also a failed one', async (client) => {
    await client.query('begin')
    await client.query('savepoint s')
    await rejected(client.query('select 1 / 0'))
    await rejected(client.query('select 1'))
    await client.query('rollback to s')
    await client.query('commit')
  }),
  scenario(
    'portal-suspended',
    'a cursor read in batches, and a query with a limit of rows',
    async (client) => {
      const cursor = client.query(new Cursor('select id, c_text from samples order by id'))
      for (const size of [1, 10, 100]) await cursor.read(size)
      const early = client.query(new Cursor('select * from people'))
      await early.read(1)
      await early.close()
      const query = new Query(/** @type {any} */ ({ text: 'select id from samples', rows: 7 }))
      const done = new Promise((resolve, reject) => query.once('end', resolve).once('error', reject))
      client.query(query)
      await done
    }
  ),
  scenario(
    'pipeline',
    'pipelined queries whose answers arrive together, one of them an error',
    async (client) => {
      await Promise.all([
        ...Array.from({ length: 10 }, (_, i) =>
          client.query({ name: 'p', text: 'select $1::int as i, $2::text as t', values: [i, 'é'.repeat(i)] })
        ),
        rejected(client.query('select 1 / $1::int', [0])),
        client.query('select 3 as simple'),
      ])
    },
    { pipeline: true }
  ),
  scenario('copy-out', 'COPY TO STDOUT: text, csv and binary, and as a plain query', async (client) => {
    for (const format of ['text', 'csv', 'binary']) {
      const stream = client.query(
        copyStreams.to(`copy (select id, c_text, c_bytea from samples) to stdout (format ${format})`)
      )
      await finished(stream.resume())
    }
    await client.query('copy (select 1) to stdout')
    await rejected(client.query('copy (select 1 / (5 - i) from generate_series(1, 10) i) to stdout'))
  }),
  scenario(
    'copy-in',
    'COPY FROM STDIN: rows, a bad row, a plain query that has no rows to give',
    async (client) => {
      await client.query('create temp table copied (i int, t text)')
      const good = client.query(copyStreams.from('copy copied from stdin'))
      good.end('1\tone\n2\tzwölf\n3\t\\N\n')
      await finished(good)
      const bad = client.query(copyStreams.from('copy copied from stdin'))
      bad.end('no number\tx\n')
      await rejected(finished(bad))
      await rejected(client.query('copy copied from stdin'))
    }
  ),
  scenario(
    'copy-both',
    'logical replication: CopyBothResponse and the stream of changes',
    async (client) => {
      await client.query('IDENTIFY_SYSTEM')
      const stream = client.query(
        copyStreams.both(
          `START_REPLICATION SLOT pgn_slot LOGICAL 0/0 (proto_version '1', publication_names 'pgn_publication')`,
          { alignOnCopyDataFrame: true }
        )
      )
      await new Promise((resolve, reject) => {
        stream.on('error', reject)
        stream.on('data', (/** @type {Buffer} */ chunk) => {
          // 'w' carries data, and the data of a commit begins with 'C'
          if (chunk[0] === 0x77 && chunk[25] === 0x43) resolve(undefined)
        })
      })
      stream.end()
      await finished(stream.resume())
    },
    /** @type {any} */ ({ replication: 'database' })
  ),
  scenario(
    'function-call',
    'the fast-path call of a function: FunctionCallResponse with a value and with NULL',
    async (client) => {
      const int4abs = 1397
      for (const argument of [Buffer.from([255, 255, 255, 249]), null]) {
        const ready = nextMessage(client, 'readyForQuery')
        client.connection.stream.write(functionCall(int4abs, argument))
        await ready
      }
    },
    { differs: 'messages of their own instead of errors' }
  ),
]

/** FunctionCall, which pg-protocol's serializer does not know: binary argument, binary result. */
function functionCall(/** @type {number} */ oid, /** @type {Buffer | null} */ argument) {
  const length = argument ? argument.length : 0
  const bytes = Buffer.alloc(1 + 4 + 4 + 2 + 2 + 2 + 4 + length + 2)
  let at = bytes.write('F')
  at = bytes.writeInt32BE(bytes.length - 1, at)
  at = bytes.writeInt32BE(oid, at)
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt16BE(1, at)
  at = bytes.writeInt32BE(argument ? length : -1, at)
  if (argument) at += argument.copy(bytes, at)
  bytes.writeInt16BE(1, at)
  return bytes
}

module.exports = { SCENARIOS, prepareDatabase }
