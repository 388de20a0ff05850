'use strict'

const { warm, round } = require('../lib/timing')
const { digestOfBytes } = require('../parser/digest')
const { createPass } = require('./consumers')
const { Digest } = require('./digest')
const { buildStream } = require('./streams')

/**
 * One contender with one stream and one consumer, measured a round at a time.
 */
class TimedCase {
  /**
   * @param {import('./contenders').Contender} contender
   * @param {{stream: string, consumer: 'dropped' | 'kept', scale?: number}} what
   */
  static async open(contender, { stream: name, consumer, scale }) {
    const stream = buildStream(name, scale)
    // One connection for all passes; its answers end on a message boundary.
    const receiver = await contender.open({ sends: stream.sends })
    return new TimedCase(contender, stream, consumer, receiver)
  }

  /**
   * @param {import('./contenders').Contender} contender
   * @param {import('./streams').BuiltStream} stream
   * @param {'dropped' | 'kept'} consumer
   * @param {import('./receivers').Receiver} receiver
   */
  constructor(contender, stream, consumer, receiver) {
    this.contender = contender
    this.stream = stream
    this.consumer = consumer
    this.receiver = receiver
    this.take = createPass(stream, consumer)
    this.input = digestOfBytes(stream.chunks)
  }

  /** What the contender answers, before its time counts. */
  async check() {
    const { rows, bytes, messages, chunks } = this.stream
    const receiver = await this.contender.open()
    const digest = this.checkMade(() => this.digest(receiver), rows)
    return { digest, rows, bytes, messages, chunks: chunks.length }
  }

  /** @param {import('./receivers').Receiver} receiver */
  digest(receiver) {
    const { chunks, config, answers } = this.stream
    const digest = new Digest()
    const listener = this.consumer === 'kept' || answers ? null : (/** @type {any} */ row) => digest.row(row)
    for (const part of answers ? chunks.map((chunk) => [chunk]) : [chunks]) {
      receiver.ask(config, listener)
      for (const chunk of part) receiver.receive(chunk)
      const result = receiver.result()
      for (const row of result.rows) digest.row(row)
      digest.result(result)
    }
    return digest.end()
  }

  /**
   * After the last round. pg-protocol may use a chunk as its own buffer and write the next one into it, which would have
   * changed the stream for the passes that followed.
   */
  checkInput() {
    if (digestOfBytes(this.stream.chunks) !== this.input) throw new Error('the parser wrote into its input')
  }

  /**
   * Rows that went stock's way would be measured as if they were native ones.
   * @template T
   * @param {() => T} work
   * @param {number} rows that it takes
   */
  checkMade(work, rows) {
    const { made } = this.contender
    if (made === null) return work()
    const before = made()
    const outcome = work()
    if (made() - before !== rows) throw new Error(`${made() - before} of ${rows} rows were built natively`)
    return outcome
  }

  pass() {
    const { rows } = this.stream
    const came = this.checkMade(() => this.take(this.receiver), rows)
    if (came !== rows) throw new Error(`${came} rows delivered in place of ${rows}`)
  }

  /** @param {{ms: number}} budget */
  warm({ ms }) {
    return warm(() => this.pass(), ms)
  }

  /** @param {{passes: number}} size */
  round({ passes }) {
    return round(() => this.pass(), passes)
  }
}

module.exports = { TimedCase }
