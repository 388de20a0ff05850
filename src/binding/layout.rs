//! The numbers that both languages use, so that a test can compare `lib/layout.js` with them.

use std::collections::HashMap;

use napi_derive::napi;

use crate::{batch, index, message, tag, text::dictionary, text::pool};

/// Every number of `lib/layout.js`, by its name there.
#[napi]
pub fn layout() -> HashMap<String, i32> {
    let words = |word: usize| word as i32;
    [
        ("VERSION", index::VERSION),
        ("COUNT", words(index::COUNT)),
        ("CONSUMED", words(index::CONSUMED)),
        ("STRADDLER", words(index::STRADDLER)),
        ("NEED_WORDS", words(index::NEED_WORDS)),
        ("HELD", words(index::HELD)),
        ("HEADER_WORDS", words(index::HEADER_WORDS)),
        ("TAG", words(index::TAG)),
        ("BODY", words(index::BODY)),
        ("LENGTH", words(index::LENGTH)),
        ("DETAIL", words(index::DETAIL)),
        ("ENTRY_WORDS", words(index::ENTRY_WORDS)),
        ("ERROR_TAG", index::ERROR_TAG),
        ("FIELD_WORDS", words(message::FIELD_WORDS)),
        ("ERROR_FIELDS", words(message::ERROR_FIELDS.len())),
        ("ROWS", words(batch::ROWS)),
        ("BATCH_HEADER_WORDS", words(batch::HEADER_WORDS)),
        ("ROW_BODY", words(batch::ROW_BODY)),
        ("ROW_WORDS", words(batch::ROW_WORDS)),
        ("NULL", batch::NULL),
        ("CELL_WORDS", words(batch::CELL_WORDS)),
        ("RAW", batch::RAW),
        ("KIND_TEXT", batch::Kind::Text as i32),
        ("KIND_RAW", batch::Kind::Raw as i32),
        ("KIND_INT", batch::Kind::Int as i32),
        ("KIND_BOOL", batch::Kind::Bool as i32),
        ("KIND_FLOAT", batch::Kind::Float as i32),
        ("KIND_ZONED", batch::Kind::Zoned as i32),
        ("KIND_LOCAL", batch::Kind::Local as i32),
        ("KIND_BINARY_INT2", batch::Kind::BinaryInt2 as i32),
        ("KIND_BINARY_INT4", batch::Kind::BinaryInt4 as i32),
        ("KIND_BINARY_INT8", batch::Kind::BinaryInt8 as i32),
        ("KIND_BINARY_OID", batch::Kind::BinaryOid as i32),
        ("KIND_BINARY_FLOAT4", batch::Kind::BinaryFloat4 as i32),
        ("KIND_BINARY_FLOAT8", batch::Kind::BinaryFloat8 as i32),
        ("KIND_BINARY_BOOL", batch::Kind::BinaryBool as i32),
        ("KIND_BINARY_NUMERIC", batch::Kind::BinaryNumeric as i32),
        ("KIND_PASSING", batch::Kind::Passing as i32),
        ("KIND_OID", batch::Kind::Oid as i32),
        ("POOL_SHIFT", pool::POOL_SHIFT),
        ("LATIN1_SHORT", pool::LATIN1_SHORT),
        ("LATIN1_LONG", pool::LATIN1_LONG),
        ("UTF16_SHORT", pool::UTF16_SHORT),
        ("UTF16_LONG", pool::UTF16_LONG),
        ("SHARED", pool::SHARED),
        ("SHARED_CHARS", pool::SHARED_CHARS),
        ("SHARED_EMPTY", pool::SHARED_EMPTY),
        ("SHARED_SLOTS", pool::SHARED_SLOTS),
        ("SLOTS", dictionary::SLOTS as i32),
        ("NEW_TEXTS", batch::NEW_TEXTS as i32),
        ("NEW_TEXT_WORDS", batch::NEW_TEXT_WORDS as i32),
        ("AUTHENTICATION", i32::from(tag::AUTHENTICATION)),
        ("BACKEND_KEY_DATA", i32::from(tag::BACKEND_KEY_DATA)),
        ("BIND_COMPLETE", i32::from(tag::BIND_COMPLETE)),
        ("CLOSE_COMPLETE", i32::from(tag::CLOSE_COMPLETE)),
        ("COMMAND_COMPLETE", i32::from(tag::COMMAND_COMPLETE)),
        ("COPY_BOTH_RESPONSE", i32::from(tag::COPY_BOTH_RESPONSE)),
        ("COPY_DATA", i32::from(tag::COPY_DATA)),
        ("COPY_DONE", i32::from(tag::COPY_DONE)),
        ("COPY_IN_RESPONSE", i32::from(tag::COPY_IN_RESPONSE)),
        ("COPY_OUT_RESPONSE", i32::from(tag::COPY_OUT_RESPONSE)),
        ("DATA_ROW", i32::from(tag::DATA_ROW)),
        ("EMPTY_QUERY_RESPONSE", i32::from(tag::EMPTY_QUERY_RESPONSE)),
        ("ERROR_RESPONSE", i32::from(tag::ERROR_RESPONSE)),
        ("FUNCTION_CALL_RESPONSE", i32::from(tag::FUNCTION_CALL_RESPONSE)),
        ("NEGOTIATE_PROTOCOL_VERSION", i32::from(tag::NEGOTIATE_PROTOCOL_VERSION)),
        ("NO_DATA", i32::from(tag::NO_DATA)),
        ("NOTICE_RESPONSE", i32::from(tag::NOTICE_RESPONSE)),
        ("NOTIFICATION_RESPONSE", i32::from(tag::NOTIFICATION_RESPONSE)),
        ("PARAMETER_DESCRIPTION", i32::from(tag::PARAMETER_DESCRIPTION)),
        ("PARAMETER_STATUS", i32::from(tag::PARAMETER_STATUS)),
        ("PARSE_COMPLETE", i32::from(tag::PARSE_COMPLETE)),
        ("PORTAL_SUSPENDED", i32::from(tag::PORTAL_SUSPENDED)),
        ("READY_FOR_QUERY", i32::from(tag::READY_FOR_QUERY)),
        ("ROW_DESCRIPTION", i32::from(tag::ROW_DESCRIPTION)),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}

/// The version of the crate that the addon was built from.
#[napi]
pub fn version() -> &'static str {
    env!("CARGO_PKG_VERSION")
}
