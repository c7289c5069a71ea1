//! The position with the stack of its past states.

use baize_hot::hot;

use super::super::eval::Tapered;
use super::super::game::{self, Aux, KING, Setup, keys};
use super::{Bitboard, Color, Kind, Move, Piece, Square};

/// What a move changes beyond the placement of pieces; one per ply, pushed by `make` and popped by `unmake`.
///
/// Whole cache lines, so that it is copied in aligned pieces: overlapping ones stall on stores just made.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub struct State {
    /// Zobrist key of the whole position.
    pub key: u64,
    /// Key of pawns (and, in games without them mattering, whatever changes slowly): indexes structure caches and histories.
    pub pawn_key: u64,
    /// Keys of all pieces but pawns, by side: index correction histories.
    pub non_pawn_keys: [u64; 2],
    /// Sum of piece-square values, White's view.
    pub psq: Tapered,
    /// Sum of the phase weights of the pieces on the board.
    pub phase: i32,
    /// Plies since the last irreversible move (chess: pawn move or capture; xiangqi: capture).
    pub clock: u16,
    /// Plies since the last null move, or since the start of the game as given.
    pub since_null: u16,
    /// Plies back to the last occurrence of this position; 0: none, negative: that one was itself a repetition.
    pub repetition: i16,
    /// The move that led here (`NULL` for a pass, `NONE` at the start).
    pub mv: Move,
    /// What that move took.
    pub captured: Piece,
    /// Enemy pieces that check the mover.
    pub checkers: Bitboard,
    /// Pieces of either side that alone stand between a king (by its side) and an enemy line piece.
    pub blockers: [Bitboard; 2],
    /// From where a piece of the mover of each kind would check the enemy king.
    pub check_squares: [Bitboard; 8],
    /// What the game adds.
    pub aux: Aux,
}

/// A position: placement, side to move, and how it came about.
#[derive(Clone)]
pub struct Position {
    kinds: [Bitboard; 8],
    colors: [Bitboard; 2],
    mailbox: [Piece; game::SQUARE_SLOTS],
    stm: Color,
    pub setup: Setup,
    pub state: State,
    /// States of earlier positions, oldest first; only the first `past` mean anything.
    stack: Vec<State>,
    past: usize,
}

impl Position {
    /// An empty board, White to move; the game's `from_placement` fills it.
    pub fn empty(setup: Setup, aux: Aux) -> Self {
        Position {
            kinds: [Bitboard::EMPTY; 8],
            colors: [Bitboard::EMPTY; 2],
            mailbox: [Piece::NONE; game::SQUARE_SLOTS],
            stm: Color::WHITE,
            setup,
            state: State {
                key: 0,
                pawn_key: 0,
                non_pawn_keys: [0; 2],
                psq: Tapered::ZERO,
                phase: 0,
                clock: 0,
                since_null: 0,
                repetition: 0,
                mv: Move::NONE,
                captured: Piece::NONE,
                checkers: Bitboard::EMPTY,
                blockers: [Bitboard::EMPTY; 2],
                check_squares: [Bitboard::EMPTY; 8],
                aux,
            },
            stack: Vec::new(),
            past: 0,
        }
    }

    #[inline(always)]
    pub fn stm(&self) -> Color {
        self.stm
    }

    #[inline(always)]
    pub fn piece_on(&self, square: Square) -> Piece {
        self.mailbox[square.index()]
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    #[inline(always)]
    pub fn side(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    #[inline(always)]
    pub fn kind(&self, kind: Kind) -> Bitboard {
        self.kinds[kind.index()]
    }

    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.kinds[kind.index()] & self.colors[color.index()]
    }

    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, KING).first()
    }

    #[inline(always)]
    pub fn in_check(&self) -> bool {
        self.state.checkers.any()
    }

    /// The piece that `mv` moves, before it is made.
    #[inline(always)]
    pub fn moving(&self, mv: Move) -> Piece {
        self.mailbox[mv.from().index()]
    }

    /// How many positions lie behind this one.
    #[inline(always)]
    pub fn past(&self) -> usize {
        self.past
    }

    /// The state `plies` plies ago, 0 the present one; `plies` is at most `past()`.
    #[inline(always)]
    pub fn state_back(&self, plies: usize) -> &State {
        if plies == 0 {
            &self.state
        } else {
            &self.stack[self.past - plies]
        }
    }

    /// Room for that many more plies, so that `make` does not allocate.
    pub fn reserve(&mut self, plies: usize) {
        self.stack.resize(self.past + plies, self.state);
    }

    /// Puts the present state on the stack. Slots are copied over, not pushed: a push goes through a temporary.
    #[inline(always)]
    fn push_state(&mut self) {
        if self.past == self.stack.len() {
            self.grow();
        }
        self.stack[self.past] = self.state;
        self.past += 1;
    }

    #[inline(always)]
    fn pop_state(&mut self) {
        debug_assert!(self.past > 0);
        self.past -= 1;
        self.state = self.stack[self.past];
    }

    #[cold]
    fn grow(&mut self) {
        self.reserve(self.past + 64);
    }

    /// Sets the side to move while a position is being built.
    pub fn set_side(&mut self, color: Color) {
        if self.stm != color {
            self.stm = color;
            self.state.key ^= keys::side();
        }
    }

    /// Puts a piece on an empty square and accounts for it in keys and sums.
    #[inline(always)]
    pub fn put(&mut self, piece: Piece, square: Square) {
        self.place(piece, square);
        self.account(piece, square, 1);
    }

    /// Takes a piece from its square and out of keys and sums.
    #[inline(always)]
    pub fn remove(&mut self, piece: Piece, square: Square) {
        self.lift(piece, square);
        self.account(piece, square, -1);
    }

    /// Puts a piece on an empty square, keys and sums untouched: what `retract` uses.
    #[inline(always)]
    pub fn place(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.piece_on(square).is_none());
        let set = Bitboard::of(square);
        self.kinds[piece.kind().index()] |= set;
        self.colors[piece.color().index()] |= set;
        self.mailbox[square.index()] = piece;
    }

    /// Takes a piece from its square, keys and sums untouched: what `retract` uses.
    #[inline(always)]
    pub fn lift(&mut self, piece: Piece, square: Square) {
        debug_assert!(self.piece_on(square) == piece);
        let set = Bitboard::of(square);
        self.kinds[piece.kind().index()] ^= set;
        self.colors[piece.color().index()] ^= set;
        self.mailbox[square.index()] = Piece::NONE;
    }

    #[inline(always)]
    fn account(&mut self, piece: Piece, square: Square, sign: i32) {
        let key = keys::piece(piece, square);
        self.state.key ^= key;
        if piece.kind() == game::PAWN {
            self.state.pawn_key ^= key;
        } else {
            self.state.non_pawn_keys[piece.color().index()] ^= key;
        }
        if sign > 0 {
            self.state.psq += game::psq(piece, square);
        } else {
            self.state.psq -= game::psq(piece, square);
        }
        self.state.phase += sign * game::phase(piece.kind());
    }

    /// Plays a legal move.
    #[hot]
    pub fn make(&mut self, mv: Move) {
        self.push_state();
        // Counters first: read after a store beside them, they would wait for it.
        self.state.clock += 1;
        self.state.since_null += 1;
        self.state.mv = mv;
        self.state.captured = Piece::NONE;
        game::apply(self, mv);
        self.stm = !self.stm;
        self.state.key ^= keys::side();
        game::refresh(self);
        self.state.repetition = self.find_repetition();
    }

    /// Takes the last move back.
    #[hot]
    pub fn unmake(&mut self) {
        self.stm = !self.stm;
        game::retract(self, self.state.mv);
        self.pop_state();
    }

    /// Passes; the mover must not be in check.
    #[hot]
    pub fn make_null(&mut self) {
        debug_assert!(!self.in_check());
        self.push_state();
        self.state.mv = Move::NULL;
        self.state.captured = Piece::NONE;
        self.state.clock += 1;
        self.state.since_null = 0;
        self.state.repetition = 0;
        game::apply_null(self);
        self.stm = !self.stm;
        self.state.key ^= keys::side();
        game::refresh(self);
    }

    /// Takes a pass back.
    #[hot]
    pub fn unmake_null(&mut self) {
        self.stm = !self.stm;
        self.pop_state();
    }

    #[hot]
    fn find_repetition(&self) -> i16 {
        let reach = (self.state.clock.min(self.state.since_null) as usize).min(self.past);
        let mut back = 4;
        while back <= reach {
            let earlier = self.state_back(back);
            if earlier.key == self.state.key {
                return if earlier.repetition != 0 {
                    -(back as i16)
                } else {
                    back as i16
                };
            }
            back += 2;
        }
        0
    }
}
