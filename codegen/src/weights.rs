//! `<game>_eval.toml`: the weights of a game's classical evaluation.
//!
//! All weights of a game lie in one flat table, and the evaluation names a weight by its index (`BISHOP_PAIR`,
//! `MOBILITY_KNIGHT + squares`). So one piece of code both plays, when the index is looked up, and explains itself to the
//! fitter, when the index is recorded with its count.

use std::fmt::Write;
use std::path::Path;

use serde::Deserialize;

use crate::{Problem, Request, read_toml, write};

/// A file of weights, in its order.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Weights {
    /// The comment at the head of the file, kept when it is written back.
    #[serde(skip)]
    pub header: String,
    #[serde(default)]
    number: Vec<Number>,
    term: Vec<Term>,
}

/// A plain integer that is not fitted.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Number {
    name: String,
    about: String,
    value: i32,
}

/// A weight or an array of weights.
#[derive(Deserialize, Clone)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Snake case; its upper-case form is the constant.
    pub name: String,
    /// The line of `eval` that it belongs to.
    pub group: String,
    pub about: String,
    /// Its middle-game half counts units of king danger, which are squared, instead of centipawns.
    #[serde(default)]
    pub danger: bool,
    /// How many values stand on a line of the file; 0: all of them.
    #[serde(default)]
    columns: usize,
    mg: Values,
    eg: Values,
}

#[derive(Deserialize, Clone)]
#[serde(untagged)]
enum Values {
    One(i32),
    Many(Vec<i32>),
}

impl Values {
    fn as_slice(&self) -> &[i32] {
        match self {
            Values::One(value) => std::slice::from_ref(value),
            Values::Many(values) => values,
        }
    }

    fn as_mut_slice(&mut self) -> &mut [i32] {
        match self {
            Values::One(value) => std::slice::from_mut(value),
            Values::Many(values) => values,
        }
    }

    fn render(&self, columns: usize) -> String {
        let values = match self {
            Values::One(value) => return value.to_string(),
            Values::Many(values) => values,
        };
        if columns == 0 {
            return format!("[{}]", values.iter().map(i32::to_string).collect::<Vec<_>>().join(", "));
        }
        let mut text = String::from("[\n");
        for line in values.chunks(columns) {
            let cells: Vec<String> = line.iter().map(|v| format!("{v:4}")).collect();
            writeln!(text, "  {},", cells.join(", ")).unwrap();
        }
        text + "]"
    }
}

impl Term {
    /// How many weights it holds.
    pub fn len(&self) -> usize {
        self.mg.as_slice().len()
    }

    /// True for a term without weights, which `read` refuses.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Weight `i` as (middle game, end game).
    pub fn get(&self, i: usize) -> (i32, i32) {
        (self.mg.as_slice()[i], self.eg.as_slice()[i])
    }

    /// Sets weight `i`.
    pub fn set(&mut self, i: usize, (mg, eg): (i32, i32)) {
        self.mg.as_mut_slice()[i] = mg;
        self.eg.as_mut_slice()[i] = eg;
    }
}

impl Weights {
    /// Reads and checks a file.
    ///
    /// # Errors
    /// What is wrong with the file.
    pub fn read(path: &Path) -> Result<Self, Problem> {
        let mut weights: Weights = read_toml(path)?;
        let text = std::fs::read_to_string(path).map_err(|e| Problem::new(path, e))?;
        weights.header = text
            .lines()
            .take_while(|l| l.starts_with('#'))
            .map(|l| format!("{l}\n"))
            .collect();
        for term in &weights.term {
            if term.mg.as_slice().len() != term.eg.as_slice().len() || term.is_empty() {
                return Err(Problem::new(
                    path,
                    format!("{}: mg and eg differ in length or are empty", term.name),
                ));
            }
            if term
                .mg
                .as_slice()
                .iter()
                .chain(term.eg.as_slice())
                .any(|v| v.abs() > 8000)
            {
                return Err(Problem::new(path, format!("{}: a value is out of range", term.name)));
            }
        }
        Ok(weights)
    }

    /// The terms in the order of their indices: those of danger last.
    pub fn terms(&self) -> Vec<&Term> {
        let (danger, plain): (Vec<&Term>, Vec<&Term>) = self.term.iter().partition(|t| t.danger);
        plain.into_iter().chain(danger).collect()
    }

    /// A plain number by its name.
    pub fn number(&self, name: &str) -> Option<i32> {
        self.number.iter().find(|n| n.name == name).map(|n| n.value)
    }

    /// A term by its name.
    pub fn term_mut(&mut self, name: &str) -> Option<&mut Term> {
        self.term.iter_mut().find(|t| t.name == name)
    }

    /// The file's text.
    pub fn render(&self) -> String {
        let mut text = self.header.clone();
        for n in &self.number {
            write!(
                text,
                "\n[[number]]\nname = {:?}\nabout = {:?}\nvalue = {}\n",
                n.name, n.about, n.value
            )
            .unwrap();
        }
        for t in &self.term {
            write!(
                text,
                "\n[[term]]\nname = {:?}\ngroup = {:?}\nabout = {:?}\n",
                t.name, t.group, t.about
            )
            .unwrap();
            if t.danger {
                text.push_str("danger = true\n");
            }
            if t.columns > 0 {
                writeln!(text, "columns = {}", t.columns).unwrap();
            }
            writeln!(text, "mg = {}\neg = {}", t.mg.render(t.columns), t.eg.render(t.columns)).unwrap();
        }
        text
    }
}

/// Writes `<game>_weights.rs` for each game with a file: the numbers, the index of each term, `COUNT`, `DANGER` (the first
/// index of a danger weight), `TERMS` (name, group, first index, length) and `TABLE`, padded to a power of two
/// so that a masked index needs no check. The including module has `Tapered` in scope.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    for game in ["chess", "xiangqi"] {
        let path = request.tables.join(format!("{game}_eval.toml"));
        if path.exists() {
            write(request, &format!("{game}_weights.rs"), code(&Weights::read(&path)?))?;
        }
    }
    Ok(())
}

fn code(weights: &Weights) -> String {
    let mut code = String::new();
    for n in &weights.number {
        writeln!(
            code,
            "/// {}\npub const {}: i32 = {};",
            n.about,
            n.name.to_uppercase(),
            n.value
        )
        .unwrap();
    }
    let terms = weights.terms();
    let mut list = String::new();
    let mut table = String::new();
    let mut index = 0;
    let mut danger = None;
    for t in &terms {
        if t.danger && danger.is_none() {
            danger = Some(index);
        }
        writeln!(
            code,
            "/// {} ({} of them)\npub const {}: usize = {index};",
            t.about,
            t.len(),
            t.name.to_uppercase()
        )
        .unwrap();
        writeln!(list, "    ({:?}, {:?}, {index}, {}),", t.name, t.group, t.len()).unwrap();
        for i in 0..t.len() {
            let (mg, eg) = t.get(i);
            writeln!(table, "    Tapered::new({mg}, {eg}),").unwrap();
        }
        index += t.len();
    }
    let slots = index.next_power_of_two();
    for _ in index..slots {
        table.push_str("    Tapered::ZERO,\n");
    }
    let danger = danger.unwrap_or(index);
    writeln!(
        code,
        "/// How many weights there are.\npub const COUNT: usize = {index};"
    )
    .unwrap();
    writeln!(
        code,
        "/// The first weight whose middle-game half counts king danger.\npub const DANGER: usize = {danger};"
    )
    .unwrap();
    writeln!(code, "/// Name, group, first index and length of each term, by index.").unwrap();
    writeln!(code, "pub const TERMS: &[(&str, &str, usize, usize)] = &[\n{list}];").unwrap();
    writeln!(
        code,
        "/// All weights, padded.\npub static TABLE: [Tapered; {slots}] = [\n{table}];"
    )
    .unwrap();
    code
}
