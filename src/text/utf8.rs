//! UTF-8, malformed input included, exactly as `buffer.toString('utf8')` reads it: each maximal part
//! of an ill-formed sequence becomes one U+FFFD (Unicode Standard, section 3.9), a byte order mark stays.

use std::borrow::Cow;

/// What a cell's bytes are, as far as the choice of a string goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Text<'a> {
    /// Bytes below 0x80 only.
    Ascii(&'a [u8]),
    /// Characters up to U+00FF only: one byte each in a string of V8.
    Latin1(&'a str),
    /// Anything else; owned where something had to be replaced.
    Wide(Cow<'a, str>),
}

/// Sorts a cell's bytes.
///
/// ```
/// use pg_protocol_native::text::utf8::{Text, classify};
/// assert_eq!(classify(b"abc"), Text::Ascii(b"abc"));
/// assert_eq!(classify("é".as_bytes()), Text::Latin1("é"));
/// assert_eq!(classify("漢".as_bytes()), Text::Wide("漢".into()));
/// assert_eq!(classify(b"a\xff"), Text::Wide("a\u{fffd}".into()));
/// ```
#[must_use]
pub fn classify(bytes: &[u8]) -> Text<'_> {
    if bytes.is_ascii() {
        return Text::Ascii(bytes);
    }
    match simdutf8::basic::from_utf8(bytes) {
        // In UTF-8 the characters up to U+00FF are those whose first byte is at most 0xc3.
        Ok(text) if bytes.iter().all(|&byte| byte <= 0xc3) => Text::Latin1(text),
        Ok(text) => Text::Wide(Cow::Borrowed(text)),
        Err(_) => Text::Wide(String::from_utf8_lossy(bytes)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use proptest::prelude::*;

    fn text_of(bytes: &[u8]) -> String {
        match classify(bytes) {
            Text::Ascii(bytes) => bytes.iter().map(|&byte| char::from(byte)).collect(),
            Text::Latin1(text) => {
                assert!(text.chars().all(|c| c <= '\u{ff}'));
                assert!(!text.is_ascii());
                text.to_owned()
            }
            Text::Wide(text) => {
                assert!(text.chars().any(|c| c > '\u{ff}'));
                text.into_owned()
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode_as_the_naive_decoder_does(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(text_of(&bytes), naive::utf8(&bytes));
        }

        #[test]
        fn text_cut_and_damaged_decodes_as_the_naive_decoder_does(text in "\\PC{0,20}", cut in 0usize..40, at in 0usize..40, byte: u8) {
            let mut bytes = text.into_bytes();
            bytes.truncate(cut);
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            prop_assert_eq!(text_of(&bytes), naive::utf8(&bytes));
        }
    }
}
