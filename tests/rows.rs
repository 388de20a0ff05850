//! Rows: the cells of one and batches of many, against their naive twins.

use pg_protocol_native::{
    batch::{self, CELL_WORDS, HEADER_WORDS, NULL, RAW, ROW_BODY, ROW_WORDS, Scratch},
    naive,
    row::Cells,
    text::pool::{LATIN1_SHORT, POOL_CHARS, POOL_SHIFT, SHARED, SHARED_CHARS, SHARED_EMPTY, TextPools},
};
use proptest::prelude::*;

type Row = Vec<Option<Vec<u8>>>;

fn message(row: &Row) -> Vec<u8> {
    let mut body = (row.len() as u16).to_be_bytes().to_vec();
    for cell in row {
        match cell {
            None => body.extend([0xff; 4]),
            Some(cell) => {
                body.extend((cell.len() as u32).to_be_bytes());
                body.extend(cell);
            }
        }
    }
    let mut bytes = vec![b'D'];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}

/// Reads a batch back as JavaScript does: each record by itself, its texts out of the pools.
fn texts(bytes: &[u8], columns: usize, table: &[i32], pools: &TextPools) -> Vec<(usize, Vec<Option<String>>)> {
    let latin1 = pools.latin1().map(|pool| pool.iter().map(|&byte| u16::from(byte)).collect::<Vec<_>>());
    let utf16 = pools.utf16().map(<[u16]>::to_vec);
    let pool_chars = [&latin1[0], &latin1[1], &utf16[0], &utf16[1]];
    let text = |cell: &[i32; CELL_WORDS]| {
        let start = cell[0] as usize;
        match cell[1] {
            NULL => None,
            RAW => {
                let length = u32::from_be_bytes(bytes[start - 4..start].try_into().unwrap()) as usize;
                Some(naive::utf8(&bytes[start..start + length]))
            }
            word if word >> POOL_SHIFT == SHARED => Some(match word & 0xffff {
                SHARED_EMPTY => String::new(),
                index if index < SHARED_CHARS => index.to_string(),
                index => char::from((index - SHARED_CHARS) as u8).to_string(),
            }),
            word => {
                let chars = &pool_chars[(word >> POOL_SHIFT) as usize][start..(word & 0xffff) as usize];
                Some(String::from_utf16(chars).expect("whole characters"))
            }
        }
    };
    let records = table[HEADER_WORDS..].chunks_exact(ROW_WORDS + CELL_WORDS * columns);
    records
        .take(table[batch::ROWS] as usize)
        .map(|record| {
            let cells = record[ROW_WORDS..].as_chunks::<CELL_WORDS>().0;
            (record[ROW_BODY] as usize, cells.iter().map(text).collect())
        })
        .collect()
}

/// Decodes all rows, batch after batch, and compares each with the naive reading.
fn check(rows: &[Row], words: usize) {
    let mut bytes = Vec::new();
    let mut bodies = Vec::new();
    for row in rows {
        bodies.push(bytes.len() + 5);
        bytes.extend(message(row));
    }
    bytes.extend(b"C\0\0\0\x0dSELECT 1\0");
    let mut table = vec![0; words];
    let mut scratch = Scratch::default();
    let mut done = 0;
    while done < rows.len() {
        let count = batch::decode(&bytes, bodies[done], &[], &mut table, &mut scratch);
        let found = texts(&bytes, rows[done].len(), &table, &scratch.pools);
        assert_eq!(found.len(), count);
        for (i, (body, cells)) in found.into_iter().enumerate() {
            let expected: Vec<_> = rows[done + i].iter().map(|cell| cell.as_deref().map(naive::utf8)).collect();
            assert_eq!(body, bodies[done + i]);
            assert_eq!(cells, expected);
        }
        if count == 0 {
            assert!(
                HEADER_WORDS + ROW_WORDS + CELL_WORDS * rows[done].len() > words,
                "a row that has room was not taken"
            );
            done += 1;
        }
        done += count;
    }
}

#[test]
fn rows_of_all_shapes() {
    let text = |text: &str| Some(text.as_bytes().to_vec());
    check(&[vec![]], 100);
    check(&vec![vec![]; 50], 100);
    check(&[vec![text(""), None, text("é"), text("漢字"), text("a"), text("😀 and more than thirteen")]], 100);
    check(&vec![vec![None; 1600]; 3], 16384);
    check(&vec![vec![text("0123456789"); 1600]; 3], 16384);
    for length in [12, 13, 16, 31, 32, 33, 1023, 1024, 1025, 8191, 8192, 8193, 100_000] {
        check(&vec![vec![Some(vec![b'x'; length]), text("tail"), Some("é".repeat(length).into_bytes())]; 30], 16384);
        check(&vec![vec![Some("漢".repeat(length).into_bytes())]; 30], 16384);
    }
}

#[test]
fn pools_hold_no_more_than_they_promise() {
    let rows = vec![vec![Some(vec![b'x'; 1000]); 100]];
    let bytes = message(&rows[0]);
    let mut table = vec![0; 16384];
    let mut scratch = Scratch::default();
    assert_eq!(batch::decode(&bytes, 5, &[], &mut table, &mut scratch), 1);
    assert!(scratch.pools.latin1()[1].len() < POOL_CHARS + 1024);
    assert_eq!(table[HEADER_WORDS + ROW_WORDS + 1] >> POOL_SHIFT, LATIN1_SHORT + 1);
    check(&rows, 16384);
}

#[test]
fn a_batch_ends_before_a_malformed_row() {
    let good = message(&vec![Some(b"ab".to_vec())]);
    let mut bytes = [good.clone(), good.clone()].concat();
    bytes.extend(b"D\0\0\0\x0b\0\x01\0\0\0\x02a");
    bytes.extend(good);
    let mut table = vec![0; 1000];
    let mut scratch = Scratch::default();
    assert_eq!(batch::decode(&bytes, 5, &[], &mut table, &mut scratch), 2);
    assert_eq!(scratch.pools.latin1()[0], b"abab");
    let malformed = bytes.len() - 13 - 7;
    assert_eq!(batch::decode(&bytes, malformed, &[], &mut table, &mut scratch), 0);
    assert_eq!(batch::decode(&bytes, bytes.len() + 5, &[], &mut table, &mut scratch), 0);
    assert_eq!(batch::decode(&bytes, 0, &[], &mut table, &mut scratch), 0);
}

fn cell() -> impl Strategy<Value = Option<Vec<u8>>> {
    prop_oneof![
        Just(None),
        "[0-9]{0,6}".prop_map(|text| Some(text.into_bytes())),
        "[ -~]{0,40}".prop_map(|text| Some(text.into_bytes())),
        "[a-zà-ÿ]{0,20}".prop_map(|text| Some(text.into_bytes())),
        "\\PC{0,20}".prop_map(|text| Some(text.into_bytes())),
        prop::collection::vec(any::<u8>(), 0..40).prop_map(Some),
        (0usize..3000, any::<u8>()).prop_map(|(length, byte)| Some(vec![byte; length])),
    ]
}

proptest! {
    #[test]
    fn rows_of_any_cells_decode_as_the_naive_reading_has_them(
        rows in prop::collection::vec(prop::collection::vec(cell(), 0..12), 1..30), words in 50usize..2000
    ) {
        check(&rows, words);
    }

    #[test]
    fn any_body_has_the_cells_that_the_naive_reading_finds(
        body in prop::collection::vec(prop_oneof![3 => Just(0), 1 => 1u8..6, 1 => Just(0xff), 1 => any::<u8>()], 0..60)
    ) {
        let cells: Option<Row> = Cells::new(&body, 0, body.len()).ok().and_then(|cells| {
            cells.map(|cell| cell.ok().map(|range| range.map(|range| body[range].to_vec()))).collect()
        });
        prop_assert_eq!(&cells, &naive::cells(&body));
        let mut bytes = vec![b'D'];
        bytes.extend((body.len() as u32 + 4).to_be_bytes());
        bytes.extend(&body);
        let mut table = vec![0; 300_000];
        let count = batch::decode(&bytes, 5, &[], &mut table, &mut Scratch::default());
        prop_assert_eq!(count == 1, cells.is_some());
    }
}
