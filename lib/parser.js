'use strict'

/**
 * The Parser class of a copy of pg-protocol: {@link module:native-parser}, which makes its messages with the classes of
 * that copy, so that `err instanceof DatabaseError` holds in the application that loaded it.
 */

const { createBuilder } = require('./build-message')
const { createDataRowMessage } = require('./data-row')
const { NativeParser } = require('./native-parser')

/** @type {WeakMap<object, any>} */
const parsers = new WeakMap()

/**
 * Makes the Parser class for one copy of pg-protocol.
 *
 * @param {any} messages its `messages` module: the classes that messages are made with
 * @returns {any}
 */
function createParser(messages) {
  let Parser = parsers.get(messages)
  if (Parser === undefined) {
    Parser = defineParser(messages)
    parsers.set(messages, Parser)
  }
  return Parser
}

/** @param {any} messages */
function defineParser(messages) {
  const { DatabaseError } = messages
  const DataRowMessage = createDataRowMessage(messages.DataRowMessage)
  /**
   * One for each encoding: what a builder remembers of descriptions holds for one only.
   *
   * @type {Map<import('./encoding').Encoding | null, ReturnType<typeof createBuilder>>}
   */
  const builders = new Map([[null, createBuilder(messages)]])

  /** @param {import('./encoding').Encoding | null} encoding */
  function builderFor(encoding) {
    let build = builders.get(encoding)
    if (build === undefined) builders.set(encoding, (build = createBuilder(messages, encoding?.read)))
    return build
  }

  const make = { DataRowMessage, DatabaseError, builderFor }

  class Parser extends NativeParser {
    /** The class of the rows that this parser makes. */
    static DataRowMessage = DataRowMessage

    /** @param {{ mode?: string, encoding?: string }} [opts] */
    constructor(opts) {
      super(opts, make)
    }
  }

  // Its own, as in pg-protocol: people look for `parse` there to wrap it.
  const { constructor: _, ...methods } = Object.getOwnPropertyDescriptors(NativeParser.prototype)
  Object.defineProperties(Parser.prototype, methods)
  return Parser
}

module.exports = { createParser }
