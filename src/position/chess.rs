//! What a chess position must hold to be played; castling and en-passant fields.

use super::fen::{FenError, FenWarning, Wing, check_kings, count, pieces};
use super::{Placement, encode, square_text};
use crate::engine::Game;

pub(super) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

const KNIGHT_STEPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const ROOK_STEPS: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP_STEPS: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];

type Squares = [u8; 90];

/// The square a step away, `None` beyond the edge.
fn step(square: usize, (files, ranks): (i32, i32)) -> Option<usize> {
    let (file, rank) = (square as i32 % 8 + files, square as i32 / 8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

/// The first piece on a line from a square.
fn first_on_line(squares: &Squares, square: usize, direction: (i32, i32)) -> u8 {
    let mut at = square;
    while let Some(next) = step(at, direction) {
        if squares[next] != 0 {
            return squares[next];
        }
        at = next;
    }
    0
}

/// Whether a side attacks a square.
fn attacked(squares: &Squares, square: usize, by: usize) -> bool {
    let stands = |steps: &[(i32, i32)], kind: usize| {
        steps
            .iter()
            .any(|&s| step(square, s).is_some_and(|from| squares[from] == encode(kind, by)))
    };
    let shines = |steps: &[(i32, i32)], kind: usize| {
        steps.iter().any(|&s| {
            let piece = first_on_line(squares, square, s);
            piece == encode(kind, by) || piece == encode(QUEEN, by)
        })
    };
    let pawn_rank = if by == 0 { -1 } else { 1 };
    stands(&[(-1, pawn_rank), (1, pawn_rank)], PAWN)
        || stands(&KNIGHT_STEPS, KNIGHT)
        || stands(&ROOK_STEPS, KING)
        || stands(&BISHOP_STEPS, KING)
        || shines(&ROOK_STEPS, ROOK)
        || shines(&BISHOP_STEPS, BISHOP)
}

/// Whether the side to move is in check.
pub(super) fn in_check(placement: &Placement) -> bool {
    let mover = placement.stm as usize;
    placement
        .king(KING, mover)
        .is_some_and(|king| attacked(&placement.squares, king, 1 - mover))
}

/// Refuses what can never be played.
pub(super) fn validate(placement: &Placement) -> Result<(), FenError> {
    check_kings(placement, KING)?;
    for (square, kind, _) in pieces(placement) {
        if kind == PAWN && matches!(square / 8, 0 | 7) {
            return Err(FenError::PawnOnLastRank {
                square: square_text(Game::Chess, square),
            });
        }
    }
    for color in 0..2 {
        check_counts(placement, color)?;
    }
    let (Some(white), Some(black)) = (placement.king(KING, 0), placement.king(KING, 1)) else {
        return Err(FenError::KingCount { color: 0, found: 0 });
    };
    if (white % 8).abs_diff(black % 8) <= 1 && (white / 8).abs_diff(black / 8) <= 1 {
        return Err(FenError::KingsTouch);
    }
    let mover = placement.stm as usize;
    if attacked(&placement.squares, [white, black][1 - mover], mover) {
        return Err(FenError::OpponentInCheck);
    }
    Ok(())
}

/// Eight pawns, and a promoted piece for each one that is missing.
fn check_counts(placement: &Placement, color: usize) -> Result<(), FenError> {
    let pawns = count(placement, PAWN, color);
    if pawns > 8 {
        return Err(FenError::TooMany { color, what: "pawns" });
    }
    let bishops_on = |shade: usize| {
        pieces(placement)
            .filter(|&(square, kind, c)| kind == BISHOP && c == color && (square % 8 + square / 8) % 2 == shade)
            .count()
    };
    let promoted = count(placement, KNIGHT, color).saturating_sub(2)
        + bishops_on(0).saturating_sub(1)
        + bishops_on(1).saturating_sub(1)
        + count(placement, ROOK, color).saturating_sub(2)
        + count(placement, QUEEN, color).saturating_sub(1);
    if promoted > 8 - pawns {
        return Err(FenError::TooMany { color, what: "pieces" });
    }
    Ok(())
}

/// Reads castling rights: KQkq mean the outermost rook, a-h the rook on that file. False if the field does not parse.
pub(super) fn set_castling(placement: &mut Placement, text: &str, warnings: &mut Vec<FenWarning>) -> bool {
    if text == "-" {
        return true;
    }
    if text.len() > 16
        || !text
            .chars()
            .all(|c| matches!(c.to_ascii_uppercase(), 'K' | 'Q' | 'A'..='H'))
    {
        return false;
    }
    for letter in text.chars() {
        let color = letter.is_ascii_lowercase() as usize;
        match castling_rook(placement, color, letter) {
            Some((wing, file)) if placement.castling[color][wing as usize].is_none_or(|f| f == file) => {
                placement.castling[color][wing as usize] = Some(file);
            }
            _ => warnings.push(FenWarning::Castling(letter)),
        }
    }
    true
}

/// The rook that a castling letter means, if king and rook are in place.
fn castling_rook(placement: &Placement, color: usize, letter: char) -> Option<(Wing, u8)> {
    let base = if color == 0 { 0 } else { 56 };
    let king = placement
        .king(KING, color)?
        .checked_sub(base)
        .filter(|&file| file < 8)?;
    let has_rook = |file: &usize| placement.squares[base + file] == encode(ROOK, color);
    let file = match letter.to_ascii_uppercase() {
        'K' => (king + 1..8).rev().find(has_rook)?,
        'Q' => (0..king).find(has_rook)?,
        other => Some(other as usize - 'A' as usize).filter(has_rook)?,
    };
    Some((if file > king { Wing::King } else { Wing::Queen }, file as u8))
}

/// Reads the en-passant square and keeps it only if a pawn can legally capture there. False if it does not parse.
pub(super) fn set_en_passant(placement: &mut Placement, text: &str, warnings: &mut Vec<FenWarning>) -> bool {
    if text == "-" {
        return true;
    }
    let bytes = text.as_bytes();
    let &[file @ b'a'..=b'h', rank @ b'1'..=b'8'] = bytes else {
        return false;
    };
    let square = (rank - b'1') as usize * 8 + (file - b'a') as usize;
    if en_passant_usable(placement, square) {
        placement.ep = Some(square as u8);
    } else {
        warnings.push(FenWarning::EnPassant(text.to_string()));
    }
    true
}

pub(super) fn en_passant_usable(placement: &Placement, square: usize) -> bool {
    let mover = placement.stm as usize;
    let (rank, forward) = if mover == 0 { (5, 1) } else { (2, -1) };
    if square / 8 != rank {
        return false;
    }
    let (Some(origin), Some(pushed)) = (step(square, (0, forward)), step(square, (0, -forward))) else {
        return false;
    };
    let empty = placement.squares[square] == 0 && placement.squares[origin] == 0;
    if !empty || placement.squares[pushed] != encode(PAWN, 1 - mover) {
        return false;
    }
    [-1, 1]
        .into_iter()
        .filter_map(|side| step(square, (side, -forward)))
        .any(|from| placement.squares[from] == encode(PAWN, mover) && capture_is_legal(placement, from, square, pushed))
}

/// Whether an en-passant capture leaves the own king unattacked.
fn capture_is_legal(placement: &Placement, from: usize, to: usize, taken: usize) -> bool {
    let mover = placement.stm as usize;
    let mut squares = placement.squares;
    squares[to] = squares[from];
    squares[from] = 0;
    squares[taken] = 0;
    placement
        .king(KING, mover)
        .is_some_and(|king| !attacked(&squares, king, 1 - mover))
}

/// The castling field: letters of files in Chess960, else KQkq where the outermost rook is meant.
pub(super) fn castling_text(placement: &Placement) -> String {
    let mut out = String::new();
    for color in 0..2 {
        for wing in [Wing::King, Wing::Queen] {
            let Some(file) = placement.castling[color][wing as usize] else {
                continue;
            };
            let short = if wing == Wing::King { 'K' } else { 'Q' };
            let outermost = castling_rook(placement, color, short).is_some_and(|(_, f)| f == file);
            let letter = if outermost && !placement.chess960 {
                short
            } else {
                (b'A' + file) as char
            };
            out.push(if color == 0 {
                letter
            } else {
                letter.to_ascii_lowercase()
            });
        }
    }
    if out.is_empty() {
        out.push('-');
    }
    out
}
