//! Wire bytes of the binary format to values: what the binary parsers of `pg-types` mean to give.
//!
//! What they do give is another matter. `pg` hands them the bytes by way of a UTF-8 string, which destroys every byte
//! above 0x7f, and some of them misread negative dates, infinities and subnormal numbers even of whole bytes.
//! Where stock is right, these functions give the same.
//!
//! `None` stands for bytes that are no value of the type: another size, digits that are none. That is an error of the
//! query, since there is no text to be left to anybody.

pub mod array;
pub mod boolean;
pub mod datetime;
pub mod float;
pub mod int;
pub mod numeric;
