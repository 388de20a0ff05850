'use strict'

const { nameOf } = require('./streams')

/** @typedef {import('./streams').BuiltStream} BuiltStream */
/** @typedef {import('./receivers').Receiver} Receiver */
/** @typedef {(receiver: Receiver) => number} Pass takes the stream once and says how many rows came */

/** What escapes to here cannot be optimised away, neither the row nor what was read from it. */
let last = /** @type {unknown} */ (null)

/**
 * @param {Receiver} receiver
 * @param {Iterable<Buffer>} chunks
 * @param {import('./streams').QueryConfig} config
 * @param {import('./receivers').RowListener | null} listener
 */
const answer = (receiver, chunks, config, listener) => {
  receiver.ask(config, listener)
  for (const chunk of chunks) receiver.receive(chunk)
  return receiver.result()
}

/**
 * Looks at each row and forgets it.
 * @param {BuiltStream} stream
 * @returns {Pass}
 */
const dropped = ({ chunks, config, reads }) => {
  let rows = 0
  const read = readerOf(reads)
  const listener =
    reads.length === 0
      ? (/** @type {any} */ row) => {
          last = row
          rows++
        }
      : (/** @type {any} */ row) => {
          read(row)
          rows++
        }
  return (receiver) => {
    rows = 0
    answer(receiver, chunks, config, listener)
    return rows
  }
}

/**
 * Has all rows in its hands at the end.
 * @param {BuiltStream} stream
 * @returns {Pass}
 */
const kept = ({ chunks, config, reads }) => {
  const read = readerOf(reads)
  return (receiver) => {
    const { rows } = answer(receiver, chunks, config, null)
    if (reads.length > 0) for (const row of rows) read(row)
    return rows.length
  }
}

/**
 * One query after the other, each with a callback and each forgotten at once.
 * @param {BuiltStream} stream
 * @returns {Pass}
 */
const answers =
  ({ chunks, config }) =>
  (receiver) => {
    let rows = 0
    for (const chunk of chunks) {
      receiver.ask({ ...config }, null)
      receiver.receive(chunk)
      const result = receiver.result()
      last = result
      rows += result.rows.length
    }
    return rows
  }

/**
 * What an application reads of a row.
 * @param {number[]} reads
 */
const readerOf = (reads) => {
  const [first, second] = reads.map(nameOf)
  return (/** @type {any} */ row) => {
    last = row[first]
    last = row[second]
  }
}

/**
 * @param {BuiltStream} stream
 * @param {'dropped' | 'kept'} consumer
 */
const createPass = (stream, consumer) =>
  stream.answers ? answers(stream) : consumer === 'dropped' ? dropped(stream) : kept(stream)

module.exports = { createPass, answer, readerOf, leftover: () => last }
