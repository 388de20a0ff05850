//! A run of DataRow messages, read at once: bytes to values by a plan of the columns.
//!
//! The table, of Int32 words, made by the caller:
//!
//! ```text
//! | rows, 0 | row record | row record | ...
//! row record: | body offset, 0 | a cell of two words per column |
//! ```
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
        float, int,
        pool::{TextColumn, TextPools},
    },
};

/// Table word: number of row records.
pub const ROWS: usize = 0;
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
    scratch.columns.clear();
    scratch.columns.extend(plan.iter().map(|&kind| TextColumn { long: false, passes: kind == Kind::Passing }));
    let mut rows = 0;
    let mut record = HEADER_WORDS;
    let mut start = body.checked_sub(HEADER_BYTES);
    let mut count = if plan.is_empty() { None } else { Some(plan.len()) };
    while let Some(at) = start
        && at < bytes.len()
        && let Ok(Frame::Complete { tag: DATA_ROW, length }) = scan(&bytes[at..])
        && !scratch.pools.is_full()
    {
        let end = at + 1 + length as usize;
        prefetch(bytes, at + PREFETCH_BYTES, (length as usize / LINE_BYTES + 1).min(64));
        let Some((cells, columns)) = row_cells(bytes, at + HEADER_BYTES, end) else {
            break;
        };
        if *count.get_or_insert(columns) != columns {
            break;
        }
        let Some(words) = table.get_mut(record..record + ROW_WORDS + CELL_WORDS * columns) else {
            break;
        };
        scratch.columns.resize(columns, TextColumn::default());
        let ends = scratch.pools.ends();
        if decode_row(bytes, cells, end, plan, &mut words[ROW_WORDS..], scratch).is_none() {
            scratch.pools.truncate(ends);
            break;
        }
        words[ROW_BODY] = cells as i32 - 2;
        record += words.len();
        rows += 1;
        start = Some(end);
    }
    table[ROWS] = rows as i32;
    rows
}

/// Where the row's cells begin, and how many there are.
#[inline]
fn row_cells(bytes: &[u8], body: usize, end: usize) -> Option<(usize, usize)> {
    let count = bytes.get(body..end)?.first_chunk::<2>()?;
    Some((body + 2, usize::from(u16::from_be_bytes(*count))))
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
    let bytes_of_row = &bytes[..end];
    let cells = cells.as_chunks_mut::<CELL_WORDS>().0.iter_mut().zip(&mut scratch.columns);
    for (column, (cell, text)) in cells.enumerate() {
        let length = i32::from_be_bytes(*bytes_of_row[at..].first_chunk::<4>()?);
        at += 4;
        if length == -1 {
            *cell = [0, NULL];
            continue;
        }
        let length = usize::try_from(length).ok()?;
        if length > end - at {
            return None;
        }
        let kind = plan.get(column).copied().unwrap_or(Kind::Text);
        let decoded = match kind {
            Kind::Text | Kind::Passing => scratch.pools.push(bytes, at, length, text),
            Kind::Raw => None,
            Kind::BinaryInt8 => push_decimal(&bytes[at..at + length], &mut scratch.pools, text),
            _ => convert(&bytes[at..at + length], kind),
        };
        *cell = decoded.unwrap_or([at as i32, RAW]);
        at += length;
    }
    Some(())
}

#[inline]
fn convert(cell: &[u8], kind: Kind) -> Option<[i32; CELL_WORDS]> {
    match kind {
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
        Kind::Oid => int::parse_oid(cell).map(double),
        Kind::Text | Kind::Passing | Kind::Raw | Kind::BinaryInt8 => None,
    }
}

/// An int8 as text. Kept apart, so that the call that all texts take is the only one to be inlined.
#[inline(never)]
fn push_decimal(cell: &[u8], pools: &mut TextPools, text: &mut TextColumn) -> Option<[i32; CELL_WORDS]> {
    let mut digits = [0; binary::int::INT8_CHARS];
    let digits = binary::int::decimal(binary::int::int8(cell)?, &mut digits);
    pools.push(digits, 0, digits.len(), text)
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
