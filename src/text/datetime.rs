//! Dates and times in text format and ISO style, as `postgres-date` reads them.
//!
//! The simple version, and stock's, is a search with a regular expression, numbers cut from strings and a
//! date made of seven of them: 300 to 500 ns. Here the bytes stand at known places, since the year is
//! all that varies in length before the fraction: digits are gathered without a branch, and one
//! comparison at the end tells whether all of them were digits.
//!
//! Only what PostgreSQL prints is taken, with each field in its range. `postgres-date` lets the 31st of
//! a short month, hour 24 or second 60 roll over; those texts, other styles and garbage are left to it.

mod block;
mod micros;

pub use block::{parse_local_block, parse_zoned_block};
pub use micros::{parse_local_micros, parse_zoned_micros};

/// What JavaScript's `Date` can hold on either side of 1970.
const MAX_MILLIS: i64 = 8_640_000_000_000_000;

const DAY_MILLIS: i64 = 86_400_000;

/// What a text with a date stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DateTime {
    /// Milliseconds since 1970; NaN where JavaScript's `Date` would be an invalid one.
    Millis(f64),
    /// `infinity`: for `pg-types` a number, not a `Date`.
    Infinity,
    /// `-infinity`.
    NegInfinity,
}

/// A date and time with a zone: milliseconds since the epoch, in UTC.
/// `None` where JavaScript is to look at the text itself.
///
/// ```
/// use pg_protocol_native::text::datetime::{DateTime, parse_zoned};
/// assert_eq!(parse_zoned(b"1970-01-02 00:00:00.0019+00"), Some(DateTime::Millis(86_400_001.0)));
/// assert_eq!(parse_zoned(b"1970-01-01 05:30:00+05:30"), Some(DateTime::Millis(0.0)));
/// assert_eq!(parse_zoned(b"-infinity"), Some(DateTime::NegInfinity));
/// assert_eq!(parse_zoned(b"1970-01-01 00:00:00"), None);
/// ```
#[inline]
#[must_use]
pub fn parse_zoned(text: &[u8]) -> Option<DateTime> {
    let Some((wall, zone)) = parse_wall(text) else { return infinity(text) };
    let [sign @ (b'+' | b'-'), h1, h2, behind @ ..] = zone else {
        return if zone == b"Z" { Some(utc(wall, 0)) } else { None };
    };
    let mut digits = Digits::default();
    let mut offset = digits.two([*h1, *h2]) * 3600;
    match behind {
        [] => {}
        [b':', m1, m2] => offset += digits.two([*m1, *m2]) * 60,
        [b':', m1, m2, b':', s1, s2] => offset += digits.two([*m1, *m2]) * 60 + digits.two([*s1, *s2]),
        _ => return None,
    }
    if !digits.all() {
        return None;
    }
    let offset = i64::from(offset) * 1000;
    Some(utc(wall, if *sign == b'-' { -offset } else { offset }))
}

/// A date, or a date and time, without a zone: milliseconds from 1970-01-01 00:00:00 to it on a wall clock
/// that knows no zone rules. Which moment that is in the local zone is for JavaScript to say.
/// `None` where JavaScript is to look at the text itself.
///
/// ```
/// use pg_protocol_native::text::datetime::{DateTime, parse_local};
/// assert_eq!(parse_local(b"1970-01-02"), Some(DateTime::Millis(86_400_000.0)));
/// assert_eq!(parse_local(b"1969-12-31 23:59:59.9999"), Some(DateTime::Millis(-1.0)));
/// assert_eq!(parse_local(b"0001-01-01 BC"), Some(DateTime::Millis(-62_167_219_200_000.0)));
/// assert_eq!(parse_local(b"1970-01-01 00:00:00+00"), None);
/// ```
#[inline]
#[must_use]
pub fn parse_local(text: &[u8]) -> Option<DateTime> {
    let Some((wall, zone)) = parse_wall(text) else { return infinity(text) };
    if !zone.is_empty() {
        return None;
    }
    // The zone may bring a time back into the range: two days are more than any offset.
    let possible = wall.abs() <= MAX_MILLIS + 2 * DAY_MILLIS;
    Some(DateTime::Millis(if possible { wall as f64 } else { f64::NAN }))
}

/// As `new Date(Date.UTC(...))` and `setTime(getTime() - offset)`, each of which may leave the range.
#[inline]
fn utc(wall: i64, offset: i64) -> DateTime {
    let time = wall - offset;
    let possible = wall.abs() <= MAX_MILLIS && time.abs() <= MAX_MILLIS;
    DateTime::Millis(if possible { time as f64 } else { f64::NAN })
}

/// The wall clock's milliseconds, and what stands behind date and time, without the ` BC`.
#[inline]
fn parse_wall(text: &[u8]) -> Option<(i64, &[u8])> {
    let (more, text) = if *text.get(4)? == b'-' { (0, text) } else { wide_year(text)? };
    let (&[y1, y2, ref date @ ..], mut rest) = text.split_first_chunk::<10>()?;
    let [years, month, day] = three_pairs(*date, b'-')?;
    let mut digits = Digits::default();
    let mut year = (more * 100 + digits.two([y1, y2])) * 100 + years;
    if year == 0 || !digits.all() {
        return None;
    }
    if let [before @ .., b' ', b'B', b'C'] = rest {
        rest = before;
        year = 1 - year;
    }
    let mut millis = 0;
    if let Some((&[blank, ref time @ ..], behind)) = rest.split_first_chunk::<9>() {
        let [hour, minute, second] = three_pairs(*time, b':')?;
        if blank != b' ' || hour > 23 || minute > 59 || second > 59 {
            return None;
        }
        millis = (hour * 3600 + minute * 60 + second) * 1000;
        rest = behind;
        if let [b'.', fraction @ ..] = rest {
            let (thousandths, length) = fraction_millis(fraction)?;
            millis += thousandths;
            rest = &fraction[length..];
        }
    } else if !rest.is_empty() {
        return None;
    }
    let days = days_from_epoch(year, month, day)?;
    Some((days * DAY_MILLIS + i64::from(millis), rest))
}

/// `12:34:56`: eight bytes in one register. With the zeros and separators taken away, each byte is a digit or 0,
/// and to add what makes 9 (or 0) the last value below 0x80 shows in the top bits whether one is not.
#[inline]
fn three_pairs(text: [u8; 8], separator: u8) -> Option<[i32; 3]> {
    let zeros = [b'0', b'0', separator, b'0', b'0', separator, b'0', b'0'];
    let digits = u64::from_le_bytes(text) ^ u64::from_le_bytes(zeros);
    let most = digits.wrapping_add(u64::from_le_bytes([0x76, 0x76, 0x7f, 0x76, 0x76, 0x7f, 0x76, 0x76]));
    if (digits | most) & 0x8080_8080_8080_8080 != 0 {
        return None;
    }
    let pairs = (digits * 10 + (digits >> 8)).to_le_bytes();
    Some([i32::from(pairs[0]), i32::from(pairs[3]), i32::from(pairs[6])])
}

/// Years of five to seven digits, as far as PostgreSQL's go: the ten thousands, and the text from the
/// last four digits on.
#[cold]
fn wide_year(text: &[u8]) -> Option<(i32, &[u8])> {
    let length = text.iter().take(8).position(|&byte| byte == b'-').filter(|length| *length > 4)?;
    let (head, rest) = text.split_at(length - 4);
    let mut more = 0;
    for byte in head {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        more = more * 10 + i32::from(digit);
    }
    Some((more, rest))
}

/// Up to six digits behind the point, cut to milliseconds, and how many there were. JavaScript gets the
/// same by `1000 * parseFloat('.123456')`: a test below goes through all million of them.
#[inline]
fn fraction_millis(text: &[u8]) -> Option<(i32, usize)> {
    if let Some(&[t1, t2, t3, t4, t5, t6]) = text.first_chunk::<6>() {
        let mut digits = Digits::default();
        let millis = digits.two([t1, t2]) * 10 + digits.one(t3);
        digits.two([t4, t5]);
        digits.one(t6);
        if digits.all() {
            return Some((millis, 6));
        }
    }
    let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let digit = |place: usize| if place < length { i32::from(text[place] - b'0') } else { 0 };
    if length == 0 { None } else { Some((digit(0) * 100 + digit(1) * 10 + digit(2), length)) }
}

/// Days from 1970-01-01 in the Gregorian calendar, `None` for a day that its month does not have.
/// Counts in years that begin with March, so that the leap day is the last one.
#[inline]
fn days_from_epoch(year: i32, month: i32, day: i32) -> Option<i64> {
    if !(1..=12).contains(&month) || !(1..=31).contains(&day) || day > 28 && day > days_of(year, month) {
        return None;
    }
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let century = year.div_euclid(100);
    let of_year = (153 * month + 2) / 5 + day - 1;
    let leaps = year.div_euclid(4) - century + century.div_euclid(4);
    // ten million years are more days than an i32 counts
    Some(365 * i64::from(year) + i64::from(leaps + of_year - 719_468))
}

#[inline]
fn days_of(year: i32, month: i32) -> i32 {
    match month {
        4 | 6 | 9 | 11 => 30,
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        _ => 31,
    }
}

/// Reads digits and remembers the worst of what it took for one.
#[derive(Default)]
struct Digits {
    worst: u8,
}

impl Digits {
    #[inline]
    fn one(&mut self, byte: u8) -> i32 {
        let digit = byte.wrapping_sub(b'0');
        self.worst = self.worst.max(digit);
        i32::from(digit)
    }

    #[inline]
    fn two(&mut self, [tens, ones]: [u8; 2]) -> i32 {
        self.one(tens) * 10 + self.one(ones)
    }

    #[inline]
    fn all(&self) -> bool {
        self.worst <= 9
    }
}

#[cold]
fn infinity(text: &[u8]) -> Option<DateTime> {
    match text {
        b"infinity" => Some(DateTime::Infinity),
        b"-infinity" => Some(DateTime::NegInfinity),
        _ => None,
    }
}

#[cfg(test)]
mod tests;
