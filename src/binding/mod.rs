//! The only folder that knows Node-API: [`parser`] frames, [`batch`] decodes, [`layout`] names the words.

mod batch;
mod layout;
mod parser;
