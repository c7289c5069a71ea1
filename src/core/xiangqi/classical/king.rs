//! Kings: the file they hold, what is pinned to them, and the danger they are in.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color};
use super::super::attacks;
use super::masks;
use super::sink::Sink;
use super::weights as w;
use super::{C, Evaluation, N, P, R};

impl<S: Sink> Evaluation<'_, S> {
    /// The king of side `US`.
    #[hot]
    #[inline]
    pub fn king<const US: usize, const THEM: usize>(&mut self) {
        let own = self.pos.side(Color::new(US));
        if self.holds_file::<US, THEM>() {
            self.sink.add::<US>(w::KING_OPEN_FILE, 1);
            if self.kings[US].file().abs_diff(self.kings[THEM].file()) == 1 {
                self.sink.danger::<THEM>(w::DANGER_FACED, 1);
            }
        }
        let pinned = (self.pos.state.blockers[US] & own).count() as i32;
        self.sink.add::<US>(w::KING_PINNED, pinned);
        self.sink.danger::<US>(w::DANGER_PINNED, pinned);
        if attacks::king(self.kings[US]).without(own | self.all[THEM]).is_empty() {
            self.sink.add::<US>(w::KING_NO_MOVE, 1);
        }
    }

    /// Danger to the king of side `US`.
    #[hot]
    #[inline]
    pub fn danger<const US: usize, const THEM: usize>(&mut self) {
        // One piece alone does not mate.
        let attackers = self.attackers[US] + self.hollow[US];
        if attackers < 2 {
            self.safe_king[US] = true;
            return;
        }
        self.sink.danger::<US>(w::DANGER_BASE, 1);
        self.sink.danger::<US>(w::DANGER_MANY, attackers - 2);
        let weak = (masks::palace::<US>() & self.all[THEM]).without(self.all[US]);
        self.sink.danger::<US>(w::DANGER_WEAK_RING, weak.count() as i32);
        self.checks::<US, THEM>();
    }

    /// Points from which the enemy can check without being taken, by kind.
    #[hot]
    #[inline]
    fn checks<const US: usize, const THEM: usize>(&mut self) {
        let king = self.kings[US];
        let safe = !(self.all[US] | self.pos.side(Color::new(THEM)));
        let (straight, jumps) = attacks::rook_and_cannon(king, self.occupied);
        let by = &self.by[THEM];
        let cannons = self.cannon_moves[THEM] | by[C] & self.pos.side(Color::new(US));
        let found: [(usize, Bitboard); 4] = [
            (P, attacks::pawn_to(Color::new(THEM), king) & by[P]),
            (N, attacks::knight_to(king, self.occupied) & by[N]),
            (C, jumps & cannons),
            (R, straight & by[R]),
        ];
        for (kind, points) in found {
            let count = (points & safe).count().min(3) as i32;
            self.sink.danger::<US>(w::DANGER_SAFE_CHECK + kind, count);
        }
    }
}
