//! The rows of a COPY, in both formats and cut anywhere, against the rows that they were made of.

use pg_protocol_native::sink::{
    Columns, CopyDecoder, DefaultSink, Kind, Refused, RowSink, Step, Value, columns::Values,
};
use proptest::prelude::*;

type Row = Vec<Option<Vec<u8>>>;

fn binary(rows: &[Row], extension: &[u8]) -> Vec<u8> {
    let mut bytes = b"PGCOPY\n\xff\r\n\0\0\0\0\0".to_vec();
    bytes.extend((extension.len() as i32).to_be_bytes());
    bytes.extend(extension);
    for row in rows {
        bytes.extend((row.len() as i16).to_be_bytes());
        for cell in row {
            bytes.extend(cell.as_ref().map_or(-1, |cell| cell.len() as i32).to_be_bytes());
            bytes.extend(cell.iter().flatten());
        }
    }
    bytes.extend([0xff, 0xff]);
    bytes
}

/// As the server writes it: what has an escape gets it.
fn text(rows: &[Row]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in rows {
        for (i, cell) in row.iter().enumerate() {
            if i > 0 {
                bytes.push(b'\t');
            }
            let Some(cell) = cell else {
                bytes.extend(b"\\N");
                continue;
            };
            for byte in cell {
                let escape = match byte {
                    b'\\' => b'\\',
                    8 => b'b',
                    12 => b'f',
                    b'\n' => b'n',
                    b'\r' => b'r',
                    b'\t' => b't',
                    11 => b'v',
                    other => {
                        bytes.push(*other);
                        continue;
                    }
                };
                bytes.extend([b'\\', escape]);
            }
        }
        bytes.push(b'\n');
    }
    bytes
}

fn expected(rows: &[Row]) -> Vec<Vec<Value>> {
    let value = |cell: &Option<Vec<u8>>| cell.clone().map_or(Value::Null, Value::Text);
    rows.iter().map(|row| row.iter().map(value).collect()).collect()
}

fn decode<'a>(mut decoder: CopyDecoder, pieces: impl IntoIterator<Item = &'a [u8]>) -> (Vec<Vec<Value>>, Vec<String>) {
    let mut sink = DefaultSink::default();
    let mut said = Vec::new();
    for mut piece in pieces {
        loop {
            let (done, step) = decoder.push(piece, &mut sink);
            piece = &piece[done..];
            if step == Step::More {
                assert!(piece.is_empty());
                break;
            }
            said.push(format!("{step:?}"));
        }
    }
    said.extend(decoder.finish(&mut sink).err().map(|malformed| malformed.what));
    assert_eq!(decoder.held(), 0);
    (sink.rows, said)
}

fn check(rows: &[Row], size: usize) {
    let stream = text(rows);
    assert_eq!(decode(CopyDecoder::text(vec![]), stream.chunks(size)), (expected(rows), vec![]));
    for extension in [&b""[..], b"more of it"] {
        let stream = binary(rows, extension);
        assert_eq!(decode(CopyDecoder::binary(vec![]), stream.chunks(size)), (expected(rows), vec![]));
    }
}

fn cell(text: &[u8]) -> Option<Vec<u8>> {
    Some(text.to_vec())
}

#[test]
fn rows_of_both_formats_at_each_cut() {
    let rows = vec![
        vec![cell(b"1"), cell(b"plain"), None],
        vec![cell(b""), cell(b"a\tb\nc\\d\re\x08\x0b\x0c"), cell(b"\\N")],
        vec![None, cell("é漢😀".as_bytes()), cell(b"\\x00ff")],
    ];
    for size in 1..200 {
        check(&rows, size);
    }
    for (stream, make) in
        [(text(&rows), CopyDecoder::text as fn(Vec<Kind>) -> CopyDecoder), (binary(&rows, b"x"), CopyDecoder::binary)]
    {
        for cut in 0..=stream.len() {
            let (head, tail) = stream.split_at(cut);
            assert_eq!(decode(make(vec![]), [head, &[], tail]), (expected(&rows), vec![]));
        }
    }
}

#[test]
fn escapes_are_those_of_the_documentation() {
    let escaped = |text: &str| {
        let (rows, said) = decode(CopyDecoder::text(vec![]), [format!("{text}\n").as_bytes()]);
        assert_eq!(said, Vec::<String>::new());
        match &rows[0][..] {
            [Value::Text(text)] => text.clone(),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(escaped(r"\b\f\n\r\t\v\\"), b"\x08\x0c\n\r\t\x0b\\");
    assert_eq!(escaped(r"\101\7\08\1234"), b"A\x07\08S4");
    assert_eq!(escaped(r"\x41\x4\xg\x"), b"A\x04xgx");
    assert_eq!(escaped(r"\q\N"), b"qN");
    assert_eq!(escaped("end\\"), b"end\\");
}

#[test]
fn typed_cells_go_to_columns() {
    let plan = vec![Kind::Int, Kind::Bytea, Kind::Text];
    let rows = vec![vec![cell(b"42"), cell(b"\\x00ff"), cell(b"a")], vec![None, None, None]];
    for size in 1..40 {
        let mut columns = Columns::new(&plan);
        let mut decoder = CopyDecoder::text(plan.clone());
        for piece in text(&rows).chunks(size) {
            assert_eq!(decoder.push(piece, &mut columns), (piece.len(), Step::More));
        }
        decoder.finish(&mut columns).unwrap();
        assert_eq!(columns.rows(), 2);
        assert_eq!(columns.column(0).values, Values::Int(vec![42, 0]));
        assert!(matches!(&columns.column(1).values, Values::Bytes { data, .. } if data == &[0, 255]));
    }
    let plan = vec![Kind::BinaryInt4, Kind::Binary];
    let rows = vec![vec![cell(&[0, 0, 0, 7]), cell(&[1; 500])], vec![None, None]];
    for size in 1..600 {
        let mut columns = Columns::new(&plan);
        let mut decoder = CopyDecoder::binary(plan.clone());
        for piece in binary(&rows, b"").chunks(size) {
            assert_eq!(decoder.push(piece, &mut columns), (piece.len(), Step::More));
        }
        decoder.finish(&mut columns).unwrap();
        assert_eq!(columns.column(0).values, Values::Int(vec![7, 0]));
        assert!(matches!(&columns.column(1).values, Values::Bytes { data, .. } if data == &[1; 500]));
    }
}

#[test]
fn what_is_no_copy_is_refused() {
    let good = binary(&[vec![cell(b"abc")]], b"");
    let said = |bytes: &[u8], plan: Vec<Kind>| {
        let mut all: Vec<Vec<String>> = Vec::new();
        for size in 1..=bytes.len() {
            let (rows, said) = decode(CopyDecoder::binary(plan.clone()), bytes.chunks(size));
            assert!(rows.len() <= 1);
            all.push(said);
        }
        all.dedup();
        assert_eq!(all.len(), 1, "the same wherever it is cut: {all:?}");
        all.remove(0)
    };
    assert!(said(b"not a copy at all, but long enough", vec![])[0].contains("does not begin"));
    assert!(said(b"PGCOPY\n\xff\r\n\x01", vec![])[0].contains("does not begin"));
    let mut flagged = good.clone();
    flagged[12] = 1;
    assert!(said(&flagged, vec![])[0].contains("flags"));
    let mut negative = good.clone();
    negative[15] = 0xff;
    assert!(said(&negative, vec![])[0].contains("negative"));
    assert!(said(&[&good[..], b"x"].concat(), vec![])[0].contains("behind the end"));
    assert!(said(&good, vec![Kind::Text; 2])[0].contains("1 cells in a row of 2 columns"));
    assert!(said(&good, vec![Kind::BinaryInt4])[0].contains("cannot be read from 3 bytes"));
    let mut bad = good.clone();
    bad[21..25].copy_from_slice(&(-2_i32).to_be_bytes());
    assert!(said(&bad, vec![])[0].contains("the length -2"));
    bad[21..25].copy_from_slice(&i32::MAX.to_be_bytes());
    assert!(said(&bad, vec![])[0].contains("2147483647 bytes"));
    let mut count = good.clone();
    count[19..21].copy_from_slice(&(-2_i16).to_be_bytes());
    assert!(said(&count, vec![])[0].contains("a row of -2 cells"));
    for end in 0..good.len() {
        let (rows, said) = decode(CopyDecoder::binary(vec![]), [&good[..end]]);
        assert_eq!(said, ["the COPY ended in its middle"]);
        assert!(rows.len() <= 1);
    }
}

#[test]
fn a_text_copy_goes_on_behind_a_bad_line() {
    let stream = b"1\ta\n2\n3\tc\n";
    for size in 1..=stream.len() {
        let (rows, said) = decode(CopyDecoder::text(vec![Kind::Int, Kind::Text]), stream.chunks(size));
        assert_eq!(rows.len(), 2);
        assert_eq!(said.len(), 1);
        assert!(said[0].contains("1 cells in a row of 2 columns"));
    }
    let (rows, said) = decode(CopyDecoder::text(vec![]), [&b"1\ta\n2\tb"[..]]);
    assert_eq!((rows.len(), &said[..]), (1, &["the COPY ended in its middle".to_owned()][..]));
}

#[test]
fn a_sink_that_wants_no_row_stops_both() {
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
    let rows = vec![vec![cell(b"abc")]; 3];
    for (stream, mut decoder) in
        [(text(&rows), CopyDecoder::text(vec![])), (binary(&rows, b""), CopyDecoder::binary(vec![]))]
    {
        let mut sink = Two(DefaultSink::default());
        let (done, step) = decoder.push(&stream, &mut sink);
        assert_eq!((sink.0.rows.len(), step), (2, Step::Stopped));
        sink.0.rows.clear();
        assert_eq!(decoder.push(&stream[done..], &mut sink), (stream.len() - done, Step::More));
        assert_eq!(sink.0.rows.len(), 1);
        decoder.finish(&mut sink).unwrap();
    }
}

proptest! {
    #[test]
    fn any_rows_come_back(
        rows in prop::collection::vec(prop::collection::vec(prop::option::of(prop::collection::vec(
            prop_oneof![3 => any::<u8>(), 1 => prop::sample::select(b"\\\t\n\rN.x0".to_vec())], 0..20)), 1..5), 0..6),
        size in 1..60_usize
    ) {
        check(&rows, size);
    }
}
