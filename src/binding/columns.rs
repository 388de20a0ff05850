//! The packing half of `lib/columns/`: rows to typed arrays.
//!
//! The columns grow here and become typed arrays once, in the end, without a copy: to let Rust write into arrays that
//! JavaScript makes would cost a call for each column and batch to learn where they are, and a copy each time one has to
//! grow.

use napi::{Error, Result, Status, bindgen_prelude::*, sys};

use super::raw::Call;
use crate::{
    error::Malformed,
    frame::{Frame, scan},
    sink::{
        Cell, Columns, CopyDecoder, Destination, Ended, Kind, Progress, Refusal, Refused, RowDecoder, RowSink, Step,
        columns::{Column, Values},
    },
    tag::{COPY_DATA, HEADER_BYTES},
};

/// Table word: how many rows to take at most; then how many were taken.
pub const ROWS: usize = 0;
/// Table word: where the first row's body begins; then where that of the row begins which was not taken.
pub const BODY: usize = 1;
/// Table word: why it was not, one of `FAULT_*`.
pub const FAULT: usize = 2;
/// Table word: in which column the reason lies.
pub const COLUMN: usize = 3;
/// Table words before the first place.
pub const HEADER_WORDS: usize = 4;
/// Words of a place: where a cell begins, and how many bytes it has or [`PLACE_NULL`].
pub const PLACE_WORDS: usize = 2;
/// The length of a NULL.
pub const PLACE_NULL: i32 = -1;

/// All rows were taken that there was room for.
pub const FAULT_NONE: i32 = 0;
/// The row is malformed; the sentence is to be had from `takeFault`.
pub const FAULT_MALFORMED: i32 = 1;
/// A cell is no value of its column's type.
pub const FAULT_UNFIT: i32 = 2;
/// The column would have more than 2 GiB.
pub const FAULT_TOO_LARGE: i32 = 3;
/// There was no memory.
pub const FAULT_NO_ROOM: i32 = 4;

/// Microseconds are wanted as they are.
pub const MILLIS_NO: i32 = 0;
/// Microseconds are wanted in milliseconds of a `Date`.
pub const MILLIS_UTC: i32 = 1;
/// Microseconds are wanted in milliseconds of a clock, from which the local zone makes a `Date`.
pub const MILLIS_LOCAL: i32 = 2;

/// In place of a kind: the cells are left to JavaScript, which is told their places.
pub const LEFT: u8 = 255;

/// From this size on an array gets the column's own memory. A smaller one is copied, which costs less than the finalizer
/// of external memory.
const EXTERNAL_BYTES: usize = 16 << 10;

/// The columns of one result.
#[derive(Default)]
pub struct Builder {
    decoder: RowDecoder,
    columns: Columns,
    /// For each column where its place stands among those of a row; `None`: it is not left.
    places: Vec<Option<usize>>,
    left: usize,
    fault: Option<String>,
    /// Where the rows are those of a binary COPY.
    copy: Option<CopyDecoder>,
}

impl Builder {
    fn leave(&mut self, column: usize) {
        if self.places[column].is_none() {
            // in the order of the columns, so that JavaScript can tell them too
            let before = self.places[..column].iter().flatten().count();
            for place in self.places.iter_mut().flatten() {
                *place += usize::from(*place >= before);
            }
            self.places[column] = Some(before);
            self.left += 1;
            let mut plan = self.decoder.plan().to_vec();
            // of a COPY all rows have come when a column is taken out
            if let Some(kind) = plan.get_mut(column) {
                *kind = Kind::Text;
                self.decoder.set_plan(plan);
            }
        }
    }
}

/// `createColumns(plan: Uint8Array)`: empty columns; the plan has a kind of the crate's module `sink` for each, or [`LEFT`].
pub fn create(call: &Call<'_>) -> Result<sys::napi_value> {
    let bytes = call.bytes(0)?;
    let plan: Vec<Kind> = bytes.iter().map(|&byte| Kind::of(byte)).collect();
    let mut builder = Builder {
        columns: Columns::new(&plan),
        decoder: RowDecoder::new(plan),
        places: vec![None; bytes.len()],
        left: 0,
        fault: None,
        copy: None,
    };
    for (column, _) in bytes.iter().enumerate().filter(|(_, byte)| **byte == LEFT) {
        builder.columns.take(column);
        builder.leave(column);
    }
    call.new_state(builder)
}

/// `appendRows(builder, bytes: Uint8Array, table: Int32Array)`: takes the DataRow messages that lie behind each other from
/// `table[BODY]` on, as many as `table[ROWS]` says and as there is room for the places of their left cells.
pub fn append(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/columns passes what `create` made.
    let builder = unsafe { call.state::<Builder>(0)? };
    let bytes = call.bytes(1)?;
    // SAFETY: lib/columns makes the table itself; the bytes are somebody else's memory.
    let table = unsafe { call.words(2)? };
    let Some((header, places)) = table.split_first_chunk_mut::<HEADER_WORDS>() else {
        return Err(Error::new(Status::InvalidArg, "appendRows: no table"));
    };
    let start = usize::try_from(header[BODY]).ok().and_then(|body| body.checked_sub(HEADER_BYTES));
    let Some(rows) = start.and_then(|start| bytes.get(start..)) else {
        return Err(Error::new(Status::InvalidArg, "appendRows: no row at this place"));
    };
    let wanted = usize::try_from(header[ROWS]).unwrap_or(0);
    let per_row = builder.left * PLACE_WORDS;
    let most = places.len().checked_div(per_row).map_or(wanted, |most| most.min(wanted));
    let before = builder.columns.rows();
    let mut sink = Append {
        columns: &mut builder.columns,
        places: &builder.places,
        table: places,
        base: bytes.as_ptr().addr(),
        record: 0,
        per_row,
        until: before + most,
    };
    let (_, step) = builder.decoder.push(rows, &mut sink);
    let taken = builder.columns.rows() - before;
    if matches!(step, Step::More | Step::Stopped) {
        // Part of a message never gets here.
        builder.decoder.abandon(&mut builder.columns);
    }
    (header[FAULT], header[COLUMN]) = builder.note(step);
    header[ROWS] = taken as i32;
    if taken < wanted {
        header[BODY] += skip(rows, taken) as i32;
    }
    Ok(std::ptr::null_mut())
}

impl Builder {
    /// What the table is told of the end of a run.
    fn note(&mut self, step: Step) -> (i32, i32) {
        match step {
            Step::More | Step::Stopped => (FAULT_NONE, 0),
            Step::Malformed(malformed) => {
                self.fault = Some(malformed.what);
                (FAULT_MALFORMED, 0)
            }
            Step::Lost(lost) => {
                self.fault = Some(lost.to_string());
                (FAULT_MALFORMED, 0)
            }
            Step::Refused(Refused { column, why }) => {
                let fault = match why {
                    Refusal::Unfit => FAULT_UNFIT,
                    Refusal::TooLarge => FAULT_TOO_LARGE,
                    Refusal::NoRoom => FAULT_NO_ROOM,
                };
                (fault, column as i32)
            }
        }
    }
}

/// `createCopy(plan: Uint8Array)`: empty columns for the rows of a binary COPY.
pub fn create_copy(call: &Call<'_>) -> Result<sys::napi_value> {
    let plan: Vec<Kind> = call.bytes(0)?.iter().map(|&byte| Kind::of(byte)).collect();
    call.new_state(Builder {
        columns: Columns::new(&plan),
        places: vec![None; plan.len()],
        copy: Some(CopyDecoder::binary(plan)),
        ..Builder::default()
    })
}

/// `appendCopy(builder, bytes: Uint8Array, table: Int32Array)`: takes the CopyData messages that `bytes` consists of; none
/// means the end of the COPY.
pub fn append_copy(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/columns passes what `create_copy` made.
    let builder = unsafe { call.state::<Builder>(0)? };
    let bytes = call.bytes(1)?;
    // SAFETY: lib/columns makes the table itself; the bytes are somebody else's memory.
    let table = unsafe { call.words(2)? };
    let (Some(mut copy), Some(header)) = (builder.copy.take(), table.first_chunk_mut::<HEADER_WORDS>()) else {
        return Err(Error::new(Status::InvalidArg, "appendCopy: no table, or no COPY"));
    };
    let before = builder.columns.rows();
    let step = if bytes.is_empty() {
        copy.finish(&mut builder.columns).map_or_else(Step::Malformed, |()| Step::More)
    } else {
        push_payloads(bytes, &mut copy, &mut builder.columns)
    };
    builder.copy = Some(copy);
    (header[FAULT], header[COLUMN]) = builder.note(step);
    header[ROWS] = (builder.columns.rows() - before) as i32;
    Ok(std::ptr::null_mut())
}

fn push_payloads(mut bytes: &[u8], copy: &mut CopyDecoder, columns: &mut Columns) -> Step {
    while let Ok(Frame::Complete { tag: COPY_DATA, length }) = scan(bytes) {
        let (message, rest) = bytes.split_at(length as usize + 1);
        bytes = rest;
        match copy.push(&message[HEADER_BYTES..], columns) {
            (_, Step::More) => {}
            (_, step) => return step,
        }
    }
    if bytes.is_empty() { Step::More } else { Step::Malformed(Malformed::new("no CopyData message")) }
}

/// How many bytes so many messages have.
fn skip(bytes: &[u8], messages: usize) -> usize {
    let mut at = 0;
    for _ in 0..messages {
        let Ok(Frame::Complete { length, .. }) = scan(&bytes[at..]) else { break };
        at += length as usize + 1;
    }
    at
}

/// `takeFault(builder)`: what is wrong with the row that was malformed.
pub fn take_fault(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/columns passes what `create` made.
    let builder = unsafe { call.state::<Builder>(0)? };
    let sentence = builder.fault.take().unwrap_or_default();
    call.env().create_string(sentence).map(|string| string.raw())
}

/// `takeColumn(builder, column: number as the only element of an Int32Array, parts: unknown[])`: the column's values, offsets
/// or undefined, validity or undefined, and the microseconds beyond the millisecond or undefined, as the elements of
/// `parts`. The cells of further rows are left to JavaScript.
///
/// The second element of the Int32Array is one of `MILLIS_*`.
pub fn take_column(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/columns passes what `create` made.
    let builder = unsafe { call.state::<Builder>(0)? };
    // SAFETY: the only slice of this call.
    let which = unsafe { call.words(1)? };
    let &mut [index, in_millis] = which else {
        return Err(Error::new(Status::InvalidArg, "takeColumn: no column"));
    };
    let Some(index) = usize::try_from(index).ok().filter(|index| *index < builder.columns.len()) else {
        return Err(Error::new(Status::InvalidArg, "takeColumn: there is no such column"));
    };
    let rows = builder.columns.rows();
    let column = builder.columns.take(index);
    builder.leave(index);
    if let Some(bits) = column.validity(rows) {
        call.set_element(2, 2, array::<Uint8ArraySlice<'_>, _>(call, bits)?)?;
    }
    let Column { values, .. } = column;
    let values = match values {
        Values::Int(values) => array::<Int32ArraySlice<'_>, _>(call, values)?,
        Values::Oid(values) => array::<Uint32ArraySlice<'_>, _>(call, values)?,
        Values::Float(values) | Values::Millis(values) => array::<Float64ArraySlice<'_>, _>(call, values)?,
        Values::Bool(values) => array::<Uint8ArraySlice<'_>, _>(call, values)?,
        Values::Micros(values) if in_millis != MILLIS_NO => {
            let (millis, micros) = split(&values, if in_millis == MILLIS_LOCAL { MAX_LOCAL } else { MAX_MILLIS });
            call.set_element(2, 3, array::<Uint16ArraySlice<'_>, _>(call, micros)?)?;
            array::<Float64ArraySlice<'_>, _>(call, millis)?
        }
        Values::Int8(values) | Values::Micros(values) => array::<BigInt64ArraySlice<'_>, _>(call, values)?,
        Values::Bytes { offsets, data, .. } => {
            call.set_element(2, 1, array::<Int32ArraySlice<'_>, _>(call, offsets)?)?;
            array::<Uint8ArraySlice<'_>, _>(call, data)?
        }
        Values::None => return Ok(std::ptr::null_mut()),
    };
    call.set_element(2, 0, values)?;
    Ok(std::ptr::null_mut())
}

/// `dropColumns(builder)`: gives the memory back before the collector finds the builder.
pub fn drop_columns(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/columns passes what `create` made.
    *unsafe { call.state::<Builder>(0)? } = Builder::default();
    Ok(std::ptr::null_mut())
}

/// What a `Date` can hold on either side of 1970.
const MAX_MILLIS: i64 = 8_640_000_000_000_000;

/// The same for a clock of the local zone, which may bring a time back into the range.
const MAX_LOCAL: i64 = MAX_MILLIS + 2 * 86_400_000;

/// Microseconds as milliseconds, at most so many, and what is smaller.
fn split(values: &[i64], most: i64) -> (Vec<f64>, Vec<u16>) {
    let millis = |value: &i64| match *value {
        i64::MAX => f64::INFINITY,
        i64::MIN => f64::NEG_INFINITY,
        value if value.div_euclid(1000).abs() > most => f64::NAN,
        value => value.div_euclid(1000) as f64,
    };
    (values.iter().map(millis).collect(), values.iter().map(|value| value.rem_euclid(1000) as u16).collect())
}

/// Makes a typed array of a vector, by way of the slice type that knows it.
trait FromVec<T>: Sized {
    fn own(env: &Env, values: Vec<T>) -> Result<Self>;
    fn copy(env: &Env, values: &[T]) -> Result<Self>;
    fn value(&self) -> sys::napi_value;
}

macro_rules! from_vec {
    ($($slice:ident: $type:ty),*) => {$(
        impl FromVec<$type> for $slice<'_> {
            fn own(env: &Env, values: Vec<$type>) -> Result<Self> {
                Self::from_data(env, values)
            }
            fn copy(env: &Env, values: &[$type]) -> Result<Self> {
                Self::copy_from(env, values)
            }
            fn value(&self) -> sys::napi_value {
                self.raw()
            }
        }
    )*};
}

from_vec!(
    Int32ArraySlice: i32, Uint32ArraySlice: u32, BigInt64ArraySlice: i64, Float64ArraySlice: f64, Uint8ArraySlice: u8,
    Uint16ArraySlice: u16
);

fn array<S: FromVec<T>, T>(call: &Call<'_>, mut values: Vec<T>) -> Result<sys::napi_value> {
    let env = call.env();
    if values.len() * size_of::<T>() < EXTERNAL_BYTES {
        return S::copy(&env, &values).map(|slice| slice.value());
    }
    values.shrink_to_fit();
    // Falls back to a copy by itself where the runtime refuses external memory (Electron).
    S::own(&env, values).map(|slice| slice.value())
}

/// Columns, and the places of the cells that are left.
struct Append<'a> {
    columns: &'a mut Columns,
    places: &'a [Option<usize>],
    table: &'a mut [i32],
    /// Address of the first byte of the buffer: a place is told by its distance from there.
    base: usize,
    /// Where in the table the present row's places begin.
    record: usize,
    per_row: usize,
    /// No more rows than these.
    until: usize,
}

impl Append<'_> {
    /// Notes a cell that is left; `false`: it is not.
    #[inline]
    fn leave(&mut self, column: usize, start: usize, length: i32) -> bool {
        let Some(&Some(place)) = self.places.get(column) else { return false };
        let at = self.record + place * PLACE_WORDS;
        // There is room: `until` was chosen so.
        if let Some(words) = self.table.get_mut(at..at + PLACE_WORDS) {
            words.copy_from_slice(&[start as i32, length]);
        }
        true
    }
}

impl RowSink for Append<'_> {
    #[inline]
    fn wants_row(&self) -> bool {
        self.columns.rows() < self.until
    }
    #[inline]
    fn begin_row(&mut self, cells: usize) {
        self.columns.begin_row(cells);
    }
    #[inline]
    fn end_row(&mut self) -> std::result::Result<(), Refused> {
        self.columns.end_row()?;
        self.record += self.per_row;
        Ok(())
    }
    #[inline]
    fn abandon_row(&mut self) {
        self.columns.abandon_row();
    }
    #[inline]
    fn null(&mut self, column: usize) {
        if !self.leave(column, 0, PLACE_NULL) {
            self.columns.null(column);
        }
    }
    #[inline]
    fn bool(&mut self, column: usize, value: bool) {
        self.columns.bool(column, value);
    }
    #[inline]
    fn int(&mut self, column: usize, value: i32) {
        self.columns.int(column, value);
    }
    #[inline]
    fn int8(&mut self, column: usize, value: i64) {
        self.columns.int8(column, value);
    }
    #[inline]
    fn oid(&mut self, column: usize, value: u32) {
        self.columns.oid(column, value);
    }
    #[inline]
    fn float(&mut self, column: usize, value: f64) {
        self.columns.float(column, value);
    }
    #[inline]
    fn millis(&mut self, column: usize, value: f64) {
        self.columns.millis(column, value);
    }
    #[inline]
    fn micros(&mut self, column: usize, value: i64) {
        self.columns.micros(column, value);
    }
    #[inline]
    fn destination(&mut self, cell: Cell, progress: Progress) -> Option<Destination<'_>> {
        self.columns.destination(cell, progress)
    }
    #[inline]
    fn end_destination(&mut self, cell: Cell, ended: Ended) {
        self.columns.end_destination(cell, ended);
    }
    #[inline]
    fn borrowed(&mut self, cell: Cell, bytes: &[u8]) -> bool {
        self.leave(cell.column, bytes.as_ptr().addr() - self.base, cell.length as i32)
            || self.columns.borrowed(cell, bytes)
    }
}
