// The entry for `import`. It re-exports the CommonJS one, so that both kinds of module see the same classes.
import protocol from './index.js'

export const native = protocol.native
export const Parser = protocol.Parser
export const parse = protocol.parse
export const serialize = protocol.serialize
export const messages = protocol.messages
export const DatabaseError = protocol.DatabaseError
export const DataRowMessage = protocol.DataRowMessage
export const NegotiateProtocolVersionMessage = protocol.NegotiateProtocolVersionMessage
export const FunctionCallResponseMessage = protocol.FunctionCallResponseMessage
// pg-protocol's ESM entry names it too; it is undefined there as well.
export const SASL = protocol.SASL

export default protocol
