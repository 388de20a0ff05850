'use strict'

/**
 * bytea in text format, as `postgres-bytea` 1.0 reads it.
 *
 * Stock never comes to an end on a backslash that neither another one nor three octal digits follow; here that is
 * an error. It reads a lone run of backslashes in pairs, and so does this.
 */

const { readText } = require('../text')

const BACKSLASH = 0x5c

/**
 * @param {string} text
 * @returns {Buffer}
 * @throws {Error} where the escape format is broken
 */
function readBytea(text) {
  if (text.charCodeAt(0) === BACKSLASH && text.charCodeAt(1) === 0x78)
    return Buffer.from(text.substring(2), 'hex')
  if (!text.includes('\\')) return Buffer.from(text, 'latin1')
  return readEscaped(text)
}

/** @param {string} text */
function readEscaped(text) {
  const bytes = Buffer.alloc(text.length)
  let length = 0
  let at = 0
  while (at < text.length) {
    const code = text.charCodeAt(at)
    if (code !== BACKSLASH) {
      bytes[length++] = code
      at++
      continue
    }
    const octal = readOctal(text, at + 1)
    if (octal >= 0) {
      bytes[length++] = octal
      at += 4
    } else if (text.charCodeAt(at + 1) === BACKSLASH) {
      bytes[length++] = BACKSLASH
      at += 2
    } else {
      throw Object.assign(
        new Error(`malformed bytea: a backslash with nothing to escape at character ${at}`),
        {
          code: '22P02',
        }
      )
    }
  }
  return bytes.subarray(0, length)
}

/**
 * @param {string} text
 * @param {number} at
 * @returns {number} the code that three octal digits tell, -1 where there are none
 */
function readOctal(text, at) {
  let code = 0
  for (let place = at; place < at + 3; place++) {
    const digit = text.charCodeAt(place) - 0x30
    if (!(digit >= 0 && digit <= 7)) return -1
    code = code * 8 + digit
  }
  return code
}

/**
 * The same from the bytes of the text, which may be too long for a string.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} length
 * @returns {Buffer}
 */
function readByteaBytes(bytes, start, length) {
  const end = start + length
  if (length < 2 || bytes[start] !== BACKSLASH || bytes[start + 1] !== 0x78) {
    return readBytea(readText(bytes, start, end))
  }
  if (length <= HEX_CHARS) return Buffer.from(latin1(bytes, start + 2, end), 'hex')
  const value = Buffer.allocUnsafeSlow((length - 2) >> 1)
  let filled = 0
  for (let at = start + 2; at < end; at += HEX_CHARS) {
    const part = Math.min(HEX_CHARS, end - at)
    const written = value.write(latin1(bytes, at, at + part), filled, 'hex')
    filled += written
    // Like `Buffer.from`: what is no hex digit ends the value.
    if (written < part >> 1) break
  }
  return value.subarray(0, filled)
}

/**
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 */
const latin1 = (bytes, start, end) => bytes.toString('latin1', start, end)

/** So many hex digits are decoded at once: an even number. */
const HEX_CHARS = 1 << 20

module.exports = { readBytea, readByteaBytes }
