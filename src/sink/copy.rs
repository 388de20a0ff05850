//! The rows of a `COPY ... TO STDOUT`, in text and in binary format, to a sink.
//!
//! What is decoded is the stream of bytes that the CopyData messages carry. Where one of these ends says nothing, though
//! servers send one for each row. Of the text format a line that spans chunks is gathered; of the binary format a value is,
//! as in a row, unless it has a destination.

use memchr::{memchr, memchr_iter};

use super::{
    Kind, Refused, RowSink, Step,
    cell::{Wrong, give},
    fault::Fault,
    push::RowDecoder,
    whole::whole_row,
};
use crate::error::Malformed;

/// How a binary COPY begins.
const SIGNATURE: &[u8; 11] = b"PGCOPY\n\xff\r\n\0";

/// The signature, flags, and the length of what extends the header.
const HEADER_BYTES: usize = SIGNATURE.len() + 8;

/// Flags that a reader has to know; one of them says that rows have OIDs, which no server does since PostgreSQL 12.
const CRITICAL_FLAGS: u32 = 0xffff_0000;

/// Decodes the bytes of a COPY into a [`RowSink`].
///
/// ```
/// use pg_protocol_native::sink::{CopyDecoder, DefaultSink, Kind, Step, Value};
/// let mut sink = DefaultSink::default();
/// let mut copy = CopyDecoder::text(vec![Kind::Int, Kind::Text]);
/// for chunk in [&b"1\ta\\tb"[..], b"\n2\t\\N\n"] {
///     assert_eq!(copy.push(chunk, &mut sink), (chunk.len(), Step::More));
/// }
/// copy.finish(&mut sink).unwrap();
/// assert_eq!(sink.rows[0], [Value::Int(1), Value::Text(b"a\tb".to_vec())]);
/// assert_eq!(sink.rows[1], [Value::Int(2), Value::Null]);
/// ```
#[derive(Debug)]
pub struct CopyDecoder {
    rows: RowDecoder,
    stage: Stage,
    /// Of a binary COPY the header as far as it has come, of a text COPY the line.
    held: Vec<u8>,
    /// A text without its escapes.
    unescaped: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Lines,
    Header,
    Extension {
        left: usize,
    },
    Rows,
    /// The end was seen.
    Done,
    /// Nobody can tell where the next row begins.
    Failed,
}

impl CopyDecoder {
    /// A COPY in text format with the default delimiter and NULL. With an empty plan each row has as many cells as it has,
    /// all of them text.
    #[must_use]
    pub fn text(plan: Vec<Kind>) -> Self {
        Self { rows: RowDecoder::new(plan), stage: Stage::Lines, held: Vec::new(), unescaped: Vec::new() }
    }

    /// A COPY in binary format. With an empty plan all cells are text.
    #[must_use]
    pub fn binary(plan: Vec<Kind>) -> Self {
        Self { rows: RowDecoder::unframed(plan), stage: Stage::Header, held: Vec::new(), unescaped: Vec::new() }
    }

    /// How many bytes are held of what has not ended.
    #[must_use]
    pub fn held(&self) -> usize {
        self.held.len() + self.rows.held()
    }

    /// Reads the rows of `chunk`; see [`RowDecoder::push`]. Behind [`Step::Malformed`] or [`Step::Refused`] a text COPY goes
    /// on with the next line; of a binary COPY nothing more is read.
    pub fn push<S: RowSink>(&mut self, chunk: &[u8], sink: &mut S) -> (usize, Step) {
        let mut at = 0;
        while at < chunk.len() {
            let step = match self.stage {
                Stage::Lines => self.line(chunk, &mut at, sink),
                Stage::Header => self.header(chunk, &mut at),
                Stage::Extension { left } => {
                    let skipped = left.min(chunk.len() - at);
                    at += skipped;
                    self.stage = if skipped == left { Stage::Rows } else { Stage::Extension { left: left - skipped } };
                    Ok(())
                }
                Stage::Rows => self.row(chunk, &mut at, sink),
                Stage::Done => {
                    self.stage = Stage::Failed;
                    Err(Step::Malformed(Malformed::new("bytes behind the end of the COPY")))
                }
                Stage::Failed => {
                    at = chunk.len();
                    Ok(())
                }
            };
            if let Err(step) = step {
                return (at, step);
            }
        }
        (at, Step::More)
    }

    /// The stream has ended.
    ///
    /// # Errors
    /// [`Malformed`] where it has not come to its end. The row that had begun was abandoned.
    pub fn finish<S: RowSink>(&mut self, sink: &mut S) -> Result<(), Malformed> {
        let is_whole = match self.stage {
            Stage::Lines => self.held.is_empty(),
            Stage::Done | Stage::Failed => true,
            Stage::Header | Stage::Extension { .. } | Stage::Rows => false,
        };
        self.abandon(sink);
        if is_whole { Ok(()) } else { Err(Malformed::new("the COPY ended in its middle")) }
    }

    /// No more will come: what has begun is abandoned.
    pub fn abandon<S: RowSink>(&mut self, sink: &mut S) {
        self.rows.abandon(sink);
        self.held = Vec::new();
        self.stage = Stage::Failed;
    }

    fn header(&mut self, chunk: &[u8], at: &mut usize) -> Result<(), Step> {
        let taken = (HEADER_BYTES - self.held.len()).min(chunk.len() - *at);
        self.held.extend_from_slice(&chunk[*at..*at + taken]);
        *at += taken;
        let known = self.held.len().min(SIGNATURE.len());
        if self.held[..known] != SIGNATURE[..known] {
            return Err(self.fail("it does not begin as a binary COPY"));
        }
        if let Some(&[a, b, c, d, e, f, g, h]) = self.held[known..].first_chunk() {
            let flags = u32::from_be_bytes([a, b, c, d]);
            if flags & CRITICAL_FLAGS != 0 {
                return Err(self.fail("its flags are of a format that is not known"));
            }
            let Ok(left) = usize::try_from(i32::from_be_bytes([e, f, g, h])) else {
                return Err(self.fail("its header has a negative length"));
            };
            self.held = Vec::new();
            self.stage = if left == 0 { Stage::Rows } else { Stage::Extension { left } };
        }
        Ok(())
    }

    #[cold]
    fn fail(&mut self, what: &str) -> Step {
        self.stage = Stage::Failed;
        self.held = Vec::new();
        Step::Malformed(Malformed::new(what))
    }

    /// Reads a binary row, or a part of it.
    fn row<S: RowSink>(&mut self, chunk: &[u8], at: &mut usize, sink: &mut S) -> Result<(), Step> {
        if self.rows.is_between_rows() {
            if !sink.wants_row() {
                return Err(Step::Stopped);
            }
            if let Some(length) = row_length(&chunk[*at..]) {
                let row = &chunk[*at..*at + length];
                *at += length;
                if row == [0xff, 0xff] {
                    self.stage = Stage::Done;
                    return Ok(());
                }
                if row[0] & 0x80 != 0 {
                    return Err(self.fail(&format!("a row of {} cells", i16::from_be_bytes([row[0], row[1]]))));
                }
                return whole_row(self.rows.plan(), row, sink).map_err(|fault| {
                    self.stage = Stage::Failed;
                    fault.into()
                });
            }
            self.rows.begin_unframed();
        }
        if let Err(step) = self.rows.advance(chunk, at, sink) {
            self.stage = Stage::Failed;
            return Err(step);
        }
        if self.rows.is_lost() {
            self.stage = Stage::Done;
        }
        Ok(())
    }

    /// Reads a line of a text COPY, or a part of it.
    fn line<S: RowSink>(&mut self, chunk: &[u8], at: &mut usize, sink: &mut S) -> Result<(), Step> {
        if self.held.is_empty() && !sink.wants_row() {
            return Err(Step::Stopped);
        }
        let rest = &chunk[*at..];
        let Some(end) = memchr(b'\n', rest) else {
            self.held.extend_from_slice(rest);
            *at = chunk.len();
            return Ok(());
        };
        *at += end + 1;
        let taken = if self.held.is_empty() {
            text_row(self.rows.plan(), &rest[..end], &mut self.unescaped, sink)
        } else {
            let mut line = std::mem::take(&mut self.held);
            line.extend_from_slice(&rest[..end]);
            text_row(self.rows.plan(), &line, &mut self.unescaped, sink)
        };
        taken.map_err(Step::from)
    }
}

/// The length of the binary row at the beginning of `bytes`, if all of it is there. A row that is malformed has none.
fn row_length(bytes: &[u8]) -> Option<usize> {
    let count = i16::from_be_bytes(*bytes.first_chunk()?);
    let mut at = 2;
    for _ in 0..count.max(0) {
        let length = i32::from_be_bytes(*bytes.get(at..)?.first_chunk()?);
        at += 4;
        if length != -1 {
            at = at.checked_add(usize::try_from(length).ok()?)?;
        }
    }
    if at <= bytes.len() { Some(at) } else { None }
}

/// Gives the cells of a line.
fn text_row<S: RowSink>(plan: &[Kind], line: &[u8], unescaped: &mut Vec<u8>, sink: &mut S) -> Result<(), Fault> {
    let count = memchr_iter(b'\t', line).count() + 1;
    if !plan.is_empty() && count != plan.len() {
        return Err(Malformed::new(format!("{count} cells in a row of {} columns", plan.len())).into());
    }
    sink.begin_row(count);
    let given = if sink.wants_values() { text_cells(plan, line, unescaped, sink) } else { Ok(()) };
    if let Err(wrong) = given {
        sink.abandon_row();
        return Err(wrong.into());
    }
    sink.end_row().map_err(|refused: Refused| Fault::Refused(refused))
}

fn text_cells<S: RowSink>(plan: &[Kind], line: &[u8], unescaped: &mut Vec<u8>, sink: &mut S) -> Result<(), Wrong> {
    for (column, text) in line.split(|byte| *byte == b'\t').enumerate() {
        let kind = plan.get(column).copied().unwrap_or(Kind::Text);
        if text == b"\\N" {
            sink.null(column);
        } else if memchr(b'\\', text).is_none() {
            give(kind, column, text, sink)?;
        } else {
            unescape(text, unescaped);
            give(kind, column, unescaped, sink)?;
        }
    }
    Ok(())
}

/// What the escapes of a text COPY stand for, as the documentation of COPY lists them.
fn unescape(mut text: &[u8], out: &mut Vec<u8>) {
    out.clear();
    while let Some(at) = memchr(b'\\', text) {
        out.extend_from_slice(&text[..at]);
        let escape = &text[at + 1..];
        let (byte, length) = match escape {
            [] => (b'\\', 0),
            [b'b', ..] => (8, 1),
            [b'f', ..] => (12, 1),
            [b'n', ..] => (b'\n', 1),
            [b'r', ..] => (b'\r', 1),
            [b't', ..] => (b'\t', 1),
            [b'v', ..] => (11, 1),
            [b'0'..=b'7', ..] => number(escape, 8, 3),
            [b'x', digits @ ..] if digits.first().is_some_and(u8::is_ascii_hexdigit) => {
                let (byte, length) = number(digits, 16, 2);
                (byte, length + 1)
            }
            [byte, ..] => (*byte, 1),
        };
        out.push(byte);
        text = &escape[length..];
    }
    out.extend_from_slice(text);
}

/// A byte by its digits, of which there is one at least, and how many these are.
fn number(text: &[u8], radix: u32, most: usize) -> (u8, usize) {
    let digits = text.iter().take(most).map_while(|byte| char::from(*byte).to_digit(radix));
    digits
        .fold((0_u8, 0), |(byte, length), digit| (byte.wrapping_mul(radix as u8).wrapping_add(digit as u8), length + 1))
}
