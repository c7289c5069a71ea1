//! What people use beside play: benchmarks, counts, drawings, explanations, self-play data and what reads it.

pub mod bench;
pub mod compiler;
pub mod data;
pub mod datagen;
pub mod display;
pub mod explain;
pub mod help;
pub mod perft;
pub mod records;
