'use strict'

// The message classes. What pg-protocol has is taken from pg-protocol, so that an error or a notice has the class
// that the app compares it with; only rows differ, and two messages are new.

const { native } = require('./native')
const { FunctionCallResponseMessage, NegotiateProtocolVersionMessage } = require('./new-messages')
const { messages: stock } = require('./protocol-js')

/**
 * The set of classes for a native parser that makes the messages of one copy of pg-protocol. What an old copy does
 * not have yet (`ParameterDescriptionMessage` came with 1.5.0) is filled in from the newest.
 *
 * @param {Partial<typeof stock>} base  the exports of that copy's dist/messages.js
 */
function nativeMessages(base) {
  const { createDataRowMessage } = require('./data-row')
  return {
    ...stock,
    ...base,
    DataRowMessage: createDataRowMessage(base.DataRowMessage ?? stock.DataRowMessage),
    FunctionCallResponseMessage,
    NegotiateProtocolVersionMessage,
  }
}

const messages = native
  ? nativeMessages(stock)
  : { ...stock, FunctionCallResponseMessage, NegotiateProtocolVersionMessage }

exports.messages = messages
exports.nativeMessages = nativeMessages
