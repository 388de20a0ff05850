//! A row that lies in one chunk: nothing to stop in, and nothing to go on with.

use super::{
    Kind, RowSink,
    cell::give,
    fault::{Fault, bad_length, no_count, other_count},
};
use crate::error::Malformed;

#[inline]
pub(super) fn kind_of(plan: &[Kind], column: usize) -> Kind {
    plan.get(column).copied().unwrap_or(Kind::Text)
}

/// A row that lies in one chunk.
#[inline]
pub(super) fn whole_row<S: RowSink>(plan: &[Kind], body: &[u8], sink: &mut S) -> Result<(), Fault> {
    let Some((count, rest)) = body.split_first_chunk::<2>() else {
        return Err(no_count().into());
    };
    let count = usize::from(u16::from_be_bytes(*count));
    check_count(plan, count)?;
    sink.begin_row(count);
    if let Err(fault) = whole_cells(plan, rest, count, sink) {
        sink.abandon_row();
        return Err(fault);
    }
    sink.end_row()?;
    Ok(())
}

#[inline]
fn whole_cells<S: RowSink>(plan: &[Kind], mut rest: &[u8], count: usize, sink: &mut S) -> Result<(), Fault> {
    let wants_values = sink.wants_values();
    for column in 0..count {
        let Some((length, behind)) = rest.split_first_chunk::<4>() else {
            let what = format!("cell {column} of {count} is missing, {} bytes are left", rest.len());
            return Err(Malformed::new(what).into());
        };
        let length = i32::from_be_bytes(*length);
        if length == -1 {
            rest = behind;
            if wants_values {
                sink.null(column);
            }
            continue;
        }
        let Some((value, behind)) = usize::try_from(length).ok().and_then(|length| behind.split_at_checked(length))
        else {
            return Err(bad_length(column, length, behind.len()).into());
        };
        rest = behind;
        if wants_values {
            give(kind_of(plan, column), column, value, sink)?;
        }
    }
    Ok(())
}

#[inline]
pub(super) fn check_count(plan: &[Kind], count: usize) -> Result<(), Malformed> {
    if plan.is_empty() || count == plan.len() { Ok(()) } else { Err(other_count(plan.len(), count)) }
}
