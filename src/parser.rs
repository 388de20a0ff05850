//! A chunk in, an index out.
//!
//! [`Parser::feed`] is the one routine that looks at every message, so it does little: four words per
//! row, and for the rare other messages what [`crate::message`] reads. The chunk is parsed where it lies.
//! Only the message that the chunk's end cuts in two is copied ([`crate::reassembly`]).

use std::collections::VecDeque;

use bytes::Bytes;

use crate::{
    error::{self, LostFrame, Malformed},
    frame::{Frame, scan},
    index::{self, ENTRY_WORDS, ERROR_TAG, Full, HEADER_WORDS, Index},
    message::{FIELD_WORDS, MAX_TEXTS, Reject, describe},
    prefetch::{LINE_BYTES, prefetch},
    reassembly::Reassembly,
    tag::{self, HEADER_BYTES},
    touched::touch,
};

/// The state between two chunks of one stream.
#[derive(Debug, Default)]
pub struct Parser {
    reassembly: Reassembly,
    /// A straddler that is whole but had no room in the table yet.
    ready: Option<Bytes>,
    /// Bytes of the stream before the present chunk.
    before: u64,
    /// Where in the stream the straddler began.
    straddler_at: u64,
    /// Sentences for the error entries that were not asked for yet.
    problems: VecDeque<String>,
    lost: bool,
}

impl Parser {
    /// At the beginning of a stream.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The bytes held of a message that has not ended.
    #[must_use]
    pub fn held(&self) -> &[u8] {
        self.reassembly.held()
    }

    /// Says that the stream is over. Gives a sentence if it ended inside a message; nothing is held afterwards, and
    /// nothing more is read.
    pub fn finish(&mut self) -> Option<String> {
        let held = self.held();
        if self.lost || held.is_empty() {
            return None;
        }
        let sentence = error::unfinished(held, self.reassembly.total(), self.straddler_at);
        self.reassembly.clear();
        self.lost = true;
        Some(sentence)
    }

    /// The sentence of the oldest error entry whose sentence was not taken yet.
    pub fn take_problem(&mut self) -> Option<String> {
        self.problems.pop_front()
    }

    /// Indexes the messages of `chunk` from byte `from` on, which is 0 or, when the table could not
    /// take them all, what the last call left in [`index::CONSUMED`].
    ///
    /// Gives the straddler, when one became whole: it is the first entry then.
    ///
    /// # Panics
    /// If `words` has no room for the header, or `from` is behind the chunk's end.
    pub fn feed(&mut self, chunk: &[u8], from: usize, words: &mut [i32]) -> Option<Bytes> {
        let capacity = words.len();
        let mut index = Index::new(words);
        let mut at = from;
        let mut full_at = None;
        let mut straddler = None;

        if !self.lost && (self.ready.is_some() || self.reassembly.is_active()) {
            match self.finish_straddler(&chunk[at..]) {
                Ok(taken) => at += taken,
                Err(lost) => full_at = self.lose(lost, self.straddler_at, &mut index).err(),
            }
            if let Some(message) = self.ready.take() {
                let began = self.straddler_at;
                match self.push(&message, 0, began, &mut index) {
                    Ok(_) => {
                        index.set_header(index::STRADDLER, 1);
                        straddler = Some(message);
                    }
                    Err(Full) => {
                        full_at = Some(Unplaced { tag: message[0], total: message.len() });
                        self.ready = Some(message);
                    }
                }
            }
        }

        while full_at.is_none() && !self.lost && !self.reassembly.is_active() && at < chunk.len() {
            match scan(&chunk[at..]) {
                Ok(Frame::Complete { tag, length }) => {
                    match self.push_framed(tag, length, chunk, at, self.before + at as u64, &mut index) {
                        Ok(()) => {
                            let total = length as usize + 1;
                            prefetch(chunk, (at + PREFETCH_MESSAGES * total).saturating_sub(LINE_BYTES), 3);
                            at += total;
                        }
                        Err(Full) => full_at = Some(Unplaced { tag, total: length as usize + 1 }),
                    }
                }
                Ok(Frame::Partial { total }) => {
                    self.straddler_at = self.before + at as u64;
                    self.reassembly.begin(&chunk[at..], total);
                    at = chunk.len();
                }
                Err(lost) => full_at = self.lose(lost, self.before + at as u64, &mut index).err(),
            }
        }

        if self.lost {
            at = chunk.len();
        }
        if let (Some(message), 0) = (&full_at, index.count()) {
            index.set_header(index::NEED_WORDS, message.words().max(capacity + 1));
        }
        index.set_header(index::COUNT, index.count());
        index.set_header(index::CONSUMED, at);
        index.set_header(index::HELD, self.reassembly.held().len());
        if at == chunk.len() && full_at.is_none() {
            self.before += chunk.len() as u64;
        }
        straddler
    }

    fn finish_straddler(&mut self, chunk: &[u8]) -> Result<usize, LostFrame> {
        if self.ready.is_some() {
            return Ok(0);
        }
        let (taken, message) = self.reassembly.fill(chunk)?;
        self.ready = message;
        Ok(taken)
    }

    fn push(&mut self, message: &[u8], start: usize, began: u64, index: &mut Index<'_>) -> Result<(), Full> {
        match scan(&message[start..]) {
            Ok(Frame::Complete { tag, length }) => self.push_framed(tag, length, message, start, began, index),
            other => unreachable!("a reassembled message is whole: {other:?}"),
        }
    }

    /// Appends the message that begins at `start` of `bytes` and was found to be whole.
    #[inline]
    fn push_framed(
        &mut self,
        tag: u8,
        length: u32,
        bytes: &[u8],
        start: usize,
        began: u64,
        index: &mut Index<'_>,
    ) -> Result<(), Full> {
        let body = start + HEADER_BYTES;
        if tag == tag::DATA_ROW && length >= 6 {
            touch(2);
            let cells = u16::from_be_bytes([bytes[body], bytes[body + 1]]);
            return index.push([i32::from(tag), body as i32, length as i32, i32::from(cells)]);
        }
        self.push_other(tag, length, bytes, body, began, index)
    }

    #[cold]
    fn push_other(
        &mut self,
        tag: u8,
        length: u32,
        bytes: &[u8],
        body: usize,
        began: u64,
        index: &mut Index<'_>,
    ) -> Result<(), Full> {
        let mark = index.mark();
        match describe(tag, bytes, body, body + length as usize - 4, index) {
            Ok(detail) => {
                index.push([i32::from(tag), body as i32, length as i32, detail]).inspect_err(|_| index.release(mark))
            }
            Err(Reject::Full) => Err(Full),
            Err(Reject::Malformed(malformed)) => {
                index.push([ERROR_TAG, body as i32, length as i32, 0])?;
                self.malformed(&malformed, tag, length, began);
                Ok(())
            }
        }
    }

    fn malformed(&mut self, malformed: &Malformed, tag: u8, length: u32, began: u64) {
        self.problems.push_back(malformed.sentence(tag, length, began));
    }

    fn lose(&mut self, lost: LostFrame, began: u64, index: &mut Index<'_>) -> Result<(), Unplaced> {
        index.push([ERROR_TAG, 0, lost.length as i32, 1]).map_err(|Full| Unplaced { tag: lost.tag, total: 0 })?;
        self.problems.push_back(lost.sentence(began));
        self.reassembly.clear();
        self.lost = true;
        Ok(())
    }
}

/// How many messages ahead of the present one the header is fetched.
///
/// A header's place is known only when the one before it has been read, so that with rows of some hundred
/// bytes in a chunk that is not in the cache each header costs the whole latency of the memory. But the
/// rows of a result are of similar length, which makes a good guess possible; a wrong one costs nothing.
const PREFETCH_MESSAGES: usize = 8;

/// A message for which the table had no room.
struct Unplaced {
    tag: u8,
    total: usize,
}

impl Unplaced {
    /// Words that surely take the message into an empty table. The most words per byte are needed by
    /// a list of names of one letter or none, two for each; all else takes no more than its bytes.
    fn words(&self) -> usize {
        let details = match self.tag {
            tag::AUTHENTICATION | tag::NEGOTIATE_PROTOCOL_VERSION => 2 + 2 * self.total.min(MAX_TEXTS),
            _ => self.total.min(FIELD_WORDS * (u16::MAX as usize + 1)).max(64),
        };
        HEADER_WORDS + ENTRY_WORDS + details
    }
}
