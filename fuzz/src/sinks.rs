//! Rows to a sink from a stream that is cut anywhere and given by destinations, borrowed or owned, against the same stream in
//! one piece and owned values; which rows there are and what their untyped cells hold, against [`naive::cells`].
//!
//! Input: how the sink takes values (1 byte), number of columns (1 byte), that many kinds, number of cuts (1 byte), that many cuts
//! (2 bytes each), the stream.

use pg_protocol_native::{
    naive,
    sink::{Cell, Destination, Ended, Kind, Progress, Refused, RowDecoder, RowSink, Step, TRUSTED_BYTES, Value},
};

pub fn check(input: &[u8]) {
    let Some((&way, rest)) = input.split_first() else { return };
    let Some((&columns, rest)) = rest.split_first() else { return };
    let Some((kinds, rest)) = rest.split_at_checked(usize::from(columns % 16)) else { return };
    let Some((&cuts, rest)) = rest.split_first() else { return };
    let Some((cuts, stream)) = rest.split_at_checked(2 * usize::from(cuts)) else { return };
    let plan: Vec<Kind> = kinds.iter().map(|&kind| Kind::of(kind % 22)).collect();
    let mut cuts: Vec<usize> =
        cuts.as_chunks().0.iter().map(|cut| usize::from(u16::from_be_bytes(*cut)) % (stream.len() + 1)).collect();
    cuts.extend([0, stream.len()]);
    cuts.sort_unstable();
    let pieces: Vec<&[u8]> = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]).collect();

    let whole = outcome(&plan, &[stream], Taker::default());
    let ways = Taker { at_once: usize::from(way >> 1), borrows: way & 1 == 1, ..Taker::default() };
    let cut = outcome(&plan, &pieces, ways);
    // not by `==`, for which no NaN is like another one
    assert_eq!(format!("{cut:?}"), format!("{whole:?}"), "cut at {cuts:?}");
    check_rows(&plan, stream, &whole);
}

/// What became of a row, or ended the stream.
#[derive(Debug)]
enum Event {
    Row(Vec<Value>),
    Malformed(String),
    Lost(u8, u32),
}

/// Reads as far as there are rows: another message ends it.
fn outcome(plan: &[Kind], pieces: &[&[u8]], mut sink: Taker) -> Vec<Event> {
    let mut decoder = RowDecoder::new(plan.to_vec());
    'stream: for piece in pieces {
        let mut rest = *piece;
        loop {
            let (done, step) = decoder.push(rest, &mut sink);
            rest = &rest[done..];
            match step {
                Step::More => break,
                Step::Stopped => break 'stream,
                Step::Malformed(malformed) => sink.events.push(Event::Malformed(malformed.what)),
                Step::Lost(lost) => {
                    sink.events.push(Event::Lost(lost.tag, lost.length));
                    break 'stream;
                }
                Step::Refused(refused) => panic!("{refused}: the sink refuses nothing"),
            }
        }
        assert!(rest.is_empty());
    }
    decoder.abandon(&mut sink);
    assert!(decoder.is_between_rows() && decoder.held() == 0);
    assert!(sink.row.is_none() && sink.outstanding.is_none(), "nothing is left outstanding");
    sink.events
}

fn check_rows(plan: &[Kind], stream: &[u8], events: &[Event]) {
    let (messages, rest) = naive::messages(stream);
    let rows: Vec<_> = messages.iter().take_while(|(tag, ..)| *tag == b'D').collect();
    let mut events = events.iter();
    for (_, _, body) in &rows {
        let cells = naive::cells(body).filter(|cells| plan.is_empty() || cells.len() == plan.len());
        match (events.next(), cells) {
            (Some(Event::Row(row)), Some(cells)) => {
                assert_eq!(row.len(), cells.len());
                for (column, (value, cell)) in row.iter().zip(cells).enumerate() {
                    let kind = plan.get(column).copied().unwrap_or(Kind::Text);
                    match (kind, cell) {
                        (_, None) => assert_eq!(*value, Value::Null),
                        (Kind::Text, Some(cell)) => assert_eq!(*value, Value::Text(cell)),
                        (Kind::Binary, Some(cell)) => assert_eq!(*value, Value::Binary(cell)),
                        (_, Some(_)) => assert_ne!(*value, Value::Null),
                    }
                }
            }
            // bytes that are no value of their kind, or no hex digits
            (Some(Event::Malformed(_)), Some(_)) => {
                assert!(plan.iter().any(|kind| !matches!(kind, Kind::Text | Kind::Binary)));
            }
            (Some(Event::Malformed(what)), None) => assert!(!what.is_empty()),
            (found, cells) => panic!("{found:?} in place of {cells:?}"),
        }
    }
    let lost = rest.err().filter(|_| rows.len() == messages.len());
    match (events.next(), lost) {
        (Some(Event::Lost(b'D', length)), Some(expected)) => assert_eq!(*length, expected),
        // The length of another message is not for this decoder. Of a message that has no end yet the cells may all be
        // there, or one of them may be wrong.
        (None | Some(Event::Row(_) | Event::Malformed(_)), _) => {}
        (found, _) => panic!("{found:?} behind the last row"),
    }
    assert!(events.next().is_none());
}

/// Takes values by destinations of some bytes at a time, borrowed, or owned, and keeps what came of it.
#[derive(Default)]
struct Taker {
    /// 0: no destinations.
    at_once: usize,
    borrows: bool,
    events: Vec<Event>,
    row: Option<Vec<Value>>,
    outstanding: Option<(Vec<u8>, Cell)>,
}

impl Taker {
    fn push(&mut self, column: usize, value: Value) {
        assert!(self.outstanding.is_none(), "a cell while a destination is outstanding");
        let row = self.row.as_mut().expect("a cell within a row");
        assert_eq!(row.len(), column, "the cells come in their order");
        row.push(value);
    }
}

impl RowSink for Taker {
    fn begin_row(&mut self, _cells: usize) {
        assert!(self.row.replace(Vec::new()).is_none());
    }

    fn end_row(&mut self) -> Result<(), Refused> {
        self.events.push(Event::Row(self.row.take().expect("a row that has begun")));
        Ok(())
    }

    fn abandon_row(&mut self) {
        assert!(self.outstanding.is_none(), "the destination is given back before the row");
        assert!(self.row.take().is_some(), "a row that has begun");
    }

    fn destination(&mut self, cell: Cell, progress: Progress) -> Option<Destination<'_>> {
        if self.at_once == 0 {
            return None;
        }
        assert!(progress.here <= progress.room && progress.filled + progress.room <= cell.length);
        assert!(progress.room <= TRUSTED_BYTES.max(progress.filled).max(progress.here), "more than has been paid for");
        let (value, of) = self.outstanding.get_or_insert((Vec::new(), cell));
        assert_eq!((*of, value.len()), (cell, progress.filled), "one at a time, filled from its beginning");
        Some(Destination::of_vec(value, self.at_once.min(progress.room)))
    }

    fn end_destination(&mut self, cell: Cell, ended: Ended) {
        let (value, of) = self.outstanding.take().expect("a destination that is outstanding");
        assert_eq!(of, cell);
        if ended == Ended::Filled {
            assert_eq!(value.len(), cell.length);
            self.push(cell.column, Value::of(value, cell.encoding));
        }
    }

    fn borrowed(&mut self, cell: Cell, bytes: &[u8]) -> bool {
        if self.borrows {
            assert_eq!(cell.length, bytes.len());
            self.push(cell.column, Value::of(bytes.to_vec(), cell.encoding));
        }
        self.borrows
    }

    fn value(&mut self, column: usize, value: Value) {
        self.push(column, value);
    }
}
