//! Plain data in and out.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Kind, Piece, Position, Square};
use super::make::{ep_victim, offer_ep};
use super::setup::{Aux, Setup, Side};
use super::{GAME, KINDS, KING, PAWN, SQUARES, keys, refresh};
use crate::position::Placement;

/// The position of a valid placement. An en-passant square without a legal capture is dropped.
#[hot]
pub fn from_placement(placement: &Placement) -> Position {
    let first_ply = placement.move_number.max(1).saturating_sub(1).saturating_mul(2) | (placement.stm as u32 & 1);
    let mut pos = Position::empty(Setup::new(placement.chess960, first_ply), Aux::default());
    for (index, &code) in placement.squares[..SQUARES].iter().enumerate() {
        if let Some(piece) = piece_of(code) {
            pos.put(piece, Square::new(index));
        }
    }
    pos.set_side(Color::new(placement.stm as usize));
    pos.state.clock = placement.clock;
    for color in Color::BOTH {
        for side in Side::BOTH {
            if let Some(file) = placement.castling[color.index()][side as usize] {
                allow(&mut pos, color, side, file as usize & 7);
            }
        }
    }
    pos.state.key ^= keys::castling(pos.state.aux.rights);
    if let Some(square) = placement.ep {
        let square = Square::new(square as usize & 63);
        let them = !pos.stm();
        if pos.piece_on(square).is_none() && pos.piece_on(ep_victim(square)) == Piece::new(them, PAWN) {
            offer_ep(&mut pos, them, square);
        }
    }
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

/// Gives a right to castle with the rook on a file.
fn allow(pos: &mut Position, color: Color, side: Side, file: usize) {
    let kings = pos.pieces(color, KING);
    if kings.any() {
        let king = kings.first();
        pos.setup.allow(color, side, king, Square::at(file, king.rank()));
        pos.state.aux.rights |= side.right(color);
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
    let castling = Color::BOTH.map(|color| {
        Side::BOTH.map(|side| {
            let file = pos.setup.castling(color, side).rook_from.file() as u8;
            pos.state.aux.may_castle(color, side).then_some(file)
        })
    });
    Placement {
        game: GAME,
        squares,
        stm: pos.stm().index() as u8,
        castling,
        ep: pos.state.aux.ep().map(|square| square.index() as u8),
        chess960: pos.setup.chess960,
        clock: pos.state.clock,
        move_number: (pos.setup.first_ply + pos.past() as u32) / 2 + 1,
    }
}

/// The start position.
#[hot]
pub fn start() -> Position {
    const BACK: [u8; 8] = [3, 1, 2, 4, 5, 2, 1, 3];
    let mut squares = [0; 90];
    for file in 0..8 {
        squares[file] = 1 + BACK[file] * 2;
        squares[8 + file] = 1;
        squares[48 + file] = 2;
        squares[56 + file] = 2 + BACK[file] * 2;
    }
    from_placement(&Placement {
        game: GAME,
        squares,
        stm: 0,
        castling: [[Some(7), Some(0)]; 2],
        ep: None,
        chess960: false,
        clock: 0,
        move_number: 1,
    })
}
