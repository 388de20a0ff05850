//! Memory asked for before it is needed.
//!
//! A chunk comes from the kernel or has waited while others were read; when it is walked over, the processor often
//! waits for memory longer than it computes. Its own prefetching helps little: headers are not at regular
//! places, and it stops at each page of 4 KiB.

/// Bytes of a cache line.
pub const LINE_BYTES: usize = 64;

/// Asks for `lines` cache lines of `bytes` from the one with byte `at` on, as far as there are so many. Changes
/// nothing but time; on processors other than x86-64 nothing at all.
#[inline]
pub fn prefetch(bytes: &[u8], at: usize, lines: usize) {
    #[cfg(target_arch = "x86_64")]
    for line in 0..lines {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let Some(byte) = bytes.get(at + line * LINE_BYTES) else { return };
        // SAFETY: the pointer is that of a byte of the slice; besides, a prefetch cannot fault.
        unsafe { _mm_prefetch(std::ptr::from_ref(byte).cast(), _MM_HINT_T0) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (bytes, at, lines);
}
