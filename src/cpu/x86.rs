//! x86-64: what the CPU says it is, and prefetching.

use std::arch::x86_64::{__cpuid, _MM_HINT_T0, _mm_prefetch, _xgetbv};

use super::CpuFacts;

/// Vendor, family, model and the state that the system saves; features are left to the caller.
pub fn identity() -> CpuFacts {
    let (leaf0, leaf1) = (__cpuid(0), __cpuid(1));
    let vendor = [leaf0.ebx, leaf0.edx, leaf0.ecx].map(u32::to_le_bytes).concat();
    let (family, model) = family_and_model(leaf1.eax);
    const XSAVE: u32 = 1 << 26;
    const OSXSAVE: u32 = 1 << 27;
    let saves = leaf1.ecx & (XSAVE | OSXSAVE) == XSAVE | OSXSAVE;
    // SAFETY: the CPU has the instruction and the system has enabled it, as CPUID just said.
    let xcr0 = if saves { unsafe { saved_state() } } else { 0 };
    CpuFacts {
        vendor: String::from_utf8_lossy(&vendor).into_owned(),
        family,
        model,
        features: Vec::new(),
        xcr0,
    }
}

/// XCR0.
#[target_feature(enable = "xsave")]
fn saved_state() -> u64 {
    // SAFETY: register 0 exists wherever the instruction is enabled, which the caller has checked.
    unsafe { _xgetbv(0) }
}

/// Family and model out of CPUID leaf 1, EAX, with their extension fields.
fn family_and_model(eax: u32) -> (u32, u32) {
    let (family, model) = (eax >> 8 & 15, eax >> 4 & 15);
    let extended_model = eax >> 16 & 15;
    let wide = if family == 15 {
        family + (eax >> 20 & 255)
    } else {
        family
    };
    let model = if family == 6 || family == 15 {
        extended_model << 4 | model
    } else {
        model
    };
    (wide, model)
}

/// Asks for the cache line at `ptr` ahead of its use; any address will do.
#[inline(always)]
pub fn prefetch<T>(ptr: *const T) {
    // SAFETY: prefetching is a hint that never faults, whatever the address.
    unsafe { _mm_prefetch::<_MM_HINT_T0>(ptr.cast()) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_those_of_the_vendors_lists() {
        assert_eq!(family_and_model(0x0080_0f12), (0x17, 0x01), "Zen 1");
        assert_eq!(family_and_model(0x00a2_0f10), (0x19, 0x21), "Zen 3");
        assert_eq!(family_and_model(0x0066_0f51), (0x15, 0x65), "Excavator");
        assert_eq!(family_and_model(0x000c_06f2), (0x06, 0xcf), "Emerald Rapids");
    }

    #[test]
    fn prefetching_nothing_is_harmless() {
        prefetch(std::ptr::null::<u64>());
        prefetch(usize::MAX as *const u64);
    }
}
