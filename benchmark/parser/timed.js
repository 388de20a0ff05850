'use strict'

const { warm, round } = require('../lib/timing')
const { CONSUMERS } = require('./consumers')
const { digestOf, digestOfBytes } = require('./digest')
const { buildStream } = require('./streams')

/**
 * One parser with one stream and one consumer, measured a round at a time.
 */
class TimedCase {
  /**
   * @param {import('./contenders').ParserClass} Parser
   * @param {{stream: string, consumer: string, scale?: number}} what
   */
  constructor(Parser, { stream, consumer, scale }) {
    this.Parser = Parser
    this.stream = buildStream(stream, scale)
    this.consumer = CONSUMERS[consumer].create({
      columns: this.stream.columns,
      ownCells: hasOwnCells(Parser, this.stream.chunks),
    })
    // One parser for all passes, as a connection has; the streams end on a message boundary.
    this.parser = new Parser()
  }

  /** What the parser answers, before its time counts. */
  check() {
    const { rows, columns, bytes, messages, chunks } = this.stream
    this.input = digestOfBytes(chunks)
    const digest = digestOf(new this.Parser(), chunks, this.consumer.reads)
    return { digest, rows, columns, bytes, messages, chunks: chunks.length }
  }

  /**
   * After the last round. pg-protocol may use a chunk as its own buffer and write the next one into it, which would have
   * changed the stream for the passes that followed.
   */
  checkInput() {
    if (digestOfBytes(this.stream.chunks) !== this.input) throw new Error('the parser wrote into its input')
  }

  pass() {
    const { parser, consumer } = this
    const { onMessage } = consumer
    const before = consumer.seen()
    for (const chunk of this.stream.chunks) parser.parse(chunk, onMessage)
    const rows = consumer.seen() - before
    if (rows !== this.stream.rows) throw new Error(`${rows} rows delivered in place of ${this.stream.rows}`)
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

/**
 * @param {import('./contenders').ParserClass} Parser
 * @param {Buffer[]} chunks
 */
const hasOwnCells = (Parser, chunks) => {
  let own = false
  new Parser().parse(chunks[0], (message) => {
    if (message.name === 'dataRow') own = typeof message.text === 'function'
  })
  return own
}

module.exports = { TimedCase }
