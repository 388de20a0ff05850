//! The message index: how the messages of a chunk cross from Rust to JavaScript.
//!
//! One table of Int32 words, made by the caller and filled here:
//!
//! ```text
//! | header | entry 0 | entry 1 | ...   free   ... | details of entry 1 | details of entry 0 |
//! ```
//!
//! A fixed header, then one entry of [`ENTRY_WORDS`] per message; what does not fit into an entry goes
//! to the details, which grow from the end of the table downwards, so that neither part needs a size of
//! its own. Offsets are relative to the buffer that holds the message: the chunk, or for the first entry
//! of a table whose header says so, the straddler's own buffer.
//!
//! `lib/layout.js` repeats these numbers for JavaScript's compiler; a test compares the two.

/// Changes whenever a number or a meaning in this file does.
pub const VERSION: i32 = 12;

/// Header word: number of entries.
pub const COUNT: usize = 0;
/// Header word: bytes of the chunk that are done with. Less than the chunk's length when the table
/// was full: call again from there.
pub const CONSUMED: usize = 1;
/// Header word: 1 when the first entry lies in the straddler's own buffer.
pub const STRADDLER: usize = 2;
/// Header word: 0, or how many words a table must have to take the next message at all.
pub const NEED_WORDS: usize = 3;
/// Header word: bytes held of a message that has not ended.
pub const HELD: usize = 4;
/// Words of the header.
pub const HEADER_WORDS: usize = 8;

/// Entry word: the message's type byte, or [`ERROR_TAG`].
pub const TAG: usize = 0;
/// Entry word: offset of the body, which begins behind the length.
pub const BODY: usize = 1;
/// Entry word: the message's length as on the wire, which is the body's plus 4.
pub const LENGTH: usize = 2;
/// Entry word: what the message's kind wants here: a small value, or where its details begin.
/// [`crate::message`] tells for each kind.
pub const DETAIL: usize = 3;
/// Words of an entry.
pub const ENTRY_WORDS: usize = 4;

/// In place of a type byte: the message is wrong. DETAIL is 0 when only this message is malformed,
/// 1 when the stream is lost; the sentence is to be had from the parser.
pub const ERROR_TAG: i32 = 0x100;

/// The table was full.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Full;

/// Fills a table.
#[derive(Debug)]
pub struct Index<'a> {
    words: &'a mut [i32],
    /// End of the entries.
    end: usize,
    /// Start of the details.
    details: usize,
}

impl<'a> Index<'a> {
    /// An empty index in `words`.
    ///
    /// # Panics
    /// If `words` has no room for the header.
    pub fn new(words: &'a mut [i32]) -> Self {
        words[..HEADER_WORDS].fill(0);
        let details = words.len();
        Self { words, end: HEADER_WORDS, details }
    }

    /// Number of entries so far.
    #[must_use]
    pub fn count(&self) -> usize {
        (self.end - HEADER_WORDS) / ENTRY_WORDS
    }

    /// Appends an entry.
    ///
    /// # Errors
    /// [`Full`] without a change where there is no room.
    #[inline]
    pub fn push(&mut self, entry: [i32; ENTRY_WORDS]) -> Result<(), Full> {
        let end = self.end + ENTRY_WORDS;
        if end > self.details {
            return Err(Full);
        }
        match self.words.get_mut(self.end..end) {
            Some(slot) => slot.copy_from_slice(&entry),
            None => return Err(Full),
        }
        self.end = end;
        Ok(())
    }

    /// Room for `count` words of details of the entry that is pushed next. Gives where they begin.
    ///
    /// # Errors
    /// [`Full`] where they and that entry do not fit.
    pub fn details(&mut self, count: usize) -> Result<(usize, &mut [i32]), Full> {
        let free = self.details - self.end;
        if count.saturating_add(ENTRY_WORDS) > free {
            return Err(Full);
        }
        let start = self.details - count;
        let words = &mut self.words[start..self.details];
        self.details = start;
        Ok((start, words))
    }

    /// Where the details begin: to be given to [`Index::release`].
    #[must_use]
    pub fn mark(&self) -> usize {
        self.details
    }

    /// Gives up the details that were taken since `mark`.
    pub fn release(&mut self, mark: usize) {
        debug_assert!(mark >= self.details && mark <= self.words.len());
        self.details = mark;
    }

    /// Sets a word of the header.
    pub fn set_header(&mut self, word: usize, value: usize) {
        debug_assert!(word < HEADER_WORDS);
        self.words[word] = value as i32;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_and_details_meet_in_the_middle_and_never_overlap() {
        let mut words = vec![-1; HEADER_WORDS + 2 * ENTRY_WORDS + 3];
        let mut index = Index::new(&mut words);
        let (at, details) = index.details(3).unwrap();
        details.copy_from_slice(&[7, 8, 9]);
        index.push([1, 2, 3, at as i32]).unwrap();
        assert_eq!(index.details(1), Err(Full));
        index.push([4, 5, 6, 0]).unwrap();
        assert_eq!(index.push([0; 4]), Err(Full));
        assert_eq!(index.count(), 2);
        assert_eq!(words[HEADER_WORDS..], [1, 2, 3, at as i32, 4, 5, 6, 0, 7, 8, 9]);
    }
}
