//! How many bytes of a stream were read, copied or moved, counted for the tests that show the work to be linear.
//!
//! Counted is what the code asks memory for: the 5 bytes of a header, the 4 of a number, the bytes that are searched for
//! a zero, those that are copied, and those that growing memory moves. Only the feature `count-bytes` counts; without it
//! nothing is left of the calls.

#[cfg(feature = "count-bytes")]
use std::cell::Cell;

#[cfg(feature = "count-bytes")]
thread_local! {
    static TOUCHED: Cell<u64> = const { Cell::new(0) };
}

/// Counts `bytes` as touched.
#[inline(always)]
#[allow(clippy::inline_always)]
pub fn touch(bytes: usize) {
    #[cfg(feature = "count-bytes")]
    TOUCHED.set(TOUCHED.get() + bytes as u64);
    #[cfg(not(feature = "count-bytes"))]
    let _ = bytes;
}

/// The bytes that this thread touched since the last call.
#[cfg(feature = "count-bytes")]
#[must_use]
pub fn take() -> u64 {
    TOUCHED.take()
}
