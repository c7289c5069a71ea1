//! What the threads and copies of one engine share: memory, transposition table, time, thread pool, vote.

pub mod memory;
pub mod pool;
pub mod time;
pub mod tt;
pub mod vote;

#[cfg(target_os = "linux")]
#[path = "pages_linux.rs"]
mod pages;
#[cfg(not(target_os = "linux"))]
#[path = "pages_std.rs"]
mod pages;
