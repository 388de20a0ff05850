//! A run of DataRow messages, read at once: bytes to values by a plan of the columns.
//!
//! The table, of Int32 words, made by the caller:
//!
//! ```text
//! | rows, new texts | row record | row record | ... | new text | new text | ...
//! row record: | body offset, 0 | a cell of two words per column |
//! ```
//!
//! New texts of the dictionary ([`crate::text::dictionary`]) stand at a fixed place, so that records do not move them: where
//! each begins in the short pool of one byte per character, and its slot << 16, or where it ends.
//!
//! All cells are of one size, so that a reader can start at any row and any column. JavaScript looks at the
//! same memory as Int32 words and as doubles; what a cell holds depends on its column's kind ([`Kind`]):
//!
//! | kind | first word | second word |
//! |---|---|---|
//! | text, passing | where it begins in its pool | number of the pool << 16, or where it ends |
//! | text that JavaScript has already | 0 | [`SHARED`](crate::text::pool::SHARED) << 16, or its index |
//! | int | the value | 0 |
//! | bool | 0 or 1 | 0 |
//! | float, oid, date and time | a double in both words | |
//! | NULL, of any kind | | [`NULL`] |
//! | left to JavaScript, of any kind | where its bytes begin in the buffer | [`RAW`] |
//!
//! The two marks are no upper halves of a double that arithmetic makes: they would be odd NaNs. How many bytes a
//! cell has that is left to JavaScript stands before them, as on the wire.
//!
//! `lib/layout.js` repeats these numbers; a test compares the two.

use crate::{
    binary,
    frame::{Frame, scan},
    prefetch::{LINE_BYTES, prefetch},
    tag::{DATA_ROW, HEADER_BYTES},
    text::{
        boolean,
        datetime::{self, DateTime},
        dictionary, float, int,
        pool::{BLOCK_BYTES, POOL_SHIFT, TextColumn, TextPools},
    },
};

/// Table word: number of row records.
pub const ROWS: usize = 0;
/// Table word: number of new texts.
pub const NEW_TEXTS: usize = 1;
/// Words at the table's end that are for new texts, if there is a dictionary.
pub const NEW_TEXT_WORDS: usize = 2 * dictionary::MOST_NEW;
/// Words before the first record.
pub const HEADER_WORDS: usize = 2;
/// Record word: offset of the row's body, which begins with the Int16 count of cells.
pub const ROW_BODY: usize = 0;
/// Words of a record before its cells.
pub const ROW_WORDS: usize = 2;
/// Words of a cell.
pub const CELL_WORDS: usize = 2;

/// Second word of a NULL.
pub const NULL: i32 = -1;
/// Second word of a cell that is left to JavaScript; the first one tells where its bytes begin.
pub const RAW: i32 = -2;

/// What a batch needs besides its table: its texts, and memory to work in.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The texts of the latest batch.
    pub pools: TextPools,
    columns: Vec<TextColumn>,
    /// The plan that the columns belong to.
    plan: Vec<Kind>,
}

impl Scratch {
    /// For readers who keep strings for the texts of a dictionary.
    #[must_use]
    pub fn with_dictionary() -> Self {
        Self { pools: TextPools::with_dictionary(), ..Self::default() }
    }

    /// What is known of the columns' texts is of use as long as batches are of the same table, or of one that is like it.
    fn begin_columns(&mut self, plan: &[Kind], count: usize) {
        if self.columns.len() != count || self.plan != plan {
            self.plan.clear();
            self.plan.extend_from_slice(plan);
            self.columns.clear();
            self.columns.resize(count, TextColumn::default());
            for (column, &kind) in self.columns.iter_mut().zip(plan) {
                column.passes = kind == Kind::Passing;
            }
        }
        for column in &mut self.columns {
            column.long = false;
        }
    }

    /// How many words of the table are for new texts.
    fn new_text_words(&self) -> usize {
        if self.pools.has_dictionary() { NEW_TEXT_WORDS } else { 0 }
    }
}

/// How far ahead of the present row the bytes are asked for.
const PREFETCH_BYTES: usize = 1024;

/// What becomes of the cells of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Text, in a pool.
    Text = 0,
    /// Left to JavaScript.
    Raw = 1,
    /// A 32-bit integer.
    Int = 2,
    /// `true` or `false`.
    Bool = 3,
    /// A double.
    Float = 4,
    /// Date and time with a zone: milliseconds since the epoch, or an infinity.
    Zoned = 5,
    /// Date, or date and time, of the local zone: milliseconds since the epoch as if it were UTC, or an infinity.
    Local = 6,
    /// Binary int2, as an int.
    BinaryInt2 = 7,
    /// Binary int4, as an int.
    BinaryInt4 = 8,
    /// Binary int8, as text: its decimal digits.
    BinaryInt8 = 9,
    /// Binary oid, as a double: it is unsigned.
    BinaryOid = 10,
    /// Binary float4, as a double.
    BinaryFloat4 = 11,
    /// Binary float8, as a double.
    BinaryFloat8 = 12,
    /// Binary bool.
    BinaryBool = 13,
    /// Binary numeric, as a double.
    BinaryNumeric = 14,
    /// Text for a function that makes something else of it.
    Passing = 15,
    /// An unsigned 32-bit integer, as a double.
    Oid = 16,
}

impl Kind {
    /// The kind of a byte of the plan; unknown ones are left to JavaScript.
    #[must_use]
    pub fn of(byte: u8) -> Self {
        const KINDS: [Kind; 17] = [
            Kind::Text,
            Kind::Raw,
            Kind::Int,
            Kind::Bool,
            Kind::Float,
            Kind::Zoned,
            Kind::Local,
            Kind::BinaryInt2,
            Kind::BinaryInt4,
            Kind::BinaryInt8,
            Kind::BinaryOid,
            Kind::BinaryFloat4,
            Kind::BinaryFloat8,
            Kind::BinaryBool,
            Kind::BinaryNumeric,
            Kind::Passing,
            Kind::Oid,
        ];
        KINDS.get(usize::from(byte)).copied().unwrap_or(Self::Raw)
    }
}

/// Decodes the row whose body begins at `body`, and the DataRow messages that follow it without a gap
/// in `bytes`, until a pool or the table is full, or a row is not as the others: malformed, or of another
/// number of cells than the plan has columns. Gives the number of rows, which is 0 when not even the first
/// one could be taken: the caller then reads that row by itself.
///
/// An empty plan reads all cells as text, as many as the first row has.
pub fn decode(bytes: &[u8], body: usize, plan: &[Kind], table: &mut [i32], scratch: &mut Scratch) -> usize {
    scratch.pools.clear();
    table[ROWS] = 0;
    table[NEW_TEXTS] = 0;
    let Some(mut start) = body.checked_sub(HEADER_BYTES) else { return 0 };
    let count = if plan.is_empty() { row_at(bytes, start).map_or(0, |(cells, _)| cells) } else { plan.len() };
    scratch.begin_columns(plan, count);
    let mut rows = 0;
    let most = table.len().saturating_sub(scratch.new_text_words()).max(HEADER_WORDS);
    let (table, new_texts) = table.split_at_mut(most);
    let records = table[HEADER_WORDS..].chunks_exact_mut(ROW_WORDS + CELL_WORDS * count);
    for record in records {
        let Some((cells, end)) = row_at(bytes, start) else { break };
        if cells != count || scratch.pools.is_full() {
            break;
        }
        prefetch(bytes, start + PREFETCH_BYTES, ((end - start) / LINE_BYTES + 1).min(64));
        let body = start + HEADER_BYTES;
        record[ROW_BODY] = body as i32;
        let ends = scratch.pools.ends();
        if decode_row(bytes, body + 2, end, plan, &mut record[ROW_WORDS..], scratch).is_none() {
            scratch.pools.truncate(ends);
            break;
        }
        rows += 1;
        start = end;
    }
    table[ROWS] = rows;
    table[NEW_TEXTS] = scratch.pools.new_texts().len() as i32;
    for (words, text) in new_texts.as_chunks_mut().0.iter_mut().zip(scratch.pools.new_texts()) {
        *words = [text.start as i32, (text.slot << POOL_SHIFT | text.end) as i32];
    }
    rows as usize
}

/// How many cells the DataRow message has that begins at `start`, and where it ends.
#[inline]
fn row_at(bytes: &[u8], start: usize) -> Option<(usize, usize)> {
    let Frame::Complete { tag: DATA_ROW, length } = scan(bytes.get(start..)?).ok()? else { return None };
    let end = start + 1 + length as usize;
    let count = bytes[start + HEADER_BYTES..end].first_chunk()?;
    Some((usize::from(u16::from_be_bytes(*count)), end))
}

/// Fills the cells of one row; `None` where they are not all within the row.
///
/// Reads the cells by itself, as [`crate::row::Cells`] does: the iterator with its ranges and errors costs
/// more than a short cell's text. A test holds the two against each other.
#[inline]
fn decode_row(
    bytes: &[u8],
    mut at: usize,
    end: usize,
    plan: &[Kind],
    cells: &mut [i32],
    scratch: &mut Scratch,
) -> Option<()> {
    let Scratch { pools, columns, .. } = scratch;
    let cells = cells.as_chunks_mut::<CELL_WORDS>().0.iter_mut().zip(columns);
    if plan.is_empty() {
        for (cell, text) in cells {
            at = decode_cell(bytes, at, end, Kind::Text, cell, text, pools)?;
        }
    } else {
        for ((cell, text), &kind) in cells.zip(plan) {
            at = decode_cell(bytes, at, end, kind, cell, text, pools)?;
        }
    }
    Some(())
}

/// Reads the cell whose Int32 length stands at `at`; gives where the next one's stands.
#[inline(always)]
#[allow(clippy::inline_always)]
fn decode_cell(
    bytes: &[u8],
    at: usize,
    end: usize,
    kind: Kind,
    cell: &mut [i32; CELL_WORDS],
    text: &mut TextColumn,
    pools: &mut TextPools,
) -> Option<usize> {
    // One comparison for the length and the bytes of a short cell; what is behind it in the block does not matter.
    if let Some(window) = bytes.get(at..)?.first_chunk::<{ 4 + BLOCK_BYTES }>()
        && let Some((length, block)) = window.split_first_chunk()
        && let Some(block) = block.first_chunk()
        && let length = u32::from_be_bytes(*length) as usize
        && length <= BLOCK_BYTES
        && at + 4 + length <= end
    {
        let decoded = match kind {
            Kind::Text | Kind::Passing => pools.push_block(block, length, text),
            Kind::Int => int::parse_block(first_half(block), length).map(|value| [value, 0]),
            Kind::Bool => Some([i32::from(boolean::parse(&block[..length])), 0]),
            Kind::Zoned => datetime::parse_zoned_block(block, length).map(date_time),
            Kind::Local => datetime::parse_local_block(block, length).map(date_time),
            _ => convert(&block[..length], kind, text, pools),
        };
        *cell = decoded.unwrap_or([at as i32 + 4, RAW]);
        return Some(at + 4 + length);
    }
    decode_other(bytes, at, end, kind, cell, text, pools)
}

#[inline]
fn first_half(block: &[u8; BLOCK_BYTES]) -> u128 {
    block.first_chunk().map_or(0, |half| u128::from_le_bytes(*half))
}

/// [`decode_cell`] for a NULL, a longer cell, one near the end of the buffer, and one that is not within its row.
fn decode_other(
    bytes: &[u8],
    at: usize,
    end: usize,
    kind: Kind,
    cell: &mut [i32; CELL_WORDS],
    text: &mut TextColumn,
    pools: &mut TextPools,
) -> Option<usize> {
    let start = at + 4;
    let length = i32::from_be_bytes(*bytes[..end].get(at..)?.first_chunk()?);
    if length == -1 {
        *cell = [0, NULL];
        return Some(start);
    }
    let next = start + usize::try_from(length).ok()?;
    *cell = convert(bytes[..end].get(start..next)?, kind, text, pools).unwrap_or([start as i32, RAW]);
    Some(next)
}

#[inline(never)]
fn convert(cell: &[u8], kind: Kind, text: &mut TextColumn, pools: &mut TextPools) -> Option<[i32; CELL_WORDS]> {
    match kind {
        Kind::Text | Kind::Passing => pools.push(cell, text),
        Kind::Raw => None,
        Kind::Int => int::parse(cell).map(|value| [value, 0]),
        Kind::Bool => Some([i32::from(boolean::parse(cell)), 0]),
        Kind::Float => float::parse(cell).map(double),
        Kind::Zoned => datetime::parse_zoned(cell).map(date_time),
        Kind::Local => datetime::parse_local(cell).map(date_time),
        Kind::BinaryInt2 => binary::int::int2(cell).map(|value| [i32::from(value), 0]),
        Kind::BinaryInt4 => binary::int::int4(cell).map(|value| [value, 0]),
        Kind::BinaryOid => binary::int::oid(cell).map(|value| double(f64::from(value))),
        Kind::BinaryFloat4 => binary::float::float4(cell).map(double),
        Kind::BinaryFloat8 => binary::float::float8(cell).map(double),
        Kind::BinaryBool => binary::boolean::parse(cell).map(|value| [i32::from(value), 0]),
        Kind::BinaryNumeric => binary::numeric::parse(cell).map(double),
        Kind::BinaryInt8 => push_decimal(cell, pools, text),
        Kind::Oid => int::parse_oid(cell).map(double),
    }
}

/// An int8 as text.
fn push_decimal(cell: &[u8], pools: &mut TextPools, text: &mut TextColumn) -> Option<[i32; CELL_WORDS]> {
    let mut digits = [0; binary::int::INT8_CHARS];
    let digits = binary::int::decimal(binary::int::int8(cell)?, &mut digits);
    pools.push(digits, text)
}

#[inline]
fn date_time(value: DateTime) -> [i32; CELL_WORDS] {
    double(match value {
        DateTime::Millis(millis) => millis,
        DateTime::Infinity => f64::INFINITY,
        DateTime::NegInfinity => f64::NEG_INFINITY,
    })
}

/// The two words of a double, in the order in which JavaScript finds it: the machine's.
#[inline]
fn double(value: f64) -> [i32; CELL_WORDS] {
    // Of all NaNs the one that cannot be taken for a mark.
    let bits = if value.is_nan() { f64::NAN.to_bits() & !(1 << 63) } else { value.to_bits() };
    [bits as i32, (bits >> 32) as i32]
}
