//! Rows packed into columns, and read back.

use super::*;

/// Reads columns back as rows.
pub fn rows_of(columns: &Columns) -> Vec<Row> {
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

pub fn check_columns(plan: &[Kind], stream: &[u8], pieces: &[&[u8]]) {
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
pub fn columns_of_each_kind_at_each_cut() {
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
pub fn validity_has_a_bit_for_each_row() {
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
pub fn a_column_that_was_taken_out_keeps_nothing_more() {
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
pub fn more_than_offsets_can_tell_is_refused_before_it_overflows() {
    let mut columns = Columns::new(&[Kind::Text]);
    let cell = Cell { column: 0, length: MOST_COLUMN_BYTES + 1, encoding: Encoding::Text };
    columns.begin_row(1);
    assert!(columns.destination(cell, Progress::new(cell.length, 0, 10)).is_none());
    let cell = Cell { length: MOST_COLUMN_BYTES, ..cell };
    assert!(columns.destination(cell, Progress::new(cell.length, 0, 10)).is_some());
}
