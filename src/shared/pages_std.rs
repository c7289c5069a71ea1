//! Pages where no system interface is known to Baize: the standard allocator, aligned, zeroed, ordinary.

use std::alloc::{Layout, alloc_zeroed, dealloc};
use std::io;
use std::ptr::NonNull;

use super::memory::PageKind;

/// Enough for a cache line and for every type that is kept here.
const ALIGN: usize = 4096;

/// Zeroed memory, freed on drop.
pub struct Pages {
    base: NonNull<u8>,
    len: usize,
}

impl Pages {
    /// `len` bytes of zeros; only ordinary pages can be had.
    pub fn map(len: usize, kind: PageKind) -> io::Result<Pages> {
        if kind != PageKind::Ordinary || len == 0 {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        }
        let layout = Layout::from_size_align(len, ALIGN).map_err(io::Error::other)?;
        // SAFETY: the layout's size is not zero.
        let base = NonNull::new(unsafe { alloc_zeroed(layout) });
        base.map(|base| Pages { base, len })
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))
    }

    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn kind(&self) -> PageKind {
        PageKind::Ordinary
    }

    pub fn touch(&self, start: usize, len: usize) -> io::Result<()> {
        assert!(start <= self.len && len <= self.len - start);
        for offset in (start..start + len).step_by(ALIGN) {
            // SAFETY: `offset` lies in the allocation, which holds zeros and is not shared with anybody yet.
            unsafe { self.base.add(offset).write_volatile(0) };
        }
        Ok(())
    }

    pub fn huge_bytes(&self) -> usize {
        0
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        // SAFETY: `map` allocated it with this size and alignment.
        unsafe { dealloc(self.base.as_ptr(), Layout::from_size_align_unchecked(self.len, ALIGN)) };
    }
}

// SAFETY: memory belongs to no thread; all access goes through the owner's borrow rules.
unsafe impl Send for Pages {}
// SAFETY: `&Pages` only tells where the memory is.
unsafe impl Sync for Pages {}

/// Bytes that may still be taken: unknown here.
pub fn available() -> Option<u64> {
    None
}
