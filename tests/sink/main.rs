//! Sinks: rows by every way that a cell can go, from streams cut anywhere, against the naive reading.

mod columns;
mod generated;
mod naive_row;
mod ways;

use std::mem::MaybeUninit;

use pg_protocol_native::{
    naive::{self, values},
    sink::{
        Cell, Columns, DefaultSink, Destination, Encoding, Ended, Kind, MOST_COLUMN_BYTES, Progress, Refusal, Refused,
        RowDecoder, RowSink, Step, TRUSTED_BYTES, Value, columns::Values,
    },
};
use proptest::prelude::*;

use naive_row::{data_row, message, naive_cell, naive_row};

type Row = Vec<Value>;
type Bytes = Vec<Option<Vec<u8>>>;

type Outstanding = (Box<[MaybeUninit<u8>]>, usize, Cell);

/// What came of a stream: rows, and what was said of those that were not taken.
type Outcome = Vec<Result<Row, String>>;

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
