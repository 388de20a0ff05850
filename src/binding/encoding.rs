//! The half of `lib/encoding.js` that knows the encodings.

use napi::{Error, Result, Status, sys};

use super::{parser::to_buffer, raw::Call};
use crate::{
    batch::ROWS,
    encoding::{self, Encoding, Named},
};

/// `createEncoding(name)`: the encoding of that name; null for one that is read as UTF-8, undefined for a name that is
/// none of PostgreSQL's.
pub fn create(call: &Call<'_>) -> Result<sys::napi_value> {
    match encoding::find(&call.string(0)?) {
        Named::Other(encoding) => call.new_state(encoding),
        Named::Utf8 | Named::Unreadable => call.null(),
        Named::Unknown => Ok(std::ptr::null_mut()),
    }
}

/// `decodeText(encoding, bytes, start, end)`: the text of those bytes.
pub fn decode(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/encoding.js passes what `create` made.
    let encoding = *unsafe { call.state::<Encoding>(0)? };
    let bytes = call.bytes(1)?;
    let range = call.int(2)? as usize..call.int(3)? as usize;
    let Some(bytes) = bytes.get(range) else {
        return Err(Error::new(Status::InvalidArg, "decodeText: no such bytes"));
    };
    let mut units = Vec::new();
    encoding.decode_utf16(bytes, &mut units);
    if units.iter().fold(0, |all, unit| all | unit) > 0xff {
        return call.utf16(&units);
    }
    let chars: Vec<u8> = units.iter().map(|&unit| unit as u8).collect();
    call.latin1(&chars)
}

/// `transcode(encoding, bytes, words: Int32Array, texts: Uint8Array)`: DataRow messages with their texts in UTF-8, as the
/// crate's module `encoding` makes them, from the one on whose body begins at `words[ROWS]`, and at most `words[1]`.
/// Leaves in `words[ROWS]` how many there are.
pub fn transcode(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/encoding.js passes what `create` made.
    let encoding = *unsafe { call.state::<Encoding>(0)? };
    let bytes = call.bytes(1)?;
    // SAFETY: lib/encoding.js makes the words itself; the bytes are somebody else's memory.
    let words = unsafe { call.words(2)? };
    let &[body, most] = &*words else {
        return Err(Error::new(Status::InvalidArg, "transcode: no words"));
    };
    let (rows, out) = encoding::transcode(encoding, bytes, body as usize, most as usize, call.bytes(3)?);
    words[ROWS] = rows as i32;
    to_buffer(&call.env(), out.into())
}
