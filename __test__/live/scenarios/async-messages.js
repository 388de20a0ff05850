'use strict'

const { recordMessages, nextEvent } = require('../support/helpers')

/** @typedef {any} Context what support/worker.js gives */

module.exports = {
  async 'F13: notices are plain messages'(/** @type {Context} */ { connect }) {
    const client = await connect()
    /** @type {any[]} */
    const notices = []
    client.on('notice', (/** @type {any} */ notice) => notices.push(notice))
    await client.query(`do $$ begin raise notice using message = 'hi', errcode = '01234', detail = 'd', hint = 'h',
      column = 'c1', constraint = 'k', datatype = 'dt', table = 'tt', schema = 'ss'; end $$`)
    const [notice] = notices
    if (notice instanceof Error || 'stack' in notice) throw new Error('a notice is no error')
    if (notice.table !== 'tt' || notice.dataType !== 'dt') throw new Error('the fields are not there')
    return notices
  },

  async 'notices of each level, also between rows'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const messages = recordMessages(client)
    await client.query('set client_min_messages = debug1')
    for (const level of ['debug', 'log', 'info', 'notice', 'warning']) {
      await client.query(`do $$ begin raise ${level} 'a ${level} – ü'; end $$`)
    }
    await client.query(`create or replace function noisy(i int) returns int language plpgsql as
      $$ begin raise notice 'row %', i; return i; end $$`)
    const result = await client.query('select noisy(i) as i from generate_series(1, 100) i')
    return { result, messages }
  },

  async 'F56: notifications, with and without a payload'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const other = await connect()
    /** @type {any[]} */
    const seen = []
    let received = () => {}
    client.on('notification', (/** @type {any} */ message) => {
      const from =
        message.processId === client.processID ? 'own' : message.processId === other.processID ? 'other' : '?'
      seen.push({ ...message, processId: typeof message.processId, from })
      received()
    })
    await client.query('listen "Kanal 1"')
    await client.query('listen pgn_ch')
    await client.query('notify "Kanal 1"')
    await client.query(`notify pgn_ch, ''`)
    await other.query(`notify pgn_ch, 'Grüße 😀'`)
    await other.query(`select pg_notify('pgn_ch', repeat('x', 7999))`)
    while (seen.length < 4) await new Promise((resolve) => (received = () => resolve(undefined)))
    if (seen[0].payload !== '') throw new Error('no payload is an empty string')
    return seen
  },

  async 'notifications between the answers of a busy connection'(/** @type {Context} */ { connect }) {
    const client = await connect()
    /** @type {string[]} */
    const payloads = []
    client.on('notification', (/** @type {any} */ { payload }) => payloads.push(payload))
    await client.query('listen pgn_busy')
    const counts = []
    for (let i = 0; i < 50; i++) {
      const text = `notify pgn_busy, 'payload ${i}'; select * from people order by id`
      const results = await client.query(text)
      counts.push(results[1].rows.length)
    }
    return { counts, payloads }
  },

  async 'a notification wakes an idle client'(/** @type {Context} */ { connect }) {
    const client = await connect()
    const other = await connect()
    await client.query('listen pgn_idle')
    const arrived = nextEvent(client, 'notification')
    await other.query(`notify pgn_idle, 'wake up'`)
    const { channel, payload, name, length } = await arrived
    return { channel, payload, name, length }
  },
}
