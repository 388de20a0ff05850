//! The framing half of `lib/parser.js`.

use bytes::Bytes;
use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::parser::Parser;

/// From this size on a straddler's memory is handed to JavaScript as it is. A smaller one is copied,
/// which costs less than the finalizer of an external Buffer (about 1 µs).
const EXTERNAL_BYTES: usize = 64 << 10;

/// The state of one stream.
#[napi]
#[derive(Default)]
pub struct NativeParser {
    parser: Parser,
}

#[napi]
impl NativeParser {
    /// At the beginning of a stream.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Indexes the messages of `chunk` from byte `from` on into `words`, as the crate's module
    /// `index` lays them out. Returns the straddler's own Buffer when the first entry lies in it.
    #[napi]
    pub fn feed<'env>(
        &mut self,
        env: &'env Env,
        chunk: &[u8],
        from: u32,
        mut words: Int32ArraySlice<'_>,
    ) -> Result<Option<BufferSlice<'env>>> {
        // SAFETY: lib/parser.js makes the table for this call alone: no other view of its memory is in
        // use while the call runs, and the chunk is another ArrayBuffer.
        let words = unsafe { words.as_mut() };
        let from = from as usize;
        if from > chunk.len() || words.len() < crate::index::HEADER_WORDS {
            return Err(Error::new(Status::InvalidArg, "feed: offset or table out of range"));
        }
        self.parser.feed(chunk, from, words).map(|message| to_buffer(env, message)).transpose()
    }

    /// The sentence of the oldest error entry whose sentence was not taken yet.
    #[napi]
    pub fn take_problem(&mut self) -> Option<String> {
        self.parser.take_problem()
    }

    /// A copy of the bytes that are held of a message that has not ended.
    #[napi]
    pub fn held(&self) -> Buffer {
        self.parser.held().into()
    }
}

fn to_buffer(env: &Env, message: Bytes) -> Result<BufferSlice<'_>> {
    if message.len() < EXTERNAL_BYTES {
        return BufferSlice::copy_from(env, message);
    }
    // Falls back to a copy by itself where the runtime refuses external memory (Electron).
    BufferSlice::from_data(env, Vec::from(message))
}
