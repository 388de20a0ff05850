//! Numerics in binary format, as the number that `pg-types` makes of them (in text format it keeps the string).
//!
//! The wire has digits to the base 10000. The simple version, and stock's, multiplies them up in doubles and rounds to
//! the announced scale: good for fifteen decimal digits, noise behind them, NaN for a value below 0.0001.
//! Here the result is the double nearest to the value: one division or product of two exact doubles where
//! that is possible, else by way of the decimal text.

use std::str;

/// The largest integer up to which each one is a double.
const EXACT: u64 = 1 << 53;

/// Ten thousand to the powers that are doubles.
const POWERS: [f64; 6] = [1e0, 1e4, 1e8, 1e12, 1e16, 1e20];

const NEGATIVE: u16 = 0x4000;
const NAN: u16 = 0xc000;
const INFINITY: u16 = 0xd000;
const NEG_INFINITY: u16 = 0xf000;

/// The largest scale that a header can hold.
const MAX_SCALE: u16 = 0x3fff;

/// So many decimal digits decide which double is nearest: a further one matters only by not being 0.
const DECISIVE: usize = 800;

/// A numeric as the nearest double.
///
/// ```
/// use pg_protocol_native::binary::numeric::parse;
/// // 2 digits, weight 0, positive, scale 2: 1.1000
/// assert_eq!(parse(b"\0\x02\0\0\0\0\0\x02\0\x01\x03\xe8"), Some(1.1));
/// assert_eq!(parse(b"\0\x03\0\0\0\0\0\x02\0\x01\x03\xe8"), None);
/// ```
#[inline]
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<f64> {
    let (header, digits) = bytes.split_first_chunk::<8>()?;
    let [count, weight, sign, scale] = [0, 2, 4, 6].map(|at| u16::from_be_bytes([header[at], header[at + 1]]));
    let (digits, []) = digits.as_chunks::<2>() else { return None };
    if digits.len() != usize::from(count) || scale > MAX_SCALE {
        return None;
    }
    if digits.iter().any(|digit| u16::from_be_bytes(*digit) > 9999) {
        return None;
    }
    let value = match sign {
        0 | NEGATIVE => magnitude(digits, i32::from(weight as i16)),
        NAN => return Some(f64::NAN),
        INFINITY => return Some(f64::INFINITY),
        NEG_INFINITY => return Some(f64::NEG_INFINITY),
        _ => return None,
    };
    Some(if sign == NEGATIVE { -value } else { value })
}

/// Writes a numeric as the server prints it, exactly. `None` where [`parse`] gives none; then a part may have been written.
///
/// ```
/// use pg_protocol_native::binary::numeric::print;
/// let mut text = Vec::new();
/// print(b"\0\x02\0\0\x40\0\0\x02\0\x01\x03\xe8", &mut text).unwrap();
/// assert_eq!(text, b"-1.10");
/// ```
pub fn print(bytes: &[u8], out: &mut Vec<u8>) -> Option<()> {
    parse(bytes)?;
    let (header, digits) = bytes.split_first_chunk::<8>()?;
    let [weight, sign, scale] = [2, 4, 6].map(|at| u16::from_be_bytes([header[at], header[at + 1]]));
    let word = match sign {
        NAN => &b"NaN"[..],
        INFINITY => b"Infinity",
        NEG_INFINITY => b"-Infinity",
        NEGATIVE => b"-",
        _ => b"",
    };
    out.extend_from_slice(word);
    if word.len() > 1 {
        return Some(());
    }
    let weight = i64::from(weight as i16);
    // The group that counts 10000 to `power`; those that are not there are 0.
    let group = |power: i64| {
        let at = usize::try_from(weight - power).ok().and_then(|at| digits.get(2 * at..2 * at + 2));
        let mut rest = at.map_or(0, |group| u16::from_be_bytes([group[0], group[1]]));
        let mut text = [b'0'; 4];
        for byte in text.iter_mut().rev() {
            *byte = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        text
    };
    let whole = out.len();
    for power in (0..=weight).rev() {
        out.extend_from_slice(&group(power));
    }
    let zeros = out[whole..].iter().take_while(|byte| **byte == b'0').count();
    out.drain(whole..whole + zeros);
    if out.len() == whole {
        out.push(b'0');
    }
    if scale > 0 {
        out.push(b'.');
        let end = out.len() + usize::from(scale);
        for power in 1.. {
            if out.len() >= end {
                break;
            }
            out.extend_from_slice(&group(-power));
        }
        out.truncate(end);
    }
    Some(())
}

/// The value of digits of which the first one counts 10000 to `weight`.
#[inline]
fn magnitude(digits: &[[u8; 2]], weight: i32) -> f64 {
    // of four digits the integer fits into 64 bits with room to spare
    if digits.len() <= 4 {
        let integer = digits.iter().fold(0, |value, digit| value * 10_000 + u64::from(u16::from_be_bytes(*digit)));
        let exponent = weight + 1 - digits.len() as i32;
        if integer <= EXACT
            && let Some(power) = POWERS.get(exponent.unsigned_abs() as usize)
        {
            let integer = integer as f64;
            return if exponent < 0 { integer / power } else { integer * power };
        }
    }
    by_text(digits, weight)
}

#[cold]
fn by_text(digits: &[[u8; 2]], weight: i32) -> f64 {
    let mut text = [b'0'; DECISIVE + 16];
    let taken = digits.len().min(DECISIVE / 4);
    for (group, place) in digits.iter().zip(text.chunks_exact_mut(4)).take(taken) {
        let mut rest = u16::from_be_bytes(*group);
        for byte in place.iter_mut().rev() {
            *byte = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
    }
    let mut at = taken * 4;
    let mut exponent = (weight + 1 - taken as i32) * 4;
    if digits[taken..].iter().any(|group| *group != [0, 0]) {
        text[at] = b'1';
        at += 1;
        exponent -= 1;
    }
    at = at.max(1);
    text[at] = b'e';
    at += 1;
    let mut out = [0; super::int::INT8_CHARS];
    let exponent = super::int::decimal(i64::from(exponent), &mut out);
    text[at..at + exponent.len()].copy_from_slice(exponent);
    let text = &text[..at + exponent.len()];
    str::from_utf8(text).ok().and_then(|text| text.parse().ok()).unwrap_or(f64::NAN)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::values::{numeric, stock_numeric};
    use proptest::prelude::*;

    fn wire(digits: &[u16], weight: i16, sign: u16, scale: u16) -> Vec<u8> {
        let header = [digits.len() as u16, weight as u16, sign, scale];
        header.iter().chain(digits).flat_map(|word| word.to_be_bytes()).collect()
    }

    fn value(digits: &[u16], weight: i16, sign: u16) -> f64 {
        parse(&wire(digits, weight, sign, 0)).unwrap()
    }

    fn same(a: f64, b: f64) -> bool {
        a.to_bits() == b.to_bits()
    }

    #[test]
    fn values_that_are_hard_to_round() {
        assert_eq!(value(&[], 0, 0), 0.0);
        assert_eq!(value(&[12, 3456], 0, NEGATIVE), -12.3456);
        assert_eq!(value(&[1], -2, 0), 1e-8);
        assert_eq!(value(&[1234, 5678, 9012, 3456, 7890, 1234, 5678, 9000], 4, 0), 12345678901234567890.123456789);
        // 9007199254740993, half way between two doubles, and decided far behind
        assert_eq!(value(&[9007, 1992, 5474, 993], 3, 0), 9007199254740992.0);
        let mut digits = vec![9007, 1992, 5474, 993];
        digits.resize(300, 0);
        digits.push(1);
        assert_eq!(value(&digits, 3, 0), 9007199254740994.0);
        *digits.last_mut().unwrap() = 0;
        assert_eq!(value(&digits, 3, 0), 9007199254740992.0);
        assert_eq!(value(&[1], 77, 0), 1e308);
        assert_eq!(value(&[9999], 32767, 0), f64::INFINITY);
        assert_eq!(value(&[9999], -32768, 0), 0.0);
        assert_eq!(value(&vec![9999; 65535], 32767, NEGATIVE), f64::NEG_INFINITY);
        assert_eq!(value(&vec![0; 65535], 0, 0), 0.0);
        assert!(value(&[], 0, NAN).is_nan());
        assert_eq!(value(&[], 0, INFINITY), f64::INFINITY);
        assert_eq!(value(&[], 0, NEG_INFINITY), f64::NEG_INFINITY);
    }

    #[test]
    fn f48_more_or_fewer_digits_than_announced_are_refused() {
        let good = wire(&[1, 2345], 0, 0, 4);
        assert!(parse(&good).is_some());
        for size in 0..good.len() {
            assert_eq!(parse(&good[..size]), None);
        }
        assert_eq!(parse(&[&good[..], &[0]].concat()), None);
        assert_eq!(parse(&[&good[..], &[0, 1]].concat()), None);
        assert_eq!(parse(&wire(&[10_000], 0, 0, 0)), None);
        assert_eq!(parse(&wire(&[0xffff], 0, 0, 0)), None);
        assert_eq!(parse(&wire(&[1], 0, 0x8000, 0)), None);
        assert_eq!(parse(&wire(&[1], 0, 1, 0)), None);
        assert_eq!(parse(&wire(&[1], 0, 0, 0x4000)), None);
        assert_eq!(parse(b"\xff\xff\0\0\0\0\0\0"), None);
    }

    fn printed(digits: &[u16], weight: i16, sign: u16, scale: u16) -> String {
        let mut out = Vec::new();
        print(&wire(digits, weight, sign, scale), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn numerics_are_printed_as_the_server_prints_them() {
        assert_eq!(printed(&[], 0, 0, 0), "0");
        assert_eq!(printed(&[], 0, 0, 3), "0.000");
        assert_eq!(printed(&[1], 2, 0, 0), "100000000");
        assert_eq!(printed(&[12, 3456], 0, NEGATIVE, 4), "-12.3456");
        assert_eq!(printed(&[12, 3400], 0, 0, 2), "12.34");
        assert_eq!(printed(&[1], -2, 0, 8), "0.00000001");
        assert_eq!(printed(&[5000], -1, 0, 1), "0.5");
        assert_eq!(printed(&[1], 0, 0, 6), "1.000000");
        assert_eq!(printed(&[], 0, NAN, 0), "NaN");
        assert_eq!(printed(&[], 0, INFINITY, 0), "Infinity");
        assert_eq!(printed(&[], 0, NEG_INFINITY, 0), "-Infinity");
        assert_eq!(print(&wire(&[10_000], 0, 0, 0), &mut Vec::new()), None);
        assert_eq!(print(b"", &mut Vec::new()), None);
    }

    proptest! {
        #[test]
        fn a_number_is_printed_digit_by_digit(
            integer in prop_oneof![Just(0), any::<u64>(), 0..100_000_u64].prop_map(u128::from), scale in 0..18_u32, negative: bool
        ) {
            let text = format!("{integer:0width$}", width = scale as usize + 1);
            let (whole, fraction) = text.split_at(text.len() - scale as usize);
            let expected = if scale == 0 { whole.to_owned() } else { format!("{whole}.{fraction}") };
            // groups of four digits on both sides of the point
            let padded = format!("{whole:0>24}{fraction:0<20}");
            let mut digits: Vec<u16> = padded.as_bytes().chunks(4).map(|group| std::str::from_utf8(group).unwrap().parse().unwrap()).collect();
            let mut weight = 5;
            while digits.first() == Some(&0) {
                digits.remove(0);
                weight -= 1;
            }
            while digits.last() == Some(&0) {
                digits.pop();
            }
            let sign = if negative && integer > 0 { NEGATIVE } else { 0 };
            let minus = if sign == 0 { "" } else { "-" };
            prop_assert_eq!(printed(&digits, weight, sign, scale as u16), format!("{minus}{expected}"));
        }

        #[test]
        fn each_value_is_that_of_its_decimal_text(
            digits in prop::collection::vec(0..10_000_u16, 0..12), weight in prop_oneof![-8..8_i16, any::<i16>()], negative: bool
        ) {
            let sign = if negative { NEGATIVE } else { 0 };
            prop_assert!(same(value(&digits, weight, sign), numeric(&digits, weight, negative)));
        }

        /// `numeric_send` strips zero digits at both ends, and so does this.
        #[test]
        fn fifteen_digits_are_what_stock_makes_of_them(integer in 1..1_000_000_000_000_000_u64, scale in 0..15_u32, negative: bool) {
            let groups = scale.div_ceil(4);
            let mut rest = u128::from(integer) * 10_u128.pow(groups * 4 - scale);
            let mut digits = Vec::new();
            while rest > 0 {
                digits.insert(0, (rest % 10_000) as u16);
                rest /= 10_000;
            }
            let weight = digits.len() as i16 - 1 - groups as i16;
            // below 1 stock takes the weight for a large one
            prop_assume!(weight >= 0);
            let sign = if negative { NEGATIVE } else { 0 };
            let expected = stock_numeric(&digits, weight, negative, scale);
            prop_assert!(same(parse(&wire(&digits, weight, sign, scale as u16)).unwrap(), expected));
        }
    }
}
