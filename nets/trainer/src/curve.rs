//! The course of a run as a table and as a picture.

use std::fmt::Write;

/// A curve: its name, its colour class, and the value it shows of a point.
type Series<'a> = (&'a str, &'a str, fn(&Point) -> f64);

/// The state at the end of a stage.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Point {
    pub step: u64,
    /// Positions learned from so far.
    pub positions: u64,
    pub rate: f32,
    /// Mean training loss of the stage.
    pub training: f64,
    pub validation: f64,
    /// Seconds of the whole run, earlier parts included.
    pub seconds: f64,
}

const COLUMNS: &str = "step,positions,rate,training,validation,seconds";

impl Point {
    /// A line of the table; numbers come back exactly.
    pub fn line(&self) -> String {
        format!(
            "{},{},{},{},{},{}",
            self.step, self.positions, self.rate, self.training, self.validation, self.seconds
        )
    }

    pub fn parse(line: &str) -> Option<Point> {
        let mut fields = line.split(',');
        Some(Point {
            step: fields.next()?.parse().ok()?,
            positions: fields.next()?.parse().ok()?,
            rate: fields.next()?.parse().ok()?,
            training: fields.next()?.parse().ok()?,
            validation: fields.next()?.parse().ok()?,
            seconds: fields.next()?.parse().ok()?,
        })
    }
}

/// The table with its heading.
pub fn csv(points: &[Point]) -> String {
    points
        .iter()
        .fold(format!("{COLUMNS}\n"), |text, point| text + &point.line() + "\n")
}

/// The point with the least validation loss.
pub fn best(points: &[Point]) -> Option<&Point> {
    points.iter().min_by(|a, b| a.validation.total_cmp(&b.validation))
}

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 44.0;
const BOTTOM: f64 = 48.0;

/// Where values lie in the picture.
struct Frame {
    positions: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn of(points: &[Point]) -> Frame {
        let losses = || {
            points
                .iter()
                .flat_map(|p| [p.training, p.validation])
                .filter(|l| l.is_finite())
        };
        let low = losses().fold(f64::INFINITY, f64::min);
        // The first stages stand far above the rest: they may leave the picture.
        let mut sorted: Vec<f64> = losses().collect();
        sorted.sort_by(f64::total_cmp);
        let high = sorted
            .get(sorted.len() * 19 / 20)
            .or(sorted.last())
            .copied()
            .unwrap_or(1.0);
        let low = if low.is_finite() { low } else { 0.0 };
        let margin = ((high - low) * 0.06).max(1e-9);
        Frame {
            positions: points.last().map_or(1.0, |p| p.positions as f64).max(1.0),
            low: (low - margin).max(0.0),
            high: high + margin,
        }
    }

    fn x(&self, positions: f64) -> f64 {
        LEFT + (WIDTH - LEFT - RIGHT) * positions / self.positions
    }

    fn y(&self, loss: f64) -> f64 {
        let share = ((loss - self.low) / (self.high - self.low)).clamp(0.0, 1.0);
        HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * share
    }
}

/// Training and validation loss over positions.
pub fn svg(points: &[Point], title: &str) -> String {
    let frame = Frame::of(points);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         font-family=\"sans-serif\" font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n\
         <text x=\"{LEFT}\" y=\"22\" font-size=\"15\" fill=\"#222\">{}</text>\n",
        escaped(title)
    );
    for tick in 0..=5 {
        let share = f64::from(tick) / 5.0;
        let loss = frame.low + (frame.high - frame.low) * share;
        let (y, x) = (frame.y(loss), frame.x(frame.positions * share));
        let _ = writeln!(
            out,
            "<path d=\"M{LEFT} {y:.1}H{}\" stroke=\"#e4e4e4\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#555\">{loss:.5}</text>",
            WIDTH - RIGHT,
            LEFT - 8.0,
            y + 4.0
        );
        let _ = writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">{}</text>",
            HEIGHT - BOTTOM + 18.0,
            millions(frame.positions * share)
        );
    }
    let _ = writeln!(
        out,
        "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\" fill=\"#555\">positions</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 10.0
    );
    let series: [Series; 2] = [
        ("training", "#2b6cb0", |p| p.training),
        ("validation", "#c05621", |p| p.validation),
    ];
    for (index, (name, color, loss)) in series.into_iter().enumerate() {
        let line: Vec<String> = points
            .iter()
            .filter(|p| loss(p).is_finite())
            .map(|p| format!("{:.1},{:.1}", frame.x(p.positions as f64), frame.y(loss(p))))
            .collect();
        let x = WIDTH - RIGHT - 200.0 + 100.0 * index as f64;
        let _ = writeln!(
            out,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"1.6\"/>\n\
             <path d=\"M{x} {}h20\" stroke=\"{color}\" stroke-width=\"3\"/><text x=\"{}\" y=\"{}\" fill=\"#222\">{name}</text>",
            line.join(" "),
            TOP + 14.0,
            x + 26.0,
            TOP + 18.0
        );
    }
    if let Some(best) = best(points) {
        let (x, y) = (frame.x(best.positions as f64), frame.y(best.validation));
        let _ = writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3.5\" fill=\"#c05621\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#c05621\">{:.6}</text>",
            y - 8.0,
            best.validation
        );
    }
    out + "</svg>\n"
}

fn millions(positions: f64) -> String {
    match positions {
        p if p >= 1e6 => format!("{:.1} M", p / 1e6),
        p if p >= 1e3 => format!("{:.1} k", p / 1e3),
        p => format!("{p:.0}"),
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_come_back_from_the_table() {
        let points: Vec<Point> = (1..20)
            .map(|i| Point {
                step: i * 10,
                positions: i * 40960,
                rate: 1e-3 / i as f32,
                training: 0.1 / i as f64,
                validation: 0.11 / i as f64,
                seconds: i as f64 * 1.37,
            })
            .collect();
        let table = csv(&points);
        let back: Vec<Point> = table.lines().skip(1).filter_map(Point::parse).collect();
        assert_eq!(back, points);
        let picture = svg(&points, "a < b");
        assert!(picture.contains("a &lt; b") && picture.matches("<polyline").count() == 2);
        assert!(svg(&[], "").ends_with("</svg>\n"));
    }
}
