//! The weights, generated from `tables/xiangqi_eval.toml`: a weight is named by its index in one flat table.

use super::super::super::eval::Tapered;

include!(concat!(env!("OUT_DIR"), "/xiangqi_weights.rs"));

/// The value of a weight.
#[inline(always)]
pub const fn at(weight: usize) -> Tapered {
    TABLE[weight & (TABLE.len() - 1)]
}
