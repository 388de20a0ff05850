//! Sinks: rows by every way that a cell can go, from streams cut anywhere, against the naive reading.

use std::mem::MaybeUninit;

use pg_protocol_native::{
    naive::{self, values},
    sink::{
        Cell, Columns, DefaultSink, Destination, Encoding, Ended, Kind, MOST_COLUMN_BYTES, Progress, Refusal, Refused,
        RowDecoder, RowSink, Step, TRUSTED_BYTES, Value, columns::Values,
    },
};
use proptest::prelude::*;

type Row = Vec<Value>;
type Bytes = Vec<Option<Vec<u8>>>;

type Outstanding = (Box<[MaybeUninit<u8>]>, usize, Cell);

/// What came of a stream: rows, and what was said of those that were not taken.
type Outcome = Vec<Result<Row, String>>;

fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}

fn data_row(cells: &Bytes) -> Vec<u8> {
    let mut body = (cells.len() as u16).to_be_bytes().to_vec();
    for cell in cells {
        body.extend(cell.as_ref().map_or(-1, |cell| cell.len() as i32).to_be_bytes());
        body.extend(cell.iter().flatten());
    }
    message(b'D', &body)
}

/// A cell by the naive twins; `None` where the row is malformed.
fn naive_cell(kind: Kind, bytes: Option<&[u8]>) -> Option<Value> {
    let Some(bytes) = bytes else { return Some(Value::Null) };
    let text = String::from_utf8_lossy(bytes);
    let left = || Value::Text(bytes.to_vec());
    let digits = text.strip_prefix('-').unwrap_or(&text);
    let is_integer = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
    let whole = |most: usize| (is_integer && digits.len() <= most).then(|| text.parse::<i128>().ok()).flatten();
    let time = || values::date_time(&text);
    let sized = |size: usize| (bytes.len() == size).then(|| values::twos_complement(bytes));
    let infinity = match &*text {
        "infinity" => Some(1),
        "-infinity" => Some(-1),
        _ => None,
    };
    let clip = |millis: i64, most: i64| if millis.abs() <= most { millis as f64 } else { f64::NAN };
    Some(match kind {
        Kind::Text => left(),
        Kind::Binary => Value::Binary(bytes.to_vec()),
        Kind::Int => whole(10)
            .filter(|value| *value != 0 || !text.starts_with('-'))
            .and_then(|value| i32::try_from(value).ok())
            .map_or_else(left, Value::Int),
        Kind::Int8 => whole(19)
            .and_then(|value| i64::try_from(value).ok())
            .filter(|value| value.to_string() == text)
            .map_or_else(left, Value::Int8),
        Kind::Oid => match whole(1000) {
            Some(value) if value == 0 && text.starts_with('-') => left(),
            Some(value) => u32::try_from(value).map_or_else(|_| left(), Value::Oid),
            None => left(),
        },
        Kind::Float => pg_protocol_native::text::float::parse(bytes)
            .map(|value| {
                assert!(value.to_bits() == values::parse_float(&text).to_bits() || value.is_nan());
                Value::Float(value)
            })
            .unwrap_or_else(left),
        Kind::Bool => Value::Bool(["t", "true", "TRUE", "y", "yes", "on", "1"].contains(&&*text)),
        Kind::ZonedMillis | Kind::LocalMillis if infinity.is_some() => {
            Value::Millis(f64::INFINITY * f64::from(infinity?))
        }
        Kind::ZonedMicros | Kind::LocalMicros if infinity.is_some() => {
            Value::Micros(if infinity? == 1 { i64::MAX } else { i64::MIN })
        }
        Kind::ZonedMillis => match time() {
            Some((wall, Some(offset))) => {
                let (wall, time) =
                    (clip(wall, 8_640_000_000_000_000), clip(wall - offset * 1000, 8_640_000_000_000_000));
                Value::Millis(if wall.is_nan() { wall } else { time })
            }
            _ => left(),
        },
        Kind::LocalMillis => match time() {
            Some((wall, None)) => Value::Millis(clip(wall, 8_640_000_000_000_000 + 2 * 86_400_000)),
            _ => left(),
        },
        Kind::ZonedMicros | Kind::LocalMicros => {
            let Some((wall, offset)) = time().filter(|(_, offset)| offset.is_some() == (kind == Kind::ZonedMicros))
            else {
                return Some(left());
            };
            let fraction: String =
                text.split_once('.').map_or("", |(_, rest)| rest).chars().take_while(char::is_ascii_digit).collect();
            let beyond: i64 = format!("{fraction:0<6}")[3..6].parse().unwrap();
            Value::Micros((wall - offset.unwrap_or(0) * 1000) * 1000 + beyond)
        }
        Kind::Bytea => match text.strip_prefix("\\x") {
            None => left(),
            Some(hex) => {
                let digits: Option<Vec<u32>> = hex.chars().map(|char| char.to_digit(16)).collect();
                let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
                Value::Binary(digits.chunks(2).map(|pair| (pair[0] * 16 + pair[1]) as u8).collect())
            }
        },
        Kind::BinaryInt2 => Value::Int(sized(2)? as i32),
        Kind::BinaryInt4 => Value::Int(sized(4)? as i32),
        Kind::BinaryInt8 => Value::Int8(sized(8)? as i64),
        Kind::BinaryOid => Value::Oid(sized(4)? as u32),
        Kind::BinaryFloat4 => Value::Float(values::ieee754(sized(4)? as u64 & 0xffff_ffff, 8, 23)),
        Kind::BinaryFloat8 => Value::Float(values::ieee754(sized(8)? as u64, 11, 52)),
        Kind::BinaryBool => Value::Bool(match bytes {
            [0] => false,
            [1] => true,
            _ => return None,
        }),
        Kind::BinaryMillis | Kind::BinaryMicros => {
            let micros = sized(8)?;
            let extreme = [i64::MAX, i64::MIN].contains(&(micros as i64));
            let since_1970 = micros + if extreme { 0 } else { 946_684_800_000_000 };
            if kind == Kind::BinaryMicros {
                i64::try_from(since_1970).map_or_else(|_| Value::Binary(bytes.to_vec()), Value::Micros)
            } else if extreme {
                Value::Millis(if micros > 0 { f64::INFINITY } else { f64::NEG_INFINITY })
            } else {
                Value::Millis(clip(since_1970.div_euclid(1000) as i64, 8_640_000_000_000_000))
            }
        }
        Kind::BinaryNumeric => Value::Float(pg_protocol_native::binary::numeric::parse(bytes)?),
        Kind::BinaryNumericText => {
            // has tests of its own
            let mut text = Vec::new();
            pg_protocol_native::binary::numeric::print(bytes, &mut text)?;
            Value::Text(text)
        }
        Kind::BinaryDate => Value::Millis(match sized(4)? {
            days if days == i128::from(i32::MAX) => f64::INFINITY,
            days if days == i128::from(i32::MIN) => f64::NEG_INFINITY,
            days => clip((days as i64 + 10_957) * 86_400_000, 8_640_000_000_000_000 + 2 * 86_400_000),
        }),
        Kind::BinaryUuid => {
            sized(16)?;
            let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
            let parts = [0..8, 8..12, 12..16, 16..20, 20..32].map(|range| &hex[range]);
            Value::Text(parts.join("-").into_bytes())
        }
        Kind::BinaryJsonb => Value::Text(bytes.strip_prefix(b"\x01")?.to_vec()),
    })
}

/// A row by the naive twins; `None`: malformed.
fn naive_row(plan: &[Kind], body: &[u8]) -> Option<Row> {
    let cells = naive::cells(body)?;
    if !plan.is_empty() && cells.len() != plan.len() {
        return None;
    }
    let kinds = plan.iter().copied().chain(std::iter::repeat(Kind::Text));
    cells.iter().zip(kinds).map(|(cell, kind)| naive_cell(kind, cell.as_deref())).collect()
}

/// Which ways a sink offers, and how much at a time.
#[derive(Debug, Clone, Copy)]
struct Ways {
    destination: Option<usize>,
    borrows: bool,
}

/// Takes cells by the ways it was told, and sees to it that the calls come as they are promised.
#[derive(Debug)]
struct Recorder {
    ways: Ways,
    rows: Vec<Row>,
    row: Option<Row>,
    /// Memory that nobody has written yet, how much of it is filled, and for which cell.
    outstanding: Option<Outstanding>,
    filled: usize,
    abandoned: usize,
    abandoned_rows: usize,
    most_asked: usize,
}

impl Recorder {
    fn new(ways: Ways) -> Self {
        Self {
            ways,
            rows: Vec::new(),
            row: None,
            outstanding: None,
            filled: 0,
            abandoned: 0,
            abandoned_rows: 0,
            most_asked: 0,
        }
    }

    fn push(&mut self, column: usize, value: Value) {
        assert!(self.outstanding.is_none(), "a cell while a destination is outstanding");
        let row = self.row.as_mut().expect("a cell within a row");
        assert_eq!(row.len(), column, "the cells come in their order");
        row.push(value);
    }
}

impl RowSink for Recorder {
    fn begin_row(&mut self, cells: usize) {
        assert!(self.row.is_none() && self.outstanding.is_none());
        self.row = Some(Vec::with_capacity(cells));
    }

    fn end_row(&mut self) -> Result<(), Refused> {
        assert!(self.outstanding.is_none());
        self.rows.push(self.row.take().expect("a row that has begun"));
        Ok(())
    }

    fn abandon_row(&mut self) {
        assert!(self.outstanding.is_none(), "the destination is given back before the row");
        assert!(self.row.take().is_some(), "a row that has begun");
        self.abandoned_rows += 1;
    }

    fn destination(&mut self, cell: Cell, progress: Progress) -> Option<Destination<'_>> {
        let at_once = self.ways.destination?;
        assert_eq!(self.row.as_ref().expect("a row").len(), cell.column);
        assert!(progress.here <= progress.room && progress.filled + progress.room <= cell.length);
        assert!(progress.room <= TRUSTED_BYTES.max(progress.filled).max(progress.here), "more than has been paid for");
        self.most_asked = self.most_asked.max(progress.room);
        let (memory, filled, of) =
            self.outstanding.get_or_insert_with(|| (vec![MaybeUninit::uninit(); cell.length].into(), 0, cell));
        assert_eq!((*of, *filled), (cell, progress.filled), "one destination at a time, filled from its beginning");
        let end = (*filled + at_once).min(cell.length);
        let room = &mut memory[*filled..end];
        Some(Destination::new(room, filled))
    }

    fn end_destination(&mut self, cell: Cell, ended: Ended) {
        let (memory, filled, of) = self.outstanding.take().expect("a destination that is outstanding");
        assert_eq!(of, cell);
        if ended == Ended::Abandoned {
            self.abandoned += 1;
            return;
        }
        assert_eq!(filled, cell.length);
        self.filled += 1;
        // SAFETY: the first `filled` bytes were written by `Destination`, which alone raises the count.
        let value = memory.iter().map(|byte| unsafe { byte.assume_init() }).collect();
        self.push(cell.column, Value::of(value, cell.encoding));
    }

    fn borrowed(&mut self, cell: Cell, bytes: &[u8]) -> bool {
        if self.ways.borrows {
            assert_eq!(cell.length, bytes.len());
            self.push(cell.column, Value::of(bytes.to_vec(), cell.encoding));
        }
        self.ways.borrows
    }

    fn value(&mut self, column: usize, value: Value) {
        self.push(column, value);
    }
}

/// Pushes the pieces; other messages are skipped, as whoever knows them would read them.
fn push_all<'a, S: RowSink>(
    decoder: &mut RowDecoder,
    pieces: impl IntoIterator<Item = &'a [u8]>,
    sink: &mut S,
    mut said: impl FnMut(&mut S, Step),
) {
    let mut skip = 0;
    for mut piece in pieces {
        loop {
            let skipped = skip.min(piece.len());
            piece = &piece[skipped..];
            skip -= skipped;
            let (done, step) = decoder.push(piece, sink);
            piece = &piece[done..];
            match step {
                Step::More => {
                    assert!(piece.is_empty());
                    break;
                }
                // in these tests all other messages are of 5 bytes and in one piece, or there are none
                Step::Stopped => skip = 5,
                step => said(sink, step),
            }
        }
    }
}

fn outcome(plan: &[Kind], pieces: &[&[u8]], ways: Ways) -> (Outcome, Recorder) {
    let mut decoder = RowDecoder::new(plan.to_vec());
    let mut sink = Recorder::new(ways);
    let mut faults = Vec::new();
    push_all(&mut decoder, pieces.iter().copied(), &mut sink, |sink, step| {
        faults.push((sink.rows.len(), format!("{step:?}")));
    });
    assert!(decoder.is_between_rows(), "the stream is whole");
    assert_eq!(decoder.held(), 0);
    assert!(sink.row.is_none() && sink.outstanding.is_none(), "nothing is left outstanding");
    let mut outcome: Outcome = std::mem::take(&mut sink.rows).into_iter().map(Ok).collect();
    for (at, fault) in faults.into_iter().rev() {
        outcome.insert(at, Err(fault));
    }
    (outcome, sink)
}

fn same(found: &Outcome, expected: &[Option<Row>]) -> bool {
    let nan = |value: &Value| matches!(value, Value::Float(value) | Value::Millis(value) if value.is_nan());
    found.len() == expected.len()
        && found.iter().zip(expected).all(|pair| match pair {
            (Ok(found), Some(expected)) => {
                found.len() == expected.len()
                    && found
                        .iter()
                        .zip(expected)
                        .all(|(a, b)| a == b && format!("{a:?}") == format!("{b:?}") || nan(a) && nan(b))
            }
            (Err(_), None) => true,
            _ => false,
        })
}

const WAYS: [Ways; 6] = [
    Ways { destination: None, borrows: false },
    Ways { destination: None, borrows: true },
    Ways { destination: Some(usize::MAX >> 1), borrows: false },
    Ways { destination: Some(1), borrows: true },
    Ways { destination: Some(7), borrows: true },
    Ways { destination: Some(1000), borrows: false },
];

fn check(plan: &[Kind], stream: &[u8], pieces: &[&[u8]], ways: Ways) {
    let expected: Vec<Option<Row>> = naive::messages(stream)
        .0
        .iter()
        .filter(|(tag, ..)| *tag == b'D')
        .map(|(_, _, body)| naive_row(plan, body))
        .collect();
    let (found, sink) = outcome(plan, pieces, ways);
    assert!(same(&found, &expected), "{found:?}\nis not\n{expected:?}");
    if ways.destination.is_none() {
        assert_eq!((sink.filled, sink.abandoned), (0, 0));
    }
    // However it is cut, the same is said of a malformed row.
    let (whole, _) = outcome(plan, &[stream], ways);
    assert_eq!(format!("{found:?}"), format!("{whole:?}"));
}

fn check_all_cuts(plan: &[Kind], stream: &[u8]) {
    for ways in WAYS {
        check(plan, stream, &[stream], ways);
        for cut in 0..=stream.len() {
            let (head, tail) = stream.split_at(cut);
            check(plan, stream, &[head, &[], tail], ways);
        }
        for size in [1, 2, 3, 4, 5, 7, 13, 64] {
            check(plan, stream, &stream.chunks(size).collect::<Vec<_>>(), ways);
        }
    }
}

fn text(text: &str) -> Option<Vec<u8>> {
    Some(text.as_bytes().to_vec())
}

/// Cells of each kind, good and odd.
fn samples(kind: Kind) -> Vec<Option<Vec<u8>>> {
    let texts = |list: &[&str]| list.iter().map(|&item| text(item)).collect::<Vec<_>>();
    let mut cells = match kind {
        Kind::Text => texts(&["", "a", "漢字", "a longer text of thirty letters"]),
        Kind::Binary => vec![Some(vec![0, 255, 128]), Some(vec![])],
        Kind::Int => texts(&["0", "-1", "2147483647", "-2147483648", "2147483648", "5abc", "-0", "", "007"]),
        Kind::Int8 => texts(&["0", "9007199254740993", "-9223372036854775808", "9223372036854775808", "01", "-0"]),
        Kind::Oid => texts(&["0", "4294967295", "4294967296", "-5", "x"]),
        Kind::Float => texts(&["0.1", "-0", "NaN", "Infinity", "-Infinity", "1e-7", "1.5 m", ""]),
        Kind::Bool => texts(&["t", "f", "true", "T"]),
        Kind::ZonedMillis | Kind::ZonedMicros => texts(&[
            "2026-08-18 09:12:00.123456+02",
            "infinity",
            "-infinity",
            "18.08.2026",
            "1969-12-31 23:59:59.9999+00",
        ]),
        Kind::LocalMillis | Kind::LocalMicros => texts(&["2026-08-18 09:12:00.5", "2026-08-18", "infinity", "today"]),
        Kind::Bytea => {
            texts(&["\\x", "\\x00ff80", "\\xABCDEF0123456789abcdef", "\\", "escaped\\000", "\\x0", "\\x0g", "\\xg0"])
        }
        Kind::BinaryInt2 => vec![Some(vec![255, 254]), Some(vec![1])],
        Kind::BinaryInt4 | Kind::BinaryOid | Kind::BinaryFloat4 | Kind::BinaryDate => {
            vec![Some(vec![255, 254, 253, 252]), Some(vec![0; 4]), Some(vec![0; 8])]
        }
        Kind::BinaryInt8 | Kind::BinaryFloat8 => {
            vec![Some(vec![0x7f; 8]), Some(vec![0x80, 0, 0, 0, 0, 0, 0, 1]), Some(vec![])]
        }
        Kind::BinaryMillis | Kind::BinaryMicros => vec![
            Some(vec![0, 2, 200, 1, 2, 3, 4, 5]),
            Some(i64::MAX.to_be_bytes().to_vec()),
            Some((i64::MAX - 1).to_be_bytes().to_vec()),
            Some(i64::MIN.to_be_bytes().to_vec()),
            Some(vec![0; 7]),
        ],
        Kind::BinaryBool => vec![Some(vec![0]), Some(vec![1]), Some(vec![2])],
        Kind::BinaryUuid => vec![Some((0x78..0x88).collect()), Some(vec![0; 15])],
        Kind::BinaryJsonb => {
            vec![Some(b"\x01{}".to_vec()), Some(b"\x01".to_vec()), Some(b"\x02{}".to_vec()), Some(vec![])]
        }
        Kind::BinaryNumeric | Kind::BinaryNumericText => {
            vec![Some(vec![0, 1, 0, 0, 0, 0, 0, 0, 0, 7]), Some(vec![0, 1, 0, 0, 0, 0, 0, 0])]
        }
    };
    cells.push(None);
    cells
}

#[test]
fn each_kind_by_each_way_at_each_cut() {
    for kind in Kind::ALL {
        let stream: Vec<u8> = samples(kind).into_iter().flat_map(|cell| data_row(&vec![cell, text("|")])).collect();
        check_all_cuts(&[kind, Kind::Text], &stream);
    }
}

#[test]
fn rows_of_all_shapes_at_each_cut() {
    check_all_cuts(&[], &[data_row(&vec![]), data_row(&vec![]), data_row(&vec![text("a")])].concat());
    check_all_cuts(&[Kind::Text; 3], &data_row(&vec![None; 3]).repeat(3));
    let big = vec![text("x"), Some(vec![b'y'; 300]), Some(b"\\x".iter().copied().chain([b'4'; 400]).collect())];
    check_all_cuts(&[Kind::Int, Kind::Text, Kind::Bytea], &data_row(&big).repeat(2));
    // bytes behind the last cell are nobody's
    check_all_cuts(&[], &[message(b'D', b"\0\x01\0\0\0\x01abcd"), data_row(&vec![text("b")])].concat());
}

#[test]
fn f26_malformed_rows_are_abandoned_and_the_next_one_is_read() {
    let good = data_row(&vec![text("1"), text("two")]);
    for bad in [
        &b""[..],
        b"\0",
        b"\0\x02",
        b"\0\x02\0\0\0",
        b"\0\x02\0\0\0\x01a",
        b"\0\x02\0\0\0\x01a\0\0\0",
        b"\0\x02\0\0\0\x01a\0\0\0\x04abc",
        b"\0\x02\0\0\0\x01a\xff\xff\xff\xfe",
        b"\0\x02\0\0\0\x01a\x80\0\0\0",
        b"\0\x02\0\0\0\x01a\x7f\xff\xff\xffab",
        b"\0\x02\x3f\xff\xff\xffab",
        b"\0\x01\0\0\0\x01a",
        b"\0\x03\0\0\0\x01a\xff\xff\xff\xff\xff\xff\xff\xff",
        b"\xff\xff",
    ] {
        let stream = [&good[..], &message(b'D', bad), &good, &message(b'D', bad), &message(b'D', bad), &good].concat();
        check_all_cuts(&[Kind::Int, Kind::Text], &stream);
    }
}

#[test]
fn an_impossible_length_ends_the_stream() {
    for length in [0_u32, 3, 0x4000_0000, u32::MAX] {
        let mut stream = data_row(&vec![text("a")]);
        stream.push(b'D');
        stream.extend(length.to_be_bytes());
        stream.extend(data_row(&vec![text("b")]));
        for cut in 0..=stream.len() {
            let (head, tail) = stream.split_at(cut);
            let (found, sink) = outcome(&[], &[head, tail], WAYS[3]);
            assert_eq!(found.len(), 2);
            assert!(found[0].is_ok() && found[1].as_ref().is_err_and(|said| said.starts_with("Lost")), "{found:?}");
            assert_eq!(sink.abandoned_rows, 0);
        }
    }
}

#[test]
fn other_messages_are_left_to_others() {
    let row = data_row(&vec![text("abc")]);
    let stream = [&row[..], b"s\0\0\0\x04", &row].concat();
    let mut sink = DefaultSink::default();
    let mut decoder = RowDecoder::new(vec![]);
    assert_eq!(decoder.push(&stream, &mut sink), (row.len(), Step::Stopped));
    assert_eq!(decoder.push(&stream[row.len()..], &mut sink), (0, Step::Stopped));
    assert_eq!(decoder.push(&stream[row.len() + 5..], &mut sink), (row.len(), Step::More));
    assert_eq!(sink.rows.len(), 2);
}

/// Wherever the stream ends, nothing stays outstanding and no half row is given.
#[test]
fn a_stream_that_ends_in_a_row_abandons_it() {
    let plan = [Kind::Int, Kind::Text, Kind::Bytea, Kind::Binary];
    let row = data_row(&vec![text("7"), text("some text"), text("\\x0123456789"), Some(vec![9; 9])]);
    let stream = row.repeat(2);
    for ways in WAYS {
        let mut abandoned = 0;
        for cut in 0..stream.len() {
            for size in [1, 5, stream.len()] {
                let mut sink = Recorder::new(ways);
                let mut decoder = RowDecoder::new(plan.to_vec());
                push_all(&mut decoder, stream[..cut].chunks(size), &mut sink, |_, step| panic!("{step:?}"));
                let outstanding = usize::from(sink.outstanding.is_some());
                let begun = usize::from(sink.row.is_some());
                decoder.abandon(&mut sink);
                assert_eq!((sink.abandoned, sink.abandoned_rows), (outstanding, begun));
                assert!(sink.outstanding.is_none() && sink.row.is_none());
                assert_eq!(sink.rows.len(), cut / row.len());
                assert_eq!((decoder.held(), decoder.is_between_rows()), (0, true));
                abandoned += outstanding;
                // and the next stream is read from its beginning
                assert_eq!(decoder.push(&row, &mut sink), (row.len(), Step::More));
                assert_eq!(sink.rows.len(), cut / row.len() + 1);
            }
        }
        assert_eq!(abandoned > 0, ways.destination.is_some());
    }
}

#[test]
fn a_bad_digit_in_the_middle_gives_the_destination_back() {
    let digits = |bad: usize| {
        let mut cell = b"\\x".to_vec();
        cell.extend((0..3000).map(|i| if i == bad { b'g' } else { b'a' }));
        Some(cell)
    };
    for bad in [0, 1, 1000, 2998, 2999] {
        let stream = [data_row(&vec![digits(bad)]), data_row(&vec![digits(usize::MAX)])].concat();
        for size in [1, 10, 999, 1500] {
            let (found, sink) = outcome(
                &[Kind::Bytea],
                &stream.chunks(size).collect::<Vec<_>>(),
                Ways { destination: Some(512), borrows: false },
            );
            assert!(found[0].as_ref().is_err_and(|said| said.contains("no hex digit")), "{found:?}");
            assert_eq!(found[1], Ok(vec![Value::Binary(vec![0xaa; 1500])]));
            assert_eq!((sink.abandoned, sink.filled, sink.abandoned_rows), (1, 1, 1));
        }
    }
}

#[test]
fn a_false_length_gets_no_memory() {
    let mut head = b"D\x38\x40\0\0\0\x01\x38\x3f\xff\xf6".to_vec(); // 900 MiB
    head.extend(b"some bytes");
    let mut sink = Recorder::new(Ways { destination: Some(1 << 16), borrows: false });
    // A sink that makes room as it is asked to, and no more.
    #[derive(Default)]
    struct Careful {
        memory: Vec<u8>,
        most: usize,
    }
    impl RowSink for Careful {
        fn destination(&mut self, _cell: Cell, progress: Progress) -> Option<Destination<'_>> {
            self.memory.reserve(progress.room);
            self.most = self.most.max(progress.room);
            Some(Destination::of_vec(&mut self.memory, progress.room))
        }
    }
    let mut careful = Careful::default();
    let mut decoder = RowDecoder::new(vec![]);
    assert_eq!(decoder.push(&head, &mut careful), (head.len(), Step::More));
    assert_eq!((careful.most, &careful.memory[..]), (TRUSTED_BYTES, &b"some bytes"[..]));
    decoder.abandon(&mut careful);
    sink.ways.destination = None;
    assert_eq!(decoder.push(&head, &mut sink), (head.len(), Step::More));
    assert_eq!(decoder.held(), 10);
    decoder.abandon(&mut sink);
}

#[test]
fn a_large_value_grows_by_doubling() {
    let size = 9 << 20;
    let value: Vec<u8> = (0..size).map(|i| (i % 251) as u8).collect();
    let stream = data_row(&vec![Some(value.clone())]);
    for ways in WAYS {
        let ways = Ways { destination: ways.destination.map(|room| room.max(1 << 16)), ..ways };
        let (found, sink) = outcome(&[Kind::Binary], &stream.chunks(65_536).collect::<Vec<_>>(), ways);
        assert!(found == [Ok(vec![Value::Binary(value.clone())])]);
        assert!(sink.most_asked <= size / 2 + 65_536);
    }
}

#[test]
fn a_sink_without_room_refuses_the_row_and_no_other() {
    /// Gives `room` bytes and no more.
    struct Small {
        room: usize,
        rows: usize,
        ended: Vec<Ended>,
        memory: Vec<u8>,
    }
    impl RowSink for Small {
        fn destination(&mut self, _cell: Cell, progress: Progress) -> Option<Destination<'_>> {
            if progress.filled == 0 {
                self.memory.clear();
            }
            let room = self.room - progress.filled;
            Some(Destination::of_vec(&mut self.memory, room))
        }
        fn end_destination(&mut self, _cell: Cell, ended: Ended) {
            self.ended.push(ended);
        }
        fn end_row(&mut self) -> Result<(), Refused> {
            self.rows += 1;
            Ok(())
        }
    }
    let stream = [data_row(&vec![text("12345678")]), data_row(&vec![text("1234")])].concat();
    for kind in [Kind::Text, Kind::Bytea] {
        let stream = if kind == Kind::Text {
            stream.clone()
        } else {
            [data_row(&vec![text("\\x0102030405060708")]), data_row(&vec![text("\\x01020304")])].concat()
        };
        for size in 1..=stream.len() {
            let mut small = Small { room: 5, rows: 0, ended: vec![], memory: vec![] };
            let mut said = vec![];
            push_all(&mut RowDecoder::new(vec![kind]), stream.chunks(size), &mut small, |_, step| said.push(step));
            assert_eq!(said, [Step::Refused(Refused { column: 0, why: Refusal::NoRoom })]);
            assert_eq!((small.rows, &small.ended[..]), (1, &[Ended::Abandoned, Ended::Filled][..]), "{kind:?} {size}");
        }
    }
}

#[test]
fn a_sink_that_wants_no_values_still_has_its_rows_checked() {
    #[derive(Default)]
    struct Counter {
        begun: usize,
        ended: usize,
        abandoned: usize,
    }
    impl RowSink for Counter {
        fn wants_values(&self) -> bool {
            false
        }
        fn begin_row(&mut self, _cells: usize) {
            self.begun += 1;
        }
        fn end_row(&mut self) -> Result<(), Refused> {
            self.ended += 1;
            Ok(())
        }
        fn abandon_row(&mut self) {
            self.abandoned += 1;
        }
        fn null(&mut self, _column: usize) {
            panic!("no value is wanted");
        }
        fn value(&mut self, _column: usize, _value: Value) {
            panic!("no value is wanted");
        }
    }
    // what is no integer is not looked at
    let good = data_row(&vec![text("x"), None, text("\\xg")]);
    let bad = message(b'D', b"\0\x03\0\0\0\x01a\0\0\0\x09abc\xff\xff\xff\xff");
    let stream = [&good[..], &bad, &good].concat();
    for size in 1..=stream.len() {
        let mut counter = Counter::default();
        let mut said = 0;
        let mut decoder = RowDecoder::new(vec![Kind::BinaryInt4, Kind::Int, Kind::Bytea]);
        push_all(&mut decoder, stream.chunks(size), &mut counter, |_, step| {
            assert!(matches!(step, Step::Malformed(_)));
            said += 1;
        });
        assert_eq!((counter.begun, counter.ended, counter.abandoned, said), (3, 2, 1, 1));
    }
}

#[test]
fn a_sink_that_wants_no_row_stops_the_decoder_in_front_of_it() {
    struct Two(DefaultSink);
    impl RowSink for Two {
        fn wants_row(&self) -> bool {
            self.0.rows.len() < 2
        }
        fn end_row(&mut self) -> Result<(), Refused> {
            self.0.end_row()
        }
        fn value(&mut self, column: usize, value: Value) {
            self.0.value(column, value);
        }
    }
    let row = data_row(&vec![text("abc")]);
    let stream = row.repeat(3);
    let mut sink = Two(DefaultSink::default());
    let mut decoder = RowDecoder::new(vec![]);
    assert_eq!(decoder.push(&stream, &mut sink), (2 * row.len(), Step::Stopped));
    sink.0.rows.clear();
    assert_eq!(decoder.push(&stream[2 * row.len()..], &mut sink), (row.len(), Step::More));
    assert_eq!(sink.0.rows, [[Value::Text(b"abc".to_vec())]]);
}

/// What a sink that overrides nothing makes of a stream: nothing, without a fault.
#[test]
fn a_sink_may_override_nothing() {
    struct Nothing;
    impl RowSink for Nothing {}
    for kind in Kind::ALL {
        let good: Vec<u8> = samples(kind)
            .into_iter()
            .filter(|cell| naive_cell(kind, cell.as_deref()).is_some())
            .flat_map(|cell| data_row(&vec![cell]))
            .collect();
        for size in [1, 3, 1000] {
            push_all(&mut RowDecoder::new(vec![kind]), good.chunks(size), &mut Nothing, |_, step| panic!("{step:?}"));
        }
    }
}

/// Reads columns back as rows.
fn rows_of(columns: &Columns) -> Vec<Row> {
    (0..columns.rows())
        .map(|row| {
            (0..columns.len())
                .map(|index| {
                    let column = columns.column(index);
                    let validity = column.validity(columns.rows());
                    if validity.is_some_and(|bits| bits[row / 8] >> (row % 8) & 1 == 0) {
                        return Value::Null;
                    }
                    match &column.values {
                        Values::Int(values) => Value::Int(values[row]),
                        Values::Int8(values) => Value::Int8(values[row]),
                        Values::Oid(values) => Value::Oid(values[row]),
                        Values::Float(values) => Value::Float(values[row]),
                        Values::Bool(values) => Value::Bool(values[row] == 1),
                        Values::Millis(values) => Value::Millis(values[row]),
                        Values::Micros(values) => Value::Micros(values[row]),
                        Values::Bytes { offsets, data, encoding } => {
                            Value::of(data[offsets[row] as usize..offsets[row + 1] as usize].to_vec(), *encoding)
                        }
                        Values::None => panic!("no column was taken out"),
                    }
                })
                .collect()
        })
        .collect()
}

fn check_columns(plan: &[Kind], stream: &[u8], pieces: &[&[u8]]) {
    // Of an int column only the rows that have an int in it, and so on, are taken.
    let fits = |row: &Row| {
        row.iter().zip(plan).all(|(value, kind)| match value {
            Value::Null => true,
            Value::Text(_) => {
                matches!(kind, Kind::Text | Kind::BinaryNumericText | Kind::BinaryUuid | Kind::BinaryJsonb)
            }
            Value::Binary(_) => matches!(kind, Kind::Binary | Kind::Bytea),
            _ => true,
        })
    };
    let expected: Vec<Option<Row>> =
        naive::messages(stream).0.iter().map(|(_, _, body)| naive_row(plan, body).filter(&fits)).collect();
    let mut columns = Columns::new(plan);
    let mut refused = 0;
    push_all(&mut RowDecoder::new(plan.to_vec()), pieces.iter().copied(), &mut columns, |_, step| match step {
        Step::Malformed(_) | Step::Refused(Refused { why: Refusal::Unfit, .. }) => refused += 1,
        step => panic!("{step:?}"),
    });
    let found: Outcome = rows_of(&columns).into_iter().map(Ok).collect();
    assert_eq!(refused, expected.iter().filter(|row| row.is_none()).count());
    let expected: Vec<_> = expected.into_iter().filter(Option::is_some).collect();
    assert!(same(&found, &expected), "{found:?}\nis not\n{expected:?}");
}

#[test]
fn columns_of_each_kind_at_each_cut() {
    for kind in Kind::ALL {
        let stream: Vec<u8> =
            samples(kind).into_iter().flat_map(|cell| data_row(&vec![text("before"), cell, text("\\x12")])).collect();
        let plan = [Kind::Text, kind, Kind::Bytea];
        check_columns(&plan, &stream, &[&stream]);
        for cut in 0..=stream.len() {
            let (head, tail) = stream.split_at(cut);
            check_columns(&plan, &stream, &[head, tail]);
        }
        check_columns(&plan, &stream, &stream.chunks(1).collect::<Vec<_>>());
    }
}

#[test]
fn validity_has_a_bit_for_each_row() {
    for rows in 0..=17_usize {
        for null in 0..rows {
            let mut columns = Columns::new(&[Kind::Int]);
            for row in 0..rows {
                columns.begin_row(1);
                if row == null {
                    columns.null(0)
                } else {
                    columns.int(0, 1)
                }
                columns.end_row().unwrap();
            }
            let bits = columns.column(0).validity(rows).unwrap();
            assert_eq!(bits.len(), rows.div_ceil(8));
            for place in 0..bits.len() * 8 {
                assert_eq!(bits[place / 8] >> (place % 8) & 1 == 1, place < rows && place != null);
            }
        }
    }
}

#[test]
fn a_column_that_was_taken_out_keeps_nothing_more() {
    let mut columns = Columns::new(&[Kind::Int, Kind::Text, Kind::Bytea]);
    let mut decoder = RowDecoder::new(vec![Kind::Int, Kind::Text, Kind::Bytea]);
    let row = data_row(&vec![text("1"), text("abc"), text("\\xff")]);
    decoder.push(&row, &mut columns);
    for index in 0..3 {
        assert_ne!(columns.take(index).values, Values::None);
    }
    let odd = data_row(&vec![text("one"), None, text("escaped")]);
    for size in [1, 100] {
        push_all(&mut decoder, [&row[..], &odd].concat().chunks(size), &mut columns, |_, step| panic!("{step:?}"));
    }
    assert_eq!(columns.rows(), 5);
    for index in 0..3 {
        assert_eq!((&columns.column(index).values, columns.column(index).nulls.len()), (&Values::None, 0));
    }
}

/// A column of 2 GiB needs no such column to be tested: the sink is told of the length before the bytes come.
#[test]
fn more_than_offsets_can_tell_is_refused_before_it_overflows() {
    let mut columns = Columns::new(&[Kind::Text]);
    let cell = Cell { column: 0, length: MOST_COLUMN_BYTES + 1, encoding: Encoding::Text };
    columns.begin_row(1);
    assert!(columns.destination(cell, Progress::new(cell.length, 0, 10)).is_none());
    let cell = Cell { length: MOST_COLUMN_BYTES, ..cell };
    assert!(columns.destination(cell, Progress::new(cell.length, 0, 10)).is_some());
}

prop_compose! {
    fn column()(kind in prop::sample::select(Kind::ALL.to_vec()))(
        kind in Just(kind),
        cells in prop::collection::vec(prop_oneof![
            4 => prop::sample::select(samples(kind)),
            1 => prop::option::of(prop::collection::vec(any::<u8>(), 0..60)),
            1 => "[0-9a-f]{0,40}".prop_map(|hex| Some(format!("\\x{hex}{hex}").into_bytes())),
        ], 12)
    ) -> (Kind, Vec<Option<Vec<u8>>>) {
        (kind, cells)
    }
}

fn pieces_of<'a>(stream: &'a [u8], cuts: &[usize]) -> Vec<&'a [u8]> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (stream.len() + 1)).collect();
    cuts.extend([0, stream.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect()
}

proptest! {
    #[test]
    fn any_rows_by_any_way_are_what_the_naive_reading_has(
        columns in prop::collection::vec(column(), 1..6), rows in 1..12_usize,
        damage in prop::option::weighted(0.3, (any::<usize>(), any::<u8>())),
        cuts in prop::collection::vec(any::<usize>(), 0..8),
        destination in prop::option::of(1..40_usize), borrows: bool
    ) {
        let plan: Vec<Kind> = columns.iter().map(|(kind, _)| *kind).collect();
        let mut stream = Vec::new();
        for row in 0..rows {
            let mut message = data_row(&columns.iter().map(|(_, cells)| cells[row].clone()).collect());
            if let Some((place, byte)) = damage && place % rows == row {
                // The frame stays whole: what is wrong is within the row.
                let place = 5 + place % (message.len() - 5);
                message[place] = byte;
            }
            stream.extend(message);
        }
        let pieces = pieces_of(&stream, &cuts);
        check(&plan, &stream, &pieces, Ways { destination, borrows });
        check_columns(&plan, &stream, &pieces);
    }

    #[test]
    fn any_bodies_are_rows_or_are_not(
        bodies in prop::collection::vec(prop::collection::vec(prop_oneof![3 => Just(0), 1 => 1u8..6, 1 => Just(0xff), 1 => any::<u8>()], 0..40), 1..8),
        plan in prop::collection::vec(prop::sample::select(Kind::ALL.to_vec()), 0..3),
        cuts in prop::collection::vec(any::<usize>(), 0..8), destination in prop::option::of(1..5_usize)
    ) {
        let stream: Vec<u8> = bodies.iter().flat_map(|body| message(b'D', body)).collect();
        check(&plan, &stream, &pieces_of(&stream, &cuts), Ways { destination, borrows: false });
    }
}
