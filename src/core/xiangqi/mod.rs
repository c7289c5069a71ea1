//! The rules of xiangqi: what `core/mod.rs` asks of a game.

pub mod attacks;
mod chase;
mod classical;
mod guard;
mod inspect;
mod judge;
pub mod keys;
mod legality;
mod make;
mod movegen;
mod perft;
mod placement;
mod see;
mod self_check;
mod setup;
mod verdict;

pub use classical::{EvalCache, classical, explain, phase, psq, trace};
pub use guard::Guard;
pub use inspect::inspect;
pub use legality::{captured, gain, gives_check, is_capture, is_legal, is_pseudo_legal, is_tactical, threats};
pub use make::{apply, apply_null, key_after, refresh, retract};
pub use movegen::{Captures, Evasions, Quiets, Stage, generate, legal_moves};
pub use perft::perft;
pub use placement::{from_placement, start, to_placement};
pub use see::{see_ge, value};
pub use self_check::self_check;
pub use setup::{Aux, Setup, configure};
pub use verdict::{upcoming_repetition, verdict};

use super::board::{Kind, Position};
use crate::engine::Game;

pub const GAME: Game = Game::Xiangqi;
/// The integer under a `Bitboard`.
pub type Bits = u128;
/// The points of the board.
pub const BOARD: Bits = (1 << 90) - 1;
pub const FILES: usize = 9;
pub const RANKS: usize = 10;
pub const SQUARES: usize = 90;
/// Bits of a square in a `Move`.
pub const SQUARE_BITS: u32 = 7;
/// Size of arrays indexed by square.
pub const SQUARE_SLOTS: usize = 128;
pub const KINDS: usize = 7;
pub const PAWN: Kind = Kind::new(0);
pub const ADVISOR: Kind = Kind::new(1);
pub const BISHOP: Kind = Kind::new(2);
pub const KNIGHT: Kind = Kind::new(3);
pub const CANNON: Kind = Kind::new(4);
pub const ROOK: Kind = Kind::new(5);
pub const KING: Kind = Kind::new(6);
/// Two rooks and two cannons of 17 moves, two knights of 8, five pawns of 3, bishops, advisors and king of 12 altogether:
/// 115 is beyond any position.
pub const MAX_MOVES: usize = 128;
/// Counted plies without a capture after which the game is drawn.
pub const CLOCK_LIMIT: i32 = 120;
/// Being without a useful move loses, so passing is never better than the best move by much.
pub const NULL_VERIFICATION: bool = false;

/// Having no legal move loses, in check or not.
pub const STALEMATE_LOSES: bool = true;

/// Search parameters, one function each.
pub mod params {
    include!(concat!(env!("OUT_DIR"), "/params_xiangqi.rs"));
}

/// Whether passing is a sound bound: the mover has a piece that can cross the river.
#[inline(always)]
pub fn has_null_move(pos: &Position) -> bool {
    let strong = pos.kind(ROOK) | pos.kind(CANNON) | pos.kind(KNIGHT);
    (pos.side(pos.stm()) & strong).any()
}
