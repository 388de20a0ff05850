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
   * stream is paused and resumed with the parser, and destroyed where it cannot be understood.
   *
   * @param {import('node:stream').Readable} stream
   * @param {(message: any) => void} callback
   * @returns {Promise<void>} resolved when the stream has ended
   */
  return function parse(stream, callback) {
    const parser = Parser.forStream(stream, () => new Parser())
    stream.on('data', (chunk) => parser.parse(chunk, callback))
    return new Promise((resolve) => stream.on('end', () => parser.afterHeld(resolve)))
  }
}

module.exports = { createParse }
