//! The cells of a DataRow, as ranges of bytes.
//!
//! A cell is an Int32 length and as many bytes; the length -1 is NULL, other negative lengths and cells
//! that run past the message are errors. A cell never shows bytes outside its own message.

use std::ops::Range;

use crate::{error::Malformed, touched::touch};

/// Walks over the cells of one DataRow. After an error it gives nothing more.
///
/// ```
/// use pg_protocol_native::row::Cells;
/// let body = b"\0\x02\0\0\0\x01a\xff\xff\xff\xff";
/// let cells: Result<Vec<_>, _> = Cells::new(body, 0, body.len()).unwrap().collect();
/// assert_eq!(cells, Ok(vec![Some(6..7), None]));
/// ```
#[derive(Debug, Clone)]
pub struct Cells<'a> {
    /// The buffer, cut off at the row's end: ranges stay those of the buffer.
    bytes: &'a [u8],
    at: usize,
    index: usize,
    count: usize,
}

impl<'a> Cells<'a> {
    /// The cells of the body `bytes[body..end]`.
    ///
    /// # Errors
    /// [`Malformed`] where the count of cells itself is missing.
    ///
    /// # Panics
    /// If the range is not one of `bytes`.
    pub fn new(bytes: &'a [u8], body: usize, end: usize) -> Result<Self, Malformed> {
        let bytes = &bytes[..end];
        touch(2);
        let Some(count) = bytes[body..].first_chunk::<2>() else {
            return Err(Malformed::new("the number of cells is missing"));
        };
        Ok(Self { bytes, at: body + 2, index: 0, count: usize::from(u16::from_be_bytes(*count)) })
    }

    /// How many cells the row says it has.
    #[must_use]
    pub fn announced(&self) -> usize {
        self.count
    }

    #[cold]
    fn fail(&mut self, length: i32) -> Malformed {
        let index = self.index;
        self.index = self.count;
        let left = self.bytes.len() - self.at;
        Malformed::new(match length {
            i32::MIN..-1 => format!("cell {index} has the length {length}"),
            -1 => format!("cell {index} of {} is missing, {left} bytes are left", self.count),
            _ => format!("cell {index} has {length} bytes, {left} are left"),
        })
    }
}

impl Iterator for Cells<'_> {
    type Item = Result<Option<Range<usize>>, Malformed>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if self.index == self.count {
            return None;
        }
        let Some(length) = self.bytes[self.at..].first_chunk::<4>() else {
            return Some(Err(self.fail(-1)));
        };
        touch(4);
        self.at += 4;
        let length = i32::from_be_bytes(*length);
        if length == -1 {
            self.index += 1;
            return Some(Ok(None));
        }
        if length < 0 || length as usize > self.bytes.len() - self.at {
            return Some(Err(self.fail(length)));
        }
        let start = self.at;
        self.at += length as usize;
        self.index += 1;
        Some(Ok(Some(start..self.at)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(body: &[u8]) -> String {
        let mut cells = Cells::new(body, 0, body.len()).unwrap();
        let error = cells.find_map(Result::err).expect("an error").what;
        assert!(cells.next().is_none(), "nothing behind an error");
        error
    }

    #[test]
    fn lengths_are_checked_before_use() {
        assert_eq!(error(b"\0\x01\0\0\0\x02a"), "cell 0 has 2 bytes, 1 are left");
        assert_eq!(error(b"\0\x02\0\0\0\x01a\0\0"), "cell 1 of 2 is missing, 2 bytes are left");
        assert_eq!(error(b"\0\x01\xff\xff\xff\xfe"), "cell 0 has the length -2");
        assert_eq!(error(b"\0\x01\x7f\xff\xff\xff"), "cell 0 has 2147483647 bytes, 0 are left");
        assert!(Cells::new(b"\0", 0, 1).is_err());
    }

    #[test]
    fn a_neighbour_is_never_seen() {
        let bytes = b"\0\x01\0\0\0\x03abcdef";
        let mut cells = Cells::new(bytes, 0, 8).unwrap();
        assert!(cells.next().unwrap().is_err());
    }
}
