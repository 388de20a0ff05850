'use strict'

/**
 * Chunks in, messages out, in the same synchronous call.
 *
 * The simple version walks over the chunk here and makes each message as it finds it. Here Rust walks: one
 * call per chunk fills a table of numbers, the message index (`src/index.rs`), and this file makes an
 * object per entry. A row becomes a small object that knows where its bytes are ({@link module:data-row}).
 *
 * What is not delivered yet, because the callback threw or paused, stays in the table; what comes
 * meanwhile waits in a queue. A message counts as delivered before the callback is called with it.
 */

const { isUint8Array } = require('node:util/types')
const { takeProblem, held, finish } = require('./binding')
const { RowRun } = require('./batch')
const { belonging, forStream } = require('./belonging')
const { protocolViolation } = require('./build-message')
const { findEncoding, checkEncoding, setting, FOLLOW } = require('./encoding')
const { MessageTable, countRows, emptyBuffer } = require('./message-table')
const {
  COUNT,
  HEADER_WORDS,
  TAG,
  BODY,
  LENGTH,
  DETAIL,
  ENTRY_WORDS,
  ERROR_TAG,
  DATA_ROW,
  PARAMETER_STATUS,
  ROW_DESCRIPTION,
} = require('./layout')

/** Runs of fewer rows are not worth a batch before it is known that they are read in order. */
const EAGER_ROWS = 4

/** A chunk's offsets must fit into Int32 words. */
const MAX_CHUNK_BYTES = 1 << 30

/** @typedef {InstanceType<typeof RowRun>} Run */

/**
 * What differs between the copies of pg-protocol.
 *
 * @typedef {object} Makers
 * @property {any} DataRowMessage
 * @property {any} DatabaseError
 * @property {(encoding: import('./encoding').Encoding | null) => ReturnType<typeof import('./build-message').createBuilder>} builderFor
 */

/**
 * The parsers of all copies of pg-protocol. One class for all, from which those of the copies inherit: were it made
 * anew for each, its private names would differ, and V8 would no longer compile them to plain loads.
 */
class NativeParser {
  static forStream = forStream

  /** What the present chunk has, and what is held of a message that has not ended. */
  #messages = new MessageTable()
  /** @type {any} */
  #stream
  /** Who may take rows before they become messages. */
  #rows
  /**
   * The encoding of texts, null for UTF-8.
   *
   * @type {import('./encoding').Encoding | null}
   */
  #encoding = null
  /** Whether it is the one that the server names. */
  #followsServer = true
  #build

  /**
   * The run of the chunk's rows.
   *
   * @type {Run | null}
   */
  #run = null
  /** Whether the rows of the last run were read in order. */
  #inOrder = false
  /**
   * Whom the present chunk's messages are for.
   *
   * @type {any}
   */
  #callback = null
  /**
   * Chunks that came while others were not delivered yet, each with its callback.
   *
   * @type {{ chunk: Buffer, callback: (message: any) => void }[]}
   */
  #queue = []
  /**
   * Called when nothing is held any more.
   *
   * @type {(() => void) | null}
   */
  #afterHeld = null
  /** Whether messages are being delivered. */
  #active = false
  #paused = false
  /** Whether the stream was paused by this parser. */
  #streamPaused = false
  /** Whether the stream cannot be understood any more. */
  #lost = false

  /** What messages are made with. */
  #make

  /**
   * @param {{ mode?: string, encoding?: string } | undefined} opts
   * @param {Makers} make
   */
  constructor(opts, make) {
    if (opts?.mode === 'binary') throw new Error('Binary mode not supported yet')
    this.mode = opts?.mode || 'text'
    const { stream, rows, encoding: encodingOfStream } = belonging()
    this.#stream = stream
    this.#rows = rows
    this.#make = make
    this.#build = make.builderFor(null)
    const encoding =
      opts?.encoding === undefined
        ? (encodingOfStream ?? setting)
        : checkEncoding('the option "encoding" of a Parser', opts.encoding)
    if (encoding !== FOLLOW) {
      this.#followsServer = false
      this.#use(findEncoding(encoding) ?? null)
    }
    this.#rows?.attach?.(this, this.#stream)
  }

  /**
   * Calls back with each message that `chunk` makes whole, in order, before it returns. Equals
   * `Parser.parse` of pg-protocol for every valid stream.
   *
   * @param {Uint8Array} chunk not to be changed afterwards: messages point into it
   * @param {(message: any) => void} callback
   */
  parse(chunk, callback) {
    if (!isUint8Array(chunk)) {
      throw new TypeError(`parse() takes a Buffer or a Uint8Array, not ${describe(chunk)}`)
    }
    if (typeof callback !== 'function') {
      throw new TypeError(`parse() takes a callback function, not ${describe(callback)}`)
    }
    if (this.#lost) return
    const bytes = ownBytes(chunk)
    const isHolding = this.#messages.words !== null || this.#queue.length > 0
    if (isHolding || this.#paused || bytes.length > MAX_CHUNK_BYTES) {
      this.#enqueue(bytes, callback)
      this.#continue()
    } else {
      this.#begin(bytes, callback)
      this.#deliver()
    }
  }

  /** Stops delivery before the next message, also from inside the callback. Pauses the stream. */
  pause() {
    this.#paused = true
    if (this.#stream !== null && !this.#streamPaused) {
      this.#streamPaused = true
      this.#stream.pause?.()
    }
  }

  /** Delivers what is held, in order, exactly once, and goes on. Resumes the stream. */
  resume() {
    this.#paused = false
    try {
      this.#continue()
    } finally {
      // Also when the callback threw: the rest follows by itself, and then the stream has to run.
      if (this.#streamPaused && !this.#paused) {
        this.#streamPaused = false
        this.#stream.resume?.()
      }
    }
  }

  /** Whether delivery is stopped. */
  get paused() {
    return this.#paused
  }

  /**
   * The encoding that texts are read in at the moment; null: UTF-8.
   *
   * @returns {import('./encoding').Encoding | null}
   */
  get encoding() {
    return this.#encoding
  }

  /** @param {import('./encoding').Encoding | null} encoding */
  #use(encoding) {
    if (encoding === this.#encoding) return
    this.#encoding = encoding
    this.#build = this.#make.builderFor(encoding)
    // Rows that follow are no longer like those before.
    this.#run = null
  }

  /**
   * A server tells how it sends text from now on.
   *
   * @param {{ parameterName: string, parameterValue: string }} message
   */
  #noteParameter({ parameterName, parameterValue }) {
    if (this.#followsServer && parameterName === 'client_encoding')
      this.#use(findEncoding(parameterValue) ?? null)
  }

  /** A copy of the bytes that are kept until the next chunk: those of a message that has not ended. */
  get buffer() {
    const { held: length, state } = this.#messages
    return length === 0 ? emptyBuffer : held(state)
  }

  /** How many bytes are kept: see `buffer`, and chunks that are not delivered yet. */
  get bufferLength() {
    const { words, chunk } = this.#messages
    let length = this.#messages.held
    if (words !== null && !this.#active) length += chunk.length
    for (const { chunk } of this.#queue) length += chunk.length
    return length
  }

  get bufferOffset() {
    return 0
  }

  /** In pg-protocol what the parser reads with; people look at `reader.buffer.byteLength`, and that is here. */
  get reader() {
    const byteLength = this.bufferLength
    return { offset: 0, encoding: 'utf-8', buffer: { byteLength, length: byteLength } }
  }

  /**
   * Says that no more bytes will come. Behind the messages that are held, and not while the parser is paused, calls
   * back with an error where the last one is not whole, and then calls `done`.
   *
   * @param {(message: any) => void} callback
   * @param {() => void} [done]
   */
  end(callback, done) {
    this.#afterHeld = () => {
      try {
        this.#deliverUnfinished(callback)
      } finally {
        done?.()
      }
    }
    if (!this.#active) this.#continue()
  }

  /**
   * Delivers what is held although the parser is paused, and whatever it is paused for meanwhile: nobody will get to
   * resume it, for its stream is over.
   */
  deliverHeld() {
    do {
      this.#paused = false
      this.#continue()
    } while (this.#paused && this.#isHolding() && !this.#active)
  }

  /** Whether messages have come that are not delivered. */
  #isHolding() {
    return this.#messages.words !== null || this.#queue.length > 0
  }

  #notHeld() {
    const done = this.#afterHeld
    this.#afterHeld = null
    if (done !== null) done()
  }

  /** @param {(message: any) => void} callback */
  #deliverUnfinished(callback) {
    const { held: length, state } = this.#messages
    if (length === 0) return
    this.#messages.held = 0
    this.#lost = true
    callback(protocolViolation(this.#make.DatabaseError, /** @type {string} */ (finish(state)), length, true))
  }

  /** Delivers what waits, unless that is going on already. */
  #continue() {
    if (this.#active || this.#paused) return
    if (this.#messages.words === null) {
      if (this.#queue.length === 0) return this.#notHeld()
      this.#beginNext()
    }
    this.#deliver()
  }

  /**
   * @param {Buffer} chunk
   * @param {(message: any) => void} callback
   */
  #enqueue(chunk, callback) {
    for (let at = 0; at < chunk.length; at += MAX_CHUNK_BYTES) {
      this.#queue.push({ chunk: chunk.subarray(at, at + MAX_CHUNK_BYTES), callback })
    }
  }

  #beginNext() {
    const { chunk, callback } = /** @type {{ chunk: Buffer, callback: (message: any) => void }} */ (
      this.#queue.shift()
    )
    this.#begin(chunk, callback)
  }

  /**
   * @param {Buffer} chunk
   * @param {(message: any) => void} callback
   */
  #begin(chunk, callback) {
    this.#callback = callback
    this.#run = null
    this.#messages.begin(chunk)
  }

  /** Delivers the table's messages, then those of the rest of the chunk, then those of the queue. */
  #deliver() {
    this.#active = true
    let threw = true
    try {
      while (this.#deliverTable()) {
        if (!this.#messages.isFilledLast) {
          this.#messages.fill()
        } else if (this.#queue.length > 0 && !this.#lost) {
          this.#release()
          this.#beginNext()
        } else {
          this.#release()
          if (!this.#paused) this.#notHeld()
          break
        }
      }
      threw = false
    } finally {
      this.#active = false
      if (threw) this.#afterThrow()
    }
  }

  /** @returns {boolean} whether all of the table is delivered; false: paused */
  #deliverTable() {
    const messages = this.#messages
    if (messages.straddler !== null && messages.next === 0 && !this.#deliverStraddler()) return false
    const table = messages.words
    const { chunk } = messages
    const callback = this.#callback
    const count = table[COUNT]
    const rows = this.#rows
    const { DataRowMessage } = this.#make
    let run = this.#run
    let i = messages.next
    while (i < count && !this.#paused) {
      const entry = HEADER_WORDS + i * ENTRY_WORDS
      const tag = table[entry + TAG]
      const body = table[entry + BODY]
      const length = table[entry + LENGTH]
      const detail = table[entry + DETAIL]
      i++
      // Before the callback, which may throw. A `finally` around the loop would keep V8 from inlining the row's class.
      messages.next = i
      if (tag === DATA_ROW) {
        if (rows !== null) {
          const taken = this.#offer(rows, chunk, body, i - 1, count)
          if (taken > 0) {
            i = messages.next
            continue
          }
          messages.next = i
        }
        if (run === null) run = this.#beginRun(body, count - i)
        callback(new DataRowMessage(length, run, body, detail))
      } else if (tag !== ERROR_TAG) {
        const message = this.#build(tag, table, detail, chunk, body, length)
        if (tag === ROW_DESCRIPTION && rows !== null) rows.describe(message.fields)
        else if (tag === PARAMETER_STATUS) {
          this.#noteParameter(message)
          run = this.#run
        }
        callback(message)
      } else {
        this.#deliverProblem(callback, length, detail !== 0)
      }
    }
    return i === count
  }

  /**
   * Offers rows to who may take them before they become messages.
   *
   * @param {import('./belonging').RowTarget} rows
   * @param {Buffer} chunk
   * @param {number} body of the first one
   * @param {number} first index of its entry
   * @param {number} count of all entries
   * @returns {number} how many were taken
   */
  #offer(rows, chunk, body, first, count) {
    const messages = this.#messages
    messages.next = first
    try {
      rows.take(this, chunk, body, countRows(messages.words, first, count))
    } finally {
      messages.next = first + rows.taken
    }
    return rows.taken
  }

  /**
   * The table's first entry, where that is not in the chunk.
   *
   * @returns {boolean} false: paused
   */
  #deliverStraddler() {
    if (this.#paused) return false
    const { words: table, straddler: bytes } = this.#messages
    const callback = this.#callback
    const [tag, body, length, detail] = table.subarray(HEADER_WORDS, HEADER_WORDS + ENTRY_WORDS)
    this.#messages.next = 1
    if (tag === DATA_ROW && this.#rows !== null) {
      this.#rows.take(this, bytes, body, 1)
      if (this.#rows.taken === 1) return true
    }
    if (tag === DATA_ROW) {
      callback(new this.#make.DataRowMessage(length, new RowRun(bytes, -1, this.#encoding), body, detail))
    } else if (tag !== ERROR_TAG) {
      const message = this.#build(tag, table, detail, bytes, body, length)
      if (tag === ROW_DESCRIPTION && this.#rows !== null) this.#rows.describe(message.fields)
      else if (tag === PARAMETER_STATUS) this.#noteParameter(message)
      callback(message)
    } else {
      this.#deliverProblem(callback, length, detail !== 0)
    }
    return true
  }

  /**
   * @param {number} body
   * @param {number} following how many messages follow in the table
   */
  #beginRun(body, following) {
    const encoding = this.#encoding
    const isEager = this.#inOrder && following >= EAGER_ROWS && encoding === null
    const run = new RowRun(this.#messages.chunk, isEager ? body : -1, encoding)
    this.#run = run
    return run
  }

  /**
   * @param {(message: any) => void} callback
   * @param {number} length
   * @param {boolean} lost
   */
  #deliverProblem(callback, length, lost) {
    const sentence = takeProblem(this.#messages.state)
    const message = protocolViolation(this.#make.DatabaseError, sentence, length, lost)
    if (!lost) return callback(message)
    this.#lost = true
    this.#queue.length = 0
    try {
      callback(message)
    } finally {
      this.#stream?.destroy?.(message)
    }
  }

  /** All of the chunk is delivered. */
  #release() {
    this.#messages.release()
    this.#callback = null
    if (this.#run !== null) this.#inOrder = this.#run.inOrder
    this.#run = null
  }

  /**
   * The exception is on its way to the caller, who goes on with the next call. On a stream there may be
   * no next call: the server waits for an answer to what is still held.
   */
  #afterThrow() {
    if (this.#messages.words !== null && this.#messages.isDelivered) this.#release()
    if (this.#stream !== null && (this.#isHolding() || this.#afterHeld !== null)) {
      process.nextTick(() => {
        // A stream that has ended may be destroyed by itself, and what it brought is still to be delivered.
        if (!this.#stream.destroyed || this.#afterHeld !== null) this.#continue()
      })
    }
  }
}

/**
 * The chunk as a Buffer over the same memory; a copy of memory that other threads can write, for a message that was
 * checked must stay what it was.
 *
 * @param {Uint8Array} chunk
 * @returns {Buffer}
 */
function ownBytes(chunk) {
  if (chunk.buffer instanceof SharedArrayBuffer) return Buffer.from(chunk)
  return Buffer.isBuffer(chunk) ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
}

/** @param {unknown} value */
function describe(value) {
  if (value === null || value === undefined) return String(value)
  if (typeof value === 'object') return `an object of class ${value.constructor?.name ?? 'unknown'}`
  return `a value of type ${typeof value}`
}

module.exports = { NativeParser }
