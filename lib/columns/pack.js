'use strict'

/**
 * Which columns are packed, and how.
 *
 * As for rows, a column is converted natively only if pg would call pg-types' own parser for it. Values of other parsers
 * are made in time, by calling these with what stock passes, and go into a plain array.
 */

const { makers } = require('./column')
const L = require('../layout')

/**
 * @typedef {(field: import('./column').Field, packed: import('./column').Packed) => InstanceType<typeof import('./column').Column>} Make
 *
 * @typedef {object} Pack
 * @property {number} kind one of `PACK_*`
 * @property {Make | null} make null where the column is left to JavaScript
 * @property {number} millis one of `MILLIS_*`: whether Rust is to make milliseconds of its microseconds
 * @property {boolean} isLocal whether values hang on the local time zone
 */

/**
 * @param {number} kind
 * @param {Make | null} make
 * @param {{ millis?: number, isLocal?: boolean }} [more]
 * @returns {Pack}
 */
function pack(kind, make, { millis = L.MILLIS_NO, isLocal = false } = {}) {
  return { kind, make, millis, isLocal }
}

const LEFT = pack(L.PACK_LEFT, null)
const TEXT = pack(L.PACK_TEXT, makers.text)

const ZONED = pack(L.PACK_ZONED_MILLIS, makers.zonedMillis)
const LOCAL = pack(L.PACK_LOCAL_MILLIS, makers.localMillis, { isLocal: true })
const ZONED_MICROS = pack(L.PACK_ZONED_MICROS, makers.zonedMicros)
const LOCAL_MICROS = pack(L.PACK_LOCAL_MICROS, makers.localMicros)

const INT = pack(L.PACK_INT, makers.plain)
const INT8 = pack(L.PACK_INT8, makers.int8)
const OID = pack(L.PACK_OID, makers.plain)
const FLOAT = pack(L.PACK_FLOAT, makers.plain)
const BOOL = pack(L.PACK_BOOL, makers.bool)
const BYTEA = pack(L.PACK_BYTEA, makers.bytea)

/** @type {Map<number, Pack>} by the kind that rows of binary format have */
const BINARY = new Map([
  [L.KIND_BINARY_BOOL, pack(L.PACK_BINARY_BOOL, makers.bool)],
  [L.KIND_BINARY_INT2, pack(L.PACK_BINARY_INT2, makers.plain)],
  [L.KIND_BINARY_INT4, pack(L.PACK_BINARY_INT4, makers.plain)],
  [L.KIND_BINARY_INT8, pack(L.PACK_BINARY_INT8, makers.int8)],
  [L.KIND_BINARY_OID, pack(L.PACK_BINARY_OID, makers.plain)],
  [L.KIND_BINARY_FLOAT4, pack(L.PACK_BINARY_FLOAT4, makers.plain)],
  [L.KIND_BINARY_FLOAT8, pack(L.PACK_BINARY_FLOAT8, makers.plain)],
  [L.KIND_BINARY_NUMERIC, pack(L.PACK_BINARY_NUMERIC, makers.plain)],
  [L.KIND_TEXT, pack(L.PACK_BINARY, makers.binaryText)],
])

const BINARY_ZONED = pack(L.PACK_BINARY_MICROS, makers.binaryZonedMillis, { millis: L.MILLIS_UTC })
const BINARY_LOCAL = pack(L.PACK_BINARY_MICROS, makers.binaryLocalMillis, { millis: L.MILLIS_UTC })
const BINARY_ZONED_MICROS = pack(L.PACK_BINARY_MICROS, makers.binaryZonedMicros)
const BINARY_LOCAL_MICROS = pack(L.PACK_BINARY_MICROS, makers.binaryLocalMicros)

/**
 * @param {any} field of a RowDescription
 * @param {any} parse what pg would call for it
 * @param {import('../column-plan').Column} column how rows would have it
 * @param {import('../column-plan').Types} types
 * @param {boolean} inMicros whether timestamps are wanted in microseconds
 * @returns {Pack}
 */
function packOf(field, parse, column, types, inMicros) {
  return field.format === 'binary'
    ? binaryPack(field.dataTypeID, column, inMicros)
    : textPack(field.dataTypeID, parse, column, types, inMicros)
}

/**
 * @param {number} oid
 * @param {import('../column-plan').Column} column
 * @param {boolean} inMicros
 */
function binaryPack(oid, column, inMicros) {
  if (column.how === 'read' && oid === 1184) return inMicros ? BINARY_ZONED_MICROS : BINARY_ZONED
  if (column.how === 'read' && oid === 1114) return inMicros ? BINARY_LOCAL_MICROS : BINARY_LOCAL
  return BINARY.get(column.kind) ?? LEFT
}

/**
 * @param {number} oid
 * @param {any} parse
 * @param {import('../column-plan').Column} column
 * @param {import('../column-plan').Types} types
 * @param {boolean} inMicros
 */
function textPack(oid, parse, column, types, inMicros) {
  const { text } = types
  switch (column.how) {
    case 'int':
      // Of another type it may read a part of the text, or more than an Int32.
      return oid === 21 || oid === 23 ? INT : LEFT
    case 'double':
      return column.kind === L.KIND_OID ? OID : FLOAT
    case 'bool':
      return BOOL
    case 'zoned':
      return inMicros ? ZONED_MICROS : ZONED
    case 'local':
      return inMicros && oid === 1114 ? LOCAL_MICROS : LOCAL
    case 'text':
      return oid === 20 && parse === text[20] ? INT8 : TEXT
    case 'convert':
      if (parse === text[17]) return BYTEA
      // These hang on the time zone.
      if (parse === text[1115]) return LEFT
      return converted(/** @type {(text: string) => any} */ (column.convert))
    default:
      return parse === text[oid] || isJson(oid, parse) ? converted(parse) : LEFT
  }
}

/**
 * Whether it is pg-types' parser of JSON, of which there is another one each time it is asked for. Should it be another
 * bound `parse`, then this will be called all the same: only not before its value is asked for.
 *
 * @param {number} oid
 * @param {any} parse
 */
function isJson(oid, parse) {
  return (oid === 114 || oid === 3802) && parse.name === 'bound parse' && !Object.hasOwn(parse, 'prototype')
}

/** @type {WeakMap<Function, Pack>} */
const packs = new WeakMap()

/** @param {(text: string) => any} convert */
function converted(convert) {
  let known = packs.get(convert)
  if (known === undefined) {
    known = pack(L.PACK_TEXT, makers.converted(convert))
    packs.set(convert, known)
  }
  return known
}

module.exports = { packOf, LEFT }
