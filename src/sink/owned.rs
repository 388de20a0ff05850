//! Owned values, and the sink that keeps them.

use super::{Encoding, Refused, RowSink};

/// A cell's value, by itself.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// NULL.
    Null,
    /// See [`RowSink::bool`].
    Bool(bool),
    /// See [`RowSink::int`].
    Int(i32),
    /// See [`RowSink::int8`].
    Int8(i64),
    /// See [`RowSink::oid`].
    Oid(u32),
    /// See [`RowSink::float`].
    Float(f64),
    /// See [`RowSink::millis`].
    Millis(f64),
    /// See [`RowSink::micros`].
    Micros(i64),
    /// Text, not checked to be UTF-8.
    Text(Vec<u8>),
    /// Bytes of the binary format, or of a `bytea`.
    Binary(Vec<u8>),
}

impl Value {
    /// The bytes in their encoding.
    #[inline]
    #[must_use]
    pub fn of(bytes: Vec<u8>, encoding: Encoding) -> Self {
        match encoding {
            Encoding::Text => Self::Text(bytes),
            Encoding::Binary => Self::Binary(bytes),
        }
    }
}

/// Keeps each row as a vector of owned values: what there is to improve on.
///
/// ```
/// use pg_protocol_native::sink::{DefaultSink, Kind, RowDecoder, Value};
/// let mut sink = DefaultSink::default();
/// RowDecoder::new(vec![Kind::Text, Kind::Bool]).push(b"D\0\0\0\x10\0\x02\0\0\0\x01a\0\0\0\x01t", &mut sink);
/// assert_eq!(sink.rows, [[Value::Text(b"a".to_vec()), Value::Bool(true)]]);
/// ```
#[derive(Debug, Default)]
pub struct DefaultSink {
    /// The rows that are whole.
    pub rows: Vec<Vec<Value>>,
    row: Vec<Value>,
}

impl RowSink for DefaultSink {
    #[inline]
    fn begin_row(&mut self, cells: usize) {
        // As many as a row can announce, whatever it holds: 65535.
        self.row = Vec::with_capacity(cells);
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), Refused> {
        self.rows.push(std::mem::take(&mut self.row));
        Ok(())
    }

    #[inline]
    fn abandon_row(&mut self) {
        self.row = Vec::new();
    }

    #[inline]
    fn value(&mut self, _column: usize, value: Value) {
        self.row.push(value);
    }
}
