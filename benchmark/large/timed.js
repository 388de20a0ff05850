'use strict'

const { loadContender } = require('../contenders/load')
const { timeFor } = require('../lib/timing')
const { checkMessages, checkRows } = require('./answer')
const { CONSUMERS, OF_MESSAGES } = require('./consumers')
const { Floor } = require('./floor')
const { tableOf } = require('./tables')

/**
 * @typedef {object} What
 * @property {import('../contenders').Setup} setup
 * @property {import('./tables').TableName} table
 * @property {import('./cases').Consumer} consumer
 * @property {number} scale
 * @property {string} url
 *
 * @typedef {object} Opened
 * @property {() => Promise<import('./answer').Answer>} check
 * @property {() => Promise<number>} pass
 * @property {() => Promise<unknown>} end
 */

/** One way to take a large result, measured a round at a time. */
class TimedLarge {
  /** @param {What} what */
  static async open(what) {
    const table = tableOf(what.table, what.scale)
    const { driver, made } = loadContender(what.setup)
    const opened =
      what.setup.kind === 'peer' ? await openPeer(driver, what.url, table) : await openPg(what, table)
    // Messages are made into no rows, natively or not; the floor has not even messages.
    const rows = [...OF_MESSAGES, 'floor'].includes(what.consumer) ? 0 : table.rows
    return new TimedLarge(table, opened, made && (() => made()), rows)
  }

  /**
   * @param {import('./tables').Table} table
   * @param {Opened} opened
   * @param {(() => number) | null} made
   * @param {number} built rows in a pass
   */
  constructor(table, opened, made, built) {
    this.table = table
    this.opened = opened
    this.made = made
    this.built = built
  }

  check() {
    return this.checkMade(() => this.opened.check())
  }

  async pass() {
    const rows = await this.checkMade(() => this.opened.pass())
    if (rows !== this.table.rows) throw new Error(`${rows} rows in place of ${this.table.rows}`)
  }

  /**
   * Rows that went stock's way would be measured as if they were native ones.
   * @template T
   * @param {() => Promise<T>} work
   */
  async checkMade(work) {
    const before = this.made?.() ?? 0
    const outcome = await work()
    if (this.made !== null && this.made() - before !== this.built)
      throw new Error(`${this.made() - before} of ${this.built} rows were built natively`)
    return outcome
  }

  /** @param {{ms: number}} budget */
  async round({ ms }) {
    const decoding = decodingTime()
    const timed = await timeFor(() => this.pass(), { ms })
    return {
      ms: timed.ms / timed.passes,
      cpuMs: timed.cpuMs / timed.passes,
      passes: timed.passes,
      collections: timed.collections / timed.passes,
      gcPauseMs: timed.gcPauseMs / timed.passes,
      ...(decoding === null ? {} : { decodeMs: (Number(decodingTime()) - decoding) / timed.passes }),
    }
  }

  end() {
    return this.opened.end()
  }
}

/** What decode-timer.js has counted, where it is loaded. @returns {number | null} */
const decodingTime = () =>
  /** @type {any} */ (globalThis)[Symbol.for('pg-protocol-native.benchmark.decoding')]?.ms ?? null

/**
 * @param {What} what
 * @param {import('./tables').Table} table
 * @returns {Promise<Opened>}
 */
const openPg = async ({ url, consumer }, table) => {
  const { Client } = require('pg')
  const client = /** @type {any} */ (new Client({ connectionString: url }))
  await client.connect()
  for (const statement of table.setup) await client.query(statement)
  if (consumer === 'floor') return openFloor(client, table)
  const valuesOf = (/** @type {any} */ row) => table.columns.map(({ name }) => row[name])
  return {
    check: async () => {
      if (isOfMessages(consumer)) return checkMessages(table, client, consumer)
      return checkRows(table, await rowsOf(client, table, consumer), valuesOf)
    },
    pass: () => CONSUMERS[consumer](client, table),
    end: () => client.end(),
  }
}

/**
 * @param {any} client
 * @param {import('./tables').Table} table
 * @returns {Opened}
 */
const openFloor = (client, table) => {
  const floor = new Floor(client, table.text)
  return {
    check: async () => ({ digest: '', rows: await floor.learn() }),
    pass: () => floor.pass(),
    end: async () => floor.stream.destroy(),
  }
}

/**
 * @param {import('./cases').Consumer} consumer
 * @returns {consumer is 'two fields' | 'bytes' | 'never' | 'values'}
 */
const isOfMessages = (consumer) => OF_MESSAGES.includes(consumer)

/**
 * The rows as the consumer is given them, one and all.
 * @param {any} client
 * @param {import('./tables').Table} table
 * @param {import('./cases').Consumer} consumer
 * @returns {Promise<any[]>}
 */
const rowsOf = async (client, { text }, consumer) => {
  if (consumer === 'kept') return (await client.query(text)).rows
  if (consumer === 'lazy') return (await client.query({ text, rowMode: 'lazy' })).rows
  const { Query } = require('pg')
  return new Promise((resolve, reject) => {
    const rows = /** @type {any[]} */ ([])
    client
      .query(new Query(text))
      .on('row', (/** @type {any} */ row) => rows.push(row))
      .on('end', () => resolve(rows))
      .on('error', reject)
  })
}

/**
 * @param {import('../contenders/load').Driver} driver
 * @param {string} url
 * @param {import('./tables').Table} table
 * @returns {Promise<Opened>}
 */
const openPeer = async (driver, url, table) => {
  const { columns, text, rows } = table
  const session = await driver.open(url, {
    ...{ name: 'large', title: '', group: 'rows', target: {}, way: 'query', setup: [] },
    ...{ text, count: rows, columns: columns.map((column) => ({ ...column, parameter: column.value })) },
    expected: () => [],
  })
  for (const statement of table.setup) await session.run(statement)
  return {
    check: async () => {
      const outcome = await session.pass(0)
      return { ...checkRows(table, session.rowsOf(outcome), session.valuesOf), digest: '' }
    },
    pass: async () => session.countOf(await session.pass(0)),
    end: () => session.end(),
  }
}

module.exports = { TimedLarge }
