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
 * Strings that are met all the time, made once: see `shared` in `src/text/pool.rs`.
 *
 * @type {string[]}
 */
const sharedTexts = new Array(SHARED_EMPTY + 1).fill('')

/**
 * @param {number} index
 * @returns {string}
 */
function sharedText(index) {
  const text = sharedTexts[index]
  return text !== '' || index === SHARED_EMPTY ? text : makeSharedText(index)
}

/** @param {number} index */
function makeSharedText(index) {
  const text = index < SHARED_CHARS ? String(index) : String.fromCharCode(index - SHARED_CHARS)
  sharedTexts[index] = text
  return text
}

/** The strings for the slots of a dictionary. */
function makeStrings() {
  return new Array(SLOTS).fill('')
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
    strings[word >> POOL_SHIFT] = pool.substring(table[at], word & 0xffff)
  }
}

/**
 * A text that exists already.
 *
 * @param {number} index
 * @param {string[]} strings those of the dictionary
 * @returns {string}
 */
function knownText(index, strings) {
  return index < SHARED_SLOTS ? sharedText(index) : strings[index - SHARED_SLOTS]
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

module.exports = { makeStrings, learnTexts, knownText, readRaw, rawLength }
