//! Cross-checks of a position, for tests: the quick answers against the slow ones.

use baize_hot::hot;

use super::super::board::{Move, MoveList, Position};
use super::guard::safe_after;
use super::{
    Captures, Evasions, Quiets, from_placement, generate, gives_check, is_capture, is_legal, is_pseudo_legal,
    key_after, legal_moves, to_placement,
};

/// Compares what the position keeps up to date with a fresh one, the stages of generation with `is_pseudo_legal` over all
/// 65536 codes, `is_legal` with the full look, `gives_check` and `key_after` with what making the move shows.
///
/// # Errors
/// The first disagreement.
#[hot]
pub fn self_check(pos: &Position) -> Result<(), String> {
    compare_with_fresh(pos)?;
    let mut pseudo = MoveList::new();
    if pos.in_check() {
        generate::<Evasions>(pos, &mut pseudo);
    } else {
        generate::<Captures>(pos, &mut pseudo);
        let captures = pseudo.len();
        generate::<Quiets>(pos, &mut pseudo);
        for (n, &mv) in pseudo.as_slice().iter().enumerate() {
            if is_capture(pos, mv) != (n < captures) {
                return Err(format!("move {:#06x} is in the wrong stage", mv.raw()));
            }
        }
    }
    let mut legal = MoveList::new();
    legal_moves(pos, &mut legal);
    for raw in 0..=u16::MAX {
        let mv = Move::from_raw(raw);
        let possible = is_pseudo_legal(pos, mv);
        let safe = possible && safe_after(pos, pos.stm(), mv);
        if possible && is_legal(pos, mv) != safe {
            return Err(format!("is_legal is wrong of {raw:#06x}"));
        }
        if legal.contains(mv) != safe {
            return Err(format!("legal_moves is wrong of {raw:#06x}"));
        }
        if safe && !pseudo.contains(mv) || pseudo.contains(mv) && !possible {
            return Err(format!("generate is wrong of {raw:#06x}"));
        }
    }
    let mut after = pos.clone();
    for &mv in legal.as_slice() {
        let (checks, key) = (gives_check(pos, mv), key_after(pos, mv));
        after.make(mv);
        let (in_check, reached) = (after.in_check(), after.state.key);
        after.unmake();
        if checks != in_check {
            return Err(format!("gives_check is wrong of {:#06x}", mv.raw()));
        }
        if key != reached {
            return Err(format!("key_after is wrong of {:#06x}", mv.raw()));
        }
    }
    compare_with_fresh(&after)
}

#[hot]
fn compare_with_fresh(pos: &Position) -> Result<(), String> {
    let fresh = from_placement(&to_placement(pos));
    let (a, b) = (&pos.state, &fresh.state);
    let same = [
        ("key", a.key == b.key),
        ("pawn key", a.pawn_key == b.pawn_key),
        ("keys of pieces", a.non_pawn_keys == b.non_pawn_keys),
        ("piece-square sum", a.psq == b.psq),
        ("phase", a.phase == b.phase),
        ("checkers", a.checkers == b.checkers),
        ("blockers", a.blockers == b.blockers),
        ("hollow points", a.aux.hollow == b.aux.hollow),
        ("check squares", a.check_squares == b.check_squares),
    ];
    match same.iter().find(|(_, same)| !same) {
        Some((what, _)) => Err(format!("{what} differ from those of a fresh position")),
        None => Ok(()),
    }
}
