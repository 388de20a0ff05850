//! The cells of one row, and the end of a row that is wrong, against [`naive::cells`].
//!
//! Input: the body of a DataRow.

use pg_protocol_native::{naive, row::Cells};

/// A neighbour's bytes, which would make whole cells of what runs past the row.
const BEHIND: [u8; 300] = [0; 300];

pub fn check(body: &[u8]) {
    let start = 3;
    let bytes = [&[0xff; 3], body, &BEHIND].concat();
    let end = start + body.len();
    let expected = naive::cells(body);
    let Ok(mut cells) = Cells::new(&bytes, start, end) else {
        assert!(body.len() < 2 && expected.is_none());
        return;
    };
    let announced = cells.announced();
    assert_eq!(announced, usize::from(u16::from_be_bytes([body[0], body[1]])));
    let mut found = Vec::new();
    let mut error = None;
    for cell in &mut cells {
        match cell {
            Ok(range) => {
                assert!(range.as_ref().is_none_or(|range| start < range.start && range.end <= end));
                found.push(range.map(|range| bytes[range].to_vec()));
            }
            Err(malformed) => error = Some(malformed.what),
        }
    }
    assert!(cells.next().is_none(), "nothing behind the end or an error");
    match error {
        None => {
            assert_eq!(found.len(), announced);
            assert_eq!(Some(found), expected);
        }
        Some(what) => {
            assert_eq!(expected, None, "{what}");
            assert!(what.starts_with(&format!("cell {} ", found.len())), "{what}");
        }
    }
}
