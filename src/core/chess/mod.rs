//! The rules of chess: what `core/mod.rs` asks of a game.

pub mod attacks;
mod check;
mod classical;
mod inspect;
pub mod keys;
mod legality;
mod make;
mod movegen;
mod perft;
mod placement;
mod repetition;
mod see;
mod setup;
mod verdict;

pub use attacks::{attackers_to, between, bishop_attacks, king_attacks, knight_attacks, line, pawn_attacks};
pub use attacks::{bishop_rays, pawn_pushes, pawns_attack, queen_attacks, refresh, rook_attacks, rook_rays, threats};
pub use check::self_check;
pub use classical::{EvalCache, classical, explain, phase, psq, trace};
pub use inspect::inspect;
pub use legality::{captured, gain, gives_check, is_capture, is_legal, is_pseudo_legal, is_tactical};
pub use make::{apply, apply_null, key_after, retract};
pub use movegen::{Captures, Evasions, Quiets, Stage, generate, legal_moves};
pub use perft::perft;
pub use placement::{from_placement, start, to_placement};
pub use repetition::upcoming_repetition;
pub use see::{see_ge, value};
pub use setup::{Aux, Setup, Side};
pub use verdict::verdict;

use super::board::{Color, Kind, Move, Position};
use crate::engine::Game;
use crate::options::Policy;

pub const GAME: Game = Game::Chess;
/// The integer under a `Bitboard`.
pub type Bits = u64;
/// The squares of the board.
pub const BOARD: Bits = !0;
pub const FILES: usize = 8;
pub const RANKS: usize = 8;
pub const SQUARES: usize = 64;
/// Bits of a square in a `Move`.
pub const SQUARE_BITS: u32 = 6;
/// Size of arrays indexed by square.
pub const SQUARE_SLOTS: usize = 64;
pub const KINDS: usize = 6;
pub const PAWN: Kind = Kind::new(0);
pub const KNIGHT: Kind = Kind::new(1);
pub const BISHOP: Kind = Kind::new(2);
pub const ROOK: Kind = Kind::new(3);
pub const QUEEN: Kind = Kind::new(4);
pub const KING: Kind = Kind::new(5);
/// 218 moves is the most that a legal position has; positions with more queens than the rules give are refused.
pub const MAX_MOVES: usize = 256;
/// Plies without pawn move or capture after which the game is drawn.
pub const CLOCK_LIMIT: i32 = 100;
/// Null-move cutoffs need care: zugzwang exists.
pub const NULL_VERIFICATION: bool = true;

/// Having no move without being in check is a draw.
pub const STALEMATE_LOSES: bool = false;

/// Search parameters, from `tables/search.toml`.
pub mod params {
    include!(concat!(env!("OUT_DIR"), "/params_chess.rs"));
}

/// The flags of a `Move`. Castling is encoded as the king taking its own rook.
pub mod flag {
    pub const CASTLING: u16 = 1;
    pub const EN_PASSANT: u16 = 2;
    /// Promotions are this plus the kind less the knight.
    pub const PROMOTION: u16 = 4;
}

/// What a pawn becomes, `None` for a move that does not promote.
#[inline(always)]
pub fn promotion(mv: Move) -> Option<Kind> {
    let flags = mv.flags();
    if flags & flag::PROMOTION != 0 {
        Some(Kind::new(KNIGHT.index() + (flags & 3) as usize))
    } else {
        None
    }
}

/// The flags of a promotion.
#[inline(always)]
pub const fn promote(kind: Kind) -> u16 {
    flag::PROMOTION + (kind.index() - KNIGHT.index()) as u16
}

/// Takes from the policy what the rules depend on: in chess nothing.
#[inline(always)]
pub fn configure(_pos: &mut Position, _policy: &Policy) {}

/// Whether passing is a sound bound: the mover has a piece beside king and pawns.
#[inline(always)]
pub fn has_null_move(pos: &Position) -> bool {
    let us: Color = pos.stm();
    let slow = pos.kind(PAWN) | pos.kind(KING);
    pos.side(us).without(slow).any()
}
