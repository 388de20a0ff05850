'use strict'

const { createHash } = require('node:crypto')

/**
 * A fingerprint of results: of every row its kind, names in order and values, and what pg says beside the rows.
 */
class Digest {
  hash = createHash('sha256')

  /** @param {any} row */
  row(row) {
    // A lazy row has to be the same as a plain one, but is not one.
    this.hash.update(describe(typeof row.toObject === 'function' ? row.toObject() : row))
  }

  /** @param {any} result */
  result({ command, rowCount, oid, fields }) {
    this.hash.update(describe([command, rowCount, oid, fields]))
  }

  end() {
    return this.hash.digest('hex')
  }
}

/**
 * Two values have the same description only if nobody can tell them apart.
 * @param {any} value
 * @returns {string}
 */
const describe = (value) => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value)
    case 'object':
      return value === null ? 'null' : describeObject(value)
    case 'function':
      return 'a function'
    default:
      return Object.is(value, -0) ? '-0' : `${value}`
  }
}

/** @param {any} object */
const describeObject = (object) => {
  if (Array.isArray(object)) return `[${object.map(describe).join()}]`
  if (Buffer.isBuffer(object)) return `Buffer ${object.toString('hex')}`
  const kind = Object.getPrototypeOf(object)?.constructor?.name
  let text = object instanceof Date ? `Date ${object.getTime()} {` : `${kind} {`
  for (const key of Object.keys(object)) text += `${JSON.stringify(key)}:${describe(object[key])},`
  return `${text}}`
}

module.exports = { Digest, describe }
