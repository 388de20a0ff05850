//! The pools in which the texts of many cells become a few strings.
//!
//! The simple version makes one string per cell through Node-API, about 95 ns each and more than
//! `buffer.toString` costs. Here a batch of cells is laid end to end in at most four pools, each of which
//! becomes one string, and JavaScript cuts the cells out with `substring`, which costs about a tenth.
//!
//! Two kinds of pools for two reasons. V8 keeps one byte per character where no character is above
//! U+00FF and two otherwise, so that one wide cell in a common pool would double all its neighbours.
//! And V8 copies a substring of less than [`SLICE_CHARS`] characters but lets a longer one point into
//! its parent, which then stays alive: were short cells in the same pool, a kept long cell would keep
//! their text a second time.

use super::utf8::{Text, classify};

/// V8's `SlicedString::kMinLength`: from this length on a substring points into its parent.
pub const SLICE_CHARS: usize = 13;

/// A batch ends with the row in which a pool reaches this many characters. Within that row a long
/// pool takes no further cell: it is what a kept cell keeps alive.
pub const POOL_CHARS: usize = 8 << 10;

/// A cell of more bytes gets a string of its own: to share a pool would save it nothing.
pub const OWN_STRING_BYTES: usize = 1 << 10;

/// Short cells of one byte per character.
pub const LATIN1_SHORT: i32 = 0;
/// Long cells of one byte per character.
pub const LATIN1_LONG: i32 = 1;
/// Short cells of two bytes per character.
pub const UTF16_SHORT: i32 = 2;
/// Long cells of two bytes per character.
pub const UTF16_LONG: i32 = 3;
/// How far the pool's number is shifted in a cell's word; below are 16 bits for its end.
pub const POOL_SHIFT: i32 = 16;

/// The texts of a batch.
#[derive(Debug, Default)]
pub struct TextPools {
    latin1: [Vec<u8>; 2],
    utf16: [Vec<u16>; 2],
}

impl TextPools {
    /// Empty pools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the pools and keeps their memory.
    pub fn clear(&mut self) {
        self.latin1.iter_mut().for_each(Vec::clear);
        self.utf16.iter_mut().for_each(Vec::clear);
    }

    /// Whether a pool has reached its size.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.latin1.iter().any(|pool| pool.len() >= POOL_CHARS)
            || self.utf16.iter().any(|pool| pool.len() >= POOL_CHARS)
    }

    /// The ends of the four pools, in the order of their numbers.
    #[must_use]
    pub fn ends(&self) -> [usize; 4] {
        [self.latin1[0].len(), self.latin1[1].len(), self.utf16[0].len(), self.utf16[1].len()]
    }

    /// Takes the pools back to former [`TextPools::ends`].
    pub fn truncate(&mut self, ends: [usize; 4]) {
        self.latin1[0].truncate(ends[0]);
        self.latin1[1].truncate(ends[1]);
        self.utf16[0].truncate(ends[2]);
        self.utf16[1].truncate(ends[3]);
    }

    /// The one-byte pools, short and long.
    #[must_use]
    pub fn latin1(&self) -> &[Vec<u8>; 2] {
        &self.latin1
    }

    /// The two-byte pools, short and long.
    #[must_use]
    pub fn utf16(&self) -> &[Vec<u16>; 2] {
        &self.utf16
    }

    /// Appends a cell's text and gives the cell's word: the pool's number and where in it the text
    /// ends. It begins where the pool ended before. `None`: the cell is to have a string of its own.
    #[inline]
    pub fn push(&mut self, cell: &[u8]) -> Option<i32> {
        if cell.len() > OWN_STRING_BYTES {
            return None;
        }
        match classify(cell) {
            Text::Ascii(bytes) => {
                let long = usize::from(bytes.len() >= SLICE_CHARS);
                let pool = room(&mut self.latin1[long], long)?;
                pool.extend_from_slice(bytes);
                Some(word(LATIN1_SHORT + long as i32, pool.len()))
            }
            Text::Latin1(text) => {
                let long = usize::from(text.chars().count() >= SLICE_CHARS);
                let pool = room(&mut self.latin1[long], long)?;
                pool.extend(text.chars().map(|c| c as u8));
                Some(word(LATIN1_SHORT + long as i32, pool.len()))
            }
            Text::Wide(text) => {
                let long = usize::from(text.encode_utf16().count() >= SLICE_CHARS);
                let pool = room(&mut self.utf16[long], long)?;
                pool.extend(text.encode_utf16());
                Some(word(UTF16_SHORT + long as i32, pool.len()))
            }
        }
    }
}

/// The pool, if it may take one more cell. The limit of the short pools is what a word can say.
#[inline]
fn room<T>(pool: &mut Vec<T>, long: usize) -> Option<&mut Vec<T>> {
    const LIMITS: [usize; 2] = [(1 << POOL_SHIFT) - SLICE_CHARS, POOL_CHARS];
    (pool.len() < LIMITS[long]).then_some(pool)
}

fn word(pool: i32, end: usize) -> i32 {
    debug_assert!(end < 1 << POOL_SHIFT);
    pool << POOL_SHIFT | end as i32
}

const _: () = assert!(POOL_CHARS + OWN_STRING_BYTES < 1 << POOL_SHIFT);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_lands_in_the_pool_of_its_width_and_length() {
        let mut pools = TextPools::new();
        let mut push = |text: &str| {
            let word = pools.push(text.as_bytes()).expect("room");
            (word >> POOL_SHIFT, word & 0xffff)
        };
        assert_eq!(push("abc"), (LATIN1_SHORT, 3));
        assert_eq!(push("été"), (LATIN1_SHORT, 6));
        assert_eq!(push(""), (LATIN1_SHORT, 6));
        assert_eq!(push("abcdefghijklm"), (LATIN1_LONG, 13));
        assert_eq!(push("漢"), (UTF16_SHORT, 1));
        assert_eq!(push("😀"), (UTF16_SHORT, 3));
        assert_eq!(push("漢漢漢漢漢漢漢漢漢漢漢漢漢"), (UTF16_LONG, 13));
        assert_eq!(pools.latin1()[0], b"abc\xe9t\xe9");
        assert_eq!(String::from_utf16(&pools.utf16()[0]).unwrap(), "漢😀");
    }

    #[test]
    fn a_large_cell_and_one_behind_a_full_pool_get_their_own_strings() {
        let mut pools = TextPools::new();
        assert_eq!(pools.push(&[b'a'; OWN_STRING_BYTES + 1]), None);
        while !pools.is_full() {
            assert!(pools.push(&[b'a'; OWN_STRING_BYTES]).is_some());
        }
        assert_eq!(pools.push(&[b'a'; SLICE_CHARS]), None);
        let mut cells = 0;
        while pools.push(&[b'a'; SLICE_CHARS - 1]).is_some() {
            cells += 1;
        }
        assert_eq!(pools.latin1()[0].len(), cells * (SLICE_CHARS - 1));
        assert!(pools.latin1()[0].len() < 1 << POOL_SHIFT);
    }
}
