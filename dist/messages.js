'use strict'

// `pg-protocol/dist/messages`
const { messages } = require('../index.js')

Object.defineProperty(exports, '__esModule', { value: true })
// Line by line, because Node reads the names that ESM can import off the source.
exports.parseComplete = messages.parseComplete
exports.bindComplete = messages.bindComplete
exports.closeComplete = messages.closeComplete
exports.noData = messages.noData
exports.portalSuspended = messages.portalSuspended
exports.replicationStart = messages.replicationStart
exports.emptyQuery = messages.emptyQuery
exports.copyDone = messages.copyDone
exports.DatabaseError = messages.DatabaseError
exports.CopyDataMessage = messages.CopyDataMessage
exports.CopyResponse = messages.CopyResponse
exports.Field = messages.Field
exports.RowDescriptionMessage = messages.RowDescriptionMessage
exports.ParameterDescriptionMessage = messages.ParameterDescriptionMessage
exports.ParameterStatusMessage = messages.ParameterStatusMessage
exports.AuthenticationMD5Password = messages.AuthenticationMD5Password
exports.BackendKeyDataMessage = messages.BackendKeyDataMessage
exports.NotificationResponseMessage = messages.NotificationResponseMessage
exports.ReadyForQueryMessage = messages.ReadyForQueryMessage
exports.CommandCompleteMessage = messages.CommandCompleteMessage
exports.DataRowMessage = messages.DataRowMessage
exports.NoticeMessage = messages.NoticeMessage
exports.NegotiateProtocolVersionMessage = messages.NegotiateProtocolVersionMessage
exports.FunctionCallResponseMessage = messages.FunctionCallResponseMessage
