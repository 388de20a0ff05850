//! Text in UTF-8, malformed or not, against [`naive::utf8`] and the standard library.
//!
//! Input: the text.

use pg_protocol_native::{
    naive,
    text::utf8::{DECODE_BYTES, decode, decode_lossy},
};

pub fn check(bytes: &[u8]) {
    let text = naive::utf8(bytes);
    assert_eq!(text, String::from_utf8_lossy(bytes));
    let expected: Vec<u16> = text.encode_utf16().collect();
    let wide = expected.iter().any(|&unit| unit > 0xff);

    // longer than asked for and full of something: nothing behind the text may count
    let mut units = vec![0xabcd; bytes.len() + 7];
    let (length, all) = decode_lossy(bytes, &mut units);
    assert_eq!((&units[..length], all > 0xff), (&expected[..], wide));

    let mut units = [0xabcd; DECODE_BYTES];
    let decoded = decode(bytes, &mut units);
    assert_eq!(decoded.is_some(), bytes.len() <= DECODE_BYTES && std::str::from_utf8(bytes).is_ok());
    if let Some((length, all)) = decoded {
        assert_eq!((&units[..length], all > 0xff), (&expected[..], wide));
    }
}
