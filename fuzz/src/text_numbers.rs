//! Integers, OIDs, floating-point numbers and booleans in text format, against what ECMA-262 says of `parseInt` and
//! `parseFloat` ([`naive::values`]) and the words of `pg-types`.
//!
//! Input: the text.

use pg_protocol_native::{
    naive::values::{parse_float, parse_int},
    text::{boolean, float, int},
};

use super::same;

pub fn check(bytes: &[u8]) {
    let words = ["t", "true", "TRUE", "y", "yes", "on", "1"];
    assert_eq!(boolean::parse(bytes), words.iter().any(|word| word.as_bytes() == bytes));

    let numbers = (int::parse(bytes).map(f64::from), int::parse_oid(bytes), float::parse(bytes));
    let Ok(text) = std::str::from_utf8(bytes) else {
        assert_eq!(numbers, (None, None, None));
        return;
    };
    let (integer, oid, number) = numbers;
    assert!(integer.is_none() || same(integer, Some(parse_int(text))), "{text:?}: {integer:?}");
    assert!(oid.is_none() || same(oid, Some(parse_int(text))), "{text:?}: {oid:?}");
    assert!(number.is_none() || same(number, Some(parse_float(text))), "{text:?}: {number:?}");
    // What the server prints must not be left to JavaScript, which would be right and slow.
    assert!(integer.is_some() || !is_integer(text), "{text:?} was left");
    assert!(
        oid.is_some() || text.parse::<u32>().is_err() || text.starts_with('+') || text.len() > 10,
        "{text:?} was left"
    );
    assert!(number.is_some() || !is_number(text), "{text:?} was left");
}

pub fn is_integer(text: &str) -> bool {
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    text.parse::<i32>().is_ok_and(|value| value != 0 || unsigned == text) && !text.starts_with('+') && text.len() <= 10
}

/// As PostgreSQL prints `float4`, `float8` and `numeric`.
pub fn is_number(text: &str) -> bool {
    if matches!(text, "NaN" | "Infinity" | "-Infinity") {
        return true;
    }
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let (number, exponent) = text.split_once('e').unwrap_or((text, "0"));
    let number = number.strip_prefix('-').unwrap_or(number);
    let (whole, fraction) = number.split_once('.').unwrap_or((number, "0"));
    let exponent = exponent.strip_prefix(['-', '+']).unwrap_or(exponent);
    digits(whole) && digits(fraction) && digits(exponent) && exponent.len() <= 3
}
