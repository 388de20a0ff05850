'use strict'

const { createHash } = require('node:crypto')
const { once } = require('node:events')
const { Readable } = require('node:stream')
const { finished, pipeline } = require('node:stream/promises')
const copyStreams = require('pg-copy-streams')
const { errorOf, recordMessages, until } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

/** @returns {Promise<{bytes: number, hash: string}>} */
const digestOf = async (/** @type {AsyncIterable<Buffer>} */ stream) => {
  const hash = createHash('sha256')
  let bytes = 0
  for await (const chunk of stream) {
    hash.update(chunk)
    bytes += chunk.length
  }
  return { bytes, hash: hash.digest('hex') }
}

const SELECT_LARGE = `select i, 'row ' || i, repeat('é😀', i % 30), nullif(i % 5, 0) from generate_series(1, 200000) i`

module.exports = {
  async 'F55: COPY TO STDOUT as a plain query'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    const result = await client.query('copy (select 1) to stdout')
    if (result.command !== 'COPY' || result.rowCount !== 1) throw new Error('it is not one copied row')
    const names = messages.map(({ name }) => name).join(' ')
    if (names !== 'copyOutResponse copyData copyDone commandComplete readyForQuery') throw new Error(names)
    return { result, messages }
  },

  async 'F55: COPY with notices in between'(/** @type {Context} */ { connect }) {
    const client = await connect()
    await client.query(`create or replace function noisy_copy(i int) returns int language plpgsql as
      $$ begin raise notice 'copying %', i; return i; end $$`)
    const messages = recordMessages(client)
    const result = await client.query('copy (select noisy_copy(i) from generate_series(1, 20) i) to stdout')
    return { result, messages }
  },

  async 'F55: each copyData chunk keeps its bytes, in text, csv and binary'(
    /** @type {Context} */ { connect }
  ) {
    const client = await connect()
    const seen = []
    client.connection.on('copyData', (/** @type {any} */ { chunk }) =>
      seen.push(Buffer.isBuffer(chunk), Buffer.from(chunk))
    )
    for (const format of ['text', 'csv', 'binary']) {
      seen.push(await client.query(`copy (select * from samples order by id) to stdout (format ${format})`))
    }
    return seen
  },

  async 'F55: one copyData of many megabytes'(/** @type {Context} */ { connect }) {
    const client = await connect()
    /** @type {any[]} */
    const seen = []
    client.connection.on('copyData', (/** @type {any} */ message) =>
      seen.push(message.length, Buffer.from(message.chunk))
    )
    const result = await client.query(`copy (select repeat('0123456789', 2000000)) to stdout`)
    return { result, seen }
  },

  async 'COPY FROM STDIN as a plain query is refused'(/** @type {Context} */ { connect }) {
    const client = await connect()
    await client.query('create temp table copied (i int)')
    return {
      error: await errorOf(client.query('copy copied from stdin')),
      after: await client.query('select 1 as one'),
    }
  },

  async 'pg-copy-streams to: large, and the connection afterwards'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const stream = client.query(copyStreams.to(`copy (${SELECT_LARGE}) to stdout`))
    const copied = await digestOf(stream)
    return {
      copied,
      rowCount: stream.rowCount,
      after: await client.query('select * from people order by id'),
    }
  },

  async 'pg-copy-streams to: several in a row with queries between'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const results = []
    for (let i = 0; i < 20; i++) {
      const stream = client.query(
        copyStreams.to(`copy (select i from generate_series(1, ${i * 100}) i) to stdout`)
      )
      results.push(await digestOf(stream), (await client.query('select $1::int as i', [i])).rows)
    }
    return results
  },

  async 'pg-copy-streams to: an error at once and an error in the middle'(
    /** @type {Context} */ { connect }
  ) {
    const client = await connect()
    const outcomes = []
    for (const text of [
      'copy no_such_table to stdout',
      'copy (select 1 / (50000 - i) from generate_series(1, 100000) i) to stdout',
    ]) {
      outcomes.push(await errorOf(finished(client.query(copyStreams.to(text)).resume())))
      outcomes.push(await client.query('select 1 as one'))
    }
    return outcomes
  },

  async 'pg-copy-streams from: large, read back'(/** @type {Context} */ { connect }) {
    const client = await connect()
    await client.query('create temp table copied (i int, t text, n int)')
    const lines = function* () {
      for (let i = 0; i < 2000; i++) {
        let block = ''
        for (let k = 0; k < 100; k++) block += `${i * 100 + k}\t${'ü'.repeat(k)}\t${k % 3 ? k : '\\N'}\n`
        yield Buffer.from(block)
      }
    }
    const stream = client.query(copyStreams.from('copy copied from stdin'))
    await pipeline(Readable.from(lines()), stream)
    return {
      rowCount: stream.rowCount,
      table: await client.query(
        'select count(*), sum(i), sum(length(t)), count(n), md5(string_agg(t, i::text order by i)) from copied'
      ),
      back: await digestOf(client.query(copyStreams.to('copy copied to stdout'))),
    }
  },

  async 'pg-copy-streams from: a bad row, and given up by the client'(/** @type {Context} */ { connect }) {
    const client = await connect()
    await client.query('create temp table copied (i int)')
    const bad = client.query(copyStreams.from('copy copied from stdin'))
    bad.end('1\nno number\n')
    const refused = await errorOf(finished(bad))
    const given = client.query(copyStreams.from('copy copied from stdin'))
    given.write('1\n')
    await once(client.connection, 'copyInResponse')
    given.destroy(new Error('changed my mind'))
    const abandoned = await errorOf(finished(given))
    return { refused, abandoned, after: await client.query('select count(*) from copied') }
  },

  async 'F55: replication, read by pg-copy-streams'(/** @type {Context} */ context) {
    return withChanges(context, async (reader, start) => {
      const stream = reader.query(copyStreams.both(start, { alignOnCopyDataFrame: true }))
      const changes = createHash('sha256')
      let count = 0
      stream.on('data', (/** @type {Buffer} */ chunk) => {
        const change = changeIn(chunk)
        if (!change) return
        count++
        if (change.kind === 'I') changes.update(change.bytes)
        if (change.kind === 'C') stream.end()
      })
      await finished(stream)
      const after = await reader.query('IDENTIFY_SYSTEM')
      return { count, changes: changes.digest('hex'), after: after.rows.length }
    })
  },

  async 'F55: replication, read by pg itself'(/** @type {Context} */ context) {
    return withChanges(context, async (reader, start) => {
      /** @type {any[]} */
      const seen = []
      const committed = new Promise((resolve) => {
        reader.connection.on('message', (/** @type {any} */ { name, length, chunk }) => {
          if (name !== 'copyData') return seen.push([name, length])
          const change = changeIn(chunk)
          if (!change) return
          seen.push([name, length, change.kind, change.kind === 'I' && change.bytes.toString()])
          if (change.kind === 'C') resolve(undefined)
        })
      })
      reader.query(start).catch(() => {})
      await committed
      if (seen[0][0] !== 'replicationStart') throw new Error(`${seen[0]} instead of replicationStart`)
      return seen
    })
  },
}

/** What a piece of the replication stream says was changed, or null where it is about something else. */
function changeIn(/** @type {Buffer} */ chunk) {
  // XLogData: 'w', three Int64, then the plug-in's own message, whose first byte says what it is
  if (chunk[0] !== 0x77) return null
  // a relation's id, which differs from one table to the next, follows that byte
  return { kind: String.fromCharCode(chunk[25]), bytes: chunk.subarray(30) }
}

/** Makes 500 changes and gives `body` a replication connection and the command that reads them. */
async function withChanges(
  /** @type {Context} */ { connect, schema, embedded },
  /** @type {(reader: any, start: string) => Promise<any>} */ body
) {
  const client = await connect()
  // another server may not be set up for it, and its replication slots are not ours to make
  if (!embedded) return (await client.query('select 1 as one')).rows
  await client.query('create table replicated (id int primary key, t text)')
  await client.query('create publication pgn_changes for table replicated')
  await client.query(`select from pg_create_logical_replication_slot('${schema}', 'pgoutput')`)
  await client.query(`insert into replicated select i, repeat('é', i) from generate_series(1, 500) i`)
  const reader = await connect({ replication: 'database' })
  reader.on('error', () => {})
  try {
    const options = `proto_version '1', publication_names 'pgn_changes'`
    return await body(reader, `START_REPLICATION SLOT ${schema} LOGICAL 0/0 (${options})`)
  } finally {
    reader.connection.stream.destroy()
    await client.query('drop publication pgn_changes')
    await client.query('drop table replicated')
    const drop = `select pg_drop_replication_slot(slot_name) from pg_replication_slots
      where slot_name = '${schema}' and not active`
    await until(async () => (await client.query(drop)).rowCount === 1)
  }
}
