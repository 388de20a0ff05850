//! The Rust side of `npm run bench:languages`: a process that measures when it is told to.
//!
//! Reads a command per line of its standard input and answers each with a line of JSON:
//!
//! ```text
//! prepare CONTENDER ROWS   the hash of the bytes that were generated, the checksum over all cells, the number of rows
//! round PASSES             milliseconds of wall clock for one pass
//! ```

use std::{
    hint::black_box,
    io::{BufRead, stdin},
    time::Instant,
};

mod checksum;
mod contenders;
mod people;

use checksum::Checksum;
use contenders::{pg_protocol_native, postgres_protocol};

/// One reader of one stream, measured a round at a time.
struct Side {
    native: bool,
    stream: Vec<u8>,
    rows: usize,
}

impl Side {
    fn new(contender: &str, rows: usize) -> Self {
        let native = match contender {
            "postgres-protocol" => false,
            "pg-protocol-native" => true,
            other => panic!("there is no contender {other}"),
        };
        Self { native, stream: people::people(rows), rows }
    }

    fn check(&self) -> String {
        let mut input = Checksum::new();
        input.bytes(&self.stream);
        let mut answer = Checksum::new();
        let rows = self.read(|cell| answer.cell(cell));
        format!(
            r#"{{"input":"{}","bytes":{},"answer":"{}","rows":{rows}}}"#,
            input.hex(),
            self.stream.len(),
            answer.hex()
        )
    }

    fn round(&self, passes: u32) -> String {
        let start = Instant::now();
        for _ in 0..passes {
            let rows = self.read(|cell| {
                black_box(cell);
            });
            assert_eq!(rows, self.rows, "all rows");
        }
        let ms = start.elapsed().as_secs_f64() * 1000.0 / f64::from(passes);
        format!(r#"{{"ms":{ms}}}"#)
    }

    fn read(&self, visit: impl FnMut(Option<&[u8]>)) -> usize {
        if self.native { pg_protocol_native(&self.stream, visit) } else { postgres_protocol(&self.stream, visit) }
    }
}

fn main() {
    let mut side = None;
    for line in stdin().lock().lines() {
        let line = line.expect("text on the standard input");
        let words: Vec<&str> = line.split(' ').collect();
        let answer = match (&words[..], &side) {
            (["prepare", contender, rows], _) => {
                side.insert(Side::new(contender, rows.parse().expect("a number of rows"))).check()
            }
            (["round", passes], Some(side)) => side.round(passes.parse().expect("a number of passes")),
            _ => panic!("not a command here: {line}"),
        };
        println!("{answer}");
    }
}
