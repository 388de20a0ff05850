//! Booleans in text format.

/// Whether `text` is one of the words that `pg-types` takes for true; whatever else it is, it is false.
///
/// ```
/// use pg_protocol_native::text::boolean::parse;
/// assert!(parse(b"t") && parse(b"TRUE"));
/// assert!(!parse(b"f") && !parse(b"T"));
/// ```
#[inline]
#[must_use]
pub fn parse(text: &[u8]) -> bool {
    // the one that PostgreSQL sends, before the words that only other servers do
    text == b"t" || text != b"f" && matches!(text, b"true" | b"TRUE" | b"y" | b"yes" | b"on" | b"1")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f39_seven_words_are_true() {
        for text in ["t", "true", "TRUE", "y", "yes", "on", "1"] {
            assert!(parse(text.as_bytes()), "{text}");
        }
    }

    #[test]
    fn everything_else_is_false() {
        for text in [
            &b""[..],
            b"f",
            b"T",
            b"True",
            b"false",
            b"Y",
            b"ON",
            b"0",
            b"2",
            b"tt",
            b" t",
            b"t ",
            b"t\0",
            b"\xff",
            b"t\xff",
        ] {
            assert!(!parse(text), "{text:?}");
        }
        for byte in 0..=u8::MAX {
            assert_eq!(parse(&[byte]), matches!(byte, b't' | b'y' | b'1'));
        }
    }
}
