'use strict'

const { edgeQuery, SAMPLE_TYPES } = require('../../../scripts/sample-types')
const { errorOf, recordMessages, nextEvent } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

const raw = { getTypeParser: () => (/** @type {any} */ value) => value }

/** @type {Record<string, any>} */
module.exports = {
  async 'simple query, each message'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const result = await client.query('select *, null as nothing from people order by id')
    return { result, messages }
  },

  async 'all types in text format, values and raw strings'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return [
      await client.query('select * from samples order by id'),
      await client.query({ text: 'select * from samples order by id', types: raw }),
      await client.query(edgeQuery()),
      await client.query({ text: edgeQuery(), types: raw, rowMode: 'array' }),
    ]
  },

  async 'all types as parameters of extended queries'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (const { type, name } of SAMPLE_TYPES) {
      const { rows } = await client.query({
        text: `select ${name}::text as v from samples`,
        rowMode: 'array',
      })
      const text = rows.find(([value]) => value !== null)[0]
      results.push(await client.query(`select $1::${type} as given, $2::${type} as absent`, [text, null]))
    }
    return results
  },

  // pg hands each binary cell over as a string; that is what both flavours are compared by
  async 'all types in binary format, raw strings'(/** @type {Context} */ { connect }) {
    const client = await connect({ binary: true, types: raw })
    const messages = recordMessages(client)
    await client.query({ text: 'select * from samples order by id', queryMode: 'extended' })
    await client.query({ text: edgeQuery(), queryMode: 'extended' })
    return messages
  },

  // values without a byte above 0x7f; those with one are in binary.js
  async 'binary: true with values that pg-types knows in binary'(/** @type {Context} */ { connect }) {
    const client = await connect({ binary: true })
    return client.query(
      `select $1::int4 as i4, 7::int2 as i2, true as yes, false as no, 'text é'::text as t, null::int4 as n,
        1::int8 as i8, 2::float8 as f8`,
      [1]
    )
  },

  async 'a prepared statement again and again'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const results = []
    for (let id = 1; id <= 5; id++) {
      results.push(
        await client.query({ name: 'one', text: 'select * from people where id = $1', values: [id] })
      )
    }
    const other = await errorOf(client.query({ name: 'one', text: 'select 2', values: [] }))
    const failed = await errorOf(client.query({ name: 'two', text: 'select 1 / $1::int as q', values: [0] }))
    const again = await client.query({ name: 'two', text: 'select 1 / $1::int as q', values: [1] })
    return { results, other, failed, again, messages }
  },

  async 'several statements in one query'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return {
      all: await client.query(`select 1 as a; select 'x' as b from generate_series(1, 2); create temp table t (i int);
        insert into t values (1), (2); update t set i = 3; select i + 0 as i from t; drop table t`),
      failing: await errorOf(client.query('select 1 as a; select 1 / 0; select 2')),
      after: await client.query('select 3 as c'),
    }
  },

  async 'array mode'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return [
      await client.query({ text: 'select * from people order by id', rowMode: 'array' }),
      await client.query({ text: 'select $1::int as a, $1::int as a', values: [5], rowMode: 'array' }),
    ]
  },

  async 'empty queries'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const results = []
    for (const text of [
      '',
      ';',
      '-- nothing',
      'select 1;;',
      { text: '', queryMode: 'extended' },
      { name: 'e', text: '' },
    ]) {
      results.push(await client.query(text))
    }
    return { results, messages }
  },

  async 'F15: OIDs above 2^31, and ctid with its attribute number -1'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const { rows, fields } = await client.query(
      'select 4294967295::oid as oid, ctid, tableoid > 0 as has from people limit 1'
    )
    if (rows[0].oid !== 4294967295) throw new Error('the OID was read as signed')
    if (fields[1].columnID !== -1) throw new Error('the attribute number was read as unsigned')
    return { rows, messages, parameter: await client.query('select $1::oid as oid', [4294967295]) }
  },

  async 'F16: command tags with and without a count'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (const text of [
      'create temp table t (i int)',
      'insert into t values (1), (2), (3)',
      'update t set i = i + 1',
      'select * from t',
      'select * from t where false',
      'delete from t where i = 2',
      'merge into t using (values (3)) as s (i) on t.i = s.i when matched then delete',
      'begin',
      'lock table t',
      'declare c cursor for select * from t',
      'fetch all from c',
      'move first from c',
      'commit',
      'create table pg_temp.copied as select * from t',
      'truncate t',
      'explain select 1',
      'show server_encoding',
      "do 'begin end'",
      'vacuum t',
      '',
    ]) {
      const { command, rowCount, oid } = await client.query(text)
      if (Number.isNaN(rowCount)) throw new Error(`NaN rows after ${text}`)
      results.push({ text, command, rowCount, oid })
    }
    return results
  },

  async 'F17: bytes that are not UTF-8, which the server says nothing about'(
    /** @type {Context} */ { connect }
  ) {
    const client = await connect()
    const messages = recordMessages(client)
    // In one text: the server tells of its encoding only when it has answered all of it.
    const [, { rows }] = await client.query(
      `set client_encoding to latin1;
      select U&'caf\\00e9' as cell, repeat(U&'\\00e9', 40) as long, U&'\\00e9' as "n\u00e9"`
    )
    if (rows[0].cell !== 'caf\ufffd') throw new Error(`the raw byte became ${rows[0].cell}`)
    return { rows, messages }
  },

  async 'F21: number-like, empty and odd column names'(/** @type {Context} */ { connect }) {
    const client = await connect()
    return client.query(`select 1 as b, 2 as "10", 3 as "9", 4 as "01", 5 as "it's", 6 as "a\\b", 7 as "日本😀", 8 as " ",
      9 as "constructor", 10 as "toString", 11 as "${'n'.repeat(63)}"`)
  },

  'F21: a column named __proto__': async (/** @type {Context} */ { connect }) => {
    const client = await connect()
    const text = 'select 1 as a, 2 as "__proto__", 3 as b'
    return [await client.query(text), await client.query({ text, rowMode: 'array' })]
  },

  async 'F22: duplicate column names'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (const text of ['select 1 as a, 2 as a, 3 as b', 'select 2 as a, null as a']) {
      results.push(await client.query(text), await client.query({ text, rowMode: 'array' }))
    }
    return results
  },

  async 'F23: rows without columns'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (const text of ['select', 'select from generate_series(1, 3)']) {
      results.push(await client.query(text), await client.query({ text, rowMode: 'array' }))
    }
    return results
  },

  async 'F27: a type parser that throws, and bad JSON'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const types = {
      getTypeParser: (/** @type {number} */ oid) => (/** @type {string} */ value) => {
        if (oid === 21) throw new RangeError(`no int2 wanted: ${value}`)
        return oid === 25 ? JSON.parse(value) : value
      },
    }
    const twoRows = 'select 1::int2 as a union all select 2::int2'
    return {
      simple: await errorOf(client.query({ text: twoRows, types })),
      extended: await errorOf(
        client.query({ text: `${twoRows} union all select $1::int2`, values: [3], types })
      ),
      json: await errorOf(client.query({ text: `select '{bad'::text as a`, types })),
      after: await client.query('select 1::int2 as a'),
    }
  },

  async 'transactions and their states'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    /** @type {any[]} */
    const states = []
    for (const text of [
      'begin',
      'savepoint s',
      'select 1 / 0',
      'select 1',
      'rollback to s',
      'commit',
      'select 2',
    ]) {
      const outcome = await client.query(text).then(
        (/** @type {any} */ result) => result.command,
        (/** @type {any} */ error) => error.code
      )
      // the state is known when ReadyForQuery has come, which is after an error was reported
      await client.query('select 0').catch(() => {})
      states.push([text, outcome, client.getTransactionStatus()])
    }
    return { states, messages }
  },

  async 'rows one by one'(/** @type {Context} */ { pg, connect }) {
    const client = await connect()
    /** @type {any[]} */
    const rows = []
    const query = client.query(new pg.Query('select * from people order by id'))
    query.on('row', (/** @type {any} */ row, /** @type {any} */ result) =>
      rows.push([row, result.fields.length])
    )
    const end = await nextEvent(query, 'end')
    return { rows, end }
  },

  async 'a limit of rows per round trip'(/** @type {Context} */ { pg, connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const query = client.query(new pg.Query({ text: 'select id from samples order by id', rows: 30 }))
    const end = await nextEvent(query, 'end')
    return { end, messages }
  },

  async 'a query object of the user that reads the fields itself'(/** @type {Context} */ { connect }) {
    const client = await connect()
    /** @type {any[]} */
    const seen = []
    await new Promise((resolve, reject) => {
      client.query({
        submit: (/** @type {any} */ connection) => connection.query('select * from people order by id'),
        handleRowDescription: (/** @type {any} */ message) => seen.push(message),
        handleDataRow: (/** @type {any} */ message) => {
          seen.push(message, message.fields, Array.isArray(message.fields), message.fields === message.fields)
        },
        handleCommandComplete: (/** @type {any} */ message) => seen.push(message),
        handleReadyForQuery: resolve,
        handleError: reject,
      })
    })
    return seen
  },

  async 'settings that the server reports'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    for (const text of [
      `set timezone = 'America/New_York'`,
      `set datestyle = 'German'`,
      `set application_name = 'größe'`,
      `set standard_conforming_strings = on`,
    ]) {
      await client.query(text)
    }
    const { rows } = await client.query(
      `select timestamptz '2026-08-18 00:00+00' as at, date '2026-08-18' as day`
    )
    return { rows, messages }
  },
}

module.exports['F21: a column named __proto__'].rowsOfPg = 'in old releases of pg it changes what a row is'
module.exports['a query object of the user that reads the fields itself'].rowsOfPg = 'nobody asked for rows'
