//! DataRow messages to a sink, from chunks that are cut anywhere.
//!
//! The simple version waits until a message is whole, which copies the bytes of each one that the network has cut, and
//! holds all of a large row before the first of its cells is looked at. Here the decoder stops within a message, within
//! a length, within a value, and goes on there with the next chunk. A row that lies in one chunk is read without any of
//! that ([`whole`](super::whole)); the two ways must treat each cell alike, which is why both end in
//! [`cell::give`](super::cell) for a value that is at hand, and tests compare them at every cut.
//!
//! Each cell is done with when the sink has it. Of a value that spans chunks and has no destination the bytes are gathered
//! here; no more memory is asked for than [`TRUSTED_BYTES`] or the double of what has come.

use super::{
    Cell, Encoding, Ended, Kind, Progress, Refused, RowSink, TRUSTED_BYTES,
    cell::{Wrong, give, give_owned, no_hex, odd_hex, out_of_room, put_all},
    fault::{Fault, bad_length, negative_count, no_count},
    hex::HexDecoder,
    whole::{check_count, kind_of, whole_row},
};
use crate::{
    error::{LostFrame, Malformed},
    prefetch::{LINE_BYTES, prefetch},
    tag::{DATA_ROW, HEADER_BYTES, MAX_LENGTH, MIN_LENGTH},
};

/// How far ahead of the present row the bytes are asked for.
const PREFETCH_BYTES: usize = 1024;

/// Why a decoder came to a stop.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Step {
    /// The whole chunk is read.
    More,
    /// A message of another type begins here, or the sink wants no further row.
    Stopped,
    /// A row is not as it should be, and was abandoned. What is left of it will be skipped: decoding can go on with what
    /// is left of the chunk.
    Malformed(Malformed),
    /// The sink did not take a row. Decoding can go on.
    Refused(Refused),
    /// Nobody can tell where the next message begins. The decoder reads nothing more.
    Lost(LostFrame),
}

/// Decodes the DataRow messages of a stream into a [`RowSink`].
///
/// Messages of other types are not for this decoder: it stops in front of them.
#[derive(Debug, Default)]
pub struct RowDecoder {
    plan: Vec<Kind>,
    state: State,
    /// The bytes of a number that spans chunks: of a header, a count, or a length.
    small: [u8; HEADER_BYTES],
    small_length: usize,
    /// The bytes of a value that spans chunks and has no destination.
    gathered: Vec<u8>,
    hex: HexDecoder,
    /// Whether rows come without a message around each: those of a binary COPY.
    is_unframed: bool,
}

/// Where in a stream of rows the next byte stands.
#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// At a message, or in its header.
    #[default]
    Header,
    /// In a row's count of cells; `left` bytes of the message are to come.
    Count { left: usize },
    /// In the length of a cell.
    Length { row: Row },
    /// At a value that is not NULL, of which nothing has come.
    Cell { row: Row, length: usize },
    /// In a value.
    Value { row: Row, value: Piece },
    /// In what is left of a row that was abandoned.
    Skip { left: usize },
    /// The stream is lost.
    Lost,
}

#[derive(Debug, Clone, Copy)]
struct Row {
    /// Bytes of the message that are to come.
    left: usize,
    /// The next cell, or the present one.
    column: usize,
    count: usize,
    wants_values: bool,
}

#[derive(Debug, Clone, Copy)]
struct Piece {
    /// Bytes of the cell that are to come.
    rest: usize,
    way: Way,
}

/// Where the bytes of a value that spans chunks go.
#[derive(Debug, Clone, Copy)]
enum Way {
    Gathered,
    Destination { cell: Cell, filled: usize, from_hex: bool },
    Nowhere,
}

impl RowDecoder {
    /// For rows whose cells are of these kinds. A row of another number of cells is malformed; with an empty plan each
    /// row has as many as it says, all of them text.
    #[must_use]
    pub fn new(plan: Vec<Kind>) -> Self {
        Self { plan, ..Self::default() }
    }

    /// For rows that no messages frame. They are begun by [`RowDecoder::begin_unframed`] and read by
    /// [`RowDecoder::advance`].
    pub(super) fn unframed(plan: Vec<Kind>) -> Self {
        Self { plan, is_unframed: true, ..Self::default() }
    }

    /// A row begins with the next byte. Nothing tells how long it is: the bound is that of a message.
    pub(super) fn begin_unframed(&mut self) {
        self.state = State::Count { left: MAX_LENGTH as usize };
    }

    /// Whether nothing more will be read. Of rows without messages: the last one was read.
    pub(super) fn is_lost(&self) -> bool {
        matches!(self.state, State::Lost)
    }

    /// What the cells are.
    #[must_use]
    pub fn plan(&self) -> &[Kind] {
        &self.plan
    }

    /// Says what the cells of the next rows are.
    ///
    /// # Panics
    /// In the middle of a row.
    pub fn set_plan(&mut self, plan: Vec<Kind>) {
        assert!(self.is_between_rows(), "the plan cannot change within a row");
        self.plan = plan;
    }

    /// Whether no row has begun that has not ended.
    #[must_use]
    pub fn is_between_rows(&self) -> bool {
        matches!(self.state, State::Header | State::Lost) && self.small_length == 0
    }

    /// How many bytes are held of a value that has no destination.
    #[must_use]
    pub fn held(&self) -> usize {
        self.gathered.len() + self.small_length
    }

    /// Reads the rows of `chunk`. Gives the number of bytes that are done with, and why it stopped there.
    ///
    /// The rest is to be given again, unless it was [`Step::Lost`]: behind [`Step::Malformed`] and [`Step::Refused`] at
    /// once, behind [`Step::Stopped`] when the message there was read by somebody else, or the sink wants rows again.
    pub fn push<S: RowSink>(&mut self, chunk: &[u8], sink: &mut S) -> (usize, Step) {
        let mut at = 0;
        loop {
            if let State::Header = self.state
                && self.small_length == 0
            {
                match self.whole_rows(chunk, &mut at, sink) {
                    Ok(true) => {}
                    Ok(false) => return (at, Step::Stopped),
                    Err(step) => return (at, step),
                }
            }
            if at == chunk.len() {
                return (at, Step::More);
            }
            if let Err(step) = self.advance(chunk, &mut at, sink) {
                return (at, step);
            }
        }
    }

    /// The row that has begun will not come to its end: the connection is lost, or nobody wants it any more. The decoder
    /// is then at the beginning of a stream.
    pub fn abandon<S: RowSink>(&mut self, sink: &mut S) {
        match self.state {
            State::Length { .. } | State::Cell { .. } | State::Value { .. } => self.abandon_row(sink),
            State::Header | State::Count { .. } | State::Skip { .. } | State::Lost => {}
        }
        self.state = State::Header;
        self.small_length = 0;
    }

    /// The rows that lie in the chunk from `at` on; `false`: what follows is none, or none is wanted.
    fn whole_rows<S: RowSink>(&mut self, chunk: &[u8], at: &mut usize, sink: &mut S) -> Result<bool, Step> {
        while let Some(&tag) = chunk.get(*at) {
            if tag != DATA_ROW || !sink.wants_row() {
                return Ok(false);
            }
            let Some(&[_, a, b, c, d]) = chunk[*at..].first_chunk::<HEADER_BYTES>() else { break };
            let length = self.checked([a, b, c, d])?;
            let end = *at + 1 + length;
            let Some(body) = chunk.get(*at + HEADER_BYTES..end) else { break };
            prefetch(chunk, *at + PREFETCH_BYTES, (length / LINE_BYTES + 1).min(64));
            *at = end;
            whole_row(&self.plan, body, sink)?;
        }
        Ok(true)
    }

    /// The length of a message, if it is one.
    #[inline]
    fn checked(&mut self, length: [u8; 4]) -> Result<usize, Step> {
        let length = u32::from_be_bytes(length);
        if (MIN_LENGTH..=MAX_LENGTH).contains(&length) {
            return Ok(length as usize);
        }
        self.state = State::Lost;
        Err(Step::Lost(LostFrame { tag: DATA_ROW, length }))
    }

    /// Reads at least one byte of what does not lie in one chunk. There is one.
    pub(super) fn advance<S: RowSink>(&mut self, chunk: &[u8], at: &mut usize, sink: &mut S) -> Result<(), Step> {
        match self.state {
            State::Header => {
                if let Some([_, length @ ..]) = self.number::<HEADER_BYTES>(chunk, at) {
                    let left = self.checked(length)? - 4;
                    self.state = State::Count { left };
                    if left < 2 {
                        return Err(self.fail(left, no_count().into(), sink, false));
                    }
                }
            }
            State::Count { left } => {
                if let Some(count) = self.number(chunk, at) {
                    let left = left - 2;
                    let count = usize::from(u16::from_be_bytes(count));
                    if self.is_unframed && count > MOST_UNFRAMED {
                        self.state = State::Lost;
                        return if count == NO_ROW { Ok(()) } else { Err(Step::Malformed(negative_count(count))) };
                    }
                    if let Err(malformed) = check_count(&self.plan, count) {
                        return Err(self.fail(left, malformed.into(), sink, false));
                    }
                    sink.begin_row(count);
                    let wants_values = sink.wants_values();
                    self.next_cell(Row { left, column: 0, count, wants_values }, sink)?;
                }
            }
            State::Length { row } => {
                if let Some(length) = self.number(chunk, at) {
                    self.begin_cell(Row { left: row.left - 4, ..row }, i32::from_be_bytes(length), chunk, at, sink)?;
                }
            }
            State::Cell { row, length } => self.begin_value(row, length, chunk, at, sink)?,
            State::Value { row, value } => self.go_on(row, value, chunk, at, sink)?,
            State::Skip { left } => {
                let skipped = left.min(chunk.len() - *at);
                *at += skipped;
                self.state = if skipped == left { State::Header } else { State::Skip { left: left - skipped } };
            }
            State::Lost => *at = chunk.len(),
        }
        Ok(())
    }

    /// The next `N` bytes, as soon as all of them have come.
    fn number<const N: usize>(&mut self, chunk: &[u8], at: &mut usize) -> Option<[u8; N]> {
        let taken = (N - self.small_length).min(chunk.len() - *at);
        self.small[self.small_length..self.small_length + taken].copy_from_slice(&chunk[*at..*at + taken]);
        self.small_length += taken;
        *at += taken;
        if self.small_length < N {
            return None;
        }
        self.small_length = 0;
        self.small.first_chunk().copied()
    }

    /// The cells up to `row.column` are done.
    fn next_cell<S: RowSink>(&mut self, row: Row, sink: &mut S) -> Result<(), Step> {
        self.state = if row.column < row.count {
            if row.left < 4 {
                let what = format!("cell {} of {} is missing, {} bytes are left", row.column, row.count, row.left);
                return Err(self.fail(row.left, Malformed::new(what).into(), sink, true));
            }
            State::Length { row }
        } else {
            if let Err(refused) = sink.end_row() {
                return Err(self.fail(row.left, refused.into(), sink, false));
            }
            if row.left == 0 || self.is_unframed { State::Header } else { State::Skip { left: row.left } }
        };
        Ok(())
    }

    /// The length of a cell was read.
    fn begin_cell<S: RowSink>(
        &mut self,
        row: Row,
        length: i32,
        chunk: &[u8],
        at: &mut usize,
        sink: &mut S,
    ) -> Result<(), Step> {
        let Row { left, column, wants_values, .. } = row;
        if length == -1 {
            if wants_values {
                sink.null(column);
            }
            return self.next_cell(Row { column: column + 1, ..row }, sink);
        }
        let Some(length) = usize::try_from(length).ok().filter(|length| *length <= left) else {
            return Err(self.fail(left, bad_length(column, length, left).into(), sink, true));
        };
        if !wants_values {
            return self.go_on(row, Piece { rest: length, way: Way::Nowhere }, chunk, at, sink);
        }
        if *at == chunk.len() && length > 0 {
            // With the next chunk it may be whole.
            self.state = State::Cell { row, length };
            return Ok(());
        }
        self.begin_value(row, length, chunk, at, sink)
    }

    /// The first bytes of a value are there, or it has none.
    fn begin_value<S: RowSink>(
        &mut self,
        row: Row,
        length: usize,
        chunk: &[u8],
        at: &mut usize,
        sink: &mut S,
    ) -> Result<(), Step> {
        let Row { left, column, .. } = row;
        let kind = kind_of(&self.plan, column);
        let here = &chunk[*at..];
        if length <= here.len() {
            *at += length;
            let row = Row { left: left - length, ..row };
            if let Err(wrong) = give(kind, column, &here[..length], sink) {
                return Err(self.fail(row.left, wrong.into(), sink, true));
            }
            return self.next_cell(Row { column: column + 1, ..row }, sink);
        }
        let way = if kind.is_untyped() {
            let cell = Cell { column, length, encoding: kind.encoding() };
            if sink.destination(cell, Progress::new(length, 0, here.len())).is_some() {
                Way::Destination { cell, filled: 0, from_hex: false }
            } else {
                Way::Gathered
            }
        } else {
            Way::Gathered
        };
        self.go_on(row, Piece { rest: length, way }, chunk, at, sink)
    }

    /// Takes what the chunk has of a value.
    fn go_on<S: RowSink>(
        &mut self,
        mut row: Row,
        mut value: Piece,
        chunk: &[u8],
        at: &mut usize,
        sink: &mut S,
    ) -> Result<(), Step> {
        let taken = value.rest.min(chunk.len() - *at);
        let bytes = &chunk[*at..*at + taken];
        *at += taken;
        row.left -= taken;
        value.rest -= taken;
        // Said before the sink is asked, so that a fault finds an outstanding destination.
        self.state = State::Value { row, value };
        let done = match &mut value.way {
            Way::Nowhere => Ok(()),
            Way::Destination { cell, filled, from_hex } => {
                if *from_hex {
                    put_hex(&mut self.hex, *cell, filled, bytes, sink)
                } else {
                    put_all(*cell, filled, bytes, sink)
                }
            }
            Way::Gathered => {
                self.gather(bytes, value.rest);
                if self.gathered.len() >= HEX_PREFIX && kind_of(&self.plan, row.column) == Kind::Bytea && value.rest > 0
                {
                    self.try_hex(row.column, &mut value, sink)
                } else {
                    Ok(())
                }
            }
        };
        self.state = State::Value { row, value };
        if let Err(wrong) = done {
            return Err(self.fail(row.left, wrong.into(), sink, true));
        }
        if value.rest > 0 {
            return Ok(());
        }
        self.state = State::Length { row };
        match value.way {
            Way::Nowhere => {}
            Way::Destination { cell, filled, .. } => {
                debug_assert_eq!(filled, cell.length);
                sink.end_destination(cell, Ended::Filled);
            }
            Way::Gathered => {
                let kind = kind_of(&self.plan, row.column);
                let gathered = std::mem::take(&mut self.gathered);
                if kind.is_untyped() {
                    give_owned(row.column, gathered, kind.encoding(), sink);
                } else if let Err(wrong) = give(kind, row.column, &gathered, sink) {
                    return Err(self.fail(row.left, wrong.into(), sink, true));
                }
            }
        }
        self.next_cell(Row { column: row.column + 1, ..row }, sink)
    }

    /// The beginning of a `bytea` is there: if it is hex digits, they may go to a destination.
    fn try_hex<S: RowSink>(&mut self, column: usize, value: &mut Piece, sink: &mut S) -> Result<(), Wrong> {
        if !self.gathered.starts_with(b"\\x") {
            return Ok(());
        }
        let digits = self.gathered.len() - HEX_PREFIX + value.rest;
        let cell = Cell { column, length: digits / 2, encoding: Encoding::Binary };
        if digits % 2 == 1 {
            return Err(odd_hex(column));
        }
        let here = (self.gathered.len() - HEX_PREFIX) / 2;
        if sink.destination(cell, Progress::new(cell.length, 0, here)).is_none() {
            return Ok(());
        }
        let gathered = std::mem::take(&mut self.gathered);
        self.hex = HexDecoder::default();
        let mut filled = 0;
        value.way = Way::Destination { cell, filled, from_hex: true };
        let put = put_hex(&mut self.hex, cell, &mut filled, &gathered[HEX_PREFIX..], sink);
        value.way = Way::Destination { cell, filled, from_hex: true };
        put
    }

    /// Keeps bytes of a value of which `rest` more are to come.
    fn gather(&mut self, bytes: &[u8], rest: usize) {
        let needed = self.gathered.len() + bytes.len();
        if needed > self.gathered.capacity() {
            let whole = needed + rest;
            let capacity = TRUSTED_BYTES.max(2 * self.gathered.capacity()).min(whole).max(needed);
            self.gathered.reserve_exact(capacity - self.gathered.len());
        }
        self.gathered.extend_from_slice(bytes);
    }

    /// Abandons the row of which `left` bytes are to come.
    #[cold]
    fn fail<S: RowSink>(&mut self, left: usize, fault: Fault, sink: &mut S, has_begun: bool) -> Step {
        if has_begun {
            self.abandon_row(sink);
        }
        self.state = if self.is_unframed {
            State::Lost
        } else if left == 0 {
            State::Header
        } else {
            State::Skip { left }
        };
        fault.into()
    }

    #[cold]
    fn abandon_row<S: RowSink>(&mut self, sink: &mut S) {
        if let State::Value { value: Piece { way: Way::Destination { cell, .. }, .. }, .. } = self.state {
            sink.end_destination(cell, Ended::Abandoned);
        }
        self.gathered = Vec::new();
        self.small_length = 0;
        sink.abandon_row();
    }
}

/// The count of cells that ends a binary COPY: -1. Counts there have a sign.
const NO_ROW: usize = 0xffff;
const MOST_UNFRAMED: usize = 0x7fff;

/// `\x`
const HEX_PREFIX: usize = 2;

fn put_hex<S: RowSink>(
    hex: &mut HexDecoder,
    cell: Cell,
    filled: &mut usize,
    mut digits: &[u8],
    sink: &mut S,
) -> Result<(), Wrong> {
    while !digits.is_empty() {
        let here = hex.bytes_of(digits.len());
        if here == 0 {
            // Half a byte: it waits in the decoder, and no room is needed for it.
            let mut none = Vec::new();
            let taken = hex.decode(digits, &mut super::Destination::of_vec(&mut none, 0));
            debug_assert_eq!(taken, Ok(digits.len()));
            return Ok(());
        }
        let Some(mut room) = sink.destination(cell, Progress::new(cell.length, *filled, here)) else {
            return Err(out_of_room(cell));
        };
        let before = room.room();
        let taken = hex.decode(digits, &mut room).map_err(|_| no_hex(cell.column))?;
        let put = before - room.room();
        if put == 0 {
            return Err(out_of_room(cell));
        }
        *filled += put;
        digits = &digits[taken..];
    }
    Ok(())
}
