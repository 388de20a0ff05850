//! UTF-8, malformed input included, exactly as `buffer.toString('utf8')` reads it: each maximal part
//! of an ill-formed sequence becomes one U+FFFD (Unicode Standard, section 3.9), a byte order mark stays.

use std::borrow::Cow;

/// The most bytes of a cell that [`decode`] takes.
pub const DECODE_BYTES: usize = 64;

/// UTF-8 to UTF-16 code units, as far as it is well formed: the twin for the rest is
/// [`decode_lossy`], and for both [`crate::naive::utf8`].
///
/// Made for cells, most of which are short. The simple version, `str::from_utf8` and `encode_utf16`, walks
/// twice, and asks at each character how long it is, which cannot be guessed where scripts are mixed. Here four bytes
/// are read at once whatever the length, tables say what of them counts, and what is wrong is gathered (with `|`,
/// which does not branch) and looked at once, in the end.
///
/// Gives the number of units written and all of them ORed together, which tells whether they fit into one
/// byte each; `None` where the bytes are malformed or more than [`DECODE_BYTES`].
///
/// ```
/// use pg_protocol_native::text::utf8::{DECODE_BYTES, decode};
/// let mut out = [0; DECODE_BYTES];
/// let (length, all) = decode("aé漢".as_bytes(), &mut out).unwrap();
/// assert_eq!(out[..length], [0x61, 0xe9, 0x6f22]);
/// assert!(all > 0xff);
/// assert_eq!(decode(b"a\xff", &mut out), None);
/// ```
#[inline]
pub fn decode(bytes: &[u8], out: &mut [u16; DECODE_BYTES]) -> Option<(usize, u16)> {
    if bytes.len() > DECODE_BYTES {
        return None;
    }
    let mut padded = [0; DECODE_BYTES + 4];
    padded[..bytes.len()].copy_from_slice(bytes);
    let mut at = 0;
    let mut length = 0;
    let mut all = 0;
    let mut wrong = false;
    while at < bytes.len() {
        let four = padded[at..].first_chunk().map_or(0, |four| u32::from_be_bytes(*four));
        let sequence = &SEQUENCES[(four >> 27) as usize];
        let code = ((four & sequence.lead) >> 6 | (four & 0x3f_0000) >> 4 | (four & 0x3f00) >> 2 | four & 0x3f)
            >> sequence.unused;
        wrong |= (four & sequence.tail_marks != sequence.tails) | (code < sequence.least) | (code >> 11 == 0x1b);
        let astral = code > 0xffff;
        let unit = if astral { 0xd7c0 + (code >> 10) } else { code } as u16;
        // A unit that may not count comes first: the last place is that of the one that does.
        out[(length + 1).min(DECODE_BYTES - 1)] = 0xdc00 | code as u16 & 0x3ff;
        out[length % DECODE_BYTES] = unit;
        all |= unit;
        length += 1 + usize::from(astral);
        wrong |= code > 0x10_ffff;
        at += sequence.length;
    }
    // A sequence that was cut off ends behind the bytes.
    (!wrong && at == bytes.len()).then_some((length, all))
}

/// What the first byte of a sequence, of which five bits tell, says of it and the three bytes behind it.
struct Sequence {
    length: usize,
    /// The bits of the first byte that count.
    lead: u32,
    /// How many bits of the four bytes do not count.
    unused: u32,
    /// The bits by which the bytes that follow are known.
    tail_marks: u32,
    tails: u32,
    /// The least code that needs so many bytes; none for a byte that is no first one.
    least: u32,
}

const SEQUENCES: [Sequence; 32] = {
    const fn sequence(length: usize, lead: u32, least: u32) -> Sequence {
        let unused = 6 * (4 - length as u32);
        let behind = 0xff_ffff_u32 ^ (0xff_ffff_u32 >> (8 * (length as u32 - 1)));
        Sequence { length, lead, unused, tail_marks: 0xc0_c0c0 & behind, tails: 0x80_8080 & behind, least }
    }
    let mut sequences = [const { sequence(1, 0, u32::MAX) }; 32];
    let mut first = 0;
    while first < 32 {
        sequences[first] = match first {
            0..16 => sequence(1, 0x7f00_0000, 0),
            0b11000..0b11100 => sequence(2, 0x1f00_0000, 0x80),
            0b11100..0b11110 => sequence(3, 0x0f00_0000, 0x800),
            0b11110 => sequence(4, 0x0700_0000, 0x1_0000),
            _ => sequence(1, 0, u32::MAX),
        };
        first += 1;
    }
    sequences
};

/// UTF-8 of any kind to UTF-16 code units; as [`decode`] otherwise.
///
/// # Panics
/// If `out` is shorter than `bytes`.
pub fn decode_lossy(bytes: &[u8], out: &mut [u16]) -> (usize, u16) {
    // Never more units than bytes: U+FFFD is one, and stands for one byte at least.
    let mut length = 0;
    let mut all = 0;
    let text = match simdutf8::basic::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => String::from_utf8_lossy(bytes),
    };
    for (place, unit) in out[..bytes.len()].iter_mut().zip(text.encode_utf16()) {
        *place = unit;
        all |= unit;
        length += 1;
    }
    (length, all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use proptest::prelude::*;

    fn text_of(bytes: &[u8]) -> String {
        let mut out = [0; DECODE_BYTES];
        let decoded = decode(bytes, &mut out);
        assert_eq!(decoded.is_some(), bytes.len() <= DECODE_BYTES && std::str::from_utf8(bytes).is_ok());
        let mut units = vec![0; bytes.len()];
        let (length, all) = decode_lossy(bytes, &mut units);
        units.truncate(length);
        if let Some(decoded) = decoded {
            assert_eq!((&out[..decoded.0], decoded.1 > 0xff), (&units[..], all > 0xff));
        }
        assert_eq!(all > 0xff, units.iter().any(|&unit| unit > 0xff));
        String::from_utf16(&units).expect("no lone surrogates")
    }

    #[test]
    fn the_borders_of_each_length_are_where_unicode_has_them() {
        for code in [0, 0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfeff, 0xffff, 0x1_0000, 0x10_ffff] {
            let text = char::from_u32(code).unwrap().to_string();
            assert_eq!(text_of(text.as_bytes()), text);
        }
        for bytes in [
            &b"\xc0\x80"[..],
            b"\xc1\xbf",
            b"\xe0\x9f\xbf",
            b"\xed\xa0\x80",
            b"\xf0\x8f\xbf\xbf",
            b"\xf4\x90\x80\x80",
            b"\xf5\x80\x80\x80",
            b"\x80",
            b"\xe2\x82",
        ] {
            assert_eq!(text_of(bytes), naive::utf8(bytes), "{bytes:x?}");
            assert_eq!(text_of(bytes), String::from_utf8_lossy(bytes), "{bytes:x?}");
        }
    }

    #[test]
    fn texts_of_every_length_that_fits_are_whole() {
        for length in 0..=DECODE_BYTES {
            for text in ["a", "é", "漢", "😀"].map(|character| character.repeat(length)) {
                for rest in ["", "b", "é", "😀"] {
                    let text = format!("{text}{rest}");
                    assert_eq!(text_of(text.as_bytes()), text);
                }
            }
        }
    }

    proptest! {
        #[test]
        fn any_bytes_decode_as_the_naive_decoder_does(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
            prop_assert_eq!(text_of(&bytes), naive::utf8(&bytes));
        }

        #[test]
        fn text_cut_and_damaged_decodes_as_the_naive_decoder_does(
            text in "\\PC{0,24}", cut in 0usize..80, at in 0usize..200, byte: u8
        ) {
            let mut bytes = text.into_bytes();
            bytes.truncate(cut);
            if let Some(place) = bytes.get_mut(at) {
                *place = byte;
            }
            prop_assert_eq!(text_of(&bytes), naive::utf8(&bytes));
        }
    }
}
