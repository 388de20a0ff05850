//! Values read slowly: from text as ECMA-262 says of JavaScript's functions, from the wire's bytes as their
//! definitions say.

/// Whitespace and line ends in the sense of JavaScript.
fn trim_start(text: &str) -> &str {
    text.trim_start_matches(|c: char| (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}')
}

fn digits(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_digit).count()
}

/// `parseInt(text, 10)`. Twin of [`crate::text::int::parse`].
#[must_use]
pub fn parse_int(text: &str) -> f64 {
    let text = trim_start(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    match unsigned[..digits(unsigned)].parse::<f64>() {
        Ok(value) if text.starts_with('-') => -value,
        Ok(value) => value,
        Err(_) => f64::NAN,
    }
}

/// `parseFloat(text)`. Twin of [`crate::text::float::parse`].
#[must_use]
pub fn parse_float(text: &str) -> f64 {
    let text = trim_start(text);
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let sign = if text.starts_with('-') { -1.0 } else { 1.0 };
    if unsigned.starts_with("Infinity") {
        return sign * f64::INFINITY;
    }
    let whole = digits(unsigned);
    let mut length = whole;
    if unsigned[length..].starts_with('.') {
        let fraction = digits(&unsigned[length + 1..]);
        if whole + fraction == 0 {
            return f64::NAN;
        }
        length += 1 + fraction;
    }
    if length == 0 {
        return f64::NAN;
    }
    if let Some(power) = unsigned[length..].strip_prefix(['e', 'E']) {
        let signs = usize::from(power.starts_with(['-', '+']));
        let power = digits(&power[signs..]);
        if power > 0 {
            length += 1 + signs + power;
        }
    }
    sign * unsigned[..length].parse::<f64>().expect("a decimal literal")
}

/// A text with a date in ISO style: milliseconds of the wall clock since 1970, and the zone's offset in
/// seconds where it has one. `None` where it is not what PostgreSQL prints.
/// Twin of [`crate::text::datetime::parse_zoned`] and [`crate::text::datetime::parse_local`].
#[must_use]
pub fn date_time(text: &str) -> Option<(i64, Option<i64>)> {
    let (text, bc) = text.strip_suffix(" BC").map_or((text, false), |text| (text, true));
    let (date, time) = text.split_once(' ').map_or((text, None), |(date, time)| (date, Some(time)));
    let [year, month, day] = numbers(date, '-', &[4..=7, 2..=2, 2..=2])?[..] else { return None };
    if year == 0 || !(1..=12).contains(&month) {
        return None;
    }
    let year = if bc { 1 - year } else { year };
    if !(1..=days_of(year, month)).contains(&day) {
        return None;
    }
    // 400 years have the same number of days wherever they begin
    let ages = (year - 1970).div_euclid(400);
    let years = ages * 146_097 + (1970..year - 400 * ages).map(days_in).sum::<i64>();
    let days = years + (1..month).map(|month| days_of(year, month)).sum::<i64>() + day - 1;
    let Some(time) = time else { return Some((days * 86_400_000, None)) };
    let (clock, zone) = time.find(['+', '-', 'Z']).map_or((time, None), |at| (&time[..at], Some(&time[at..])));
    let (clock, fraction) = clock.split_once('.').map_or((clock, None), |(clock, fraction)| (clock, Some(fraction)));
    let [hour, minute, second] = numbers(clock, ':', &[2..=2, 2..=2, 2..=2])?[..] else { return None };
    if hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    let millis = match fraction {
        Some(fraction) if (1..=6).contains(&fraction.len()) && digits(fraction) == fraction.len() => {
            (1000.0 * format!("0.{fraction}").parse::<f64>().expect("a fraction")).trunc() as i64
        }
        Some(_) => return None,
        None => 0,
    };
    let wall = days * 86_400_000 + (hour * 3600 + minute * 60 + second) * 1000 + millis;
    let offset = match zone {
        None => None,
        Some("Z") => Some(0),
        Some(zone) => {
            let parts = numbers(zone.strip_prefix(['+', '-'])?, ':', &[2..=2, 2..=2, 2..=2])?;
            let seconds: i64 = parts.iter().zip([3600, 60, 1]).map(|(part, unit)| part * unit).sum();
            Some(if zone.starts_with('-') { -seconds } else { seconds })
        }
    };
    Some((wall, offset))
}

/// Numbers of the given lengths between separators; the last ones may be missing.
fn numbers(text: &str, separator: char, lengths: &[std::ops::RangeInclusive<usize>]) -> Option<Vec<i64>> {
    let parts: Vec<&str> = text.split(separator).collect();
    if parts.len() > lengths.len() {
        return None;
    }
    let number = |(part, length): (&&str, &std::ops::RangeInclusive<usize>)| {
        if length.contains(&part.len()) && digits(part) == part.len() { part.parse().ok() } else { None }
    };
    parts.iter().zip(lengths).map(number).collect()
}

fn is_leap(year: i64) -> bool {
    year.rem_euclid(4) == 0 && (year.rem_euclid(100) != 0 || year.rem_euclid(400) == 0)
}

fn days_in(year: i64) -> i64 {
    if is_leap(year) { 366 } else { 365 }
}

fn days_of(year: i64, month: i64) -> i64 {
    let february = if is_leap(year) { 29 } else { 28 };
    [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month as usize - 1]
}

/// A signed integer of any size, bit by bit. Twin of [`crate::binary::int`].
#[must_use]
pub fn twos_complement(bytes: &[u8]) -> i128 {
    let bits = bytes.iter().flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1 == 1));
    let mut value = 0;
    for (place, bit) in bits.enumerate() {
        let weight = 1_i128 << (bytes.len() * 8 - 1 - place);
        value += if !bit {
            0
        } else if place == 0 {
            -weight
        } else {
            weight
        };
    }
    value
}

/// A number of IEEE 754 with so many bits of exponent and fraction, by its definition.
/// Twin of [`crate::binary::float`].
#[must_use]
pub fn ieee754(bits: u64, exponent_bits: u32, fraction_bits: u32) -> f64 {
    let sign = if bits >> (exponent_bits + fraction_bits) & 1 == 1 { -1.0 } else { 1.0 };
    let most = (1_u64 << exponent_bits) - 1;
    let exponent = bits >> fraction_bits & most;
    let fraction = bits & ((1 << fraction_bits) - 1);
    let bias = (most / 2) as i32 + fraction_bits as i32;
    // in two steps, since the smallest powers are no doubles by themselves
    let scaled =
        |integer: u64, power: i32| sign * integer as f64 * 2_f64.powi(power / 2) * 2_f64.powi(power - power / 2);
    match (exponent, fraction) {
        (exponent, 0) if exponent == most => sign * f64::INFINITY,
        (exponent, _) if exponent == most => f64::NAN,
        (0, fraction) => scaled(fraction, 1 - bias),
        (exponent, fraction) => scaled(fraction + (1 << fraction_bits), exponent as i32 - bias),
    }
}

/// The double nearest to a numeric, by way of its decimal text. Twin of [`crate::binary::numeric::parse`].
#[must_use]
pub fn numeric(digits: &[u16], weight: i16, negative: bool) -> f64 {
    let text: String = digits.iter().map(|digit| format!("{digit:04}")).collect();
    let exponent = (i64::from(weight) + 1 - digits.len() as i64) * 4;
    let sign = if negative { "-" } else { "" };
    format!("{sign}0{text}e{exponent}").parse().expect("a decimal literal")
}

/// The double that pg-types makes of a numeric that is not below 1.
#[must_use]
pub fn stock_numeric(digits: &[u16], weight: i16, negative: bool, scale: u32) -> f64 {
    let mut power = 10_000_f64.powi(i32::from(weight));
    let mut result = 0.0;
    for digit in digits {
        result += f64::from(*digit) * power;
        power /= 10_000.0;
    }
    let scale = 10_f64.powi(scale as i32);
    (if negative { -1.0 } else { 1.0 }) * (result * scale + 0.5).floor() / scale
}
