//! Numerics in binary format, against the double of their decimal text ([`naive::values::numeric`](numeric)).
//!
//! Input: the bytes of the cell.

use pg_protocol_native::{binary::numeric::parse, naive::values::numeric};

use super::same;

pub fn check(bytes: &[u8]) {
    let found = parse(bytes);
    assert!(same(found, expected(bytes)), "{}: {found:?}", bytes.escape_ascii());
}

pub fn expected(bytes: &[u8]) -> Option<f64> {
    let (words, []) = bytes.as_chunks::<2>() else { return None };
    let words: Vec<u16> = words.iter().map(|word| u16::from_be_bytes(*word)).collect();
    let [count, weight, sign, scale, digits @ ..] = &words[..] else { return None };
    if digits.len() != usize::from(*count) || *scale >= 0x4000 || digits.iter().any(|&digit| digit >= 10_000) {
        return None;
    }
    match sign {
        0x0000 => Some(numeric(digits, *weight as i16, false)),
        0x4000 => Some(numeric(digits, *weight as i16, true)),
        0xc000 => Some(f64::NAN),
        0xd000 => Some(f64::INFINITY),
        0xf000 => Some(f64::NEG_INFINITY),
        _ => None,
    }
}
