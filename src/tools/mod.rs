//! Tools beside play: self-play data and what reads it.

pub mod datagen;
pub mod records;
