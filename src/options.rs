//! UCI options: what they are (from `tables/options.toml`), their values, and how text sets them.

use std::fmt;

use crate::engine::Game;

include!(concat!(env!("OUT_DIR"), "/options.rs"));

/// An option as `uci` lists it.
#[derive(Clone, Copy, Debug)]
pub struct OptionDefinition {
    pub id: OptionId,
    pub name: &'static str,
    pub kind: OptionKind,
}

/// The UCI type of an option, with its default and range.
#[derive(Clone, Copy, Debug)]
pub enum OptionKind {
    Check {
        default: bool,
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Combo {
        default: &'static str,
        choices: &'static [&'static str],
    },
    String {
        default: &'static str,
    },
    Button,
}

/// A value that fits its option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionValue {
    Check(bool),
    Spin(i64),
    /// Index into the choices.
    Choice(usize),
    Text(String),
    Pressed,
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    Unknown(String),
    BadValue {
        name: &'static str,
        value: String,
        wanted: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionError::Unknown(name) => write!(f, "No such option: {name}"),
            OptionError::BadValue { name, value, wanted } => {
                write!(f, "{name} keeps its value: '{value}' is not {wanted}")
            }
        }
    }
}

/// What setting an option did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Change {
    pub id: OptionId,
    /// The bound that replaced a value out of range.
    pub clamped: Option<i64>,
}

impl OptionDefinition {
    /// The definition with this name, in any case and with any spacing.
    pub fn find(name: &str) -> Option<&'static OptionDefinition> {
        let same = |d: &&OptionDefinition| d.name.split_whitespace().eq_ignore_case(name.split_whitespace());
        DEFINITIONS.iter().find(same)
    }

    /// Reads a value; the flag tells that a number was out of range and has been clamped.
    ///
    /// # Errors
    /// When the text is not a value of this option's type.
    pub fn parse(&self, text: &str) -> Result<(OptionValue, bool), OptionError> {
        let bad = |wanted: &str| {
            let value = text.chars().take(60).collect();
            Err(OptionError::BadValue {
                name: self.name,
                value,
                wanted: wanted.to_string(),
            })
        };
        match self.kind {
            OptionKind::Check { .. } => match text {
                t if t.eq_ignore_ascii_case("true") => Ok((OptionValue::Check(true), false)),
                t if t.eq_ignore_ascii_case("false") => Ok((OptionValue::Check(false), false)),
                _ => bad("true or false"),
            },
            OptionKind::Spin { min, max, .. } => match parse_integer(text) {
                Some(number) => {
                    let value = number.clamp(min, max);
                    Ok((OptionValue::Spin(value), value != number))
                }
                None => bad("a whole number"),
            },
            OptionKind::Combo { choices, .. } => match choices.iter().position(|c| c.eq_ignore_ascii_case(text)) {
                Some(index) => Ok((OptionValue::Choice(index), false)),
                None => bad(&format!("one of {}", choices.join(", "))),
            },
            OptionKind::String { .. } => {
                let value = if text == "<empty>" { "" } else { text };
                Ok((OptionValue::Text(value.to_string()), false))
            }
            OptionKind::Button => Ok((OptionValue::Pressed, false)),
        }
    }
}

impl fmt::Display for OptionDefinition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match self.kind {
            OptionKind::Check { default } => write!(f, "check default {default}"),
            OptionKind::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionKind::Combo { default, choices } => {
                write!(f, "combo default {default}")?;
                choices.iter().try_for_each(|choice| write!(f, " var {choice}"))
            }
            OptionKind::String { default: "" } => f.write_str("string default <empty>"),
            OptionKind::String { default } => write!(f, "string default {default}"),
            OptionKind::Button => f.write_str("button"),
        }
    }
}

impl Options {
    /// Sets an option from text.
    ///
    /// # Errors
    /// When there is no such option or the text is not a value of its type; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Change, OptionError> {
        let shown = || name.chars().take(60).collect();
        let definition = OptionDefinition::find(name).ok_or_else(|| OptionError::Unknown(shown()))?;
        let (value, out_of_range) = definition.parse(value)?;
        self.store(definition.id, &value);
        let clamped = match value {
            OptionValue::Spin(bound) if out_of_range => Some(bound),
            _ => None,
        };
        Ok(Change {
            id: definition.id,
            clamped,
        })
    }

    /// How the evaluation is made under these options.
    pub fn policy(&self) -> Policy {
        Policy {
            analyse: self.analyse,
            repetition_rule: self.repetition_rule,
            ..Policy::default()
        }
    }
}

/// A whole number; one beyond 64 bits becomes the nearest that fits.
fn parse_integer(text: &str) -> Option<i64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let beyond = if text.starts_with('-') { i64::MIN } else { i64::MAX };
    Some(text.parse().unwrap_or(beyond))
}

/// Word-wise comparison without regard to case.
trait EqIgnoreCase<'a>: Iterator<Item = &'a str> + Sized {
    fn eq_ignore_case(mut self, mut other: impl Iterator<Item = &'a str>) -> bool {
        loop {
            match (self.next(), other.next()) {
                (None, None) => return true,
                (Some(a), Some(b)) if a.eq_ignore_ascii_case(b) => {}
                _ => return false,
            }
        }
    }
}

impl<'a, I: Iterator<Item = &'a str>> EqIgnoreCase<'a> for I {}

/// How repetitions are judged in xiangqi.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RepetitionRule {
    /// Perpetual check and perpetual chase lose.
    Computer,
    /// As the Asian federation's rule.
    Axf,
    /// Every third repetition draws, only perpetual check loses.
    Draw,
}

/// How the evaluation is made and the rules are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Policy {
    /// The network evaluates, if there is one.
    pub use_nnue: bool,
    /// Percentage of the network against the classical evaluation.
    pub blend: i32,
    /// The network's value is added to the classical one instead of replacing it.
    pub residual: bool,
    /// Percentage by which the network's value is scaled.
    pub scale: i32,
    /// Beyond this material difference in centipawns the classical value alone is used; 0: never.
    pub material_limit: i32,
    /// Percentage of the value's fade as the 50-move counter runs up.
    pub rule50_fade: i32,
    /// The GUI analyses and does not play.
    pub analyse: bool,
    /// How repetitions are judged in xiangqi.
    pub repetition_rule: RepetitionRule,
}

impl Default for Policy {
    fn default() -> Self {
        Policy {
            use_nnue: true,
            blend: 100,
            residual: false,
            scale: 100,
            material_limit: 0,
            rule50_fade: 100,
            analyse: false,
            repetition_rule: RepetitionRule::Computer,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_in_any_case_and_spacing() {
        let mut options = Options::default();
        assert_eq!(
            options.set("mOVE  overhead", "300").unwrap().id,
            OptionId::MoveOverheadMs
        );
        assert_eq!(options.move_overhead_ms, 300);
        assert_eq!(
            options.set("MoveOverhead", "1"),
            Err(OptionError::Unknown("MoveOverhead".into()))
        );
    }

    #[test]
    fn numbers_are_clamped_and_nonsense_is_refused() {
        let mut options = Options::default();
        assert_eq!(
            options.set("Threads", "99999999999999999999999").unwrap().clamped,
            Some(1024)
        );
        assert_eq!(options.set("Threads", "-5").unwrap().clamped, Some(1));
        for bad in ["", "12x", "1.5", "--1", "+"] {
            assert!(
                matches!(options.set("Threads", bad), Err(OptionError::BadValue { .. })),
                "{bad}"
            );
        }
        assert_eq!(options.threads, 1);
        assert!(options.set("Ponder", "yes").is_err());
        assert!(options.set("UCI_Variant", "go").is_err());
    }

    #[test]
    #[cfg(not(feature = "fixed-switches"))]
    fn switches_are_set_through_options() {
        let mut options = Options::default();
        assert!(options.switches.null_move());
        options.set("null move", "FALSE").unwrap();
        assert!(!options.switches.null_move());
    }

    #[test]
    fn every_default_is_its_own_value() {
        for definition in DEFINITIONS {
            let text = match definition.kind {
                OptionKind::Check { default } => default.to_string(),
                OptionKind::Spin { default, .. } => default.to_string(),
                OptionKind::Combo { default, .. } | OptionKind::String { default } => default.to_string(),
                OptionKind::Button => String::new(),
            };
            assert!(!definition.parse(&text).unwrap().1, "{}", definition.name);
        }
    }
}
