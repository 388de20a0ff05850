//! UTF-8, malformed input included, exactly as `buffer.toString('utf8')` reads it: each maximal part
//! of an ill-formed sequence becomes one U+FFFD (Unicode Standard, section 3.9), a byte order mark stays.

/// The most bytes of a cell that [`decode`] takes.
pub const DECODE_BYTES: usize = 64;

/// UTF-8 to UTF-16 code units, as far as it is well formed: the twin for the rest is
/// [`decode_lossy`], and for both [`crate::naive::utf8`].
///
/// Made for cells, most of which are short. The simple version, `str::from_utf8` and `encode_utf16`, walks
/// twice and asks at each byte whether another one follows. Here the cell is padded with zeros to a fixed
/// size, so that no place needs a check, and what is wrong is gathered (with `|`, which does not branch) and
/// looked at once, in the end.
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
    // A power of two: an index is taken modulo, which costs nothing, where a check would branch.
    const WITHIN: usize = 2 * DECODE_BYTES - 1;
    let mut padded = [0; WITHIN + 1];
    if bytes.len() > DECODE_BYTES {
        return None;
    }
    padded[..bytes.len()].copy_from_slice(bytes);
    let byte = |at: usize| padded[at & WITHIN];
    let mut at = 0;
    let mut length = 0;
    let mut all = 0;
    let mut wrong = false;
    while at < bytes.len() {
        let a = byte(at);
        let unit = if a < 0x80 {
            at += 1;
            u32::from(a)
        } else if a < 0xe0 {
            let b = byte(at + 1);
            wrong |= (a < 0xc2) | !tail(b);
            at += 2;
            bits(a, 0x1f) << 6 | bits(b, 0x3f)
        } else if a < 0xf0 {
            let (b, c) = (byte(at + 1), byte(at + 2));
            let unit = bits(a, 0xf) << 12 | bits(b, 0x3f) << 6 | bits(c, 0x3f);
            wrong |= !tail(b) | !tail(c) | (unit < 0x800) | (unit & 0xf800 == 0xd800);
            at += 3;
            unit
        } else {
            let (b, c, d) = (byte(at + 1), byte(at + 2), byte(at + 3));
            let code = bits(a, 0xf) << 18 | bits(b, 0x3f) << 12 | bits(c, 0x3f) << 6 | bits(d, 0x3f);
            wrong |= !tail(b) | !tail(c) | !tail(d) | !(0x1_0000..0x11_0000).contains(&code);
            out[length % DECODE_BYTES] = (0xd7c0 + (code >> 10)) as u16;
            length += 1;
            all = 0xffff;
            at += 4;
            0xdc00 | code & 0x3ff
        };
        out[length % DECODE_BYTES] = unit as u16;
        all |= unit as u16;
        length += 1;
    }
    // A sequence that was cut off has read a zero of the padding, which is no tail.
    (!wrong).then_some((length, all))
}

#[inline]
fn tail(byte: u8) -> bool {
    byte & 0xc0 == 0x80
}

#[inline]
fn bits(byte: u8, mask: u8) -> u32 {
    u32::from(byte & mask)
}

/// UTF-8 of any kind to UTF-16 code units; as [`decode`] otherwise.
///
/// # Panics
/// If `out` is shorter than `bytes`.
pub fn decode_lossy(bytes: &[u8], out: &mut [u16]) -> (usize, u16) {
    // Never more units than bytes: U+FFFD is one, and stands for one byte at least.
    let mut length = 0;
    let mut all = 0;
    for (place, unit) in out[..bytes.len()].iter_mut().zip(String::from_utf8_lossy(bytes).encode_utf16()) {
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
