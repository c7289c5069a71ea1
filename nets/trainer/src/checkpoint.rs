//! A run on disk, complete enough to go on as if it had never stopped.
//!
//! A line `MAGIC`, lines `name value` of settings and state, a line `end`, then the weights and the optimizer's parts as
//! little-endian floats.

use std::fs;
use std::io::Write;
use std::path::Path;

use crate::curve::Point;
use crate::net::Row;
use crate::settings::Settings;
use crate::train::Trainer;

const MAGIC: &str = "baize-trainer checkpoint 1";

/// What a checkpoint says beside the weights.
#[derive(Clone, PartialEq, Debug)]
pub struct State {
    pub settings: Settings,
    /// Steps taken.
    pub step: u64,
    /// Of the data that was learned from.
    pub fingerprint: u64,
    pub curve: Vec<Point>,
}

/// Writes a checkpoint; an older one of that name is replaced only when the new one is complete.
///
/// # Errors
/// A file that cannot be written.
pub fn save(path: &Path, state: &State, trainer: &Trainer) -> Result<(), String> {
    let problem = |e: std::io::Error| format!("{}: {e}", path.display());
    let mut head = format!("{MAGIC}\n");
    for (name, value) in state.settings.lines() {
        head += &format!("{name} {value}\n");
    }
    head += &format!("step {}\nfingerprint {}\n", state.step, state.fingerprint);
    for point in &state.curve {
        head += &format!("point {}\n", point.line());
    }
    head += "end\n";
    let partial = path.with_extension("partial");
    let mut file = fs::File::create(&partial).map_err(problem)?;
    file.write_all(head.as_bytes()).map_err(problem)?;
    let parts = std::iter::once(&trainer.weights[..]).chain(trainer.optimizer.parts());
    for part in parts {
        file.write_all(bytemuck::cast_slice(part)).map_err(problem)?;
    }
    file.sync_all().map_err(problem)?;
    fs::rename(&partial, path).map_err(problem)
}

/// A checkpoint's bytes behind its state.
pub struct Saved {
    pub state: State,
    weights: Vec<u8>,
}

/// Reads a checkpoint.
///
/// # Errors
/// A file that cannot be read or is none.
pub fn load(path: &Path) -> Result<Saved, String> {
    let mut bytes = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let (state, end) = parse(&bytes).map_err(|e| format!("{}: {e}", path.display()))?;
    let weights = bytes.split_off(end);
    Ok(Saved { state, weights })
}

/// The state and where the weights begin.
fn parse(bytes: &[u8]) -> Result<(State, usize), String> {
    const END: &[u8] = b"\nend\n";
    let at = bytes
        .windows(END.len())
        .position(|window| window == END)
        .ok_or("not a checkpoint")?;
    let text = std::str::from_utf8(&bytes[..at]).map_err(|_| "not a checkpoint")?;
    let lines = text.strip_prefix(MAGIC).ok_or("not a checkpoint of this version")?;
    let mut state = State {
        settings: Settings::default(),
        step: 0,
        fingerprint: 0,
        curve: Vec::new(),
    };
    for line in lines.lines().filter(|line| !line.is_empty()) {
        let (name, value) = line.split_once(' ').ok_or("a line without a value")?;
        let bad = |_| format!("{name} {value}: not a number");
        match name {
            "step" => state.step = value.parse().map_err(bad)?,
            "fingerprint" => state.fingerprint = value.parse().map_err(bad)?,
            "point" => state.curve.push(Point::parse(value).ok_or("a bad point")?),
            _ => state.settings.set(name, value)?,
        }
    }
    Ok((state, at + END.len()))
}

impl Saved {
    /// Puts the weights into a trainer made from the same settings.
    ///
    /// # Errors
    /// When there are not as many.
    pub fn restore(&self, trainer: &mut Trainer) -> Result<(), String> {
        trainer.step = self.state.step;
        let parts = std::iter::once(&mut trainer.weights[..]).chain(trainer.optimizer.parts_mut());
        let parts: Vec<&mut [Row]> = parts.collect();
        let expected: usize = parts.iter().map(|part| size_of_val(*part)).sum();
        if expected != self.weights.len() {
            return Err(format!(
                "checkpoint: {} bytes of weights where {expected} are expected",
                self.weights.len()
            ));
        }
        let mut rest = &self.weights[..];
        for part in parts {
            let bytes: &mut [u8] = bytemuck::cast_slice_mut(part);
            let (mine, others) = rest.split_at(bytes.len());
            bytes.copy_from_slice(mine);
            rest = others;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kernels::Kernels;
    use crate::synthetic;

    /// A run that is stopped, saved and resumed learns to the bit what an unbroken one learns.
    #[test]
    fn resumed_runs_go_the_same_way() {
        let mut settings = Settings {
            king_buckets: 4,
            hidden: Some(64),
            ..Settings::default()
        };
        settings.resolve(5000, 400.0);
        let positions = synthetic::positions(settings.game, 5000, 18, 1);
        let make = || {
            let architecture = settings.architecture();
            Trainer::new(&architecture, settings.objective(), 1, 1, Kernels::best()).expect("a known architecture")
        };
        let mut whole = make();
        let mut curve: Vec<f64> = (0..12).map(|_| whole.learn(&positions, 900, 1e-3, 0.01)).collect();
        let mut first = make();
        let mut broken: Vec<f64> = (0..5).map(|_| first.learn(&positions, 900, 1e-3, 0.01)).collect();
        let path = std::env::temp_dir().join(format!("baize-trainer-{}.ckpt", std::process::id()));
        let state = State {
            settings: settings.clone(),
            step: first.step,
            fingerprint: u64::MAX,
            curve: vec![Point {
                step: 5,
                positions: 4500,
                rate: 1e-3,
                training: broken[4],
                validation: 0.1,
                seconds: 2.5,
            }],
        };
        save(&path, &state, &first).expect("a writable folder");
        let saved = load(&path).expect("readable");
        assert_eq!(saved.state, state);
        let mut second = make();
        saved.restore(&mut second).expect("the same shape");
        broken.extend((5..12).map(|_| second.learn(&positions, 900, 1e-3, 0.01)));
        assert_eq!(curve.split_off(0), broken);
        assert!(second.weights == whole.weights);
        let other = Trainer::new(
            &Settings::default().architecture(),
            settings.objective(),
            1,
            1,
            Kernels::best(),
        );
        assert!(saved.restore(&mut other.expect("known")).is_err());
        fs::write(&path, b"something else").expect("writable");
        assert!(load(&path).is_err());
        fs::remove_file(&path).expect("removable");
    }
}
