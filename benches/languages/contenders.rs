//! Ways in which Rust reads the table: each walks over the cells of all rows and hands them over.

use bytes::BytesMut;
use fallible_iterator::FallibleIterator;
use pg_protocol_native::{
    index::{self, ENTRY_WORDS, HEADER_WORDS},
    parser::Parser,
    row::Cells,
    tag,
};
use postgres_protocol::message::backend::Message;

use crate::people::PIECE_BYTES;

/// The crate `postgres-protocol`: a message each, and of a row the ranges of its cells. Its buffer takes a copy of
/// each piece, as a read of a socket would put it there.
pub fn postgres_protocol(stream: &[u8], mut visit: impl FnMut(Option<&[u8]>)) -> usize {
    let mut buffer = BytesMut::with_capacity(2 * PIECE_BYTES);
    let mut rows = 0;
    for piece in stream.chunks(PIECE_BYTES) {
        buffer.extend_from_slice(piece);
        while let Some(message) = Message::parse(&mut buffer).expect("a valid stream") {
            if let Message::DataRow(body) = message {
                let bytes = body.buffer();
                let mut ranges = body.ranges();
                while let Some(range) = ranges.next().expect("a valid row") {
                    visit(range.map(|range| &bytes[range]));
                }
                rows += 1;
            }
        }
    }
    rows
}

/// This package's Rust half: the message index, and of a row the ranges of its cells.
pub fn pg_protocol_native(stream: &[u8], mut visit: impl FnMut(Option<&[u8]>)) -> usize {
    let mut parser = Parser::new();
    let mut words = vec![0; 16 << 10];
    let mut rows = 0;
    for piece in stream.chunks(PIECE_BYTES) {
        let mut from = 0;
        while from < piece.len() {
            let straddler = parser.feed(piece, from, &mut words);
            let entries = words[HEADER_WORDS..].as_chunks::<ENTRY_WORDS>().0;
            for (i, entry) in entries[..words[index::COUNT] as usize].iter().enumerate() {
                if entry[index::TAG] != i32::from(tag::DATA_ROW) {
                    continue;
                }
                let bytes = match &straddler {
                    Some(message) if i == 0 => &message[..],
                    _ => piece,
                };
                let body = entry[index::BODY] as usize;
                let end = body + entry[index::LENGTH] as usize - 4;
                for cell in Cells::new(bytes, body, end).expect("a valid row") {
                    visit(cell.expect("a valid cell").map(|range| &bytes[range]));
                }
                rows += 1;
            }
            from = words[index::CONSUMED] as usize;
        }
    }
    rows
}
