//! The parts of the crate, each beside its slow twin and, where it has the same part, the crate `postgres-protocol`:
//! `cargo bench`, or `cargo bench -- framing` for some of it. Each one's answer is checked before it is timed.

use criterion::{criterion_group, criterion_main};

#[path = "../languages/people.rs"]
mod people;
mod streams;

mod batch;
mod framing;
mod ranges;
mod utf8;

criterion_group!(benches, framing::bench, ranges::bench, utf8::bench, batch::bench);
criterion_main!(benches);
