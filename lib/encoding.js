'use strict'

/**
 * Text in an encoding other than UTF-8.
 *
 * A server sends text in the encoding that the client has asked for, and says which one in a ParameterStatus message,
 * `client_encoding`. pg never asks for another one than UTF-8 and reads everything as such; an application that has set
 * another one gets replacement characters from stock. Here single texts are decoded from it, and rows that are built
 * natively are rewritten to rows of UTF-8 first, a few KiB at a time, so that all that follows knows of one encoding only.
 */

const { createEncoding, decodeText, transcode } = require('./binding')
const { readShortAscii, SHORT_BYTES } = require('./text')
const { readSetting } = require('./setting')
const { MAX_STRING_LENGTH } = require('node:buffer').constants
const { KIND_RAW, KIND_BINARY_INT2, KIND_BINARY_NUMERIC } = require('./layout')

/** Where the body of the first rewritten row begins. */
const FIRST_BODY = 5

const words = new Int32Array(2)

/** An encoding that is not UTF-8. */
class TextEncoding {
  #state
  /** @type {WeakMap<object, Uint8Array>} */
  #texts = new WeakMap()

  /**
   * @param {string} name
   * @param {import('./binding').EncodingState} state
   */
  constructor(name, state) {
    this.name = name
    this.#state = state
    /**
     * Does what `readText` does, in this encoding.
     *
     * @param {Buffer} bytes
     * @param {number} start
     * @param {number} end
     * @returns {string}
     */
    this.read = (bytes, start, end) => {
      if (end - start <= SHORT_BYTES) {
        const text = readShortAscii(bytes, start, end - start)
        if (text !== null) return text
      }
      // No character has more bytes than four.
      if (end - start > 4 * MAX_STRING_LENGTH) throw tooLong()
      try {
        return decodeText(state, bytes, start, end)
      } catch (err) {
        throw end - start > MAX_STRING_LENGTH ? tooLong() : err
      }
    }
  }

  /**
   * Rewrites rows that lie behind each other to rows of UTF-8.
   *
   * @param {Buffer} bytes
   * @param {number} body of the first one
   * @param {number} most how many there are
   * @param {{ columns: import('./column-plan').Column[] }} shape
   * @returns {{ bytes: Buffer, body: number, rows: number }} as many as were rewritten
   */
  rewrite(bytes, body, most, shape) {
    words[0] = body
    words[1] = most
    const rewritten = transcode(this.#state, bytes, words, this.#textsOf(shape))
    return { bytes: rewritten, body: FIRST_BODY, rows: words[0] }
  }

  /**
   * Which columns of a shape are texts: all but those whose bytes are read as they are.
   *
   * @param {{ columns: import('./column-plan').Column[] }} shape
   */
  #textsOf(shape) {
    let texts = this.#texts.get(shape)
    if (texts === undefined) {
      texts = Uint8Array.from(shape.columns, ({ kind }) => (isText(kind) ? 1 : 0))
      this.#texts.set(shape, texts)
    }
    return texts
  }
}

/** @param {number} kind of a column */
function isText(kind) {
  return kind !== KIND_RAW && !(kind >= KIND_BINARY_INT2 && kind <= KIND_BINARY_NUMERIC)
}

/** What Node.js throws for such a Buffer. */
function tooLong() {
  const err = new Error(`Cannot create a string longer than 0x${MAX_STRING_LENGTH.toString(16)} characters`)
  return Object.assign(err, { code: 'ERR_STRING_TOO_LONG' })
}

/** @type {Map<string, InstanceType<typeof TextEncoding> | null | undefined>} by the names that were met */
const encodings = new Map()

/** A server may claim any name. */
const MOST_NAMES = 100

/**
 * @param {string} name of an encoding of PostgreSQL's, spelled in any way
 * @returns {InstanceType<typeof TextEncoding> | null | undefined} null: read as UTF-8, as stock reads everything;
 *   undefined: there is no such encoding
 */
function findEncoding(name) {
  if (encodings.has(name)) return encodings.get(name)
  const state = createEncoding(name)
  const encoding = state === null || state === undefined ? state : new TextEncoding(name, state)
  if (encodings.size >= MOST_NAMES) encodings.clear()
  encodings.set(name, encoding)
  return encoding
}

/** What is said of an encoding that a parser has to use in place of the server's: nothing. */
const FOLLOW = 'auto'

/**
 * Checks an option or a setting that names an encoding.
 *
 * @param {string} what it is, for the error
 * @param {unknown} name
 * @returns {string}
 */
function checkEncoding(what, name) {
  if (typeof name === 'string' && (name === FOLLOW || findEncoding(name) !== undefined)) return name
  const shown = typeof name === 'string' ? JSON.stringify(name) : String(name)
  throw new TypeError(`${what} is "auto", "utf8" or another encoding of PostgreSQL's, not ${shown}`)
}

/** What the environment says: `PG_PROTOCOL_NATIVE_ENCODING`. */
const setting = checkEncoding(
  'PG_PROTOCOL_NATIVE_ENCODING',
  readSetting('PG_PROTOCOL_NATIVE_ENCODING', [FOLLOW], true)
)

/** @typedef {InstanceType<typeof TextEncoding>} Encoding */

module.exports = { findEncoding, checkEncoding, setting, FOLLOW }
