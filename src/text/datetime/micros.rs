//! Moments in microseconds since 1970, for who wants more than a `Date` holds.

use super::{DateTime, MAX_MILLIS, parse_local, parse_wall, parse_zoned};

/// A date and time with a zone: microseconds since the epoch, the extremes of `i64` for the infinities.
/// `None` as for [`parse_zoned`], for what microseconds since 1970 cannot tell, and where [`parse_zoned`] gives NaN for a
/// moment that a `Date` could hold.
///
/// ```
/// use pg_protocol_native::text::datetime::parse_zoned_micros;
/// assert_eq!(parse_zoned_micros(b"1970-01-01 00:00:00.0019+00"), Some(1900));
/// assert_eq!(parse_zoned_micros(b"1969-12-31 23:59:59.999999+00"), Some(-1));
/// assert_eq!(parse_zoned_micros(b"-infinity"), Some(i64::MIN));
/// ```
#[inline]
#[must_use]
pub fn parse_zoned_micros(text: &[u8]) -> Option<i64> {
    match parse_zoned(text)? {
        DateTime::Millis(millis) if !millis.is_nan() => Some(millis as i64 * 1000 + beyond_millis(text)),
        DateTime::Millis(_) => far_zoned_micros(text),
        DateTime::Infinity => Some(i64::MAX),
        DateTime::NegInfinity => Some(i64::MIN),
    }
}

/// The same for a time without a zone, of a wall clock that knows no zone rules.
///
/// ```
/// use pg_protocol_native::text::datetime::parse_local_micros;
/// assert_eq!(parse_local_micros(b"1970-01-02 00:00:00.000001"), Some(86_400_000_001));
/// ```
#[inline]
#[must_use]
pub fn parse_local_micros(text: &[u8]) -> Option<i64> {
    match parse_local(text)? {
        DateTime::Millis(millis) if !millis.is_nan() => {
            (millis as i64).checked_mul(1000)?.checked_add(beyond_millis(text)).filter(is_finite)
        }
        DateTime::Millis(_) => {
            parse_wall(text)?.0.checked_mul(1000)?.checked_add(beyond_millis(text)).filter(is_finite)
        }
        DateTime::Infinity => Some(i64::MAX),
        DateTime::NegInfinity => Some(i64::MIN),
    }
}

/// A moment that no `Date` can hold, of a wall clock that none can hold either.
#[cold]
fn far_zoned_micros(text: &[u8]) -> Option<i64> {
    let (wall, zone) = parse_wall(text)?;
    // The zone is right: it was read before. With any date of these days it tells its offset.
    let mut at = b"2000-01-01 00:00:00".to_vec();
    at.extend_from_slice(zone);
    let DateTime::Millis(shifted) = parse_zoned(&at)? else { return None };
    let time = wall + (shifted as i64 - 946_684_800_000);
    if wall.abs() <= MAX_MILLIS || time.abs() <= MAX_MILLIS {
        return None;
    }
    time.checked_mul(1000)?.checked_add(beyond_millis(text)).filter(is_finite)
}

/// Whether it is none of the two that stand for infinity.
fn is_finite(micros: &i64) -> bool {
    *micros != i64::MAX && *micros != i64::MIN
}

/// The microseconds behind the millisecond, of a text that was read already.
#[inline]
fn beyond_millis(text: &[u8]) -> i64 {
    // The point stands at one place, unless the year is a long one.
    let point = if text.get(4) == Some(&b'-') { 19 } else { text.iter().position(|byte| *byte == b'.').unwrap_or(0) };
    let Some((b'.', fraction)) = text.get(point..).and_then(<[u8]>::split_first) else { return 0 };
    let digit =
        |place: usize| fraction.get(place).filter(|byte| byte.is_ascii_digit()).map(|byte| i64::from(byte - b'0'));
    // Behind the last digit stands none that counts.
    if fraction.iter().take(3).any(|byte| !byte.is_ascii_digit()) {
        return 0;
    }
    let Some(hundreds) = digit(3) else { return 0 };
    let Some(tens) = digit(4) else { return hundreds * 100 };
    hundreds * 100 + tens * 10 + digit(5).unwrap_or(0)
}
