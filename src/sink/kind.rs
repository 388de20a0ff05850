//! What the decoder is to make of a column's cells.

use super::Encoding;

/// How the cells of a column arrive, and as what they are given to the sink.
///
/// A text that is not what PostgreSQL prints for its type is given as text: the sink decides. Bytes of the binary format
/// that are no value of their type make the row malformed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// Text, as it is.
    Text = 0,
    /// Bytes of the binary format, as they are.
    Binary = 1,
    /// `int2` and `int4` in text format, given as an int.
    Int = 2,
    /// `int8` in text format.
    Int8 = 3,
    /// `oid` in text format.
    Oid = 4,
    /// `float4` and `float8` in text format, given as a float.
    Float = 5,
    /// `bool` in text format: one of the words that `pg-types` takes for true, or whatever else.
    Bool = 6,
    /// `timestamptz` in text format, given in milliseconds.
    ZonedMillis = 7,
    /// `timestamp` and `date` in text format, given in milliseconds.
    LocalMillis = 8,
    /// `timestamptz` in text format, given in microseconds.
    ZonedMicros = 9,
    /// `timestamp` in text format, given in microseconds.
    LocalMicros = 10,
    /// `bytea` in text format; of the hex form the bytes are given, of the escape form the text.
    Bytea = 11,
    /// Binary `int2`, given as an int.
    BinaryInt2 = 12,
    /// Binary `int4`.
    BinaryInt4 = 13,
    /// Binary `int8`.
    BinaryInt8 = 14,
    /// Binary `oid`.
    BinaryOid = 15,
    /// Binary `float4`.
    BinaryFloat4 = 16,
    /// Binary `float8`.
    BinaryFloat8 = 17,
    /// Binary `bool`.
    BinaryBool = 18,
    /// Binary `timestamp` or `timestamptz`, given in milliseconds.
    BinaryMillis = 19,
    /// Binary `timestamp` or `timestamptz`, given in microseconds.
    BinaryMicros = 20,
    /// Binary `numeric`, given as the nearest float.
    BinaryNumeric = 21,
    /// Binary `date`, given in milliseconds.
    BinaryDate = 22,
    /// Binary `numeric`, given as the text that the server would print.
    BinaryNumericText = 23,
    /// Binary `uuid`, likewise.
    BinaryUuid = 24,
    /// Binary `jsonb`, likewise.
    BinaryJsonb = 25,
}

impl Kind {
    /// All of them, in the order of their numbers.
    pub const ALL: [Self; 26] = [
        Self::Text,
        Self::Binary,
        Self::Int,
        Self::Int8,
        Self::Oid,
        Self::Float,
        Self::Bool,
        Self::ZonedMillis,
        Self::LocalMillis,
        Self::ZonedMicros,
        Self::LocalMicros,
        Self::Bytea,
        Self::BinaryInt2,
        Self::BinaryInt4,
        Self::BinaryInt8,
        Self::BinaryOid,
        Self::BinaryFloat4,
        Self::BinaryFloat8,
        Self::BinaryBool,
        Self::BinaryMillis,
        Self::BinaryMicros,
        Self::BinaryNumeric,
        Self::BinaryDate,
        Self::BinaryNumericText,
        Self::BinaryUuid,
        Self::BinaryJsonb,
    ];

    /// The kind of a number; text for one that none has.
    #[must_use]
    pub fn of(number: u8) -> Self {
        Self::ALL.get(usize::from(number)).copied().unwrap_or(Self::Text)
    }

    /// In which form the cells arrive.
    #[inline]
    #[must_use]
    pub fn encoding(self) -> Encoding {
        match self {
            Self::Binary
            | Self::BinaryInt2
            | Self::BinaryInt4
            | Self::BinaryInt8
            | Self::BinaryOid
            | Self::BinaryFloat4
            | Self::BinaryFloat8
            | Self::BinaryBool
            | Self::BinaryMillis
            | Self::BinaryMicros
            | Self::BinaryNumeric
            | Self::BinaryDate
            | Self::BinaryNumericText
            | Self::BinaryUuid
            | Self::BinaryJsonb => Encoding::Binary,
            _ => Encoding::Text,
        }
    }

    /// Whether the cells are given as they arrive.
    #[inline]
    #[must_use]
    pub fn is_untyped(self) -> bool {
        matches!(self, Self::Text | Self::Binary)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_kind_has_its_number() {
        for (number, kind) in Kind::ALL.into_iter().enumerate() {
            assert_eq!(kind as usize, number);
            assert_eq!(Kind::of(number as u8), kind);
        }
        assert_eq!(Kind::of(26), Kind::Text);
        assert_eq!(Kind::of(255), Kind::Text);
    }
}
