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

    proptest! {
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
