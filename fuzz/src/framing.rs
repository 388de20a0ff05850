//! A stream, cut anywhere, with a table of any size: messages, what is held, how the stream is lost or ends too early, against
//! [`naive::messages`]; what is malformed, against [`naive::fields`].
//!
//! Input: number of cuts, that many cuts (2 bytes each), words of the table (1 byte), the stream.

use pg_protocol_native::{
    index::{self, ENTRY_WORDS, ERROR_TAG, HEADER_WORDS},
    naive::{self, fields::fields},
    parser::Parser,
    tag,
};

/// An entry of the index, in words that a reader can compare.
#[derive(Debug, PartialEq)]
enum Event {
    Message(u8, u32, Vec<u8>),
    Malformed(String),
    Lost(String),
    Unfinished(String),
}

pub fn check(input: &[u8]) {
    let Some((&count, rest)) = input.split_first() else { return };
    let Some((cuts, rest)) = rest.split_at_checked(2 * usize::from(count)) else { return };
    let Some((&words, stream)) = rest.split_first() else { return };
    let mut cuts: Vec<usize> =
        cuts.as_chunks().0.iter().map(|cut| usize::from(u16::from_be_bytes(*cut)) % (stream.len() + 1)).collect();
    cuts.extend([0, stream.len()]);
    cuts.sort_unstable();
    let pieces = cuts.windows(2).map(|pair| &stream[pair[0]..pair[1]]);

    let (expected, held) = expected(stream);
    let (found, rest) = parse(pieces, HEADER_WORDS + ENTRY_WORDS + usize::from(words));
    assert_eq!(found, expected);
    assert_eq!(rest, held);
}

fn expected(stream: &[u8]) -> (Vec<Event>, Vec<u8>) {
    let (messages, rest) = naive::messages(stream);
    let mut events = Vec::new();
    let mut at = 0;
    for (tag, length, body) in messages {
        events.push(match fields(tag, &body) {
            Some(_) => Event::Message(tag, length, body),
            None => Event::Malformed(format!(
                "malformed {} message (type 0x{tag:02x}, length {length}, at byte {at} of the stream): ",
                tag::name(tag)
            )),
        });
        at += length as usize + 1;
    }
    let held = rest.unwrap_or_else(|length| {
        events.push(Event::Lost(lost(stream[at], length, at)));
        Vec::new()
    });
    if !held.is_empty() {
        events.push(Event::Unfinished(unfinished(&held, at)));
    }
    (events, held)
}

fn lost(tag: u8, length: u32, at: usize) -> String {
    let [first, second, ..] = length.to_be_bytes();
    if (0x14..=0x17).contains(&tag) && first == 3 && second <= 4 {
        return format!(
            "a TLS record (type 0x{tag:02x}) at byte {at} of the stream in place of a PostgreSQL message: the connection \
             must be closed"
        );
    }
    let what =
        if tag == b'H' && length.to_be_bytes() == *b"TTP/" { "an answer in HTTP" } else { "not a PostgreSQL message" };
    format!(
        "invalid message length {length} behind type byte 0x{tag:02x} at byte {at} of the stream (4 to 1073741823 are \
         possible): this is {what}, the connection must be closed"
    )
}

fn unfinished(held: &[u8], at: usize) -> String {
    let came = held.len();
    match held {
        [tag, a, b, c, d, ..] => format!(
            "the stream ended inside a message: {came} of {} bytes of the {} message (type 0x{tag:02x}) that began at byte \
             {at} had come",
            u64::from(u32::from_be_bytes([*a, *b, *c, *d])) + 1,
            tag::name(*tag)
        ),
        _ => format!(
            "the stream ended inside a message: {came} of 5 bytes of the header that began at byte {at} had come"
        ),
    }
}

/// Feeds the pieces as lib/message-table.js does.
fn parse<'a>(pieces: impl Iterator<Item = &'a [u8]>, words: usize) -> (Vec<Event>, Vec<u8>) {
    let mut parser = Parser::new();
    let mut table = vec![-1; words];
    let mut events = Vec::new();
    for piece in pieces {
        let mut from = 0;
        loop {
            let straddler = parser.feed(piece, from, &mut table);
            let entries = table[HEADER_WORDS..].as_chunks::<ENTRY_WORDS>().0;
            for (i, entry) in entries[..table[index::COUNT] as usize].iter().enumerate() {
                let bytes = straddler.as_deref().filter(|_| i == 0).unwrap_or(piece);
                events.push(event(&mut parser, entry, bytes));
            }
            assert_eq!(table[index::STRADDLER] == 1, straddler.is_some());
            assert_eq!(table[index::HELD] as usize, parser.held().len());
            let consumed = table[index::CONSUMED] as usize;
            assert!((from..=piece.len()).contains(&consumed), "{consumed} of {} consumed", piece.len());
            from = consumed;
            let need = table[index::NEED_WORDS] as usize;
            if need != 0 {
                assert_eq!(table[index::COUNT], 0, "a larger table is asked for only when nothing fits");
                assert!(need > table.len() && need < 64 + 2 * piece.len().max(parser.held().len()) + 600_000);
                table = vec![-1; need];
            } else if from == piece.len() {
                break;
            }
        }
    }
    assert_eq!(parser.take_problem(), None, "no sentence without its entry");
    let held = parser.held().to_vec();
    events.extend(parser.finish().map(Event::Unfinished));
    assert_eq!((parser.finish(), parser.held()), (None, &b""[..]), "what is over is over");
    (events, held)
}

fn event(parser: &mut Parser, entry: &[i32; ENTRY_WORDS], bytes: &[u8]) -> Event {
    let length = entry[index::LENGTH] as u32;
    if entry[index::TAG] != ERROR_TAG {
        let body = entry[index::BODY] as usize;
        assert_eq!(i32::from(bytes[body - 5]), entry[index::TAG]);
        return Event::Message(bytes[body - 5], length, bytes[body..body + length as usize - 4].to_vec());
    }
    let sentence = parser.take_problem().expect("a sentence for each error");
    if entry[index::DETAIL] == 0 {
        let end = sentence.find("): ").expect("what is wrong") + 3;
        assert!(sentence.len() > end, "{sentence}");
        return Event::Malformed(sentence[..end].to_owned());
    }
    Event::Lost(sentence)
}
