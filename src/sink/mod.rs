//! Rows handed to whoever wants them, cell by cell, in the form in which they are wanted.
//!
//! The simple version makes an owned value of each cell and lets the consumer copy it to where it belongs. Some
//! consumers know that place before the bytes have come: a column of numbers, a file's buffer, memory that belongs to
//! somebody else. A [`RowSink`] says so, and each cell goes the first of these ways that applies:
//!
//! 1. A cell of a plan's typed kind ([`Kind`]) is given as its value: [`RowSink::int`] and its likes.
//! 2. Into a **destination**: for a value of known length the sink gives a slice before the bytes are read, and they are
//!    put there straight from the chunks as these arrive ([`RowSink::destination`], [`RowSink::end_destination`]).
//! 3. As a **borrowed** slice with its encoding ([`RowSink::borrowed`]).
//! 4. As an **owned** value ([`RowSink::value`]).
//!
//! All methods have an implementation that does nothing or passes on to the next way, so that a sink which overrides
//! nothing of the first three gets owned values, and pays for none of the rest: each way that is not used is compiled
//! away.
//!
//! Two decoders drive a sink: [`RowDecoder`] with the DataRow messages of a stream, [`CopyDecoder`] with the rows of a COPY.
//! Both take chunks that are cut anywhere. [`Columns`] and [`DefaultSink`] are sinks.
//!
//! ```
//! use pg_protocol_native::sink::{Kind, RowDecoder, RowSink, Step};
//!
//! /// Adds up the integers of the first column.
//! #[derive(Default)]
//! struct Sum(i64);
//!
//! impl RowSink for Sum {
//!     fn int(&mut self, _column: usize, value: i32) {
//!         self.0 += i64::from(value);
//!     }
//! }
//!
//! let mut sum = Sum::default();
//! let mut decoder = RowDecoder::new(vec![Kind::Int]);
//! let stream = b"D\0\0\0\x0c\0\x01\0\0\0\x0242D\0\0\0\x0b\0\x01\0\0\0\x01\x37";
//! for chunk in stream.chunks(5) {
//!     assert_eq!(decoder.push(chunk, &mut sum), (chunk.len(), Step::More));
//! }
//! assert_eq!(sum.0, 49);
//! ```

pub mod columns;
pub mod copy;
pub mod destination;
pub mod hex;
pub mod kind;
pub mod owned;
pub mod push;

mod cell;
mod decimal;
mod fault;
mod whole;

pub use columns::{Columns, MOST_BYTES as MOST_COLUMN_BYTES};
pub use copy::CopyDecoder;
pub use destination::Destination;
pub use kind::Kind;
pub use owned::{DefaultSink, Value};
pub use push::{RowDecoder, Step};

/// What a destination may be asked for before any byte has come: 1 MiB. A length from the network is trusted no further.
pub use crate::reassembly::TRUSTED_BYTES;

/// In which form the bytes of a value are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// The text that PostgreSQL's output function makes, in the client's encoding: UTF-8 unless it was changed.
    Text,
    /// The bytes of the binary format; of a `bytea` the value itself, in whatever format it came.
    Binary,
}

/// A value that is not NULL and is given as bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cell {
    /// The column's index in the row.
    pub column: usize,
    /// How many bytes the value has.
    pub length: usize,
    /// In which form they are.
    pub encoding: Encoding,
}

/// How much of a value there is when its destination is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// So many of its bytes have been put into the destination already; 0: it is asked for the first time.
    pub filled: usize,
    /// So many more are at hand now.
    pub here: usize,
    /// For so many from `filled` on there should be room: at least `here`, at most what the value lacks, and never
    /// more than [`TRUSTED_BYTES`] or as many as have come, so that a false length cannot ask for memory.
    pub room: usize,
}

impl Progress {
    /// For a value of `length` bytes.
    #[inline]
    #[must_use]
    pub fn new(length: usize, filled: usize, here: usize) -> Self {
        let trusted = TRUSTED_BYTES.max(filled).max(here);
        Self { filled, here, room: trusted.min(length - filled) }
    }
}

/// How a destination came to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// It holds the whole value.
    Filled,
    /// The rest will never come. What is there is no value and is not to be handed out.
    Abandoned,
}

/// Why a sink did not take a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    /// The column in which the reason lies.
    pub column: usize,
    /// The reason.
    pub why: Refusal,
}

/// The reasons that the sinks of this crate have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// The cell is none that its column can hold: a text in a column of integers.
    Unfit,
    /// The column would become larger than its offsets can tell.
    TooLarge,
    /// There was no memory, or a destination ended before its value did.
    NoRoom,
}

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let column = self.column;
        match self.why {
            Refusal::Unfit => write!(f, "a cell of column {column} is no value of the column's type"),
            Refusal::TooLarge => write!(f, "column {column} would have more than 2147483647 bytes (2 GiB)"),
            Refusal::NoRoom => write!(f, "there was no room for a cell of column {column}"),
        }
    }
}

impl std::error::Error for Refused {}

/// Takes rows, cell by cell. The module's head tells which way a cell goes.
///
/// The calls come in this order: `begin_row`, one call for each cell from the first column to the last (a destination may
/// be asked for several times), `end_row`. In place of what is missing of that, `abandon_row` may come at any point, after
/// `end_destination` if a destination was outstanding. Never is more than one destination outstanding.
#[allow(unused_variables)]
pub trait RowSink {
    /// Whether another row is wanted now. Asked before each row; `false` makes the decoder stop in front of it.
    #[inline]
    fn wants_row(&self) -> bool {
        true
    }

    /// Whether the cells of the row that has begun are wanted. A sink that discards or counts says `false`: lengths are
    /// checked all the same, values are skipped, and `begin_row` and `end_row` are called.
    #[inline]
    fn wants_values(&self) -> bool {
        true
    }

    /// A row of so many cells begins.
    #[inline]
    fn begin_row(&mut self, cells: usize) {}

    /// All cells of the row have been given.
    ///
    /// # Errors
    /// [`Refused`] where the sink could not take one of them. It has put itself back to where it was before the row;
    /// `abandon_row` is not called.
    #[inline]
    fn end_row(&mut self) -> Result<(), Refused> {
        Ok(())
    }

    /// What was given of the row is no row: it is malformed, or its end will never come.
    #[inline]
    fn abandon_row(&mut self) {}

    /// A NULL.
    #[inline]
    fn null(&mut self, column: usize) {
        self.value(column, Value::Null);
    }

    /// A boolean.
    #[inline]
    fn bool(&mut self, column: usize, value: bool) {
        self.value(column, Value::Bool(value));
    }

    /// An integer of 16 or 32 bits.
    #[inline]
    fn int(&mut self, column: usize, value: i32) {
        self.value(column, Value::Int(value));
    }

    /// An integer of 64 bits.
    #[inline]
    fn int8(&mut self, column: usize, value: i64) {
        self.value(column, Value::Int8(value));
    }

    /// An OID.
    #[inline]
    fn oid(&mut self, column: usize, value: u32) {
        self.value(column, Value::Oid(value));
    }

    /// A floating-point number, or a numeric as the nearest one.
    #[inline]
    fn float(&mut self, column: usize, value: f64) {
        self.value(column, Value::Float(value));
    }

    /// A date or timestamp in milliseconds since 1970, cut towards the past, as JavaScript's `Date` counts: infinite for
    /// PostgreSQL's infinities, NaN beyond what a `Date` can hold. Without a zone, of a wall clock as if it showed UTC.
    #[inline]
    fn millis(&mut self, column: usize, value: f64) {
        self.value(column, Value::Millis(value));
    }

    /// A timestamp in microseconds since 1970; the extremes of `i64` for PostgreSQL's infinities. Without a zone, of a
    /// wall clock as if it showed UTC.
    #[inline]
    fn micros(&mut self, column: usize, value: i64) {
        self.value(column, Value::Micros(value));
    }

    /// Offers to have the value's bytes put where the sink wants them. `None` when it is first asked: the value goes another
    /// way.
    ///
    /// Asked again with what was `filled` since, as often as bytes arrive or the slice is used up. The slice may be shorter
    /// than [`Progress::room`]; but without any room (also: `None`, once it was offered) the row is refused, with
    /// [`Refusal::NoRoom`].
    #[inline]
    fn destination(&mut self, cell: Cell, progress: Progress) -> Option<Destination<'_>> {
        None
    }

    /// The destination holds the whole value, or never will.
    #[inline]
    fn end_destination(&mut self, cell: Cell, ended: Ended) {}

    /// Offers a value as bytes that are there only during the call. `false`: not taken, an owned value is wanted.
    #[inline]
    fn borrowed(&mut self, cell: Cell, bytes: &[u8]) -> bool {
        false
    }

    /// Gives a value. What no other way took arrives here.
    #[inline]
    fn value(&mut self, column: usize, value: Value) {}
}
