//! Integers in text format, as `parseInt(text, 10)` reads them.

/// The integer that `text` spells; `None` where JavaScript is to look at the text itself: whatever is not a
/// plain `-?[0-9]{1,10}` within an `i32`, and `-0`, which `parseInt` keeps apart from 0.
///
/// ```
/// use pg_protocol_native::text::int::parse;
/// assert_eq!(parse(b"-2147483648"), Some(i32::MIN));
/// assert_eq!(parse(b"2147483648"), None);
/// assert_eq!(parse(b"5abc"), None);
/// ```
#[inline]
#[must_use]
pub fn parse(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    if !(1..=10).contains(&digits.len()) {
        return None;
    }
    let mut value = 0_u64;
    let mut worst = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        worst = worst.max(digit);
        value = value * 10 + u64::from(digit);
    }
    if worst > 9 {
        return None;
    }
    let value = if negative { -(value as i64) } else { value as i64 };
    if negative && value == 0 {
        return None;
    }
    i32::try_from(value).ok()
}

/// The unsigned integer that `text` spells, as a double; `None` as for [`parse`].
///
/// ```
/// assert_eq!(pg_protocol_native::text::int::parse_oid(b"4294967295"), Some(4294967295.0));
/// assert_eq!(pg_protocol_native::text::int::parse_oid(b"4294967296"), None);
/// ```
#[inline]
#[must_use]
pub fn parse_oid(text: &[u8]) -> Option<f64> {
    if let Some(small) = parse(text) {
        return Some(f64::from(small));
    }
    let digits = text.iter().all(u8::is_ascii_digit).then(|| std::str::from_utf8(text).ok()).flatten()?;
    digits.parse::<u32>().ok().map(f64::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::values::parse_int;
    use proptest::prelude::*;

    /// Plain decimal integers, which must not be left to JavaScript.
    fn is_plain(text: &str) -> bool {
        text.parse::<i32>().is_ok_and(|value| value != 0 || !text.starts_with('-'))
            && !text.starts_with('+')
            && text.len() <= 10
    }

    fn agrees(text: &str) {
        let value = parse(text.as_bytes());
        if let Some(value) = value {
            assert_eq!(f64::from(value).to_bits(), parse_int(text).to_bits(), "{text:?}");
        }
        assert!(value.is_some() || !is_plain(text), "{text:?}");
    }

    #[test]
    fn the_borders_are_those_of_an_int32() {
        assert_eq!(parse(b"0"), Some(0));
        assert_eq!(parse(b"2147483647"), Some(i32::MAX));
        assert_eq!(parse(b"-2147483648"), Some(i32::MIN));
        assert_eq!(parse(b"0000000007"), Some(7));
        for text in [&b"2147483648"[..], b"-2147483649", b"4294967295", b"9999999999", b"-9999999999"] {
            assert_eq!(parse(text), None);
        }
    }

    #[test]
    fn f39_what_parse_int_reads_in_its_own_way_is_left_to_it() {
        for text in [
            "",
            "-",
            "-0",
            "-00",
            "+5",
            " 5",
            "5 ",
            "5abc",
            "1e3",
            "0x10",
            "1.5",
            "--1",
            "5\0",
            "00000000007",
            "\u{ff15}",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text:?}");
        }
        for digit in [b'0' - 1, b'9' + 1] {
            assert_eq!(parse(&[b'1', digit, b'1']), None);
        }
    }

    proptest! {
        #[test]
        fn every_int32_is_read(value: i32) {
            prop_assert_eq!(parse(value.to_string().as_bytes()), Some(value));
        }

        #[test]
        fn wide_integers_agree_with_parse_int(value in -99_999_999_999_i64..99_999_999_999) {
            agrees(&value.to_string());
        }

        #[test]
        fn near_integers_agree_with_parse_int(text in "[-+ ]?[0-9]{0,11}[-+ .ex0]?[0-9]?") {
            agrees(&text);
        }

        #[test]
        fn any_text_agrees_with_parse_int(text in "\\PC{0,12}") {
            agrees(&text);
        }
    }
}
