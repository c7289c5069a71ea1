//! Networks as files: their format, and a slow reference evaluation that every fast one has to equal.

pub mod format;
pub mod reference;
