//! Which target a CPU gets: plain decisions on plain facts, so that made-up CPUs can test them.

use std::fmt;

use crate::engine::EngineCopy;

/// A copy of the engine and what it needs (from `tables/targets.toml`).
pub struct Target {
    /// What people type and read.
    pub name: &'static str,
    /// The module that holds the copy, `core::<module>`: how a debugger and `objdump` name its code.
    pub module: &'static str,
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

impl Detection {
    /// The lines of `compiler` that tell of the CPU.
    pub fn report(&self) -> Vec<String> {
        let target = self.choice.target;
        let others = self.choice.supported.iter().copied().filter(|t| t.name != target.name);
        let features = if target.features.is_empty() {
            "those of the baseline".into()
        } else {
            target.features.join(" ")
        };
        let line = |what: &str, text: &str| format!("{what:<22}: {text}");
        let mut lines = vec![
            line("CPU target", &format!("{} ({})", target.name, target.about)),
            line("chosen because", &self.choice.reason),
            line("features used", &features),
            line("could also run", &or_none(names(others))),
        ];
        if !self.facts.vendor.is_empty() {
            let facts = &self.facts;
            let cpu = format!(
                "{} family {:#x} model {:#x}, XCR0 {:#x}",
                facts.vendor, facts.family, facts.model, facts.xcr0
            );
            lines.push(line("CPU", &cpu));
        }
        lines
    }
}

fn or_none(text: String) -> String {
    if text.is_empty() {
        "nothing else".to_string()
    } else {
        text
    }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cpu;

    const V2: &[&str] = &["sse3", "ssse3", "sse4.1", "sse4.2", "popcnt", "cmpxchg16b"];
    const AVX2: &[&str] = &["sse4.2", "popcnt", "avx2", "bmi1", "bmi2", "lzcnt", "fma", "movbe"];
    const AVX512: &[&str] = &["avx512f", "avx512bw", "avx512vl", "avx512dq", "avx512cd"];
    const VNNI: &[&str] = &[
        "avx512vnni",
        "avx512vbmi",
        "avx512vbmi2",
        "avx512vpopcntdq",
        "avx512bitalg",
    ];

    /// What the system saves: x87 and SSE; with AVX; with AVX-512.
    const SSE_SAVED: u64 = 0b11;
    const AVX_SAVED: u64 = 0b111;
    const AVX512_SAVED: u64 = 0b1110_0111;

    /// The x86-64 targets as `tables/targets.toml` lists them, on whatever machine this test runs.
    fn targets() -> &'static [Target] {
        let copy = cpu::TARGETS[0].copy;
        let make = |name, slow_pext, xcr0, features: &[&[&'static str]]| Target {
            name,
            module: "",
            about: "",
            features: Box::leak(features.concat().into_boxed_slice()),
            slow_pext,
            xcr0,
            copy,
        };
        Box::leak(Box::new([
            make("generic", false, 0, &[]),
            make("v2", false, 0, &[V2]),
            make("avx2", false, 0b110, &[AVX2]),
            make("avx2-bmi2", true, 0b110, &[AVX2]),
            make("avx-vnni", false, 0b110, &[AVX2, &["avxvnni"]]),
            make("avx512", false, 0b1110_0110, &[AVX2, AVX512]),
            make("avx512-vnni", false, 0b1110_0110, &[AVX2, AVX512, VNNI]),
        ]))
    }

    fn machine(vendor: &str, family: u32, xcr0: u64, features: &[&[&'static str]]) -> CpuFacts {
        CpuFacts {
            vendor: vendor.into(),
            family,
            model: 0,
            features: features.concat(),
            xcr0,
        }
    }

    fn chosen(facts: &CpuFacts) -> (&'static str, String) {
        let choice = choose(targets(), facts, None).expect("the baseline runs everywhere");
        (choice.target.name, choice.reason)
    }

    const INTEL: &str = "GenuineIntel";
    const AMD: &str = "AuthenticAMD";

    #[test]
    fn made_up_intel_cpus() {
        let cases = [
            (
                "Core 2",
                machine(INTEL, 6, SSE_SAVED, &[&["sse3", "ssse3", "sse4.1", "cmpxchg16b"]]),
                "generic",
            ),
            ("Nehalem", machine(INTEL, 6, SSE_SAVED, &[V2]), "v2"),
            ("Sandy Bridge", machine(INTEL, 6, AVX_SAVED, &[V2, &["avx"]]), "v2"),
            ("Haswell", machine(INTEL, 6, AVX_SAVED, &[V2, AVX2]), "avx2-bmi2"),
            (
                "Skylake-X",
                machine(INTEL, 6, AVX512_SAVED, &[V2, AVX2, AVX512]),
                "avx512",
            ),
            (
                "Alder Lake",
                machine(INTEL, 6, AVX_SAVED, &[V2, AVX2, &["avxvnni"]]),
                "avx-vnni",
            ),
            (
                "Ice Lake",
                machine(INTEL, 6, AVX512_SAVED, &[V2, AVX2, AVX512, VNNI]),
                "avx512-vnni",
            ),
        ];
        for (name, facts, target) in cases {
            assert_eq!(chosen(&facts).0, target, "{name}");
        }
    }

    #[test]
    fn wide_registers_only_when_the_system_saves_them() {
        let cpu = |xcr0| machine(INTEL, 6, xcr0, &[V2, AVX2, AVX512, VNNI]);
        assert_eq!(
            chosen(&cpu(AVX512_SAVED)),
            ("avx512-vnni", "the best of this build".into())
        );
        let (name, reason) = chosen(&cpu(AVX_SAVED));
        assert_eq!(name, "avx2-bmi2");
        assert!(
            reason.contains("not avx512: the system does not save AVX-512 registers"),
            "{reason}"
        );
        for part in [0b0010_0000, 0b0100_0000, 0b1000_0000] {
            assert_eq!(
                chosen(&cpu(AVX512_SAVED & !part)).0,
                "avx2-bmi2",
                "all three parts must be saved"
            );
        }
        assert_eq!(chosen(&cpu(SSE_SAVED)).0, "v2");
        assert_eq!(chosen(&cpu(0)).0, "v2", "a system without XSAVE");
    }

    #[test]
    fn slow_pext_is_avoided_but_can_be_forced() {
        let all = &[V2, AVX2];
        for (vendor, family, target) in [
            (AMD, 0x15, "avx2"),
            (AMD, 0x17, "avx2"),
            ("HygonGenuine", 0x18, "avx2"),
            (AMD, 0x19, "avx2-bmi2"),
            (AMD, 0x1a, "avx2-bmi2"),
        ] {
            assert_eq!(
                chosen(&machine(vendor, family, AVX_SAVED, all)).0,
                target,
                "{vendor} {family:#x}"
            );
        }
        let zen2 = machine(AMD, 0x17, AVX_SAVED, all);
        assert!(
            chosen(&zen2)
                .1
                .starts_with("not avx2-bmi2: PEXT is slow on this CPU; not avx-vnni: the CPU lacks avxvnni")
        );
        let forced = choose(targets(), &zen2, Some("AVX2-BMI2")).expect("it runs");
        assert_eq!(
            (forced.target.name, forced.reason.as_str()),
            ("avx2-bmi2", "forced by name")
        );
        let zen4 = machine(AMD, 0x19, AVX512_SAVED, &[V2, AVX2, AVX512, VNNI]);
        assert_eq!(chosen(&zen4).0, "avx512-vnni");
    }

    #[test]
    fn forcing_what_cannot_be_is_refused_by_name() {
        let haswell = machine(INTEL, 6, AVX_SAVED, &[V2, AVX2]);
        let error = choose(targets(), &haswell, Some("avx9"))
            .err()
            .expect("no such target")
            .to_string();
        assert_eq!(
            error,
            "no CPU target 'avx9' in this build; there are: generic v2 avx2 avx2-bmi2 avx-vnni avx512 avx512-vnni"
        );
        let error = choose(targets(), &haswell, Some("avx512"))
            .err()
            .expect("not on this CPU")
            .to_string();
        assert_eq!(
            error,
            "this machine cannot run CPU target 'avx512' (the CPU lacks avx512f, avx512bw, avx512vl, avx512dq, avx512cd); \
             it can run: generic v2 avx2 avx2-bmi2"
        );
    }

    #[test]
    fn this_machine_gets_a_copy() {
        let facts = cpu::facts();
        let choice = choose(cpu::TARGETS, &facts, None).expect("this test runs on it");
        assert!(choice.supported.iter().any(|t| t.name == choice.target.name));
        for target in &choice.supported {
            let forced = choose(cpu::TARGETS, &facts, Some(target.name)).expect("it was listed");
            assert_eq!(forced.target.name, target.name);
        }
        let report = Detection { facts, choice }.report();
        assert!(report.iter().all(|line| line.contains(": ")), "{report:?}");
    }
}
