//! The table of options in README.md is the one that `tables/options.toml` makes.

use std::path::Path;

#[test]
fn the_readme_lists_the_options_as_they_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = std::fs::read_to_string(root.join("README.md")).expect("README.md is there");
    let fresh = baize_codegen::refresh_readme(&readme, &root.join("tables")).expect("the tables are good");
    assert_eq!(
        readme, fresh,
        "README.md is stale: run `cargo run -p baize-codegen -- readme`"
    );
}
