'use strict'

const fc = require('fast-check')

// A socket cuts a stream wherever it likes. `everyWay` feeds one stream in all the ways that have ever broken a parser:
// whole, cut once at every byte offset, in equal pieces, and with empty chunks in between; `randomCuts` adds the rest.
//
// Every chunk is a view into memory of its own whose other bytes are a canary: a parser that reads one byte too far
// sees 0xEE (never a legal length, type or UTF-8 byte), so it shows in the message and not only in a crash.

const PIECES = [1, 2, 3, 4, 5, 7, 13, 64, 128]
const CANARY = 0xee
const MARGIN = 16

/**
 * A copy of the bytes with canaries around them.
 * @param {Buffer} bytes
 */
const guarded = (bytes) => {
  const memory = Buffer.alloc(bytes.length + 2 * MARGIN, CANARY)
  bytes.copy(memory, MARGIN)
  return memory.subarray(MARGIN, MARGIN + bytes.length)
}

/**
 * @param {Buffer} stream
 * @param {number[]} offsets where to cut; equal or unordered offsets make empty chunks or are put in order
 */
const cutAt = (stream, offsets) => {
  const borders = [0, ...[...offsets].sort((a, b) => a - b), stream.length]
  const chunks = []
  for (let i = 1; i < borders.length; i++) chunks.push(guarded(stream.subarray(borders[i - 1], borders[i])))
  return chunks
}

/** @param {Buffer} stream @param {number} size */
const inPieces = (stream, size) => {
  const chunks = []
  for (let at = 0; at < stream.length; at += size) chunks.push(guarded(stream.subarray(at, at + size)))
  return chunks
}

/** @param {Buffer[]} chunks */
const withEmptyChunks = (chunks) => {
  const empty = Buffer.alloc(0)
  return [empty, ...chunks.flatMap((chunk) => [chunk, empty, empty])]
}

/**
 * @param {Buffer} stream
 * @param {{cuts?: Iterable<number>}} [options] `cuts` narrows the single cuts where the stream is too long for all of them
 * @returns {Generator<{how: string, chunks: Buffer[]}>}
 */
function* everyWay(stream, options = {}) {
  yield { how: 'whole', chunks: [guarded(stream)] }
  yield { how: 'whole, with empty chunks', chunks: withEmptyChunks([guarded(stream)]) }
  for (const at of options.cuts ?? upTo(stream.length))
    yield { how: `cut at ${at}`, chunks: cutAt(stream, [at]) }
  for (const size of PIECES) {
    yield { how: `pieces of ${size}`, chunks: inPieces(stream, size) }
    yield { how: `pieces of ${size}, with empty chunks`, chunks: withEmptyChunks(inPieces(stream, size)) }
  }
}

/** @param {number} end */
function* upTo(end) {
  for (let i = 1; i < end; i++) yield i
}

/**
 * Arbitrary cuts of one stream (fast-check).
 * @param {number} length
 */
const randomCuts = (length) => fc.array(fc.nat({ max: length }), { maxLength: 12 })

/**
 * Feeds the chunks and collects what comes out, in order. A singleton message is overwritten by the next one of its
 * kind, therefore its length is noted at the moment of delivery.
 * @param {{parse(chunk: Buffer, callback: (message: any) => void): void}} parser
 * @param {Buffer[]} chunks
 * @returns {{message: any, length: number}[]}
 */
const collect = (parser, chunks) => {
  const seen = /** @type {{message: any, length: number}[]} */ ([])
  for (const chunk of chunks) parser.parse(chunk, (message) => seen.push({ message, length: message.length }))
  return seen
}

/**
 * The messages alone.
 * @param {{parse(chunk: Buffer, callback: (message: any) => void): void}} parser
 * @param {Buffer[]} chunks
 * @returns {any[]}
 */
const messagesOf = (parser, chunks) => collect(parser, chunks).map(({ message }) => message)

module.exports = {
  PIECES,
  guarded,
  cutAt,
  inPieces,
  withEmptyChunks,
  everyWay,
  randomCuts,
  collect,
  messagesOf,
}
