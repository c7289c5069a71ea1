//! Move generation: pseudo-legal by stage for the search, legal at once for everything else.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Move, MoveList, Position, Square};
use super::attacks::{diagonal, is_attacked, pawn_captures, pawn_pushes, straight};
use super::make::ep_is_legal;
use super::setup::Side;
use super::{BISHOP, KNIGHT, PAWN, QUEEN, ROOK};
use super::{between, bishop_attacks, flag, king_attacks, knight_attacks, line, pawn_attacks, promote, rook_attacks};

/// Which pseudo-legal moves are wanted. `Captures` are exactly the moves for which `is_tactical` holds, `Quiets` the rest,
/// `Evasions` both while in check (the other two must not be asked for then).
pub trait Stage {
    const TACTICAL: bool;
    const QUIET: bool;
    const EVASION: bool;
}

pub struct Captures;
pub struct Quiets;
pub struct Evasions;

impl Stage for Captures {
    const TACTICAL: bool = true;
    const QUIET: bool = false;
    const EVASION: bool = false;
}

impl Stage for Quiets {
    const TACTICAL: bool = false;
    const QUIET: bool = true;
    const EVASION: bool = false;
}

impl Stage for Evasions {
    const TACTICAL: bool = true;
    const QUIET: bool = true;
    const EVASION: bool = true;
}

/// Where generated moves go: into a list, or into a count.
trait Sink {
    /// Moves of one piece.
    fn piece(&mut self, from: Square, targets: Bitboard);
    /// Moves of pawns that all went `delta` squares to reach their targets.
    fn pawns(&mut self, targets: Bitboard, delta: i32);
    /// Promotions to each of the four pieces.
    fn promotions(&mut self, targets: Bitboard, delta: i32);
    fn single(&mut self, mv: Move);
}

impl Sink for MoveList {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.push(Move::new(from, to, 0));
        }
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, delta: i32) {
        for to in targets {
            self.push(Move::new(origin(to, delta), to, 0));
        }
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, delta: i32) {
        for to in targets {
            push_promotions::<true, true>(self, to, delta);
        }
    }

    #[inline(always)]
    fn single(&mut self, mv: Move) {
        self.push(mv);
    }
}

/// Counts moves.
struct Count(u64);

impl Sink for Count {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.count() as u64;
    }

    #[inline(always)]
    fn pawns(&mut self, targets: Bitboard, _: i32) {
        self.0 += targets.count() as u64;
    }

    #[inline(always)]
    fn promotions(&mut self, targets: Bitboard, _: i32) {
        self.0 += 4 * targets.count() as u64;
    }

    #[inline(always)]
    fn single(&mut self, _: Move) {
        self.0 += 1;
    }
}

/// Where a pawn came from.
#[inline(always)]
fn origin(to: Square, delta: i32) -> Square {
    Square::new((to.index() as i32 - delta) as usize)
}

#[inline(always)]
fn push_promotions<const BEST: bool, const OTHERS: bool>(list: &mut MoveList, to: Square, delta: i32) {
    let from = origin(to, delta);
    if BEST {
        list.push(Move::new(from, to, promote(QUEEN)));
    }
    if OTHERS {
        list.push(Move::new(from, to, promote(KNIGHT)));
        list.push(Move::new(from, to, promote(ROOK)));
        list.push(Move::new(from, to, promote(BISHOP)));
    }
}

/// What a side's pawns need to know of directions.
#[derive(Clone, Copy)]
struct Forward {
    /// Squares from a pawn to the one ahead.
    up: i32,
    /// The rank that a single push must reach for a double one to be possible.
    third: Bitboard,
    /// The last rank.
    last: Bitboard,
}

impl Forward {
    #[inline(always)]
    fn of(color: Color) -> Self {
        if color == Color::WHITE {
            Forward {
                up: 8,
                third: Bitboard(0xff << 16),
                last: Bitboard(0xff << 56),
            }
        } else {
            Forward {
                up: -8,
                third: Bitboard(0xff << 40),
                last: Bitboard(0xff),
            }
        }
    }

    /// Squares from a pawn to what it captures towards the a-file and the h-file.
    #[inline(always)]
    fn captures(self) -> (i32, i32) {
        (self.up - 1, self.up + 1)
    }
}

/// Squares that a move must reach to answer a check by one piece: its own, and those between.
#[inline(always)]
pub fn check_mask(pos: &Position, king: Square) -> Bitboard {
    pos.state.checkers | between(king, pos.state.checkers.first())
}

/// Pseudo-legal moves of a stage: legal but for the mover's king (`is_legal` decides). Moves of other pieces than the king
/// do answer a check.
#[hot]
pub fn generate<S: Stage>(pos: &Position, list: &mut MoveList) {
    let us = pos.stm();
    let king = pos.king(us);
    let empty = !pos.occupied();
    let enemy = pos.side(!us);
    let mut wanted = Bitboard::EMPTY;
    if S::TACTICAL {
        wanted |= enemy;
    }
    if S::QUIET {
        wanted |= empty;
    }
    list.piece(king, king_attacks(king) & wanted);
    let mut mask = Bitboard::FULL;
    if S::EVASION {
        if pos.state.checkers.many() {
            return;
        }
        mask = check_mask(pos, king);
    }
    stage_pawns::<S>(pos, us, mask, list);
    pieces(pos, us, wanted & mask, Bitboard::FULL, list);
    if S::QUIET && !S::EVASION {
        castling::<false>(pos, us, list);
    }
}

/// Moves of knights and line pieces among `movers` to `targets`.
#[hot]
#[inline]
fn pieces<K: Sink>(pos: &Position, us: Color, targets: Bitboard, movers: Bitboard, sink: &mut K) {
    let own = pos.side(us) & movers;
    let occupied = pos.occupied();
    for from in pos.kind(KNIGHT) & own {
        sink.piece(from, knight_attacks(from) & targets);
    }
    for from in diagonal(pos) & own {
        sink.piece(from, bishop_attacks(from, occupied) & targets);
    }
    for from in straight(pos) & own {
        sink.piece(from, rook_attacks(from, occupied) & targets);
    }
}

#[hot]
#[inline]
fn stage_pawns<S: Stage>(pos: &Position, us: Color, mask: Bitboard, list: &mut MoveList) {
    let forward = Forward::of(us);
    let (left, right) = forward.captures();
    let pawns = pos.pieces(us, PAWN);
    let empty = !pos.occupied();
    let pushes = pawn_pushes(us, pawns) & empty;
    if S::QUIET {
        let doubles = pawn_pushes(us, pushes & forward.third) & empty & mask;
        list.pawns((pushes & mask).without(forward.last), forward.up);
        list.pawns(doubles, 2 * forward.up);
        for to in pushes & mask & forward.last {
            push_promotions::<false, true>(list, to, forward.up);
        }
    }
    if S::TACTICAL {
        for to in pushes & mask & forward.last {
            push_promotions::<true, false>(list, to, forward.up);
        }
        let (to_left, to_right) = pawn_captures(us, pawns);
        let takes = pos.side(!us) & mask;
        list.pawns((to_left & takes).without(forward.last), left);
        list.pawns((to_right & takes).without(forward.last), right);
        list.promotions(to_left & takes & forward.last, left);
        list.promotions(to_right & takes & forward.last, right);
        if let Some(square) = pos.state.aux.ep() {
            // In check too: the taken pawn may be the one that checks, and nothing else is lost by asking `is_legal`.
            for from in pawn_attacks(!us, square) & pawns {
                list.push(Move::new(from, square, flag::EN_PASSANT));
            }
        }
    }
}

/// Castling moves with a free path; with `LEGAL` also not through or into check.
#[hot]
#[inline]
fn castling<const LEGAL: bool>(pos: &Position, us: Color, sink: &mut impl Sink) {
    for side in Side::BOTH {
        if pos.state.aux.may_castle(us, side) {
            let way = pos.setup.castling(us, side);
            if (way.path & pos.occupied()).is_empty() && (!LEGAL || castling_is_safe(pos, us, side)) {
                sink.single(Move::new(way.king_from, way.rook_from, flag::CASTLING));
            }
        }
    }
}

/// Whether the king, not in check, castles without passing or reaching an attacked square.
#[hot]
pub fn castling_is_safe(pos: &Position, us: Color, side: Side) -> bool {
    let way = pos.setup.castling(us, side);
    // A rook that shields its king from a line piece beyond it (possible in Chess960) leaves it bare.
    if pos.state.blockers[us.index()].has(way.rook_from) {
        return false;
    }
    let occupied = pos.occupied().without(Bitboard::of(way.king_from));
    for square in way.king_path {
        if is_attacked(pos, square, !us, occupied) {
            return false;
        }
    }
    true
}

/// All legal moves, in no order.
#[hot]
pub fn legal_moves(pos: &Position, list: &mut MoveList) {
    legal(pos, list);
}

/// How many legal moves there are.
#[hot]
pub fn count_legal(pos: &Position) -> u64 {
    let mut count = Count(0);
    legal(pos, &mut count);
    count.0
}

#[hot]
#[inline]
fn legal<K: Sink>(pos: &Position, sink: &mut K) {
    let us = pos.stm();
    let king = pos.king(us);
    sink.piece(king, king_targets(pos, us, king));
    if pos.state.checkers.many() {
        return;
    }
    let mask = if pos.in_check() {
        check_mask(pos, king)
    } else {
        castling::<true>(pos, us, sink);
        Bitboard::FULL
    };
    let targets = mask.without(pos.side(us));
    let pinned = pos.state.blockers[us.index()] & pos.side(us);
    pieces(pos, us, targets, !pinned, sink);
    let pawns = pos.pieces(us, PAWN);
    legal_pawns(pos, us, pawns.without(pinned), mask, sink);
    // Pinned pieces stay on their line (a knight never can).
    for from in pinned {
        let rest = targets & line(king, from);
        if pawns.has(from) {
            legal_pawns(pos, us, Bitboard::of(from), mask & line(king, from), sink);
        } else {
            pieces(pos, us, rest, Bitboard::of(from), sink);
        }
    }
    if let Some(square) = pos.state.aux.ep() {
        for from in pawn_attacks(!us, square) & pawns {
            if ep_is_legal(pos, us, from, square) {
                sink.single(Move::new(from, square, flag::EN_PASSANT));
            }
        }
    }
}

/// Where the king may step.
#[hot]
#[inline]
fn king_targets(pos: &Position, us: Color, king: Square) -> Bitboard {
    let them = !us;
    let watched = super::pawns_attack(them, pos.pieces(them, PAWN)) | king_attacks(pos.king(them));
    let near = king_attacks(king).without(pos.side(us) | watched);
    let occupied = pos.occupied().without(Bitboard::of(king));
    let enemy = pos.side(them);
    let (straight, diagonal) = (straight(pos) & enemy, diagonal(pos) & enemy);
    let knights = pos.kind(KNIGHT) & enemy;
    let mut safe = Bitboard::EMPTY;
    for to in near {
        let attackers = knight_attacks(to) & knights
            | rook_attacks(to, occupied) & straight
            | bishop_attacks(to, occupied) & diagonal;
        if attackers.is_empty() {
            safe |= Bitboard::of(to);
        }
    }
    safe
}

/// Moves of some of the pawns to squares of `mask`, en passant left out.
#[hot]
#[inline]
fn legal_pawns<K: Sink>(pos: &Position, us: Color, pawns: Bitboard, mask: Bitboard, sink: &mut K) {
    let forward = Forward::of(us);
    let (left, right) = forward.captures();
    let empty = !pos.occupied();
    let pushes = pawn_pushes(us, pawns) & empty;
    let doubles = pawn_pushes(us, pushes & forward.third) & empty & mask;
    let pushes = pushes & mask;
    let takes = pos.side(!us) & mask;
    let (to_left, to_right) = pawn_captures(us, pawns);
    let (to_left, to_right) = (to_left & takes, to_right & takes);
    sink.pawns(pushes.without(forward.last), forward.up);
    sink.pawns(doubles, 2 * forward.up);
    sink.pawns(to_left.without(forward.last), left);
    sink.pawns(to_right.without(forward.last), right);
    if ((pushes | to_left | to_right) & forward.last).any() {
        sink.promotions(pushes & forward.last, forward.up);
        sink.promotions(to_left & forward.last, left);
        sink.promotions(to_right & forward.last, right);
    }
}
