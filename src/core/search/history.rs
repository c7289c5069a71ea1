//! What earlier nodes taught about moves: tables that order, prune and reduce.

use bytemuck::Zeroable;

use super::super::board::{Bitboard, Color, Kind, Move, Piece, Square};
use super::super::game::SQUARE_SLOTS;
use super::frame::Frames;

/// Bound of every entry's magnitude.
pub const MAX: i32 = 16384;

/// Rows of the continuation tables: a piece and where it went.
pub const ROWS: usize = 16 * SQUARE_SLOTS;

const PAWN_SLOTS: usize = 512;

/// The tables of one thread. All start at zero.
#[derive(Zeroable)]
#[repr(C)]
pub struct Histories {
    /// By side, whether origin and target are attacked, origin and target (chess programming wiki: History Heuristic).
    butterfly: [[[i16; SQUARE_SLOTS * SQUARE_SLOTS]; 4]; 2],
    /// By moving piece and target, then captured kind.
    capture: [[i16; 8]; ROWS],
    /// By an earlier move's row, then this move's (chess programming wiki: Continuation History).
    continuation: [[i16; ROWS]; ROWS],
    /// By pawn structure, then this move's row.
    pawn: [[i16; ROWS]; PAWN_SLOTS],
    /// The quiet move that last refuted a row (chess programming wiki: Countermove Heuristic).
    counter: [u16; ROWS],
    pub correction: super::correction::Corrections,
}

/// The row of a move in the continuation tables.
#[inline(always)]
pub fn row(piece: Piece, to: Square) -> usize {
    piece.index() * SQUARE_SLOTS + to.index()
}

/// Moves an entry towards +-`MAX` by `bonus`, the less the nearer it is.
#[inline(always)]
pub fn gravity(entry: &mut i16, bonus: i32) {
    let bonus = bonus.clamp(-MAX, MAX);
    let old = *entry as i32;
    *entry = (old + bonus - old * bonus.abs() / MAX) as i16;
}

/// How far back the continuation tables look, in plies, with the share of an update that each takes (in 4ths).
const CONTINUATIONS: [(usize, i32); 4] = [(1, 4), (2, 4), (4, 3), (6, 2)];

/// What a quiet move's histories are looked up with.
#[derive(Clone, Copy)]
pub struct Context {
    pub stm: Color,
    pub threats: Bitboard,
    pub pawn_slot: usize,
    /// Rows of the moves 1, 2, 4 and 6 plies ago.
    pub rows: [usize; 4],
    /// Continuation tables are consulted and taught.
    pub continuation: bool,
}

impl Context {
    #[inline(always)]
    pub fn new(stm: Color, threats: Bitboard, pawn_key: u64, frames: &Frames, ply: usize, continuation: bool) -> Self {
        Context {
            stm,
            threats,
            pawn_slot: pawn_key as usize & (PAWN_SLOTS - 1),
            rows: CONTINUATIONS.map(
                #[inline(always)]
                |(back, _)| frames.back(ply, back).row,
            ),
            continuation,
        }
    }
}

impl Histories {
    #[inline(always)]
    fn butterfly_index(cx: &Context, mv: Move) -> (usize, usize, usize) {
        let attacked = cx.threats.has(mv.from()) as usize * 2 + cx.threats.has(mv.to()) as usize;
        (
            cx.stm.index(),
            attacked,
            mv.from().index() * SQUARE_SLOTS + mv.to().index(),
        )
    }

    /// Sum of a quiet move's histories for ordering, within about +-6 * `MAX`.
    #[inline(always)]
    pub fn quiet(&self, cx: &Context, piece: Piece, mv: Move) -> i32 {
        let (side, attacked, squares) = Self::butterfly_index(cx, mv);
        let at = row(piece, mv.to());
        let mut sum = 2 * self.butterfly[side][attacked][squares] as i32 + self.pawn[cx.pawn_slot][at] as i32;
        if cx.continuation {
            sum += self.continuation[cx.rows[0]][at] as i32
                + self.continuation[cx.rows[1]][at] as i32
                + self.continuation[cx.rows[2]][at] as i32
                + self.continuation[cx.rows[3]][at] as i32 / 2;
        }
        sum
    }

    /// Butterfly and the two nearest continuations: what reductions and pruning look at, within +-3 * `MAX`.
    #[inline(always)]
    pub fn quiet_short(&self, cx: &Context, piece: Piece, mv: Move) -> i32 {
        let (side, attacked, squares) = Self::butterfly_index(cx, mv);
        let at = row(piece, mv.to());
        let mut sum = self.butterfly[side][attacked][squares] as i32;
        if cx.continuation {
            sum += self.continuation[cx.rows[0]][at] as i32 + self.continuation[cx.rows[1]][at] as i32;
        }
        sum
    }

    /// Teaches all tables of a quiet move.
    #[inline(always)]
    pub fn update_quiet(&mut self, cx: &Context, piece: Piece, mv: Move, bonus: i32) {
        self.update_butterfly(cx, mv, bonus);
        let at = row(piece, mv.to());
        gravity(&mut self.pawn[cx.pawn_slot][at], bonus);
        if cx.continuation {
            for (i, (_, share)) in CONTINUATIONS.iter().enumerate() {
                gravity(&mut self.continuation[cx.rows[i]][at], bonus * share / 4);
            }
        }
    }

    #[inline(always)]
    pub fn update_butterfly(&mut self, cx: &Context, mv: Move, bonus: i32) {
        let (side, attacked, squares) = Self::butterfly_index(cx, mv);
        gravity(&mut self.butterfly[side][attacked][squares], bonus);
    }

    #[inline(always)]
    pub fn capture(&self, piece: Piece, to: Square, captured: Kind) -> i32 {
        self.capture[row(piece, to)][captured.index()] as i32
    }

    #[inline(always)]
    pub fn update_capture(&mut self, piece: Piece, to: Square, captured: Kind, bonus: i32) {
        gravity(&mut self.capture[row(piece, to)][captured.index()], bonus);
    }

    /// The quiet move that last refuted the move of that row.
    #[inline(always)]
    pub fn counter(&self, row: usize) -> Move {
        Move::from_raw(self.counter[row])
    }

    #[inline(always)]
    pub fn set_counter(&mut self, row: usize, mv: Move) {
        self.counter[row] = mv.raw();
    }
}
