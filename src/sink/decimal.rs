//! An int8 in text format.

/// The integer that `text` spells in the one way in which it is printed: no sign but a minus, no zeros in front. `None` for
/// all else, so that the integer's own text is always the one that was read.
#[inline]
pub(super) fn parse(text: &[u8]) -> Option<i64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    // 19 digits are below 2^64
    if !(1..=19).contains(&digits.len()) || digits[0] == b'0' && text.len() > 1 {
        return None;
    }
    let mut value = 0_u64;
    let mut worst = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        worst = worst.max(digit);
        value = value.wrapping_mul(10).wrapping_add(u64::from(digit));
    }
    if worst > 9 || value > i64::MAX as u64 + u64::from(negative) {
        return None;
    }
    Some(if negative { (value as i64).wrapping_neg() } else { value as i64 })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// By way of the standard library and back.
    fn naive(text: &[u8]) -> Option<i64> {
        let text = std::str::from_utf8(text).ok()?;
        text.parse::<i64>().ok().filter(|value| value.to_string() == text)
    }

    #[test]
    fn f37_the_borders_are_those_of_an_int64() {
        for text in [
            "0",
            "-0",
            "00",
            "-",
            "",
            "+1",
            "01",
            "-01",
            "9007199254740993",
            "9223372036854775807",
            "9223372036854775808",
            "-9223372036854775808",
            "-9223372036854775809",
            "9999999999999999999",
            "-9999999999999999999",
            "18446744073709551616",
            "10000000000000000000",
            "1 ",
            "1e3",
        ] {
            assert_eq!(parse(text.as_bytes()), naive(text.as_bytes()), "{text}");
        }
    }

    proptest! {
        #[test]
        fn f37_each_integer_is_read_as_it_is_printed(value in prop_oneof![any::<i64>(), -1000..1000_i64]) {
            prop_assert_eq!(parse(value.to_string().as_bytes()), Some(value));
        }

        #[test]
        fn nothing_else_is(text in "-?[0-9]{0,21}|[-+0-9e. ]{0,6}") {
            prop_assert_eq!(parse(text.as_bytes()), naive(text.as_bytes()));
        }
    }
}
