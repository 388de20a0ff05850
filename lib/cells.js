'use strict'

/**
 * Cells of a batch that are in no pool: texts that exist already, and those whose bytes were left alone.
 */

const { readText } = require('./text')
const { SHARED_CHARS, SHARED_EMPTY } = require('./layout')

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

module.exports = { sharedText, readRaw, rawLength }
