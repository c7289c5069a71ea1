//! Pages from Linux: anonymous mappings, explicit or transparent huge pages, and what the system can still give.

use std::fs;
use std::io;
use std::ptr::NonNull;

use super::memory::{HUGE_PAGE, PageKind};

/// The smallest page of every Linux that Baize runs on; touching more often than needed does no harm.
const PAGE: usize = 4096;

/// `MADV_POPULATE_WRITE` (Linux 5.14): faults pages in and reports an error where a plain write would be a signal.
const MADV_POPULATE_WRITE: libc::c_int = 23;

/// An anonymous private mapping, unmapped on drop.
pub struct Pages {
    base: NonNull<u8>,
    len: usize,
    kind: PageKind,
}

impl Pages {
    /// Maps `len` bytes of zeros without touching them; `len` is a multiple of `HUGE_PAGE` unless `kind` is ordinary.
    pub fn map(len: usize, kind: PageKind) -> io::Result<Pages> {
        match kind {
            PageKind::Explicit => Pages::raw(len, libc::MAP_HUGETLB | libc::MAP_HUGE_2MB, kind),
            PageKind::Ordinary if len < HUGE_PAGE => Pages::raw(len, 0, kind),
            _ => Pages::aligned(len, kind),
        }
    }

    fn raw(len: usize, flags: libc::c_int, kind: PageKind) -> io::Result<Pages> {
        let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | flags;
        // SAFETY: a new anonymous mapping at an address of the kernel's choice touches no memory that is in use.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                len,
                libc::PROT_READ | libc::PROT_WRITE,
                flags,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        let base = NonNull::new(base.cast()).ok_or_else(|| io::Error::other("a mapping at address zero"))?;
        Ok(Pages { base, len, kind })
    }

    /// A mapping that begins at a multiple of `HUGE_PAGE`: maps more, then gives back both ends.
    fn aligned(len: usize, kind: PageKind) -> io::Result<Pages> {
        let room = len
            .checked_add(HUGE_PAGE)
            .ok_or_else(|| io::Error::from(io::ErrorKind::OutOfMemory))?;
        let whole = Pages::raw(room, 0, kind)?;
        let head = whole.base.as_ptr().align_offset(HUGE_PAGE);
        // SAFETY: `head < HUGE_PAGE`, so `base + head .. base + head + len` lies in the mapping of `len + HUGE_PAGE` bytes.
        let base = unsafe { whole.base.add(head) };
        let tail = room - head - len;
        unmap(whole.base, head);
        // SAFETY: as above; the end of the wanted part is within or one past the mapping.
        unmap(unsafe { base.add(len) }, tail);
        std::mem::forget(whole);
        let mut pages = Pages { base, len, kind };
        let advice = if kind == PageKind::Transparent {
            libc::MADV_HUGEPAGE
        } else {
            libc::MADV_NOHUGEPAGE
        };
        if pages.advise(0, len, advice).is_err() {
            pages.kind = PageKind::Ordinary;
        }
        Ok(pages)
    }

    pub fn base(&self) -> NonNull<u8> {
        self.base
    }

    pub fn len(&self) -> usize {
        self.len
    }

    pub fn kind(&self) -> PageKind {
        self.kind
    }

    /// Makes the kernel back `start .. start + len` of the mapping with memory, on the calling thread's NUMA node.
    ///
    /// # Errors
    /// The system has no memory for it; a kernel that does not know the call gets a plain write per page instead.
    pub fn touch(&self, start: usize, len: usize) -> io::Result<()> {
        assert!(start <= self.len && len <= self.len - start);
        let Err(error) = self.advise(start, len, MADV_POPULATE_WRITE) else {
            return Ok(());
        };
        if self.kind == PageKind::Explicit && error.raw_os_error() != Some(libc::EINVAL) {
            return Err(error); // a plain write could end the process
        }
        for offset in (start..start + len).step_by(PAGE) {
            // SAFETY: `offset` lies in the mapping, which holds zeros and is not shared with anybody yet.
            unsafe { self.base.add(offset).write_volatile(0) };
        }
        Ok(())
    }

    fn advise(&self, start: usize, len: usize, advice: libc::c_int) -> io::Result<()> {
        // SAFETY: the range lies in this mapping; the advice used here does not change what it holds.
        let result = unsafe { libc::madvise(self.base.add(start).as_ptr().cast(), len, advice) };
        if result == 0 {
            Ok(())
        } else {
            Err(io::Error::last_os_error())
        }
    }

    /// Bytes of this mapping that transparent huge pages back at the moment, as `/proc/self/smaps` tells; slow.
    pub fn huge_bytes(&self) -> usize {
        let begin = self.base.as_ptr() as usize;
        let smaps = fs::read_to_string("/proc/self/smaps").unwrap_or_default();
        huge_share(&smaps, begin, begin + self.len)
    }
}

impl Drop for Pages {
    fn drop(&mut self) {
        unmap(self.base, self.len);
    }
}

// SAFETY: a mapping belongs to no thread; all access goes through the owner's borrow rules.
unsafe impl Send for Pages {}
// SAFETY: `&Pages` only tells where the mapping is.
unsafe impl Sync for Pages {}

fn unmap(base: NonNull<u8>, len: usize) {
    if len > 0 {
        // SAFETY: the caller owns this part of a mapping and does not use it afterwards.
        unsafe { libc::munmap(base.as_ptr().cast(), len) };
    }
}

/// Bytes in `begin..end` under huge pages. The kernel may merge neighbouring mappings: then their share is ours.
fn huge_share(smaps: &str, begin: usize, end: usize) -> usize {
    let mut total = 0.0;
    let mut mapping = (0usize, 0usize);
    for line in smaps.lines() {
        if let Some(range) = address_range(line) {
            mapping = range;
        } else if let Some(rest) = line.strip_prefix("AnonHugePages:") {
            let overlap = end.min(mapping.1).saturating_sub(begin.max(mapping.0));
            let kib: f64 = rest
                .split_whitespace()
                .next()
                .and_then(|n| n.parse().ok())
                .unwrap_or(0.0);
            if overlap > 0 {
                total += kib * 1024.0 * overlap as f64 / (mapping.1 - mapping.0) as f64;
            }
        }
    }
    total as usize
}

/// `7f00-8000 rw-p ...` as numbers; `None` for every other line.
fn address_range(line: &str) -> Option<(usize, usize)> {
    let (from, to) = line.split_whitespace().next()?.split_once('-')?;
    Some((
        usize::from_str_radix(from, 16).ok()?,
        usize::from_str_radix(to, 16).ok()?,
    ))
}

/// Bytes that this process may still take without being refused or killed for it: the least of what the machine has
/// left, what its control groups allow, and what its own limits allow. `None` where the system does not say.
pub fn available() -> Option<u64> {
    let machine = fs::read_to_string("/proc/meminfo")
        .ok()
        .and_then(|text| field_kib(&text, "MemAvailable:"));
    let groups = fs::read_to_string("/proc/self/cgroup")
        .ok()
        .and_then(|text| group_room(&text));
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let limits = fs::read_to_string("/proc/self/limits").unwrap_or_default();
    let space = limit_room(&limits, "Max address space", field_kib(&status, "VmSize:"));
    let data = limit_room(&limits, "Max data size", field_kib(&status, "VmData:"));
    [machine, groups, space, data].into_iter().flatten().min()
}

/// What a soft limit of the process leaves beside what is used; `None` without a limit.
fn limit_room(limits: &str, name: &str, used: Option<u64>) -> Option<u64> {
    let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
    let limit: u64 = line.split_whitespace().next()?.parse().ok()?; // not a number: "unlimited"
    Some(limit.saturating_sub(used?))
}

/// `NAME:  N kB` of a `/proc` file, in bytes.
fn field_kib(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name))?;
    rest.split_whitespace()
        .next()?
        .parse::<u64>()
        .ok()
        .map(|kib| kib * 1024)
}

/// The least room of this process's memory control groups and their ancestors.
fn group_room(cgroup: &str) -> Option<u64> {
    let mut least = None;
    for line in cgroup.lines() {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else {
            continue;
        };
        let unified = controllers.is_empty();
        if !unified && !controllers.split(',').any(|c| c == "memory") {
            continue;
        }
        let root = if unified {
            "/sys/fs/cgroup"
        } else {
            "/sys/fs/cgroup/memory"
        };
        let mut path = path.trim_end_matches('/');
        loop {
            let room = if unified {
                room_v2(&format!("{root}{path}"))
            } else {
                room_v1(&format!("{root}{path}"))
            };
            least = least.into_iter().chain(room).min();
            match path.rfind('/') {
                Some(cut) => path = &path[..cut],
                None => break,
            }
        }
    }
    least
}

fn room_v2(folder: &str) -> Option<u64> {
    room(folder, "memory.max", "memory.current", "inactive_file")
}

fn room_v1(folder: &str) -> Option<u64> {
    room(
        folder,
        "memory.limit_in_bytes",
        "memory.usage_in_bytes",
        "total_inactive_file",
    )
}

/// What a group may still take; file cache that the kernel would drop counts as free.
fn room(folder: &str, limit: &str, usage: &str, cache: &str) -> Option<u64> {
    let number = |name: &str| {
        fs::read_to_string(format!("{folder}/{name}"))
            .ok()?
            .trim()
            .parse::<u64>()
            .ok()
    };
    let (limit, usage) = (number(limit)?, number(usage)?);
    let stat = fs::read_to_string(format!("{folder}/memory.stat")).unwrap_or_default();
    let cache = stat.lines().find_map(|line| {
        let (name, value) = line.split_once(' ')?;
        if name == cache {
            value.trim().parse::<u64>().ok()
        } else {
            None
        }
    });
    Some(limit.saturating_sub(usage.saturating_sub(cache.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn smaps_are_read_by_overlap() {
        let smaps = "1000-3000 rw-p 00000000 00:00 0\nSize: 8 kB\nAnonHugePages:         8 kB\n\
                     9000-a000 rw-p 00000000 00:00 0\nAnonHugePages:         4 kB\n";
        assert_eq!(huge_share(smaps, 0x1000, 0x3000), 8192);
        assert_eq!(huge_share(smaps, 0x2000, 0x3000), 4096, "half of a merged mapping");
        assert_eq!(huge_share(smaps, 0x4000, 0x5000), 0);
    }

    #[test]
    fn fields_are_in_bytes() {
        assert_eq!(
            field_kib("MemTotal: 9 kB\nMemAvailable:     100 kB\n", "MemAvailable:"),
            Some(102_400)
        );
        assert_eq!(field_kib("MemTotal: 9 kB\n", "MemAvailable:"), None);
    }

    #[test]
    fn limits_leave_what_is_not_used() {
        let limits = "Limit  Soft Limit  Hard Limit  Units\nMax data size   unlimited   unlimited  bytes\n\
                      Max address space   5000    unlimited    bytes\n";
        assert_eq!(limit_room(limits, "Max address space", Some(3000)), Some(2000));
        assert_eq!(limit_room(limits, "Max address space", Some(6000)), Some(0));
        assert_eq!(limit_room(limits, "Max data size", Some(3000)), None);
    }

    #[test]
    fn a_missing_group_is_no_limit() {
        assert_eq!(
            group_room("0::/no/such/group-of-baize\n7:cpu:/\nrubbish\n"),
            group_room("0::/\n")
        );
    }
}
