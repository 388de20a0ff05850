//! UTF-8, malformed input included, exactly as `buffer.toString('utf8')` reads it: each maximal part
//! of an ill-formed sequence becomes one U+FFFD (Unicode Standard, section 3.9), a byte order mark stays.

/// UTF-8 to UTF-16 code units, as far as it is well formed: the twin for the rest is
/// [`decode_lossy`], and for both [`crate::naive::utf8`].
///
/// Made for cells, most of which are short: the simple version, `str::from_utf8` and `encode_utf16`, walks
/// twice and costs five times as much on a dozen characters.
///
/// Gives the number of units written and all of them ORed together, which tells whether they fit into one
/// byte each; `None` where the bytes are malformed.
///
/// # Panics
/// If `out` is shorter than `bytes`.
///
/// ```
/// use pg_protocol_native::text::utf8::decode;
/// let mut out = [0; 8];
/// let (length, all) = decode("aé漢".as_bytes(), &mut out).unwrap();
/// assert_eq!(out[..length], [0x61, 0xe9, 0x6f22]);
/// assert!(all > 0xff);
/// assert_eq!(decode(b"a\xff", &mut out), None);
/// ```
pub fn decode(bytes: &[u8], out: &mut [u16]) -> Option<(usize, u16)> {
    let out = &mut out[..bytes.len()];
    let mut rest = bytes;
    let mut at = 0;
    let mut all = 0;
    let mut push = |unit: u32| {
        // At most one unit per byte is written, so that there is always room.
        if let Some(place) = out.get_mut(at) {
            *place = unit as u16;
            all |= unit as u16;
            at += 1;
        }
    };
    loop {
        rest = match *rest {
            [] => return Some((at, all)),
            [a @ 0..=0x7f, ref rest @ ..] => {
                push(u32::from(a));
                rest
            }
            [a @ 0xc2..=0xdf, b, ref rest @ ..] if tail(b) => {
                push(bits(a, 0x1f) << 6 | bits(b, 0x3f));
                rest
            }
            [a @ 0xe0..=0xef, b, c, ref rest @ ..] if tail(b) && tail(c) => {
                let unit = bits(a, 0xf) << 12 | bits(b, 0x3f) << 6 | bits(c, 0x3f);
                if unit < 0x800 || (0xd800..0xe000).contains(&unit) {
                    return None;
                }
                push(unit);
                rest
            }
            [a @ 0xf0..=0xf4, b, c, d, ref rest @ ..] if tail(b) && tail(c) && tail(d) => {
                let code = bits(a, 7) << 18 | bits(b, 0x3f) << 12 | bits(c, 0x3f) << 6 | bits(d, 0x3f);
                if !(0x1_0000..0x11_0000).contains(&code) {
                    return None;
                }
                push(0xd7c0 + (code >> 10));
                push(0xdc00 | code & 0x3ff);
                rest
            }
            _ => return None,
        };
    }
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
        let mut out = vec![0; bytes.len()];
        let decoded = decode(bytes, &mut out);
        assert_eq!(decoded.is_some(), std::str::from_utf8(bytes).is_ok());
        let (length, all) = decoded.unwrap_or_else(|| decode_lossy(bytes, &mut out));
        assert_eq!(all, out[..length].iter().fold(0, |all, unit| all | unit));
        String::from_utf16(&out[..length]).expect("no lone surrogates")
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
        fn any_bytes_decode_as_the_naive_decoder_does(bytes in prop::collection::vec(any::<u8>(), 0..64)) {
            prop_assert_eq!(text_of(&bytes), naive::utf8(&bytes));
        }

        #[test]
        fn text_cut_and_damaged_decodes_as_the_naive_decoder_does(
            text in "\\PC{0,20}", cut in 0usize..40, at in 0usize..40, byte: u8
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
