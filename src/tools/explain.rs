//! `eval`: the evaluation term by term.

use std::fmt::Write;

use crate::engine::Explanation;
use crate::uci::score::centipawns;

/// The table of terms by phase and side, in pawns, and the value from White's (Red's) view.
pub fn table(explanation: Option<&Explanation>) -> String {
    let Some(explanation) = explanation else {
        return "Final evaluation: none (in check)".to_string();
    };
    let rule = "+----------------------+---------------+---------------+---------------+\n";
    let mut text = format!(
        "{rule}|         Term         |     White     |     Black     |     Total     |\n\
         |                      |   MG     EG   |   MG     EG   |   MG     EG   |\n{rule}"
    );
    let mut sum = [(0, 0); 2];
    for term in &explanation.terms {
        let _ = writeln!(text, "{}", row(term.name, term.white, term.black));
        sum[0] = (sum[0].0 + term.white.0, sum[0].1 + term.white.1);
        sum[1] = (sum[1].0 + term.black.0, sum[1].1 + term.black.1);
    }
    let _ = write!(text, "{rule}{}\n{rule}", row("Total", sum[0], sum[1]));
    let _ = writeln!(
        text,
        "\nClassical evaluation: {} (white side)",
        pawns(explanation.classical)
    );
    let _ = write!(
        text,
        "Final evaluation: {} (white side)",
        pawns(explanation.final_value)
    );
    text
}

fn row(name: &str, white: (i32, i32), black: (i32, i32)) -> String {
    let total = (white.0 - black.0, white.1 - black.1);
    let cell = |(middle, end): (i32, i32)| format!("{:>6} {:>6}", pawns(middle), pawns(end));
    format!("| {name:<20} | {} | {} | {} |", cell(white), cell(black), cell(total))
}

/// Internal centipawns as normalised pawns.
fn pawns(value: i32) -> String {
    format!("{:+.2}", centipawns(value) as f64 / 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Term;
    use crate::uci::score::internal;

    #[test]
    fn terms_and_values_are_shown() {
        let terms = vec![Term {
            name: "Mobility",
            white: (internal(100), internal(200)),
            black: (0, internal(-10)),
        }];
        let text = table(Some(&Explanation {
            terms,
            classical: 130,
            final_value: internal(-10),
        }));
        assert!(
            text.contains("| Mobility             |  +1.00  +2.00 |  +0.00  -0.10 |  +1.00  +2.10 |"),
            "{text}"
        );
        assert!(text.ends_with("Final evaluation: -0.10 (white side)"), "{text}");
        assert_eq!(table(None), "Final evaluation: none (in check)");
    }
}
