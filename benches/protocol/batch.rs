//! Batches of rows: all cells as text, and by a plan of the columns. The twin takes each row apart by itself and each
//! cell with the slow readers.

use std::hint::black_box;

use criterion::Criterion;
use pg_protocol_native::{
    batch::{self, CELL_WORDS, HEADER_WORDS, Kind, NULL, RAW, ROW_WORDS, Scratch},
    naive,
    text::pool::POOL_SHIFT,
};

use crate::streams::{Rows, group, short, wide};

const TABLE_WORDS: usize = 16 << 10;

pub fn bench(criterion: &mut Criterion) {
    let person = [Kind::Int, Kind::Text, Kind::Text, Kind::Text, Kind::Bool];
    let mixed = [Kind::Int, Kind::Text, Kind::Bool, Kind::Zoned, Kind::Text].repeat(8);
    for (rows, plan) in [(short(), &person[..]), (wide(), &mixed[..])] {
        for (how, plan) in [("text", &[][..]), ("plan", plan)] {
            let kinds = if plan.is_empty() { vec![Kind::Text; rows.columns] } else { plan.to_vec() };
            let mut table = vec![0; TABLE_WORDS];
            let mut scratch = Scratch::default();
            check(&rows, plan, &kinds, &mut table, &mut scratch);

            let mut group = group(criterion, format!("batch-{how}/{}", rows.name), rows.bytes.len());
            group.bench_function("native", |bencher| {
                bencher.iter(|| decode(black_box(&rows), plan, &mut table, &mut scratch, |_, _, _| {}));
            });
            group.bench_function("naive", |bencher| {
                bencher.iter(|| {
                    for &(body, end) in &black_box(&rows).bodies {
                        black_box(naive_row(&rows.bytes[body..end], &kinds));
                    }
                });
            });
            group.finish();
        }
    }
}

/// Decodes all rows, batch after batch.
fn decode(
    rows: &Rows,
    plan: &[Kind],
    table: &mut [i32],
    scratch: &mut Scratch,
    mut each: impl FnMut(usize, &[i32], &Scratch),
) {
    let mut done = 0;
    while done < rows.count {
        let count = batch::decode(&rows.bytes, rows.bodies[done].0, plan, table, scratch);
        assert_ne!(count, 0, "a row that was refused");
        for row in 0..count {
            let cells = HEADER_WORDS + row * (ROW_WORDS + CELL_WORDS * rows.columns) + ROW_WORDS;
            each(done + row, &table[cells..cells + CELL_WORDS * rows.columns], scratch);
        }
        done += count;
    }
}

#[derive(Debug, PartialEq)]
enum Value {
    Null,
    Text(String),
    Number(f64),
}

fn naive_row(body: &[u8], kinds: &[Kind]) -> Vec<Value> {
    let cells = naive::cells(body).expect("a valid row");
    let value = |(cell, kind): (Option<Vec<u8>>, &Kind)| {
        let Some(cell) = cell else { return Value::Null };
        let text = naive::utf8(&cell);
        match kind {
            Kind::Int => Value::Number(naive::values::parse_int(&text)),
            Kind::Bool => Value::Number(if text == "t" { 1.0 } else { 0.0 }),
            Kind::Zoned => {
                let (wall, zone) = naive::values::date_time(&text).expect("a timestamp");
                Value::Number((wall - zone.expect("a zone") * 1000) as f64)
            }
            _ => Value::Text(text),
        }
    };
    cells.into_iter().zip(kinds).map(value).collect()
}

fn check(rows: &Rows, plan: &[Kind], kinds: &[Kind], table: &mut [i32], scratch: &mut Scratch) {
    let mut seen = 0;
    decode(rows, plan, table, scratch, |row, cells, scratch| {
        let (body, end) = rows.bodies[row];
        let expected = naive_row(&rows.bytes[body..end], kinds);
        let values = cells.as_chunks().0.iter().zip(kinds);
        let found: Vec<Value> = values.map(|(cell, &kind)| value(&rows.bytes, *cell, kind, scratch)).collect();
        assert_eq!(found, expected);
        seen += 1;
    });
    assert_eq!(seen, rows.count);
}

fn value(bytes: &[u8], [first, second]: [i32; CELL_WORDS], kind: Kind, scratch: &Scratch) -> Value {
    if second == NULL {
        return Value::Null;
    }
    // Left to JavaScript: a text for which the pools had no room, and nothing else here.
    if second == RAW {
        let start = first as usize;
        let length = u32::from_be_bytes(*bytes[start - 4..].first_chunk().expect("a length"));
        assert_eq!(kind, Kind::Text);
        return Value::Text(naive::utf8(&bytes[start..start + length as usize]));
    }
    match kind {
        Kind::Int | Kind::Bool => Value::Number(f64::from(first)),
        Kind::Zoned => Value::Number(f64::from_bits(u64::from(first as u32) | u64::from(second as u32) << 32)),
        _ => Value::Text(text(first as usize, second, scratch)),
    }
}

fn text(start: usize, word: i32, scratch: &Scratch) -> String {
    use pg_protocol_native::text::pool::{SHARED, SHARED_CHARS, SHARED_EMPTY};
    let end = (word & 0xffff) as usize;
    match word >> POOL_SHIFT {
        SHARED if end == SHARED_EMPTY as usize => String::new(),
        SHARED if end < SHARED_CHARS as usize => end.to_string(),
        SHARED => char::from((end - SHARED_CHARS as usize) as u8).to_string(),
        pool @ (0 | 1) => scratch.pools.latin1()[pool as usize][start..end].iter().copied().map(char::from).collect(),
        pool => String::from_utf16(&scratch.pools.utf16()[pool as usize - 2][start..end]).expect("whole characters"),
    }
}
