//! `options.toml`: the options struct, its definitions and switches, and the README's table.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::{Problem, Request, read_toml, write};

#[derive(Deserialize)]
struct File {
    option: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    name: String,
    field: String,
    #[serde(rename = "type")]
    kind: Kind,
    default: Option<toml::Value>,
    min: Option<i64>,
    max: Option<i64>,
    rust: Option<String>,
    #[serde(default)]
    choices: Vec<String>,
    group: Group,
    #[serde(default)]
    games: Vec<String>,
    meaning: String,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Spin,
    Check,
    String,
    Combo,
    Button,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Group {
    General,
    Strength,
    Time,
    Evaluation,
    Search,
}

impl Row {
    /// A search technique that can be turned off: a field of `Switches`, not of `Options`.
    fn is_switch(&self) -> bool {
        self.group == Group::Search
    }

    /// The variant of `OptionId`.
    fn id(&self) -> String {
        camel(&self.field)
    }

    fn check_default(&self) -> Option<bool> {
        self.default.as_ref()?.as_bool()
    }

    fn spin_default(&self) -> Option<i64> {
        self.default.as_ref()?.as_integer()
    }

    fn text_default(&self) -> Option<&str> {
        self.default.as_ref()?.as_str()
    }

    /// What is wrong with the row, if anything.
    fn fault(&self) -> Option<&'static str> {
        let fits = match self.kind {
            Kind::Check => self.check_default().is_some(),
            Kind::Spin => match (self.spin_default(), self.min, self.max) {
                (Some(default), Some(min), Some(max)) => min <= default && default <= max,
                _ => false,
            },
            Kind::String => self.text_default().is_some(),
            Kind::Combo => self.rust.is_some() && self.choices.iter().any(|c| Some(c.as_str()) == self.text_default()),
            Kind::Button => self.default.is_none(),
        };
        if !fits {
            return Some("the default does not fit the type, range or choices");
        }
        (self.is_switch() && self.kind != Kind::Check).then_some("a search switch must be a check")
    }

    /// Type of the field in `Options`; a button has none.
    fn rust_type(&self) -> Option<&str> {
        match self.kind {
            Kind::Check => Some("bool"),
            Kind::Spin => Some(self.rust.as_deref().unwrap_or("i32")),
            Kind::String => Some("String"),
            Kind::Combo => self.rust.as_deref(),
            Kind::Button => None,
        }
    }

    /// The default as a Rust expression.
    fn rust_default(&self) -> String {
        match self.kind {
            Kind::Check => self.check_default().unwrap_or_default().to_string(),
            Kind::Spin => self.spin_default().unwrap_or_default().to_string(),
            Kind::String => format!("{:?}.to_string()", self.text_default().unwrap_or_default()),
            Kind::Combo => self.variant(self.text_default().unwrap_or_default()),
            Kind::Button => String::new(),
        }
    }

    /// The enum variant of a combo's choice.
    fn variant(&self, choice: &str) -> String {
        format!("{}::{}", self.rust.as_deref().unwrap_or_default(), camel(choice))
    }

    /// The `OptionKind` expression.
    fn definition_kind(&self) -> String {
        match self.kind {
            Kind::Check => format!("OptionKind::Check {{ default: {} }}", self.rust_default()),
            Kind::Spin => format!(
                "OptionKind::Spin {{ default: {}, min: {}, max: {} }}",
                self.rust_default(),
                self.min.unwrap_or_default(),
                self.max.unwrap_or_default()
            ),
            Kind::String => format!(
                "OptionKind::String {{ default: {:?} }}",
                self.text_default().unwrap_or_default()
            ),
            Kind::Combo => format!(
                "OptionKind::Combo {{ default: {:?}, choices: &{:?} }}",
                self.text_default().unwrap_or_default(),
                self.choices
            ),
            Kind::Button => "OptionKind::Button".to_string(),
        }
    }

    /// The arm of `Options::store` that takes a parsed value.
    fn store_arm(&self) -> String {
        let (id, field) = (self.id(), &self.field);
        let target = if self.is_switch() {
            format!("self.switches.{field}")
        } else {
            format!("self.{field}")
        };
        match self.kind {
            Kind::Check => format!("(OptionId::{id}, OptionValue::Check(v)) => {target} = *v,"),
            Kind::Spin => {
                format!(
                    "(OptionId::{id}, OptionValue::Spin(v)) => {target} = *v as {},",
                    self.rust_type().unwrap()
                )
            }
            Kind::String => format!("(OptionId::{id}, OptionValue::Text(v)) => {target} = v.clone(),"),
            Kind::Combo => {
                let mut arms = String::new();
                for (index, choice) in self.choices.iter().enumerate() {
                    write!(
                        arms,
                        "(OptionId::{id}, OptionValue::Choice({index})) => {target} = {}, ",
                        self.variant(choice)
                    )
                    .unwrap();
                }
                arms
            }
            Kind::Button => String::new(),
        }
    }

    /// The default as the README shows it.
    fn shown_default(&self) -> String {
        match self.kind {
            Kind::Check => self.rust_default(),
            Kind::Spin => self.rust_default(),
            Kind::String | Kind::Combo => match self.text_default().unwrap_or_default() {
                "" => "empty".to_string(),
                text => text.to_string(),
            },
            Kind::Button => String::new(),
        }
    }

    /// The values that are possible, as the README shows them.
    fn shown_range(&self) -> String {
        match self.kind {
            Kind::Check => "true, false".to_string(),
            Kind::Spin => format!("{} to {}", self.min.unwrap_or_default(), self.max.unwrap_or_default()),
            Kind::String => "text".to_string(),
            Kind::Combo => self.choices.join(", "),
            Kind::Button => "button".to_string(),
        }
    }
}

/// `max_move_time` and `max move-time` become `MaxMoveTime`.
fn camel(text: &str) -> String {
    text.split(['_', ' ', '-'])
        .map(|word| {
            let mut letters = word.chars();
            letters
                .next()
                .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        })
        .collect()
}

fn read(tables: &Path) -> Result<Vec<Row>, Problem> {
    let path = tables.join("options.toml");
    let file: File = read_toml(&path)?;
    for (index, row) in file.option.iter().enumerate() {
        if let Some(fault) = row.fault() {
            return Err(Problem::new(&path, format!("{}: {fault}", row.name)));
        }
        let same = |other: &Row| other.name.eq_ignore_ascii_case(&row.name) || other.field == row.field;
        if file.option[..index].iter().any(same) {
            return Err(Problem::new(&path, format!("{}: declared twice", row.name)));
        }
    }
    Ok(file.option)
}

/// Writes `options.rs`: `OptionId`, `DEFINITIONS`, `Options` and `Switches`.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    let rows = read(request.tables)?;
    // Switches that are constants cannot be set, so they are not offered.
    let offered: Vec<&Row> = rows
        .iter()
        .filter(|r| !(request.fixed_switches && r.is_switch()))
        .collect();
    let mut out = String::new();
    identities(&mut out, &offered);
    options_struct(&mut out, &offered);
    switches_struct(&mut out, &rows, request.fixed_switches);
    write(request, "options.rs", out)
}

fn identities(out: &mut String, rows: &[&Row]) {
    out.push_str(
        "/// An option, for `match`.\n#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]\npub enum OptionId {\n",
    );
    for row in rows {
        writeln!(out, "    /// {}.\n    {},", row.meaning, row.id()).unwrap();
    }
    out.push_str(
        "}\n\n/// Every option, in the order of the `uci` listing.\npub const DEFINITIONS: &[OptionDefinition] = &[\n",
    );
    for row in rows {
        writeln!(
            out,
            "    OptionDefinition {{ id: OptionId::{}, name: {:?}, kind: {} }},",
            row.id(),
            row.name,
            row.definition_kind()
        )
        .unwrap();
    }
    out.push_str("];\n\n");
}

fn options_struct(out: &mut String, rows: &[&Row]) {
    let fields: Vec<(&&Row, &str)> = rows
        .iter()
        .filter(|r| !r.is_switch())
        .filter_map(|r| Some((r, r.rust_type()?)))
        .collect();
    out.push_str("/// The value of every option.\n#[derive(Clone, Debug)]\npub struct Options {\n");
    for (row, rust) in &fields {
        writeln!(out, "    /// {}.\n    pub {}: {rust},", row.meaning, row.field).unwrap();
    }
    out.push_str("    /// Which search techniques are on.\n    pub switches: Switches,\n}\n\n");
    out.push_str("impl Default for Options {\n    fn default() -> Self {\n        Options {\n");
    for (row, _) in &fields {
        writeln!(out, "            {}: {},", row.field, row.rust_default()).unwrap();
    }
    out.push_str("            switches: Switches::default(),\n        }\n    }\n}\n\nimpl Options {\n");
    out.push_str("    /// Takes a value that was parsed for this option.\n");
    out.push_str("    fn store(&mut self, id: OptionId, value: &OptionValue) {\n        match (id, value) {\n");
    for row in rows {
        let arm = row.store_arm();
        if !arm.is_empty() {
            writeln!(out, "            {arm}").unwrap();
        }
    }
    out.push_str("            _ => {}\n        }\n    }\n}\n\n");
}

fn switches_struct(out: &mut String, rows: &[Row], fixed: bool) {
    let switches: Vec<&Row> = rows.iter().filter(|r| r.is_switch()).collect();
    out.push_str(
        "/// Which search techniques are on; asked through methods so that a build can make them constants.\n",
    );
    out.push_str("#[derive(Clone, Copy, PartialEq, Eq, Debug)]\npub struct Switches {\n");
    if !fixed {
        for row in &switches {
            writeln!(out, "    {}: bool,", row.field).unwrap();
        }
    }
    out.push_str("}\n\nimpl Default for Switches {\n    fn default() -> Self {\n        Switches {\n");
    if !fixed {
        for row in &switches {
            writeln!(out, "            {}: {},", row.field, row.rust_default()).unwrap();
        }
    }
    out.push_str("        }\n    }\n}\n\nimpl Switches {\n");
    for row in &switches {
        let value = if fixed {
            row.rust_default()
        } else {
            format!("self.{}", row.field)
        };
        writeln!(
            out,
            "    /// {}.\n    #[inline(always)]\n    pub fn {}(&self) -> bool {{\n        {value}\n    }}\n",
            row.meaning, row.field
        )
        .unwrap();
    }
    out.push_str("}\n");
}

/// The lines of README.md between which the table of options stands.
const MARKS: [&str; 2] = [
    "<!-- options: made by `cargo run -p baize-codegen -- readme` -->\n",
    "<!-- end of options -->\n",
];

/// The text of README.md with its table of options made anew.
///
/// # Errors
/// When the table does not parse or README.md has no place for it.
pub fn refresh_readme(readme: &str, tables: &Path) -> Result<String, Problem> {
    let table = readme_table(&read(tables)?);
    let [begin, end] = MARKS;
    let parts = readme
        .split_once(begin)
        .and_then(|(head, rest)| Some((head, rest.split_once(end)?.1)));
    let (head, tail) =
        parts.ok_or_else(|| Problem::new("README.md", "the marks of the table of options are missing"))?;
    Ok(format!("{head}{begin}{table}{end}{tail}"))
}

fn readme_table(rows: &[Row]) -> String {
    let mut out = String::from("| option | default | values | meaning |\n| --- | --- | --- | --- |\n");
    for row in rows {
        let games = if row.games.is_empty() {
            String::new()
        } else {
            format!(" ({})", row.games.join(", "))
        };
        writeln!(
            out,
            "| `{}` | {} | {} | {}{games} |",
            row.name,
            row.shown_default(),
            row.shown_range(),
            row.meaning
        )
        .unwrap();
    }
    out
}
