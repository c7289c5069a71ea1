//! The search: one text for both games and all CPU targets.
//!
//! `root` deepens iteratively, `node` searches a node, `qsearch` its leaves. Decisions to prune, reduce and extend stand
//! in `pruning` and `reductions`, the order of moves in `picker` and `history`.

mod correction;
mod frame;
mod history;
mod node;
mod picker;
mod pruning;
mod qsearch;
mod reductions;
mod root;
mod searcher;
mod update;

pub use searcher::Searcher;
