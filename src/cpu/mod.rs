//! CPU targets: what this build has copies for, what this machine can run, and which one is chosen and why.
//!
//! This is baseline code. It also is the only home of intrinsics: `prefetch`, the slider lookups (`lines_*.rs`) and the
//! kernels.

mod choice;

#[cfg(target_arch = "x86_64")]
#[path = "x86.rs"]
mod native;
#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
mod native;

pub use choice::{Choice, CpuError, CpuFacts, Detection, Target, choose, refusal};
pub use native::prefetch;

include!(concat!(env!("OUT_DIR"), "/targets.rs"));

/// The variable that forces a target by name, as `--cpu` does.
pub const FORCE_VARIABLE: &str = "BAIZE_CPU";

/// What the machine is, as far as targets depend on it.
pub fn facts() -> CpuFacts {
    let features = PROBES
        .iter()
        .filter(|(_, probe)| probe())
        .map(|&(name, _)| name)
        .collect();
    CpuFacts {
        features,
        ..native::identity()
    }
}

/// Looks at the machine and chooses a copy: the named one (`--cpu`, else the environment), or the best.
///
/// # Errors
/// The named target is unknown to this build, or this machine cannot run it.
pub fn detect(forced: Option<&str>) -> Result<Detection, CpuError> {
    let variable = std::env::var(FORCE_VARIABLE).ok().filter(|name| !name.is_empty());
    let facts = facts();
    let choice = choose(TARGETS, &facts, forced.or(variable.as_deref()))?;
    Ok(Detection { facts, choice })
}
