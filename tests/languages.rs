//! The table and the readers of the benchmark across languages, on a small table.

#[path = "../benches/languages/checksum.rs"]
mod checksum;
#[path = "../benches/languages/contenders.rs"]
mod contenders;
#[path = "../benches/languages/people.rs"]
mod people;

use checksum::Checksum;
use pg_protocol_native::naive;

const ROWS: usize = 5000;

/// `__test__/benchmark/languages.test.js` has the same number: both languages make the same bytes.
const HASH: &str = "4c18b9c77433cbe3";

#[test]
fn the_table_has_the_bytes_that_javascript_makes() {
    let mut hash = Checksum::new();
    hash.bytes(&people::people(ROWS));
    assert_eq!(hash.hex(), HASH);
    assert!(people::people(people::ROWS).len() > 20 * people::PIECE_BYTES);
}

#[test]
fn both_readers_see_every_cell() {
    let stream = people::people(ROWS);
    let (messages, rest) = naive::messages(&stream);
    assert_eq!((messages.len(), rest), (ROWS + 3, Ok(vec![])));
    let mut expected = Checksum::new();
    for cell in (0..ROWS).flat_map(people::cells) {
        expected.cell(cell.as_deref().map(str::as_bytes));
    }
    let mut native = Checksum::new();
    assert_eq!(contenders::pg_protocol_native(&stream, |cell| native.cell(cell)), ROWS);
    assert_eq!(native.hex(), expected.hex());
    let mut foreign = Checksum::new();
    assert_eq!(contenders::postgres_protocol(&stream, |cell| foreign.cell(cell)), ROWS);
    assert_eq!(foreign.hex(), expected.hex());
}
