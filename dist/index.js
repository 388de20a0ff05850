'use strict'

// `pg-protocol/dist/index`
const protocol = require('../index.js')

Object.defineProperty(exports, '__esModule', { value: true })
exports.native = protocol.native
exports.Parser = protocol.Parser
exports.parse = protocol.parse
exports.serialize = protocol.serialize
exports.messages = protocol.messages
exports.DatabaseError = protocol.DatabaseError
exports.DataRowMessage = protocol.DataRowMessage
exports.NegotiateProtocolVersionMessage = protocol.NegotiateProtocolVersionMessage
exports.FunctionCallResponseMessage = protocol.FunctionCallResponseMessage
