'use strict'

/**
 * The numbers that Rust and JavaScript share: words of the message index (`src/index.rs`), words of a
 * batch (`src/batch.rs`), columns (`src/binding/columns.rs`, `src/sink/kind.rs`), type bytes (`src/tag.rs`).
 *
 * Written down again here, rather than asked for at run time, so that V8 compiles them as constants.
 * A test compares each with what the addon was built with.
 */

module.exports = Object.freeze({
  VERSION: 12,

  // Message index: header
  COUNT: 0,
  CONSUMED: 1,
  STRADDLER: 2,
  NEED_WORDS: 3,
  HELD: 4,
  HEADER_WORDS: 8,

  // Message index: an entry
  TAG: 0,
  BODY: 1,
  LENGTH: 2,
  DETAIL: 3,
  ENTRY_WORDS: 4,
  ERROR_TAG: 0x100,

  // Message index: details
  FIELD_WORDS: 8,
  ERROR_FIELDS: 17,

  // Batch table
  ROWS: 0,
  BATCH_HEADER_WORDS: 2,
  ROW_BODY: 0,
  ROW_WORDS: 2,
  CELL_WORDS: 2,
  NULL: -1,
  RAW: -2,
  POOL_SHIFT: 16,
  LATIN1_SHORT: 0,
  LATIN1_LONG: 1,
  UTF16_SHORT: 2,
  UTF16_LONG: 3,
  SHARED: 4,
  SHARED_CHARS: 10000,
  SHARED_EMPTY: 10128,
  SHARED_SLOTS: 10129,
  SLOTS: 512,
  NEW_TEXTS: 1,
  NEW_TEXT_WORDS: 256,

  // Column plan
  KIND_TEXT: 0,
  KIND_RAW: 1,
  KIND_INT: 2,
  KIND_BOOL: 3,
  KIND_FLOAT: 4,
  KIND_ZONED: 5,
  KIND_LOCAL: 6,
  KIND_BINARY_INT2: 7,
  KIND_BINARY_INT4: 8,
  KIND_BINARY_INT8: 9,
  KIND_BINARY_OID: 10,
  KIND_BINARY_FLOAT4: 11,
  KIND_BINARY_FLOAT8: 12,
  KIND_BINARY_BOOL: 13,
  KIND_BINARY_NUMERIC: 14,
  KIND_PASSING: 15,
  KIND_OID: 16,

  // Columns: the table of an append
  APPEND_ROWS: 0,
  APPEND_BODY: 1,
  APPEND_FAULT: 2,
  APPEND_COLUMN: 3,
  APPEND_HEADER_WORDS: 4,
  PLACE_WORDS: 2,
  PLACE_NULL: -1,
  FAULT_NONE: 0,
  FAULT_MALFORMED: 1,
  FAULT_UNFIT: 2,
  FAULT_TOO_LARGE: 3,
  FAULT_NO_ROOM: 4,

  // Columns: what becomes of the cells
  PACK_TEXT: 0,
  PACK_BINARY: 1,
  PACK_INT: 2,
  PACK_INT8: 3,
  PACK_OID: 4,
  PACK_FLOAT: 5,
  PACK_BOOL: 6,
  PACK_ZONED_MILLIS: 7,
  PACK_LOCAL_MILLIS: 8,
  PACK_ZONED_MICROS: 9,
  PACK_LOCAL_MICROS: 10,
  PACK_BYTEA: 11,
  PACK_BINARY_INT2: 12,
  PACK_BINARY_INT4: 13,
  PACK_BINARY_INT8: 14,
  PACK_BINARY_OID: 15,
  PACK_BINARY_FLOAT4: 16,
  PACK_BINARY_FLOAT8: 17,
  PACK_BINARY_BOOL: 18,
  PACK_BINARY_MILLIS: 19,
  PACK_BINARY_MICROS: 20,
  PACK_BINARY_NUMERIC: 21,
  PACK_BINARY_DATE: 22,
  PACK_BINARY_NUMERIC_TEXT: 23,
  PACK_BINARY_UUID: 24,
  PACK_BINARY_JSONB: 25,
  PACK_LEFT: 255,

  // Columns: in what microseconds are wanted
  MILLIS_NO: 0,
  MILLIS_UTC: 1,
  MILLIS_LOCAL: 2,

  // Type bytes
  AUTHENTICATION: 0x52, // R
  BACKEND_KEY_DATA: 0x4b, // K
  BIND_COMPLETE: 0x32, // 2
  CLOSE_COMPLETE: 0x33, // 3
  COMMAND_COMPLETE: 0x43, // C
  COPY_BOTH_RESPONSE: 0x57, // W
  COPY_DATA: 0x64, // d
  COPY_DONE: 0x63, // c
  COPY_IN_RESPONSE: 0x47, // G
  COPY_OUT_RESPONSE: 0x48, // H
  DATA_ROW: 0x44, // D
  EMPTY_QUERY_RESPONSE: 0x49, // I
  ERROR_RESPONSE: 0x45, // E
  FUNCTION_CALL_RESPONSE: 0x56, // V
  NEGOTIATE_PROTOCOL_VERSION: 0x76, // v
  NO_DATA: 0x6e, // n
  NOTICE_RESPONSE: 0x4e, // N
  NOTIFICATION_RESPONSE: 0x41, // A
  PARAMETER_DESCRIPTION: 0x74, // t
  PARAMETER_STATUS: 0x53, // S
  PARSE_COMPLETE: 0x31, // 1
  PORTAL_SUSPENDED: 0x73, // s
  READY_FOR_QUERY: 0x5a, // Z
  ROW_DESCRIPTION: 0x54, // T
})
