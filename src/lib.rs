//! PostgreSQL's backend messages, from the bytes of a socket to what a client needs of them.
//!
//! The crate is the Rust half of the npm package `pg-protocol-native`; it knows nothing of Node.js
//! unless the feature `addon` is on. The modules stand in the order in which a chunk passes them:
//!
//! 1. [`tag`]: the message types, type bytes and limits of the protocol.
//! 2. [`error`]: the few ways in which a stream can be wrong.
//! 3. [`frame`]: where a message begins and ends; looks at type byte and length only.
//! 4. [`reassembly`]: the one message that straddles two chunks, the only one that is copied.
//! 5. [`index`]: the table of Int32 words in which a chunk's messages are handed over.
//! 6. [`message`]: the fields of every message that is not a row.
//! 7. [`parser`]: a chunk in, an index out: drives 3 to 6.
//! 8. [`row`]: the cells of a DataRow, as ranges of bytes.
//! 9. [`text`]: bytes to text, and the pools in which a batch of cells becomes a few strings.
//! 10. [`binary`]: the values of the binary format.
//! 11. [`batch`]: a run of DataRow messages, read at once into a table of cells and text pools.
//! 12. [`sink`]: rows handed over cell by cell, in the form in which they are wanted: columns, somebody's own memory.
//! 13. [`encoding`]: text of other encodings than UTF-8, and rows of such text as rows of UTF-8.
//!
//! [`naive`] holds slow, obviously right twins of the fast routines; tests compare the two.
//!
//! ```
//! use pg_protocol_native::{index, parser::Parser, tag};
//!
//! let mut words = vec![0; 1024];
//! let mut parser = Parser::new();
//! // ReadyForQuery, idle
//! parser.feed(b"Z\0\0\0\x05I", 0, &mut words);
//! assert_eq!(words[index::COUNT], 1);
//! assert_eq!(words[index::HEADER_WORDS + index::TAG], i32::from(tag::READY_FOR_QUERY));
//! assert_eq!(words[index::HEADER_WORDS + index::DETAIL], i32::from(b'I'));
//! ```

pub mod tag;

pub mod error;

pub mod frame;

pub mod reassembly;

pub mod index;

pub mod message;

pub mod parser;

#[doc(hidden)]
pub mod prefetch;

#[doc(hidden)]
pub mod touched;

pub mod row;

pub mod text;

pub mod binary;

pub mod batch;

pub mod sink;

pub mod encoding;

pub mod naive;

#[cfg(feature = "addon")]
mod binding;
