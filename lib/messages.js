'use strict'

// The message classes. What pg-protocol has is taken from pg-protocol, so that an error or a notice has the class
// that the app compares it with; only rows differ, and two messages are new.

const { native } = require('./native')
const { FunctionCallResponseMessage, NegotiateProtocolVersionMessage } = require('./new-messages')
const { messages: stock } = require('./protocol-js')

/**
 * The classes for a native parser that makes the messages of one copy of pg-protocol. What an old copy does not have
 * yet (`ParameterDescriptionMessage` came with 1.5.0) is filled in from the newest.
 *
 * @param {any} base  the exports of that copy's dist/messages.js
 * @returns {any} the same object if nothing is missing
 */
function completeMessages(base) {
  const missing = Object.entries(stock).filter(([name]) => base[name] === undefined)
  return missing.length === 0 ? base : { ...base, ...Object.fromEntries(missing) }
}

const messages = { ...stock, FunctionCallResponseMessage, NegotiateProtocolVersionMessage }

// The very class that the parser makes rows of.
if (native) messages.DataRowMessage = require('./parser').createParser(stock).DataRowMessage

exports.completeMessages = completeMessages
exports.messages = messages
