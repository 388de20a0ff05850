'use strict'

const { createHash } = require('node:crypto')

/**
 * A plain copy of anything that a driver hands out, fit to travel to another process and to be compared there: what
 * was a class of its own keeps the class's name, an error its fields, long strings and buffers become hashes.
 * A DataRow is read through `fields`, as a consumer would.
 * @param {any} value
 * @returns {any}
 */
const snapshot = (value) => {
  if (typeof value === 'string') return value.length > 2000 ? `${value.length} chars ${digest(value)}` : value
  if (typeof value === 'function') return `function ${value.name}`
  if (value === null || typeof value !== 'object') return value
  if (value instanceof Date) return { class: 'Date', time: value.getTime() }
  if (ArrayBuffer.isView(value)) {
    const bytes = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
    const text = bytes.length > 1000 ? `${bytes.length} bytes ${digest(bytes)}` : bytes.toString('hex')
    return { class: value.constructor.name, bytes: text }
  }
  if (Array.isArray(value)) return value.map(snapshot)
  if (value instanceof Error) return snapshotError(value)
  if (value.name === 'dataRow') {
    const { length, name, fieldCount, fields } = value
    return { class: value.constructor.name, length, name, fieldCount, fields: snapshot(fields) }
  }
  if (value.constructor?.name === 'Result') return snapshotResult(value)
  const plain = Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, snapshot(entry)]))
  const prototype = Object.getPrototypeOf(value)
  if (prototype === null || prototype === Object.prototype) return plain
  return { class: prototype.constructor.name, ...plain }
}

/** @param {any} error */
const snapshotError = (error) => {
  const { DatabaseError } = require('pg')
  const fields = { ...error }
  // pg-pool hangs the client on the errors that it emits
  delete fields.client
  return {
    class: error.constructor.name,
    message: error.message,
    text: String(error),
    isDatabaseError: error instanceof DatabaseError,
    ...Object.fromEntries(Object.entries(fields).map(([key, entry]) => [key, snapshot(entry)])),
  }
}

/** @param {any} result */
const snapshotResult = ({ command, rowCount, oid, rows, fields }) => ({
  class: 'Result',
  command,
  rowCount,
  oid,
  rows: snapshot(rows),
  // the order of keys is part of a row's value
  keys: rows.length > 0 ? Object.keys(rows[0]) : [],
  fields: snapshot(fields),
})

/** @param {string | Buffer} data */
const digest = (data) => createHash('sha256').update(data).digest('hex')

/**
 * Hashes many values in a row, where keeping them all would be too much.
 */
const rollingDigest = () => {
  const hash = createHash('sha256')
  let count = 0
  return {
    /** @param {any} value */
    add(value) {
      count++
      hash.update(JSON.stringify(snapshot(value)) + '\n')
    },
    value: () => ({ count, hash: hash.digest('hex') }),
  }
}

module.exports = { snapshot, digest, rollingDigest }
