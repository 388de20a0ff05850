'use strict'

// What a cell in binary format says, read in the plainest way. pg-types has parsers for it which are right about most
// values; pg hands them bytes that have been through a UTF-8 string, so that stock can only be the reference where all
// bytes are below 0x80.

/** @typedef {(bytes: Buffer) => any} Reader */

/** @type {Reader} */
const numeric = (bytes) => {
  const [count, weight, sign] = [0, 2, 4].map((at) => bytes.readInt16BE(at))
  const special = /** @type {Record<number, number>} */ ({ 0xc000: NaN, 0xd000: Infinity, 0xf000: -Infinity })
  if ((sign & 0xffff) in special) return special[sign & 0xffff]
  const digits = Array.from({ length: count }, (_, i) =>
    String(bytes.readUInt16BE(8 + 2 * i)).padStart(4, '0')
  )
  return Number(`${sign === 0 ? '' : '-'}0${digits.join('')}e${(weight + 1 - count) * 4}`)
}

/** A Date with the microseconds that a Date has no room for. @param {boolean} utc @returns {Reader} */
const timestamp = (utc) => (bytes) => {
  const micros = bytes.readBigInt64BE()
  if (micros === 2n ** 63n - 1n) return Infinity
  if (micros === -(2n ** 63n)) return -Infinity
  const rest = ((micros % 1000n) + 1000n) % 1000n
  const date = /** @type {any} */ (new Date(Number((micros - rest) / 1000n) + Date.UTC(2000, 0, 1)))
  if (!utc) date.setTime(date.getTime() + date.getTimezoneOffset() * 60_000)
  date.usec = Number(rest)
  date.getMicroSeconds = function () {
    return this.usec
  }
  date.setMicroSeconds = function (/** @type {number} */ value) {
    this.usec = value
  }
  date.getUTCMicroSeconds = function () {
    return this.usec
  }
  return date
}

/** @type {Reader} */
const int4 = (bytes) => bytes.readInt32BE()
/** In an array a number, where pg-types gives a string for a single one. @type {Reader} */
const int8 = (bytes) => Number(bytes.readBigInt64BE())
/** @type {Reader} */
const text = (bytes) => bytes.toString('utf8')

/** @type {Reader} */
const array = (bytes) => {
  const element = /** @type {Record<number, Reader>} */ ({ 23: int4, 20: int8, 25: text })[
    bytes.readInt32BE(8)
  ]
  const dimensions = Array.from({ length: bytes.readInt32BE(0) }, (_, i) => bytes.readInt32BE(12 + 8 * i))
  let at = 12 + 8 * dimensions.length
  const cell = () => {
    const length = bytes.readInt32BE(at)
    at += 4
    if (length < 0) return null
    at += length
    return element(bytes.subarray(at - length, at))
  }
  const level = (/** @type {number} */ depth) => {
    if (depth === dimensions.length) return cell()
    const entries = /** @type {any[]} */ ([])
    for (let i = 0; i < dimensions[depth]; i++) entries.push(level(depth + 1))
    return entries
  }
  return dimensions.length === 0 ? [] : level(0)
}

/** @type {Record<number, Reader>} by OID; text for what has no parser */
const READERS = {
  16: (bytes) => bytes[0] === 1,
  20: (bytes) => String(bytes.readBigInt64BE()),
  21: (bytes) => bytes.readInt16BE(),
  23: int4,
  26: (bytes) => bytes.readUInt32BE(),
  700: (bytes) => bytes.readFloatBE(),
  701: (bytes) => bytes.readDoubleBE(),
  1700: numeric,
  1114: timestamp(false),
  1184: timestamp(true),
  1007: array,
  1016: array,
  1009: array,
}

/** @param {number} oid @param {Buffer} bytes */
const readBinary = (oid, bytes) => (READERS[oid] ?? text)(bytes)

module.exports = { readBinary }
