//! Packed columns: the values of each column behind each other, as Arrow lays them out.
//!
//! Numbers are vectors of their type, texts and bytes one vector of data and one of offsets. A NULL has a place with some
//! value in it; which places these are is told by the bits of [`Column::validity`].
//!
//! The bits are made in the end, from the list of the rows that are NULL: so a value that is none costs nothing, and a row
//! that is taken back leaves nothing to be cleared.

use super::{Cell, Destination, Encoding, Ended, Kind, Progress, Refusal, Refused, RowSink, Value};

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// 32-bit integers.
    Int(Vec<i32>),
    /// 64-bit integers.
    Int8(Vec<i64>),
    /// Unsigned 32-bit integers.
    Oid(Vec<u32>),
    /// Doubles: floating-point numbers.
    Float(Vec<f64>),
    /// 0 and 1.
    Bool(Vec<u8>),
    /// Doubles: milliseconds since 1970.
    Millis(Vec<f64>),
    /// 64-bit integers: microseconds since 1970.
    Micros(Vec<i64>),
    /// Values of any length: value `i` is `data[offsets[i]..offsets[i + 1]]`.
    Bytes {
        /// One more than there are values.
        offsets: Vec<i32>,
        /// What they point into.
        data: Vec<u8>,
        /// What all values are.
        encoding: Encoding,
    },
    /// Cells that are taken but not kept.
    None,
}

impl Values {
    /// Empty values for what a decoder gives of a kind.
    #[must_use]
    pub fn for_kind(kind: Kind) -> Self {
        match kind {
            Kind::Int | Kind::BinaryInt2 | Kind::BinaryInt4 => Self::Int(Vec::new()),
            Kind::Int8 | Kind::BinaryInt8 => Self::Int8(Vec::new()),
            Kind::Oid | Kind::BinaryOid => Self::Oid(Vec::new()),
            Kind::Float | Kind::BinaryFloat4 | Kind::BinaryFloat8 | Kind::BinaryNumeric => Self::Float(Vec::new()),
            Kind::Bool | Kind::BinaryBool => Self::Bool(Vec::new()),
            Kind::ZonedMillis | Kind::LocalMillis | Kind::BinaryMillis | Kind::BinaryDate => Self::Millis(Vec::new()),
            Kind::ZonedMicros | Kind::LocalMicros | Kind::BinaryMicros => Self::Micros(Vec::new()),
            Kind::Text | Kind::BinaryNumericText | Kind::BinaryUuid | Kind::BinaryJsonb => Self::bytes(Encoding::Text),
            Kind::Binary | Kind::Bytea => Self::bytes(Encoding::Binary),
        }
    }

    fn bytes(encoding: Encoding) -> Self {
        Self::Bytes { offsets: vec![0], data: Vec::new(), encoding }
    }

    fn truncate(&mut self, rows: usize) {
        match self {
            Self::Int(values) => values.truncate(rows),
            Self::Int8(values) | Self::Micros(values) => values.truncate(rows),
            Self::Oid(values) => values.truncate(rows),
            Self::Float(values) | Self::Millis(values) => values.truncate(rows),
            Self::Bool(values) => values.truncate(rows),
            Self::Bytes { offsets, data, .. } => {
                offsets.truncate(rows + 1);
                data.truncate(offsets.last().map_or(0, |end| *end as usize));
            }
            Self::None => {}
        }
    }
}

/// A column that is being filled.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Its values.
    pub values: Values,
    /// The rows in which it is NULL, in their order.
    pub nulls: Vec<u32>,
}

impl Column {
    /// A bit for each of the first `rows` rows, the lowest bit of a byte first: 1 where there is a value. `None` where no row
    /// is NULL. Bits behind the last row are 0.
    #[must_use]
    pub fn validity(&self, rows: usize) -> Option<Vec<u8>> {
        if self.nulls.is_empty() {
            return None;
        }
        let mut bits = vec![0xff; rows.div_ceil(8)];
        let beyond = rows % 8;
        if let Some(last) = bits.last_mut()
            && beyond > 0
        {
            *last = (1 << beyond) - 1;
        }
        for &row in &self.nulls {
            bits[row as usize / 8] &= !(1 << (row % 8));
        }
        Some(bits)
    }
}

/// Rows as columns.
///
/// ```
/// use pg_protocol_native::sink::{Columns, Encoding, Kind, RowDecoder, columns::Values};
/// let plan = vec![Kind::Int, Kind::Text];
/// let mut columns = Columns::new(&plan);
/// let rows = b"D\0\0\0\x11\0\x02\0\0\0\x0242\0\0\0\x01aD\0\0\0\x11\0\x02\xff\xff\xff\xff\0\0\0\x03bcd";
/// RowDecoder::new(plan).push(rows, &mut columns);
/// assert_eq!(columns.rows(), 2);
/// assert_eq!(columns.column(0).values, Values::Int(vec![42, 0]));
/// assert_eq!(columns.column(0).validity(2), Some(vec![0b01]));
/// let (offsets, data) = (vec![0, 1, 4], b"abcd".to_vec());
/// assert_eq!(columns.column(1).values, Values::Bytes { offsets, data, encoding: Encoding::Text });
/// ```
#[derive(Debug, Clone, Default)]
pub struct Columns {
    columns: Vec<Column>,
    rows: usize,
    /// Why the present row will not be taken.
    refused: Option<Refused>,
}

/// As many bytes as an offset of a column can tell.
pub const MOST_BYTES: usize = i32::MAX as usize;

impl Columns {
    /// Empty columns for rows of this plan.
    #[must_use]
    pub fn new(plan: &[Kind]) -> Self {
        let columns = plan.iter().map(|kind| Column { values: Values::for_kind(*kind), nulls: Vec::new() }).collect();
        Self { columns, rows: 0, refused: None }
    }

    /// How many rows they have.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// How many columns there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.columns.len()
    }

    /// Whether there is no column.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.columns.is_empty()
    }

    /// One of them.
    ///
    /// # Panics
    /// If there is no such column.
    #[must_use]
    pub fn column(&self, index: usize) -> &Column {
        &self.columns[index]
    }

    /// Takes a column out. Its further cells are taken and not kept.
    ///
    /// # Panics
    /// If there is no such column.
    pub fn take(&mut self, index: usize) -> Column {
        std::mem::replace(&mut self.columns[index], Column { values: Values::None, nulls: Vec::new() })
    }

    #[cold]
    fn refuse(&mut self, column: usize, why: Refusal) {
        self.refused.get_or_insert(Refused { column, why });
    }

    /// Forgets what belongs to no whole row.
    #[cold]
    fn truncate(&mut self) {
        let rows = self.rows;
        for Column { values, nulls } in &mut self.columns {
            values.truncate(rows);
            while nulls.last().is_some_and(|row| *row as usize >= rows) {
                nulls.pop();
            }
        }
    }
}

macro_rules! push {
    ($name:ident, $type:ty, $variant:ident) => {
        #[inline]
        fn $name(&mut self, column: usize, value: $type) {
            match self.columns.get_mut(column) {
                Some(Column { values: Values::$variant(values), .. }) => values.push(value.into()),
                Some(Column { values: Values::None, .. }) => {}
                _ => self.refuse(column, Refusal::Unfit),
            }
        }
    };
}

impl RowSink for Columns {
    #[inline]
    fn begin_row(&mut self, _cells: usize) {
        self.refused = None;
    }

    #[inline]
    fn end_row(&mut self) -> Result<(), Refused> {
        if self.rows >= MOST_BYTES {
            self.refuse(0, Refusal::TooLarge);
        }
        if let Some(refused) = self.refused.take() {
            self.truncate();
            return Err(refused);
        }
        self.rows += 1;
        Ok(())
    }

    #[inline]
    fn abandon_row(&mut self) {
        self.truncate();
    }

    #[inline]
    fn null(&mut self, column: usize) {
        let Some(Column { values, nulls }) = self.columns.get_mut(column) else {
            return self.refuse(column, Refusal::Unfit);
        };
        // As many rows as fit into an i32 are taken.
        nulls.push(self.rows as u32);
        match values {
            Values::Int(values) => values.push(0),
            Values::Int8(values) | Values::Micros(values) => values.push(0),
            Values::Oid(values) => values.push(0),
            Values::Float(values) | Values::Millis(values) => values.push(0.0),
            Values::Bool(values) => values.push(0),
            Values::Bytes { offsets, data, .. } => offsets.push(data.len() as i32),
            Values::None => {
                nulls.pop();
            }
        }
    }

    push!(bool, bool, Bool);
    push!(int, i32, Int);
    push!(int8, i64, Int8);
    push!(oid, u32, Oid);
    push!(float, f64, Float);
    push!(millis, f64, Millis);
    push!(micros, i64, Micros);

    #[inline]
    fn destination(&mut self, cell: Cell, progress: Progress) -> Option<Destination<'_>> {
        // A text that is all there is copied just as fast when it is lent; bytes may have to be decoded on their way.
        if cell.encoding == Encoding::Text && progress.here == cell.length {
            return None;
        }
        let Some(Column { values: Values::Bytes { data, encoding, .. }, .. }) = self.columns.get_mut(cell.column)
        else {
            return None;
        };
        if *encoding != cell.encoding || data.len() + (cell.length - progress.filled) > MOST_BYTES {
            return None;
        }
        data.try_reserve(progress.room).ok()?;
        Some(Destination::of_vec(data, progress.room))
    }

    #[inline]
    fn end_destination(&mut self, cell: Cell, ended: Ended) {
        if let (Some(Column { values: Values::Bytes { offsets, data, .. }, .. }), Ended::Filled) =
            (self.columns.get_mut(cell.column), ended)
        {
            offsets.push(data.len() as i32);
        }
    }

    #[inline]
    fn borrowed(&mut self, cell: Cell, bytes: &[u8]) -> bool {
        match self.columns.get_mut(cell.column) {
            Some(Column { values: Values::Bytes { offsets, data, encoding }, .. }) if *encoding == cell.encoding => {
                let why = if data.len() + bytes.len() > MOST_BYTES {
                    Refusal::TooLarge
                } else if data.try_reserve(bytes.len()).is_err() {
                    Refusal::NoRoom
                } else {
                    data.extend_from_slice(bytes);
                    offsets.push(data.len() as i32);
                    return true;
                };
                self.refuse(cell.column, why);
            }
            Some(Column { values: Values::None, .. }) => {}
            _ => self.refuse(cell.column, Refusal::Unfit),
        }
        true
    }

    fn value(&mut self, column: usize, _value: Value) {
        debug_assert!(false, "each cell is taken another way");
        self.refuse(column, Refusal::Unfit);
    }
}
