//! The decoding half of `lib/batch.js`.

use napi::bindgen_prelude::*;
use napi_derive::napi;

use crate::{batch, text::pool::TextPools};

/// Decodes runs of rows; keeps the memory of its pools from one run to the next.
#[napi]
#[derive(Default)]
pub struct BatchDecoder {
    pools: TextPools,
}

#[napi]
impl BatchDecoder {
    /// With empty pools.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Decodes the row whose body begins at `body` of `bytes` and those that follow it into `table`, as
    /// the crate's module `batch` lays it out. Returns the four pools; one that is empty is missing.
    #[napi]
    pub fn decode<'env>(
        &mut self,
        env: &'env Env,
        bytes: &[u8],
        body: u32,
        mut table: Int32ArraySlice<'_>,
    ) -> Result<Array<'env>> {
        // SAFETY: the table belongs to lib/batch.js, which hands it to nobody else; no other view of its
        // memory is in use while the call runs, and `bytes` is another ArrayBuffer.
        let table = unsafe { table.as_mut() };
        if table.is_empty() {
            return Err(Error::new(Status::InvalidArg, "decode: no table"));
        }
        batch::decode(bytes, body as usize, table, &mut self.pools);
        let mut strings = env.create_array(4)?;
        for (index, pool) in self.pools.latin1().iter().enumerate() {
            if !pool.is_empty() {
                strings.set(index as u32, env.create_string_latin1(pool)?)?;
            }
        }
        for (index, pool) in self.pools.utf16().iter().enumerate() {
            if !pool.is_empty() {
                strings.set(index as u32 + 2, env.create_string_utf16(pool)?)?;
            }
        }
        Ok(strings)
    }
}
