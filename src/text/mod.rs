//! Bytes to text: [`utf8`] classifies and decodes, [`pool`] gathers the texts of many cells.

pub mod pool;
pub mod utf8;
