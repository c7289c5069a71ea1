//! Search parameters as UCI spins (`--features tune`), and their export for SPSA.

use std::sync::atomic::{AtomicI32, Ordering};

/// A search parameter that can be set while the engine runs.
pub struct Param {
    /// `game_name`, the name of its spin.
    pub name: &'static str,
    pub default: i32,
    pub min: i32,
    pub max: i32,
    /// The step that SPSA ends with.
    pub step: f64,
    value: AtomicI32,
}

impl Param {
    const fn new(name: &'static str, default: i32, min: i32, max: i32, step: f64) -> Self {
        Param {
            name,
            default,
            min,
            max,
            step,
            value: AtomicI32::new(default),
        }
    }

    /// The value in use.
    #[inline(always)]
    pub fn get(&self) -> i32 {
        self.value.load(Ordering::Relaxed)
    }

    /// Sets the value, clamped to its range; takes effect with the next search.
    pub fn set(&self, value: i32) {
        self.value.store(value.clamp(self.min, self.max), Ordering::Relaxed);
    }

    /// One line of an SPSA input: name, kind, value, least, greatest, step, learning rate.
    pub fn spsa_line(&self) -> String {
        format!(
            "{}, int, {}, {}, {}, {}, 0.002",
            self.name, self.default, self.min, self.max, self.step
        )
    }
}

include!(concat!(env!("OUT_DIR"), "/tune.rs"));
