//! The few ways in which a stream can be wrong.

use std::fmt;

use crate::tag;

/// A message whose frame is whole but whose body does not hold what its type demands.
/// The next message of the stream is not affected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Malformed {
    /// What was missing or too much, in words.
    pub what: String,
}

impl Malformed {
    /// A malformed body, described in words.
    pub fn new(what: impl Into<String>) -> Self {
        Self { what: what.into() }
    }

    /// The whole sentence, for the message of type `tag` that began at byte `at` of the stream.
    #[must_use]
    pub fn sentence(&self, tag: u8, length: u32, at: u64) -> String {
        format!(
            "malformed {} message (type 0x{:02x}, length {length}, at byte {at} of the stream): {}",
            tag::name(tag),
            tag,
            self.what
        )
    }
}

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.what)
    }
}

impl std::error::Error for Malformed {}

/// A length that no message of PostgreSQL can have: nobody can tell where the next message begins,
/// so the stream is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostFrame {
    /// The type byte in front of the length.
    pub tag: u8,
    /// The length as it was read.
    pub length: u32,
}

impl LostFrame {
    /// The whole sentence, for the header at byte `at` of the stream.
    #[must_use]
    pub fn sentence(&self, at: u64) -> String {
        format!(
            "invalid message length {} behind type byte 0x{:02x} at byte {at} of the stream (4 to {} are possible): \
             this is not a PostgreSQL message, the connection must be closed",
            self.length,
            self.tag,
            tag::MAX_LENGTH
        )
    }
}

impl fmt::Display for LostFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid message length {}", self.length)
    }
}

impl std::error::Error for LostFrame {}
