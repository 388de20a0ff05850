//! Cells of text to UTF-16, and into the pools, which have to find out which kind of text each one is.

use std::hint::black_box;

use criterion::Criterion;
use pg_protocol_native::{
    naive,
    text::{
        pool::{TextColumn, TextPools},
        utf8::{DECODE_BYTES, decode, decode_lossy},
    },
};

use crate::streams::{Numbers, group};

/// Cells of one kind, laid end to end.
struct Cells {
    name: &'static str,
    bytes: Vec<u8>,
    ranges: Vec<(usize, usize)>,
}

impl Cells {
    fn new(name: &'static str, source: &str, shortest: usize, longest: usize, damage: bool) -> Self {
        let source: Vec<char> = source.chars().collect();
        let mut numbers = Numbers(shortest as u64);
        let mut made = Self { name, bytes: Vec::new(), ranges: Vec::new() };
        for _ in 0..4000 {
            let start = made.bytes.len();
            let length = shortest + numbers.below(longest - shortest + 1);
            let cell: String = (0..length).map(|_| source[numbers.below(source.len())]).collect();
            made.bytes.extend(cell.as_bytes());
            if damage {
                let at = start + numbers.below(made.bytes.len() - start);
                made.bytes[at] = 0xff;
            }
            made.ranges.push((start, made.bytes.len()));
        }
        made
    }

    fn iter(&self) -> impl Iterator<Item = &[u8]> {
        self.ranges.iter().map(|&(start, end)| &self.bytes[start..end])
    }
}

pub fn bench(criterion: &mut Criterion) {
    let kinds = [
        Cells::new("ascii-short", "abcdefghijklmnop 0123456789", 5, 12, false),
        Cells::new("ascii-long", "abcdefghijklmnop 0123456789", 40, 120, false),
        Cells::new("accented", "abcdefghijklmnoprstuvzäöüéèêëïçñåøÄÖÜÉ", 4, 12, false),
        Cells::new("cjk", "日本語東京中文字符数据库汉字表格查询한국어서울테이블", 2, 8, false),
        Cells::new("emoji", "abcdeπλabгвдежз😀🚀🐘✓€", 3, 10, false),
        Cells::new("malformed", "abcdefghijklmnopäöü", 4, 12, true),
    ];
    for cells in kinds {
        let mut pools = TextPools::new();
        for cell in cells.iter() {
            let text: Vec<u16> = naive::utf8(cell).encode_utf16().collect();
            let mut units = [0; 512];
            let length = decode_any(cell, &mut units);
            assert_eq!(units[..length], text, "{:?}", cell);
            assert_eq!(String::from_utf8_lossy(cell).encode_utf16().collect::<Vec<_>>(), text);
        }

        let mut group = group(criterion, format!("utf8/{}", cells.name), cells.bytes.len());
        group.bench_function("native", |bencher| {
            let mut units = [0; 512];
            bencher.iter(|| black_box(&cells).iter().map(|cell| decode_any(cell, &mut units)).sum::<usize>());
        });
        group.bench_function("naive", |bencher| {
            bencher.iter(|| black_box(&cells).iter().map(|cell| naive::utf8(cell).len()).sum::<usize>());
        });
        group.bench_function("std", |bencher| {
            bencher.iter(|| {
                let units = |cell| String::from_utf8_lossy(cell).encode_utf16().count();
                black_box(&cells).iter().map(units).sum::<usize>()
            });
        });
        group.bench_function("native, into a pool", |bencher| bencher.iter(|| push_all(&mut pools, black_box(&cells))));
        group.finish();
    }
}

fn decode_any(cell: &[u8], units: &mut [u16]) -> usize {
    let mut few = [0; DECODE_BYTES];
    match decode(cell, &mut few) {
        Some((length, _)) => {
            units[..DECODE_BYTES].copy_from_slice(&few);
            length
        }
        None => decode_lossy(cell, units).0,
    }
}

fn push_all(pools: &mut TextPools, cells: &Cells) -> i32 {
    let mut column = TextColumn::default();
    let mut all = 0;
    for &(start, end) in &cells.ranges {
        if pools.is_full() {
            pools.clear();
        }
        all |= pools.push(&cells.bytes[start..end], &mut column).map_or(0, |[_, word]| word);
    }
    all
}
