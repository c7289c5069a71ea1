//! Trains Baize's networks from games that Baize played against itself.
//!
//! `data` reads games and keeps the positions that are fit to learn from, 32 bytes each (`packed`). A training step (`train`)
//! takes a batch of them in a reproducible random order (`permutation`), cut into chunks (`chunk`) that threads fetch from a
//! counter; `kernels` are its inner loops, `optimizer` moves the weights (`net`). `checkpoint` keeps everything that a run
//! needs to go on, `curve` draws it, and `export` makes integers of the weights and says what that costs.

pub mod checkpoint;
pub mod chunk;
pub mod commands;
pub mod curve;
pub mod data;
pub mod export;
pub mod kernels;
pub mod loss;
pub mod net;
pub mod optimizer;
pub mod packed;
pub mod permutation;
pub mod progress;
pub mod settings;
pub mod synthetic;
pub mod train;
