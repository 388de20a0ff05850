//! The decoding half of `lib/batch.js`.

use napi::{Error, Result, Status, sys};

use super::raw::Call;
use crate::batch::{self, Kind, Scratch};

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
    let pools = &decoder.scratch.pools;
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
