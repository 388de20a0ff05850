//! Results as a server sends them, about a megabyte each.

use std::time::Duration;

use criterion::{BenchmarkGroup, Criterion, Throughput, measurement::WallTime};

use crate::people::{self, row};

/// The rows of one result and nothing else.
pub struct Rows {
    pub name: &'static str,
    pub columns: usize,
    pub count: usize,
    pub bytes: Vec<u8>,
    /// Where the body of each row begins and ends.
    pub bodies: Vec<(usize, usize)>,
}

impl Rows {
    fn new(name: &'static str, rows: impl Iterator<Item = Vec<Option<String>>>) -> Self {
        let mut made = Self { name, columns: 0, count: 0, bytes: Vec::new(), bodies: Vec::new() };
        for cells in rows {
            made.columns = cells.len();
            let start = made.bytes.len() + 5;
            made.bytes.extend(row(&cells));
            made.bodies.push((start, made.bytes.len()));
            made.count += 1;
        }
        made
    }
}

/// The streams that most benchmarks take.
pub fn all() -> [Rows; 3] {
    [short(), wide(), long()]
}

/// Five short columns.
pub fn short() -> Rows {
    Rows::new("short", (0..people::ROWS).map(|i| people::cells(i).to_vec()))
}

/// Forty columns of the usual kinds.
pub fn wide() -> Rows {
    let mut numbers = Numbers(40);
    Rows::new(
        "wide",
        (0..2000).map(|_| {
            let kinds = [integer, text, boolean, timestamptz, numeric];
            (0..40).map(|column| kinds[column % kinds.len()](&mut numbers)).collect()
        }),
    )
}

/// Four texts of 40 to 120 characters.
fn long() -> Rows {
    let mut numbers = Numbers(4);
    Rows::new(
        "long",
        (0..4000).map(|_| {
            let cell = |_| Some(LETTERS.repeat(4)[..40 + numbers.below(81)].to_owned());
            (0..4).map(cell).collect()
        }),
    )
}

const LETTERS: &str = "The quick brown fox jumps over the lazy dog 0123456789";

fn integer(numbers: &mut Numbers) -> Option<String> {
    Some((numbers.next() as i32).to_string())
}

fn text(numbers: &mut Numbers) -> Option<String> {
    let (start, length) = (numbers.below(24), 5 + numbers.below(26));
    (numbers.below(20) != 0).then(|| LETTERS[start..start + length].to_owned())
}

fn boolean(numbers: &mut Numbers) -> Option<String> {
    Some(if numbers.below(2) == 0 { "f" } else { "t" }.to_owned())
}

fn timestamptz(numbers: &mut Numbers) -> Option<String> {
    let [month, day, hour, minute, second] = [12, 28, 24, 60, 60].map(|most| numbers.below(most));
    let (month, day, micros) = (month + 1, day + 1, numbers.below(1_000_000));
    Some(format!("2024-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}.{micros:06}+00"))
}

fn numeric(numbers: &mut Numbers) -> Option<String> {
    Some(format!("{}.{:04}", numbers.below(10_000_000), numbers.below(10_000)))
}

/// A seeded source of numbers (a linear congruential generator), so that all runs see the same bytes.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (self.0 >> 32) as u32
    }

    pub fn below(&mut self, most: usize) -> usize {
        self.next() as usize % most
    }
}

/// A group whose figures are bytes per second. Differences here are large: a second each shows them.
pub fn group<'a>(criterion: &'a mut Criterion, name: String, bytes: usize) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group.throughput(Throughput::Bytes(bytes as u64));
    group.sample_size(20);
    group.warm_up_time(Duration::from_millis(500));
    group.measurement_time(Duration::from_secs(1));
    group
}
