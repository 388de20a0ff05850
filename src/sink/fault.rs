//! What is wrong with a row, before it is known what is left of its message, and the sentences that say so.

use super::{Refused, Step, cell::Wrong};
use crate::error::Malformed;

/// A fault, before what is left of the message is known.
pub(super) enum Fault {
    Malformed(Malformed),
    Refused(Refused),
}

impl From<Wrong> for Fault {
    fn from(wrong: Wrong) -> Self {
        match wrong {
            Wrong::Malformed(malformed) => Self::Malformed(malformed),
            Wrong::Refused(refused) => Self::Refused(refused),
        }
    }
}

impl From<Fault> for Step {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::Malformed(malformed) => Self::Malformed(malformed),
            Fault::Refused(refused) => Self::Refused(refused),
        }
    }
}

impl From<Malformed> for Fault {
    fn from(malformed: Malformed) -> Self {
        Self::Malformed(malformed)
    }
}

impl From<Refused> for Fault {
    fn from(refused: Refused) -> Self {
        Self::Refused(refused)
    }
}

#[cold]
pub(super) fn negative_count(count: usize) -> Malformed {
    Malformed::new(format!("a row of {} cells", count as u16 as i16))
}

#[cold]
pub(super) fn other_count(described: usize, count: usize) -> Malformed {
    Malformed::new(format!("{count} cells in a row of {described} columns"))
}

#[cold]
pub(super) fn no_count() -> Malformed {
    Malformed::new("the number of cells is missing")
}

#[cold]
pub(super) fn bad_length(column: usize, length: i32, left: usize) -> Malformed {
    Malformed::new(if length < 0 {
        format!("cell {column} has the length {length}")
    } else {
        format!("cell {column} has {length} bytes, {left} are left")
    })
}
