//! Bytes to text: [`utf8`] classifies and decodes, [`pool`] gathers the texts of many cells,
//! [`dictionary`] knows those that come again.
//!
//! Text to values: [`int`], [`float`], [`boolean`] and [`datetime`] read a cell as the parsers of `pg-types` do, or
//! leave it to them (`None`): they take what a server prints and nothing that is merely similar.

pub mod dictionary;
pub mod pool;
pub mod utf8;

pub mod boolean;
pub mod datetime;
pub mod float;
pub mod int;
