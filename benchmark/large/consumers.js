'use strict'

const { READ } = require('./tables')

/**
 * What is done with the rows of a query: each asks once and says how many rows came.
 * @typedef {(client: any, table: import('./tables').Table) => Promise<number>} Pass
 */

/** What escapes to here cannot be optimised away. */
let last = /** @type {unknown} */ (null)

/** @type {Pass} */
const kept = async (client, { text }) => {
  const { rows } = await client.query(text)
  return rows.length
}

/** @type {Pass} */
const dropped = (client, { text }) => {
  const { Query } = require('pg')
  return new Promise((resolve, reject) => {
    let rows = 0
    client
      .query(new Query(text))
      .on('row', (/** @type {any} */ row) => {
        last = row
        rows++
      })
      .on('end', () => resolve(rows))
      .on('error', reject)
  })
}

/** Stock pg does not know the mode and gives plain rows. @type {Pass} */
const lazy = async (client, { text, columns }) => {
  const [first, second] = READ.map((at) => columns[at].name)
  const { rows } = await client.query({ text, rowMode: 'lazy' })
  for (const row of rows) {
    last = row[first]
    last = row[second]
  }
  return rows.length
}

/**
 * A query of the application's own, which is given the messages: where parsers can be compared without pg's rows.
 */
class Messages {
  /**
   * @param {string} text
   * @param {(message: any) => void} onRow
   * @param {(error: Error | null) => void} done
   * @param {(message: any) => void} [onDescription]
   */
  constructor(text, onRow, done, onDescription = () => {}) {
    this.text = text
    this.handleDataRow = onRow
    this.handleRowDescription = onDescription
    this.done = done
    this.error = /** @type {Error | null} */ (null)
  }

  /** @param {any} connection */
  submit(connection) {
    connection.query(this.text)
  }

  handleCommandComplete() {}

  handleReadyForQuery() {
    this.done(this.error)
  }

  /** @param {Error} error */
  handleError(error) {
    this.error = error
    // pg says ReadyForQuery to nobody after an error
    this.done(error)
  }
}

/**
 * @param {any} client
 * @param {string} text
 * @param {(message: any) => void} onRow
 * @param {(message: any) => void} [onDescription]
 * @returns {Promise<void>}
 */
const readMessages = (client, text, onRow, onDescription) =>
  new Promise((resolve, reject) => {
    const done = (/** @type {Error | null} */ error) => (error ? reject(error) : resolve())
    client.query(new Messages(text, onRow, done, onDescription))
  })

/** @type {Pass} */
const never = async (client, { text }) => {
  let rows = 0
  await readMessages(client, text, () => void rows++)
  return rows
}

/** @type {Pass} */
const twoFields = async (client, { text }) => {
  const [first, second] = READ
  let rows = 0
  await readMessages(client, text, ({ fields }) => {
    last = fields[first]
    last = fields[second]
    rows++
  })
  return rows
}

/**
 * What one who passes rows on needs of them: where they lie and how long they are. With stock's messages there are only
 * `fields`.
 * @type {Pass}
 */
const bytes = async (client, { text }) => {
  let rows = 0
  await readMessages(client, text, (message) => {
    if (message.bytes === undefined) last = message.fields
    else last = message.bytes[message.offset + 1] + message.length
    rows++
  })
  return rows
}

/**
 * Each cell converted by the parser that pg would take, and no row made of them.
 * @type {Pass}
 */
const values = async (client, { text }) => {
  const { types } = require('pg')
  /** @type {((text: string) => any)[]} */
  let parsers = []
  let rows = 0
  await readMessages(
    client,
    text,
    ({ fields }) => {
      for (let i = 0; i < fields.length; i++) last = fields[i] === null ? null : parsers[i](fields[i])
      rows++
    },
    ({ fields }) => {
      parsers = fields.map((/** @type {any} */ { dataTypeID }) => types.getTypeParser(dataTypeID, 'text'))
    }
  )
  return rows
}

/** @type {Record<string, Pass>} */
const CONSUMERS = { kept, dropped, lazy, 'two fields': twoFields, bytes, never, values, decoded: dropped }

/** Those that are given messages and not rows. */
const OF_MESSAGES = ['two fields', 'bytes', 'never', 'values']

/** @returns {unknown} what the latest pass looked at last */
const lastSeen = () => last

module.exports = { CONSUMERS, OF_MESSAGES, lastSeen, readMessages }
