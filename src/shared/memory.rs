//! Large zeroed buffers: 2 MiB pages where the system grants them, touched in parallel, an error instead of an abort.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};

use bytemuck::Zeroable;

use super::pages::{self, Pages};

/// The size of a huge page, and the alignment of buffers of at least this size.
pub const HUGE_PAGE: usize = 2 << 20;

/// The alignment of every buffer: a cache line.
const LINE: usize = 64;

/// What stays free beside a new buffer, so that taking all there is does not end the process.
const RESERVE: u64 = 16 << 20;

/// The pages that back a buffer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PageKind {
    /// 2 MiB pages that the administrator has set aside.
    Explicit,
    /// 2 MiB pages made by the kernel as it goes.
    Transparent,
    /// The system's base pages.
    Ordinary,
}

impl fmt::Display for PageKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            PageKind::Explicit => "explicit 2 MiB pages",
            PageKind::Transparent => "transparent 2 MiB pages",
            PageKind::Ordinary => "ordinary pages",
        })
    }
}

/// Which pages a buffer should try for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PageWish {
    /// Explicit huge pages, then transparent ones, then ordinary ones.
    #[default]
    Large,
    /// Ordinary pages only.
    Ordinary,
}

/// Why a buffer could not be had.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MemoryError {
    /// More bytes than an address can count, or none at all.
    Size,
    /// Taking `wanted` bytes with `free` left would risk the process.
    TooLarge { wanted: u64, free: u64 },
    /// The system refused.
    Refused { wanted: u64, reason: String },
}

impl MemoryError {
    /// Whether giving back so many bytes would have made room.
    pub fn solved_by(&self, bytes: u64) -> bool {
        match *self {
            MemoryError::TooLarge { wanted, free } => wanted.saturating_add(RESERVE) <= free.saturating_add(bytes),
            MemoryError::Size | MemoryError::Refused { .. } => false,
        }
    }
}

impl fmt::Display for MemoryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mib = |bytes: u64| bytes.div_ceil(1 << 20);
        match self {
            MemoryError::Size => f.write_str("no buffer can have this size"),
            MemoryError::TooLarge { wanted, free } => {
                write!(f, "{} MiB wanted, {} MiB available", mib(*wanted), free >> 20)
            }
            MemoryError::Refused { wanted, reason } => write!(f, "{} MiB refused: {reason}", mib(*wanted)),
        }
    }
}

impl std::error::Error for MemoryError {}

/// Zeroed bytes on large pages, at least 64-byte aligned.
pub struct HugeBuffer {
    pages: Pages,
    len: usize,
}

impl HugeBuffer {
    /// `bytes` zeroed bytes on the largest pages to be had, touched by `threads` threads.
    ///
    /// # Errors
    /// The memory is not there; nothing has changed then.
    pub fn zeroed(bytes: usize, threads: usize) -> Result<HugeBuffer, MemoryError> {
        HugeBuffer::with_pages(bytes, threads, PageWish::Large)
    }

    /// As `zeroed`, with a say in the pages.
    ///
    /// # Errors
    /// The memory is not there; nothing has changed then.
    pub fn with_pages(bytes: usize, threads: usize, wish: PageWish) -> Result<HugeBuffer, MemoryError> {
        if bytes == 0 || bytes > isize::MAX as usize - 2 * HUGE_PAGE {
            return Err(MemoryError::Size);
        }
        let large = bytes >= HUGE_PAGE;
        let rounded = if large {
            bytes.next_multiple_of(HUGE_PAGE)
        } else {
            bytes
        };
        if large && wish == PageWish::Large {
            // The administrator set these apart: they are not part of what is left for everybody.
            if let Ok(buffer) = HugeBuffer::attempt(bytes, rounded, threads, PageKind::Explicit) {
                return Ok(buffer);
            }
        }
        if large {
            check_room(rounded as u64)?;
        }
        let kinds: &[PageKind] = match wish {
            PageWish::Large if large => &[PageKind::Transparent, PageKind::Ordinary],
            _ => &[PageKind::Ordinary],
        };
        let mut failure = MemoryError::Size;
        for &kind in kinds {
            match HugeBuffer::attempt(bytes, rounded, threads, kind) {
                Ok(buffer) => return Ok(buffer),
                Err(reason) => {
                    failure = MemoryError::Refused {
                        wanted: bytes as u64,
                        reason: reason.to_string(),
                    }
                }
            }
        }
        Err(failure)
    }

    fn attempt(bytes: usize, rounded: usize, threads: usize, kind: PageKind) -> std::io::Result<HugeBuffer> {
        let pages = Pages::map(rounded, kind)?;
        touch_all(&pages, threads)?;
        Ok(HugeBuffer { pages, len: bytes })
    }

    /// The bytes asked for.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Never: a buffer holds at least one byte.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// What backs the buffer now. Transparent pages are looked up, not assumed; slow, for `compiler` and the like.
    pub fn pages(&self) -> PageKind {
        match self.pages.kind() {
            PageKind::Transparent if self.pages.huge_bytes() < self.len / 2 => PageKind::Ordinary,
            kind => kind,
        }
    }

    fn base(&self) -> *mut u8 {
        self.pages.base().as_ptr()
    }
}

/// Refuses what would leave less than the reserve. A system that does not tell what is free is not asked.
fn check_room(wanted: u64) -> Result<(), MemoryError> {
    match pages::available() {
        Some(free) if wanted.saturating_add(RESERVE) > free => Err(MemoryError::TooLarge { wanted, free }),
        _ => Ok(()),
    }
}

/// Touches every page, each thread a part of its own, so that the zeroing is parallel and pages spread over NUMA nodes.
fn touch_all(pages: &Pages, threads: usize) -> std::io::Result<()> {
    let whole = pages.len().div_ceil(HUGE_PAGE);
    let threads = threads.clamp(1, whole);
    let part = whole.div_ceil(threads) * HUGE_PAGE;
    let failed = AtomicBool::new(false);
    let touch = |start: usize| {
        let touched = pages.touch(start, part.min(pages.len() - start));
        failed.fetch_or(touched.is_err(), Ordering::Relaxed);
    };
    in_parallel((0..pages.len()).step_by(part), touch);
    if failed.into_inner() {
        Err(std::io::Error::from(std::io::ErrorKind::OutOfMemory))
    } else {
        Ok(())
    }
}

/// Runs `work` for every part, each on a thread of its own, the last (and those whose thread cannot be had) on this one.
pub fn in_parallel<P: Send>(parts: impl Iterator<Item = P>, work: impl Fn(P) + Sync) {
    let work = &work;
    std::thread::scope(|scope| {
        let mut parts = parts.peekable();
        while let Some(part) = parts.next() {
            if parts.peek().is_none() {
                work(part);
                break;
            }
            let cell = std::sync::Arc::new(std::sync::Mutex::new(Some(part)));
            let theirs = cell.clone();
            let take = |cell: &std::sync::Mutex<Option<P>>| {
                cell.lock().unwrap_or_else(std::sync::PoisonError::into_inner).take()
            };
            let run = move || {
                if let Some(part) = take(&theirs) {
                    work(part);
                }
            };
            if std::thread::Builder::new().spawn_scoped(scope, run).is_err()
                && let Some(part) = take(&cell)
            {
                work(part);
            }
        }
    });
}

/// A slice in a huge-page buffer.
pub struct HugeSlice<T> {
    buffer: HugeBuffer,
    len: usize,
    holds: PhantomData<T>,
}

impl<T: Zeroable> HugeSlice<T> {
    /// `len` zeroed values, touched by `threads` threads.
    ///
    /// # Errors
    /// The memory is not there; nothing has changed then.
    pub fn zeroed(len: usize, threads: usize, wish: PageWish) -> Result<HugeSlice<T>, MemoryError> {
        const { assert!(align_of::<T>() <= LINE && size_of::<T>() > 0 && !std::mem::needs_drop::<T>()) };
        let bytes = len.checked_mul(size_of::<T>()).ok_or(MemoryError::Size)?;
        let buffer = HugeBuffer::with_pages(bytes, threads, wish)?;
        Ok(HugeSlice {
            buffer,
            len,
            holds: PhantomData,
        })
    }

    /// What backs the slice now; slow.
    pub fn pages(&self) -> PageKind {
        self.buffer.pages()
    }
}

impl<T> Deref for HugeSlice<T> {
    type Target = [T];
    #[inline(always)]
    fn deref(&self) -> &[T] {
        // SAFETY: the buffer holds `len` values of T, aligned, zeroed (T is Zeroable) or written through `deref_mut`.
        unsafe { std::slice::from_raw_parts(self.buffer.base().cast::<T>(), self.len) }
    }
}

impl<T> DerefMut for HugeSlice<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [T] {
        // SAFETY: as in `deref`; the exclusive borrow of the owner makes it the only one.
        unsafe { std::slice::from_raw_parts_mut(self.buffer.base().cast::<T>(), self.len) }
    }
}

// SAFETY: the slice owns its values as a Vec does. (The buffer is only an address and a length.)
unsafe impl<T: Send> Send for HugeSlice<T> {}
// SAFETY: a shared slice gives out `&T` only.
unsafe impl<T: Sync> Sync for HugeSlice<T> {}

/// One value in a huge-page buffer.
pub struct HugeBox<T>(HugeSlice<T>);

impl<T: Zeroable> HugeBox<T> {
    /// A zeroed value, touched by the calling thread.
    ///
    /// # Errors
    /// The memory is not there.
    pub fn zeroed() -> Result<HugeBox<T>, MemoryError> {
        HugeSlice::zeroed(1, 1, PageWish::Large).map(HugeBox)
    }

    /// What backs the value now; slow.
    pub fn pages(&self) -> PageKind {
        self.0.pages()
    }
}

impl<T> Deref for HugeBox<T> {
    type Target = T;
    #[inline(always)]
    fn deref(&self) -> &T {
        // SAFETY: the slice was made with one value.
        unsafe { &*self.0.buffer.base().cast::<T>() }
    }
}

impl<T> DerefMut for HugeBox<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        // SAFETY: the slice was made with one value; the exclusive borrow makes this the only reference.
        unsafe { &mut *self.0.buffer.base().cast::<T>() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_are_zero_and_aligned() {
        for (bytes, align) in [
            (1, LINE),
            (4096, LINE),
            (HUGE_PAGE, HUGE_PAGE),
            (5 * HUGE_PAGE + 1, HUGE_PAGE),
        ] {
            for wish in [PageWish::Large, PageWish::Ordinary] {
                let slice = HugeSlice::<u8>::zeroed(bytes, 3, wish).expect("small buffers are there");
                assert_eq!(slice.as_ptr() as usize % align, 0, "{bytes} bytes");
                assert_eq!(slice.len(), bytes);
                assert!(slice.iter().all(|&b| b == 0));
            }
        }
    }

    #[test]
    fn ordinary_pages_are_reported_as_such() {
        let slice = HugeSlice::<u8>::zeroed(4 * HUGE_PAGE, 1, PageWish::Ordinary).expect("8 MiB are there");
        assert_eq!(slice.pages(), PageKind::Ordinary);
    }

    #[test]
    fn values_can_be_changed() {
        let mut value = HugeBox::<[u64; 1000]>::zeroed().expect("8 kB are there");
        value[999] = 7;
        assert_eq!((value[0], value[999]), (0, 7));
    }

    #[test]
    fn too_much_is_an_error() {
        assert!(matches!(HugeBuffer::zeroed(0, 1), Err(MemoryError::Size)));
        assert!(matches!(HugeBuffer::zeroed(usize::MAX, 1), Err(MemoryError::Size)));
        assert!(HugeBuffer::zeroed(1 << 46, 2).is_err(), "64 TiB");
        assert!(HugeSlice::<u64>::zeroed(usize::MAX / 2, 2, PageWish::Large).is_err());
    }

    #[test]
    fn every_part_is_worked_on_once() {
        let seen: Vec<_> = (0..7).map(|_| std::sync::atomic::AtomicU32::new(0)).collect();
        in_parallel(0..7, |i: usize| {
            seen[i].fetch_add(1, Ordering::Relaxed);
        });
        assert!(seen.iter().all(|n| n.load(Ordering::Relaxed) == 1));
        in_parallel(0..0, |_: usize| unreachable!());
    }
}
