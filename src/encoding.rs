//! Text that is not UTF-8: the encodings that a client of PostgreSQL can ask for (`client_encoding`).
//!
//! `encoding_rs` knows them by the names of the WHATWG Encoding Standard, which follows what Windows does where it is
//! a superset of the standard that PostgreSQL names. Two are decoded here: what WHATWG calls by the names of ISO 8859-1
//! and 8859-9 are windows-1252 and -1254, which differ from 0x80 to 0x9f. PostgreSQL's own names stand in
//! `src/backend/utils/mb/encnames.c` of its sources, with the alternative spellings.
//!
//! Where PostgreSQL reads a sequence of bytes in another way than WHATWG, its way is taken for single characters in
//! common use. Left are some that are hardly met: `docs/encodings.md` lists them, and a test with a server counts them.
//!
//! Every encoding here has ASCII as ASCII, so that a cell without a byte above 0x7f needs no decoding.

use crate::{
    frame::{Frame, scan},
    row::Cells,
    tag::{DATA_ROW, HEADER_BYTES, MAX_LENGTH},
};

/// How the bytes become characters.
#[derive(Debug, Clone, Copy)]
enum Decoding {
    /// One byte, one character of the same number.
    Latin1,
    /// The same but for six Turkish letters.
    Latin5,
    /// As WHATWG has it, but for characters in whose place PostgreSQL has another one.
    Whatwg(&'static encoding_rs::Encoding, Substitutes),
}

/// Characters of WHATWG's, each of which is that of one sequence of bytes only, and PostgreSQL's.
type Substitutes = &'static [(char, char)];

/// An encoding other than UTF-8.
#[derive(Debug, Clone, Copy)]
pub struct Encoding(Decoding);

/// What a name stands for.
#[derive(Debug, Clone, Copy)]
pub enum Named {
    /// UTF-8, or bytes of which the server does not say what they are, which are read as UTF-8 as ever.
    Utf8,
    /// Another encoding that can be read.
    Other(Encoding),
    /// An encoding of PostgreSQL's for which there is no decoder.
    Unreadable,
    /// None of PostgreSQL's.
    Unknown,
}

/// Names as PostgreSQL compares them: letters and digits, in lower case.
const WHATWG: [(&[&str], &encoding_rs::Encoding); 25] = [
    (&["latin2", "iso88592"], encoding_rs::ISO_8859_2),
    (&["latin3", "iso88593"], encoding_rs::ISO_8859_3),
    (&["latin4", "iso88594"], encoding_rs::ISO_8859_4),
    (&["latin6", "iso885910"], encoding_rs::ISO_8859_10),
    (&["latin7", "iso885913"], encoding_rs::ISO_8859_13),
    (&["latin8", "iso885914"], encoding_rs::ISO_8859_14),
    (&["latin9", "iso885915"], encoding_rs::ISO_8859_15),
    (&["latin10", "iso885916"], encoding_rs::ISO_8859_16),
    (&["iso88595"], encoding_rs::ISO_8859_5),
    (&["iso88596"], encoding_rs::ISO_8859_6),
    (&["iso88597"], encoding_rs::ISO_8859_7),
    (&["iso88598"], encoding_rs::ISO_8859_8),
    (&["koi8r", "koi8"], encoding_rs::KOI8_R),
    (&["win866", "windows866", "alt"], encoding_rs::IBM866),
    (&["win874", "windows874"], encoding_rs::WINDOWS_874),
    (&["win1250", "windows1250"], encoding_rs::WINDOWS_1250),
    (&["win1251", "windows1251", "win"], encoding_rs::WINDOWS_1251),
    (&["win1252", "windows1252"], encoding_rs::WINDOWS_1252),
    (&["win1253", "windows1253"], encoding_rs::WINDOWS_1253),
    (&["win1254", "windows1254"], encoding_rs::WINDOWS_1254),
    (&["win1255", "windows1255"], encoding_rs::WINDOWS_1255),
    (&["win1256", "windows1256"], encoding_rs::WINDOWS_1256),
    (&["win1257", "windows1257"], encoding_rs::WINDOWS_1257),
    (&["win1258", "windows1258", "abc", "tcvn", "tcvn5712", "vscii"], encoding_rs::WINDOWS_1258),
    (&["sjis", "shiftjis", "mskanji", "win932", "windows932"], encoding_rs::SHIFT_JIS),
];

/// The same for those of China and Korea, which are parts of larger ones.
const WHATWG_CJK: [(&[&str], &encoding_rs::Encoding); 4] = [
    (&["gbk", "win936", "windows936"], encoding_rs::GBK),
    (&["gb18030"], encoding_rs::GB18030),
    (&["euckr"], encoding_rs::EUC_KR),
    (&["uhc", "win949", "windows949"], encoding_rs::EUC_KR),
];

/// The same for those in which PostgreSQL reads something else.
const WITH_SUBSTITUTES: [(&[&str], &encoding_rs::Encoding, Substitutes); 4] = [
    (&["koi8u"], encoding_rs::KOI8_U, &[('ў', '╝'), ('Ў', '╬')]),
    (&["eucjp"], encoding_rs::EUC_JP, &[('\u{a6}', '\u{ffe4}')]),
    (&["euccn"], encoding_rs::GBK, &[('\u{2014}', '\u{2015}'), ('\u{b7}', '\u{30fb}')]),
    (
        &["big5", "win950", "windows950"],
        encoding_rs::BIG5,
        &[
            ('\u{ffe0}', '\u{a2}'),
            ('\u{ffe1}', '\u{a3}'),
            ('\u{ffe5}', '\u{a5}'),
            ('\u{2027}', '\u{2022}'),
            ('\u{af}', '\u{203e}'),
            ('\u{ff5e}', '\u{223c}'),
            ('\u{2299}', '\u{2609}'),
            ('\u{2295}', '\u{2641}'),
            ('\u{2215}', '\u{ff0f}'),
            ('\u{fe68}', '\u{ff3c}'),
            ('\u{fe51}', '\u{ff64}'),
        ],
    ),
];

/// What a value of `client_encoding` stands for, however it is spelled.
///
/// ```
/// use pg_protocol_native::encoding::{Named, find};
/// assert!(matches!(find("UTF8"), Named::Utf8));
/// assert!(matches!(find("latin-1"), Named::Other(_)));
/// assert!(matches!(find("EUC_TW"), Named::Unreadable));
/// assert!(matches!(find("ebcdic"), Named::Unknown));
/// ```
#[must_use]
pub fn find(name: &str) -> Named {
    let name: String = name.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    match name.as_str() {
        "utf8" | "unicode" | "sqlascii" => Named::Utf8,
        "latin1" | "iso88591" => Named::Other(Encoding(Decoding::Latin1)),
        "latin5" | "iso88599" => Named::Other(Encoding(Decoding::Latin5)),
        "euctw" | "eucjis2004" | "shiftjis2004" | "johab" | "muleinternal" => Named::Unreadable,
        name => by_name(name).map_or(Named::Unknown, |decoding| Named::Other(Encoding(decoding))),
    }
}

fn by_name(name: &str) -> Option<Decoding> {
    let plain = WHATWG.iter().chain(&WHATWG_CJK).map(|&(names, encoding)| (names, encoding, &[][..]));
    let mut all = plain.chain(WITH_SUBSTITUTES);
    let (_, encoding, substitutes) = all.find(|(names, ..)| names.contains(&name))?;
    Some(Decoding::Whatwg(encoding, substitutes))
}

impl Encoding {
    /// Appends the text as UTF-16 code units; a character of its own (U+FFFD) stands for what is none.
    pub fn decode_utf16(self, bytes: &[u8], out: &mut Vec<u16>) {
        match self.0 {
            Decoding::Latin1 => out.extend(bytes.iter().map(|&byte| u16::from(byte))),
            Decoding::Latin5 => out.extend(bytes.iter().map(|&byte| latin5(byte) as u16)),
            Decoding::Whatwg(encoding, substitutes) => {
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let start = out.len();
                // `None` only where the sum is above usize.
                let room = decoder.max_utf16_buffer_length(bytes.len()).unwrap_or(bytes.len());
                out.resize(start + room, 0);
                let (_, _, written, _) = decoder.decode_to_utf16(bytes, &mut out[start..], true);
                out.truncate(start + written);
                for &(theirs, ours) in substitutes {
                    for unit in out[start..].iter_mut().filter(|unit| **unit == theirs as u16) {
                        *unit = ours as u16;
                    }
                }
            }
        }
    }

    /// Appends the text as UTF-8.
    pub fn decode_utf8(self, bytes: &[u8], out: &mut Vec<u8>) {
        if bytes.is_ascii() {
            return out.extend_from_slice(bytes);
        }
        let mut buffer = [0; 4];
        match self.0 {
            Decoding::Latin1 => {
                for &byte in bytes {
                    out.extend_from_slice(char::from(byte).encode_utf8(&mut buffer).as_bytes());
                }
            }
            Decoding::Latin5 => {
                for &byte in bytes {
                    out.extend_from_slice(latin5(byte).encode_utf8(&mut buffer).as_bytes());
                }
            }
            Decoding::Whatwg(_, [_, ..]) => {
                let mut units = Vec::new();
                self.decode_utf16(bytes, &mut units);
                for char in char::decode_utf16(units) {
                    let char = char.unwrap_or(char::REPLACEMENT_CHARACTER);
                    out.extend_from_slice(char.encode_utf8(&mut buffer).as_bytes());
                }
            }
            Decoding::Whatwg(encoding, []) => {
                let mut decoder = encoding.new_decoder_without_bom_handling();
                let start = out.len();
                let room = decoder.max_utf8_buffer_length(bytes.len()).unwrap_or(bytes.len());
                out.resize(start + room, 0);
                let (_, _, written, _) = decoder.decode_to_utf8(bytes, &mut out[start..], true);
                out.truncate(start + written);
            }
        }
    }
}

fn latin5(byte: u8) -> char {
    match byte {
        0xd0 => 'Ğ',
        0xdd => 'İ',
        0xde => 'Ş',
        0xf0 => 'ğ',
        0xfd => 'ı',
        0xfe => 'ş',
        _ => char::from(byte),
    }
}

/// So many bytes of rows are enough for one call: whoever pauses in between has the rest done again.
const ENOUGH_BYTES: usize = 16 << 10;

/// Copies DataRow messages with their texts in UTF-8, so that whoever reads rows in UTF-8 can read these: the one whose
/// body begins at `body` of `bytes`, and those behind it, up to `most` or so many as are enough. Gives how many, which
/// is 0 where not even the first one can be taken: it is malformed, or would be too long.
///
/// Cells of columns whose byte in `texts` is 0 are no texts and stay as they are.
#[must_use]
pub fn transcode(encoding: Encoding, bytes: &[u8], body: usize, most: usize, texts: &[u8]) -> (usize, Vec<u8>) {
    let mut out = Vec::new();
    let mut rows = 0;
    let mut at = body.checked_sub(HEADER_BYTES);
    while let Some(start) = at
        && rows < most
        && out.len() < ENOUGH_BYTES
        && start < bytes.len()
        && let Ok(Frame::Complete { tag: DATA_ROW, length }) = scan(&bytes[start..])
    {
        let end = start + 1 + length as usize;
        let written = out.len();
        if transcode_row(encoding, &bytes[start + HEADER_BYTES..end], texts, &mut out).is_none() {
            out.truncate(written);
            break;
        }
        rows += 1;
        at = Some(end);
    }
    (rows, out)
}

fn transcode_row(encoding: Encoding, body: &[u8], texts: &[u8], out: &mut Vec<u8>) -> Option<()> {
    let start = out.len();
    out.extend_from_slice(&[DATA_ROW, 0, 0, 0, 0]);
    out.extend_from_slice(body.get(..2)?);
    for (column, cell) in Cells::new(body, 0, body.len()).ok()?.enumerate() {
        let Some(range) = cell.ok()? else {
            out.extend_from_slice(&(-1i32).to_be_bytes());
            continue;
        };
        let place = out.len();
        out.extend_from_slice(&[0; 4]);
        if texts.get(column) == Some(&0) {
            out.extend_from_slice(&body[range]);
        } else {
            encoding.decode_utf8(&body[range], out);
        }
        let length = i32::try_from(out.len() - place - 4).ok()?;
        out[place..place + 4].copy_from_slice(&length.to_be_bytes());
    }
    let length = u32::try_from(out.len() - start - 1).ok().filter(|&length| length <= MAX_LENGTH)?;
    out[start + 1..start + HEADER_BYTES].copy_from_slice(&length.to_be_bytes());
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn named(name: &str) -> Encoding {
        match find(name) {
            Named::Other(encoding) => encoding,
            other => panic!("{name}: {other:?}"),
        }
    }

    fn text(encoding: Encoding, bytes: &[u8]) -> String {
        let mut units = vec![0x41];
        encoding.decode_utf16(bytes, &mut units);
        let mut utf8 = vec![0x41];
        encoding.decode_utf8(bytes, &mut utf8);
        let text = String::from_utf8(utf8).expect("UTF-8");
        assert_eq!(String::from_utf16(&units).expect("UTF-16"), text, "both ways give the same");
        text[1..].to_owned()
    }

    #[test]
    fn words_in_their_encodings() {
        for (name, bytes, expected) in [
            ("LATIN1", &b"caf\xe9 \x80\xff"[..], "café \u{80}ÿ"),
            ("LATIN5", b"\xdd\xfe \x80\xe9", "İş \u{80}é"),
            ("LATIN9", b"\xa4", "€"),
            ("WIN1252", b"\x80 \x93x\x94", "€ “x”"),
            ("WIN1251", b"\xcc\xe8\xf0", "Мир"),
            ("KOI8R", b"\xed\xc9\xd2", "Мир"),
            ("EUC_JP", b"\xc6\xfc\xcb\xdc\x8e\xb1", "日本ｱ"),
            ("SJIS", b"\x93\xfa\x96\x7b\x83\x5c", "日本ソ"),
            ("BIG5", b"\xa4\xa4\xa4\xe5", "中文"),
            ("GBK", b"\xd6\xd0\xce\xc4", "中文"),
            ("GB18030", b"\xd6\xd0\x94\x39\xfc\x36", "中😀"),
            ("EUC_KR", b"\xc7\xd1", "한"),
            ("UHC", b"\x81\x41", "갂"),
        ] {
            assert_eq!(text(named(name), bytes), expected, "{name}");
        }
    }

    #[test]
    fn bytes_that_are_no_character_become_replacements_and_never_reach_beyond() {
        assert_eq!(text(named("EUC_JP"), b"a\xc6"), "a\u{fffd}");
        assert_eq!(text(named("SJIS"), b"\xffa"), "\u{fffd}a");
        assert_eq!(text(named("BIG5"), b""), "");
    }

    #[test]
    fn every_name_is_found_once_and_ascii_stays_ascii() {
        let ascii: Vec<u8> = (0..0x80).collect();
        let mut seen = std::collections::HashSet::new();
        let plain = WHATWG.iter().chain(&WHATWG_CJK).map(|&(names, _)| names);
        for names in plain.chain(WITH_SUBSTITUTES.map(|(names, ..)| names)) {
            for name in names {
                assert!(seen.insert(*name), "{name}");
                assert_eq!(text(named(name), &ascii).as_bytes(), ascii, "{name}");
            }
        }
    }

    fn row(cells: &[Option<&[u8]>]) -> Vec<u8> {
        let mut body = (cells.len() as u16).to_be_bytes().to_vec();
        for cell in cells {
            body.extend_from_slice(&cell.map_or(-1, |bytes| bytes.len() as i32).to_be_bytes());
            body.extend_from_slice(cell.unwrap_or_default());
        }
        let mut message = vec![DATA_ROW];
        message.extend_from_slice(&(body.len() as u32 + 4).to_be_bytes());
        message.extend_from_slice(&body);
        message
    }

    #[test]
    fn rows_keep_their_nulls_and_what_is_no_text() {
        let bytes = [row(&[Some(b"caf\xe9"), None, Some(b"\xe9"), Some(b"")]), row(&[Some(b"x")])].concat();
        let (rows, out) = transcode(named("LATIN1"), &bytes, 5, 9, &[1, 1, 0, 1]);
        assert_eq!(rows, 2);
        let expected = [row(&[Some("café".as_bytes()), None, Some(b"\xe9"), Some(b"")]), row(&[Some(b"x")])].concat();
        assert_eq!(out, expected);
        assert_eq!(transcode(named("LATIN1"), &bytes, 5, 1, &[]).0, 1);
    }

    #[test]
    fn a_malformed_row_is_left_and_so_is_what_is_no_row() {
        let good = row(&[Some(b"\xe9")]);
        let mut bad = row(&[Some(b"abc")]);
        bad[10] = 9;
        let (rows, out) = transcode(named("LATIN1"), &[&good[..], &bad, &good].concat(), 5, 9, &[]);
        assert_eq!((rows, out), (1, row(&[Some("é".as_bytes())])));
        assert_eq!(transcode(named("LATIN1"), &bad, 5, 9, &[]), (0, vec![]));
        assert_eq!(transcode(named("LATIN1"), b"Z\0\0\0\x05I", 5, 9, &[]), (0, vec![]));
        assert_eq!(transcode(named("LATIN1"), &good, 0, 9, &[]), (0, vec![]));
    }

    proptest! {
        #[test]
        fn any_rows_become_rows_of_the_texts(
            rows in prop::collection::vec(prop::collection::vec(prop::option::of(prop::collection::vec(any::<u8>(), 0..9)), 0..5), 1..5)
        ) {
            let encoding = named("SJIS");
            let bytes: Vec<u8> = rows.iter().flat_map(|cells| row(&cells.iter().map(Option::as_deref).collect::<Vec<_>>())).collect();
            let texts: Vec<Vec<Option<String>>> =
                rows.iter().map(|cells| cells.iter().map(|cell| cell.as_ref().map(|cell| text(encoding, cell))).collect()).collect();
            let expected: Vec<u8> = texts
                .iter()
                .flat_map(|cells| row(&cells.iter().map(|cell| cell.as_ref().map(|text| text.as_bytes())).collect::<Vec<_>>()))
                .collect();
            let (count, out) = transcode(encoding, &bytes, 5, 100, &[]);
            prop_assert_eq!(count, rows.len());
            prop_assert_eq!(out, expected);
        }
    }
}
