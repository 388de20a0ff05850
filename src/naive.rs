//! Slow, obviously right twins of the fast routines. Tests and benchmarks compare against them.

pub mod fields;
pub mod values;

/// A message of a stream: type byte, length as on the wire, body.
pub type Message = (u8, u32, Vec<u8>);

/// The whole messages at the beginning of `stream`, and what is left behind them; an error where a
/// length is impossible. Twin of [`crate::parser::Parser::feed`] over any cut of the stream.
pub fn messages(stream: &[u8]) -> (Vec<Message>, Result<Vec<u8>, u32>) {
    let mut found = Vec::new();
    let mut rest = stream;
    while rest.len() >= 5 {
        let length = u32::from_be_bytes([rest[1], rest[2], rest[3], rest[4]]);
        if !(4..=0x3fff_ffff).contains(&length) {
            return (found, Err(length));
        }
        let total = length as usize + 1;
        if rest.len() < total {
            // nobody waits for the 50 MB that the head of a TLS record would be
            if let [0x14..=0x17, 3, 0..=4, ..] = rest {
                return (found, Err(length));
            }
            break;
        }
        found.push((rest[0], length, rest[5..total].to_vec()));
        rest = &rest[total..];
    }
    (found, Ok(rest.to_vec()))
}

/// The cells of a DataRow's body, `None` for the whole row where one of them is wrong.
/// Twin of [`crate::row::Cells`].
pub fn cells(body: &[u8]) -> Option<Vec<Option<Vec<u8>>>> {
    let mut bytes = body.iter().copied();
    let mut number = |size: usize| {
        let mut value = 0_i64;
        for _ in 0..size {
            value = value << 8 | i64::from(bytes.next()?);
        }
        Some((value, bytes.clone()))
    };
    let (count, _) = number(2)?;
    let mut cells = Vec::new();
    for _ in 0..count {
        let (length, _) = number(4)?;
        if length == 0xffff_ffff {
            cells.push(None);
            continue;
        }
        let mut cell = Vec::new();
        for _ in 0..length {
            cell.push(number(1)?.0 as u8);
        }
        cells.push(Some(cell));
    }
    Some(cells)
}

/// UTF-8 to text, byte by byte, after the state machine of the WHATWG Encoding Standard.
/// Twin of [`crate::text::utf8`].
pub fn utf8(bytes: &[u8]) -> String {
    let mut text = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let (needed, mut lower, mut upper, mut code) = match bytes[at] {
            byte @ 0..=0x7f => (0, 0, 0, u32::from(byte)),
            byte @ 0xc2..=0xdf => (1, 0x80, 0xbf, u32::from(byte & 0x1f)),
            0xe0 => (2, 0xa0, 0xbf, 0),
            0xed => (2, 0x80, 0x9f, 0xd),
            byte @ 0xe1..=0xef => (2, 0x80, 0xbf, u32::from(byte & 0xf)),
            0xf0 => (3, 0x90, 0xbf, 0),
            byte @ 0xf1..=0xf3 => (3, 0x80, 0xbf, u32::from(byte & 7)),
            0xf4 => (3, 0x80, 0x8f, 4),
            _ => {
                text.push('\u{fffd}');
                at += 1;
                continue;
            }
        };
        at += 1;
        let mut seen = 0;
        while seen < needed && at < bytes.len() && (lower..=upper).contains(&bytes[at]) {
            code = code << 6 | u32::from(bytes[at] & 0x3f);
            (lower, upper) = (0x80, 0xbf);
            at += 1;
            seen += 1;
        }
        let whole = seen == needed;
        text.push(if whole { char::from_u32(code).expect("a scalar value") } else { '\u{fffd}' });
    }
    text
}
