//! The only folder that knows Node-API.
//!
//! The two calls that are made per chunk and per batch are bound by hand ([`raw`]): an empty call through
//! a `#[napi]` method, with its checks of `this` and its conversions, costs about three times as much.
//! [`parser`] frames, [`batch`] decodes, [`columns`] packs, [`encoding`] decodes what is not UTF-8, [`layout`] names the
//! words of their tables.

mod batch;
mod columns;
mod encoding;
mod layout;
mod parser;
mod raw;

use napi::bindgen_prelude::*;
use napi_derive::napi;

#[napi(module_exports)]
fn exports(exports: Object<'_>, env: Env) -> Result<()> {
    let target = raw::Exports::new(env, &exports);
    target.function(c"createParser", parser::create)?;
    target.function(c"feed", parser::feed)?;
    target.function(c"takeProblem", parser::take_problem)?;
    target.function(c"finish", parser::finish)?;
    target.function(c"held", parser::held)?;
    target.function(c"createDecoder", batch::create)?;
    target.function(c"createDictionaryDecoder", batch::create_with_dictionary)?;
    target.function(c"decode", batch::decode)?;
    target.function(c"createEncoding", encoding::create)?;
    target.function(c"decodeText", encoding::decode)?;
    target.function(c"transcode", encoding::transcode)?;
    target.function(c"createColumns", columns::create)?;
    target.function(c"appendRows", columns::append)?;
    target.function(c"createCopy", columns::create_copy)?;
    target.function(c"appendCopy", columns::append_copy)?;
    target.function(c"takeFault", columns::take_fault)?;
    target.function(c"takeColumn", columns::take_column)?;
    target.function(c"dropColumns", columns::drop_columns)
}
