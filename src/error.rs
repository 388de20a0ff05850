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

/// A header that no message of PostgreSQL can have: nobody can tell where the next message begins,
/// so the stream is lost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LostFrame {
    /// The type byte in front of the length.
    pub tag: u8,
    /// The length as it was read.
    pub length: u32,
}

impl LostFrame {
    /// Whether the header is that of a TLS record: its type, the major and a minor version, then the length.
    #[must_use]
    pub fn is_tls(&self) -> bool {
        matches!(self.tag, 0x14..=0x17) && self.length >> 24 == 3 && (self.length >> 16 & 0xff) <= 4
    }

    /// Whether the header is the beginning of `HTTP/`.
    fn is_http(&self) -> bool {
        self.tag == b'H' && self.length == u32::from_be_bytes(*b"TTP/")
    }

    /// The whole sentence, for the header at byte `at` of the stream.
    #[must_use]
    pub fn sentence(&self, at: u64) -> String {
        let (tag, length) = (self.tag, self.length);
        if self.is_tls() {
            return format!(
                "a TLS record (type 0x{tag:02x}) at byte {at} of the stream in place of a PostgreSQL message: the \
                 connection must be closed"
            );
        }
        format!(
            "invalid message length {length} behind type byte 0x{tag:02x} at byte {at} of the stream (4 to {} are \
             possible): this is {}, the connection must be closed",
            tag::MAX_LENGTH,
            if self.is_http() { "an answer in HTTP" } else { "not a PostgreSQL message" },
        )
    }
}

/// The whole sentence for a stream that ended inside the message that began at byte `at`: of its `total` bytes only
/// `held` came. While the header is not complete, `total` is the header's.
#[must_use]
pub fn unfinished(held: &[u8], total: usize, at: u64) -> String {
    let came = held.len();
    match held {
        [tag, _, _, _, _, ..] => format!(
            "the stream ended inside a message: {came} of {total} bytes of the {} message (type 0x{tag:02x}) that began \
             at byte {at} had come",
            tag::name(*tag),
        ),
        _ => format!(
            "the stream ended inside a message: {came} of {total} bytes of the header that began at byte {at} had come"
        ),
    }
}

impl fmt::Display for LostFrame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid message length {}", self.length)
    }
}

impl std::error::Error for LostFrame {}
