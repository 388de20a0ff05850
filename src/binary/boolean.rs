//! Booleans in binary format.

/// A bool: one byte, 0 or 1.
///
/// ```
/// use pg_protocol_native::binary::boolean::parse;
/// assert_eq!(parse(b"\x01"), Some(true));
/// assert_eq!(parse(b"t"), None);
/// ```
#[inline]
#[must_use]
pub fn parse(bytes: &[u8]) -> Option<bool> {
    match bytes {
        [0] => Some(false),
        [1] => Some(true),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn f48_only_0_and_1_are_booleans() {
        for byte in 0..=u8::MAX {
            let expected = if byte == 0 { Some(false) } else { Some(true).filter(|_| byte == 1) };
            assert_eq!(parse(&[byte]), expected);
        }
        for bytes in [&b""[..], b"\0\0", b"\0\x01", b"\x01\0"] {
            assert_eq!(parse(bytes), None);
        }
    }
}
