//! A value that is at hand to the sink: the first way that applies.

use super::{Cell, Encoding, Ended, Kind, Progress, Refusal, Refused, RowSink, Value, hex};
use crate::{
    binary,
    error::Malformed,
    text::{
        boolean,
        datetime::{self, DateTime},
        float, int,
    },
};

/// Why a row cannot be given.
pub(super) enum Wrong {
    /// A cell is no value of its type.
    Malformed(Malformed),
    /// The sink has no place for it.
    Refused(Refused),
}

/// Gives all bytes of a cell to the sink.
#[inline]
pub(super) fn give<S: RowSink>(kind: Kind, column: usize, bytes: &[u8], sink: &mut S) -> Result<(), Wrong> {
    match kind {
        Kind::Text => return untyped(column, bytes, Encoding::Text, sink),
        Kind::Binary => return untyped(column, bytes, Encoding::Binary, sink),
        Kind::Bytea => return bytea(column, bytes, sink),
        Kind::Bool => {
            sink.bool(column, boolean::parse(bytes));
            return Ok(());
        }
        _ => {}
    }
    let given = match kind {
        Kind::Int => int::parse(bytes).map(|value| sink.int(column, value)),
        Kind::Int8 => super::decimal::parse(bytes).map(|value| sink.int8(column, value)),
        Kind::Oid => int::parse_oid(bytes).filter(|value| *value >= 0.0).map(|value| sink.oid(column, value as u32)),
        Kind::Float => float::parse(bytes).map(|value| sink.float(column, value)),
        Kind::ZonedMillis => datetime::parse_zoned(bytes).map(|value| sink.millis(column, millis(value))),
        Kind::LocalMillis => datetime::parse_local(bytes).map(|value| sink.millis(column, millis(value))),
        Kind::ZonedMicros => datetime::parse_zoned_micros(bytes).map(|value| sink.micros(column, value)),
        Kind::LocalMicros => datetime::parse_local_micros(bytes).map(|value| sink.micros(column, value)),
        Kind::BinaryInt2 => binary::int::int2(bytes).map(|value| sink.int(column, i32::from(value))),
        Kind::BinaryInt4 => binary::int::int4(bytes).map(|value| sink.int(column, value)),
        Kind::BinaryInt8 => binary::int::int8(bytes).map(|value| sink.int8(column, value)),
        Kind::BinaryOid => binary::int::oid(bytes).map(|value| sink.oid(column, value)),
        Kind::BinaryFloat4 => binary::float::float4(bytes).map(|value| sink.float(column, value)),
        Kind::BinaryFloat8 => binary::float::float8(bytes).map(|value| sink.float(column, value)),
        Kind::BinaryBool => binary::boolean::parse(bytes).map(|value| sink.bool(column, value)),
        Kind::BinaryMillis => binary::datetime::parse(bytes).map(|value| sink.millis(column, millis(value.time))),
        Kind::BinaryMicros => match binary_micros(bytes) {
            // A value all right, but not one that microseconds since 1970 can tell.
            Some(None) => return untyped(column, bytes, Encoding::Binary, sink),
            Some(Some(value)) => {
                sink.micros(column, value);
                Some(())
            }
            None => None,
        },
        Kind::BinaryNumeric => binary::numeric::parse(bytes).map(|value| sink.float(column, value)),
        Kind::BinaryDate => binary_date(bytes).map(|value| sink.millis(column, value)),
        Kind::BinaryNumericText | Kind::BinaryUuid | Kind::BinaryJsonb => {
            return printed(kind, column, bytes, sink);
        }
        Kind::Text | Kind::Binary | Kind::Bytea | Kind::Bool => None,
    };
    match given {
        Some(()) => Ok(()),
        None if kind.encoding() == Encoding::Text => untyped(column, bytes, Encoding::Text, sink),
        None => Err(no_value(column, bytes.len())),
    }
}

#[inline]
fn millis(value: DateTime) -> f64 {
    match value {
        DateTime::Millis(millis) => millis,
        DateTime::Infinity => f64::INFINITY,
        DateTime::NegInfinity => f64::NEG_INFINITY,
    }
}

/// Microseconds from 1970 to 2000.
const EPOCH_MICROS: i64 = 946_684_800_000_000;

/// `None`: no timestamp; `Some(None)`: one of the last days, which only microseconds since 2000 can tell.
#[inline]
fn binary_micros(bytes: &[u8]) -> Option<Option<i64>> {
    let value = i64::from_be_bytes(bytes.try_into().ok()?);
    if value == i64::MAX || value == i64::MIN {
        return Some(Some(value));
    }
    Some(value.checked_add(EPOCH_MICROS).filter(|value| *value != i64::MAX && *value != i64::MIN))
}

/// A day of the local zone, as milliseconds of a clock in UTC. NaN beyond what a `Date` can hold, whatever the zone.
fn binary_date(bytes: &[u8]) -> Option<f64> {
    const DAY_MILLIS: i64 = 86_400_000;
    const MOST: i64 = 8_640_000_000_000_000 + 2 * DAY_MILLIS;
    let days = i32::from_be_bytes(bytes.try_into().ok()?);
    let millis = (i64::from(days) + EPOCH_MICROS / 1000 / DAY_MILLIS) * DAY_MILLIS;
    Some(match days {
        i32::MAX => f64::INFINITY,
        i32::MIN => f64::NEG_INFINITY,
        _ if millis.abs() > MOST => f64::NAN,
        _ => millis as f64,
    })
}

/// A value of the binary format as the text that the server prints of it.
fn printed<S: RowSink>(kind: Kind, column: usize, bytes: &[u8], sink: &mut S) -> Result<(), Wrong> {
    let mut text = Vec::new();
    match (kind, bytes) {
        // The only version there is. What follows is text.
        (Kind::BinaryJsonb, [1, json @ ..]) => return untyped(column, json, Encoding::Text, sink),
        (Kind::BinaryUuid, _) if bytes.len() == 16 => {
            for (i, byte) in bytes.iter().enumerate() {
                if [4, 6, 8, 10].contains(&i) {
                    text.push(b'-');
                }
                text.extend([byte >> 4, byte & 0xf].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
            }
        }
        (Kind::BinaryNumericText, _) if binary::numeric::print(bytes, &mut text).is_some() => {}
        _ => return Err(no_value(column, bytes.len())),
    }
    untyped(column, &text, Encoding::Text, sink)
}

/// Bytes, as they are.
#[inline]
pub(super) fn untyped<S: RowSink>(column: usize, bytes: &[u8], encoding: Encoding, sink: &mut S) -> Result<(), Wrong> {
    let cell = Cell { column, length: bytes.len(), encoding };
    if let Some(mut room) = sink.destination(cell, Progress::new(bytes.len(), 0, bytes.len())) {
        let mut filled = room.put(bytes);
        let rest = &bytes[filled..];
        if let Err(wrong) = put_all(cell, &mut filled, rest, sink) {
            sink.end_destination(cell, Ended::Abandoned);
            return Err(wrong);
        }
        sink.end_destination(cell, Ended::Filled);
    } else if !sink.borrowed(cell, bytes) {
        sink.value(column, Value::of(bytes.to_vec(), encoding));
    }
    Ok(())
}

/// Bytes that are nobody else's and for which no destination was offered.
pub(super) fn give_owned<S: RowSink>(column: usize, bytes: Vec<u8>, encoding: Encoding, sink: &mut S) {
    if !sink.borrowed(Cell { column, length: bytes.len(), encoding }, &bytes) {
        sink.value(column, Value::of(bytes, encoding));
    }
}

/// Puts bytes behind the `filled` ones of a destination that the sink has offered.
pub(super) fn put_all<S: RowSink>(cell: Cell, filled: &mut usize, mut bytes: &[u8], sink: &mut S) -> Result<(), Wrong> {
    while !bytes.is_empty() {
        let put = sink
            .destination(cell, Progress::new(cell.length, *filled, bytes.len()))
            .map_or(0, |mut room| room.put(bytes));
        if put == 0 {
            return Err(out_of_room(cell));
        }
        *filled += put;
        bytes = &bytes[put..];
    }
    Ok(())
}

/// A `bytea` in text format.
#[inline]
fn bytea<S: RowSink>(column: usize, text: &[u8], sink: &mut S) -> Result<(), Wrong> {
    let [b'\\', b'x', digits @ ..] = text else {
        return untyped(column, text, Encoding::Text, sink);
    };
    if digits.len() % 2 == 1 {
        return Err(odd_hex(column));
    }
    let cell = Cell { column, length: digits.len() / 2, encoding: Encoding::Binary };
    if sink.destination(cell, Progress::new(cell.length, 0, cell.length)).is_some() {
        if let Err(wrong) = put_digits(cell, digits, sink) {
            sink.end_destination(cell, Ended::Abandoned);
            return Err(wrong);
        }
        sink.end_destination(cell, Ended::Filled);
        return Ok(());
    }
    let mut value = vec![0; cell.length];
    if !hex::decode(digits, &mut value) {
        return Err(no_hex(column));
    }
    if !sink.borrowed(cell, &value) {
        sink.value(column, Value::Binary(value));
    }
    Ok(())
}

fn put_digits<S: RowSink>(cell: Cell, mut digits: &[u8], sink: &mut S) -> Result<(), Wrong> {
    let mut decoder = hex::HexDecoder::default();
    let mut filled = 0;
    while filled < cell.length {
        let progress = Progress::new(cell.length, filled, cell.length - filled);
        let Some(mut room) = sink.destination(cell, progress) else { return Err(out_of_room(cell)) };
        let before = room.room();
        let taken = decoder.decode(digits, &mut room).map_err(|_| no_hex(cell.column))?;
        let put = before - room.room();
        if put == 0 {
            return Err(out_of_room(cell));
        }
        filled += put;
        digits = &digits[taken..];
    }
    Ok(())
}

#[cold]
pub(super) fn out_of_room(cell: Cell) -> Wrong {
    Wrong::Refused(Refused { column: cell.column, why: Refusal::NoRoom })
}

#[cold]
pub(super) fn odd_hex(column: usize) -> Wrong {
    Wrong::Malformed(Malformed::new(format!("cell {column} is a bytea of an odd number of hex digits")))
}

#[cold]
pub(super) fn no_hex(column: usize) -> Wrong {
    Wrong::Malformed(Malformed::new(format!("cell {column} is a bytea with a character that is no hex digit")))
}

#[cold]
fn no_value(column: usize, length: usize) -> Wrong {
    Wrong::Malformed(Malformed::new(format!("cell {column} of binary format cannot be read from {length} bytes")))
}
