//! The evaluation's driver: classical terms of the game, later blended with the network.

mod tapered;

pub use tapered::Tapered;
