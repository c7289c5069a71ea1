//! A node of the search: principal variation search with everything that makes it selective.

use baize_hot::hot;

use super::super::board::{Move, Position};
use super::super::game::{self, params as p};
use super::picker::{self, Picker};
use super::pruning::{self, is_ordinary};
use super::reductions::Circumstances;
use super::searcher::Searcher;
use super::update::Tried;
use crate::engine::{Job, MAX_PLY, score};
use crate::shared::tt::{Entry, TtBound};

impl Searcher {
    /// The value of the position within `(alpha, beta)`, from the mover's side; a bound outside (fail-soft).
    /// `cut_node`: a null-window node that is expected to fail high.
    #[hot]
    pub fn negamax<const PV: bool, const ROOT: bool>(
        &mut self,
        job: &Job,
        mut alpha: i32,
        mut beta: i32,
        mut depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> i32 {
        // Step 1. Leaves go to quiescence; limits are looked at.
        if depth <= 0 {
            return self.qsearch::<PV>(job, alpha, beta, 0, ply);
        }
        if PV {
            self.pv.clear(ply);
            self.seldepth = self.seldepth.max(ply + 1);
        }
        self.poll(job);
        if self.stopped {
            return 0;
        }
        let in_check = self.pos.in_check();
        let excluded = self.frames.at(ply).excluded;
        let singular_search = excluded.is_some();

        if !ROOT {
            // Step 2. The rules may end the game here.
            if let Some(value) = game::verdict(&self.pos, ply) {
                return if value == 0 { self.draw_score() } else { value };
            }
            if ply >= MAX_PLY {
                return if in_check { 0 } else { self.static_eval(job) };
            }
            // Step 3. A draw by repetition that the mover can force at once is a lower bound.
            if alpha < 0 && game::upcoming_repetition(&self.pos, ply) {
                alpha = self.draw_score();
                if alpha >= beta {
                    return alpha;
                }
            }
            // Step 4. Mate distance pruning: no line from here beats a shorter mate found elsewhere.
            if self.switches.mate_distance_pruning() {
                alpha = alpha.max(Searcher::mated(ply));
                beta = beta.min(score::MATE - ply as i32 - 1);
                if alpha >= beta {
                    return alpha;
                }
            }
        }
        let alpha_before = alpha;
        self.frames.at_mut(ply + 2).cutoffs = 0;
        self.frames.at_mut(ply + 1).killers = [Move::NONE; 2];
        self.frames.at_mut(ply + 1).excluded = Move::NONE;

        // Step 5. Transposition table.
        let key = self.pos.state.key;
        let (found, slot) = job.shared.tt.probe(key);
        let entry = if singular_search { None } else { found };
        let tt_hit = entry.is_some();
        let tt = entry.unwrap_or(NO_ENTRY);
        let tt_score = from_table(tt.score, ply, self.pos.state.clock as i32);
        let tt_move = match ROOT {
            true => self.root.current_best(),
            false => checked(&self.pos, Move::from_raw(tt.mv)),
        };
        let tt_pv = if singular_search {
            self.frames.at(ply).tt_pv
        } else {
            PV || tt.pv
        };
        self.frames.at_mut(ply).tt_pv = tt_pv;
        let cx = self.context(ply);
        if !PV && tt_hit && self.table_cuts(&tt, tt_score, beta, depth, cut_node) {
            self.teach_table_cut(&cx, ply, tt_move, tt_score >= beta, depth);
            return tt_score;
        }

        // Step 6. Static evaluation.
        let (raw_eval, eval_here) = self.evaluate_node(job, ply, in_check, singular_search, &tt);
        let mut eval = eval_here;
        let improving = !in_check && self.improves(ply, eval_here);
        let worsening = !in_check && self.worsens(ply, eval_here);
        if !in_check && !singular_search {
            if tt_hit && is_ordinary(tt_score) && bound_allows(tt.bound, tt_score > eval) {
                eval = tt_score;
            }
            if !tt_hit {
                // Kept for the next visit, should this one not end with a result.
                job.shared.tt.store(
                    slot,
                    key,
                    Entry {
                        eval: raw_eval,
                        pv: tt_pv,
                        ..NO_ENTRY
                    },
                );
            }
            self.teach_by_eval(ply, eval_here);
        }

        // Steps 7 to 11. Cutoffs without a move loop.
        if !PV
            && !in_check
            && !singular_search
            && let Some(value) = self.prune_node(job, alpha, beta, depth, ply, cut_node, eval, improving, worsening)
        {
            return value;
        }
        if self.stopped {
            return 0;
        }

        // Step 10. Internal iterative reduction: without a table move the order is poor; a shallower search finds one.
        if self.switches.internal_iterative_reductions()
            && (PV || cut_node)
            && depth >= p::iir_depth()
            && tt_move.is_none()
            && !singular_search
        {
            depth -= 1;
        }

        // Step 11. Probcut: a capture that beats beta by far in a shallow search will beat it in a deep one.
        if !PV
            && !in_check
            && !singular_search
            && let Some(value) = self.probcut(
                job, beta, depth, ply, cut_node, improving, &tt, tt_score, raw_eval, tt_pv,
            )
        {
            return value;
        }

        // Step 12. The moves.
        let refutations = self.refutations(ply);
        let tt_capture = tt_move.is_some() && game::is_capture(&self.pos, tt_move);
        let mut picker = Picker::new(&self.pos, &self.arena, picker::Kind::Main, tt_move, refutations);
        let mut best = -score::INFINITE;
        let mut best_move = Move::NONE;
        let mut moves = 0;
        let (mut quiets, mut captures) = (Tried::new(), Tried::new());
        self.frames.at_mut(ply + 1).double_extensions = self.frames.at(ply).double_extensions;

        loop {
            let mv = picker.next(&self.pos, &self.hist, &cx, &mut self.arena);
            if mv.is_none() {
                break;
            }
            if mv == excluded || !game::is_legal(&self.pos, mv) {
                continue;
            }
            if ROOT && !self.root.is_open(mv) {
                continue;
            }
            moves += 1;
            if ROOT && self.thread == 0 {
                self.report_current_move(job, mv, moves as usize);
            }
            let piece = self.pos.moving(mv);
            let capture = game::is_capture(&self.pos, mv);
            let tactical = game::is_tactical(&self.pos, mv);
            let gives_check = game::gives_check(&self.pos, mv);
            let history = if tactical {
                game::captured(&self.pos, mv).map_or(0, |kind| self.hist.capture(piece, mv.to(), kind))
            } else {
                self.hist.quiet_short(&cx, piece, mv)
            };

            // Step 13. Pruning at shallow depth.
            if !ROOT && best > -score::MATE_BOUND && game::has_null_move(&self.pos) {
                let late = self.switches.late_move_pruning()
                    && depth <= p::lmp_depth()
                    && moves > pruning::late_move_count(depth, improving);
                if late {
                    picker.skip_quiets();
                }
                let lmr_depth = (depth - self.reductions.rough(depth, moves, improving) / 1024).max(0);
                let prunes = if tactical {
                    self.prunes_capture(mv, alpha, depth, lmr_depth, eval_here, in_check, gives_check, history)
                } else {
                    (late && !gives_check)
                        || self.prunes_quiet(mv, alpha, depth, lmr_depth, eval_here, in_check, gives_check, history)
                };
                if prunes {
                    continue;
                }
            }

            // Step 14. Extensions.
            let mut extension = 0;
            if !ROOT && ply < 2 * self.root_depth as usize {
                if self.switches.singular_extensions()
                    && mv == tt_move
                    && !singular_search
                    && depth >= p::se_depth() + tt_pv as i32
                    && tt.depth >= depth - p::se_tt_depth()
                    && bound_allows(tt.bound, true)
                    && is_ordinary(tt_score)
                {
                    match self.singular(job, mv, &tt, tt_score, beta, depth, ply, cut_node, PV, tt_pv) {
                        Singular::Extend(by) => extension = by,
                        Singular::Cut(value) => {
                            picker.close(&mut self.arena);
                            return value;
                        }
                    }
                    if self.stopped {
                        picker.close(&mut self.arena);
                        return 0;
                    }
                } else if self.switches.check_extensions()
                    && gives_check
                    && depth <= 8
                    && PV
                    && game::see_ge(&self.pos, mv, 0)
                {
                    extension = 1;
                }
            }
            self.frames.at_mut(ply + 1).double_extensions =
                self.frames.at(ply).double_extensions + (extension >= 2) as i32;

            // Step 15. Make the move.
            let nodes_before = self.nodes;
            self.make(job, mv, ply);
            self.frames.at_mut(ply).history = history;
            let mut new_depth = depth - 1 + extension;
            let mut value;

            // Step 16. Late move reductions, then the full depth where the reduced search does not fail low.
            if self.switches.late_move_reductions() && depth >= p::lmr_depth() && moves > 1 + ROOT as i32 {
                let reduction = self.reductions.full(
                    depth,
                    moves,
                    &Circumstances {
                        pv: PV,
                        tt_pv,
                        cut_node,
                        improving,
                        tt_capture,
                        refutation: refutations.contains(&mv),
                        check: gives_check,
                        many_cutoffs: self.frames.at(ply + 1).cutoffs > 3,
                        history,
                        capture,
                    },
                ) / 1024;
                // Not `clamp`: with bounds that are no constants it stays a call.
                let reduced = (new_depth - reduction).min(new_depth + PV as i32).max(1.min(new_depth));
                value = -self.negamax::<false, false>(job, -alpha - 1, -alpha, reduced, ply + 1, true);
                if value > alpha && reduced < new_depth {
                    new_depth += (value > best + p::lmr_deeper() + 2 * new_depth) as i32;
                    new_depth -= (value < best + p::lmr_shallower()) as i32;
                    if new_depth > reduced {
                        value = -self.negamax::<false, false>(job, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
                    }
                }
            } else if !PV || moves > 1 {
                value = -self.negamax::<false, false>(job, -alpha - 1, -alpha, new_depth, ply + 1, !cut_node);
            } else {
                value = alpha + 1;
            }

            // Step 17. The full window for the first move of a PV node and for what beats alpha.
            if PV && (moves == 1 || value > alpha) {
                value = -self.negamax::<true, false>(job, -beta, -alpha, new_depth, ply + 1, false);
            }

            // Step 18. Take it back; a stopped search knows nothing of this move.
            self.unmake();
            if self.stopped {
                picker.close(&mut self.arena);
                return 0;
            }
            if ROOT {
                let spent = self.nodes - nodes_before;
                let line = (moves == 1 || value > alpha).then(|| self.pv.line(1));
                self.root.record(mv, value, alpha, beta, spent, self.seldepth, line);
            }

            // Step 19. A new best move?
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if PV {
                        self.pv.extend(ply, mv);
                    }
                    if value >= beta {
                        self.frames.at_mut(ply).cutoffs += 1 + (tt_move.is_none()) as i32;
                        break;
                    }
                    alpha = value;
                    // The rest of the moves only has to be refuted now.
                    if depth > 3 && depth < 12 && is_ordinary(value) {
                        depth -= 1;
                    }
                }
            }
            if mv != best_move {
                if tactical { captures.push(mv) } else { quiets.push(mv) }
            }
        }
        picker.close(&mut self.arena);

        // Step 20. No move: mate, stalemate, or the only move was left out.
        if moves == 0 {
            return match (singular_search, in_check) {
                (true, _) => alpha,
                (false, true) => Searcher::mated(ply),
                (false, false) if game::STALEMATE_LOSES => Searcher::mated(ply),
                (false, false) => 0,
            };
        }

        // Step 21. Teach the histories.
        if best_move.is_some() {
            self.teach_best(
                &cx,
                ply,
                best_move,
                depth + (best > beta + 60) as i32,
                quiets.as_slice(),
                captures.as_slice(),
            );
        } else if !ROOT && depth >= 2 {
            // The enemy's last move kept everything below alpha.
            self.teach_prior(ply, (p::prior_counter_bonus() * depth).min(1800));
        }
        if PV {
            best = best.min(score::MATE);
        }
        if best <= alpha_before {
            self.frames.at_mut(ply).tt_pv |= self.frames.back(ply, 1).tt_pv && depth > 3;
        }

        // Step 22. Remember, but not what holds on this path alone.
        if !(singular_search || ROOT && self.root.pv_index > 0 || score::is_by_rule(best)) {
            let bound = match (best >= beta, PV && best_move.is_some()) {
                (true, _) => TtBound::Lower,
                (false, true) => TtBound::Exact,
                (false, false) => TtBound::Upper,
            };
            let tt_pv = self.frames.at(ply).tt_pv;
            job.shared.tt.store(
                slot,
                key,
                Entry {
                    mv: best_move.raw(),
                    score: to_table(best, ply),
                    eval: raw_eval,
                    depth,
                    bound,
                    pv: tt_pv,
                },
            );
            self.teach_correction(ply, best, best_move, bound, depth, in_check);
        }
        best
    }

    /// A table entry that is deep enough and bounds the right way ends a null-window node.
    #[hot]
    fn table_cuts(&self, tt: &Entry, tt_score: i32, beta: i32, depth: i32, cut_node: bool) -> bool {
        tt_score != score::NONE
            && tt.depth >= depth + (tt_score >= beta) as i32
            && bound_allows(tt.bound, tt_score >= beta)
            && (cut_node == (tt_score >= beta) || depth > 5)
            && (self.pos.state.clock as i32) < game::CLOCK_LIMIT - p::tt_cutoff_clock_margin()
    }

    /// A table move that cuts is as good as one searched.
    #[hot]
    fn teach_table_cut(&mut self, cx: &super::history::Context, ply: usize, mv: Move, fails_high: bool, depth: i32) {
        if !fails_high || mv.is_none() {
            return;
        }
        if !game::is_tactical(&self.pos, mv) {
            self.hist
                .update_quiet(cx, self.pos.moving(mv), mv, (p::tt_history_bonus() * depth).min(1500));
        }
        if self.frames.back(ply, 1).cutoffs <= 2 && depth >= 2 {
            self.teach_prior(ply, -p::tt_prior_malus());
        }
    }

    /// Raw and corrected static evaluation; the latter is noted in the frame.
    #[hot]
    fn evaluate_node(&mut self, job: &Job, ply: usize, in_check: bool, singular: bool, tt: &Entry) -> (i32, i32) {
        if singular {
            return (score::NONE, self.frames.at(ply).eval);
        }
        self.frames.at_mut(ply).in_check = in_check;
        if in_check {
            self.frames.at_mut(ply).eval = score::NONE;
            return (score::NONE, score::NONE);
        }
        let raw = if tt.eval != score::NONE {
            tt.eval
        } else {
            self.eval.raw(&self.pos, &job.policy)
        };
        let eval = self.correct(job, raw, ply);
        self.frames.at_mut(ply).eval = eval;
        (raw, eval)
    }

    /// The static evaluation as the search uses it: faded by the clock and corrected by what was learned.
    #[hot]
    pub fn correct(&self, job: &Job, raw: i32, ply: usize) -> i32 {
        let faded = self.eval.fade(raw, &self.pos, &job.policy);
        match self.switches.correction_history() {
            true => self.hist.correction.apply(faded, &self.pos, &self.frames, ply),
            false => faded.clamp(-score::EVAL_BOUND, score::EVAL_BOUND),
        }
    }

    /// The static evaluation without what was learned.
    #[hot]
    pub fn static_eval(&mut self, job: &Job) -> i32 {
        let raw = self.eval.raw(&self.pos, &job.policy);
        self.eval.fade(raw, &self.pos, &job.policy)
    }

    /// The mover stands better than at its last turn without check.
    #[inline(always)]
    fn improves(&self, ply: usize, eval: i32) -> bool {
        let two = self.frames.back(ply, 2).eval;
        let four = self.frames.back(ply, 4).eval;
        if two != score::NONE {
            eval > two
        } else {
            four == score::NONE || eval > four
        }
    }

    /// The enemy's last move made its standing worse.
    #[inline(always)]
    fn worsens(&self, ply: usize, eval: i32) -> bool {
        let before = self.frames.back(ply, 1).eval;
        before != score::NONE && eval > -before
    }

    /// The enemy's last quiet move is judged by what it did to the static evaluation.
    #[hot]
    fn teach_by_eval(&mut self, ply: usize, eval: i32) {
        let before = *self.frames.back(ply, 1);
        if ply == 0 || before.mv.is_none() || before.in_check || self.pos.state.captured.is_some() {
            return;
        }
        if before.eval == score::NONE {
            return;
        }
        let change = -(before.eval + eval);
        let bonus = (change * p::eval_history_mul()).clamp(-p::eval_history_max(), p::eval_history_max());
        let pawn_key = self.pos.state_back(1).pawn_key;
        let cx = super::history::Context::new(!self.pos.stm(), before.threats, pawn_key, &self.frames, ply - 1, false);
        self.hist.update_butterfly(&cx, before.mv, bonus);
    }

    /// Steps 7 to 9: razoring, reverse futility, null move. A value ends the node.
    #[hot]
    #[allow(clippy::too_many_arguments)]
    fn prune_node(
        &mut self,
        job: &Job,
        alpha: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
        eval: i32,
        improving: bool,
        worsening: bool,
    ) -> Option<i32> {
        // Step 7. Razoring.
        if self.margins && self.switches.razoring() && pruning::razors(eval, alpha, depth) && is_ordinary(alpha) {
            let value = self.qsearch::<false>(job, alpha, alpha + 1, 0, ply);
            if value <= alpha && is_ordinary(value) {
                return Some(value);
            }
        }
        // Step 8. Reverse futility.
        if self.margins
            && self.switches.reverse_futility()
            && depth <= p::rfp_depth()
            && eval >= beta
            && eval - pruning::reverse_futility_margin(depth, improving, worsening) >= beta
            && is_ordinary(beta)
            && is_ordinary(eval)
            && !(self.frames.at(ply).tt_pv && depth > 3)
        {
            return Some((2 * beta + eval) / 3);
        }
        // Step 9. Null move.
        if self.switches.null_move() && self.null_allowed(beta, depth, ply, eval) {
            return self.null_move(job, beta, depth, ply, cut_node, eval);
        }
        None
    }

    #[hot]
    fn null_allowed(&self, beta: i32, depth: i32, ply: usize, eval: i32) -> bool {
        depth >= p::nmp_depth()
            && eval >= beta
            && self.frames.at(ply).eval >= beta - p::nmp_eval_mul() * depth + p::nmp_eval_base()
            && self.frames.back(ply, 1).mv != Move::NULL
            && ply >= self.null_from
            && beta > -score::MATE_BOUND
            && game::has_null_move(&self.pos)
    }

    /// Null move: if passing still beats beta, a move will (chess programming wiki: Null Move Pruning). Assumes that
    /// some move is better than none; deep cutoffs are verified where the game knows zugzwang.
    #[hot]
    fn null_move(&mut self, job: &Job, beta: i32, depth: i32, ply: usize, cut_node: bool, eval: i32) -> Option<i32> {
        let reduced = depth - pruning::null_reduction(depth, eval, beta);
        let frame = self.frames.at_mut(ply);
        frame.mv = Move::NULL;
        frame.row = 0;
        self.pos.make_null();
        job.shared.tt.prefetch(self.pos.state.key);
        let value = -self.negamax::<false, false>(job, -beta, -beta + 1, reduced, ply + 1, !cut_node);
        self.pos.unmake_null();
        if self.stopped || value < beta {
            return None;
        }
        // A mate found by passing twice in a row of moves is not proved.
        let value = if value >= score::MATE_BOUND { beta } else { value };
        if !game::NULL_VERIFICATION || self.null_from > 0 || depth < p::nmp_verify_depth() {
            return Some(value);
        }
        self.null_from = ply + (3 * reduced.max(0) / 4) as usize + 1;
        let verified = self.negamax::<false, false>(job, beta - 1, beta, reduced, ply, false);
        self.null_from = 0;
        (verified >= beta && !self.stopped).then_some(value)
    }

    /// Step 11. Probcut (chess programming wiki: ProbCut).
    #[hot]
    #[allow(clippy::too_many_arguments)]
    fn probcut(
        &mut self,
        job: &Job,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
        improving: bool,
        tt: &Entry,
        tt_score: i32,
        raw_eval: i32,
        tt_pv: bool,
    ) -> Option<i32> {
        let bound = beta + p::probcut_margin() - p::probcut_improving() * improving as i32;
        if !self.switches.probcut()
            || depth < p::probcut_depth()
            || !is_ordinary(beta)
            || !is_ordinary(bound)
            || (tt.bound != TtBound::None && tt.depth >= depth - 3 && tt_score < bound)
        {
            return None;
        }
        let threshold = bound - self.frames.at(ply).eval;
        let cx = self.context(ply);
        let kind = picker::Kind::Probcut { threshold };
        let table = checked(&self.pos, Move::from_raw(tt.mv));
        let mut picker = Picker::new(&self.pos, &self.arena, kind, table, [Move::NONE; 3]);
        let mut result = None;
        let reduced = depth - p::probcut_reduction();
        loop {
            let mv = picker.next(&self.pos, &self.hist, &cx, &mut self.arena);
            if mv.is_none() {
                break;
            }
            if !game::is_legal(&self.pos, mv) {
                continue;
            }
            self.make(job, mv, ply);
            let mut value = -self.qsearch::<false>(job, -bound, -bound + 1, 0, ply + 1);
            if value >= bound && reduced > 0 {
                value = -self.negamax::<false, false>(job, -bound, -bound + 1, reduced, ply + 1, !cut_node);
            }
            self.unmake();
            if self.stopped {
                break;
            }
            if value >= bound {
                let slot = job.shared.tt.probe(self.pos.state.key).1;
                let entry = Entry {
                    mv: mv.raw(),
                    score: to_table(value, ply),
                    eval: raw_eval,
                    depth: reduced + 1,
                    bound: TtBound::Lower,
                    pv: tt_pv,
                };
                if !score::is_by_rule(value) {
                    job.shared.tt.store(slot, self.pos.state.key, entry);
                }
                result = Some(if is_ordinary(value) {
                    value - (bound - beta)
                } else {
                    value
                });
                break;
            }
        }
        picker.close(&mut self.arena);
        result
    }

    #[inline(always)]
    fn refutations(&self, ply: usize) -> [Move; 3] {
        let mut moves = [Move::NONE; 3];
        if self.switches.killers() {
            moves[..2].copy_from_slice(&self.frames.at(ply).killers);
        }
        let before = self.frames.back(ply, 1);
        if self.switches.counter_moves() && before.mv.is_some() {
            moves[2] = self.hist.counter(before.row);
        }
        moves
    }

    /// Step 13 for captures and promotions.
    #[hot]
    #[allow(clippy::too_many_arguments)]
    fn prunes_capture(
        &self,
        mv: Move,
        alpha: i32,
        depth: i32,
        lmr_depth: i32,
        eval: i32,
        in_check: bool,
        gives_check: bool,
        history: i32,
    ) -> bool {
        if self.margins
            && self.switches.futility()
            && !in_check
            && !gives_check
            && lmr_depth <= p::capture_fp_depth()
            && pruning::capture_futility_value(eval, lmr_depth, game::gain(&self.pos, mv)) + history / 64 <= alpha
        {
            return true;
        }
        self.switches.see_pruning()
            && !game::see_ge(
                &self.pos,
                mv,
                pruning::capture_see_bound(depth, history.max(-8000)).min(0),
            )
    }

    /// Step 13 for quiet moves.
    #[hot]
    #[allow(clippy::too_many_arguments)]
    fn prunes_quiet(
        &self,
        mv: Move,
        alpha: i32,
        depth: i32,
        lmr_depth: i32,
        eval: i32,
        in_check: bool,
        gives_check: bool,
        history: i32,
    ) -> bool {
        if self.switches.history_pruning() && lmr_depth <= p::hp_depth() && history < -p::hp_mul() * depth {
            return true;
        }
        if self.margins
            && self.switches.futility()
            && !in_check
            && !gives_check
            && lmr_depth <= p::fp_depth()
            && pruning::futility_value(eval, lmr_depth, history) <= alpha
        {
            return true;
        }
        self.switches.see_pruning() && !game::see_ge(&self.pos, mv, pruning::quiet_see_bound(lmr_depth))
    }

    /// Step 14. Is the table move the only good one? (chess programming wiki: Singular Extensions, Multi-Cut.)
    #[hot]
    #[allow(clippy::too_many_arguments)]
    fn singular(
        &mut self,
        job: &Job,
        mv: Move,
        tt: &Entry,
        tt_score: i32,
        beta: i32,
        depth: i32,
        ply: usize,
        cut_node: bool,
        pv: bool,
        tt_pv: bool,
    ) -> Singular {
        let margin = p::se_margin() + p::se_pv_margin() * (tt_pv && !pv) as i32;
        let bound = tt_score - margin * depth / 64;
        let half = (depth - 1) / 2;
        debug_assert!(tt.mv == mv.raw());
        self.frames.at_mut(ply).excluded = mv;
        let value = self.negamax::<false, false>(job, bound - 1, bound, half, ply, cut_node);
        self.frames.at_mut(ply).excluded = Move::NONE;
        self.frames.at_mut(ply).tt_pv = tt_pv;
        if value < bound {
            let doubles = self.frames.at(ply).double_extensions < p::se_double_limit();
            let double = value < bound - p::se_double_margin() - p::se_double_pv() * pv as i32;
            let triple = value < bound - p::se_triple_margin() - p::se_double_pv() * 2 * pv as i32
                && !game::is_capture(&self.pos, mv);
            return Singular::Extend(1 + (doubles && double) as i32 + (doubles && double && triple) as i32);
        }
        // Multi-cut: without the table move another one still beats beta.
        if value >= beta && is_ordinary(value) {
            return Singular::Cut(value);
        }
        if tt_score >= beta {
            Singular::Extend(-3 + pv as i32)
        } else if cut_node {
            Singular::Extend(-2)
        } else {
            Singular::Extend(0)
        }
    }

    /// The correction histories learn where the search contradicts the static evaluation.
    #[hot]
    fn teach_correction(&mut self, ply: usize, best: i32, mv: Move, bound: TtBound, depth: i32, in_check: bool) {
        let eval = self.frames.at(ply).eval;
        let tells = match bound {
            TtBound::Lower => best > eval,
            TtBound::Upper => best < eval,
            _ => true,
        };
        if in_check || eval == score::NONE || !tells || !is_ordinary(best) {
            return;
        }
        if mv.is_some() && game::is_capture(&self.pos, mv) {
            return;
        }
        self.hist
            .correction
            .update(&self.pos, &self.frames, ply, depth, best - eval);
    }
}

/// What a singular search says.
enum Singular {
    /// Plies to extend by; negative: the move is nothing special.
    Extend(i32),
    /// The node fails high.
    Cut(i32),
}

/// What stands for no entry.
pub const NO_ENTRY: Entry = Entry {
    mv: 0,
    score: score::NONE,
    eval: score::NONE,
    depth: -10,
    bound: TtBound::None,
    pv: false,
};

/// A move from the table, if it can be one here: entries may belong to another position or be torn.
#[hot]
pub fn checked(pos: &Position, mv: Move) -> Move {
    if mv.is_some() && game::is_pseudo_legal(pos, mv) {
        mv
    } else {
        Move::NONE
    }
}

/// The bound holds for a value that is `high` (at least the value asked about) or not.
#[inline(always)]
pub fn bound_allows(bound: TtBound, high: bool) -> bool {
    match bound {
        TtBound::Exact => true,
        TtBound::Lower => high,
        TtBound::Upper => !high,
        TtBound::None => false,
    }
}

/// Mate scores are stored as distance from the node, not from the root.
#[inline(always)]
pub fn to_table(value: i32, ply: usize) -> i32 {
    if value >= score::MATE_BOUND {
        value + ply as i32
    } else if value <= -score::MATE_BOUND {
        value - ply as i32
    } else {
        value
    }
}

/// The reverse; a mate that the move-count rule would prevent is not believed.
#[inline(always)]
pub fn from_table(value: i32, ply: usize, clock: i32) -> i32 {
    if value == score::NONE {
        return value;
    }
    let room = game::CLOCK_LIMIT - clock;
    if value >= score::MATE_BOUND {
        if score::MATE - value > room {
            score::MATE_BOUND - 1
        } else {
            value - ply as i32
        }
    } else if value <= -score::MATE_BOUND {
        if score::MATE + value > room {
            -score::MATE_BOUND + 1
        } else {
            value + ply as i32
        }
    } else {
        value
    }
}
