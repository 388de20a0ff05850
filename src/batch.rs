//! A run of DataRow messages, read at once into a table of cells and text pools.
//!
//! The table, of Int32 words:
//!
//! ```text
//! | rows | end | row record | row record | ...
//! row record: | body offset | next record | pool ends (2 words, 16 bits each) | a word per cell, or three |
//! ```
//!
//! A cell's word names the pool and the end of the cell in it; it begins where the pool's last cell
//! ended. That is why a record begins with the pools' ends: a reader may start at any row. [`NULL`]
//! stands for NULL, [`OWN`] for a cell that needs a string of its own, and two words with its range follow.
//!
//! `lib/layout.js` repeats these numbers; a test compares the two.

use crate::{
    frame::{Frame, scan},
    tag::{DATA_ROW, HEADER_BYTES},
    text::pool::TextPools,
};

/// Table word: number of row records.
pub const ROWS: usize = 0;
/// Table word: where the last record ends.
pub const END: usize = 1;
/// Words before the first record.
pub const HEADER_WORDS: usize = 2;
/// Record word: offset of the row's body, which begins with the Int16 count of cells.
pub const ROW_BODY: usize = 0;
/// Record word: where the next record begins.
pub const ROW_NEXT: usize = 1;
/// Record word: ends of the two one-byte pools before this row, the long one in the upper half.
pub const ROW_LATIN1: usize = 2;
/// Record word: the same of the two-byte pools.
pub const ROW_UTF16: usize = 3;
/// Words of a record before its cells.
pub const ROW_WORDS: usize = 4;

/// Cell word of a NULL.
pub const NULL: i32 = -1;
/// Cell word of a cell with a string of its own; two words follow, where its bytes begin and end.
pub const OWN: i32 = -2;

/// Decodes the row whose body begins at `body`, and the DataRow messages that follow it without a gap
/// in `bytes`, until a pool or the table is full, or a row is malformed. Gives the number of rows,
/// which is 0 when not even the first one could be taken: the caller then reads that row by itself.
pub fn decode(bytes: &[u8], body: usize, table: &mut [i32], pools: &mut TextPools) -> usize {
    pools.clear();
    let mut rows = 0;
    let mut record = HEADER_WORDS;
    let mut start = body.checked_sub(HEADER_BYTES);
    while let Some(at) = start
        && at < bytes.len()
        && let Ok(Frame::Complete { tag: DATA_ROW, length }) = scan(&bytes[at..])
        && !pools.is_full()
    {
        let end = at + 1 + length as usize;
        let ends = pools.ends();
        let Some(next) = decode_row(bytes, at + HEADER_BYTES, end, table, record, pools) else {
            pools.truncate(ends);
            break;
        };
        record = next;
        rows += 1;
        start = Some(end);
    }
    table[ROWS] = rows as i32;
    table[END] = record as i32;
    rows
}

/// Writes the record of one row; gives where the next one begins, `None` where the row or the table
/// does not allow it.
///
/// Reads the cells by itself, as [`crate::row::Cells`] does: the iterator with its ranges and errors costs
/// more than a short cell's text. A test holds the two against each other.
fn decode_row(
    bytes: &[u8],
    body: usize,
    end: usize,
    table: &mut [i32],
    record: usize,
    pools: &mut TextPools,
) -> Option<usize> {
    let row = bytes.get(body..end)?;
    let count = usize::from(u16::from_be_bytes(*row.first_chunk::<2>()?));
    let words = table.get_mut(record..record + ROW_WORDS + 3 * count)?;
    let [latin1_short, latin1_long, utf16_short, utf16_long] = pools.ends();
    let mut at = body + 2;
    let mut used = ROW_WORDS;
    for _ in 0..count {
        let length = i32::from_be_bytes(*bytes[at..end].first_chunk::<4>()?);
        at += 4;
        if length == -1 {
            words[used] = NULL;
            used += 1;
            continue;
        }
        let length = usize::try_from(length).ok()?;
        if length > end - at {
            return None;
        }
        match pools.push(bytes, at, length) {
            Some(word) => {
                words[used] = word;
                used += 1;
            }
            None => {
                words[used..used + 3].copy_from_slice(&[OWN, at as i32, (at + length) as i32]);
                used += 3;
            }
        }
        at += length;
    }
    let next = record + used;
    words[ROW_BODY] = body as i32;
    words[ROW_NEXT] = next as i32;
    words[ROW_LATIN1] = (latin1_short | latin1_long << 16) as i32;
    words[ROW_UTF16] = (utf16_short | utf16_long << 16) as i32;
    Some(next)
}
