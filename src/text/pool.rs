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

use super::{
    dictionary::{self, Dictionary, Found, Luck, New},
    utf8::{self, DECODE_BYTES},
};

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
/// No pool but a table of strings that JavaScript has already: see [`shared`].
pub const SHARED: i32 = 4;
/// Index of the shared string of one character that is no digit, less its code.
pub const SHARED_CHARS: i32 = 10_000;
/// Index of the empty string in the table of shared strings, which it ends.
pub const SHARED_EMPTY: i32 = SHARED_CHARS + 128;
/// Index of the dictionary's first slot: see [`dictionary`].
pub const SHARED_SLOTS: i32 = SHARED_EMPTY + 1;
/// How far the pool's number is shifted in a cell's second word; below are 16 bits for its end.
pub const POOL_SHIFT: i32 = 16;

/// A cell of up to this many bytes is copied as a block, whatever its length: two moves of the processor.
pub const BLOCK_BYTES: usize = 32;

/// The most that a short pool holds: what a cell's word can say. Long pools stop at [`POOL_CHARS`].
const SHORT_POOL_CHARS: usize = (1 << POOL_SHIFT) - SLICE_CHARS;

/// Room of a pool: its last cell may be a large one, and whole blocks are written.
const POOL_ROOM: usize = SHORT_POOL_CHARS + OWN_STRING_BYTES + BLOCK_BYTES;

const _: () = assert!(POOL_CHARS + OWN_STRING_BYTES < 1 << POOL_SHIFT);
const _: () = assert!(SHARED_SLOTS + (dictionary::SLOTS as i32) < 1 << POOL_SHIFT);

/// What is known of a column of texts.
#[derive(Debug, Clone, Copy, Default)]
pub struct TextColumn {
    /// Whether a cell of it was long. Its cells go to the long pools from then on: which pool a cell is in is the same
    /// all down the column then, and processors guess such branches right. A few short cells are kept alive for it.
    pub long: bool,
    /// Whether its texts only pass, on the way to a function that makes something else of them. In a long pool they
    /// would be kept alive by their neighbours; they go to the short ones, whatever their length.
    pub passes: bool,
    /// Whether its texts are looked up in the dictionary.
    pub luck: Luck,
}

impl TextColumn {
    #[inline]
    fn is_kept(self) -> bool {
        self.long & !self.passes
    }
}

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

    /// Appends the first `length` characters of a block.
    #[inline]
    fn push(&mut self, block: &[T; BLOCK_BYTES], length: usize, number: i32) -> Option<[i32; 2]> {
        let room = self.room()?.first_chunk_mut()?;
        *room = *block;
        Some(self.extend(length, number))
    }

    /// Counts the `length` characters that were written into the room; gives the words of their cell.
    #[inline]
    fn extend(&mut self, length: usize, number: i32) -> [i32; 2] {
        let start = self.length;
        self.length += length;
        debug_assert!(self.length < 1 << POOL_SHIFT);
        [start as i32, number << POOL_SHIFT | self.length as i32]
    }

    fn used(&self) -> &[T] {
        &self.chars[..self.length]
    }
}

/// Where the pools end at a time.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Ends {
    /// In the order of their numbers.
    pools: [usize; 4],
    new_texts: usize,
}

/// The texts of a batch.
#[derive(Debug)]
pub struct TextPools {
    latin1_short: Pool<u8>,
    latin1_long: Pool<u8>,
    utf16_short: Pool<u16>,
    utf16_long: Pool<u16>,
    /// Texts that were met before; `None` where JavaScript keeps no strings for them.
    dictionary: Option<Dictionary>,
}

impl Default for TextPools {
    fn default() -> Self {
        Self {
            latin1_short: Pool::new(SHORT_POOL_CHARS),
            latin1_long: Pool::new(POOL_CHARS),
            utf16_short: Pool::new(SHORT_POOL_CHARS),
            utf16_long: Pool::new(POOL_CHARS),
            dictionary: None,
        }
    }
}

impl TextPools {
    /// Empty pools.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Pools with a dictionary.
    #[must_use]
    pub fn with_dictionary() -> Self {
        Self { dictionary: Some(Dictionary::default()), ..Self::default() }
    }

    /// Whether texts that were met before are told by their slot.
    #[must_use]
    pub fn has_dictionary(&self) -> bool {
        self.dictionary.is_some()
    }

    /// Empties the pools.
    pub fn clear(&mut self) {
        self.truncate(Ends::default());
        if let Some(dictionary) = &mut self.dictionary {
            dictionary.begin();
        }
    }

    /// Begins with an empty dictionary.
    pub fn forget_texts(&mut self) {
        if let Some(dictionary) = &mut self.dictionary {
            *dictionary = Dictionary::default();
        }
    }

    /// The texts that are new in the dictionary; their characters are in the short pool of one byte per character.
    #[must_use]
    pub fn new_texts(&self) -> &[New] {
        self.dictionary.as_ref().map_or(&[], Dictionary::new_texts)
    }

    /// Whether a pool has reached its size.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.lengths().iter().any(|&length| length >= POOL_CHARS)
    }

    fn lengths(&self) -> [usize; 4] {
        [self.latin1_short.length, self.latin1_long.length, self.utf16_short.length, self.utf16_long.length]
    }

    /// Where the pools end.
    #[must_use]
    pub fn ends(&self) -> Ends {
        Ends { pools: self.lengths(), new_texts: self.new_texts().len() }
    }

    /// Takes the pools back to former [`TextPools::ends`].
    pub fn truncate(&mut self, ends: Ends) {
        let Ends { pools, new_texts } = ends;
        [self.latin1_short.length, self.latin1_long.length, self.utf16_short.length, self.utf16_long.length] = pools;
        if let Some(dictionary) = &mut self.dictionary {
            dictionary.truncate(new_texts);
        }
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

    /// Appends the text of a cell and gives its two words: where in its pool it begins, and the pool's number and
    /// where it ends. `None`: the cell is to have a string of its own.
    ///
    /// `column` tells about the cell's column and remembers it.
    #[inline]
    pub fn push(&mut self, cell: &[u8], column: &mut TextColumn) -> Option<[i32; 2]> {
        if cell.len() <= BLOCK_BYTES {
            let mut block = [0; BLOCK_BYTES];
            block[..cell.len()].copy_from_slice(cell);
            return self.push_block(&block, cell.len(), column);
        }
        column.long = true;
        self.push_any(cell, column.passes)
    }

    /// [`TextPools::push`] for the first `length` bytes of a block, of a `length` up to [`BLOCK_BYTES`]. What is behind
    /// them does not matter: a short cell is moved as a block of fixed size, whose rest the next cell overwrites.
    #[inline(always)]
    #[allow(clippy::inline_always)]
    pub fn push_block(
        &mut self,
        block: &[u8; BLOCK_BYTES],
        length: usize,
        column: &mut TextColumn,
    ) -> Option<[i32; 2]> {
        if length <= 4
            && let Some(index) = shared(block.first_chunk()?, length)
        {
            return Some([0, SHARED << POOL_SHIFT | index]);
        }
        column.long |= length >= SLICE_CHARS;
        if is_ascii(block, length) {
            if column.is_kept() {
                return self.latin1_long.push(block, length, LATIN1_LONG);
            }
            if length <= dictionary::MOST_BYTES
                && let Some(dictionary) = &mut self.dictionary
                && !column.passes
                && column.luck.is_worth_a_try()
            {
                let half = block.first_chunk().map_or(0, |half| u128::from_le_bytes(*half));
                match dictionary.find(dictionary::key(half, length)) {
                    Found::Known(slot) => {
                        column.luck.hit();
                        return Some(in_slot(slot));
                    }
                    Found::New(slot) => {
                        column.luck.miss();
                        let Some([start, _]) = self.latin1_short.push(block, length, LATIN1_SHORT) else {
                            dictionary.forget(slot);
                            return None;
                        };
                        let start = start as usize;
                        dictionary.learn(New { slot, start, end: start + length });
                        return Some(in_slot(slot));
                    }
                    Found::NoRoom => column.luck.miss(),
                }
            }
            return self.latin1_short.push(block, length, LATIN1_SHORT);
        }
        self.push_any(&block[..length], column.passes)
    }

    fn push_any(&mut self, cell: &[u8], passes: bool) -> Option<[i32; 2]> {
        if cell.len() > OWN_STRING_BYTES {
            return None;
        }
        if cell.len() > BLOCK_BYTES {
            let (pool, number) =
                if passes { (&mut self.latin1_short, LATIN1_SHORT) } else { (&mut self.latin1_long, LATIN1_LONG) };
            if copy_ascii(cell, pool.room()?) {
                return Some(pool.extend(cell.len(), number));
            }
        }
        let mut short = [0; DECODE_BYTES];
        if let Some((length, all)) = utf8::decode(cell, &mut short) {
            return self.push_units(&short, length, all, passes);
        }
        let mut units = vec![0; cell.len().max(DECODE_BYTES)];
        let (length, all) = utf8::decode_lossy(cell, &mut units);
        self.push_units(&units, length, all, passes)
    }

    /// Appends the first `length` units, all of which ORed together are `all`.
    #[inline]
    fn push_units(&mut self, units: &[u16], length: usize, all: u16, passes: bool) -> Option<[i32; 2]> {
        let long = length >= SLICE_CHARS && !passes;
        // A block of fixed size, which is more than a short cell has, is moved faster than so many units.
        let units = if length >= SLICE_CHARS { &units[..length] } else { &units[..16] };
        if all <= 0xff {
            let pool = if long { &mut self.latin1_long } else { &mut self.latin1_short };
            for (place, &unit) in pool.room()?.iter_mut().zip(units) {
                *place = unit as u8;
            }
            Some(pool.extend(length, LATIN1_SHORT + i32::from(long)))
        } else {
            let pool = if long { &mut self.utf16_long } else { &mut self.utf16_short };
            pool.room()?[..units.len()].copy_from_slice(units);
            Some(pool.extend(length, UTF16_SHORT + i32::from(long)))
        }
    }
}

/// Index of a text that is among the shared strings: the decimal numbers from 0 to 9999, each ASCII
/// character, and the empty string. Ids, counts, flags and codes are full of them, and what is not allocated
/// costs nothing to make, to collect and to keep.
///
/// The text is the first `length` bytes of `four`, of a `length` up to 4. How many digits there are cannot be guessed, so
/// all four are read at once: moved so that the last one is the last byte, and missing ones are zeros.
///
/// ```
/// use pg_protocol_native::text::pool::{SHARED_CHARS, SHARED_EMPTY, shared};
/// assert_eq!(shared(b"42..", 2), Some(42));
/// assert_eq!(shared(b"042.", 3), None);
/// assert_eq!(shared(b"t...", 1), Some(SHARED_CHARS + i32::from(b't')));
/// assert_eq!(shared(b"....", 0), Some(SHARED_EMPTY));
/// ```
#[inline]
#[must_use]
pub fn shared(four: &[u8; 4], length: usize) -> Option<i32> {
    if length == 0 {
        return Some(SHARED_EMPTY);
    }
    let first = four[0];
    let digits = (u32::from_le_bytes(*four) ^ 0x3030_3030) << ((8 * (4 - length)) & 31);
    // What is no digit is above 9 now, which adding 0x76 shows in the top bit unless it is set already.
    if (digits.wrapping_add(0x7676_7676) | digits) & 0x8080_8080 == 0 {
        let pairs = (digits.wrapping_mul(10).wrapping_add(digits >> 8)) & 0x00ff_00ff;
        let value = (pairs & 0xff) * 100 + (pairs >> 16);
        return if first != b'0' || length == 1 { Some(value as i32) } else { None };
    }
    if length == 1 && first.is_ascii() { Some(SHARED_CHARS + i32::from(first)) } else { None }
}

/// The words of a cell whose text is in a slot of the dictionary.
#[inline]
fn in_slot(slot: usize) -> [i32; 2] {
    [0, SHARED << POOL_SHIFT | (SHARED_SLOTS + slot as i32)]
}

/// Copies a cell of at least [`BLOCK_BYTES`] bytes; tells whether it is ASCII. One walk where `is_ascii` and a copy
/// make two; the last block overlaps the one before it, where bytes one by one would take longer than the rest.
#[inline]
fn copy_ascii(cell: &[u8], room: &mut [u8]) -> bool {
    let room = &mut room[..cell.len()];
    let mut all = 0;
    let mut copy = |block: &[u8; BLOCK_BYTES], room: &mut [u8; BLOCK_BYTES]| {
        *room = *block;
        all |= block.iter().fold(0, |all, byte| all | byte);
    };
    if let (Some(block), Some(room)) = (cell.last_chunk(), room.last_chunk_mut()) {
        copy(block, room);
    }
    for (block, room) in cell.as_chunks().0.iter().zip(room.as_chunks_mut().0) {
        copy(block, room);
    }
    all < 0x80
}

/// Whether the first `length` bytes of the block are ASCII, for a `length` up to the block's.
#[inline]
fn is_ascii(block: &[u8; BLOCK_BYTES], length: usize) -> bool {
    high_bits(block) & ((1 << length) - 1) == 0
}

/// The high bit of each byte, that of the first one lowest.
#[inline]
fn high_bits(block: &[u8; BLOCK_BYTES]) -> u64 {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{__m128i, _mm_loadu_si128, _mm_movemask_epi8};
        let half = |half: &[u8; 16]| {
            // SAFETY: the pointer is that of 16 bytes, which `_mm_loadu_si128` reads from any address; every x86-64
            // processor has SSE2.
            u64::from(unsafe { _mm_movemask_epi8(_mm_loadu_si128(half.as_ptr().cast::<__m128i>())) } as u32)
        };
        let [low, high] = block.as_chunks().0 else { unreachable!("a block has two halves") };
        half(low) | half(high) << 16
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        block.as_chunks().0.iter().rev().fold(0, |bits, eight| {
            // The multiplication gathers the eight bits in the top byte.
            let high = (u64::from_le_bytes(*eight) & 0x8080_8080_8080_8080) >> 7;
            bits << 8 | high.wrapping_mul(0x0102_0408_1020_4080) >> 56
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn push(pools: &mut TextPools, cell: &[u8]) -> Option<[i32; 2]> {
        let alone = pools.ends();
        let word = pools.push(cell, &mut TextColumn::default());
        let after = pools.ends();
        if cell.len() <= BLOCK_BYTES {
            // The same with other bytes behind it, which must not matter.
            for other in [b'7', b'x', 0xff] {
                pools.truncate(alone);
                let mut block = [other; BLOCK_BYTES];
                block[..cell.len()].copy_from_slice(cell);
                assert_eq!(pools.push_block(&block, cell.len(), &mut TextColumn::default()), word);
                assert_eq!(pools.ends(), after);
            }
        }
        word
    }

    #[test]
    fn a_cell_lands_in_the_pool_of_its_width_and_length() {
        let mut pools = TextPools::new();
        let mut push = |text: &str| {
            let [start, word] = push(&mut pools, text.as_bytes()).expect("room");
            assert!(start <= word & 0xffff, "{text}");
            (word >> POOL_SHIFT, word & 0xffff)
        };
        assert_eq!(push("abc"), (LATIN1_SHORT, 3));
        assert_eq!(push("été"), (LATIN1_SHORT, 6));
        assert_eq!(push(""), (SHARED, SHARED_EMPTY));
        assert_eq!(push("9999"), (SHARED, 9999));
        assert_eq!(push("x"), (SHARED, SHARED_CHARS + 0x78));
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
    fn a_byte_that_is_not_ascii_is_found_at_each_place_and_none_behind_the_end() {
        for place in 0..BLOCK_BYTES {
            for byte in [0x80, 0xff] {
                let mut block = [0x7f; BLOCK_BYTES];
                block[place] = byte;
                assert_eq!(high_bits(&block), 1 << place);
                for length in 0..=BLOCK_BYTES {
                    assert_eq!(is_ascii(&block, length), block[..length].is_ascii());
                }
            }
        }
    }

    #[test]
    fn shared_texts_are_the_decimal_numbers_and_single_characters() {
        let mut by_text = std::collections::HashMap::new();
        by_text.insert(Vec::new(), SHARED_EMPTY);
        for byte in 0..128_u8 {
            by_text.insert(vec![byte], SHARED_CHARS + i32::from(byte));
        }
        for number in 0..SHARED_CHARS {
            by_text.insert(number.to_string().into_bytes(), number);
        }
        let bytes = [b'/', b'0', b'1', b'9', b':', b'-', b' ', 0, 0x7f, 0x80, 0xb0, 0xff];
        let texts = (0..=4).flat_map(|length| (0..12_usize.pow(length)).map(move |text| (text, length as usize)));
        for (mut number, length) in texts {
            let mut four = [0; 4];
            for place in &mut four {
                *place = bytes[number % 12];
                number /= 12;
            }
            assert_eq!(shared(&four, length), by_text.get(&four[..length]).copied(), "{four:?} {length}");
        }
        for number in 0..SHARED_CHARS {
            let text = number.to_string();
            let mut four = [b'7'; 4];
            four[..text.len()].copy_from_slice(text.as_bytes());
            assert_eq!(shared(&four, text.len()), Some(number));
        }
    }

    #[test]
    fn a_column_stays_in_the_long_pools_once_it_had_a_long_cell() {
        let mut pools = TextPools::new();
        let mut long = TextColumn::default();
        let long_cell = b"abcdefghijklm";
        let pool = |word: Option<[i32; 2]>| word.expect("room")[1] >> POOL_SHIFT;
        assert_eq!(pool(pools.push(b"abcdef", &mut long)), LATIN1_SHORT);
        assert_eq!(pool(pools.push(long_cell, &mut long)), LATIN1_LONG);
        assert_eq!(pool(pools.push(b"abcdef", &mut long)), LATIN1_LONG);
        assert_eq!(pools.latin1()[1], b"abcdefghijklmabcdef");
        let mut passing = TextColumn { passes: true, ..TextColumn::default() };
        assert_eq!(pool(pools.push(long_cell, &mut passing)), LATIN1_SHORT);
        assert_eq!(pool(pools.push(&[b'a'; 40], &mut passing)), LATIN1_SHORT);
        assert_eq!(pool(pools.push("漢漢漢漢漢漢漢漢漢漢漢漢漢".as_bytes(), &mut passing)), UTF16_SHORT);
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
