//! Danger to a king: what attacks around it, which checks are at hand, and what guards it. The shelter's share comes from
//! the pawn cache.

use baize_hot::hot;

use super::super::super::board::{Bitboard, Color};
use super::super::attacks;
use super::super::{BISHOP, KING, KNIGHT, QUEEN, ROOK};
use super::Evaluation;
use super::masks::{CAMP, FLANK};
use super::pieces::{B, N, Q, R};
use super::sink::Sink;
use super::weights as w;

const K: usize = KING.index();

impl<S: Sink> Evaluation<'_, S> {
    /// Danger to the king of side `US`.
    #[hot]
    #[inline]
    pub fn danger<const US: usize, const THEM: usize>(&mut self) {
        let queens = self.pos.pieces(Color::new(THEM), QUEEN);
        // One piece alone does not mate.
        if self.attackers[US] + i32::from(queens.any()) < 2 {
            self.safe_king[US] = true;
            return;
        }
        let weak = self.all[THEM].without(self.twice[US]) & (!self.all[US] | self.by[US][Q] | self.by[US][K]);
        self.sink.danger::<US>(w::DANGER_BASE, 1);
        self.sink
            .danger::<US>(w::DANGER_WEAK_RING, (weak & self.zone[US]).count() as i32);
        self.sink
            .danger::<US>(w::DANGER_PINNED, self.pos.state.blockers[US].count() as i32);
        if queens.is_empty() {
            self.sink.danger::<US>(w::DANGER_NO_QUEEN, 1);
        }
        if (self.by[US][N] & self.beside_king[US]).any() {
            self.sink.danger::<US>(w::DANGER_KNIGHT_GUARD, 1);
        }
        if (self.by[US][B] & self.beside_king[US]).any() {
            self.sink.danger::<US>(w::DANGER_BISHOP_GUARD, 1);
        }
        self.checks::<US, THEM>(weak);
        self.flank::<US, THEM>();
    }

    /// Squares from which the enemy can check, by kind; a square is safe when taking there loses something.
    #[hot]
    #[inline]
    fn checks<const US: usize, const THEM: usize>(&mut self, weak: Bitboard) {
        let king = self.kings[US];
        let safe = (!self.all[US] | weak & self.twice[THEM]).without(self.pos.side(Color::new(THEM)));
        let through = self.occupied ^ self.pos.pieces(Color::new(US), QUEEN);
        let straight = attacks::rook_attacks(king, through);
        let diagonal = attacks::bishop_attacks(king, through);
        let them = &self.by[THEM];
        let knights = attacks::knight_attacks(king) & them[N];
        let bishops = diagonal & them[B];
        let rooks = straight & them[R];
        // The queen must not be won by the exchange on its square.
        let queens = (straight | diagonal) & them[Q] & !self.by[US][Q];
        let mut unsafe_checks = Bitboard::EMPTY;
        for (kind, squares) in [(KNIGHT, knights), (BISHOP, bishops), (ROOK, rooks), (QUEEN, queens)] {
            if (squares & safe).any() {
                self.sink.danger::<US>(w::DANGER_SAFE_CHECK + kind.index() - N, 1);
            } else if kind != QUEEN {
                unsafe_checks |= squares;
            }
        }
        let unsafe_checks = unsafe_checks.without(self.pos.side(Color::new(THEM)));
        self.sink
            .danger::<US>(w::DANGER_UNSAFE_CHECK, unsafe_checks.count() as i32);
    }

    /// Attack and defence of the camp on the king's flank.
    #[hot]
    #[inline]
    fn flank<const US: usize, const THEM: usize>(&mut self) {
        let camp = FLANK[self.kings[US].file()] & CAMP[US];
        let attacked = camp & self.all[THEM];
        let count = attacked.count() + (attacked & self.twice[THEM]).count();
        self.sink.danger::<US>(w::DANGER_FLANK_ATTACK, count as i32);
        let guarded = (camp & self.all[US]).count() as i32;
        self.sink.danger::<US>(w::DANGER_FLANK_GUARD, guarded);
    }
}
