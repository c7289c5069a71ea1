//! Quiescence: captures, promotions, evasions and, at its first ply, quiet checks, until the position is calm.

use baize_hot::hot;

use super::super::board::Move;
use super::super::game::{self, params as p};
use super::node::{NO_ENTRY, bound_allows, checked, from_table, to_table};
use super::picker::{self, Picker};
use super::pruning::is_ordinary;
use super::searcher::Searcher;
use crate::engine::{Job, MAX_PLY, score};
use crate::shared::tt::{Entry, TtBound};

/// Quiet moves searched in check before the rest is left out, once a move is found that does not lose at once.
const QUIET_EVASIONS: i32 = 3;

impl Searcher {
    /// The value of the position if only forcing moves are played. `depth` is 0 at the first ply, negative below.
    #[hot]
    pub fn qsearch<const PV: bool>(&mut self, job: &Job, mut alpha: i32, beta: i32, depth: i32, ply: usize) -> i32 {
        if PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        self.poll(job);
        if self.stopped {
            return 0;
        }
        if let Some(value) = game::verdict(&self.pos, ply) {
            return if value == 0 { self.draw_score() } else { value };
        }
        let in_check = self.pos.in_check();
        if ply >= MAX_PLY {
            return if in_check { 0 } else { self.static_eval(job) };
        }
        if alpha < 0 && game::upcoming_repetition(&self.pos, ply) {
            alpha = self.draw_score();
            if alpha >= beta {
                return alpha;
            }
        }

        let checks = depth == 0;
        let table_depth = if in_check || checks { 0 } else { -1 };
        let key = self.pos.state.key;
        let (found, slot) = job.shared.tt.probe(key);
        let tt_hit = found.is_some();
        let tt = found.unwrap_or(NO_ENTRY);
        let tt_score = from_table(tt.score, ply, self.pos.state.clock as i32);
        let tt_pv = PV || tt.pv;
        if !PV
            && tt_hit
            && tt.depth >= table_depth
            && tt_score != score::NONE
            && bound_allows(tt.bound, tt_score >= beta)
        {
            return tt_score;
        }

        let mut raw_eval = score::NONE;
        let mut best = -score::INFINITE;
        let mut futility_base = -score::INFINITE;
        self.frames.at_mut(ply).in_check = in_check;
        if in_check {
            self.frames.at_mut(ply).eval = score::NONE;
        } else {
            raw_eval = if tt.eval != score::NONE {
                tt.eval
            } else {
                self.eval.raw(&self.pos, &job.policy)
            };
            let eval = self.correct(job, raw_eval, ply);
            self.frames.at_mut(ply).eval = eval;
            best = eval;
            if tt_hit && is_ordinary(tt_score) && bound_allows(tt.bound, tt_score > eval) {
                best = tt_score;
            }
            if best >= beta {
                if is_ordinary(best) && is_ordinary(beta) {
                    best = (best + beta) / 2;
                }
                if !tt_hit {
                    let bound = TtBound::Lower;
                    let entry = Entry {
                        score: to_table(best, ply),
                        eval: raw_eval,
                        depth: -2,
                        bound,
                        ..NO_ENTRY
                    };
                    job.shared.tt.store(slot, key, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
            futility_base = eval + p::qs_futility();
        }

        let cx = self.context(ply);
        let table = checked(&self.pos, Move::from_raw(tt.mv));
        let kind = picker::Kind::Quiescence { checks };
        let mut picker = Picker::new(&self.pos, &self.arena, kind, table, [Move::NONE; 3]);
        let mut best_move = Move::NONE;
        let mut moves = 0;
        let mut quiets = 0;
        loop {
            let mv = picker.next(&self.pos, &self.hist, &cx, &mut self.arena);
            if mv.is_none() {
                break;
            }
            if !game::is_legal(&self.pos, mv) {
                continue;
            }
            moves += 1;
            if best > -score::MATE_BOUND {
                let tactical = game::is_tactical(&self.pos, mv);
                if in_check && !tactical {
                    quiets += 1;
                    if quiets > QUIET_EVASIONS {
                        continue;
                    }
                }
                if !in_check {
                    // Delta pruning: what the capture takes does not bring alpha within reach.
                    if tactical && self.switches.delta_pruning() && !game::gives_check(&self.pos, mv) {
                        let reach = futility_base + game::gain(&self.pos, mv);
                        if reach <= alpha {
                            best = best.max(reach);
                            continue;
                        }
                    }
                    let bound = if tactical { p::qs_see() } else { p::qs_check_see() };
                    if !game::see_ge(&self.pos, mv, bound) {
                        continue;
                    }
                }
            }
            self.make(job, mv, ply);
            let value = -self.qsearch::<PV>(job, -beta, -alpha, depth - 1, ply + 1);
            self.unmake();
            if self.stopped {
                picker.close(&mut self.arena);
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if PV {
                        self.pv.extend(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        picker.close(&mut self.arena);

        if in_check && moves == 0 {
            return Searcher::mated(ply);
        }
        if best > beta && is_ordinary(best) && is_ordinary(beta) {
            best = (3 * best + beta) / 4;
        }
        if !score::is_by_rule(best) {
            let entry = Entry {
                mv: best_move.raw(),
                score: to_table(best, ply),
                eval: raw_eval,
                depth: table_depth,
                bound: if best >= beta { TtBound::Lower } else { TtBound::Upper },
                pv: tt_pv,
            };
            job.shared.tt.store(slot, key, entry);
        }
        best
    }
}
