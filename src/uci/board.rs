//! The position that `go` starts from: a start and the moves since.

use std::fmt;

use super::command::{Base, PositionRequest};
use crate::engine::{Game, GameCopy, Inspection, Line};
use crate::options::Policy;
use crate::position::{FenError, FenWarning, MoveTextError, Placement, parse_fen, resolve_move};

/// The longest game that is taken, in plies: longer than any that the rules allow.
const LONGEST: usize = 20_000;

/// The board of a session.
pub struct Board {
    copy: &'static GameCopy,
    line: Line,
    /// The last `position` was refused: the board is as before it, but `go` has nothing to search.
    refused: bool,
}

/// Why a position was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PositionError {
    Fen(FenError),
    Move {
        error: MoveTextError,
        number: usize,
    },
    /// More moves than a game can have.
    TooLong,
    /// Moves were to continue a position that was refused.
    NothingToContinue,
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PositionError::Fen(error) => write!(f, "Position refused: {error}"),
            PositionError::Move { error, number } => write!(f, "Position refused: move {number}, {error}"),
            PositionError::TooLong => write!(f, "Position refused: more than {LONGEST} moves"),
            PositionError::NothingToContinue => f.write_str("Position refused: there is none to continue from"),
        }
    }
}

impl Board {
    pub fn new(copy: &'static GameCopy, game: Game, chess960: bool) -> Board {
        Board {
            copy,
            line: Line {
                start: Placement::start(game, chess960),
                moves: Vec::new(),
            },
            refused: false,
        }
    }

    /// The position as played.
    pub fn line(&self) -> &Line {
        &self.line
    }

    /// Whether `go` must answer that there is no move.
    pub fn is_refused(&self) -> bool {
        self.refused
    }

    /// Takes a `position` command; on an error the board stays.
    ///
    /// # Errors
    /// When the FEN or a move is refused.
    pub fn set(&mut self, request: &PositionRequest) -> Result<Vec<FenWarning>, PositionError> {
        let made = self.make(request);
        self.refused = made.is_err();
        let (line, warnings) = made?;
        self.line = line;
        Ok(warnings)
    }

    fn make(&self, request: &PositionRequest) -> Result<(Line, Vec<FenWarning>), PositionError> {
        let (game, chess960) = (self.line.start.game, self.line.start.chess960);
        let mut warnings = Vec::new();
        let mut line = match &request.base {
            Base::Current if self.refused => return Err(PositionError::NothingToContinue),
            Base::Current => self.line.clone(),
            Base::Start => Line {
                start: Placement::start(game, chess960),
                moves: Vec::new(),
            },
            Base::Fen(fen) => {
                let (start, said) = parse_fen(game, fen, chess960).map_err(PositionError::Fen)?;
                warnings = said;
                Line {
                    start,
                    moves: Vec::new(),
                }
            }
        };
        self.play(&mut line, &request.moves)?;
        Ok((line, warnings))
    }

    /// Appends moves given as text to a line.
    fn play(&self, line: &mut Line, moves: &[String]) -> Result<(), PositionError> {
        if moves.is_empty() {
            return Ok(());
        }
        if line.moves.len() + moves.len() > LONGEST {
            return Err(PositionError::TooLong);
        }
        let (game, chess960) = (line.start.game, line.start.chess960);
        let mut texts = moves.iter().enumerate();
        let mut error = None;
        let played = (self.copy.follow)(line, &mut |legal, in_check| {
            let (index, text) = texts.next()?;
            let mv = resolve_move(game, text, legal, chess960, in_check);
            mv.map_err(|e| {
                error = Some(PositionError::Move {
                    error: e,
                    number: index + 1,
                })
            })
            .ok()
        });
        match error {
            Some(error) => Err(error),
            None => {
                line.moves.extend(played);
                Ok(())
            }
        }
    }

    /// Changes how castling is written.
    pub fn set_chess960(&mut self, chess960: bool) {
        self.line.start.chess960 = chess960;
    }

    /// Puts back a position that was here before.
    pub fn restore(&mut self, line: Line) {
        self.line = line;
        self.refused = false;
    }

    /// Exchanges the sides; the moves so far are forgotten.
    ///
    /// # Errors
    /// When the result is no position (never for one that could be reached).
    pub fn flip(&mut self) -> Result<(), PositionError> {
        let fen = self.placement().flipped().fen();
        self.set(&PositionRequest {
            base: Base::Fen(fen),
            moves: Vec::new(),
        })
        .map(drop)
    }

    pub fn placement(&self) -> Placement {
        (self.copy.placement)(&self.line)
    }

    pub fn inspect(&self, policy: &Policy) -> Inspection {
        (self.copy.inspect)(&self.line, policy)
    }

    pub fn legal_moves(&self) -> Vec<u16> {
        (self.copy.legal_moves)(&self.line)
    }

    pub fn copy(&self) -> &'static GameCopy {
        self.copy
    }
}
