//! Where messages begin and end, over a stream in pieces of 64 KiB.

use std::hint::black_box;

use bytes::BytesMut;
use criterion::Criterion;
use pg_protocol_native::{index, naive, parser::Parser};
use postgres_protocol::message::backend::Message;

use crate::{
    people::{self, PIECE_BYTES},
    streams::{all, group},
};

pub fn bench(criterion: &mut Criterion) {
    let whole = ("people", people::people(people::ROWS), people::ROWS + 3);
    let rows = all().map(|rows| (rows.name, rows.bytes, rows.count));
    for (name, stream, messages) in [whole].into_iter().chain(rows) {
        let stream = &stream[..];
        let mut parser = Parser::new();
        let mut words = vec![0; 16 << 10];
        assert_eq!(count(&mut parser, stream, &mut words), messages);
        assert_eq!(naive::messages(stream).0.len(), messages);
        assert_eq!(count_postgres_protocol(stream), messages);

        let mut group = group(criterion, format!("framing/{}", name), stream.len());
        group.bench_function("native", |bencher| bencher.iter(|| count(&mut parser, black_box(stream), &mut words)));
        group.bench_function("naive", |bencher| bencher.iter(|| naive::messages(black_box(stream))));
        group.bench_function("postgres-protocol", |bencher| {
            bencher.iter(|| count_postgres_protocol(black_box(stream)));
        });
        group.finish();
    }
}

fn count(parser: &mut Parser, stream: &[u8], words: &mut [i32]) -> usize {
    let mut messages = 0;
    for piece in stream.chunks(PIECE_BYTES) {
        let mut from = 0;
        while from < piece.len() {
            black_box(parser.feed(piece, from, words));
            messages += words[index::COUNT] as usize;
            from = words[index::CONSUMED] as usize;
        }
    }
    messages
}

/// Takes a copy of each piece, as a read of a socket would put it into the buffer.
fn count_postgres_protocol(stream: &[u8]) -> usize {
    let mut buffer = BytesMut::with_capacity(2 * PIECE_BYTES);
    let mut messages = 0;
    for piece in stream.chunks(PIECE_BYTES) {
        buffer.extend_from_slice(piece);
        while let Some(message) = Message::parse(&mut buffer).expect("a valid stream") {
            // not the message: `black_box` would move all of it
            black_box(&message);
            messages += 1;
        }
    }
    messages
}
