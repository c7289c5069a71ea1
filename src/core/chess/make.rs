//! Moving the pieces, and moving them back.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Move, Piece, Position, Square};
use super::attacks::{diagonal, sliders_attack};
use super::setup::Side;
use super::{
    KING, KNIGHT, PAWN, ROOK, bishop_attacks, flag, keys, knight_attacks, pawn_attacks, promotion, rook_attacks,
};

/// The side that castles by taking the rook on `rook_from` with the king on `king_from`.
#[inline(always)]
pub fn castling_side(king_from: Square, rook_from: Square) -> Side {
    if rook_from > king_from { Side::King } else { Side::Queen }
}

/// Where the pawn stands that is taken on an en-passant square.
#[inline(always)]
pub fn ep_victim(square: Square) -> Square {
    Square::new(square.index() ^ 8)
}

/// Moves the pieces and changes keys, clock, rights and en-passant square. Side to move and attacks are the caller's.
#[hot]
#[inline]
pub fn apply(pos: &mut Position, mv: Move) {
    let us = pos.stm();
    let (from, to, flags) = (mv.from(), mv.to(), mv.flags());
    let piece = pos.piece_on(from);
    clear_ep(pos);
    if flags == flag::CASTLING {
        castle(pos, us, from, to);
        drop_rights(pos, from, to);
        return;
    }
    let target = if flags == flag::EN_PASSANT { ep_victim(to) } else { to };
    let victim = pos.piece_on(target);
    if victim.is_some() {
        pos.remove(victim, target);
        pos.state.captured = victim;
        pos.state.clock = 0;
    }
    pos.remove(piece, from);
    match promotion(mv) {
        Some(kind) => pos.put(Piece::new(us, kind), to),
        None => pos.put(piece, to),
    }
    drop_rights(pos, from, to);
    if piece.kind() == PAWN {
        pos.state.clock = 0;
        if from.index() ^ to.index() == 16 {
            offer_ep(pos, us, Square::new((from.index() + to.index()) / 2));
        }
    }
}

/// Moves the pieces of a move back; keys, clock and the like come from the stack.
#[hot]
#[inline]
pub fn retract(pos: &mut Position, mv: Move) {
    let us = pos.stm();
    let (from, to, flags) = (mv.from(), mv.to(), mv.flags());
    if flags == flag::CASTLING {
        let way = *pos.setup.castling(us, castling_side(from, to));
        pos.lift(Piece::new(us, KING), way.king_to);
        pos.lift(Piece::new(us, ROOK), way.rook_to);
        pos.place(Piece::new(us, KING), way.king_from);
        pos.place(Piece::new(us, ROOK), way.rook_from);
        return;
    }
    let piece = pos.piece_on(to);
    pos.lift(piece, to);
    pos.place(
        if flags & flag::PROMOTION != 0 {
            Piece::new(us, PAWN)
        } else {
            piece
        },
        from,
    );
    let victim = pos.state.captured;
    if victim.is_some() {
        pos.place(victim, if flags == flag::EN_PASSANT { ep_victim(to) } else { to });
    }
}

/// What a pass changes beyond the side to move.
#[hot]
#[inline]
pub fn apply_null(pos: &mut Position) {
    clear_ep(pos);
}

/// The key that a move leads to; castling, en passant, promotion and double pushes are not followed to the end.
#[hot]
#[inline]
pub fn key_after(pos: &Position, mv: Move) -> u64 {
    let piece = pos.moving(mv);
    let mut key = pos.state.key ^ keys::side() ^ keys::piece(piece, mv.from()) ^ keys::piece(piece, mv.to());
    let victim = pos.piece_on(mv.to());
    if victim.is_some() {
        key ^= keys::piece(victim, mv.to());
    }
    if let Some(square) = pos.state.aux.ep() {
        key ^= keys::en_passant(square);
    }
    let rights = pos.state.aux.rights;
    key ^ keys::castling(rights) ^ keys::castling(rights & pos.setup.kept(mv.from(), mv.to()))
}

#[hot]
#[cold]
fn castle(pos: &mut Position, us: Color, king_from: Square, rook_from: Square) {
    let way = *pos.setup.castling(us, castling_side(king_from, rook_from));
    pos.remove(Piece::new(us, KING), king_from);
    pos.remove(Piece::new(us, ROOK), rook_from);
    pos.put(Piece::new(us, KING), way.king_to);
    pos.put(Piece::new(us, ROOK), way.rook_to);
}

#[inline(always)]
fn clear_ep(pos: &mut Position) {
    if let Some(square) = pos.state.aux.ep() {
        pos.state.key ^= keys::en_passant(square);
        pos.state.aux.clear_ep();
    }
}

#[inline(always)]
fn drop_rights(pos: &mut Position, from: Square, to: Square) {
    let rights = pos.state.aux.rights;
    let kept = rights & pos.setup.kept(from, to);
    if kept != rights {
        pos.state.key ^= keys::castling(rights) ^ keys::castling(kept);
        pos.state.aux.rights = kept;
    }
}

/// Sets the en-passant square behind a pawn that `us` has just pushed twice, if a legal capture there exists.
#[hot]
#[inline]
pub fn offer_ep(pos: &mut Position, us: Color, square: Square) {
    let takers = pawn_attacks(us, square) & pos.pieces(!us, PAWN);
    if takers.any() && any_ep_is_legal(pos, !us, takers, square) {
        pos.state.aux.set_ep(square);
        pos.state.key ^= keys::en_passant(square);
    }
}

#[hot]
fn any_ep_is_legal(pos: &Position, us: Color, takers: Bitboard, square: Square) -> bool {
    for from in takers {
        if ep_is_legal(pos, us, from, square) {
            return true;
        }
    }
    false
}

/// Whether `us` is out of check after taking en passant from a square.
#[hot]
pub fn ep_is_legal(pos: &Position, us: Color, from: Square, square: Square) -> bool {
    let king = pos.king(us);
    let victim = Bitboard::of(ep_victim(square));
    let occupied = pos.occupied().without(victim | Bitboard::of(from)).with(square);
    let leapers = (pawn_attacks(us, king) & pos.kind(PAWN)).without(victim) | knight_attacks(king) & pos.kind(KNIGHT);
    (leapers & pos.side(!us)).is_empty() && !sliders_attack(pos, king, !us, occupied)
}

/// Whether line pieces of `us` attack the enemy king when its rooks and queens are `straight` and `occupied` stands on the
/// board.
#[hot]
#[inline]
pub fn lines_check(pos: &Position, us: Color, straight: Bitboard, occupied: Bitboard) -> bool {
    let king = pos.king(!us);
    (rook_attacks(king, occupied) & straight).any()
        || (bishop_attacks(king, occupied) & diagonal(pos) & pos.side(us)).any()
}
