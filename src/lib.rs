//! Baize: a chess and xiangqi engine. One search, compiled once per game and CPU target.

pub mod core;
pub mod cpu;
pub mod engine;
pub mod network;
pub mod options;
pub mod position;
pub mod shared;
pub mod tables;
pub mod tools;
pub mod tune;
pub mod uci;
