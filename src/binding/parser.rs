//! The framing half of `lib/message-table.js`.

use bytes::Bytes;
use napi::{Error, Result, Status, bindgen_prelude::*, sys};

use super::raw::Call;
use crate::{index, parser::Parser};

/// From this size on a straddler's memory is handed to JavaScript as it is. A smaller one is copied,
/// which costs less than the finalizer of an external Buffer (about 1 µs).
const EXTERNAL_BYTES: usize = 64 << 10;

/// `createParser()`: the state of one stream.
pub fn create(call: &Call<'_>) -> Result<sys::napi_value> {
    call.new_state(Parser::new())
}

/// `feed(parser, chunk: Uint8Array, words: Int32Array)`: indexes the messages of `chunk` into `words`,
/// from the byte on that `words[CONSUMED]` says, as the crate's module `index` lays them out. Gives the
/// straddler's own Buffer when the first entry lies in it, else undefined.
pub fn feed(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: only files in lib have what `create` made, and pass it.
    let parser = unsafe { call.state::<Parser>(0)? };
    let chunk = call.bytes(1)?;
    // SAFETY: lib/message-table.js makes the table itself; the chunk is somebody else's memory.
    let words = unsafe { call.words(2)? };
    let from = match words.get(index::CONSUMED) {
        Some(&from) if from >= 0 && from as usize <= chunk.len() => from as usize,
        _ => return Err(Error::new(Status::InvalidArg, "feed: offset or table out of range")),
    };
    match parser.feed(chunk, from, words) {
        None => Ok(std::ptr::null_mut()),
        Some(message) => to_buffer(&call.env(), message),
    }
}

/// `takeProblem(parser)`: the sentence of the oldest error entry whose sentence was not taken yet.
pub fn take_problem(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: only files in lib have what `create` made, and pass it.
    let parser = unsafe { call.state::<Parser>(0)? };
    let sentence = parser.take_problem().unwrap_or_default();
    call.env().create_string(sentence).map(|string| string.raw())
}

/// `finish(parser)`: says that the stream is over. A sentence if it ended inside a message, else undefined.
pub fn finish(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: only files in lib have what `create` made, and pass it.
    let parser = unsafe { call.state::<Parser>(0)? };
    match parser.finish() {
        None => Ok(std::ptr::null_mut()),
        Some(sentence) => call.env().create_string(sentence).map(|string| string.raw()),
    }
}

/// `held(parser)`: a copy of the bytes that are held of a message that has not ended.
pub fn held(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: only files in lib have what `create` made, and pass it.
    let parser = unsafe { call.state::<Parser>(0)? };
    BufferSlice::copy_from(&call.env(), parser.held()).map(|buffer| buffer.raw())
}

/// A Buffer of these bytes.
pub fn to_buffer(env: &Env, message: Bytes) -> Result<sys::napi_value> {
    if message.len() < EXTERNAL_BYTES {
        return BufferSlice::copy_from(env, message).map(|buffer| buffer.raw());
    }
    // Falls back to a copy by itself where the runtime refuses external memory (Electron).
    BufferSlice::from_data(env, Vec::from(message)).map(|buffer| buffer.raw())
}
