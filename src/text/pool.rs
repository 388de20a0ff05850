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

use super::utf8;

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

/// A cell of up to this many bytes is copied as a block, whatever its length: two moves of the processor.
const BLOCK_BYTES: usize = 32;

/// The most that a short pool holds: what a cell's word can say. Long pools stop at [`POOL_CHARS`].
const SHORT_POOL_CHARS: usize = (1 << POOL_SHIFT) - SLICE_CHARS;

/// Room of a pool: its last cell may be a large one, and whole blocks are written.
const POOL_ROOM: usize = SHORT_POOL_CHARS + OWN_STRING_BYTES + BLOCK_BYTES;

const _: () = assert!(POOL_CHARS + OWN_STRING_BYTES < 1 << POOL_SHIFT);

/// One pool: a fixed room and how much of it is used. A `Vec` would ask at each cell whether to grow.
#[derive(Debug)]
struct Pool<T> {
    chars: Box<[T]>,
    length: usize,
    most: usize,
}

impl<T: Copy + Default> Pool<T> {
    fn new(most: usize) -> Self {
        Self { chars: vec![T::default(); POOL_ROOM].into_boxed_slice(), length: 0, most }
    }

    /// The room for a cell of up to [`OWN_STRING_BYTES`] characters; `None` where the pool is full.
    #[inline]
    fn room(&mut self) -> Option<&mut [T]> {
        if self.length >= self.most {
            return None;
        }
        self.chars.get_mut(self.length..)
    }

    fn used(&self) -> &[T] {
        &self.chars[..self.length]
    }
}

/// The texts of a batch.
#[derive(Debug)]
pub struct TextPools {
    latin1_short: Pool<u8>,
    latin1_long: Pool<u8>,
    utf16_short: Pool<u16>,
    utf16_long: Pool<u16>,
    /// Where a cell that is not ASCII is decoded before its pool is known.
    units: Box<[u16; OWN_STRING_BYTES]>,
}

impl Default for TextPools {
    fn default() -> Self {
        Self {
            latin1_short: Pool::new(SHORT_POOL_CHARS),
            latin1_long: Pool::new(POOL_CHARS),
            utf16_short: Pool::new(SHORT_POOL_CHARS),
            utf16_long: Pool::new(POOL_CHARS),
            units: Box::new([0; OWN_STRING_BYTES]),
        }
    }
}

impl TextPools {
    /// Empty pools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Empties the pools.
    pub fn clear(&mut self) {
        self.truncate([0; 4]);
    }

    /// Whether a pool has reached its size.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.ends().iter().any(|&end| end >= POOL_CHARS)
    }

    /// The ends of the four pools, in the order of their numbers.
    #[must_use]
    pub fn ends(&self) -> [usize; 4] {
        [self.latin1_short.length, self.latin1_long.length, self.utf16_short.length, self.utf16_long.length]
    }

    /// Takes the pools back to former [`TextPools::ends`].
    pub fn truncate(&mut self, ends: [usize; 4]) {
        [self.latin1_short.length, self.latin1_long.length, self.utf16_short.length, self.utf16_long.length] = ends;
    }

    /// The one-byte pools, short and long.
    #[must_use]
    pub fn latin1(&self) -> [&[u8]; 2] {
        [self.latin1_short.used(), self.latin1_long.used()]
    }

    /// The two-byte pools, short and long.
    #[must_use]
    pub fn utf16(&self) -> [&[u16]; 2] {
        [self.utf16_short.used(), self.utf16_long.used()]
    }

    /// Appends the text of the cell `bytes[start..start + length]` and gives the cell's word: the pool's
    /// number and where in it the text ends. It begins where the pool ended before. `None`: the cell is to
    /// have a string of its own.
    ///
    /// Takes the surroundings of the cell too, because a short cell is moved as a block of fixed size when
    /// the buffer has so many bytes: what is behind its end is overwritten by the next cell.
    ///
    /// # Panics
    /// If the cell is not within `bytes`.
    #[inline]
    pub fn push(&mut self, bytes: &[u8], start: usize, length: usize) -> Option<i32> {
        if length < SLICE_CHARS {
            if let Some(block) = bytes[start..].first_chunk::<16>()
                && is_ascii(*block, length)
            {
                let pool = &mut self.latin1_short;
                *pool.room()?.first_chunk_mut()? = *block;
                pool.length += length;
                return Some(word(LATIN1_SHORT, pool.length));
            }
        } else if length <= BLOCK_BYTES
            && let Some(block) = bytes[start..].first_chunk::<BLOCK_BYTES>()
            && let [low, high] = *block.as_chunks::<16>().0
            && is_ascii(low, length)
            && is_ascii(high, length.saturating_sub(16))
        {
            let pool = &mut self.latin1_long;
            *pool.room()?.first_chunk_mut()? = *block;
            pool.length += length;
            return Some(word(LATIN1_LONG, pool.length));
        }
        self.push_any(&bytes[start..start + length])
    }

    fn push_any(&mut self, cell: &[u8]) -> Option<i32> {
        if cell.len() > OWN_STRING_BYTES {
            return None;
        }
        if cell.is_ascii() {
            let long = cell.len() >= SLICE_CHARS;
            let pool = if long { &mut self.latin1_long } else { &mut self.latin1_short };
            pool.room()?[..cell.len()].copy_from_slice(cell);
            pool.length += cell.len();
            return Some(word(LATIN1_SHORT + i32::from(long), pool.length));
        }
        let units = &mut self.units[..];
        let (length, all) = utf8::decode(cell, units).unwrap_or_else(|| utf8::decode_lossy(cell, units));
        let units = &units[..length];
        let long = length >= SLICE_CHARS;
        if all <= 0xff {
            let pool = if long { &mut self.latin1_long } else { &mut self.latin1_short };
            for (place, &unit) in pool.room()?.iter_mut().zip(units) {
                *place = unit as u8;
            }
            pool.length += length;
            Some(word(LATIN1_SHORT + i32::from(long), pool.length))
        } else {
            let pool = if long { &mut self.utf16_long } else { &mut self.utf16_short };
            pool.room()?[..length].copy_from_slice(units);
            pool.length += length;
            Some(word(UTF16_SHORT + i32::from(long), pool.length))
        }
    }
}

/// The high bits of the first n bytes of a block, which ASCII does not have.
const HIGH_BITS: [u128; 33] = {
    let mut masks = [0; 33];
    let mut length = 1;
    while length < masks.len() {
        masks[length] = masks[length - 1] << 8 | 0x80;
        length += 1;
    }
    masks
};

/// Whether the first `length` bytes of the block are ASCII; at most the block's, for a `length` up to 32.
#[inline]
fn is_ascii(block: [u8; 16], length: usize) -> bool {
    u128::from_le_bytes(block) & HIGH_BITS[length] == 0
}

#[inline]
fn word(pool: i32, end: usize) -> i32 {
    debug_assert!(end < 1 << POOL_SHIFT);
    pool << POOL_SHIFT | end as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(pools: &mut TextPools, cell: &[u8]) -> Option<i32> {
        let alone = pools.ends();
        let word = pools.push(cell, 0, cell.len());
        let after = pools.ends();
        // The same with bytes around it, which must not matter.
        pools.truncate(alone);
        let mut around = vec![0xff; 3];
        around.extend_from_slice(cell);
        around.extend_from_slice(&[0xff; 40]);
        assert_eq!(pools.push(&around, 3, cell.len()), word);
        assert_eq!(pools.ends(), after);
        word
    }

    #[test]
    fn a_cell_lands_in_the_pool_of_its_width_and_length() {
        let mut pools = TextPools::new();
        let mut push = |text: &str| {
            let word = push(&mut pools, text.as_bytes()).expect("room");
            (word >> POOL_SHIFT, word & 0xffff)
        };
        assert_eq!(push("abc"), (LATIN1_SHORT, 3));
        assert_eq!(push("été"), (LATIN1_SHORT, 6));
        assert_eq!(push(""), (LATIN1_SHORT, 6));
        assert_eq!(push("abcdefghijklm"), (LATIN1_LONG, 13));
        assert_eq!(push("abcdefghijklmnopqrstuvwxyzabcdef"), (LATIN1_LONG, 45));
        assert_eq!(push("abcdefghijklmnopqrstuvwxyzabcdefg"), (LATIN1_LONG, 78));
        assert_eq!(push("漢"), (UTF16_SHORT, 1));
        assert_eq!(push("😀"), (UTF16_SHORT, 3));
        assert_eq!(push("漢漢漢漢漢漢漢漢漢漢漢漢漢"), (UTF16_LONG, 13));
        assert_eq!(pools.latin1()[0], b"abc\xe9t\xe9");
        assert_eq!(String::from_utf16(pools.utf16()[0]).unwrap(), "漢😀");
    }

    #[test]
    fn a_large_cell_and_one_behind_a_full_pool_get_their_own_strings() {
        let mut pools = TextPools::new();
        assert_eq!(push(&mut pools, &[b'a'; OWN_STRING_BYTES + 1]), None);
        while !pools.is_full() {
            assert!(push(&mut pools, &[b'a'; OWN_STRING_BYTES]).is_some());
        }
        assert_eq!(push(&mut pools, &[b'a'; SLICE_CHARS]), None);
        let mut cells = 0;
        while push(&mut pools, &[b'a'; SLICE_CHARS - 1]).is_some() {
            cells += 1;
        }
        assert_eq!(pools.latin1()[0].len(), cells * (SLICE_CHARS - 1));
        assert!(pools.latin1()[0].len() < 1 << POOL_SHIFT);
    }
}
