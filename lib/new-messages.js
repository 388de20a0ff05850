'use strict'

/**
 * Messages of the protocol that pg-protocol does not know.
 */

/**
 * The server speaks an older minor version of the protocol than was asked for, or does not know some of
 * the options (`_pq_.*`) of the startup message. Protocol documentation: NegotiateProtocolVersion.
 */
class NegotiateProtocolVersionMessage {
  /**
   * @param {number} length the message's length in bytes, its type byte not counted
   * @param {number} protocolVersion the newest version that the server speaks: major << 16 | minor
   * @param {string[]} unrecognizedOptions names of the options the server does not know
   */
  constructor(length, protocolVersion, unrecognizedOptions) {
    this.length = length
    this.protocolVersion = protocolVersion
    this.unrecognizedOptions = unrecognizedOptions
    this.name = 'negotiateProtocolVersion'
  }
}

/**
 * The value of a function call. Protocol documentation: FunctionCallResponse.
 */
class FunctionCallResponseMessage {
  /**
   * @param {number} length the message's length in bytes, its type byte not counted
   * @param {Buffer | null} value the value in the format that was asked for, null for NULL
   */
  constructor(length, value) {
    this.length = length
    this.value = value
    this.name = 'functionCallResponse'
  }
}

module.exports = { NegotiateProtocolVersionMessage, FunctionCallResponseMessage }
