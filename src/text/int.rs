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
    let mut block = [0; 16];
    block.get_mut(..text.len())?.copy_from_slice(text);
    parse_block(u128::from_le_bytes(block), text.len())
}

/// [`parse`] for the first `length` bytes of a block, the first one being the lowest byte of `block`.
///
/// The simple version, a loop over the digits, ends at a place that cannot be guessed, which costs more than all of
/// this: the text is moved so that its last digit is the block's last byte, with zeros before it, and all sixteen
/// digits are read at once.
///
/// ```
/// use pg_protocol_native::text::int::parse_block;
/// assert_eq!(parse_block(u128::from_le_bytes(*b"-42, and no more"), 3), Some(-42));
/// ```
#[inline]
#[must_use]
pub fn parse_block(block: u128, length: usize) -> Option<i32> {
    let negative = block as u8 == b'-';
    let digits = length.wrapping_sub(usize::from(negative));
    if !(1..=10).contains(&digits) {
        return None;
    }
    let text = block >> (8 * u32::from(negative));
    let digits = (text ^ u128::from_le_bytes([b'0'; 16])) << ((8 * (16 - digits)) & 127);
    // What is no digit is above 9 now, which adding 0x76 shows in the top bit unless it is set already.
    let wrong = (digits.wrapping_add(u128::from_le_bytes([0x76; 16])) | digits) & u128::from_le_bytes([0x80; 16]) != 0;
    let value = eight_digits(digits as u64).wrapping_mul(100_000_000) + eight_digits((digits >> 64) as u64);
    // Minus a number is its complement and one more: which sign it has cannot be guessed either.
    let sign = -i64::from(negative);
    let value = (value as i64 ^ sign) - sign;
    // `-0` is for JavaScript.
    if wrong | (negative & (value == 0)) | (value != i64::from(value as i32)) {
        return None;
    }
    Some(value as i32)
}

/// The number that eight digits make, one in each byte, the first one in the lowest.
#[inline]
fn eight_digits(digits: u64) -> u64 {
    let pairs = digits.wrapping_mul(10).wrapping_add(digits >> 8);
    // The upper halves of the products gather the pairs by their weights; what overflows is not part of them.
    let even = (pairs & 0xff_0000_00ff).wrapping_mul(100 + (1_000_000 << 32));
    let odd = (pairs >> 16 & 0xff_0000_00ff).wrapping_mul(1 + (10_000 << 32));
    even.wrapping_add(odd) >> 32
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
