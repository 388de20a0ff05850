'use strict'

const { Duplex } = require('node:stream')
const wire = require('./wire')

/**
 * The other end of a connection of pg's, in this process: answers what the client sends with messages that the test
 * has made up. It knows as much of the protocol as is needed to answer in the right order, holds its answers back until
 * the client asks for them (Sync, Flush), as a server does, and hands them over in the pieces that `cut` makes.
 */

/**
 * @typedef {import('./wire').FieldDescription} FieldDescription
 * @typedef {(string | Buffer | null)[]} Cells
 *
 * What one statement answers.
 * @typedef {object} Reply
 * @property {(string | FieldDescription)[] | null} [columns] null: the statement gives no rows
 * @property {(Cells | Buffer)[]} [rows] cells, or a DataRow message as it is
 * @property {Iterable<Buffer>} [stream] in place of `rows`: pieces of the stream, fetched as the client reads
 * @property {string} [tag]
 * @property {Record<string, string>} [error] ends the statement after its rows
 * @property {Buffer} [description] the RowDescription message, in place of `columns`
 * @property {Buffer} [before] messages that come before the rows
 * @property {Buffer} [after] messages that come between the rows and the end
 */

/** @param {Buffer} bytes */
const whole = (bytes) => [bytes]

class FakeBackend extends Duplex {
  /** @param {(bytes: Buffer) => Buffer[]} [cut] */
  constructor(cut = whole) {
    super({ readableHighWaterMark: 64 * 1024 })
    this.cut = cut
    /**
     * What the next statements answer; several in one entry are the statements of one query text.
     * @type {(Reply | Reply[])[]}
     */
    this.replies = []
    /** Type letters of what the client has sent. */
    this.received = ''
    /** @type {Buffer} */
    this.input = Buffer.alloc(0)
    this.started = false
    /** @type {Buffer[]} */
    this.held = []
    /** @type {Iterator<Buffer>[]} */
    this.outgoing = []
    this.wanted = false
    this.failed = false
    /** @type {Map<string, { reply: Reply, next: number }>} */
    this.portals = new Map()
  }

  // What pg calls on a socket.
  setNoDelay() {}
  setKeepAlive() {}
  ref() {}
  unref() {}
  connect() {
    process.nextTick(() => this.emit('connect'))
  }

  /** @override @param {Buffer} chunk @param {string} encoding @param {() => void} done */
  _write(chunk, encoding, done) {
    this.input = this.input.length > 0 ? Buffer.concat([this.input, chunk]) : chunk
    while (this.take());
    done()
  }

  /** @override @param {() => void} done */
  _final(done) {
    done()
    process.nextTick(() => this.destroy())
  }

  /** @override */
  _read() {
    this.wanted = true
    this.pump()
  }

  /** One message of the client's. */
  take() {
    const at = this.started ? 1 : 0
    if (this.input.length < at + 4) return false
    const end = at + this.input.readUInt32BE(at)
    if (this.input.length < end) return false
    const type = this.started ? String.fromCharCode(this.input[0]) : 'startup'
    const body = this.input.subarray(at + 4, end)
    this.input = this.input.subarray(end)
    this.answer(type, body)
    return true
  }

  /** @param {string} type @param {Buffer} body */
  answer(type, body) {
    if (type !== 'startup') this.received += type
    // After an error a server skips everything up to the Sync.
    if (this.failed && type !== 'S' && type !== 'X') return
    switch (type) {
      case 'startup':
        this.started = true
        this.held.push(
          wire.authenticationOk(),
          wire.parameterStatus('server_version', '18.0'),
          wire.backendKeyData(7, 8),
          wire.readyForQuery()
        )
        return this.release()
      case 'Q':
        return this.query()
      case 'P':
        return void this.held.push(wire.parseComplete())
      case 'B':
        this.portals.set(cstringOf(body, 0), { reply: this.nextReply(), next: 0 })
        return void this.held.push(wire.bindComplete())
      case 'D':
        return this.describe(this.portal(cstringOf(body, 1)).reply)
      case 'E': {
        const name = cstringOf(body, 0)
        return this.execute(this.portal(name), body.readUInt32BE(Buffer.byteLength(name) + 1))
      }
      case 'C':
        return void this.held.push(wire.closeComplete())
      case 'S':
        this.failed = false
        this.held.push(wire.readyForQuery())
        return this.release()
      case 'H':
        return this.release()
      case 'X':
        return
      default:
        throw new Error(`the fake backend does not know the message ${type}`)
    }
  }

  /** @returns {Reply} */
  nextReply() {
    const reply = this.replies.shift()
    if (reply === undefined) throw new Error('the fake backend was asked for more than it has answers')
    if (Array.isArray(reply)) throw new Error('several statements need the simple protocol')
    return reply
  }

  /** @param {string} name */
  portal(name) {
    const portal = this.portals.get(name)
    if (portal === undefined) throw new Error(`no portal named ${name}`)
    return portal
  }

  query() {
    const replies = this.replies.shift()
    if (replies === undefined) throw new Error('the fake backend was asked for more than it has answers')
    for (const reply of Array.isArray(replies) ? replies : [replies]) {
      if (reply.columns !== null) this.describe(reply)
      this.execute({ reply, next: 0 }, 0)
      if (reply.error) break
    }
    this.failed = false
    this.held.push(wire.readyForQuery())
    this.release()
  }

  /** @param {Reply} reply */
  describe(reply) {
    if (reply.description) this.held.push(reply.description)
    else this.held.push(reply.columns === null ? wire.noData() : wire.rowDescription(reply.columns ?? []))
  }

  /**
   * @param {{ reply: Reply, next: number }} portal
   * @param {number} limit 0: all
   */
  execute(portal, limit) {
    const { reply } = portal
    const rows = reply.rows ?? []
    if (portal.next === 0 && reply.before) this.held.push(reply.before)
    if (reply.stream) {
      this.release()
      this.outgoing.push(reply.stream[Symbol.iterator]())
    }
    const end = limit === 0 ? rows.length : Math.min(rows.length, portal.next + limit)
    for (let i = portal.next; i < end; i++) {
      const row = rows[i]
      this.held.push(Buffer.isBuffer(row) ? row : wire.dataRow(row))
    }
    portal.next = end
    if (limit !== 0 && end < rows.length) return void this.held.push(wire.portalSuspended())
    if (reply.after) this.held.push(reply.after)
    if (reply.error) {
      this.failed = true
      this.held.push(wire.errorResponse(reply.error))
      // The client may wait for the error before it says Sync.
      this.release()
    } else {
      this.held.push(wire.commandComplete(reply.tag ?? `SELECT ${rows.length}`))
    }
  }

  /** Sends what is held back. */
  release() {
    if (this.held.length === 0) return
    const bytes = Buffer.concat(this.held)
    this.held.length = 0
    this.outgoing.push(this.cut(bytes)[Symbol.iterator]())
    // Not at once: no client is called back while it is still writing.
    process.nextTick(() => this.pump())
  }

  pump() {
    let threw = true
    try {
      while (this.wanted && this.outgoing.length > 0 && !this.destroyed) {
        const { value, done } = this.outgoing[0].next()
        if (done) {
          this.outgoing.shift()
        } else if (value.length > 0) {
          this.wanted = this.push(value)
        }
      }
      threw = false
    } finally {
      // Whoever takes the bytes may throw; a socket goes on reading all the same.
      if (threw) process.nextTick(() => this.pump())
    }
  }
}

/** @param {Buffer} body @param {number} from */
const cstringOf = (body, from) => body.toString('utf8', from, body.indexOf(0, from))

module.exports = { FakeBackend, whole }
