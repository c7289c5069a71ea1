//! The report of `go perft`.

use std::fmt::Write;
use std::time::Duration;

/// Leaves below each move and their total; the time as an `info string`.
pub fn report(counts: impl Iterator<Item = (String, u64)>, total: u64, elapsed: Duration) -> String {
    let mut text = String::new();
    for (mv, count) in counts {
        let _ = writeln!(text, "{mv}: {count}");
    }
    let rate = total as f64 / elapsed.as_secs_f64().max(1e-6);
    let _ = write!(
        text,
        "\nNodes searched: {total}\n\ninfo string perft {} ms, {:.0} million nodes/s",
        elapsed.as_millis(),
        rate / 1e6
    );
    text
}
