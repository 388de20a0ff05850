//! Floating-point numbers in text format, as `parseFloat(text)` reads them.
//!
//! The simple version hands the text to `str::parse::<f64>`, which rounds as JavaScript does but reads words
//! that JavaScript does not (`inf`, `+1`, `NAN`) and refuses what JavaScript cuts off (`1.5 m`). So the
//! syntax is checked here, and while it is, the digits are gathered: a short decimal is then a
//! product or a quotient of two exact doubles, rounded once. Only a long one goes to `str::parse`.

/// The largest integer up to which each one is a double.
const EXACT: u64 = 1 << 53;

/// The powers of ten that are doubles.
const POWERS: [f64; 23] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
];

/// The number that `text` spells, as PostgreSQL prints it for `float4`, `float8` and `numeric`;
/// `None` where JavaScript is to look at the text itself.
///
/// ```
/// use pg_protocol_native::text::float::parse;
/// assert_eq!(parse(b"-1.5e-07"), Some(-1.5e-7));
/// assert_eq!(parse(b"-Infinity"), Some(f64::NEG_INFINITY));
/// assert_eq!(parse(b"inf"), None);
/// assert_eq!(parse(b"1.5 m"), None);
/// ```
#[inline]
#[must_use]
pub fn parse(text: &[u8]) -> Option<f64> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        digits => (false, digits),
    };
    let mut number = Decimal { mantissa: 0, digits: 0 };
    let whole = number.take(digits);
    if whole == 0 {
        return word(text);
    }
    let mut rest = &digits[whole..];
    let mut exponent = 0;
    if let [b'.', fraction @ ..] = rest {
        let length = number.take(fraction);
        if length == 0 {
            return None;
        }
        exponent = -i32::try_from(length).ok()?;
        rest = &fraction[length..];
    }
    if let [b'e' | b'E', power @ ..] = rest {
        exponent = exponent.checked_add(exponent_of(power)?)?;
    } else if !rest.is_empty() {
        return None;
    }
    number.exact(exponent).map_or_else(|| long(text), |value| Some(if negative { -value } else { value }))
}

/// What is seen of a decimal number while its syntax is checked.
struct Decimal {
    /// All digits as one integer; wraps around where there are more than 19.
    mantissa: u64,
    digits: usize,
}

impl Decimal {
    /// Takes the digits at the beginning of `text`; gives how many these are.
    #[inline]
    fn take(&mut self, text: &[u8]) -> usize {
        let mut length = 0;
        for &byte in text {
            let digit = byte.wrapping_sub(b'0');
            if digit > 9 {
                break;
            }
            self.mantissa = self.mantissa.wrapping_mul(10).wrapping_add(u64::from(digit));
            length += 1;
        }
        self.digits += length;
        length
    }

    /// The number times ten to `exponent`, where both factors are doubles and IEEE 754 thus rounds the one
    /// operation between them as it should.
    #[inline]
    fn exact(&self, exponent: i32) -> Option<f64> {
        if self.digits > 19 || self.mantissa > EXACT {
            return None;
        }
        let power = *POWERS.get(exponent.unsigned_abs() as usize)?;
        let mantissa = self.mantissa as f64;
        Some(if exponent < 0 { mantissa / power } else { mantissa * power })
    }
}

/// A decimal exponent of up to four digits: no `float8` has more.
#[inline]
fn exponent_of(text: &[u8]) -> Option<i32> {
    let (negative, digits) = match text {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if !(1..=4).contains(&digits.len()) {
        return None;
    }
    let mut value = 0;
    for &byte in digits {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        value = value * 10 + i32::from(digit);
    }
    Some(if negative { -value } else { value })
}

#[cold]
fn word(text: &[u8]) -> Option<f64> {
    match text {
        b"NaN" => Some(f64::NAN),
        b"Infinity" => Some(f64::INFINITY),
        b"-Infinity" => Some(f64::NEG_INFINITY),
        _ => None,
    }
}

fn long(text: &[u8]) -> Option<f64> {
    std::str::from_utf8(text).ok()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive::values::parse_float;
    use proptest::prelude::*;

    fn same(text: &str) {
        let value = parse(text.as_bytes()).unwrap_or_else(|| panic!("{text:?} was left to JavaScript"));
        assert_eq!(value.to_bits(), parse_float(text).to_bits(), "{text:?}");
    }

    fn agrees(text: &str) {
        if let Some(value) = parse(text.as_bytes()) {
            assert_eq!(value.to_bits(), parse_float(text).to_bits(), "{text:?}");
        }
    }

    #[test]
    fn numbers_that_are_hard_to_round() {
        for text in [
            "0",
            "-0",
            "-0.0",
            "0.1",
            "1e+20",
            "1e-07",
            "1E5",
            "9007199254740992",
            "9007199254740993",
            "9007199254740993.0",
            "9007199254740992.5",
            "9007199254740993e22",
            "123456789012345678901234567890",
            "18446744073709551616",
            "18446744073709551617",
            "1e22",
            "1e23",
            "1e-22",
            "1e-23",
            "8.5e22",
            "5e-324",
            "4.9406564584124654e-324",
            "2.4703282292062327e-324",
            "2.4703282292062328e-324",
            "2.2250738585072011e-308",
            "2.2250738585072014e-308",
            "1.7976931348623157e+308",
            "1.7976931348623159e+308",
            "1e9999",
            "1e-9999",
            "0e9999",
            "3.4028235e+38",
            "1.17549435e-38",
            "0.3000000000000000166533453694",
            "6929495644600919.5",
            "7.0386557",
        ] {
            same(text);
        }
        same(&format!("1.{}1", "0".repeat(800)));
        same(&format!("{}.5e-300", "9".repeat(400)));
        // half way between two doubles, and a digit far behind that decides
        same(&format!("9007199254740993.{}1", "0".repeat(800)));
        same(&format!("0.{}", "0".repeat(400)));
    }

    #[test]
    fn words_are_those_that_javascript_reads() {
        assert!(parse(b"NaN").unwrap().is_nan());
        assert_eq!(parse(b"Infinity"), Some(f64::INFINITY));
        assert_eq!(parse(b"-Infinity"), Some(f64::NEG_INFINITY));
        for text in ["inf", "-inf", "nan", "-NaN", "infinity", "INFINITY", "+Infinity", "InfinityX", "NaN "] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn what_parse_float_reads_in_its_own_way_is_left_to_it() {
        for text in [
            "", "-", ".", "+1", " 1", "1 ", ".5", "5.", "-.5", "1.5 m", "1e", "1e+", "1e5x", "0x10", "1_000", "1.2.3",
            "1,5", "--1", "1e12345", "1\0",
        ] {
            assert_eq!(parse(text.as_bytes()), None, "{text:?}");
        }
        assert_eq!(parse(b"1.5\xff"), None);
    }

    proptest! {
        #[test]
        fn every_double_is_read_back(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            for text in [format!("{value}"), format!("{value:e}"), format!("{value:.3}"), format!("{value:.17e}")] {
                same(&text);
            }
        }

        #[test]
        fn every_short_double_is_read_back(bits: u32) {
            let value = f32::from_bits(bits);
            prop_assume!(value.is_finite());
            same(&format!("{value}"));
            same(&format!("{value:e}"));
        }

        #[test]
        fn decimals_agree_with_parse_float(text in "-?[0-9]{1,20}\\.[0-9]{1,20}([eE][-+]?[0-9]{1,3})?") {
            same(&text);
        }

        #[test]
        fn near_numbers_agree_with_parse_float(text in "[-+ ]?[0-9]{0,3}[.e]?[0-9]{0,3}[-+. eE]?[0-9]{0,2}x?") {
            agrees(&text);
        }

        #[test]
        fn any_text_agrees_with_parse_float(text in "\\PC{0,12}") {
            agrees(&text);
        }
    }
}
