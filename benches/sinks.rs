//! What the ways of a sink cost: `cargo bench --bench sinks`. The gates stand in `benchmark/SINKS.md`.
//!
//! Each case answers before it is timed: all sinks must have got the same bytes.

use std::hint::black_box;

use criterion::{BatchSize, BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use pg_protocol_native::{
    row::Cells,
    sink::{Cell, Columns, DefaultSink, Destination, Ended, Kind, Progress, RowDecoder, RowSink, Step, Value},
};

fn data_row(cells: &[Vec<u8>]) -> Vec<u8> {
    let mut body = (cells.len() as u16).to_be_bytes().to_vec();
    for cell in cells {
        body.extend((cell.len() as u32).to_be_bytes());
        body.extend(cell);
    }
    let mut bytes = vec![b'D'];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}

/// All values behind each other in one vector: every value goes the way of the destination.
#[derive(Default)]
struct Contiguous {
    data: Vec<u8>,
    ends: Vec<usize>,
}

impl Contiguous {
    fn reset(&mut self) {
        self.data.clear();
        self.ends.clear();
    }
}

impl RowSink for Contiguous {
    #[inline]
    fn destination(&mut self, _cell: Cell, progress: Progress) -> Option<Destination<'_>> {
        self.data.reserve(progress.room);
        Some(Destination::of_vec(&mut self.data, progress.room))
    }

    #[inline]
    fn end_destination(&mut self, _cell: Cell, ended: Ended) {
        match ended {
            Ended::Filled => self.ends.push(self.data.len()),
            Ended::Abandoned => self.data.truncate(self.ends.last().copied().unwrap_or(0)),
        }
    }
}

/// The same vector in the end, but by way of owned values: what a consumer does that knows where the bytes belong and is not
/// asked.
#[derive(Default)]
struct Detour(Contiguous);

impl RowSink for Detour {
    #[inline]
    fn value(&mut self, _column: usize, value: Value) {
        if let Value::Text(text) = value {
            self.0.data.extend_from_slice(&text);
            self.0.ends.push(self.0.data.len());
        }
    }
}

/// The owned values as they would be made by a decoder that knows no other way.
fn owned_only(stream: &[u8], sink: &mut DefaultSink) {
    let mut at = 0;
    while let Some(&[_, a, b, c, d]) = stream[at..].first_chunk::<5>() {
        let end = at + 1 + u32::from_be_bytes([a, b, c, d]) as usize;
        let cells = Cells::new(stream, at + 5, end).expect("a row");
        sink.begin_row(cells.announced());
        for (column, cell) in cells.enumerate() {
            let value = match cell.expect("a cell") {
                Some(range) => Value::Text(stream[range].to_vec()),
                None => Value::Null,
            };
            sink.value(column, value);
        }
        sink.end_row().expect("kept");
        at = end;
    }
}

fn push<S: RowSink>(plan: &[Kind], stream: &[u8], piece: usize, sink: &mut S) {
    let mut decoder = RowDecoder::new(plan.to_vec());
    for piece in stream.chunks(piece) {
        let (done, step) = decoder.push(piece, sink);
        assert_eq!((done, step), (piece.len(), Step::More));
    }
}

/// Rows of about `bytes` bytes in all.
fn stream_of(columns: &[Vec<u8>], bytes: usize) -> Vec<u8> {
    let row = data_row(columns);
    row.repeat((bytes / row.len()).max(1))
}

fn same_bytes(stream: &[u8], piece: usize) {
    let (mut owned, mut contiguous, mut twin) = (DefaultSink::default(), Contiguous::default(), DefaultSink::default());
    let mut detour = Detour::default();
    push(&[], stream, piece, &mut detour);
    push(&[], stream, piece, &mut owned);
    push(&[], stream, piece, &mut contiguous);
    owned_only(stream, &mut twin);
    assert!(owned.rows == twin.rows);
    let values = owned.rows.iter().flatten().map(|value| match value {
        Value::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    });
    assert!(contiguous.data == detour.0.data && contiguous.ends == detour.0.ends);
    assert!(contiguous.data == values.collect::<Vec<_>>().concat());
}

/// As much as stays in the cache, as a chunk does that a socket has just left there. With a stream that has to come from
/// memory each copy of it hides behind that, whichever way it goes.
const IN_CACHE: usize = 256 << 10;

fn ways(c: &mut Criterion) {
    let mixed: Vec<Vec<u8>> = (0..48)
        .map(|i| if i < 39 { (i * 12_345).to_string().into_bytes() } else { format!("short text {i}").into_bytes() })
        .collect();
    let mut cases = vec![("39 ints, 9 short texts".to_owned(), stream_of(&mixed, IN_CACHE), IN_CACHE)];
    for size in [128, 4 << 10, 64 << 10, 256 << 10] {
        let stream = stream_of(&vec![vec![b'x'; size]; 4], IN_CACHE);
        cases.push((format!("4 x {size} B, whole"), stream.clone(), stream.len()));
        cases.push((format!("4 x {size} B, chunks of 64 KiB"), stream, 64 << 10));
    }
    let mut group = c.benchmark_group("ways");
    for (name, stream, piece) in &cases {
        same_bytes(stream, *piece);
        group.throughput(Throughput::Bytes(stream.len() as u64));
        let mut detour = Detour::default();
        group.bench_with_input(BenchmarkId::new("owned", name), stream, |b, stream| {
            b.iter(|| {
                detour.0.reset();
                push(&[], stream, *piece, &mut detour);
                black_box(detour.0.data.len())
            });
        });
        let mut contiguous = Contiguous::default();
        group.bench_with_input(BenchmarkId::new("contiguous", name), stream, |b, stream| {
            b.iter(|| {
                contiguous.reset();
                push(&[], stream, *piece, &mut contiguous);
                black_box(contiguous.data.len())
            });
        });
        group.bench_with_input(BenchmarkId::new("default sink", name), stream, |b, stream| {
            b.iter_batched_ref(DefaultSink::default, |sink| push(&[], stream, *piece, sink), BatchSize::LargeInput);
        });
        if *piece >= stream.len() {
            group.bench_with_input(BenchmarkId::new("without ways", name), stream, |b, stream| {
                b.iter_batched_ref(DefaultSink::default, |sink| owned_only(stream, sink), BatchSize::LargeInput);
            });
        }
    }
    group.finish();
}

/// Takes and forgets.
struct Discard;

impl RowSink for Discard {
    fn wants_values(&self) -> bool {
        false
    }
}

/// Borrows and counts.
#[derive(Default)]
struct Lengths(usize);

impl RowSink for Lengths {
    #[inline]
    fn borrowed(&mut self, cell: Cell, _bytes: &[u8]) -> bool {
        self.0 += cell.length;
        true
    }
}

fn sinks(c: &mut Criterion) {
    let texts = ["1", "2147483647", "9007199254740993", "t", "0.25", "2026-08-18 09:12:00.123456+02", "name", "12.50"];
    let kinds = [Kind::Int, Kind::Int, Kind::Int8, Kind::Bool, Kind::Float, Kind::ZonedMillis, Kind::Text, Kind::Text];
    let row: Vec<Vec<u8>> = texts.iter().cycle().take(40).map(|text| text.as_bytes().to_vec()).collect();
    let plan: Vec<Kind> = kinds.into_iter().cycle().take(40).collect();
    let stream = stream_of(&row, 4 << 20);
    let mut group = c.benchmark_group("sinks");
    group.throughput(Throughput::Bytes(stream.len() as u64));
    group
        .bench_function("40 mixed columns, discarded", |b| b.iter(|| push(&plan, &stream, stream.len(), &mut Discard)));
    group.bench_function("40 mixed columns, lengths only", |b| {
        b.iter(|| {
            let mut lengths = Lengths::default();
            push(&[], &stream, stream.len(), &mut lengths);
            black_box(lengths.0)
        });
    });
    group.bench_function("40 mixed columns, to columns", |b| {
        b.iter(|| {
            let mut columns = Columns::new(&plan);
            push(&plan, &stream, stream.len(), &mut columns);
            black_box(columns.rows())
        });
    });
    group.bench_function("40 mixed columns, to owned values", |b| {
        b.iter_batched_ref(
            DefaultSink::default,
            |sink| push(&plan, &stream, stream.len(), sink),
            BatchSize::LargeInput,
        );
    });
    group.finish();
}

fn hex(c: &mut Criterion) {
    let mut text = b"\\x".to_vec();
    text.extend(b"0123456789abcdef".repeat(1 << 17));
    let stream = data_row(&[text]);
    let mut group = c.benchmark_group("hex");
    group.throughput(Throughput::Bytes(stream.len() as u64));
    for piece in [64 << 10, stream.len()] {
        let mut sink = Contiguous::default();
        group.bench_function(BenchmarkId::new("bytea of 1 MiB, pieces of", piece), |b| {
            b.iter(|| {
                sink.reset();
                push(&[Kind::Bytea], &stream, piece, &mut sink);
                assert_eq!(sink.data.len(), 1 << 20);
            });
        });
    }
    group.finish();
}

criterion_group!(benches, ways, sinks, hex);
criterion_main!(benches);
