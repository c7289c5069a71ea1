//! The staged move picker: what is likely to cut first, and nothing generated before it is needed.

use baize_hot::hot;

use super::super::board::{Bitboard, Move, MoveList, Position};
use super::super::game::{self, Captures, Evasions, Quiets, params as p};
use super::history::{Context, Histories};

/// A move with its place in the order: the score above, the 16 bits of the move below, so that the best of a list is
/// one maximum, which vectorises.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub struct Scored(i64);

impl Scored {
    #[inline(always)]
    fn new(score: i32, mv: Move) -> Self {
        Scored((score as i64) << 16 | mv.raw() as i64)
    }

    #[inline(always)]
    fn mv(self) -> Move {
        Move::from_raw(self.0 as u16)
    }

    #[inline(always)]
    fn score(self) -> i32 {
        (self.0 >> 16) as i32
    }
}

/// Room for the moves of a whole line, used as a stack: no allocation and no initialisation inside a node.
pub struct Arena {
    moves: Vec<Scored>,
    scratch: MoveList,
}

impl Arena {
    pub fn new() -> Self {
        Arena {
            moves: Vec::with_capacity(1 << 16),
            scratch: MoveList::new(),
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Stage {
    Table,
    MakeCaptures,
    GoodCaptures,
    Refutations,
    MakeQuiets,
    Quiets,
    BadCaptures,
    MakeEvasions,
    Evasions,
    MakeChecks,
    Checks,
    Done,
}

/// What is asked of the picker.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// All moves, of a node.
    Main,
    /// Captures and promotions, and quiet checks if asked; all evasions in check.
    Quiescence { checks: bool },
    /// Captures whose exchange wins at least the threshold.
    Probcut { threshold: i32 },
}

/// Hands out pseudo-legal moves, best first, each once.
pub struct Picker {
    stage: Stage,
    kind: Kind,
    table: Move,
    refutations: [Move; 3],
    refutation: usize,
    /// The picker's part of the arena: `[base, bad_end)` bad captures put aside, `[next, end)` still to come.
    base: usize,
    bad_end: usize,
    next: usize,
    end: usize,
    skip_quiets: bool,
}

impl Picker {
    /// `table` is none or pseudo-legal; it is dropped unless it is of the kind that is asked for.
    #[hot]
    pub fn new(pos: &Position, arena: &Arena, kind: Kind, table: Move, refutations: [Move; 3]) -> Picker {
        let fits = table.is_some()
            && match kind {
                Kind::Main => true,
                Kind::Quiescence { .. } => pos.in_check() || game::is_tactical(pos, table),
                Kind::Probcut { threshold } => game::is_capture(pos, table) && game::see_ge(pos, table, threshold),
            };
        let base = arena.moves.len();
        Picker {
            stage: if fits {
                Stage::Table
            } else {
                Picker::first_stage(pos, kind)
            },
            kind,
            table: if fits { table } else { Move::NONE },
            refutations,
            refutation: 0,
            base,
            bad_end: base,
            next: base,
            end: base,
            skip_quiets: false,
        }
    }

    #[inline(always)]
    fn first_stage(pos: &Position, kind: Kind) -> Stage {
        match kind {
            Kind::Main | Kind::Quiescence { .. } if pos.in_check() => Stage::MakeEvasions,
            _ => Stage::MakeCaptures,
        }
    }

    /// Gives the arena back; every picker ends with this, in reverse order of creation.
    #[inline(always)]
    pub fn close(self, arena: &mut Arena) {
        arena.moves.truncate(self.base);
    }

    /// From now on quiet moves are not worth looking at.
    #[inline(always)]
    pub fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move, `Move::NONE` after the last.
    #[hot]
    pub fn next(&mut self, pos: &Position, hist: &Histories, cx: &Context, arena: &mut Arena) -> Move {
        loop {
            match self.stage {
                Stage::Table => {
                    self.stage = Picker::first_stage(pos, self.kind);
                    return self.table;
                }
                Stage::MakeCaptures => {
                    self.fill::<Captures>(pos, arena);
                    self.score_captures(pos, hist, arena);
                    self.stage = Stage::GoodCaptures;
                }
                Stage::GoodCaptures => {
                    while let Some(best) = self.take_best(arena) {
                        if best.mv() == self.table {
                            continue;
                        }
                        match self.kind {
                            Kind::Quiescence { .. } => return best.mv(),
                            Kind::Probcut { threshold } => {
                                if game::see_ge(pos, best.mv(), threshold) {
                                    return best.mv();
                                }
                            }
                            Kind::Main => {
                                if game::see_ge(pos, best.mv(), -best.score() / p::good_capture_history() / 8) {
                                    return best.mv();
                                }
                                arena.moves[self.bad_end] = best;
                                self.bad_end += 1;
                            }
                        }
                    }
                    self.stage = match self.kind {
                        Kind::Main => Stage::Refutations,
                        Kind::Quiescence { checks: true } => Stage::MakeChecks,
                        _ => Stage::Done,
                    };
                }
                Stage::Refutations => {
                    while self.refutation < 3 && !self.skip_quiets {
                        let mv = self.refutations[self.refutation];
                        let first = self.refutations[..self.refutation].iter().all(|&m| m != mv);
                        self.refutation += 1;
                        if mv.is_some()
                            && mv != self.table
                            && first
                            && !game::is_tactical(pos, mv)
                            && game::is_pseudo_legal(pos, mv)
                        {
                            return mv;
                        }
                    }
                    self.stage = Stage::MakeQuiets;
                }
                Stage::MakeQuiets => {
                    if !self.skip_quiets {
                        self.fill::<Quiets>(pos, arena);
                        self.score_quiets(pos, hist, cx, arena);
                    }
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if !self.skip_quiets {
                        while let Some(best) = self.take_best(arena) {
                            if best.mv() != self.table && !self.is_refutation(best.mv()) {
                                return best.mv();
                            }
                        }
                    }
                    self.next = self.base;
                    self.end = self.bad_end;
                    self.stage = Stage::BadCaptures;
                }
                Stage::BadCaptures => {
                    if self.next < self.end {
                        self.next += 1;
                        return arena.moves[self.next - 1].mv();
                    }
                    self.stage = Stage::Done;
                }
                Stage::MakeEvasions => {
                    self.fill::<Evasions>(pos, arena);
                    self.score_evasions(pos, hist, cx, arena);
                    self.stage = Stage::Evasions;
                }
                Stage::Evasions => {
                    while let Some(best) = self.take_best(arena) {
                        if best.mv() != self.table {
                            return best.mv();
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::MakeChecks => {
                    self.fill::<Quiets>(pos, arena);
                    self.score_quiets(pos, hist, cx, arena);
                    self.stage = Stage::Checks;
                }
                Stage::Checks => {
                    while self.next < self.end {
                        let mv = arena.moves[self.next].mv();
                        self.next += 1;
                        if mv != self.table && game::gives_check(pos, mv) {
                            return mv;
                        }
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return Move::NONE,
            }
        }
    }

    #[inline(always)]
    fn is_refutation(&self, mv: Move) -> bool {
        self.refutations[0] == mv || self.refutations[1] == mv || self.refutations[2] == mv
    }

    /// Generates a stage behind the bad captures.
    #[hot]
    fn fill<S: game::Stage>(&mut self, pos: &Position, arena: &mut Arena) {
        arena.scratch.clear();
        game::generate::<S>(pos, &mut arena.scratch);
        arena.moves.truncate(self.bad_end);
        self.next = self.bad_end;
        for &mv in arena.scratch.as_slice() {
            arena.moves.push(Scored::new(0, mv));
        }
        self.end = arena.moves.len();
    }

    #[hot]
    fn score_captures(&self, pos: &Position, hist: &Histories, arena: &mut Arena) {
        for scored in &mut arena.moves[self.next..self.end] {
            *scored = Scored::new(capture_score(pos, hist, scored.mv()), scored.mv());
        }
    }

    #[hot]
    fn score_quiets(&self, pos: &Position, hist: &Histories, cx: &Context, arena: &mut Arena) {
        for scored in &mut arena.moves[self.next..self.end] {
            let mv = scored.mv();
            let piece = pos.moving(mv);
            let mut score = hist.quiet(cx, piece, mv);
            let check_from = pos.state.check_squares[piece.kind().index()];
            if check_from.has(mv.to()) && game::see_ge(pos, mv, -50) {
                score += p::order_check();
            }
            score += escape(cx.threats, piece.kind(), mv) * p::order_threat_mul();
            *scored = Scored::new(score, mv);
        }
    }

    #[hot]
    fn score_evasions(&self, pos: &Position, hist: &Histories, cx: &Context, arena: &mut Arena) {
        for scored in &mut arena.moves[self.next..self.end] {
            let mv = scored.mv();
            let score = if game::is_capture(pos, mv) {
                (1 << 28) + capture_score(pos, hist, mv)
            } else {
                hist.quiet(cx, pos.moving(mv), mv)
            };
            *scored = Scored::new(score, mv);
        }
    }

    /// Selects the best of what is left.
    #[hot]
    fn take_best(&mut self, arena: &mut Arena) -> Option<Scored> {
        if self.next >= self.end {
            return None;
        }
        let rest = &mut arena.moves[self.next..self.end];
        let mut best = i64::MIN;
        for scored in rest.iter() {
            best = best.max(scored.0);
        }
        let mut at = 0;
        while at + 1 < rest.len() && rest[at].0 != best {
            at += 1;
        }
        rest[at] = rest[0];
        self.next += 1;
        Some(Scored(best))
    }
}

/// What the victim is worth, refined by what such captures did before.
#[inline(always)]
fn capture_score(pos: &Position, hist: &Histories, mv: Move) -> i32 {
    let value = game::gain(pos, mv) * p::capture_value_mul();
    match game::captured(pos, mv) {
        Some(kind) => value * 8 + hist.capture(pos.moving(mv), mv.to(), kind),
        None => value * 8,
    }
}

/// Centipawns for leaving an attacked square, less those for going to one.
#[inline(always)]
fn escape(threats: Bitboard, kind: super::super::board::Kind, mv: Move) -> i32 {
    let leaves = threats.has(mv.from()) as i32;
    let enters = threats.has(mv.to()) as i32;
    (leaves - enters) * game::value(kind).min(1000)
}
