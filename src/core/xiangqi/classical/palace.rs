//! The palace's defence: advisors and bishops, and what their absence gives the enemy's pieces.

use baize_hot::hot;

use super::super::super::board::Color;
use super::super::{ADVISOR, BISHOP};
use super::sink::Sink;
use super::weights as w;
use super::{A, B, C, Evaluation, N, R};

impl<S: Sink> Evaluation<'_, S> {
    /// The guards of side `US`.
    #[hot]
    #[inline]
    pub fn palace<const US: usize, const THEM: usize>(&mut self) {
        let us = Color::new(US);
        let (advisors, bishops) = (self.count[US][A].min(2), self.count[US][B].min(2));
        self.sink.add::<US>(w::GUARDS + (advisors * 3 + bishops) as usize, 1);
        let (lost_advisors, lost_bishops) = (2 - advisors, 2 - bishops);
        let enemy = self.count[THEM];
        self.sink.add::<US>(w::LOST_ADVISOR_ROOK, lost_advisors * enemy[R]);
        self.sink.add::<US>(w::LOST_ADVISOR_KNIGHT, lost_advisors * enemy[N]);
        self.sink.add::<US>(w::LOST_BISHOP_CANNON, lost_bishops * enemy[C]);
        let crossed = self.crossed[THEM].count() as i32;
        self.sink.add::<US>(w::LOST_BISHOP_PAWN, lost_bishops * crossed);
        self.sink.danger::<US>(w::DANGER_LOST_ADVISOR, lost_advisors);
        self.sink.danger::<US>(w::DANGER_LOST_BISHOP, lost_bishops);
        if (self.pos.pieces(us, BISHOP) & self.by[US][B]).any() {
            self.sink.add::<US>(w::BISHOPS_JOINED, 1);
        }
        if (self.pos.pieces(us, ADVISOR) & self.by[US][A]).any() {
            self.sink.add::<US>(w::ADVISORS_JOINED, 1);
        }
    }
}
