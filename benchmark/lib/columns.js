'use strict'

// Kinds of columns: each is a function from a source of random numbers to the text that a server sends for one cell.
// Values hardly ever repeat, but those of `oneOf`: a parser that remembers cells it has seen gains nothing here that it
// would not gain in life.

const { between, createRandom } = require('./random')

/** @typedef {(random: () => number) => string | null} Column */

/**
 * Words of the given letters to cut texts out of; a cut costs far less than drawing letter after letter.
 * @param {string[]} letters
 * @param {number} seed
 */
const words = (letters, seed) => {
  const random = createRandom(seed)
  const text = []
  while (text.length < 1 << 16) {
    for (let left = between(random, 2, 9); left > 0; left--)
      text.push(letters[between(random, 0, letters.length - 1)])
    text.push(' ')
  }
  return text
}

const ASCII = words([...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-.,'], 1)
const ACCENTED = words([...'abcdefghijklmnoprstuvzäöüéèêëïçñåøÄÖÜÉ'], 2)
const CJK = words([...'日本語東京中文字符数据库汉字表格查询한국어서울테이블'], 3)
const EMOJI = words([...'abcdeπλабвгдежз😀🚀🐘✓€'], 4)

/**
 * @param {string[]} source
 * @param {number} shortest in characters
 * @param {number} longest
 * @returns {Column}
 */
const cutOf = (source, shortest, longest) => {
  // One string to slice where each character is one UTF-16 unit; pairs must not be cut in two.
  const joined = source.every((character) => character.length === 1) ? source.join('') : null
  return (random) => {
    const length = between(random, shortest, longest)
    const start = between(random, 0, source.length - length)
    return joined === null
      ? source.slice(start, start + length).join('')
      : joined.slice(start, start + length)
  }
}

/** @param {number} shortest @param {number} longest */
const ascii = (shortest, longest) => cutOf(ASCII, shortest, longest)
/** @param {number} shortest @param {number} longest */
const accented = (shortest, longest) => cutOf(ACCENTED, shortest, longest)
/** @param {number} shortest @param {number} longest */
const cjk = (shortest, longest) => cutOf(CJK, shortest, longest)
/** @param {number} shortest @param {number} longest */
const emoji = (shortest, longest) => cutOf(EMOJI, shortest, longest)

/** @param {number} from @param {number} to @returns {Column} */
const integer = (from, to) => (random) => String(between(random, from, to))

/** @returns {Column} */
const bool = () => (random) => (random() < 0.5 ? 't' : 'f')

/** Amounts such as 1234567.8901. @returns {Column} */
const numeric = () => (random) =>
  `${between(random, -9999999, 9999999)}.${String(between(random, 0, 9999)).padStart(4, '0')}`

/** Numbers as text, padded; a Date per cell would take longer than all the rest of a stream. @param {number} digits */
const padded = (digits) => Array.from({ length: 10 ** digits }, (_, i) => String(i).padStart(digits, '0'))
const TWO = padded(2)
const THREE = padded(3)

/** @returns {Column} */
const timestamptz = () => (random) => {
  const two = (/** @type {number} */ from, /** @type {number} */ to) => TWO[between(random, from, to)]
  const day = `20${two(22, 25)}-${two(1, 12)}-${two(1, 28)}`
  const time = `${two(0, 23)}:${two(0, 59)}:${two(0, 59)}`
  return `${day} ${time}.${THREE[between(random, 0, 999)]}${THREE[between(random, 0, 999)]}+00`
}

/**
 * NULL in one of `every` cells.
 * @param {number} every
 * @param {Column} column
 * @returns {Column}
 */
const nullable = (every, column) => (random) => (random() * every < 1 ? null : column(random))

/** One of a few texts, as in columns of statuses and codes. @param {string[]} texts @returns {Column} */
const oneOf = (texts) => (random) => texts[between(random, 0, texts.length - 1)]

module.exports = { ascii, accented, cjk, emoji, integer, bool, numeric, timestamptz, nullable, oneOf }
