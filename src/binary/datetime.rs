//! Timestamps in binary format: microseconds since 2000.

use crate::text::datetime::DateTime;

/// Milliseconds from 1970 to 2000.
const EPOCH_MILLIS: i64 = 946_684_800_000;

/// What JavaScript's `Date` can hold on either side of 1970.
const MAX_MILLIS: i64 = 8_640_000_000_000_000;

/// A timestamp and what is smaller than JavaScript's millisecond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Timestamp {
    /// The time, cut to milliseconds towards the past; without a zone that of a wall clock in UTC.
    pub time: DateTime,
    /// The microseconds beyond the millisecond, 0 to 999: stock's `usec`.
    pub micros: u16,
}

/// A timestamp, with or without a zone.
///
/// Stock misreads the times before 2000 and the infinities, which are numbers in text format.
///
/// ```
/// use pg_protocol_native::{binary::datetime::{Timestamp, parse}, text::datetime::DateTime};
/// let time = DateTime::Millis(946_684_800_001.0);
/// assert_eq!(parse(&1002_i64.to_be_bytes()), Some(Timestamp { time, micros: 2 }));
/// assert_eq!(parse(b"\0\0\0\0"), None);
/// ```
#[inline]
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<Timestamp> {
    let value = i64::from_be_bytes(bytes.try_into().ok()?);
    let time = match value {
        i64::MAX => DateTime::Infinity,
        i64::MIN => DateTime::NegInfinity,
        _ => {
            let millis = value.div_euclid(1000) + EPOCH_MILLIS;
            DateTime::Millis(if millis.abs() <= MAX_MILLIS { millis as f64 } else { f64::NAN })
        }
    };
    let micros = if let DateTime::Millis(_) = time { value.rem_euclid(1000) as u16 } else { 0 };
    Some(Timestamp { time, micros })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::datetime::parse_zoned;
    use proptest::prelude::*;

    fn at(micros_since_2000: i64) -> Timestamp {
        parse(&micros_since_2000.to_be_bytes()).unwrap()
    }

    #[test]
    fn f34_microseconds_are_cut_towards_the_past() {
        let second = 1_000_000;
        assert_eq!(at(-1), Timestamp { time: DateTime::Millis(946_684_799_999.0), micros: 999 });
        assert_eq!(at(-946_684_800 * second - 1), Timestamp { time: DateTime::Millis(-1.0), micros: 999 });
        assert_eq!(at(-946_684_800 * second), Timestamp { time: DateTime::Millis(0.0), micros: 0 });
    }

    #[test]
    fn f32_infinities_and_the_ends_of_time() {
        assert_eq!(at(i64::MAX), Timestamp { time: DateTime::Infinity, micros: 0 });
        assert_eq!(at(i64::MIN), Timestamp { time: DateTime::NegInfinity, micros: 0 });
        let last = (8_640_000_000_000_000 - EPOCH_MILLIS) * 1000;
        assert_eq!(at(last + 999), Timestamp { time: DateTime::Millis(8.64e15), micros: 999 });
        let DateTime::Millis(beyond) = at(last + 1000).time else { panic!("a time") };
        assert!(beyond.is_nan());
        let DateTime::Millis(beyond) = at(i64::MAX - 1).time else { panic!("a time") };
        assert!(beyond.is_nan());
    }

    #[test]
    fn f48_another_size_is_no_time() {
        for size in [0, 1, 4, 7, 9, 16] {
            assert_eq!(parse(&[0; 16][..size]), None);
        }
    }

    proptest! {
        #[test]
        fn a_time_is_that_of_its_text(seconds in 0..86_400_i64, micros in 0..1_000_000_i64, day in 1..=28_i64, year in 0..4_i64) {
            let years = [(2000, 0), (2024, 8766), (1969, -11_322), (1999, -365)];
            let (year, days) = years[year as usize];
            let text = format!(
                "{year}-01-{day:02} {:02}:{:02}:{:02}.{micros:06}+00", seconds / 3600, seconds / 60 % 60, seconds % 60
            );
            let value = ((days + day - 1) * 86_400 + seconds) * 1_000_000 + micros;
            prop_assert_eq!(Some(at(value).time), parse_zoned(text.as_bytes()));
            prop_assert_eq!(i64::from(at(value).micros), micros % 1000);
        }
    }
}
