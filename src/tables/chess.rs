//! Chess: slider attacks in two index layouts, leapers, lines, keys (see `codegen/src/chess.rs`).

use super::table;

#[path = "../../codegen/src/chess_index.rs"]
mod chess_index;
pub use chess_index::{MagicSlot, PextSlot};

include!(concat!(env!("OUT_DIR"), "/chess_tables.rs"));
include!(concat!(env!("OUT_DIR"), "/chess_keys.rs"));

table! {
    /// Slider attacks where `PextSlot::index` finds them.
    PEXT_ATTACKS: [u64; SLIDER_ENTRIES], "chess_pext.bin"
}
table! {
    /// Slider attacks where `MagicSlot::index` finds them.
    MAGIC_ATTACKS: [u64; SLIDER_ENTRIES], "chess_magic.bin"
}
table! {
    /// Squares strictly between two squares; none if they share no line.
    BETWEEN: [[u64; 64]; 64], "chess_between.bin"
}
table! {
    /// The whole line through two squares; none if they share none.
    LINE: [[u64; 64]; 64], "chess_line.bin"
}
table! {
    /// Keys of pieces on squares; rows 12 to 15 are zeros.
    ZOBRIST: [[u64; 64]; 16], "chess_zobrist.bin"
}
table! {
    /// Key changes of reversible moves, where either cuckoo index finds them; 0 where there is none.
    CUCKOO: [u64; 1 << CUCKOO_BITS], "chess_cuckoo.bin"
}
table! {
    /// The two squares of the move at the same place in `CUCKOO`, six bits each.
    CUCKOO_MOVES: [u16; 1 << CUCKOO_BITS], "chess_cuckoo_moves.bin"
}
