//! Plain data in and out.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Piece, Position, Square};
use super::setup::{Aux, Setup};
use super::{GAME, KINDS, SQUARES, refresh};
use crate::options::RepetitionRule;
use crate::position::Placement;

/// The position of a valid placement.
#[hot]
pub fn from_placement(placement: &Placement) -> Position {
    let first_ply = placement.move_number.max(1).saturating_sub(1).saturating_mul(2) | (placement.stm as u32 & 1);
    let setup = Setup {
        first_ply,
        rule: RepetitionRule::Computer,
    };
    // Which of the plies before the start were checks is not known: all of them count.
    let aux = Aux {
        counted: placement.clock,
        ..Aux::default()
    };
    let mut pos = Position::empty(setup, aux);
    for (index, &code) in placement.squares[..SQUARES].iter().enumerate() {
        if let Some(piece) = piece_of(code) {
            pos.put(piece, Square::new(index));
        }
    }
    pos.set_side(Color::new(placement.stm as usize));
    pos.state.clock = placement.clock;
    refresh(&mut pos);
    pos
}

fn piece_of(code: u8) -> Option<Piece> {
    let index = (code as usize).checked_sub(1)?;
    if index / 2 < KINDS {
        Some(Piece::new(Color::new(index & 1), Kind::new(index / 2)))
    } else {
        None
    }
}

/// The placement of a position.
pub fn to_placement(pos: &Position) -> Placement {
    let mut squares = [0; 90];
    for square in Bitboard::FULL {
        let piece = pos.piece_on(square);
        if piece.is_some() {
            squares[square.index()] = 1 + piece.index() as u8;
        }
    }
    Placement {
        game: GAME,
        squares,
        stm: pos.stm().index() as u8,
        castling: [[None; 2]; 2],
        ep: None,
        chess960: false,
        clock: pos.state.clock,
        move_number: (pos.setup.first_ply + pos.past() as u32) / 2 + 1,
    }
}

/// The start position.
#[hot]
pub fn start() -> Position {
    const BACK: [u8; 9] = [5, 3, 2, 1, 6, 1, 2, 3, 5];
    let mut squares = [0; 90];
    for file in 0..9 {
        squares[file] = 1 + BACK[file] * 2;
        squares[81 + file] = 2 + BACK[file] * 2;
    }
    for file in [0, 2, 4, 6, 8] {
        squares[27 + file] = 1;
        squares[54 + file] = 2;
    }
    for file in [1, 7] {
        squares[18 + file] = 1 + 4 * 2;
        squares[63 + file] = 2 + 4 * 2;
    }
    from_placement(&Placement {
        game: GAME,
        squares,
        stm: 0,
        castling: [[None; 2]; 2],
        ep: None,
        chess960: false,
        clock: 0,
        move_number: 1,
    })
}
