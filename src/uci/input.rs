//! The thread that reads lines, so that nothing else ever waits for input.

use std::io::{self, BufRead};
use std::sync::Arc;
use std::sync::mpsc::Sender;
use std::time::Instant;

use super::output::Output;
use super::session::Event;

/// The longest line that is kept; what follows is dropped.
const LONGEST: usize = 16 << 20;

/// Reads standard input to its end on a thread of its own.
pub fn start(events: Sender<Event>, output: Arc<Output>) -> io::Result<()> {
    let read = move || {
        let mut input = io::stdin().lock();
        while let Some(line) = next_line(&mut input) {
            let at = Instant::now();
            output.heard(&line);
            if events.send(Event::Line(line, at)).is_err() {
                return;
            }
        }
        // Nobody listens any more when this fails.
        let _ = events.send(Event::End);
    };
    std::thread::Builder::new()
        .name("input".to_string())
        .spawn(read)
        .map(drop)
}

/// The next line without its end, bytes that are no UTF-8 replaced; `None` at the end of input.
fn next_line(input: &mut impl BufRead) -> Option<String> {
    let mut line = Vec::new();
    let mut begun = false;
    loop {
        let chunk = match input.fill_buf() {
            Ok(chunk) => chunk,
            Err(problem) if problem.kind() == io::ErrorKind::Interrupted => continue,
            Err(_) => return None,
        };
        if chunk.is_empty() {
            break;
        }
        begun = true;
        let end = chunk.iter().position(|&byte| byte == b'\n');
        let taken = end.unwrap_or(chunk.len());
        let room = LONGEST - line.len();
        line.extend_from_slice(&chunk[..taken.min(room)]);
        input.consume(end.map_or(taken, |at| at + 1));
        if end.is_some() {
            break;
        }
    }
    begun.then(|| String::from_utf8_lossy(&line).trim_end_matches('\r').to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_every_kind() {
        let mut input: &[u8] = b"uci\r\n\n\xff\xfe go\nlast";
        assert_eq!(next_line(&mut input).as_deref(), Some("uci"));
        assert_eq!(next_line(&mut input).as_deref(), Some(""));
        assert_eq!(next_line(&mut input).as_deref(), Some("\u{fffd}\u{fffd} go"));
        assert_eq!(next_line(&mut input).as_deref(), Some("last"));
        assert_eq!(next_line(&mut input), None);
        let long = vec![b'x'; LONGEST + 5];
        assert_eq!(next_line(&mut &long[..]).map(|l| l.len()), Some(LONGEST));
    }
}
