//! Each kind of cell by each way that a sink offers, and rows that do not end well.

use super::*;

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
