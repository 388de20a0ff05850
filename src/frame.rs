//! The framing scanner: type byte and length, nothing else.
//!
//! Incomplete is a value here, not an error: a chunk ends where the network cut it.

use crate::{
    error::LostFrame,
    tag::{HEADER_BYTES, MAX_LENGTH, MIN_LENGTH},
    touched::touch,
};

/// What stands at one place of a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Frame {
    /// A whole message.
    Complete {
        /// Its type byte.
        tag: u8,
        /// Its length as on the wire: the body's plus 4.
        length: u32,
    },
    /// The beginning of a message. `total` bytes make it whole, or at least a header.
    Partial {
        /// Bytes of the whole message from its type byte on; [`HEADER_BYTES`] while the length
        /// itself has not come yet.
        total: usize,
    },
}

/// Reads the header at the beginning of `bytes`.
///
/// # Errors
/// [`LostFrame`] where the length is one that no message can have, or where this is no message but TLS.
///
/// ```
/// use pg_protocol_native::frame::{Frame, scan};
/// assert_eq!(scan(b"Z\0\0\0\x05I"), Ok(Frame::Complete { tag: b'Z', length: 5 }));
/// assert_eq!(scan(b"Z\0\0\0\x05"), Ok(Frame::Partial { total: 6 }));
/// assert_eq!(scan(b"Z\0"), Ok(Frame::Partial { total: 5 }));
/// assert!(scan(b"Z\0\0\0\x03").is_err());
/// assert!(scan(b"\x15\x03\x03\0\x02\x02\x46").is_err());
/// ```
#[inline]
pub fn scan(bytes: &[u8]) -> Result<Frame, LostFrame> {
    touch(HEADER_BYTES);
    let Some(header) = bytes.first_chunk::<HEADER_BYTES>() else {
        return Ok(Frame::Partial { total: HEADER_BYTES });
    };
    let [tag, length @ ..] = *header;
    let length = u32::from_be_bytes(length);
    if !(MIN_LENGTH..=MAX_LENGTH).contains(&length) {
        return Err(LostFrame { tag, length });
    }
    let total = length as usize + 1;
    if total <= bytes.len() { Ok(Frame::Complete { tag, length }) } else { partial(tag, length) }
}

/// A message of which at least the header is there. Whoever answers in TLS sends a length of some 50 MB as it looks
/// here, for which nobody should wait.
#[cold]
fn partial(tag: u8, length: u32) -> Result<Frame, LostFrame> {
    let lost = LostFrame { tag, length };
    if lost.is_tls() { Err(lost) } else { Ok(Frame::Partial { total: length as usize + 1 }) }
}
