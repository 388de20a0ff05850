//! The fields of every message that is not a row, against [`naive::fields`].
//!
//! Input: type byte, words of the table (1 byte, 0 for as many as it takes), body.

use pg_protocol_native::{
    index::{Full, HEADER_WORDS, Index},
    message::{ERROR_FIELDS, FIELD_WORDS, Reject, describe},
    naive::fields::{
        Field::{self, Absent, Number, Text},
        fields,
    },
};

/// Bytes of other messages around the body, which must not be seen. A reader that runs on would find a text's end.
const AROUND: &[u8] = b"\x01\0\0\x01\0";

pub fn check(input: &[u8]) {
    let [tag, words, body @ ..] = input else { return };
    let bytes = [AROUND, body, AROUND].concat();
    let (start, end) = (AROUND.len(), AROUND.len() + body.len());
    let room = if *words == 0 { 2 * bytes.len() + FIELD_WORDS * 70_000 } else { usize::from(*words) };
    let mut table = vec![-1; HEADER_WORDS + room];
    let mut index = Index::new(&mut table);
    let before = index.mark();
    let described = describe(*tag, &bytes, start, end, &mut index);
    let mark = index.mark();
    let expected = fields(*tag, body);
    match described {
        Ok(detail) => {
            let found = read(*tag, &bytes, start, detail, &table, mark);
            assert_eq!(Some(found), expected);
        }
        Err(reject) => {
            assert_eq!(mark, before, "a message that was rejected leaves no details");
            match reject {
                // what is full is not looked at any further
                Reject::Full => assert_ne!(*words, 0, "a table that takes any message"),
                Reject::Malformed(malformed) => {
                    assert_eq!(expected, None, "{malformed}");
                    assert!(!malformed.what.is_empty());
                }
            }
        }
    }
    // An entry and its details fit or do not, but never overlap.
    assert!(matches!(Index::new(&mut table).details(room + 1), Err(Full)));
}

/// The words that `describe` laid out, as fields.
fn read(tag: u8, bytes: &[u8], start: usize, detail: i32, table: &[i32], mark: usize) -> Vec<Field> {
    let number = |word: i32| Number(i64::from(word));
    let text = |pair: [i32; 2]| match pair {
        [-1, -1] => Absent,
        [start, end] => Text(bytes[start as usize..end as usize].to_vec()),
    };
    let pairs = |words: &[i32]| words.as_chunks().0.iter().map(|pair| text(*pair)).collect::<Vec<_>>();
    let has_details = matches!(tag, b'S' | b'A' | b'K' | b'R' | b'v' | b'T' | b't' | b'G' | b'H' | b'E' | b'N');
    let details = if has_details { &table[detail as usize..] } else { &[] };
    if has_details {
        assert_eq!(detail as usize, mark, "the details are the last that were taken");
    }
    match tag {
        b'D' | b'Z' | b'V' => vec![number(detail)],
        b'C' => vec![text([start as i32, detail])],
        b'S' => pairs(&details[..4]),
        b'A' => [vec![number(details[0])], pairs(&details[1..5])].concat(),
        b'K' => details[..2].iter().copied().map(number).collect(),
        b'R' | b'v' => {
            let count = details[1] as usize;
            [vec![number(details[0]), number(details[1])], pairs(&details[2..2 + 2 * count])].concat()
        }
        b'T' => {
            let count = details[0] as usize;
            let mut found = vec![number(details[0])];
            for field in details[2..2 + FIELD_WORDS * count].as_chunks::<FIELD_WORDS>().0 {
                found.push(text([field[0], field[1]]));
                found.extend(field[2..].iter().copied().map(number));
            }
            found
        }
        b't' => details[..1 + details[0] as usize].iter().copied().map(number).collect(),
        b'G' | b'H' => details[..2 + details[1] as usize].iter().copied().map(number).collect(),
        b'E' | b'N' => pairs(&details[..2 * ERROR_FIELDS.len()]),
        _ => {
            assert_eq!(detail, 0);
            Vec::new()
        }
    }
}
