'use strict'

/**
 * The messages of a chunk, as Rust found them: a table of numbers and the Buffers that its offsets are in.
 *
 * One call of Rust per chunk fills the table, the message index (`src/index.rs`); a chunk of very many messages takes
 * several. What is in the table stays until it has been delivered, however long that is put off.
 */

const { createParser, feed } = require('./binding')
const {
  COUNT,
  CONSUMED,
  STRADDLER,
  NEED_WORDS,
  HELD,
  HEADER_WORDS,
  TAG,
  ENTRY_WORDS,
  DATA_ROW,
} = require('./layout')

/** Room for the messages of most chunks of 64 KiB: 64 KiB. */
const TABLE_WORDS = 16384

/**
 * Tables that no parser needs at the moment. A parser needs one while it delivers, so that there are as
 * many as parsers whose callbacks nest or that are paused.
 *
 * @type {Int32Array[]}
 */
const spareTables = []

const emptyBuffer = Buffer.alloc(0)

class MessageTable {
  constructor() {
    /** Rust's half: what is held of a message that has not ended. */
    this.state = createParser()
    /**
     * Message index of the present chunk; null: all is delivered.
     *
     * @type {any}
     */
    this.words = null
    /** The present chunk. */
    /** @type {Buffer} */
    this.chunk = emptyBuffer
    /** Bytes of the chunk that Rust is done with. */
    this.consumed = 0
    /**
     * The Buffer of the table's first entry, if that is not the chunk.
     *
     * @type {any}
     */
    this.straddler = null
    /** Index of the next entry to deliver. */
    this.next = 0
    /** Bytes that Rust holds of a message that has not ended. */
    this.held = 0
  }

  /** @param {Buffer} chunk */
  begin(chunk) {
    this.words = spareTables.pop() ?? new Int32Array(TABLE_WORDS)
    this.chunk = chunk
    this.consumed = 0
    this.fill()
  }

  /** Has Rust fill the table with the next messages of the chunk. */
  fill() {
    let words = this.words
    words[CONSUMED] = this.consumed
    let straddler = feed(this.state, this.chunk, words)
    if (words[NEED_WORDS] !== 0) {
      // One message that is larger than a table. Such a table is not kept for others.
      const consumed = words[CONSUMED]
      words = this.words = new Int32Array(words[NEED_WORDS])
      words[CONSUMED] = consumed
      straddler = feed(this.state, this.chunk, words)
    }
    this.straddler = words[STRADDLER] === 0 ? null : straddler
    this.consumed = words[CONSUMED]
    this.held = words[HELD]
    this.next = 0
  }

  /** Whether every message of the chunk has been in the table. */
  get isFilledLast() {
    return this.consumed === this.chunk.length
  }

  /** Whether every message of the chunk is delivered. */
  get isDelivered() {
    return this.next === this.words[COUNT] && this.isFilledLast
  }

  /** All of the chunk is delivered. */
  release() {
    if (this.words.length === TABLE_WORDS) spareTables.push(this.words)
    this.words = null
    this.chunk = emptyBuffer
    this.straddler = null
  }
}

/**
 * How many rows stand behind each other in a table.
 *
 * @param {Int32Array} words
 * @param {number} from index of the first one's entry
 * @param {number} count of all entries
 */
function countRows(words, from, count) {
  let to = from + 1
  while (to < count && words[HEADER_WORDS + to * ENTRY_WORDS + TAG] === DATA_ROW) to++
  return to - from
}

module.exports = { MessageTable, countRows, emptyBuffer }
