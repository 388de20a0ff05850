'use strict'

/**
 * Whom a parser belongs to: the stream that it pauses, resumes and destroys, and who is offered its rows.
 *
 * pg-protocol makes its parser inside `parse(stream, callback)`, with nothing to hand it a stream by. So whoever calls that
 * says here whose parsers are made meanwhile.
 */

/**
 * Takes rows before they become messages.
 *
 * @typedef {object} RowTarget
 * @property {(parser: any, bytes: Buffer, body: number, count: number) => void} take is offered `count` rows that lie
 *   behind each other in `bytes`, the first one's body at `body`
 * @property {number} taken how many of them it took, also when it threw
 * @property {(parser: any, stream: any) => void} [attach] is told whose rows it takes
 * @property {(fields: any[]) => void} describe is told the fields of each RowDescription before that is delivered
 */

/** @type {{ stream: any, rows: RowTarget | null, encoding: string | null }} */
let next = { stream: null, rows: null, encoding: null }

/** Whom a parser that is made now belongs to. */
function belonging() {
  return next
}

/**
 * Calls `make`; the parsers that it makes belong to `stream`: they pause, resume and destroy it, and offer
 * their rows to `rows`; they read text in `encoding`, if that is given.
 *
 * @template T
 * @param {import('node:stream').Readable} stream
 * @param {() => T} make
 * @param {RowTarget | null} [rows]
 * @param {string | null} [encoding]
 * @returns {T}
 */
function forStream(
  stream,
  make,
  rows = stream === next.stream ? next.rows : null,
  encoding = stream === next.stream ? next.encoding : null
) {
  const before = next
  next = { stream, rows, encoding }
  try {
    return make()
  } finally {
    next = before
  }
}

module.exports = { belonging, forStream }
