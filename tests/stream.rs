//! The parser against its naive twin: every recorded stream of a real server and made-up ones, cut in every way.

use pg_protocol_native::{
    index::{self, ENTRY_WORDS, ERROR_TAG, HEADER_WORDS},
    naive,
    parser::Parser,
};
use proptest::prelude::*;

/// What a parser made of a stream: the framed messages, the length that lost the frame, the bytes held.
type Outcome = (Vec<naive::Message>, Result<Vec<u8>, u32>);

/// Feeds the pieces with a table of `words` words and reads the messages back out of the index.
fn parse<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, words: usize) -> Outcome {
    let mut parser = Parser::new();
    let mut table = vec![0; words];
    let mut messages = Vec::new();
    let mut lost = None;
    for piece in pieces {
        let mut from = 0;
        loop {
            let straddler = parser.feed(piece, from, &mut table);
            if table[index::NEED_WORDS] != 0 {
                let need = table[index::NEED_WORDS] as usize;
                from = table[index::CONSUMED] as usize;
                assert!(need > table.len(), "a table of {need} words was asked for, there were {}", table.len());
                table = vec![0; need];
                continue;
            }
            for i in 0..table[index::COUNT] as usize {
                let entry = &table[HEADER_WORDS + i * ENTRY_WORDS..][..ENTRY_WORDS];
                let length = entry[index::LENGTH] as u32;
                if entry[index::TAG] == ERROR_TAG {
                    let sentence = parser.take_problem().expect("a sentence for each error");
                    if entry[index::DETAIL] != 0 {
                        assert!(sentence.starts_with("invalid message length"), "{sentence}");
                        lost = Some(length);
                        continue;
                    }
                    assert!(sentence.starts_with("malformed"), "{sentence}");
                }
                let bytes = match &straddler {
                    Some(message) if i == 0 => &message[..],
                    _ => piece,
                };
                let body = entry[index::BODY] as usize;
                messages.push((bytes[body - 5], length, bytes[body..body + length as usize - 4].to_vec()));
            }
            from = table[index::CONSUMED] as usize;
            if from == piece.len() {
                break;
            }
        }
    }
    assert_eq!(parser.take_problem(), None);
    let held = parser.held().to_vec();
    assert!(lost.is_none() || held.is_empty(), "a lost stream holds nothing");
    (messages, lost.map_or(Ok(held), Err))
}

fn cut_at(stream: &[u8], cuts: &[usize]) -> Vec<Vec<u8>> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (stream.len() + 1)).collect();
    cuts.extend([0, stream.len()]);
    cuts.sort_unstable();
    cuts.windows(2).map(|pair| stream[pair[0]..pair[1]].to_vec()).collect()
}

fn check_all_cuts(stream: &[u8]) {
    let expected = naive::messages(stream);
    assert_eq!(parse([stream], 16384), expected);
    for size in [1, 2, 3, 4, 5, 7, 13, 64, 128] {
        assert_eq!(parse(stream.chunks(size), 16384), expected, "in pieces of {size}");
    }
    // A table that takes next to nothing must lose nothing either.
    assert_eq!(parse([stream], HEADER_WORDS + ENTRY_WORDS), expected);
    assert_eq!(parse(stream.chunks(7), HEADER_WORDS + ENTRY_WORDS), expected);
    for cut in 0..=stream.len().min(2000) {
        let (head, tail) = stream.split_at(cut);
        assert_eq!(parse([head, &[], tail], 16384), expected, "cut at {cut}");
    }
}

#[test]
fn recorded_streams_give_the_same_messages_however_they_are_cut() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/fixtures");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).expect("the fixtures") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|extension| extension == "bin") {
            let stream = std::fs::read(&path).expect("a fixture");
            let (messages, rest) = naive::messages(&stream);
            assert!(!messages.is_empty() && rest == Ok(vec![]), "{path:?} is not a whole stream");
            check_all_cuts(&stream);
            count += 1;
        }
    }
    assert!(count >= 20, "only {count} fixtures");
}

#[test]
fn impossible_lengths_end_the_stream_at_once() {
    for length in [0_u32, 3, 0x4000_0000, 0x8000_0000, u32::MAX] {
        let mut stream = b"Z\0\0\0\x05I".to_vec();
        stream.push(b'Z');
        stream.extend(length.to_be_bytes());
        stream.extend(b"Z\0\0\0\x05I");
        assert_eq!(naive::messages(&stream).1, Err(length));
        check_all_cuts(&stream);
    }
}

#[test]
fn an_error_says_where_in_the_stream_it_is() {
    let mut parser = Parser::new();
    let mut table = vec![0; 64];
    parser.feed(b"Z\0\0\0\x05IC\0\0", 0, &mut table);
    parser.feed(b"\0\x06ab", 0, &mut table);
    assert_eq!(
        parser.take_problem().unwrap(),
        "malformed CommandComplete message (type 0x43, length 6, at byte 6 of the stream): \
         command tag has no terminating zero"
    );
    parser.feed(b"Z\0\0\0\x05IZ\0\0\0\x01", 0, &mut table);
    assert!(parser.take_problem().unwrap().contains("length 1 behind type byte 0x5a at byte 19 of the stream"));
}

prop_compose! {
    fn message()(tag in prop::sample::select(b"123nscWIDCZARSKENTtGHdVv?".to_vec()), body in prop::collection::vec(any::<u8>(), 0..40)) -> Vec<u8> {
        let mut bytes = vec![tag];
        bytes.extend((body.len() as u32 + 4).to_be_bytes());
        bytes.extend(body);
        bytes
    }
}

proptest! {
    #[test]
    fn framed_rubbish_is_framed_as_the_naive_parser_frames_it(
        messages in prop::collection::vec(message(), 0..12), cuts in prop::collection::vec(any::<usize>(), 0..8), words in 12usize..600
    ) {
        let stream = messages.concat();
        let pieces = cut_at(&stream, &cuts);
        prop_assert_eq!(parse(pieces.iter().map(Vec::as_slice), words), naive::messages(&stream));
    }

    #[test]
    fn any_bytes_are_framed_as_the_naive_parser_frames_them(
        stream in prop::collection::vec(prop_oneof![Just(0), Just(0), Just(4), Just(6), any::<u8>()], 0..200), cuts in prop::collection::vec(any::<usize>(), 0..8)
    ) {
        let pieces = cut_at(&stream, &cuts);
        prop_assert_eq!(parse(pieces.iter().map(Vec::as_slice), 100), naive::messages(&stream));
    }
}
