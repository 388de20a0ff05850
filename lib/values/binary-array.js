'use strict'

/**
 * Arrays in binary format, as pg-types' `parseArray` means to read them: int4 and int8 as numbers, text as strings.
 *
 * Stock reads integers without their sign, and its booleans end in a message on the console.
 */

/** PostgreSQL's MAXDIM. */
const LEVELS = 6

/** @typedef {(bytes: Buffer, start: number, length: number) => any} ReadElement undefined for a wrong size */

/** @type {ReadElement} */
const readBoolean = (bytes, start, length) =>
  length === 1 && bytes[start] <= 1 ? bytes[start] === 1 : undefined

/** @type {ReadElement} */
const readInt4 = (bytes, start, length) => (length === 4 ? bytes.readInt32BE(start) : undefined)

/** @type {ReadElement} */
const readInt8 = (bytes, start, length) => (length === 8 ? Number(bytes.readBigInt64BE(start)) : undefined)

/** @type {ReadElement} */
const readText = (bytes, start, length) => bytes.toString('utf8', start, start + length)

/** @type {Map<number, ReadElement>} by the element's OID */
const ELEMENTS = new Map([
  [16, readBoolean],
  [20, readInt8],
  [23, readInt4],
  [25, readText],
])

/**
 * Reads the array in `bytes[start..end]`; undefined where its elements are of a type that stock does not read
 * either: the caller asks stock then.
 *
 * @param {Buffer} bytes
 * @param {number} start
 * @param {number} end
 * @returns {any[] | undefined}
 * @throws {Error} where the bytes are not those of an array
 */
function readBinaryArray(bytes, start, end) {
  if (end - start < 12) throw malformed(`${end - start} bytes`)
  const levels = bytes.readInt32BE(start)
  if (levels < 0 || levels > LEVELS) throw malformed(`${levels} levels`)
  const type = bytes.readUInt32BE(start + 8)
  const readElement = ELEMENTS.get(type)
  if (readElement === undefined) return undefined
  let at = start + 12
  if (end - at < 8 * levels) throw malformed(`${levels} levels in ${end - start} bytes`)
  const sizes = []
  let count = levels > 0 ? 1 : 0
  for (let level = 0; level < levels; level++, at += 8) {
    const size = bytes.readInt32BE(at)
    sizes.push(size)
    count *= size
    // each element takes four bytes at least, so that no number that was read can ask for memory
    if (size < 1 || count * 4 > end - start) throw malformed(`${size} elements in ${end - start} bytes`)
  }
  const elements = []
  for (let i = 0; i < count; i++) {
    if (end - at < 4) throw malformed(`element ${i} of ${count} is missing`)
    const length = bytes.readInt32BE(at)
    at += 4
    if (length === -1) {
      elements.push(null)
      continue
    }
    if (length < 0 || length > end - at)
      throw malformed(`element ${i} has ${length} bytes, ${end - at} are left`)
    const element = readElement(bytes, at, length)
    if (element === undefined)
      throw malformed(`element ${i}, of type ${type}, has ${length} bytes or a value it cannot have`)
    elements.push(element)
    at += length
  }
  if (at !== end) throw malformed(`${end - at} bytes behind the last element`)
  return nest(elements, sizes)
}

/**
 * @param {any[]} elements of all levels
 * @param {number[]} sizes of each level, the outermost first
 */
function nest(elements, sizes) {
  for (let level = sizes.length - 1; level > 0; level--) {
    const size = sizes[level]
    const rows = []
    for (let at = 0; at < elements.length; at += size) rows.push(elements.slice(at, at + size))
    elements = rows
  }
  return elements
}

/** @param {string} what */
function malformed(what) {
  return Object.assign(new Error(`malformed binary array: ${what}`), { code: '08P01' })
}

module.exports = { readBinaryArray }
