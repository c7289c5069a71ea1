//! The protocol: text to typed commands, and typed reports to text. No search logic.
//!
//! | file | holds |
//! | --- | --- |
//! | `arguments` | the command line |
//! | `input` | the thread that reads lines |
//! | `command`, `go` | lines to commands |
//! | `session` | what commands do, and in which order |
//! | `board` | the position that `go` starts from |
//! | `host` | threads and memory behind the session |
//! | `skill` | weakened play |
//! | `reporter`, `score` | reports of a search to `info` lines |
//! | `output` | the one way out |

pub mod arguments;
pub mod board;
pub mod command;
pub mod go;
pub mod host;
mod input;
pub mod output;
pub mod reporter;
pub mod score;
pub mod session;
pub mod skill;
