'use strict'

/**
 * One text out of a Buffer, as `buffer.toString('utf8', start, end)` gives it.
 *
 * `toString` costs 50 to 60 ns however short the text is, most of it for crossing into C++. A text of
 * at most 16 bytes, all ASCII, is built here with `String.fromCharCode` instead, in 10 to 25 ns.
 */

const SHORT_BYTES = 16

/**
 * @param {Buffer} bytes
 * @param {number} start offset of the first byte
 * @param {number} end offset behind the last byte
 * @returns {string}
 * @throws {Error} `ERR_STRING_TOO_LONG` where the text is longer than a string of V8 can be
 */
function readText(bytes, start, end) {
  if (end - start <= SHORT_BYTES) {
    const text = readShortAscii(bytes, start, end - start)
    if (text !== null) return text
  }
  return /** @type {any} */ (bytes).utf8Slice(start, end)
}

/**
 * One call of `fromCharCode` per text: V8 makes the string at its final length at once, where appending
 * character by character would leave a chain of strings behind.
 *
 * @param {Buffer} b
 * @param {number} i
 * @param {number} length at most 16
 * @returns {string | null} null where a byte is not ASCII
 */
function readShortAscii(b, i, length) {
  let all = 0
  for (let k = i, end = i + length; k < end; k++) all |= b[k]
  if (all > 0x7f) return null
  const c = String.fromCharCode
  // prettier-ignore
  switch (length) {
    case 0: return ''
    case 1: return c(b[i])
    case 2: return c(b[i], b[i + 1])
    case 3: return c(b[i], b[i + 1], b[i + 2])
    case 4: return c(b[i], b[i + 1], b[i + 2], b[i + 3])
    case 5: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4])
    case 6: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5])
    case 7: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6])
    case 8: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7])
    case 9: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8])
    case 10: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9])
    case 11: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9], b[i + 10])
    case 12: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9], b[i + 10], b[i + 11])
    case 13: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12])
    case 14: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13])
    case 15: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14])
    default: return c(b[i], b[i + 1], b[i + 2], b[i + 3], b[i + 4], b[i + 5], b[i + 6], b[i + 7],
      b[i + 8], b[i + 9], b[i + 10], b[i + 11], b[i + 12], b[i + 13], b[i + 14], b[i + 15])
  }
}

module.exports = { readText, readShortAscii, SHORT_BYTES }
