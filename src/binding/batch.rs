//! The decoding half of `lib/batch.js`.

use napi::{Error, Result, Status, sys};

use super::raw::Call;
use crate::{
    batch::{self, Kind, Scratch},
    text::pool::TextPools,
};

/// What is kept from one batch to the next: memory to work in and the plan.
#[derive(Default)]
pub struct Decoder {
    scratch: Scratch,
    plan: Vec<Kind>,
}

/// `createDecoder()`.
pub fn create(call: &Call<'_>) -> Result<sys::napi_value> {
    call.new_state(Decoder::default())
}

/// `createDictionaryDecoder()`: a decoder for who keeps a string for each slot of the dictionary.
pub fn create_with_dictionary(call: &Call<'_>) -> Result<sys::napi_value> {
    call.new_state(Decoder { scratch: Scratch::with_dictionary(), plan: Vec::new() })
}

/// `decode(decoder, bytes: Uint8Array, table: Int32Array, pools: string[], plan: Uint8Array)`: decodes the row
/// whose body begins at `table[ROWS]` of `bytes` and those that follow it into `table`, as the crate's module
/// `batch` lays it out, and sets the elements of `pools` whose pool is not empty.
pub fn decode(call: &Call<'_>) -> Result<sys::napi_value> {
    // SAFETY: lib/batch.js passes what `create` made.
    let decoder = unsafe { call.state::<Decoder>(0)? };
    let bytes = call.bytes(1)?;
    // SAFETY: lib/batch.js makes the table itself; the bytes are somebody else's memory.
    let table = unsafe { call.words(2)? };
    let Some(&body) = table.get(batch::ROWS) else {
        return Err(Error::new(Status::InvalidArg, "decode: no table"));
    };
    decoder.plan.clear();
    decoder.plan.extend(call.bytes(4)?.iter().map(|&byte| Kind::of(byte)));
    batch::decode(bytes, body as usize, &decoder.plan, table, &mut decoder.scratch);
    let made = make_strings(call, &decoder.scratch.pools);
    if made.is_err() {
        // JavaScript will not learn what this batch brought to the dictionary.
        decoder.scratch.pools.forget_texts();
    }
    made
}

fn make_strings(call: &Call<'_>, pools: &TextPools) -> Result<sys::napi_value> {
    for (index, pool) in pools.latin1().iter().enumerate() {
        if !pool.is_empty() {
            call.set_element(3, index, call.latin1(pool)?)?;
        }
    }
    for (index, pool) in pools.utf16().iter().enumerate() {
        if !pool.is_empty() {
            call.set_element(3, index + 2, call.utf16(pool)?)?;
        }
    }
    Ok(std::ptr::null_mut())
}
