'use strict'

const { createHash } = require('node:crypto')

/**
 * A fingerprint of what a consumer gets to see of a stream: of each message its name and length, of a row what the
 * consumer reads, of any other message everything. Two parsers that agree on it gave the same answer.
 * @param {{parse(chunk: Buffer, callback: (message: any) => void): void}} parser
 * @param {Buffer[]} chunks
 * @param {(message: any) => unknown} reads
 */
const digestOf = (parser, chunks, reads) => {
  const hash = createHash('sha256')
  for (const chunk of chunks) {
    parser.parse(chunk, (message) => {
      const seen = message.name === 'dataRow' ? [message.name, message.length, reads(message)] : message
      hash.update(JSON.stringify(seen))
    })
  }
  return hash.digest('hex')
}

/** @param {unknown[]} rows */
const digestOfRows = (rows) => {
  const hash = createHash('sha256')
  for (const row of rows) hash.update(JSON.stringify(row))
  return hash.digest('hex')
}

/** @param {Buffer[]} chunks */
const digestOfBytes = (chunks) => {
  const hash = createHash('sha256')
  for (const chunk of chunks) hash.update(chunk)
  return hash.digest('hex')
}

module.exports = { digestOf, digestOfBytes, digestOfRows }
