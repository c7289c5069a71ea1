//! `d`: the board as people draw it, and what the rules say.

use std::fmt::Write;

use crate::engine::{Game, Inspection};
use crate::position::{Placement, square_text};

/// The board, FEN, key, checkers and verdict.
pub fn draw(placement: &Placement, inspection: &Inspection) -> String {
    let mut text = match placement.game {
        Game::Chess => draw_squares(placement),
        Game::Xiangqi => draw_points(placement),
    };
    let square = |&square: &u8| square_text(placement.game, square as usize);
    let checkers: Vec<String> = inspection.checkers.iter().map(square).collect();
    let _ = writeln!(text, "\nFen: {}", placement.fen());
    let _ = writeln!(text, "Key: {:016X}", inspection.key);
    let _ = writeln!(text, "Checkers: {}", checkers.join(" "));
    let _ = writeln!(text, "Occurrences: {}", inspection.occurrences);
    let _ = write!(text, "Verdict: {}", verdict(placement, inspection));
    text
}

/// Who wins by which rule, or whose move it is; then what a repetition will come to if it goes on.
fn verdict(placement: &Placement, inspection: &Inspection) -> String {
    let sides = match placement.game {
        Game::Chess => ["White", "Black"],
        Game::Xiangqi => ["Red", "Black"],
    };
    let mover = placement.stm as usize & 1;
    let told = |(gain, rule): (i32, &str)| match gain {
        0 => format!("draw, {rule}"),
        _ => format!("{} wins, {rule}", sides[if gain > 0 { mover } else { 1 - mover }]),
    };
    match (inspection.verdict, inspection.cycle) {
        (Some(verdict), _) => told(verdict),
        (None, None) => format!("{} to move", sides[mover]),
        (None, Some(cycle)) => format!("{} to move (third occurrence: {})", sides[mover], told(cycle)),
    }
}

fn draw_squares(placement: &Placement) -> String {
    let (files, ranks) = placement.size();
    let edge = format!(" {}+\n", "+---".repeat(files));
    let mut text = edge.clone();
    for rank in (0..ranks).rev() {
        for file in 0..files {
            let _ = write!(text, " | {}", placement.letter(rank * files + file).unwrap_or(' '));
        }
        let _ = write!(text, " | {}\n{edge}", rank + 1);
    }
    for file in 0..files {
        let _ = write!(text, "   {}", (b'a' + file as u8) as char);
    }
    text.push('\n');
    text
}

/// Points on lines, the river between ranks 4 and 5, the palaces' diagonals.
fn draw_points(placement: &Placement) -> String {
    let (files, ranks) = placement.size();
    let mut text = String::new();
    for rank in (0..ranks).rev() {
        let point = |file| placement.letter(rank * files + file).unwrap_or('+').to_string();
        let points: Vec<String> = (0..files).map(point).collect();
        let _ = writeln!(text, " {rank} {}", points.join("---"));
        let between = match rank {
            0 => continue,
            5 => "|                               |",
            9 | 2 => "|   |   |   | \\ | / |   |   |   |",
            8 | 1 => "|   |   |   | / | \\ |   |   |   |",
            _ => "|   |   |   |   |   |   |   |   |",
        };
        let _ = writeln!(text, "   {between}");
    }
    let names: Vec<String> = (0..files)
        .map(|file| ((b'a' + file as u8) as char).to_string())
        .collect();
    let _ = writeln!(text, "   {}", names.join("   "));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn inspection(verdict: Option<(i32, &'static str)>) -> Inspection {
        Inspection {
            key: 0xABC,
            checkers: vec![0],
            occurrences: 1,
            verdict,
            cycle: None,
        }
    }

    #[test]
    fn boards_are_drawn_with_their_names() {
        let chess = draw(&Placement::start(Game::Chess, false), &inspection(None));
        assert!(chess.contains(" | r | n | b | q | k | b | n | r | 8\n"), "{chess}");
        assert!(
            chess.contains("Key: 0000000000000ABC") && chess.contains("Checkers: a1"),
            "{chess}"
        );
        let xiangqi = draw(&Placement::start(Game::Xiangqi, false), &inspection(None));
        assert!(xiangqi.contains(" 9 r---n---b---a---k---a---b---n---r\n"), "{xiangqi}");
        assert!(xiangqi.contains("Red to move"), "{xiangqi}");
    }

    #[test]
    fn verdicts_name_winner_and_rule() {
        let mut placement = Placement::start(Game::Chess, false);
        placement.stm = 1;
        assert_eq!(
            verdict(&placement, &inspection(Some((-1, "checkmate")))),
            "White wins, checkmate"
        );
        assert_eq!(
            verdict(&placement, &inspection(Some((0, "stalemate")))),
            "draw, stalemate"
        );
    }
}
