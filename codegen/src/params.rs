//! `search.toml`: a function per search parameter and game; with `tune`, a table of what they are set to.

use std::fmt::Write;

use serde::Deserialize;

use crate::{Problem, Request, read_toml, write};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    param: Vec<Param>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Param {
    name: String,
    chess: i32,
    /// Chess's value where it is absent.
    xiangqi: Option<i32>,
    min: i32,
    max: i32,
    /// How far SPSA steps at the end of a run.
    step: f64,
    about: String,
}

/// Writes `params_chess.rs`, `params_xiangqi.rs` and `tune.rs`.
pub fn generate(request: &Request<'_>) -> Result<(), Problem> {
    let path = request.tables.join("search.toml");
    let file: File = read_toml(&path)?;
    let mut table = String::from("/// Every search parameter of every game.\npub static PARAMS: [Param; COUNT] = [\n");
    let mut index = 0;
    for game in ["chess", "xiangqi"] {
        let mut code = String::new();
        for p in &file.param {
            let value = if game == "chess" {
                p.chess
            } else {
                p.xiangqi.unwrap_or(p.chess)
            };
            if !(p.min..=p.max).contains(&value) {
                return Err(Problem::new(
                    &path,
                    format!("{} = {value} is outside {}..{}", p.name, p.min, p.max),
                ));
            }
            let body = match request.tune {
                true => format!("crate::tune::PARAMS[{index}].get()"),
                false => value.to_string(),
            };
            writeln!(
                code,
                "/// {}\n#[inline(always)]\npub fn {}() -> i32 {{\n    {body}\n}}",
                p.about, p.name
            )
            .unwrap();
            writeln!(
                table,
                "    Param::new({:?}, {value}, {}, {}, {:?}),",
                format!("{game}_{}", p.name),
                p.min,
                p.max,
                p.step
            )
            .unwrap();
            index += 1;
        }
        write(request, &format!("params_{game}.rs"), code)?;
    }
    table.push_str("];\n");
    let table = table.replace("COUNT", &index.to_string());
    write(request, "tune.rs", table)
}
