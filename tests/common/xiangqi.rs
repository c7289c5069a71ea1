//! The rules of xiangqi once more: slow, plain, and with nothing in common with the engine's.

use baize::position::Placement;

const PAWN: u8 = 0;
const ADVISOR: u8 = 1;
const BISHOP: u8 = 2;
const KNIGHT: u8 = 3;
const CANNON: u8 = 4;
const ROOK: u8 = 5;
const KING: u8 = 6;

/// A piece: kind and side (0 Red, 1 Black).
type Man = (u8, u8);

/// A position.
#[derive(Clone)]
pub struct Board {
    men: [Option<Man>; 90],
    mover: u8,
}

impl Board {
    pub fn new(placement: &Placement) -> Self {
        let men = placement
            .squares
            .map(|code| code.checked_sub(1).map(|code| (code / 2, code % 2)));
        Board {
            men,
            mover: placement.stm,
        }
    }

    fn at(&self, file: i32, rank: i32) -> Option<Man> {
        self.men[(rank * 9 + file) as usize]
    }

    /// Men strictly between two points of one line.
    fn between(&self, from: usize, to: usize) -> usize {
        let (low, high) = (from.min(to), from.max(to));
        let stride = if low / 9 == high / 9 { 1 } else { 9 };
        (low + stride..high)
            .step_by(stride)
            .filter(|&p| self.men[p].is_some())
            .count()
    }

    /// Whether the man on `from` moves to `to` by its own rules, whatever happens to its king. Kings take each other over an
    /// open file.
    fn reaches(&self, from: usize, to: usize) -> bool {
        let Some((kind, side)) = self.men[from] else {
            return false;
        };
        if from == to || self.men[to].is_some_and(|(_, other)| other == side) {
            return false;
        }
        let (f, r) = ((from % 9) as i32, (from / 9) as i32);
        let (tf, tr) = ((to % 9) as i32, (to / 9) as i32);
        let (df, dr) = (tf - f, tr - r);
        let straight = df == 0 || dr == 0;
        let palace = (3..=5).contains(&tf) && if side == 0 { tr <= 2 } else { tr >= 7 };
        let home = if side == 0 { tr <= 4 } else { tr >= 5 };
        match kind {
            PAWN => {
                let ahead = if side == 0 { 1 } else { -1 };
                let crossed = if side == 0 { r >= 5 } else { r <= 4 };
                (df, dr) == (0, ahead) || crossed && dr == 0 && df.abs() == 1
            }
            ADVISOR => palace && df.abs() == 1 && dr.abs() == 1,
            BISHOP => home && df.abs() == 2 && dr.abs() == 2 && self.at(f + df / 2, r + dr / 2).is_none(),
            KNIGHT => df.abs() * dr.abs() == 2 && self.at(f + df / 2, r + dr / 2).is_none(),
            CANNON => straight && self.between(from, to) == usize::from(self.men[to].is_some()),
            ROOK => straight && self.between(from, to) == 0,
            KING => {
                let faces =
                    self.men[to].is_some_and(|(kind, _)| kind == KING) && df == 0 && self.between(from, to) == 0;
                palace && df.abs() + dr.abs() == 1 || faces
            }
            _ => false,
        }
    }

    fn attacked(&self, side: u8) -> bool {
        let king = (0..90).find(|&p| self.men[p] == Some((KING, side))).expect("a king");
        (0..90).any(|from| self.men[from].is_some_and(|(_, other)| other != side) && self.reaches(from, king))
    }

    /// Whether the mover is in check.
    pub fn in_check(&self) -> bool {
        self.attacked(self.mover)
    }

    /// The position after a move.
    pub fn after(&self, from: usize, to: usize) -> Board {
        let mut next = self.clone();
        next.men[to] = next.men[from].take();
        next.mover = 1 - self.mover;
        next
    }

    pub fn takes(&self, to: usize) -> bool {
        self.men[to].is_some()
    }

    /// All legal moves as (from, to), in order.
    pub fn legal(&self) -> Vec<(usize, usize)> {
        let mut found = Vec::new();
        for from in (0..90).filter(|&p| self.men[p].is_some_and(|(_, side)| side == self.mover)) {
            for to in 0..90 {
                if self.reaches(from, to) && !self.after(from, to).attacked(self.mover) {
                    found.push((from, to));
                }
            }
        }
        found
    }
}

/// Counts plies towards the 60-move rule, from a start with `clock` plies behind it: `plies` are (took, checked) of each move.
pub fn counted(clock: u32, plies: &[(bool, bool)]) -> u32 {
    let since = plies.iter().rposition(|&(took, _)| took);
    let (mut count, rest) = match since {
        Some(capture) => (0, &plies[capture + 1..]),
        None => (clock, plies),
    };
    let mut checks = [0; 2];
    let mut free = false;
    for (n, &(_, check)) in rest.iter().enumerate() {
        checks[n % 2] += u32::from(check);
        let beyond = check && checks[n % 2] > 10;
        count += u32::from(!beyond && !free);
        free = beyond;
    }
    count
}
