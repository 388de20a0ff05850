//! Rows that follow each other, decoded batch by batch by a plan of the columns, against the slow readers of each cell.
//!
//! What may end a batch is a row that is not as the others, a full table or a full pool, and nothing else.
//!
//! Input: number of columns (1 byte), that many kinds, words of the table (2 bytes), number of damages (1 byte), that many
//! (place: 2 bytes, byte), then cells: length (1 byte; 0xff is NULL, 0xf0 to 0xfe 100 times as long as the last four bits say), bytes.

use pg_protocol_native::{
    batch::{self, CELL_WORDS, HEADER_WORDS, Kind, NULL, RAW, ROW_BODY, ROW_WORDS, ROWS, Scratch},
    naive,
    text::pool::{OWN_STRING_BYTES, POOL_SHIFT, SHARED, SHARED_CHARS, SHARED_EMPTY, TextPools},
};

use super::{binary_numeric, same, text_dates, text_numbers};

struct Input<'a> {
    columns: usize,
    plan: Vec<Kind>,
    words: usize,
    damages: &'a [[u8; 3]],
    cells: &'a [u8],
}

impl<'a> Input<'a> {
    fn read(bytes: &'a [u8]) -> Option<Self> {
        let (&columns, rest) = bytes.split_first()?;
        let columns = usize::from(columns % 24);
        let (kinds, rest) = rest.split_at_checked(columns)?;
        let (words, rest) = rest.split_first_chunk::<2>()?;
        let (&damages, rest) = rest.split_first()?;
        let (damages, cells) = rest.split_at_checked(3 * usize::from(damages % 4))?;
        // kinds that are all text stand for the empty plan, which takes any number of cells
        let plan: Vec<Kind> = kinds.iter().map(|&kind| Kind::of(kind % 18)).collect();
        let plan = if plan.iter().all(|&kind| kind == Kind::Text) { Vec::new() } else { plan };
        let words = HEADER_WORDS + usize::from(u16::from_be_bytes(*words));
        Some(Self { columns, plan, words, damages: damages.as_chunks().0, cells })
    }

    /// DataRow messages, of which some bytes may be damaged afterwards, and a last message of another kind.
    fn stream(&self) -> Vec<u8> {
        let mut stream = Vec::new();
        let mut rest = self.cells;
        while !rest.is_empty() && stream.len() < 1 << 16 {
            let mut body = (self.columns as u16).to_be_bytes().to_vec();
            for _ in 0..self.columns.max(1) {
                let Some((&length, behind)) = rest.split_first() else {
                    body.extend([0xff; 4]);
                    continue;
                };
                rest = behind;
                if self.columns == 0 {
                    continue;
                }
                if length == 0xff {
                    body.extend([0xff; 4]);
                    continue;
                }
                let (times, length) = if length >= 0xf0 { (100, length & 0xf) } else { (1, length) };
                let (cell, behind) = rest.split_at(rest.len().min(usize::from(length)));
                rest = behind;
                body.extend((times as u32 * cell.len() as u32).to_be_bytes());
                body.extend(cell.repeat(times));
            }
            stream.push(b'D');
            stream.extend((body.len() as u32 + 4).to_be_bytes());
            stream.extend(body);
        }
        for &[high, low, byte] in self.damages {
            let place = usize::from(u16::from_be_bytes([high, low]));
            if let Some(damaged) = stream.get_mut(place) {
                *damaged = byte;
            }
        }
        stream.extend(b"C\0\0\0\x0dSELECT 1\0");
        stream
    }
}

pub fn check(bytes: &[u8]) {
    let Some(input) = Input::read(bytes) else { return };
    let stream = input.stream();
    let mut table = vec![-3; input.words];
    let mut scratch = Scratch::default();
    let mut at = 0;
    while at < stream.len() {
        let count = batch::decode(&stream, at + 5, &input.plan, &mut table, &mut scratch);
        assert_eq!(table[ROWS] as usize, count);
        let rows = rows_at(&stream, at, &input.plan);
        assert!(count <= rows.len(), "{count} rows of {}", rows.len());
        let columns = rows.first().map_or(0, |row| row.cells.len());
        let record = ROW_WORDS + CELL_WORDS * columns;
        for (i, row) in rows[..count].iter().enumerate() {
            let words = &table[HEADER_WORDS + i * record..][..record];
            assert_eq!(words[ROW_BODY] as usize, row.body);
            for (column, cell) in row.cells.iter().enumerate() {
                let kind = input.plan.get(column).copied().unwrap_or(Kind::Text);
                let words = [words[ROW_WORDS + CELL_WORDS * column], words[ROW_WORDS + CELL_WORDS * column + 1]];
                check_cell(
                    &stream,
                    cell.as_ref().map(|(start, bytes)| (*start, &bytes[..])),
                    kind,
                    words,
                    &scratch.pools,
                );
            }
        }
        let has_room = HEADER_WORDS + (count + 1) * record <= table.len();
        if count < rows.len() && has_room {
            assert!(count > 0, "a first row that has room was not taken");
            assert!(scratch.pools.is_full(), "{count} rows of {} taken, with room for more", rows.len());
        }
        at = match rows.get(count.max(1) - 1) {
            Some(row) => row.end,
            // a row that is not as the others, or a message that is none: a reader goes on behind it
            None => match naive::messages(&stream[at..]).0.first() {
                Some((_, length, _)) => at + 1 + *length as usize,
                None => return,
            },
        };
    }
}

struct Row {
    body: usize,
    end: usize,
    cells: Vec<Option<(usize, Vec<u8>)>>,
}

/// The rows that one batch may have.
fn rows_at(stream: &[u8], mut at: usize, plan: &[Kind]) -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for (tag, length, body) in naive::messages(&stream[at..]).0 {
        let Some(cells) = naive::cells(&body).filter(|_| tag == b'D') else { break };
        let columns =
            rows.first().map_or(if plan.is_empty() { cells.len() } else { plan.len() }, |row| row.cells.len());
        if cells.len() != columns {
            break;
        }
        let mut start = at + 7;
        let mut placed = Vec::new();
        for cell in cells {
            start += 4;
            let length = cell.as_ref().map_or(0, Vec::len);
            placed.push(cell.map(|cell| (start, cell)));
            start += length;
        }
        let end = at + 1 + length as usize;
        rows.push(Row { body: at + 5, end, cells: placed });
        at = end;
    }
    rows
}

fn check_cell(stream: &[u8], cell: Option<(usize, &[u8])>, kind: Kind, words: [i32; CELL_WORDS], pools: &TextPools) {
    let [first, second] = words;
    let Some((start, bytes)) = cell else {
        assert_eq!(second, NULL);
        return;
    };
    assert_ne!(second, NULL);
    if second == RAW {
        assert_eq!(first as usize, start);
        assert_eq!(&stream[start - 4..start], (bytes.len() as u32).to_be_bytes());
        assert!(may_be_left(bytes, kind, pools), "{kind:?} was left: {}", bytes.escape_ascii());
        return;
    }
    let double = Some(f64::from_bits(u64::from(first as u32) | u64::from(second as u32) << 32));
    let text = std::str::from_utf8(bytes).ok();
    let number = |double: Option<f64>, expected: Option<f64>| {
        assert!(same(double, expected), "{kind:?}: {double:?} for {}", bytes.escape_ascii());
    };
    match kind {
        Kind::Text | Kind::Passing => {
            assert_eq!(read_text(words, pools), naive::utf8(bytes).encode_utf16().collect::<Vec<_>>());
        }
        Kind::BinaryInt8 => {
            let value = naive::values::twos_complement(bytes).to_string();
            assert_eq!(bytes.len(), 8);
            assert_eq!(read_text(words, pools), value.encode_utf16().collect::<Vec<_>>());
        }
        Kind::Int => {
            assert_eq!(second, 0);
            number(Some(first.into()), text.map(naive::values::parse_int));
        }
        Kind::Bool => {
            let words = ["t", "true", "TRUE", "y", "yes", "on", "1"];
            assert_eq!([first, second], [i32::from(text.is_some_and(|text| words.contains(&text))), 0]);
        }
        Kind::Oid => number(double, text.map(naive::values::parse_int)),
        Kind::Float => number(double, text.map(naive::values::parse_float)),
        Kind::Zoned | Kind::Local => {
            let (zoned, local) = text_dates::expected(bytes);
            let infinity =
                text_dates::infinity(bytes).map(|_| if bytes[0] == b'-' { f64::NEG_INFINITY } else { f64::INFINITY });
            number(double, infinity.or(if kind == Kind::Zoned { zoned } else { local }));
        }
        Kind::BinaryInt2 | Kind::BinaryInt4 => {
            assert_eq!(bytes.len(), if kind == Kind::BinaryInt2 { 2 } else { 4 });
            assert_eq!([i128::from(first), second.into()], [naive::values::twos_complement(bytes), 0]);
        }
        Kind::BinaryBool => assert_eq!((bytes, second), (&[first as u8][..], 0)),
        Kind::BinaryOid => {
            let value = naive::values::twos_complement(&[&[0], bytes].concat());
            number(double, Some(value as f64).filter(|_| bytes.len() == 4));
        }
        Kind::BinaryFloat4 => number(double, float(bytes, 4)),
        Kind::BinaryFloat8 => number(double, float(bytes, 8)),
        Kind::BinaryNumeric => number(double, binary_numeric::expected(bytes)),
        Kind::Raw => panic!("{words:?} in place of a mark"),
    }
}

/// Whether a cell of this kind may be left to JavaScript.
fn may_be_left(bytes: &[u8], kind: Kind, pools: &TextPools) -> bool {
    let text = std::str::from_utf8(bytes).ok();
    match kind {
        Kind::Raw => true,
        Kind::Text | Kind::Passing => bytes.len() > OWN_STRING_BYTES || pools.is_full(),
        Kind::BinaryInt8 => bytes.len() != 8 || pools.is_full(),
        Kind::Int => !text.is_some_and(text_numbers::is_integer),
        Kind::Bool => false,
        Kind::Float => !text.is_some_and(text_numbers::is_number),
        Kind::Oid => text.is_none_or(|text| text.parse::<u32>().is_err() || text.starts_with('+') || text.len() > 10),
        Kind::Zoned => text_dates::infinity(bytes).is_none() && text_dates::expected(bytes).0.is_none(),
        Kind::Local => text_dates::infinity(bytes).is_none() && text_dates::expected(bytes).1.is_none(),
        Kind::BinaryInt2 => bytes.len() != 2,
        Kind::BinaryInt4 | Kind::BinaryOid | Kind::BinaryFloat4 => bytes.len() != 4,
        Kind::BinaryFloat8 => bytes.len() != 8,
        Kind::BinaryBool => !matches!(bytes, [0 | 1]),
        Kind::BinaryNumeric => binary_numeric::expected(bytes).is_none(),
    }
}

fn float(bytes: &[u8], size: usize) -> Option<f64> {
    let bits = bytes.iter().take(8).fold(0, |bits, &byte| bits << 8 | u64::from(byte));
    let (exponent, fraction) = if size == 4 { (8, 23) } else { (11, 52) };
    (bytes.len() == size).then(|| naive::values::ieee754(bits, exponent, fraction))
}

/// A text as JavaScript cuts it out of its pool.
fn read_text([start, word]: [i32; CELL_WORDS], pools: &TextPools) -> Vec<u16> {
    let (start, end) = (start as usize, (word & 0xffff) as usize);
    let shared = match word & 0xffff {
        SHARED_EMPTY => String::new(),
        index if index < SHARED_CHARS => index.to_string(),
        index => u8::try_from(index - SHARED_CHARS).map(char::from).unwrap_or_default().to_string(),
    };
    match word >> POOL_SHIFT {
        pool @ (0 | 1) => pools.latin1()[pool as usize][start..end].iter().copied().map(u16::from).collect(),
        pool @ (2 | 3) => pools.utf16()[pool as usize - 2][start..end].to_vec(),
        SHARED => shared.encode_utf16().collect(),
        pool => panic!("there is no pool {pool}"),
    }
}
