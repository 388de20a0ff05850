'use strict'

/**
 * Arrays in text format, as the array parsers of pg-types read them.
 *
 * The simple version, postgres-array, makes an object of each character and an array of characters of each
 * element. Here an element is one slice. Only what a server prints is read; anything else (text without
 * braces, empty elements, backslashes outside of quotes) is left to stock's own parser, and so is the error it throws.
 */

const { isDeepStrictEqual } = require('node:util')

/** PostgreSQL's MAXDIM; deeper braces come from somebody else. */
const LEVELS = 6

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const OPEN = 0x7b
const CLOSE = 0x7d

/** @typedef {(text: string) => any} Convert */

/** Where the part ends that was read last. */
let next = 0

/**
 * Reads an array whose elements `convert` makes from their texts; null where the text is not that of an array.
 *
 * @param {string} text
 * @param {Convert} convert not called for NULL
 * @returns {any[] | null}
 */
function readArray(text, convert) {
  // Lower bounds: `[0:1]={a,b}`
  const start = text.charCodeAt(0) === 0x5b ? text.indexOf('=') + 1 : 0
  if (text.charCodeAt(start) !== OPEN) return null
  const entries = readLevel(text, start + 1, convert, 1)
  return next === text.length ? entries : null
}

/**
 * @param {string} text
 * @param {number} at behind the brace that opens
 * @param {Convert} convert
 * @param {number} level
 * @returns {any[] | null}
 */
function readLevel(text, at, convert, level) {
  /** @type {any[]} */
  const entries = []
  if (text.charCodeAt(at) === CLOSE) {
    next = at + 1
    return entries
  }
  for (;;) {
    const code = text.charCodeAt(at)
    if (code === OPEN) {
      if (level === LEVELS) return null
      const entry = readLevel(text, at + 1, convert, level + 1)
      if (entry === null) return null
      entries.push(entry)
      at = next
    } else if (code === QUOTE) {
      const value = readQuoted(text, at + 1)
      if (value === null) return null
      at = next
      entries.push(convert(value))
    } else if (convert === asInteger && endOfDigits(text, at) > at) {
      entries.push(integer)
      at = next
    } else {
      const end = endOfBare(text, at)
      if (end === at) return null
      const isNull = end - at === 4 && text.startsWith('NULL', at)
      entries.push(isNull ? null : convert(text.slice(at, end)))
      at = end
    }
    const separator = text.charCodeAt(at++)
    if (separator === COMMA) continue
    next = at
    return separator === CLOSE ? entries : null
  }
}

/**
 * The end of an element without quotes. Where something else than a separator follows, the caller sees it.
 *
 * @param {string} text
 * @param {number} at
 */
function endOfBare(text, at) {
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || code === CLOSE || code === QUOTE || code === BACKSLASH || code === OPEN) break
  }
  return at
}

/** What `endOfDigits` read. */
let integer = 0

/**
 * Reads a short unsigned integer without making a string of it, and gives its end; `at` where there is none
 * or something else than a separator follows.
 *
 * @param {string} text
 * @param {number} at
 */
function endOfDigits(text, at) {
  let value = 0
  for (let end = at; end < at + 10; end++) {
    const code = text.charCodeAt(end)
    if (code === COMMA || code === CLOSE) {
      integer = value
      next = end
      return end
    }
    const digit = code - 0x30
    if (!(digit >= 0 && digit <= 9)) return at
    value = value * 10 + digit
  }
  return at
}

/**
 * @param {string} text
 * @param {number} at behind the quote that opens
 */
function readQuoted(text, at) {
  let value = ''
  let start = at
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) {
      next = at + 1
      return value === '' ? text.slice(start, at) : value + text.slice(start, at)
    }
    if (code === BACKSLASH) {
      value += text.slice(start, at)
      start = ++at
    }
  }
  return null
}

/** @type {Convert} */
const asText = (text) => text
/** @type {Convert} */
const asInteger = (text) => parseInt(text, 10)
/** @type {Convert} */
const asFloat = (text) => parseFloat(text)
/** @type {Convert} */
const asBigInteger = (text) => text.trim()
/** @type {Convert} */
const asJson = (text) => JSON.parse(text)

/**
 * What makes the elements, by the array's OID. A number stands for the type whose stock parser does it.
 *
 * @type {[Convert | number, number[]][]}
 */
const ELEMENTS = [
  [16, [1000]], // bool
  [17, [1001]], // bytea
  [600, [1017]], // point
  [1184, [1115, 1182, 1185]], // timestamptz, for timestamp and date too
  [1186, [1187]], // interval
  [asInteger, [1005, 1007, 1028]],
  [asBigInteger, [1016]],
  [asFloat, [1021, 1022, 1231]],
  [asJson, [199, 3807]],
  // cidr, char, varchar, regproc, text, macaddr, inet, numrange, uuid, money, time, timetz
  [asText, [651, 1014, 1015, 1008, 1009, 1040, 1041, 3907, 2951, 791, 1183, 1270]],
]

/** Arrays whose elements tell how the parser reads them, whichever type they have. */
const PROBES = [
  '{1.5,NULL,"t"}',
  '[2:2][0:1]={{" 2 ","\\\\x6162"}}',
  '{"a\\"b"}',
  '{"2024-05-06 07:08:09+00","(1,2)","1 day"}',
]

/**
 * Makes faster twins of pg-types' array parsers.
 *
 * Another version of pg-types may make other elements (numbers of `numeric[]`, strings since version 4): a
 * parser gets a twin only if both give the same for a few arrays that show it.
 *
 * @param {Readonly<Record<number, Convert>>} stock pg-types' own text parsers by OID, none of the application's
 * @param {Readonly<Record<number, Convert>>} [elements] what makes the elements in their place, by the element's OID
 * @returns {Map<Convert, Convert>} the twin of each stock array parser
 */
function createArrayParsers(stock, elements = {}) {
  const twins = new Map()
  for (const [element, oids] of ELEMENTS) {
    const convert = typeof element === 'number' ? (elements[element] ?? stock[element]) : element
    if (typeof convert !== 'function') continue
    for (const oid of oids) {
      const parse = stock[oid]
      if (typeof parse !== 'function' || twins.has(parse)) continue
      const twin = twinOf(parse, convert)
      if (PROBES.every((probe) => isSame(parse, twin, probe))) twins.set(parse, twin)
    }
  }
  return twins
}

/**
 * @param {Convert} parse
 * @param {Convert} convert
 * @returns {Convert}
 */
function twinOf(parse, convert) {
  return (text) => {
    let array = null
    try {
      array = readArray(text, convert)
    } catch {
      // Which error it is may hang on what stands behind the element: stock is asked.
    }
    return array ?? parse(text)
  }
}

/**
 * @param {Convert} parse
 * @param {Convert} twin
 * @param {string} text
 */
function isSame(parse, twin, text) {
  return isDeepStrictEqual(outcome(parse, text), outcome(twin, text))
}

/**
 * @param {Convert} parse
 * @param {string} text
 */
function outcome(parse, text) {
  try {
    return parse(text)
  } catch (error) {
    return String(error)
  }
}

module.exports = { readArray, createArrayParsers }
