//! Self-examination: what is kept up to date equals what is computed from scratch, and the parts of the rules agree.

use baize_hot::hot;

use super::super::board::{Bitboard, Color, Move, MoveList, Piece, Position, Square, State};
use super::attacks::{attackers_to, refresh};
use super::make::ep_victim;
use super::movegen::{Captures, Evasions, Quiets, count_legal, generate, legal_moves};
use super::setup::Side;
use super::{KING, PAWN, QUEEN, flag, from_placement, gain, gives_check, is_legal, is_pseudo_legal, is_tactical};
use super::{key_after, keys, line, phase, promotion, psq, see_ge, to_placement, upcoming_repetition, value};

/// Checks a position and everything one move away from it.
///
/// # Errors
/// The first disagreement, in words.
#[hot]
pub fn self_check(pos: &Position) -> Result<(), String> {
    sets(pos)?;
    sums(pos)?;
    attacks(pos)?;
    round_trip(pos)?;
    let mut legal = MoveList::new();
    legal_moves(pos, &mut legal);
    if count_legal(pos) != legal.len() as u64 {
        return Err(format!(
            "{} legal moves are counted as {}",
            legal.len(),
            count_legal(pos)
        ));
    }
    stages(pos, &legal)?;
    all_words(pos, &legal)?;
    exchanges(pos, &legal)?;
    let mut played = pos.clone();
    let (mut repeats, mut repeats_again) = (false, false);
    for &mv in legal.as_slice() {
        let repetition = one_move(&mut played, mv)?;
        repeats |= repetition != 0;
        repeats_again |= repetition < 0;
    }
    ensure(upcoming_repetition(pos, usize::MAX) == repeats, || {
        "a repetition is foreseen wrongly".into()
    })?;
    ensure(upcoming_repetition(pos, 0) == repeats_again, || {
        "a second repetition is foreseen wrongly".into()
    })
}

fn ensure(holds: bool, what: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(what()) }
}

/// Bitboards and mailbox say the same.
#[hot]
fn sets(pos: &Position) -> Result<(), String> {
    ensure((pos.side(Color::WHITE) & pos.side(Color::BLACK)).is_empty(), || {
        "the sides overlap".into()
    })?;
    for square in Bitboard::FULL {
        let piece = pos.piece_on(square);
        let sets = Color::BOTH
            .iter()
            .all(|&color| pos.side(color).has(square) == (piece.is_some() && piece.color() == color))
            && (0..super::KINDS).all(|kind| {
                let kind = super::super::board::Kind::new(kind);
                pos.kind(kind).has(square) == (piece.kind() == kind)
            });
        ensure(sets, || format!("sets and mailbox differ on square {}", square.index()))?;
    }
    for color in Color::BOTH {
        ensure(pos.pieces(color, KING).count() == 1, || {
            "a side has not one king".into()
        })?;
    }
    Ok(())
}

/// Keys and sums.
#[hot]
fn sums(pos: &Position) -> Result<(), String> {
    let mut fresh = State {
        key: 0,
        pawn_key: 0,
        non_pawn_keys: [0; 2],
        psq: Default::default(),
        phase: 0,
        ..pos.state
    };
    for square in pos.occupied() {
        let piece = pos.piece_on(square);
        let key = keys::piece(piece, square);
        fresh.key ^= key;
        match piece.kind() {
            PAWN => fresh.pawn_key ^= key,
            _ => fresh.non_pawn_keys[piece.color().index()] ^= key,
        }
        fresh.psq += psq(piece, square);
        fresh.phase += phase(piece.kind());
    }
    if pos.stm() == Color::BLACK {
        fresh.key ^= keys::side();
    }
    fresh.key ^= keys::castling(pos.state.aux.rights);
    if let Some(square) = pos.state.aux.ep() {
        fresh.key ^= keys::en_passant(square);
    }
    ensure(fresh.key == pos.state.key, || "the key is wrong".into())?;
    ensure(fresh.pawn_key == pos.state.pawn_key, || "the pawn key is wrong".into())?;
    ensure(fresh.non_pawn_keys == pos.state.non_pawn_keys, || {
        "a key of pieces is wrong".into()
    })?;
    ensure(fresh.psq == pos.state.psq, || {
        "the sum of piece-square values is wrong".into()
    })?;
    ensure(fresh.phase == pos.state.phase, || "the phase is wrong".into())
}

/// Checkers, blockers and check squares, by other means than `refresh` uses.
#[hot]
fn attacks(pos: &Position) -> Result<(), String> {
    let occupied = pos.occupied();
    let (us, them) = (pos.stm(), !pos.stm());
    let checkers = attackers_to(pos, pos.king(us), occupied) & pos.side(them);
    ensure(checkers == pos.state.checkers, || "the checkers are wrong".into())?;
    let shown = attackers_to(pos, pos.king(them), occupied) & pos.side(us);
    ensure(shown.is_empty(), || "the side not to move is in check".into())?;
    for color in Color::BOTH {
        let king = pos.king(color);
        let direct = attackers_to(pos, king, occupied) & pos.side(!color);
        let mut blockers = Bitboard::EMPTY;
        for square in occupied.without(Bitboard::of(king)) {
            let bared = attackers_to(pos, king, occupied.without(Bitboard::of(square))) & pos.side(!color);
            if bared.without(direct | Bitboard::of(square)).any() && !line(king, square).is_empty() {
                blockers |= Bitboard::of(square);
            }
        }
        ensure(blockers == pos.state.blockers[color.index()], || {
            "the blockers are wrong".into()
        })?;
    }
    Ok(())
}

/// A position built from its own placement is the same.
#[hot]
fn round_trip(pos: &Position) -> Result<(), String> {
    let again = from_placement(&to_placement(pos));
    ensure(again.state.key == pos.state.key, || {
        "a rebuilt position has another key".into()
    })?;
    ensure(again.state.aux == pos.state.aux, || {
        "a rebuilt position has other rights".into()
    })?;
    let rights = Color::BOTH
        .iter()
        .flat_map(|&color| Side::BOTH.map(|side| (color, side)));
    for (color, side) in rights.filter(|&(color, side)| pos.state.aux.may_castle(color, side)) {
        let (old, new) = (pos.setup.castling(color, side), again.setup.castling(color, side));
        ensure(old.rook_from == new.rook_from, || {
            "a rebuilt position castles with another rook".into()
        })?;
    }
    Ok(())
}

/// The stages hold together the legal moves, each where it belongs.
#[hot]
fn stages(pos: &Position, legal: &MoveList) -> Result<(), String> {
    let mut found = 0;
    if pos.in_check() {
        let mut list = MoveList::new();
        generate::<Evasions>(pos, &mut list);
        for &mv in list.as_slice() {
            found += stage_move(pos, mv, legal, None)?;
        }
    } else {
        let (mut captures, mut quiets) = (MoveList::new(), MoveList::new());
        generate::<Captures>(pos, &mut captures);
        generate::<Quiets>(pos, &mut quiets);
        for &mv in captures.as_slice() {
            found += stage_move(pos, mv, legal, Some(true))?;
        }
        for &mv in quiets.as_slice() {
            found += stage_move(pos, mv, legal, Some(false))?;
        }
    }
    ensure(found == legal.len(), || {
        format!("{found} of {} legal moves are generated by stages", legal.len())
    })
}

/// 1 for a legal move, 0 for one that is not.
#[hot]
fn stage_move(pos: &Position, mv: Move, legal: &MoveList, tactical: Option<bool>) -> Result<usize, String> {
    ensure(is_pseudo_legal(pos, mv), || {
        format!("generated move {:#06x} is not pseudo-legal", mv.raw())
    })?;
    let stage = tactical.is_none_or(|tactical| tactical == is_tactical(pos, mv));
    ensure(stage, || format!("move {:#06x} is in the wrong stage", mv.raw()))?;
    ensure(is_legal(pos, mv) == legal.contains(mv), || {
        format!("legality of {:#06x} is in doubt", mv.raw())
    })?;
    Ok(legal.contains(mv) as usize)
}

/// Exchanges are worth what playing them out says. Pins, which only `see_ge` knows of, are left out.
#[hot]
fn exchanges(pos: &Position, legal: &MoveList) -> Result<(), String> {
    if pos.state.blockers[0].any() || pos.state.blockers[1].any() {
        return Ok(());
    }
    for &mv in legal.as_slice().iter().filter(|mv| mv.flags() != flag::CASTLING) {
        let mut occupied = pos.occupied().without(Bitboard::of(mv.from())).with(mv.to());
        if mv.flags() == flag::EN_PASSANT {
            occupied = occupied.without(Bitboard::of(ep_victim(mv.to())));
        }
        let kind = promotion(mv).unwrap_or(pos.moving(mv).kind());
        let worth = gain(pos, mv) - exchange(pos, mv.to(), value(kind), !pos.stm(), occupied);
        let exact = see_ge(pos, mv, worth) && !see_ge(pos, mv, worth + 1);
        ensure(exact, || format!("the exchange of {:#06x} is worth {worth}", mv.raw()))?;
    }
    Ok(())
}

/// What `side` wins by taking a piece of this value on a square with its cheapest piece, or not.
#[hot]
fn exchange(pos: &Position, square: Square, worth: i32, side: Color, occupied: Bitboard) -> i32 {
    let attackers = attackers_to(pos, square, occupied) & occupied & pos.side(side);
    let cheapest = attackers.min_by_key(|&from| (pos.piece_on(from).kind(), from));
    let Some(from) = cheapest else { return 0 };
    let kind = pos.piece_on(from).kind();
    let left = occupied.without(Bitboard::of(from));
    if kind == KING && (attackers_to(pos, square, left) & left & pos.side(!side)).any() {
        return 0;
    }
    let promotes = kind == PAWN && (square.rank() == 0 || square.rank() == 7);
    let (more, at_risk) = if promotes {
        (value(QUEEN) - value(PAWN), QUEEN)
    } else {
        (0, kind)
    };
    (worth + more - exchange(pos, square, value(at_risk), !side, left)).max(0)
}

/// Every 16-bit word is told apart.
#[hot]
fn all_words(pos: &Position, legal: &MoveList) -> Result<(), String> {
    let mut found = 0;
    for raw in 0..=u16::MAX {
        let mv = Move::from_raw(raw);
        if is_pseudo_legal(pos, mv) && is_legal(pos, mv) {
            ensure(legal.contains(mv), || {
                format!("word {raw:#06x} passes for a legal move")
            })?;
            found += 1;
        }
    }
    ensure(found == legal.len(), || {
        format!("{found} of {} legal moves pass as words", legal.len())
    })
}

/// Making and taking back one legal move. Tells the `repetition` of the position between.
#[hot]
fn one_move(pos: &mut Position, mv: Move) -> Result<i16, String> {
    let before = pos.clone();
    let (checks, key) = (gives_check(pos, mv), key_after(pos, mv));
    let pushed = pos.moving(mv).kind() == PAWN && mv.from().index() ^ mv.to().index() == 16;
    pos.make(mv);
    sets(pos)?;
    sums(pos)?;
    attacks(pos)?;
    ensure(pos.in_check() == checks, || {
        format!("whether move {:#06x} checks is foretold wrongly", mv.raw())
    })?;
    let foretold = mv.flags() != 0 || pushed || key == pos.state.key;
    ensure(foretold, || {
        format!("the key after move {:#06x} is foretold wrongly", mv.raw())
    })?;
    ensure(pos.state.aux.ep().is_none() || ep_exists(pos), || {
        "an en-passant square without a capture".into()
    })?;
    let built = from_placement(&to_placement(pos));
    ensure(built.state.key == pos.state.key, || {
        format!("move {:#06x} leads to another key", mv.raw())
    })?;
    let repetition = pos.state.repetition;
    pos.unmake();
    same(pos, &before).map_err(|what| format!("taking back move {:#06x}: {what}", mv.raw()))?;
    Ok(repetition)
}

#[hot]
fn ep_exists(pos: &Position) -> bool {
    let mut list = MoveList::new();
    legal_moves(pos, &mut list);
    list.as_slice().iter().any(|mv| mv.flags() == flag::EN_PASSANT)
}

#[hot]
fn same(pos: &Position, before: &Position) -> Result<(), String> {
    sets(pos)?;
    let pieces = |pos: &Position| {
        Bitboard::FULL
            .map(|square| pos.piece_on(square))
            .collect::<Vec<Piece>>()
    };
    ensure(pieces(pos) == pieces(before), || "the pieces differ".into())?;
    ensure(pos.stm() == before.stm() && pos.past() == before.past(), || {
        "side or stack differ".into()
    })?;
    let (a, b) = (&pos.state, &before.state);
    let equal = a.key == b.key
        && a.pawn_key == b.pawn_key
        && a.non_pawn_keys == b.non_pawn_keys
        && (a.psq, a.phase, a.clock, a.since_null) == (b.psq, b.phase, b.clock, b.since_null)
        && (a.repetition, a.mv, a.captured, a.aux) == (b.repetition, b.mv, b.captured, b.aux)
        && (a.checkers, a.blockers, a.check_squares) == (b.checkers, b.blockers, b.check_squares);
    ensure(equal, || "the state differs".into())?;
    let mut again = pos.clone();
    refresh(&mut again);
    ensure(again.state.check_squares == pos.state.check_squares, || {
        "check squares differ".into()
    })
}
