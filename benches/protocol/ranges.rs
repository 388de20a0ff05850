//! The cells of rows that have been framed, as ranges.

use std::hint::black_box;

use bytes::BytesMut;
use criterion::Criterion;
use fallible_iterator::FallibleIterator;
use pg_protocol_native::{naive, row::Cells};
use postgres_protocol::message::backend::{DataRowBody, Message};

use crate::streams::{Rows, all, group};

pub fn bench(criterion: &mut Criterion) {
    for rows in all() {
        let foreign = data_rows(&rows);
        let length = native(&rows);
        assert!(length > 0);
        assert_eq!(naive_rows(&rows), length);
        assert_eq!(postgres_protocol(&foreign), length);

        let mut group = group(criterion, format!("ranges/{}", rows.name), rows.bytes.len());
        group.bench_function("native", |bencher| bencher.iter(|| native(black_box(&rows))));
        group.bench_function("naive", |bencher| bencher.iter(|| naive_rows(black_box(&rows))));
        group.bench_function("postgres-protocol", |bencher| bencher.iter(|| postgres_protocol(black_box(&foreign))));
        group.finish();
    }
}

/// The bytes of all cells, as each of the three counts them.
fn native(rows: &Rows) -> usize {
    let mut length = 0;
    for &(body, end) in &rows.bodies {
        let cells = Cells::new(&rows.bytes, body, end).expect("a valid row");
        length += cells.map(|cell| cell.expect("a valid cell").map_or(0, |range| range.len())).sum::<usize>();
    }
    length
}

fn naive_rows(rows: &Rows) -> usize {
    let cells = |&(body, end): &(usize, usize)| naive::cells(&rows.bytes[body..end]).expect("a valid row");
    rows.bodies.iter().flat_map(cells).map(|cell| cell.map_or(0, |cell| cell.len())).sum()
}

fn postgres_protocol(rows: &[DataRowBody]) -> usize {
    let mut length = 0;
    for row in rows {
        let mut ranges = row.ranges();
        while let Some(range) = ranges.next().expect("a valid row") {
            length += range.map_or(0, |range| range.len());
        }
    }
    length
}

fn data_rows(rows: &Rows) -> Vec<DataRowBody> {
    let mut buffer = BytesMut::from(&rows.bytes[..]);
    let mut bodies = Vec::new();
    while let Some(message) = Message::parse(&mut buffer).expect("a valid stream") {
        match message {
            Message::DataRow(body) => bodies.push(body),
            _ => unreachable!("rows only"),
        }
    }
    bodies
}
