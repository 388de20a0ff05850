//! Dates and times in text format, against [`naive::values::date_time`](date_time), both ways: what is read has the
//! value, and what is left to JavaScript is nothing that PostgreSQL prints in ISO style.
//!
//! Input: the text.

use pg_protocol_native::{
    naive::values::date_time,
    text::datetime::{DateTime, parse_local, parse_zoned},
};

use super::same;

/// What JavaScript's `Date` can hold on either side of 1970, and two days, by which a zone may bring a time back.
const MOST: i64 = 8_640_000_000_000_000;
const TWO_DAYS: i64 = 2 * 86_400_000;

pub fn check(bytes: &[u8]) {
    let (zoned, local) = (parse_zoned(bytes), parse_local(bytes));
    if let Some(infinity) = infinity(bytes) {
        assert_eq!((zoned, local), (Some(infinity), Some(infinity)));
        return;
    }
    let (expected_zoned, expected_local) = expected(bytes);
    assert!(same(millis(zoned), expected_zoned), "{}: {zoned:?}, not {expected_zoned:?}", bytes.escape_ascii());
    assert!(same(millis(local), expected_local), "{}: {local:?}, not {expected_local:?}", bytes.escape_ascii());
}

/// Milliseconds with a zone, and without one.
pub fn expected(bytes: &[u8]) -> (Option<f64>, Option<f64>) {
    let within = |millis: i64, most: i64| if millis.abs() <= most { millis as f64 } else { f64::NAN };
    match std::str::from_utf8(bytes).ok().and_then(date_time) {
        None => (None, None),
        Some((wall, None)) => (None, Some(within(wall, MOST + TWO_DAYS))),
        // stock makes a date of the wall clock before it knows of the zone
        Some((wall, Some(_))) if wall.abs() > MOST => (Some(f64::NAN), None),
        Some((wall, Some(offset))) => (Some(within(wall - offset * 1000, MOST)), None),
    }
}

pub fn infinity(bytes: &[u8]) -> Option<DateTime> {
    match bytes {
        b"infinity" => Some(DateTime::Infinity),
        b"-infinity" => Some(DateTime::NegInfinity),
        _ => None,
    }
}

fn millis(value: Option<DateTime>) -> Option<f64> {
    match value? {
        DateTime::Millis(millis) => Some(millis),
        infinite => panic!("{infinite:?} is not what was said"),
    }
}
