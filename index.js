'use strict'

// Where everything meets: the parser of this package when its binary loads, pg-protocol's own otherwise.

const { native, warnOnce } = require('./lib/native')
const { messages } = require('./lib/messages')
const protocolJs = require('./lib/protocol-js')

let Parser
let parse
if (native) {
  Parser = require('./lib/parser').createParser(protocolJs.messages)
  parse = require('./lib/stream').createParse(Parser)
} else {
  warnOnce("pg-protocol's JavaScript parser serves instead")
  Parser = protocolJs.parser.Parser
  parse = protocolJs.index.parse
}

// Line by line, because Node reads the names that ESM can import off the source. `__esModule` as in pg-protocol.
Object.defineProperty(exports, '__esModule', { value: true })
exports.native = native
exports.Parser = Parser
exports.parse = parse
exports.serialize = protocolJs.serializer.serialize
exports.messages = messages
exports.DatabaseError = messages.DatabaseError
exports.DataRowMessage = messages.DataRowMessage
exports.NegotiateProtocolVersionMessage = messages.NegotiateProtocolVersionMessage
exports.FunctionCallResponseMessage = messages.FunctionCallResponseMessage
