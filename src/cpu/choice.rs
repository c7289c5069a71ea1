//! Which target a CPU gets: plain decisions on plain facts, so that made-up CPUs can test them.

use std::fmt;

use crate::engine::EngineCopy;

/// A copy of the engine and what it needs (from `tables/targets.toml`).
pub struct Target {
    /// What people type and read.
    pub name: &'static str,
    /// One line of meaning.
    pub about: &'static str,
    /// Every feature that the copy's code may use, as Rust names them.
    pub features: &'static [&'static str],
    /// Not chosen by itself where PEXT is slow.
    pub slow_pext: bool,
    /// What the system must save when it switches tasks: bits of XCR0, 0 outside x86.
    pub xcr0: u64,
    pub copy: &'static EngineCopy,
}

/// What a machine is, as far as targets depend on it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct CpuFacts {
    /// CPUID's vendor, empty where there is none.
    pub vendor: String,
    /// CPUID's family and model with their extensions.
    pub family: u32,
    pub model: u32,
    /// The features that the CPU has, of those that some target needs.
    pub features: Vec<&'static str>,
    /// The register state that the operating system saves (x86's XCR0; 0 when it cannot be asked).
    pub xcr0: u64,
}

impl CpuFacts {
    /// PEXT in microcode: some eighteen cycles and more where others need three. AMD before Zen 3, and Hygon's Zen.
    pub fn slow_pext(&self) -> bool {
        const ZEN_3: u32 = 0x19;
        match self.vendor.as_str() {
            "AuthenticAMD" => self.family < ZEN_3,
            "HygonGenuine" => true,
            _ => false,
        }
    }
}

/// The target that was chosen, and the others.
pub struct Choice {
    pub target: &'static Target,
    /// Why, in words.
    pub reason: String,
    /// Every target that the machine can run, slowest first.
    pub supported: Vec<&'static Target>,
}

/// The machine and the choice.
pub struct Detection {
    pub facts: CpuFacts,
    pub choice: Choice,
}

/// Why no copy can be chosen as asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum CpuError {
    /// No target of this name is in this build.
    Unknown { name: String, known: String },
    /// The machine lacks what the named target needs.
    Unsupported {
        name: String,
        lacks: String,
        supported: String,
    },
}

impl fmt::Display for CpuError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CpuError::Unknown { name, known } => write!(f, "no CPU target '{name}' in this build; there are: {known}"),
            CpuError::Unsupported { name, lacks, supported } => {
                write!(
                    f,
                    "this machine cannot run CPU target '{name}' ({lacks}); it can run: {supported}"
                )
            }
        }
    }
}

impl std::error::Error for CpuError {}

/// What keeps a machine from running a target, `None` if nothing does.
pub fn refusal(target: &Target, facts: &CpuFacts) -> Option<String> {
    let missing: Vec<&str> = target
        .features
        .iter()
        .copied()
        .filter(|f| !facts.features.contains(f))
        .collect();
    if !missing.is_empty() {
        return Some(format!("the CPU lacks {}", missing.join(", ")));
    }
    if facts.xcr0 & target.xcr0 != target.xcr0 {
        let wide = if target.features.iter().any(|f| f.starts_with("avx512")) {
            "AVX-512"
        } else {
            "AVX"
        };
        return Some(format!("the system does not save {wide} registers"));
    }
    None
}

/// The named target, or the best that runs well.
///
/// # Errors
/// The named target is not among `targets`, or the machine cannot run it; or it can run none of them.
pub fn choose(targets: &'static [Target], facts: &CpuFacts, forced: Option<&str>) -> Result<Choice, CpuError> {
    let supported: Vec<&Target> = targets.iter().filter(|t| refusal(t, facts).is_none()).collect();
    let chosen = match forced {
        Some(name) => forced_target(targets, facts, name, &supported)?,
        None => best_target(facts, &supported).ok_or_else(|| CpuError::Unsupported {
            name: names(targets.iter()),
            lacks: targets.iter().find_map(|t| refusal(t, facts)).unwrap_or_default(),
            supported: names(supported.iter().copied()),
        })?,
    };
    let reason = match forced {
        Some(_) => "forced by name".to_string(),
        None => reason(targets, facts, chosen),
    };
    Ok(Choice {
        target: chosen,
        reason,
        supported,
    })
}

fn forced_target(
    targets: &'static [Target],
    facts: &CpuFacts,
    name: &str,
    supported: &[&'static Target],
) -> Result<&'static Target, CpuError> {
    let Some(target) = targets.iter().find(|t| t.name.eq_ignore_ascii_case(name)) else {
        return Err(CpuError::Unknown {
            name: name.to_string(),
            known: names(targets.iter()),
        });
    };
    match refusal(target, facts) {
        Some(lacks) => Err(CpuError::Unsupported {
            name: name.to_string(),
            lacks,
            supported: names(supported.iter().copied()),
        }),
        None => Ok(target),
    }
}

/// The last supported target whose lookups are fast here; targets are listed slowest first.
fn best_target(facts: &CpuFacts, supported: &[&'static Target]) -> Option<&'static Target> {
    supported
        .iter()
        .rev()
        .copied()
        .find(|t| !(t.slow_pext && facts.slow_pext()))
}

/// Says what was found, and for each better target why it was passed over.
fn reason(targets: &[Target], facts: &CpuFacts, chosen: &Target) -> String {
    let place = targets.iter().position(|t| t.name == chosen.name).unwrap_or(0);
    let passed: Vec<String> = targets[place + 1..]
        .iter()
        .map(|t| match refusal(t, facts) {
            Some(why) => format!("{}: {why}", t.name),
            None => format!("{}: PEXT is slow on this CPU", t.name),
        })
        .collect();
    if passed.is_empty() {
        "the best of this build".to_string()
    } else {
        format!("not {}", passed.join("; not "))
    }
}

fn names<'a>(targets: impl Iterator<Item = &'a Target>) -> String {
    targets.map(|t| t.name).collect::<Vec<_>>().join(" ")
}
