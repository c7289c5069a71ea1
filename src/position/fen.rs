//! FEN in and out.

use std::fmt::{self, Write};

use super::{Geometry, Placement, chess, decode, encode, xiangqi};
use crate::engine::Game;

/// The greatest clock and move number that are taken.
const MAX_CLOCK: u32 = 9_999;
const MAX_MOVE_NUMBER: u32 = 999_999;

/// Which way a king castles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Wing {
    King,
    Queen,
}

/// Why a FEN was refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenError {
    Empty,
    /// More fields than a FEN has, the first one too many.
    ExtraField(String),
    BadPiece(char),
    RankCount {
        found: usize,
        wanted: usize,
    },
    /// The rank by its number as people call it.
    RankLength {
        rank: usize,
    },
    BadSide(String),
    BadCastling(String),
    BadEnPassant(String),
    BadClock(String),
    BadMoveNumber(String),
    KingCount {
        color: usize,
        found: usize,
    },
    KingsTouch,
    KingsFace,
    OpponentInCheck,
    PawnOnLastRank {
        square: String,
    },
    TooMany {
        color: usize,
        what: &'static str,
    },
    /// A xiangqi piece that can never stand there.
    Impossible {
        what: &'static str,
        square: String,
    },
}

/// What was left out of a FEN that was taken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FenWarning {
    Castling(char),
    EnPassant(String),
}

/// Cut to a length that fits a line of output.
fn shown(text: &str) -> String {
    text.chars().take(40).collect()
}

const SIDES: [&str; 2] = ["White", "Black"];

impl fmt::Display for FenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenError::Empty => f.write_str("the FEN is empty"),
            FenError::ExtraField(text) => write!(f, "unexpected field '{text}'"),
            FenError::BadPiece(letter) => write!(f, "'{}' is no piece", letter.escape_default()),
            FenError::RankCount { found, wanted } => write!(f, "{found} ranks instead of {wanted}"),
            FenError::RankLength { rank } => write!(f, "rank {rank} has the wrong length"),
            FenError::BadSide(text) => write!(f, "'{text}' is no side to move"),
            FenError::BadCastling(text) => write!(f, "'{text}' are no castling rights"),
            FenError::BadEnPassant(text) => write!(f, "'{text}' is no en-passant square"),
            FenError::BadClock(text) => write!(f, "'{text}' is no move clock"),
            FenError::BadMoveNumber(text) => write!(f, "'{text}' is no move number"),
            FenError::KingCount { color, found: 0 } => write!(f, "{} has no king", SIDES[*color]),
            FenError::KingCount { color, found } => write!(f, "{} has {found} kings", SIDES[*color]),
            FenError::KingsTouch => f.write_str("the kings touch"),
            FenError::KingsFace => f.write_str("the kings face each other"),
            FenError::OpponentInCheck => f.write_str("the side that is not to move is in check"),
            FenError::PawnOnLastRank { square } => write!(f, "a pawn stands on {square}"),
            FenError::TooMany { color, what } => write!(f, "{} has too many {what}", SIDES[*color]),
            FenError::Impossible { what, square } => write!(f, "{what} can never stand on {square}"),
        }
    }
}

impl fmt::Display for FenWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FenWarning::Castling(letter) => {
                write!(f, "castling right '{letter}' dropped: king and rook are not in place")
            }
            FenWarning::EnPassant(square) => write!(f, "en-passant square {square} dropped: no pawn can use it"),
        }
    }
}

/// Reads and validates a FEN; missing fields at the end get defaults.
///
/// # Errors
/// When a field does not parse or the position cannot be played.
pub fn parse_fen(game: Game, text: &str, chess960: bool) -> Result<(Placement, Vec<FenWarning>), FenError> {
    let mut fields = text.split_whitespace();
    let board = fields.next().ok_or(FenError::Empty)?;
    let side = fields.next().unwrap_or("w");
    let castling = fields.next().unwrap_or("-");
    let ep = fields.next().unwrap_or("-");
    let clock = fields.next().unwrap_or("-");
    let number = fields.next().unwrap_or("-");
    if let Some(extra) = fields.next() {
        return Err(FenError::ExtraField(shown(extra)));
    }
    let mut placement = Placement::empty(game, chess960);
    parse_board(&mut placement, board)?;
    placement.stm = parse_side(game, side)?;
    placement.clock = parse_number(clock, 0, MAX_CLOCK).ok_or_else(|| FenError::BadClock(shown(clock)))? as u16;
    placement.move_number = parse_number(number, 1, MAX_MOVE_NUMBER)
        .ok_or_else(|| FenError::BadMoveNumber(shown(number)))?
        .max(1);
    let mut warnings = Vec::new();
    match game {
        Game::Chess => {
            chess::validate(&placement)?;
            if !chess::set_castling(&mut placement, castling, &mut warnings) {
                return Err(FenError::BadCastling(shown(castling)));
            }
            if !chess::set_en_passant(&mut placement, ep, &mut warnings) {
                return Err(FenError::BadEnPassant(shown(ep)));
            }
        }
        // The two fields between are unused: whatever stands there says nothing.
        Game::Xiangqi => xiangqi::validate(&placement)?,
    }
    Ok((placement, warnings))
}

fn parse_board(placement: &mut Placement, text: &str) -> Result<(), FenError> {
    let geometry = Geometry::of(placement.game);
    let found = text.split('/').count();
    if found != geometry.ranks {
        return Err(FenError::RankCount {
            found,
            wanted: geometry.ranks,
        });
    }
    for (from_top, rank_text) in text.split('/').enumerate() {
        let rank = geometry.ranks - 1 - from_top;
        let wrong = FenError::RankLength {
            rank: rank + geometry.first_rank,
        };
        let mut file = 0;
        for letter in rank_text.chars() {
            if let Some(skip) = letter.to_digit(10).filter(|&d| d > 0) {
                file += skip as usize;
            } else {
                let code = piece_code(placement.game, letter).ok_or(FenError::BadPiece(letter))?;
                if file < geometry.files {
                    placement.squares[rank * geometry.files + file] = code;
                }
                file += 1;
            }
            if file > geometry.files {
                return Err(wrong);
            }
        }
        if file != geometry.files {
            return Err(wrong);
        }
    }
    Ok(())
}

fn piece_code(game: Game, letter: char) -> Option<u8> {
    let upper = match (game, letter.to_ascii_uppercase()) {
        (Game::Xiangqi, 'E') => 'B',
        (Game::Xiangqi, 'H') => 'N',
        (_, other) => other,
    };
    let kind = Geometry::of(game).letters.find(upper)?;
    Some(encode(kind, letter.is_ascii_lowercase() as usize))
}

fn parse_side(game: Game, text: &str) -> Result<u8, FenError> {
    match text {
        "w" | "W" => Ok(0),
        "b" | "B" => Ok(1),
        "r" | "R" if game == Game::Xiangqi => Ok(0),
        _ => Err(FenError::BadSide(shown(text))),
    }
}

fn parse_number(text: &str, default: u32, max: u32) -> Option<u32> {
    match text {
        "-" => Some(default),
        _ if text.bytes().all(|b| b.is_ascii_digit()) => text.parse().ok().filter(|&n| n <= max),
        _ => None,
    }
}

/// One king a side, as both games want it.
pub(super) fn check_kings(placement: &Placement, king: usize) -> Result<(), FenError> {
    for color in 0..2 {
        let found = placement
            .squares
            .iter()
            .filter(|&&code| code == encode(king, color))
            .count();
        if found != 1 {
            return Err(FenError::KingCount { color, found });
        }
    }
    Ok(())
}

/// Pieces of a kind and color.
pub(super) fn count(placement: &Placement, kind: usize, color: usize) -> usize {
    placement
        .squares
        .iter()
        .filter(|&&code| code == encode(kind, color))
        .count()
}

/// Occupied squares with kind and color.
pub(super) fn pieces(placement: &Placement) -> impl Iterator<Item = (usize, usize, usize)> + '_ {
    placement
        .squares
        .iter()
        .enumerate()
        .filter(|&(_, &code)| code != 0)
        .map(|(square, &code)| {
            let (kind, color) = decode(code);
            (square, kind, color)
        })
}

impl Placement {
    /// The position as a FEN with all its fields.
    pub fn fen(&self) -> String {
        let (files, ranks) = self.size();
        let mut out = String::new();
        for rank in (0..ranks).rev() {
            let mut gap = 0;
            for file in 0..files {
                match self.letter(rank * files + file) {
                    None => gap += 1,
                    Some(letter) => {
                        push_gap(&mut out, &mut gap);
                        out.push(letter);
                    }
                }
            }
            push_gap(&mut out, &mut gap);
            if rank > 0 {
                out.push('/');
            }
        }
        let side = if self.stm == 0 { 'w' } else { 'b' };
        let castling = chess::castling_text(self);
        let ep = self
            .ep
            .map_or("-".to_string(), |square| super::square_text(self.game, square as usize));
        let _ = write!(out, " {side} {castling} {ep} {} {}", self.clock, self.move_number);
        out
    }
}

fn push_gap(out: &mut String, gap: &mut usize) {
    if *gap > 0 {
        let _ = write!(out, "{gap}");
        *gap = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chess(text: &str) -> Result<(Placement, Vec<FenWarning>), FenError> {
        parse_fen(Game::Chess, text, false)
    }

    fn xiangqi(text: &str) -> Result<(Placement, Vec<FenWarning>), FenError> {
        parse_fen(Game::Xiangqi, text, false)
    }

    #[test]
    fn start_positions_come_back_as_written() {
        for game in [Game::Chess, Game::Xiangqi] {
            let start = Placement::start(game, false);
            assert_eq!(parse_fen(game, &start.fen(), false), Ok((start.clone(), vec![])));
            assert_eq!(start.flipped().flipped(), start);
            assert_ne!(start.flipped(), start);
        }
    }

    #[test]
    fn missing_fields_have_defaults() {
        let (placement, _) = chess("4k3/8/8/8/8/8/8/4K3").unwrap();
        assert_eq!(placement.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
        assert_eq!(
            xiangqi("4k4/9/9/9/9/9/9/9/9/3K5 r").unwrap().0.fen(),
            "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1"
        );
    }

    #[test]
    fn broken_fields_are_named() {
        let cases = [
            ("", FenError::Empty),
            ("8/8/8/8/8/8/8 w", FenError::RankCount { found: 7, wanted: 8 }),
            ("4k3/8/8/8/8/8/9/4K3 w", FenError::RankLength { rank: 2 }),
            ("4k3/8/8/8/8/8/7/4K3 w", FenError::RankLength { rank: 2 }),
            ("4k3/8/8/8/8/8/x7/4K3 w", FenError::BadPiece('x')),
            ("4k3/8/8/8/8/8/8/4K3 x", FenError::BadSide("x".into())),
            ("4k3/8/8/8/8/8/8/4K3 w KX", FenError::BadCastling("KX".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - e9", FenError::BadEnPassant("e9".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - -1", FenError::BadClock("-1".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 x", FenError::BadMoveNumber("x".into())),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 y", FenError::ExtraField("y".into())),
            ("8/8/8/8/8/8/8/4K3 w", FenError::KingCount { color: 1, found: 0 }),
            ("4k3/8/8/8/8/8/8/3KK3 w", FenError::KingCount { color: 0, found: 2 }),
            ("8/8/8/8/8/8/4k3/4K3 w", FenError::KingsTouch),
            ("4k3/8/8/8/8/8/4R3/4K3 w", FenError::OpponentInCheck),
            (
                "4k2P/8/8/8/8/8/8/4K3 w",
                FenError::PawnOnLastRank { square: "h8".into() },
            ),
            (
                "4k3/8/8/8/8/P7/PPPPPPPP/4K3 w",
                FenError::TooMany {
                    color: 0,
                    what: "pawns",
                },
            ),
            (
                "4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w",
                FenError::TooMany {
                    color: 0,
                    what: "pieces",
                },
            ),
            (
                "b1b1k3/pppppppp/8/8/8/8/8/4K3 w",
                FenError::TooMany {
                    color: 1,
                    what: "pieces",
                },
            ),
        ];
        for (text, error) in cases {
            assert_eq!(chess(text).unwrap_err(), error, "{text}");
        }
    }

    #[test]
    fn castling_rights_need_their_pieces() {
        let (placement, warnings) = chess("r3k3/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        assert_eq!(warnings, [FenWarning::Castling('k')]);
        assert_eq!(placement.fen(), "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1");
        // X-FEN: K is the outermost rook; the inner one needs its letter.
        let inner = "3k4/8/8/8/8/8/8/1K2R1R1 w E - 0 1";
        assert_eq!(chess(inner).unwrap().0.fen(), inner);
        assert_eq!(
            chess("3k4/8/8/8/8/8/8/1K2R1R1 w K - 0 1").unwrap().0.castling[0][0],
            Some(6)
        );
        let shredder = parse_fen(Game::Chess, "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1", true).unwrap();
        assert_eq!(shredder.0.fen(), "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1");
        assert!(shredder.1.is_empty());
    }

    #[test]
    fn en_passant_is_kept_only_when_a_pawn_can_use_it() {
        let kept = |text: &str| chess(text).unwrap().0.ep.is_some();
        assert!(kept("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"));
        assert!(!kept("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1"));
        assert!(!kept("4k3/8/8/3pP3/8/8/8/4K3 w - d3 0 1"));
        assert!(!kept("4k3/3p4/8/3pP3/8/8/8/4K3 w - d6 0 1"));
        // The capture would open the rank to the rook.
        assert!(!kept("4k3/8/8/K2pP2r/8/8/8/8 w - d6 0 1"));
        // Pinned on the diagonal, and free to take along it.
        assert!(!kept("4k3/8/7b/3pP3/5P2/4K3/8/8 w - c6 0 1"));
        assert_eq!(
            chess("4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1").unwrap().1,
            [FenWarning::EnPassant("d6".into())]
        );
    }

    #[test]
    fn xiangqi_pieces_stay_where_they_can_stand() {
        let cases = [
            ("4k4/9/9/9/9/9/9/9/9/4K4 w", FenError::KingsFace),
            (
                "4k4/9/9/9/9/9/9/9/A8/3K5 w",
                FenError::Impossible {
                    what: "an advisor",
                    square: "a1".into(),
                },
            ),
            (
                "4k4/9/9/9/9/9/9/4P4/9/3K5 w",
                FenError::Impossible {
                    what: "a pawn",
                    square: "e2".into(),
                },
            ),
            (
                "4k4/9/9/9/B8/9/9/9/9/3K5 w",
                FenError::Impossible {
                    what: "a bishop",
                    square: "a5".into(),
                },
            ),
            (
                "9/9/9/4k4/9/9/9/9/9/3K5 w",
                FenError::Impossible {
                    what: "a king",
                    square: "e6".into(),
                },
            ),
            (
                "4k4/9/9/9/9/9/9/9/9/RRRK5 w",
                FenError::TooMany {
                    color: 0,
                    what: "rooks",
                },
            ),
            ("4k4/9/9/9/9/9/9/4R4/9/3K5 w", FenError::OpponentInCheck),
            (
                "4k4/4p4/9/9/9/9/9/4C4/9/3K5 w",
                FenError::Impossible {
                    what: "a pawn",
                    square: "e8".into(),
                },
            ),
            ("4k4/9/4b4/9/9/9/9/4C4/9/3K5 w", FenError::OpponentInCheck),
            ("4k4/9/3N5/9/9/9/9/9/9/3K5 w", FenError::OpponentInCheck),
            ("4k4/3P5/9/9/9/9/9/9/9/5K3 b - - x", FenError::BadClock("x".into())),
            ("3Pk4/9/9/9/9/9/9/9/9/5K3 w", FenError::OpponentInCheck),
        ];
        for (text, error) in cases {
            assert_eq!(xiangqi(text).unwrap_err(), error, "{text}");
        }
        // The knight's leg is blocked.
        assert!(xiangqi("4k4/3P5/3N5/9/9/9/9/9/9/5K3 w").is_ok());
        assert!(xiangqi("rheakaehr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR w").is_ok());
    }
}
