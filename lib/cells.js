'use strict'

/**
 * Cells of a batch that are in no pool: texts that exist already, and those whose bytes were left alone.
 *
 * Of texts that exist already there are two kinds: those that are the same for all, and those of a dictionary, which
 * belongs to a decoder (`src/text/dictionary.rs`). Whoever uses such a decoder keeps a string for each slot.
 */

const { readText } = require('./text')
const {
  SHARED_CHARS,
  SHARED_EMPTY,
  SHARED_SLOTS,
  SLOTS,
  NEW_TEXTS,
  NEW_TEXT_WORDS,
  POOL_SHIFT,
} = require('./layout')

/**
 * The strings of a decoder: those that are the same for all (`shared` in `src/text/pool.rs`), each made when it is first
 * met, then one for each slot of its dictionary. In one array, so that finding one is a single load.
 *
 * @returns {string[]}
 */
function makeStrings() {
  return new Array(SHARED_SLOTS + SLOTS).fill('')
}

/**
 * Makes the strings for the texts that a batch brought. Before any of its rows is read, and whether or not they will be
 * read: Rust takes it for granted that they are there.
 *
 * @param {Int32Array} table
 * @param {string} pool the short texts of one byte per character
 * @param {string[]} strings
 */
function learnTexts(table, pool, strings) {
  let at = table.length - NEW_TEXT_WORDS
  for (let left = table[NEW_TEXTS]; left > 0; left--, at += 2) {
    const word = table[at + 1]
    strings[SHARED_SLOTS + (word >> POOL_SHIFT)] = pool.substring(table[at], word & 0xffff)
  }
}

/**
 * A text that exists already, where `strings[index]` is empty: it is met for the first time, or it is the empty one.
 *
 * @param {number} index
 * @param {string[]} strings
 * @returns {string}
 */
function makeText(index, strings) {
  if (index === SHARED_EMPTY) return ''
  const text = index < SHARED_CHARS ? String(index) : String.fromCharCode(index - SHARED_CHARS)
  strings[index] = text
  return text
}

/**
 * A cell that no pool took.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @returns {string}
 */
function readRaw(bytes, start) {
  return readText(bytes, start, start + rawLength(bytes, start))
}

/**
 * How many bytes a cell has: its length, which was checked, stands before it.
 *
 * @param {Buffer} bytes
 * @param {number} start
 */
function rawLength(bytes, start) {
  return (bytes[start - 4] << 24) | (bytes[start - 3] << 16) | (bytes[start - 2] << 8) | bytes[start - 1]
}

module.exports = { makeStrings, learnTexts, makeText, readRaw, rawLength }
