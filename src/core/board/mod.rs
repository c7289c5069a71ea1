//! The board of either game: squares, pieces, bitboards, moves, and the position with its stack of states.

mod bitboard;
mod moves;
mod piece;
mod position;
mod square;

pub use bitboard::Bitboard;
pub use moves::{Move, MoveList};
pub use piece::{Color, Kind, Piece};
pub use position::{Position, State};
pub use square::Square;
