//! The fields of every message that is not a row, as words for the [`crate::index`].
//!
//! What DETAIL holds, by type (`[]` are details: words at the place that DETAIL names; a text is the
//! two offsets of its first byte and of its end, its terminating zero left out):
//!
//! | message | DETAIL |
//! |---|---|
//! | DataRow | number of cells |
//! | ReadyForQuery | the status byte |
//! | CommandComplete | end of the tag, which begins the body |
//! | ParameterStatus | `[name, value]` |
//! | NotificationResponse | `[process ID, channel, payload]` |
//! | BackendKeyData | `[process ID, first four bytes of the key]` |
//! | Authentication | `[code, n, n texts]` (the texts are SASL mechanisms) |
//! | RowDescription | `[n, hash of the body, n times ([FIELD_WORDS] words): name, table OID, attribute number, type OID, type size, type modifier, format]` |
//! | ParameterDescription | `[n, n OIDs]` |
//! | CopyInResponse, CopyOutResponse | `[format, n, n format codes]` |
//! | ErrorResponse, NoticeResponse | `[a text for each of [ERROR_FIELDS], -1 -1 where it is absent]` |
//! | NegotiateProtocolVersion | `[version, n, n texts]` |
//! | FunctionCallResponse | length of the value, -1 for NULL |
//! | the others | 0 |
//!
//! Counts are unsigned here, as the server means them; pg-protocol reads them signed.

use memchr::memchr;

use crate::{
    error::Malformed,
    index::{Full, Index},
    tag,
    touched::touch,
};

/// Words of one field of a RowDescription.
pub const FIELD_WORDS: usize = 8;

/// The most names that a list without a 16-bit count may have. PostgreSQL sends a handful; the limit
/// keeps the table of a hostile message in proportion.
pub const MAX_TEXTS: usize = u16::MAX as usize;

/// The field types of ErrorResponse and NoticeResponse that become properties, in the order in which
/// pg-protocol's `parseErrorMessage` sets them; the message text `M` comes first.
pub const ERROR_FIELDS: [u8; 17] = *b"MSCDHPpqWstcdnFLR";

/// Why a message has no entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reject {
    /// The table is full; nothing was written.
    Full,
    /// The body is not what the type demands; nothing was written.
    Malformed(Malformed),
}

impl From<Full> for Reject {
    fn from(_: Full) -> Self {
        Self::Full
    }
}

impl From<Malformed> for Reject {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

/// Reads the body `bytes[at..end]` of a message of type `tag`; gives its DETAIL word.
///
/// # Errors
/// [`Reject`], and then the index is as before.
pub fn describe(tag: u8, bytes: &[u8], at: usize, end: usize, index: &mut Index<'_>) -> Result<i32, Reject> {
    let mark = index.mark();
    let mut body = Body { bytes: &bytes[..end], at };
    let detail = match tag {
        tag::DATA_ROW => body.count("cells").map(|count| count as i32).map_err(Reject::from),
        tag::READY_FOR_QUERY => body.byte("transaction status").map(i32::from).map_err(Reject::from),
        tag::COMMAND_COMPLETE => body.text("command tag").map(|[_, end]| end).map_err(Reject::from),
        tag::PARAMETER_STATUS => parameter_status(body, index),
        tag::NOTIFICATION_RESPONSE => notification(body, index),
        tag::BACKEND_KEY_DATA => backend_key_data(body, index),
        tag::AUTHENTICATION => authentication(body, index),
        tag::ROW_DESCRIPTION => row_description(body, index),
        tag::PARAMETER_DESCRIPTION => parameter_description(body, index),
        tag::COPY_IN_RESPONSE | tag::COPY_OUT_RESPONSE => copy_response(body, index),
        tag::ERROR_RESPONSE | tag::NOTICE_RESPONSE => error_fields(body, index),
        tag::NEGOTIATE_PROTOCOL_VERSION => negotiate(body, index),
        tag::FUNCTION_CALL_RESPONSE => function_call(body),
        _ => Ok(0),
    };
    if detail.is_err() {
        index.release(mark);
    }
    detail
}

/// A cursor that cannot leave its message.
struct Body<'a> {
    /// The buffer, cut off at the message's end: offsets stay those of the buffer.
    bytes: &'a [u8],
    at: usize,
}

impl Body<'_> {
    fn left(&self) -> usize {
        self.bytes.len() - self.at
    }

    fn take<const N: usize>(&mut self, what: &str) -> Result<[u8; N], Malformed> {
        let Some(bytes) = self.bytes[self.at..].first_chunk::<N>() else {
            return Err(Malformed::new(format!("{what} needs {N} bytes, {} are left", self.left())));
        };
        touch(N);
        self.at += N;
        Ok(*bytes)
    }

    fn byte(&mut self, what: &str) -> Result<u8, Malformed> {
        self.take::<1>(what).map(|[byte]| byte)
    }

    fn int16(&mut self, what: &str) -> Result<i32, Malformed> {
        self.take(what).map(i16::from_be_bytes).map(i32::from)
    }

    fn int32(&mut self, what: &str) -> Result<i32, Malformed> {
        self.take(what).map(i32::from_be_bytes)
    }

    fn count(&mut self, what: &str) -> Result<usize, Malformed> {
        self.take(what).map(u16::from_be_bytes).map(usize::from)
    }

    /// A count of things of at least `least` bytes each, all of which must have room in the body.
    fn count_of(&mut self, what: &str, least: usize) -> Result<usize, Malformed> {
        let count = self.count(what)?;
        self.check_room(count, least, what)?;
        Ok(count)
    }

    fn check_room(&self, count: usize, least: usize, what: &str) -> Result<(), Malformed> {
        if count > self.left() / least {
            return Err(Malformed::new(format!("{count} {what} announced, {} bytes are left", self.left())));
        }
        Ok(())
    }

    fn text(&mut self, what: &str) -> Result<[i32; 2], Malformed> {
        let start = self.at;
        let found = memchr(0, &self.bytes[start..]);
        touch(found.map_or(self.left(), |length| length + 1));
        match found {
            Some(length) => {
                self.at = start + length + 1;
                Ok([start as i32, (start + length) as i32])
            }
            None => Err(Malformed::new(format!("{what} has no terminating zero"))),
        }
    }
}

fn write<const N: usize>(index: &mut Index<'_>, words: [i32; N]) -> Result<i32, Reject> {
    let (at, details) = index.details(N)?;
    details.copy_from_slice(&words);
    Ok(at as i32)
}

fn parameter_status(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let [name, name_end] = body.text("parameter name")?;
    let [value, value_end] = body.text("parameter value")?;
    write(index, [name, name_end, value, value_end])
}

fn notification(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let process = body.int32("process ID")?;
    let [channel, channel_end] = body.text("channel name")?;
    let [payload, payload_end] = body.text("payload")?;
    write(index, [process, channel, channel_end, payload, payload_end])
}

fn backend_key_data(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let process = body.int32("process ID")?;
    let key = body.int32("secret key")?;
    write(index, [process, key])
}

/// Code of AuthenticationSASL, the one form whose fields have no fixed places.
const SASL: i32 = 10;

fn authentication(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let code = body.int32("authentication code")?;
    let mut count = 0;
    if code == SASL {
        // Counted before anything is written: the list has no count of its own and ends with an empty name.
        let mut list = Body { bytes: body.bytes, at: body.at };
        loop {
            let [start, end] = list.text("SASL mechanism")?;
            if start == end {
                break;
            }
            count += 1;
            check_texts(count, "SASL mechanisms")?;
        }
    }
    texts(index, body, code, count, "SASL mechanism")
}

fn negotiate(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let version = body.int32("protocol version")?;
    let count = body.int32("number of options")? as u32 as usize;
    body.check_room(count, 1, "options")?;
    check_texts(count, "options")?;
    texts(index, body, version, count, "option name")
}

fn check_texts(count: usize, what: &str) -> Result<(), Malformed> {
    if count > MAX_TEXTS {
        return Err(Malformed::new(format!("more than {MAX_TEXTS} {what}")));
    }
    Ok(())
}

/// `[first, count, count texts]`.
fn texts(index: &mut Index<'_>, mut body: Body<'_>, first: i32, count: usize, what: &str) -> Result<i32, Reject> {
    let (at, details) = index.details(2 + 2 * count)?;
    details[..2].copy_from_slice(&[first, count as i32]);
    for text in details[2..].as_chunks_mut::<2>().0 {
        *text = body.text(what)?;
    }
    Ok(at as i32)
}

fn row_description(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let hash = hash(&body.bytes[body.at..]);
    // 18 bytes of numbers and the zero behind the name.
    let count = body.count_of("fields", 19)?;
    let (at, details) = index.details(2 + FIELD_WORDS * count)?;
    details[..2].copy_from_slice(&[count as i32, hash]);
    for field in details[2..].as_chunks_mut::<FIELD_WORDS>().0 {
        let [name, name_end] = body.text("field name")?;
        *field = [
            name,
            name_end,
            body.int32("table OID")?,
            body.int16("attribute number")?,
            body.int32("type OID")?,
            body.int16("type size")?,
            body.int32("type modifier")?,
            body.int16("format code")?,
        ];
    }
    Ok(at as i32)
}

/// A hash by which JavaScript finds a description that it has seen before; it compares the bytes then, so that a
/// collision costs time and nothing else. Eight bytes at a time, with the constants of a linear congruential generator.
fn hash(bytes: &[u8]) -> i32 {
    let mix = |state: u64, word: u64| (state ^ word).wrapping_mul(6_364_136_223_846_793_005).rotate_left(29);
    touch(bytes.len());
    let (words, rest) = bytes.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let state = words.iter().fold(bytes.len() as u64, |state, word| mix(state, u64::from_le_bytes(*word)));
    (mix(state, u64::from_le_bytes(last)) >> 32) as i32
}

fn parameter_description(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let count = body.count_of("parameters", 4)?;
    let (at, details) = index.details(1 + count)?;
    details[0] = count as i32;
    for oid in &mut details[1..] {
        *oid = body.int32("type OID")?;
    }
    Ok(at as i32)
}

fn copy_response(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let format = body.byte("COPY format")?;
    let count = body.count_of("columns", 2)?;
    let (at, details) = index.details(2 + count)?;
    details[..2].copy_from_slice(&[i32::from(format), count as i32]);
    for code in &mut details[2..] {
        *code = body.int16("format code")?;
    }
    Ok(at as i32)
}

/// Lenient, since what an error has to say matters more than how it ends: a missing terminator ends
/// the last text, and the list, at the end of the message.
fn error_fields(mut body: Body<'_>, index: &mut Index<'_>) -> Result<i32, Reject> {
    let (at, details) = index.details(2 * ERROR_FIELDS.len())?;
    details.fill(-1);
    while let Ok(letter) = body.byte("field type") {
        if letter == 0 {
            break;
        }
        let start = body.at;
        let [start, end] = body.text("field").unwrap_or_else(|_| {
            body.at = body.bytes.len();
            [start as i32, body.bytes.len() as i32]
        });
        if let Some(known) = ERROR_FIELDS.iter().position(|&field| field == letter) {
            details[2 * known..2 * known + 2].copy_from_slice(&[start, end]);
        }
    }
    Ok(at as i32)
}

fn function_call(mut body: Body<'_>) -> Result<i32, Reject> {
    let length = body.int32("length of the value")?;
    if length < -1 || length > 0 && length as usize > body.left() {
        return Err(Malformed::new(format!("a value of {length} bytes, {} are left", body.left())).into());
    }
    Ok(length)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::HEADER_WORDS;

    fn read(tag: u8, body: &[u8]) -> Result<(i32, Vec<i32>), Reject> {
        let mut words = vec![0; 256];
        let mut index = Index::new(&mut words);
        let detail = describe(tag, body, 0, body.len(), &mut index)?;
        let mark = index.mark();
        Ok((detail, words[mark..].to_vec()))
    }

    fn malformed(tag: u8, body: &[u8]) -> String {
        match read(tag, body) {
            Err(Reject::Malformed(malformed)) => malformed.what,
            other => panic!("not malformed: {other:?}"),
        }
    }

    #[test]
    fn texts_are_ranges_without_their_zero() {
        assert_eq!(read(tag::COMMAND_COMPLETE, b"SELECT 1\0"), Ok((8, vec![])));
        assert_eq!(read(tag::PARAMETER_STATUS, b"a\0\0").unwrap().1, [0, 1, 2, 2]);
        assert_eq!(read(tag::NOTIFICATION_RESPONSE, b"\0\0\0\x01ch\0x\0").unwrap().1, [1, 4, 6, 7, 8]);
    }

    #[test]
    fn nothing_is_read_behind_the_end_of_the_body() {
        let bytes = b"SELECT 1S\0";
        let mut words = vec![0; 64];
        let mut index = Index::new(&mut words);
        let cut = describe(tag::COMMAND_COMPLETE, bytes, 0, 8, &mut index);
        assert!(matches!(cut, Err(Reject::Malformed(_))));
        assert_eq!(malformed(tag::READY_FOR_QUERY, b""), "transaction status needs 1 bytes, 0 are left");
        assert_eq!(malformed(tag::ROW_DESCRIPTION, b"\0\x02a\0"), "2 fields announced, 2 bytes are left");
        assert_eq!(malformed(tag::AUTHENTICATION, b"\0\0\0\x0aSCRAM\0"), "SASL mechanism has no terminating zero");
        assert_eq!(malformed(tag::BACKEND_KEY_DATA, b"\0\0\0\x07"), "secret key needs 4 bytes, 0 are left");
        assert_eq!(malformed(tag::FUNCTION_CALL_RESPONSE, b"\0\0\0\x02h"), "a value of 2 bytes, 1 are left");
        assert_eq!(
            malformed(tag::NEGOTIATE_PROTOCOL_VERSION, b"\0\x03\0\0\xff\xff\xff\xff"),
            "4294967295 options announced, 0 bytes are left"
        );
    }

    #[test]
    fn a_rejected_message_leaves_the_index_as_it_was() {
        let mut words = vec![0; HEADER_WORDS + 40];
        let mut index = Index::new(&mut words);
        let mark = index.mark();
        let body = b"\0\x02a\0______\0\0\0\0\0\0\0\0\0\0\0\0bbbbbbbbbbbbbbbbbbbbbbbbb";
        let rejected = describe(tag::ROW_DESCRIPTION, body, 0, body.len(), &mut index);
        assert!(matches!(rejected, Err(Reject::Malformed(_))));
        assert_eq!(index.mark(), mark);
    }

    #[test]
    fn counts_are_unsigned() {
        let mut body = vec![0x9c, 0x40];
        body.extend([0, 0, 0, 23].repeat(40_000));
        let mut words = vec![0; 50_000];
        let mut index = Index::new(&mut words);
        let at = describe(tag::PARAMETER_DESCRIPTION, &body, 0, body.len(), &mut index).unwrap() as usize;
        assert_eq!(words[at], 40_000);
        assert!(words[at + 1..at + 40_001].iter().all(|&oid| oid == 23));
        let mut small = vec![0; 100];
        let full = describe(tag::PARAMETER_DESCRIPTION, &body, 0, body.len(), &mut Index::new(&mut small));
        assert_eq!(full, Err(Reject::Full));
    }

    #[test]
    fn an_error_ends_with_its_message() {
        let whole = read(tag::ERROR_RESPONSE, b"SERROR\0W\0Mboom\0Zlater\0\0").unwrap().1;
        let cut = read(tag::ERROR_RESPONSE, b"SERROR\0W\0Mboom").unwrap().1;
        assert_eq!(whole, cut);
        assert_eq!(whole[..4], [10, 14, 1, 6]);
        let place = 2 * ERROR_FIELDS.iter().position(|&field| field == b'W').unwrap();
        assert_eq!(whole[place..place + 2], [8, 8]);
        assert!(read(tag::ERROR_RESPONSE, b"").unwrap().1.iter().all(|&word| word == -1));
    }
}
