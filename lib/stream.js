'use strict'

/**
 * Where it begins: a socket's chunks to a parser.
 */

/**
 * Makes `parse(stream, callback)` for a Parser class.
 *
 * @param {any} Parser
 */
function createParse(Parser) {
  /**
   * Reads backend messages from a stream until it ends. Equals `parse` of pg-protocol; besides, the
   * stream is paused and resumed with the parser, and destroyed where it cannot be understood; if it ends inside
   * a message, an error says so.
   *
   * @param {import('node:stream').Readable} stream
   * @param {(message: any) => void} callback
   * @returns {Promise<void>} resolved when the stream has ended
   */
  return function parse(stream, callback) {
    const parser = Parser.forStream(stream, () => new Parser())
    const read = (/** @type {Buffer} */ chunk) => parser.parse(chunk, callback)
    stream.on('data', read)
    return new Promise((resolve) => {
      stream.on('end', () => {
        // Whoever has taken the reader off does not read the rest of a message here.
        const reads = stream.listeners('data').includes(read)
        parser.end(reads ? callback : () => {}, resolve)
      })
    })
  }
}

module.exports = { createParse }
