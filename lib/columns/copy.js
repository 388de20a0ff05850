'use strict'

/**
 * `copyColumns`: the rows of a `COPY ... TO STDOUT (FORMAT binary)` as columns.
 *
 * A server sends a CopyData message for each row. The simple version crosses into Rust with each; here messages that lie
 * behind each other in memory, as those of one chunk do, are taken with one call.
 */

const { createCopy, appendCopy, dropColumns } = require('../binding')
const { COPY_DATA, FAULT_NONE, APPEND_ROWS, APPEND_FAULT, APPEND_COLUMN } = require('../layout')
const { APPEND_HEADER_WORDS } = require('../layout')
const { byName } = require('./batch')
const { takePacked, faultOf } = require('./builder')
const { copyPackOf } = require('./copy-packs')
const { sourceOf } = require('./copy-source')

/** Type byte and length. */
const HEADER_BYTES = 5

/** So many bytes of messages are gathered at most: as many as a chunk has. */
const MOST_GATHERED = 64 << 10

/** What a client of pg calls on whatever it runs. */
class Submittable {
  /**
   * @param {(value: any) => void} resolve
   * @param {(err: unknown) => void} reject
   */
  constructor(resolve, reject) {
    this.resolve = resolve
    this.reject = reject
    this.error = /** @type {{ error: unknown } | null} */ (null)
    this.callback = undefined
  }

  /** @param {unknown} error */
  fail(error) {
    this.error ??= { error }
  }

  /** @param {any} _message */
  handleRowDescription(_message) {}
  handleDataRow() {}
  handlePortalSuspended() {}
  handleEmptyQuery() {}
  /** @param {any} _message */
  handleCommandComplete(_message) {}
  /** @param {any} _message */
  handleCopyData(_message) {}

  /** @param {any} connection */
  handleCopyInResponse(connection) {
    connection.sendCopyFail('copyColumns() reads, and has nothing to send')
  }

  /** @param {unknown} error */
  handleError(error) {
    this.fail(error)
    this.settle()
  }

  handleReadyForQuery() {
    this.settle()
  }

  settle() {
    if (this.error !== null) return this.reject(this.error.error)
    try {
      this.resolve(this.outcome())
    } catch (err) {
      this.reject(err)
    }
  }

  /** @returns {any} */
  outcome() {}
}

/** Asks the server for the columns of a query that is not run. */
class Description extends Submittable {
  fields = /** @type {any[] | null} */ (null)

  /**
   * @param {string} text
   * @param {(value: any) => void} resolve
   * @param {(err: unknown) => void} reject
   */
  constructor(text, resolve, reject) {
    super(resolve, reject)
    this.text = text
  }

  /** @param {any} connection */
  submit(connection) {
    connection.parse({ text: this.text, name: '', types: [] })
    connection.describe({ type: 'S', name: '' })
    connection.sync()
    return null
  }

  /** @override @param {any} message */
  handleRowDescription(message) {
    this.fields = message.fields
  }

  /** @override */
  outcome() {
    return this.fields
  }
}

class CopyColumns extends Submittable {
  rows = 0
  tag = ''
  /** @type {Buffer | null} messages that lie behind each other */
  gathered = null
  table = new Int32Array(APPEND_HEADER_WORDS)

  /**
   * @param {string} text
   * @param {any[]} fields
   * @param {import('./pack').Pack[]} packs
   * @param {boolean} keepsChunks whether the memory of a message stays as it is
   * @param {(value: any) => void} resolve
   * @param {(err: unknown) => void} reject
   */
  constructor(text, fields, packs, keepsChunks, resolve, reject) {
    super(resolve, reject)
    this.text = text
    this.fields = fields
    this.packs = packs
    this.keepsChunks = keepsChunks
    this.state = createCopy(Uint8Array.from(packs, ({ kind }) => kind))
  }

  /** @param {any} connection */
  submit(connection) {
    connection.query(this.text)
    return null
  }

  /** @override @param {any} message */
  handleCopyData({ chunk }) {
    if (this.error !== null) return
    const { gathered } = this
    const message = this.messageOf(chunk)
    if (gathered !== null && follows(gathered, message) && gathered.length < MOST_GATHERED) {
      const { buffer, byteOffset, length } = gathered
      this.gathered = Buffer.from(/** @type {ArrayBuffer} */ (buffer), byteOffset, length + message.length)
      return
    }
    this.flush()
    this.gathered = message
  }

  /**
   * The message whose payload a chunk is: the bytes before it are its header, if it lies where it came.
   *
   * @param {Buffer} chunk
   */
  messageOf(chunk) {
    const { buffer, byteOffset, length } = chunk
    if (this.keepsChunks && byteOffset >= HEADER_BYTES) {
      const whole = Buffer.from(
        /** @type {ArrayBuffer} */ (buffer),
        byteOffset - HEADER_BYTES,
        length + HEADER_BYTES
      )
      if (whole[0] === COPY_DATA && whole.readInt32BE(1) === length + 4) return whole
    }
    const copy = Buffer.allocUnsafe(length + HEADER_BYTES)
    copy[0] = COPY_DATA
    copy.writeInt32BE(length + 4, 1)
    chunk.copy(copy, HEADER_BYTES)
    return copy
  }

  /** Has Rust take what was gathered. */
  flush() {
    const { gathered } = this
    this.gathered = null
    if (gathered !== null) this.append(gathered)
  }

  /** @param {Buffer} bytes messages; none: the end */
  append(bytes) {
    const { table } = this
    appendCopy(this.state, bytes, table)
    this.rows += table[APPEND_ROWS]
    if (table[APPEND_FAULT] === FAULT_NONE) return
    this.fail(faultOf(this.state, table[APPEND_FAULT], this.fields, table[APPEND_COLUMN]))
    dropColumns(this.state)
  }

  /** @override @param {any} message */
  handleCommandComplete({ text }) {
    this.tag = text
    if (this.error === null) this.flush()
    if (this.error === null) this.append(Buffer.alloc(0))
  }

  /** @override @param {unknown} error */
  handleError(error) {
    this.gathered = null
    if (this.error === null) dropColumns(this.state)
    super.handleError(error)
  }

  /** @override */
  outcome() {
    const columnList = this.packs.map((pack, i) => takePacked(this.state, i, pack, this.fields[i], this.rows))
    const [command, rowCount] = this.tag.split(' ')
    dropColumns(this.state)
    return {
      command,
      rowCount: rowCount === undefined ? null : Number(rowCount),
      rows: [],
      fields: this.fields,
      columns: byName(columnList),
      columnList,
    }
  }
}

/**
 * Whether a message begins where the others end.
 *
 * @param {Buffer} gathered
 * @param {Buffer} message
 */
function follows(gathered, message) {
  return gathered.buffer === message.buffer && gathered.byteOffset + gathered.length === message.byteOffset
}

/**
 * @param {any} client of pg
 * @param {string} text
 * @param {{ columns?: { name: string, dataTypeID: number }[], micros?: boolean }} options
 * @param {(connection: any) => boolean} keepsChunks
 */
async function copyColumns(client, text, { columns, micros = false }, keepsChunks) {
  const fields = columns ?? (await describeSource(client, text))
  const packs = fields.map((field) => copyPackOf(field, micros))
  return new Promise((resolve, reject) => {
    client.query(new CopyColumns(text, fields, packs, keepsChunks(client.connection), resolve, reject))
  })
}

/**
 * @param {any} client
 * @param {string} text
 * @returns {Promise<any[]>}
 */
async function describeSource(client, text) {
  const source = sourceOf(text)
  if (source === null) {
    throw new TypeError(
      'copyColumns() does not see what this statement copies: write COPY ... TO STDOUT (FORMAT binary), or name the ' +
        'columns with the option "columns"'
    )
  }
  const fields = await new Promise((resolve, reject) => {
    client.query(new Description(source, resolve, reject))
  })
  if (fields === null) throw new TypeError('copyColumns() copies a query that gives no rows')
  return fields
}

module.exports = { copyColumns }
