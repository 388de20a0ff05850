//! The protocol's table of contents: type bytes of the backend messages and the limits on them.
//!
//! Source: PostgreSQL documentation, "Frontend/Backend Protocol", section "Message Formats".

/// AuthenticationOk and its relatives: the Int32 behind the length tells which.
pub const AUTHENTICATION: u8 = b'R';
/// BackendKeyData: process ID and cancel key.
pub const BACKEND_KEY_DATA: u8 = b'K';
/// BindComplete.
pub const BIND_COMPLETE: u8 = b'2';
/// CloseComplete.
pub const CLOSE_COMPLETE: u8 = b'3';
/// CommandComplete: the command tag.
pub const COMMAND_COMPLETE: u8 = b'C';
/// CopyData: bytes of a COPY or of a replication stream.
pub const COPY_DATA: u8 = b'd';
/// CopyDone.
pub const COPY_DONE: u8 = b'c';
/// CopyInResponse: the server waits for COPY data.
pub const COPY_IN_RESPONSE: u8 = b'G';
/// CopyOutResponse: COPY data will follow.
pub const COPY_OUT_RESPONSE: u8 = b'H';
/// CopyBothResponse: a replication stream begins.
pub const COPY_BOTH_RESPONSE: u8 = b'W';
/// DataRow: the cells of one row.
pub const DATA_ROW: u8 = b'D';
/// EmptyQueryResponse.
pub const EMPTY_QUERY_RESPONSE: u8 = b'I';
/// ErrorResponse.
pub const ERROR_RESPONSE: u8 = b'E';
/// FunctionCallResponse.
pub const FUNCTION_CALL_RESPONSE: u8 = b'V';
/// NegotiateProtocolVersion.
pub const NEGOTIATE_PROTOCOL_VERSION: u8 = b'v';
/// NoData.
pub const NO_DATA: u8 = b'n';
/// NoticeResponse.
pub const NOTICE_RESPONSE: u8 = b'N';
/// NotificationResponse: a NOTIFY that this session listens to.
pub const NOTIFICATION_RESPONSE: u8 = b'A';
/// ParameterDescription: the types of a statement's parameters.
pub const PARAMETER_DESCRIPTION: u8 = b't';
/// ParameterStatus: a run-time parameter and its value.
pub const PARAMETER_STATUS: u8 = b'S';
/// ParseComplete.
pub const PARSE_COMPLETE: u8 = b'1';
/// PortalSuspended: the row limit of an Execute was reached.
pub const PORTAL_SUSPENDED: u8 = b's';
/// ReadyForQuery: the server waits for a query; carries the transaction status.
pub const READY_FOR_QUERY: u8 = b'Z';
/// RowDescription: names and types of the columns.
pub const ROW_DESCRIPTION: u8 = b'T';

/// Bytes before a message's body: the type byte and the Int32 length.
pub const HEADER_BYTES: usize = 5;

/// The least length a message can claim: the length counts itself, so 4.
pub const MIN_LENGTH: u32 = 4;

/// The greatest length a message can claim. PostgreSQL builds messages in memory of at most
/// `MaxAllocSize` (1 GiB - 1) bytes, so that a greater one is no PostgreSQL message.
pub const MAX_LENGTH: u32 = 0x3fff_ffff;

/// The name that the protocol documentation gives to a message type, for errors.
///
/// ```
/// assert_eq!(pg_protocol_native::tag::name(b'T'), "RowDescription");
/// assert_eq!(pg_protocol_native::tag::name(b'?'), "unknown");
/// ```
#[must_use]
pub fn name(tag: u8) -> &'static str {
    match tag {
        AUTHENTICATION => "Authentication",
        BACKEND_KEY_DATA => "BackendKeyData",
        BIND_COMPLETE => "BindComplete",
        CLOSE_COMPLETE => "CloseComplete",
        COMMAND_COMPLETE => "CommandComplete",
        COPY_DATA => "CopyData",
        COPY_DONE => "CopyDone",
        COPY_IN_RESPONSE => "CopyInResponse",
        COPY_OUT_RESPONSE => "CopyOutResponse",
        COPY_BOTH_RESPONSE => "CopyBothResponse",
        DATA_ROW => "DataRow",
        EMPTY_QUERY_RESPONSE => "EmptyQueryResponse",
        ERROR_RESPONSE => "ErrorResponse",
        FUNCTION_CALL_RESPONSE => "FunctionCallResponse",
        NEGOTIATE_PROTOCOL_VERSION => "NegotiateProtocolVersion",
        NO_DATA => "NoData",
        NOTICE_RESPONSE => "NoticeResponse",
        NOTIFICATION_RESPONSE => "NotificationResponse",
        PARAMETER_DESCRIPTION => "ParameterDescription",
        PARAMETER_STATUS => "ParameterStatus",
        PARSE_COMPLETE => "ParseComplete",
        PORTAL_SUSPENDED => "PortalSuspended",
        READY_FOR_QUERY => "ReadyForQuery",
        ROW_DESCRIPTION => "RowDescription",
        _ => "unknown",
    }
}
