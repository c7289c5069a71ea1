//! 64-bit Arm: features alone decide there, and prefetching.

use std::arch::asm;

use super::CpuFacts;

/// Nothing beyond features matters here.
pub fn identity() -> CpuFacts {
    CpuFacts::default()
}

/// Asks for the cache line at `ptr` ahead of its use; any address will do.
#[inline(always)]
pub fn prefetch<T>(ptr: *const T) {
    // SAFETY: prefetching is a hint that never faults, whatever the address.
    unsafe { asm!("prfm pldl1keep, [{0}]", in(reg) ptr, options(readonly, nostack, preserves_flags)) };
}
