//! Xiangqi: lines, leapers with their legs and eyes, king guards, keys (see `codegen/src/xiangqi.rs`).

use super::table;

#[path = "../../codegen/src/xiangqi_index.rs"]
mod xiangqi_index;
pub use xiangqi_index::{
    FILE_ENTRIES, KING_SLOTS, LineSlot, POINT_SLOTS, RANK_ENTRIES, diagonal, king_pair, orthogonal,
};

use xiangqi_index::NEIGHBOUR_SETS;

include!(concat!(env!("OUT_DIR"), "/xiangqi_tables.rs"));
include!(concat!(env!("OUT_DIR"), "/xiangqi_keys.rs"));

table! {
    /// By `LineSlot::rank_index`: a rook's attacks along its rank, a cannon's 16 bits above.
    RANKS: [u32; RANK_ENTRIES], "xiangqi_ranks.bin"
}
table! {
    /// By `LineSlot::file_index`: the attacks of a rook, then of a cannon, along the file, laid out on the board's first file.
    FILES: [[u128; 2]; FILE_ENTRIES], "xiangqi_files.bin"
}
table! {
    /// By `orthogonal`: what a knight attacks.
    KNIGHT: [u128; POINT_SLOTS * NEIGHBOUR_SETS], "xiangqi_knight.bin"
}
table! {
    /// By `diagonal`: from where a knight attacks the point.
    KNIGHT_TO: [u128; POINT_SLOTS * NEIGHBOUR_SETS], "xiangqi_knight_to.bin"
}
table! {
    /// By `diagonal`: what a bishop attacks, and from where a bishop attacks.
    BISHOP: [u128; POINT_SLOTS * NEIGHBOUR_SETS], "xiangqi_bishop.bin"
}
table! {
    /// By `king_pair`: the points whose occupancy decides whether a piece attacks a king: those between them on a line, or a
    /// knight's leg.
    GUARD: [u128; KING_SLOTS * POINT_SLOTS], "xiangqi_guard.bin"
}
table! {
    /// Keys of pieces on points; rows 14 and 15 are zeros.
    ZOBRIST: [[u64; POINT_SLOTS]; 16], "xiangqi_zobrist.bin"
}
