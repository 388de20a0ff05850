//! The message that straddles two chunks: the only bytes of a stream that are copied.
//!
//! The simple version would append each chunk to the rest of the last one and parse the sum, which
//! copies every byte of the stream, and the bytes of one large message once per chunk. Here only the
//! straddler's own bytes are copied, each of them a constant number of times on average: the buffer
//! is made as large as the header says up to [`TRUSTED_BYTES`], and grows by doubling beyond, so that
//! a false length cannot ask for memory that no bytes have paid for.

use bytes::{Bytes, BytesMut};

use crate::{
    error::LostFrame,
    frame::{Frame, scan},
    tag::HEADER_BYTES,
    touched::touch,
};

/// What a header may ask for at once: 1 MiB.
pub const TRUSTED_BYTES: usize = 1 << 20;

/// Collects the bytes of one straddling message.
#[derive(Debug, Default)]
pub struct Reassembly {
    held: BytesMut,
    /// Bytes of the whole message, or of its header while that is not complete. 0: nothing is held.
    total: usize,
}

impl Reassembly {
    /// Holds nothing.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes that have come so far.
    #[must_use]
    pub fn held(&self) -> &[u8] {
        &self.held
    }

    /// How many bytes make the message whole, or its header while that is not complete; 0 where none has begun.
    #[must_use]
    pub fn total(&self) -> usize {
        self.total
    }

    /// Whether a message has begun and not ended.
    #[must_use]
    pub fn is_active(&self) -> bool {
        self.total != 0
    }

    /// Starts with the tail of a chunk, `total` as [`Frame::Partial`] tells it.
    pub fn begin(&mut self, tail: &[u8], total: usize) {
        debug_assert!(!self.is_active() && !tail.is_empty() && tail.len() < total);
        self.total = total;
        self.append(tail);
    }

    /// Takes what the message lacks from the beginning of `chunk`. Gives the number of bytes taken,
    /// and the message if it is whole now.
    ///
    /// # Errors
    /// [`LostFrame`] where the header, complete at last, is impossible. Nothing is held afterwards.
    pub fn fill(&mut self, chunk: &[u8]) -> Result<(usize, Option<Bytes>), LostFrame> {
        let mut taken = 0;
        if self.held.len() < HEADER_BYTES {
            taken = (HEADER_BYTES - self.held.len()).min(chunk.len());
            self.append(&chunk[..taken]);
            self.total = match scan(&self.held) {
                Ok(Frame::Complete { length, .. }) => length as usize + 1,
                Ok(Frame::Partial { total }) => total,
                Err(lost) => {
                    self.clear();
                    return Err(lost);
                }
            };
        }
        if self.held.len() >= HEADER_BYTES {
            let lacking = (self.total - self.held.len()).min(chunk.len() - taken);
            self.append(&chunk[taken..taken + lacking]);
            taken += lacking;
            if self.held.len() == self.total {
                self.total = 0;
                return Ok((taken, Some(std::mem::take(&mut self.held).freeze())));
            }
        }
        Ok((taken, None))
    }

    /// Drops what is held, memory included.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn append(&mut self, bytes: &[u8]) {
        let lacking_room = (self.held.len() + bytes.len()).saturating_sub(self.held.capacity());
        if lacking_room > 0 {
            let trusted = self.total.min(TRUSTED_BYTES);
            let doubled = (self.held.capacity() * 2).min(self.total);
            let capacity = trusted.max(doubled).max(self.held.len() + bytes.len());
            touch(self.held.len());
            self.held.reserve(capacity - self.held.len());
        }
        touch(bytes.len());
        self.held.extend_from_slice(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(body: &[u8]) -> Vec<u8> {
        let mut bytes = vec![b'D'];
        bytes.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        bytes.extend_from_slice(body);
        bytes
    }

    fn total_of(tail: &[u8]) -> usize {
        match scan(tail) {
            Ok(Frame::Partial { total }) => total,
            other => panic!("not a partial message: {other:?}"),
        }
    }

    #[test]
    fn any_cut_gives_the_message_back() {
        let whole = message(b"abcdefghij");
        let mut stream = whole.clone();
        stream.extend_from_slice(b"next");
        for first in 1..whole.len() {
            for second in first..=whole.len() {
                let mut reassembly = Reassembly::new();
                reassembly.begin(&stream[..first], total_of(&stream[..first]));
                let (taken, done) = reassembly.fill(&stream[first..second]).unwrap();
                assert_eq!(taken, second - first);
                let done = done.unwrap_or_else(|| {
                    let (taken, done) = reassembly.fill(&stream[second..]).unwrap();
                    assert_eq!(taken, whole.len() - second);
                    done.expect("whole after the last bytes")
                });
                assert_eq!(done, whole);
                assert!(!reassembly.is_active());
                assert_eq!(reassembly.held(), b"");
            }
        }
    }

    #[test]
    fn a_false_length_gets_no_memory() {
        let header = [b'D', 0x38, 0x40, 0, 0]; // 900 MiB
        let mut reassembly = Reassembly::new();
        reassembly.begin(&header[..3], HEADER_BYTES);
        reassembly.fill(&header[3..]).unwrap();
        reassembly.fill(b"12345").unwrap();
        assert!(reassembly.held.capacity() <= TRUSTED_BYTES + HEADER_BYTES);
        assert_eq!(reassembly.held().len(), 10);
    }

    #[test]
    fn an_impossible_length_is_an_error_and_leaves_nothing() {
        let mut reassembly = Reassembly::new();
        reassembly.begin(b"Z\0\0", HEADER_BYTES);
        assert_eq!(reassembly.fill(b"\0\x03"), Err(LostFrame { tag: b'Z', length: 3 }));
        assert!(!reassembly.is_active());
        assert_eq!(reassembly.held.capacity(), 0);
    }

    #[test]
    fn growth_copies_each_byte_a_constant_number_of_times() {
        let body = vec![7; 16 << 20];
        let whole = message(&body);
        let mut reassembly = Reassembly::new();
        reassembly.begin(&whole[..100], total_of(&whole[..100]));
        let mut moves = 0;
        let mut capacity = reassembly.held.capacity();
        let mut done = None;
        for piece in whole[100..].chunks(1000) {
            done = reassembly.fill(piece).unwrap().1;
            if done.is_none() && reassembly.held.capacity() != capacity {
                moves += reassembly.held.len();
                capacity = reassembly.held.capacity();
            }
        }
        assert_eq!(done.unwrap(), whole);
        assert!(moves <= 2 * whole.len(), "{moves} bytes moved for {}", whole.len());
    }
}
