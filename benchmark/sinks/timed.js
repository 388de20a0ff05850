'use strict'

const { slowCopy } = require('../lib/chunk-writer')
const { weigh } = require('../lib/heap')
const { warm, round } = require('../lib/timing')
const { digestOfBytes } = require('../parser/digest')
const { answer } = require('../rows/consumers')
const { Digest } = require('../rows/digest')
const { buildStream } = require('../rows/streams')
const { TABLE, ROWS } = require('./server')

/** @typedef {import('../rows/contenders').Contender} Contender */

/** Stock does not know the mode, and gives rows. */
const ROW_MODE = 'columns'

/**
 * How many rows a result has. One that came as rows, though it was asked for as columns of a contender that has them, would
 * be measured as something that it is not.
 * @param {any} result
 * @param {boolean} packs whether the contender has columns
 */
const countOf = ({ rows, columnList }, packs) => {
  if (packs !== (columnList !== undefined)) throw new Error('the result has not the form that it should have')
  return packs ? columnList[0].length : rows.length
}

/** @param {any} result @returns {Iterable<Record<string, any>>} */
const rowsOf = function* ({ rows, columnList }) {
  if (columnList === undefined) return yield* rows
  for (let i = 0; i < columnList[0].length; i++) {
    const row = /** @type {Record<string, any>} */ ({})
    for (const column of columnList) row[column.name] = column.get(i)
    yield row
  }
}

/** @param {any} result */
const digestOf = (result) => {
  const digest = new Digest()
  for (const row of rowsOf(result)) digest.row(row)
  digest.result(result)
  return digest.end()
}

/** What is done again and again. @abstract */
class TimedCase {
  /** @abstract @returns {void | Promise<void>} */
  pass() {}

  /** @param {{ms: number}} budget */
  warm({ ms }) {
    return warm(() => this.pass(), ms)
  }

  /** @param {{passes: number}} size */
  round({ passes }) {
    return round(() => this.pass(), passes)
  }
}

/** A stream from memory, from its first chunk to the finished result. */
class StreamCase extends TimedCase {
  /** @param {Contender} contender @param {{stream: string, scale?: number}} what */
  static async open(contender, { stream: name, scale }) {
    const stream = buildStream(name, scale)
    return new StreamCase(contender, stream, await contender.open())
  }

  /**
   * @param {Contender} contender
   * @param {import('../rows/streams').BuiltStream} stream
   * @param {import('../rows/receivers').Receiver} receiver
   */
  constructor(contender, stream, receiver) {
    super()
    this.packs = contender.made !== null
    this.stream = stream
    this.receiver = receiver
    this.config = { ...stream.config, rowMode: ROW_MODE }
    this.input = digestOfBytes(stream.chunks)
  }

  /** What the contender answers, before its time counts. */
  async check() {
    const { rows, bytes, messages, chunks } = this.stream
    const result = answer(this.receiver, chunks, this.config, null)
    countOf(result, this.packs)
    return { digest: digestOf(result), rows, bytes, messages, chunks: chunks.length }
  }

  checkInput() {
    if (digestOfBytes(this.stream.chunks) !== this.input) throw new Error('the parser wrote into its input')
  }

  /** @override */
  pass() {
    const { chunks, rows } = this.stream
    const came = countOf(answer(this.receiver, chunks, this.config, null), this.packs)
    if (came !== rows) throw new Error(`${came} rows delivered in place of ${rows}`)
  }
}

/** The table of a real server. */
class ServerCase extends TimedCase {
  /** @param {Contender} contender */
  static async open(contender) {
    const { Client } = require('pg')
    const { DATABASE_URL } = process.env
    const client = new Client(DATABASE_URL ? { connectionString: DATABASE_URL } : {})
    await client.connect()
    return new ServerCase(contender, client)
  }

  /** @param {Contender} contender @param {any} client */
  constructor(contender, client) {
    super()
    this.packs = contender.made !== null
    this.client = client
  }

  query() {
    return this.client.query({ text: `select * from ${TABLE}`, rowMode: ROW_MODE })
  }

  async check() {
    const result = await this.query()
    countOf(result, this.packs)
    return { digest: digestOf(result), rows: ROWS, bytes: 0, messages: ROWS, chunks: 0 }
  }

  checkInput() {}

  /** @override */
  async pass() {
    const came = countOf(await this.query(), this.packs)
    if (came !== ROWS) throw new Error(`${came} rows delivered in place of ${ROWS}`)
  }
}

/**
 * @param {Contender} contender
 * @param {{stream: string, consumer: string, scale?: number}} what
 * @returns {Promise<StreamCase | ServerCase>}
 */
const openCase = (contender, what) =>
  what.consumer === 'server' ? ServerCase.open(contender) : StreamCase.open(contender, what)

/**
 * What a result holds that nobody has read yet. Needs `--expose-gc`.
 * @param {Contender} contender
 * @param {{stream: string, scale?: number}} what
 */
const measureHeld = async (contender, { stream: name, scale }) => {
  const stream = buildStream(name, scale)
  const config = { ...stream.config, rowMode: ROW_MODE }
  const receiver = await contender.open()
  const copies = function* () {
    for (const chunk of stream.chunks) yield slowCopy(chunk)
  }
  countOf(answer(receiver, copies(), config, null), contender.made !== null)
  const { value: result, ...weight } = await weigh(() => answer(receiver, copies(), config, null))
  return { ...weight, digest: digestOf(result) }
}

module.exports = { openCase, measureHeld }
