//! The fields of the messages that are not rows, read slowly into values of their own.

/// A field of a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Field {
    /// A number, with or without a sign.
    Number(i64),
    /// A text, or other bytes.
    Text(Vec<u8>),
    /// A field that the message does not have.
    Absent,
}

use Field::{Absent, Number, Text};

/// The fields in the order in which [`crate::message::describe`] lays them out, counts included; `None` where the body
/// does not hold what the type demands. Twin of [`crate::message::describe`].
pub fn fields(tag: u8, body: &[u8]) -> Option<Vec<Field>> {
    let mut body = Body(body.to_vec());
    let mut found = Vec::new();
    match tag {
        b'D' => found.push(body.unsigned(2)?),
        b'Z' => found.push(body.unsigned(1)?),
        b'C' => found.push(body.text()?),
        b'S' => found.extend([body.text()?, body.text()?]),
        b'A' => found.extend([body.signed(4)?, body.text()?, body.text()?]),
        b'K' => found.extend([body.signed(4)?, body.signed(4)?]),
        b'R' => {
            let code = body.signed(4)?;
            let mut mechanisms = Vec::new();
            if code == Number(10) {
                loop {
                    match body.text()? {
                        Text(text) if text.is_empty() => break,
                        text => mechanisms.push(text),
                    }
                }
                few(&mechanisms)?;
            }
            found.extend([code, Number(mechanisms.len() as i64)]);
            found.extend(mechanisms);
        }
        b'v' => {
            let version = body.signed(4)?;
            let Number(count) = body.unsigned(4)? else { return None };
            let options = (0..count).map(|_| body.text()).collect::<Option<Vec<_>>>()?;
            few(&options)?;
            found.extend([version, Number(count)]);
            found.extend(options);
        }
        b'T' => {
            let Number(count) = body.unsigned(2)? else { return None };
            found.push(Number(count));
            for _ in 0..count {
                found.push(body.text()?);
                for size in [4, 2, 4, 2, 4, 2] {
                    found.push(body.signed(size)?);
                }
            }
        }
        b't' => {
            let Number(count) = body.unsigned(2)? else { return None };
            found.push(Number(count));
            for _ in 0..count {
                found.push(body.signed(4)?);
            }
        }
        b'G' | b'H' => {
            let format = body.unsigned(1)?;
            let Number(count) = body.unsigned(2)? else { return None };
            found.extend([format, Number(count)]);
            for _ in 0..count {
                found.push(body.signed(2)?);
            }
        }
        b'E' | b'N' => found = error_fields(body),
        b'V' => {
            let Number(length) = body.signed(4)? else { return None };
            if length < -1 || length > body.0.len() as i64 {
                return None;
            }
            found.push(Number(length));
        }
        _ => {}
    }
    Some(found)
}

/// The last of the fields of one type counts; a text without an end is the last one.
fn error_fields(mut body: Body) -> Vec<Field> {
    let known = b"MSCDHPpqWstcdnFLR";
    let mut found = vec![Absent; known.len()];
    while let Some(Number(letter)) = body.unsigned(1) {
        if letter == 0 {
            break;
        }
        let text = body.text().unwrap_or_else(|| Text(std::mem::take(&mut body.0)));
        if let Some(place) = known.iter().position(|&known| i64::from(known) == letter) {
            found[place] = text;
        }
    }
    found
}

/// A list that has no 16-bit count must not have more than those that have.
fn few(texts: &[Field]) -> Option<()> {
    (texts.len() <= 0xffff).then_some(())
}

/// What has not been read yet.
struct Body(Vec<u8>);

impl Body {
    fn unsigned(&mut self, size: usize) -> Option<Field> {
        if self.0.len() < size {
            return None;
        }
        Some(Number(self.0.drain(..size).fold(0, |value, byte| value * 256 + i64::from(byte))))
    }

    fn signed(&mut self, size: usize) -> Option<Field> {
        let Number(value) = self.unsigned(size)? else { return None };
        let most = 1 << (8 * size);
        Some(Number(if value >= most / 2 { value - most } else { value }))
    }

    /// Up to a zero, which is taken away as well.
    fn text(&mut self) -> Option<Field> {
        let length = self.0.iter().position(|&byte| byte == 0)?;
        let text = self.0.drain(..length).collect();
        self.0.remove(0);
        Some(Text(text))
    }
}
