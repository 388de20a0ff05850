'use strict'

const { serialize } = require('pg-protocol')
const { recordMessages, nextEvent } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

/** A client that asks for another minor version of the protocol than pg does; not connected yet. */
const clientAskingFor = (/** @type {number} */ minor, /** @type {Context} */ { pg, config }) => {
  const client = new pg.Client(config())
  client.on('error', () => {})
  client.connection.startup = (/** @type {any} */ settings) => {
    const bytes = serialize.startup(settings)
    bytes.writeUInt16BE(minor, 6)
    client.connection.stream.write(bytes)
  }
  return client
}

const knows32 = async (/** @type {Context} */ { connect }) => {
  const { rows } = await (await connect()).query('show server_version_num')
  return Number(rows[0].server_version_num) >= 180000
}

/** The message that has the cancel key, without what differs from one login to the next. */
const keyOf = (/** @type {any[]} */ messages) => {
  const { processID, secretKey, secretKeyBytes, ...rest } = messages.find(
    ({ name }) => name === 'backendKeyData'
  )
  return {
    ...rest,
    types: [typeof processID, typeof secretKey],
    keyBytes: secretKeyBytes && secretKeyBytes.bytes.length / 2,
    startsAsStock: secretKeyBytes && Buffer.from(secretKeyBytes.bytes, 'hex').readInt32BE(0) === secretKey,
  }
}

const protocol32 = async (/** @type {Context} */ context) => {
  if (!(await knows32(context))) return { known: false }
  const client = clientAskingFor(2, context)
  const messages = recordMessages(client)
  await client.connect()
  const result = await client.query('select * from people order by id')
  await client.end()
  return { known: true, rows: result.rows, key: keyOf(messages), names: messages.map(({ name }) => name) }
}
protocol32.differs = true

const protocol39 = async (/** @type {Context} */ context) => {
  const known = await knows32(context)
  const client = clientAskingFor(9, context)
  const messages = recordMessages(client)
  const ready = nextEvent(client.connection, 'readyForQuery')
  const outcome = await client.connect().then(
    () => 'connected',
    (/** @type {any} */ error) => error.message
  )
  // pg with the stock parser reports an error, but the login goes on
  await ready
  const rows = outcome === 'connected' && (await client.query('select * from people order by id')).rows
  client.connection.end()
  await nextEvent(client.connection, 'end')
  return { known, outcome, rows, first: messages[0], names: messages.slice(1).map(({ name }) => name) }
}
protocol39.differs = true

module.exports = {
  async 'protocol 3.0, which pg asks for'(/** @type {Context} */ context) {
    const client = clientAskingFor(0, context)
    const messages = recordMessages(client)
    await client.connect()
    await client.query('select * from people order by id')
    await client.end()
    return { key: keyOf(messages), names: messages.map(({ name }) => name) }
  },
  'protocol 3.2': protocol32,
  'protocol 3.9': protocol39,
}
