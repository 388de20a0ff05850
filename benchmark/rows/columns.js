'use strict'

// Columns of each type that pg-types knows by itself: what a server says of them, and what it sends for a cell.

const { ascii, integer, bool, numeric, timestamptz, nullable } = require('../lib/columns')
const { between } = require('../lib/random')

/**
 * @typedef {import('../lib/columns').Column} Cell
 * @typedef {{dataTypeID: number, format: number, cell: Cell}} TypedColumn
 */

/** @param {() => number} random @param {number} from @param {number} to */
const two = (random, from, to) => String(between(random, from, to)).padStart(2, '0')
/** @type {Cell} */
const date = (random) => `20${two(random, 0, 35)}-${two(random, 1, 12)}-${two(random, 1, 28)}`
/** @type {Cell} */
const time = (random) =>
  `${two(random, 0, 23)}:${two(random, 0, 59)}:${two(random, 0, 59)}.${between(random, 100000, 999999)}`
/** @type {Cell} */
const timestamp = (random) => `${date(random)} ${time(random)}`

/** @param {() => number} random @param {number} digits */
const hex = (random, digits) => {
  let text = ''
  while (text.length < digits) text += between(random, 0, 0xffffff).toString(16).padStart(6, '0')
  return text.slice(0, digits)
}
/** @type {Cell} */
const uuid = (random) =>
  `${hex(random, 8)}-${hex(random, 4)}-4${hex(random, 3)}-8${hex(random, 3)}-${hex(random, 12)}`
/** @type {Cell} */
const bytea = (random) => `\\x${hex(random, 2 * between(random, 8, 32))}`

/** @type {Cell} */
const int8 = (random) => String(between(random, 1, 9_000_000)) + String(between(random, 1e9, 9e9))
/** @type {Cell} */
const float4 = (random) => String(Number((random() * 1e4).toPrecision(6)))
/** @type {Cell} */
const float8 = (random) => String((random() - 0.5) * 1e6)
const word = ascii(3, 12)
/** @type {Cell} */
const bpchar = (random) => String(word(random)).padEnd(12)
/** @type {Cell} */
const char = (random) => String.fromCharCode(between(random, 97, 122))

/** @param {string} colon @param {string} comma jsonb is printed with blanks @returns {Cell} */
const json = (colon, comma) => (random) => {
  const pairs = [
    `"id"${colon}${between(random, 1, 999999)}`,
    `"name"${colon}"${word(random)}"`,
    `"tags"${colon}["${word(random)}"${comma}"${word(random)}"]`,
    `"active"${colon}${random() < 0.5}`,
  ]
  return `{${pairs.join(comma)}}`
}

/** @type {Cell} */
const interval = (random) => {
  const days = between(random, 0, 30)
  return `${days === 0 ? '' : `${days} day${days === 1 ? '' : 's'} `}${time(random)}`
}

/** @param {Cell} element @returns {Cell} */
const array = (element) => (random) => {
  const elements = Array.from({ length: between(random, 1, 5) }, () => element(random))
  return `{${elements.map(elementText).join(',')}}`
}

/** @param {string | null} element */
const elementText = (element) =>
  element === null ? 'NULL' : /[\s,]|^$/.test(element) ? `"${element}"` : element

/** @type {Record<string, [number, Cell]>} */
const TYPES = {
  int2: [21, integer(-32768, 32767)],
  int4: [23, integer(-2147483648, 2147483647)],
  oid: [26, integer(1, 4294967295)],
  int8: [20, int8],
  float4: [700, float4],
  float8: [701, float8],
  bool: [16, bool()],
  numeric: [1700, numeric()],
  text: [25, ascii(5, 30)],
  varchar: [1043, ascii(5, 20)],
  bpchar: [1042, bpchar],
  name: [19, ascii(4, 20)],
  char: [18, char],
  uuid: [2950, uuid],
  date: [1082, date],
  timestamp: [1114, timestamp],
  timestamptz: [1184, timestamptz()],
  bytea: [17, bytea],
  json: [114, json(':', ',')],
  jsonb: [3802, json(': ', ', ')],
  interval: [1186, interval],
  'int4[]': [1007, array(integer(0, 99999))],
  'text[]': [1009, array(nullable(10, word))],
}

/**
 * @param {string} type
 * @param {Cell} [cell] other values of the type
 * @returns {TypedColumn}
 */
const text = (type, cell = TYPES[type][1]) => ({ dataTypeID: TYPES[type][0], format: 0, cell })

/**
 * pg turns a binary cell into a string of UTF-8 and that into bytes again, which destroys those above 0x7f. To have an
 * answer that both agree on, there are none in these streams.
 * @param {string} type
 * @param {Cell} cell
 * @returns {TypedColumn}
 */
const binary = (type, cell) => ({ dataTypeID: TYPES[type][0], format: 1, cell })

/** @param {number} to @returns {Cell} */
const binaryInt4 = (to) => (random) => {
  const value = between(random, 0, to) & 0x7f7f7f7f
  return String.fromCharCode(value >> 24, (value >> 16) & 0xff, (value >> 8) & 0xff, value & 0xff)
}

/** @type {Cell} */
const binaryBool = (random) => (random() < 0.5 ? '\x01' : '\x00')

module.exports = { TYPES, text, binary, binaryInt4, binaryBool }
