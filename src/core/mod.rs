//! The engine proper: written once, stamped once per CPU target and game.
//!
//! The files below this folder are loaded as modules several times. A copy is `core::<target>::<game>`; inside it all
//! types are concrete, `super::game` (one level up from `board`, `search`, `eval`) is the game's own module, and every
//! function marked `#[hot]` carries the target's `#[target_feature]`. Nothing here may name a game or a CPU: a
//! difference between games is an item of the contract below, a difference between CPUs is an item of `lines` or
//! `kernels`.
//!
//! # What a game provides (`chess/mod.rs`, `xiangqi/mod.rs`)
//!
//! | item | meaning |
//! | --- | --- |
//! | `GAME` | which `Game` it is, for the boundary only |
//! | `Bits` | the integer under a `Bitboard` |
//! | `FILES`, `RANKS`, `SQUARES` | the board |
//! | `SQUARE_BITS`, `SQUARE_SLOTS` | bits of a square in a `Move`; size of arrays indexed by square (a power of two) |
//! | `KINDS`, `PAWN`, `KING` | piece kinds, 0 is the pawn, the king is the last |
//! | `MAX_MOVES` | upper bound of legal moves |
//! | `Setup`, `Aux` | what is fixed during a game (castling rooks); what a move changes beyond the pieces (rights, en passant) |
//! | `keys` | Zobrist keys: `piece(Piece, Square)`, `side()`, and what the game needs itself |
//! | `params` | search parameters, one function each (from `tables/search.toml`) |
//! | `from_placement`, `to_placement` | plain data in and out |
//! | `apply`, `retract` | move the pieces and change keys, clock and `Aux`; move them back (keys come from the stack) |
//! | `refresh` | checkers, pins and check squares of a position just reached |
//! | `generate::<Stage>` | pseudo-legal moves of a stage (`Captures`, `Quiets`, `Evasions`), appended to a list |
//! | `legal_moves` | all legal moves, appended to a list |
//! | `perft` | leaves at a depth, counted in bulk at the last ply |
//! | `is_pseudo_legal`, `is_legal` | the two halves of checking a move from a table; `is_legal` takes a pseudo-legal one |
//! | `gives_check` | whether a legal move checks, before it is made |
//! | `is_capture`, `is_tactical` | takes something; takes something or promotes to the strongest piece |
//! | `captured` | the piece kind that a move takes (en passant included), `None` otherwise |
//! | `key_after` | the key a move leads to, good enough to prefetch with |
//! | `see_ge` | whether the exchange that a move starts wins at least a threshold |
//! | `value` | what a piece kind is worth in exchanges and in ordering |
//! | `threats` | enemy attacks for the histories: squares that a lesser enemy piece attacks |
//! | `has_null_move` | whether passing is a sound bound here (chess: the mover has a piece) |
//! | `NULL_VERIFICATION` | whether null-move cutoffs at high depth are verified (zugzwang exists) |
//! | `verdict` | the score if the rules end the game here (repetition, move count, material); `ply` is the distance to the root |
//! | `upcoming_repetition` | whether the mover can reach an earlier position of the line with one move |
//! | `STALEMATE_LOSES` | whether having no move loses without check too |
//! | `CLOCK_LIMIT` | plies of `State.clock` at which the game is drawn |
//! | `start` | the start position |
//! | `gain` | centipawns that a move takes or promotes to, for ordering and futility |
//! | `configure` | takes from the `Policy` what the rules depend on |
//! | `EvalCache` | what the classical evaluation keeps per thread: `new() -> Result<_, String>`, `clear()` |
//! | `self_check` | everything incremental equals what is computed from scratch, the halves of the rules agree |
//! | `inspect` | what the rules say of the position as played, for `d` |
//! | `classical` | the hand-made evaluation, from the mover's side, with its cache |
//! | `explain` | the same term by term, for `eval` |
//! | `trace` | the same as a function of its weights, `None` where they do not decide; for the fitter |

use crate::engine::EngineCopy;

include!(concat!(env!("OUT_DIR"), "/stamps.rs"));

macro_rules! stamp {
    ($d:tt $name:ident, [$($feat:literal)?], $lines:literal, $points:literal) => {
        #[path = "."]
        pub mod $name {
            macro_rules! isa_fn {
                ($d($d item:tt)*) => { $(#[target_feature(enable = $feat)])? $d($d item)* };
            }
            #[path = $lines]
            pub mod lines;
            #[path = $points]
            pub mod points;
            #[path = "."]
            pub mod chess {
                use super::lines;
                #[path = "chess/mod.rs"]
                pub mod game;
                pub mod board;
                pub mod eval;
                pub mod search;
                pub mod entry;
            }
            #[path = "."]
            pub mod xiangqi {
                use super::points;
                #[path = "xiangqi/mod.rs"]
                pub mod game;
                pub mod board;
                pub mod eval;
                pub mod search;
                pub mod entry;
            }
            pub const COPY: super::EngineCopy =
                super::EngineCopy { chess: &chess::entry::COPY, xiangqi: &xiangqi::entry::COPY };
        }
    };
}
for_each_target!();
