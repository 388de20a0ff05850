//! Each kind of message, in pieces of any size: the bytes that are touched grow as the bytes that come.
//!
//! Counted by the feature `count-bytes`, and not timed: `cargo test --features count-bytes`. The pieces go through the parser as
//! lib/message-table.js feeds them, the table that is too small included; a row's cells are walked over as well.

use pg_protocol_native::{
    index::{self, ENTRY_WORDS, ERROR_TAG, HEADER_WORDS},
    parser::Parser,
    row::Cells,
    tag,
    touched::take,
};

/// Sizes of the pieces: bytes one by one, odd ones, what fits into a network packet, what Node.js reads at once.
const PIECES: [usize; 8] = [1, 2, 5, 64, 1000, 1460, 65_536, usize::MAX];

/// A byte is copied into the straddler's memory, moved once on average when that grows (it doubles, so that all moves
/// together are less than the last size, which is less than twice what came), and read.
const MOST_PER_BYTE: u64 = 5;

/// A header of a message, its length in front of `body`.
fn message(tag: u8, body: &[u8]) -> Vec<u8> {
    let mut bytes = vec![tag];
    bytes.extend((body.len() as u32 + 4).to_be_bytes());
    bytes.extend(body);
    bytes
}

/// Feeds one piece; gives the number of messages and of errors.
fn feed(parser: &mut Parser, piece: &[u8], words: &mut Vec<i32>) -> (usize, usize) {
    let (mut messages, mut errors, mut from) = (0, 0, 0);
    loop {
        let straddler = parser.feed(piece, from, words);
        let count = words[index::COUNT] as usize;
        for (i, entry) in words[HEADER_WORDS..].as_chunks::<ENTRY_WORDS>().0[..count].iter().enumerate() {
            if entry[index::TAG] == ERROR_TAG {
                errors += usize::from(parser.take_problem().is_some());
            } else if entry[index::TAG] == i32::from(tag::DATA_ROW) {
                let bytes = straddler.as_deref().filter(|_| i == 0).unwrap_or(piece);
                let body = entry[index::BODY] as usize;
                let cells = Cells::new(bytes, body, body + entry[index::LENGTH] as usize - 4);
                messages += usize::from(cells.expect("a count").all(|cell| cell.is_ok()));
            } else {
                messages += 1;
            }
        }
        from = words[index::CONSUMED] as usize;
        if words[index::NEED_WORDS] != 0 {
            *words = vec![0; words[index::NEED_WORDS] as usize];
        } else if from == piece.len() {
            return (messages, errors);
        }
    }
}

/// What is touched of a stream of `messages` messages that comes in pieces of `size`.
fn touched(stream: &[u8], size: usize, messages: usize) -> u64 {
    let mut parser = Parser::new();
    let mut words = vec![0; 1024];
    let _ = take();
    let mut found = 0;
    for piece in stream.chunks(size.min(stream.len())) {
        let (whole, errors) = feed(&mut parser, piece, &mut words);
        assert_eq!(errors, 0);
        found += whole;
    }
    assert_eq!((found, parser.held()), (messages, &b""[..]));
    take()
}

/// `make(n)` is a message whose size grows with n.
fn check(what: &str, n: usize, make: impl Fn(usize) -> Vec<u8>) {
    for (stream, messages) in [
        (make(n), 1),
        (make(2 * n), 1),
        // a run of small ones, which straddle pieces one after the other
        (make(n / 100).repeat(50), 50),
    ] {
        for size in PIECES {
            let count = touched(&stream, size, messages);
            let most = MOST_PER_BYTE * stream.len() as u64 + 64 * messages as u64;
            assert!(
                count <= most,
                "{what} of {} bytes in pieces of {size}: {count} touched, {most} at most",
                stream.len()
            );
        }
    }
}

#[test]
fn a_row_of_many_cells() {
    check("DataRow", 30_000, |n| {
        let mut body = (n as u16).to_be_bytes().to_vec();
        body.extend(b"\0\0\0\x05abcde".repeat(n));
        message(tag::DATA_ROW, &body)
    });
}

#[test]
fn a_row_of_one_large_cell() {
    check("DataRow", 700_000, |n| {
        let mut body = b"\0\x01".to_vec();
        body.extend((n as u32).to_be_bytes());
        body.resize(n + 6, b'x');
        message(tag::DATA_ROW, &body)
    });
}

#[test]
fn a_description_of_1600_columns() {
    // the second one has 3200, more than a table of PostgreSQL can have; long names make it larger
    check("RowDescription", 1600, |n| {
        let mut body = (n as u16).to_be_bytes().to_vec();
        for i in 0..n {
            body.extend(format!("{i:0>63}\0").as_bytes());
            body.extend([0; 18]);
        }
        message(tag::ROW_DESCRIPTION, &body)
    });
}

#[test]
fn an_error_with_long_fields() {
    for tag in [tag::ERROR_RESPONSE, tag::NOTICE_RESPONSE] {
        check("ErrorResponse", 60_000, |n| {
            let mut body = b"SERROR\0C22000\0".to_vec();
            for field in *b"MDHW" {
                body.push(field);
                body.resize(body.len() + n / 4, b'x');
                body.push(0);
            }
            body.push(0);
            message(tag, &body)
        });
        // as many fields as fit, of types that are known and unknown
        check("ErrorResponse", 60_000, |n| {
            let mut body = b"MDx\0Zy\0".repeat(n / 7);
            body.push(0);
            message(tag, &body)
        });
    }
}

#[test]
fn copy_data() {
    check("CopyData", 700_000, |n| message(tag::COPY_DATA, &vec![b'x'; n]));
}

#[test]
fn lists_of_any_length() {
    check("ParameterDescription", 10_000, |n| {
        let mut body = (n as u16).to_be_bytes().to_vec();
        body.resize(2 + 4 * n, 0);
        message(tag::PARAMETER_DESCRIPTION, &body)
    });
    for tag in [tag::COPY_IN_RESPONSE, tag::COPY_OUT_RESPONSE] {
        check("CopyInResponse", 10_000, |n| {
            let mut body = vec![0];
            body.extend((n as u16).to_be_bytes());
            body.resize(3 + 2 * n, 0);
            message(tag, &body)
        });
    }
    check("NegotiateProtocolVersion", 10_000, |n| {
        let mut body = b"\0\x03\0\0".to_vec();
        body.extend((n as u32).to_be_bytes());
        body.extend(b"_pq_.option\0".repeat(n));
        message(tag::NEGOTIATE_PROTOCOL_VERSION, &body)
    });
    check("AuthenticationSASL", 10_000, |n| {
        let mut body = b"\0\0\0\x0a".to_vec();
        body.extend(b"SCRAM-SHA-256\0".repeat(n));
        body.push(0);
        message(tag::AUTHENTICATION, &body)
    });
}

#[test]
fn texts_of_any_length() {
    let long = |n: usize| "x".repeat(n) + "\0";
    check("CommandComplete", 60_000, |n| message(tag::COMMAND_COMPLETE, long(n).as_bytes()));
    check("ParameterStatus", 60_000, |n| message(tag::PARAMETER_STATUS, long(n / 2).repeat(2).as_bytes()));
    check("NotificationResponse", 60_000, |n| {
        message(tag::NOTIFICATION_RESPONSE, ("\0\0\0\x01".to_owned() + &long(n / 2).repeat(2)).as_bytes())
    });
    check("FunctionCallResponse", 60_000, |n| {
        let mut body = (n as u32).to_be_bytes().to_vec();
        body.resize(4 + n, 0);
        message(tag::FUNCTION_CALL_RESPONSE, &body)
    });
    check("BackendKeyData", 60_000, |n| message(tag::BACKEND_KEY_DATA, &vec![1; n]));
}

/// The kinds that have no body of their own may be sent one all the same, and there may be kinds that nobody knows.
#[test]
fn messages_of_which_the_body_is_not_read() {
    for tag in *b"123nscWIZ?" {
        check("a message without fields", 20_000, |n| message(tag, &vec![b'I'; n]));
    }
}

#[test]
fn what_is_malformed_is_not_read_again_and_again() {
    // a description that is wrong in its last field, a text without an end, mechanisms without an end
    let field = [&b"column\0"[..], &[0; 18]].concat();
    let description = [&b"\x40\0"[..], &field.repeat(0x3fff), b"no end"].concat();
    for (tag, body) in [
        (tag::ROW_DESCRIPTION, description),
        (tag::COMMAND_COMPLETE, vec![b'x'; 60_000]),
        (tag::AUTHENTICATION, [b"\0\0\0\x0a".to_vec(), b"SCRAM\0".repeat(60_000), b"x".repeat(1000)].concat()),
    ] {
        let stream = message(tag, &body);
        for size in PIECES {
            let mut parser = Parser::new();
            let mut words = vec![0; 1024];
            let _ = take();
            let errors: usize =
                stream.chunks(size.min(stream.len())).map(|piece| feed(&mut parser, piece, &mut words).1).sum();
            let count = take();
            assert_eq!(errors, 1, "{}", tag::name(tag));
            assert!(count <= MOST_PER_BYTE * stream.len() as u64, "{}: {count} touched", tag::name(tag));
        }
    }
}

/// 200 MB, of which never more is there than the row itself: the stream is made as it goes.
fn large_row(piece: usize) {
    const BODY: usize = 200_000_000;
    let mut parser = Parser::new();
    let mut words = vec![0; 1024];
    let _ = take();
    let mut head = vec![tag::DATA_ROW];
    head.extend((BODY as u32 + 4).to_be_bytes());
    head.extend(b"\0\x01");
    head.extend((BODY as u32 - 6).to_be_bytes());
    let rest = vec![b'x'; piece];
    assert_eq!(feed(&mut parser, &head, &mut words), (0, 0));
    let mut left = BODY - 6;
    let mut rows = 0;
    while left > 0 {
        let next = &rest[..piece.min(left)];
        rows += feed(&mut parser, next, &mut words).0;
        left -= next.len();
    }
    assert_eq!((rows, parser.held()), (1, &b""[..]));
    let count = take();
    assert!(count <= MOST_PER_BYTE * BODY as u64, "in pieces of {piece}: {count} touched");
}

#[test]
fn a_row_of_200_megabytes() {
    large_row(65_536);
    large_row(1460);
    if std::env::var_os("PG_PROTOCOL_NATIVE_TEST_HUGE").is_some() {
        for piece in [1, 2, 3, 5, 64, 1000, 1_000_000, 100_000_000, 200_000_000] {
            large_row(piece);
        }
    }
}
