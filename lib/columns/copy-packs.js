'use strict'

/**
 * How the columns of a binary COPY are packed: so that they are those of the same query with `rowMode: 'columns'`, though
 * the server sends everything in binary format, and says nothing of types.
 */

const { makers } = require('./column')
const L = require('../layout')

/** @typedef {import('./pack').Pack} Pack */

/**
 * @param {number} kind
 * @param {import('./pack').Make} make
 * @param {{ millis?: number, isLocal?: boolean }} [more]
 * @returns {Pack}
 */
function pack(kind, make, { millis = L.MILLIS_NO, isLocal = false } = {}) {
  return { kind, make, millis, isLocal }
}

const json = makers.converted(JSON.parse)

/** @type {Map<number, Pack>} */
const PACKS = new Map([
  [16, pack(L.PACK_BINARY_BOOL, makers.bool)],
  [17, pack(L.PACK_BINARY, makers.bytea)],
  [20, pack(L.PACK_BINARY_INT8, makers.int8)],
  [21, pack(L.PACK_BINARY_INT2, makers.plain)],
  [23, pack(L.PACK_BINARY_INT4, makers.plain)],
  [26, pack(L.PACK_BINARY_OID, makers.plain)],
  [114, pack(L.PACK_BINARY, json)],
  [700, pack(L.PACK_BINARY_FLOAT4, makers.plain)],
  [701, pack(L.PACK_BINARY_FLOAT8, makers.plain)],
  [1082, pack(L.PACK_BINARY_DATE, makers.localMillis, { isLocal: true })],
  [1114, pack(L.PACK_BINARY_MICROS, makers.localMillis, { millis: L.MILLIS_LOCAL, isLocal: true })],
  [1184, pack(L.PACK_BINARY_MICROS, makers.zonedMillis, { millis: L.MILLIS_UTC })],
  [1700, pack(L.PACK_BINARY_NUMERIC_TEXT, makers.text)],
  [2950, pack(L.PACK_BINARY_UUID, makers.text)],
  [3802, pack(L.PACK_BINARY_JSONB, json)],
])
// Types whose binary format is their text: char, name, text, xml, unknown, bpchar, varchar.
for (const oid of [18, 19, 25, 142, 705, 1042, 1043]) PACKS.set(oid, pack(L.PACK_BINARY, makers.text))

/** @type {Map<number, Pack>} */
const IN_MICROS = new Map([
  ...PACKS,
  [1114, pack(L.PACK_BINARY_MICROS, makers.localMicros)],
  [1184, pack(L.PACK_BINARY_MICROS, makers.zonedMicros)],
])

/**
 * @param {{ name: string, dataTypeID: number }} field
 * @param {boolean} inMicros
 * @returns {Pack}
 */
function copyPackOf({ name, dataTypeID }, inMicros) {
  const found = (inMicros ? IN_MICROS : PACKS).get(dataTypeID)
  if (found !== undefined) return found
  throw new TypeError(
    `copyColumns() cannot read column ${JSON.stringify(name)}, of the type with the OID ${dataTypeID}, in binary format: ` +
      'cast it to text in the query'
  )
}

module.exports = { copyPackOf }
