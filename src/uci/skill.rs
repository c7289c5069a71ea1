//! Weakened play: shallower or shorter searches, and a choice among the scored root moves.

use std::time::{SystemTime, UNIX_EPOCH};

use rand_xoshiro::SplitMix64;
use rand_xoshiro::rand_core::{RngCore, SeedableRng};

use super::score::internal;
use crate::engine::{Limits, RootLine};
use crate::options::Options;

/// How play is weakened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skill {
    /// No deeper than this many plies.
    depth: Option<i32>,
    /// No more than about this many nodes.
    nodes: Option<u64>,
    /// Each root move's score is shifted by up to this many centipawns, up or down.
    noise: i32,
    seed: u64,
}

impl Skill {
    /// What the options ask for, `None` at full strength.
    pub fn of(options: &Options) -> Option<Skill> {
        let seed = options.skill_seed;
        let level = match options.skill_level {
            0 => Some(Skill {
                depth: Some(3),
                nodes: None,
                noise: 150,
                seed,
            }),
            1 => Some(Skill {
                depth: Some(5),
                nodes: None,
                noise: 50,
                seed,
            }),
            _ => None,
        };
        if !options.limit_strength {
            return level;
        }
        let elo = Skill {
            depth: level.and_then(|l| l.depth),
            ..Skill::by_elo(options.elo, seed)
        };
        Some(Skill {
            noise: level.map_or(0, |l| l.noise).max(elo.noise),
            ..elo
        })
    }

    /// Below `NOISELESS_ELO` every root move is scored, with noise that falls as the budget grows; from there on the budget
    /// alone tells levels apart.
    fn by_elo(elo: i32, seed: u64) -> Skill {
        let (nodes, noise) = if elo < NOISELESS_ELO {
            let below = (NOISELESS_ELO - elo) as f64 / (NOISELESS_ELO - LOWEST_ELO) as f64;
            (
                NOISY_NODES[0] * (NOISY_NODES[1] / NOISY_NODES[0]).powf(1.0 - below),
                MOST_NOISE * below,
            )
        } else {
            let above = (elo - NOISELESS_ELO) as f64 / (HIGHEST_ELO - NOISELESS_ELO) as f64;
            (PURE_NODES[0] * (PURE_NODES[1] / PURE_NODES[0]).powf(above), 0.0)
        };
        Skill {
            depth: None,
            nodes: Some(nodes as u64),
            noise: noise.round() as i32,
            seed,
        }
    }

    /// Whether every root move needs a score of its own.
    pub fn scores_all_moves(&self) -> bool {
        self.noise > 0
    }

    /// The limits of a search that may not go beyond this skill.
    pub fn limit(&self, limits: Limits) -> Limits {
        let least = |given: Option<i32>, own: Option<i32>| given.into_iter().chain(own).min();
        Limits {
            depth: least(limits.depth, self.depth),
            soft_nodes: limits.soft_nodes.into_iter().chain(self.nodes).min(),
            ..limits
        }
    }

    /// The line to play: of all lines, each with its own score, the best after the shift. The same seed and position
    /// always shift alike.
    pub fn choose<'a>(&self, lines: &'a [RootLine], key: u64) -> Option<&'a RootLine> {
        let seed = if self.seed == 0 { from_clock() } else { self.seed };
        let mut random = SplitMix64::seed_from_u64(seed ^ key);
        // By move, not by rank, so that the shift of a move does not depend on the others' scores.
        let mut order: Vec<&RootLine> = lines.iter().filter(|line| !line.pv.is_empty()).collect();
        order.sort_by_key(|line| line.pv[0]);
        let span = 2 * self.noise as u64 + 1;
        let mut shift = || internal((random.next_u64() % span) as i32 - self.noise);
        order.into_iter().max_by_key(|line| line.score + shift())
    }
}

/// The range of `UCI_Elo`.
const LOWEST_ELO: i32 = 800;
const HIGHEST_ELO: i32 = 2800;
/// From here on play is weakened by nodes alone.
const NOISELESS_ELO: i32 = 2200;
/// Nodes, shared by all root moves, at the lowest level and just below `NOISELESS_ELO`.
const NOISY_NODES: [f64; 2] = [150.0, 80_000.0];
/// Centipawns of noise at the lowest level.
const MOST_NOISE: f64 = 150.0;
/// Nodes of an ordinary search at `NOISELESS_ELO` and at the highest level.
const PURE_NODES: [f64; 2] = [10_000.0, 1_000_000.0];

fn from_clock() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |since| since.as_nanos() as u64)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::Bound;

    fn line(mv: u16, score: i32) -> RootLine {
        RootLine {
            score,
            bound: Bound::Exact,
            depth: 3,
            seldepth: 3,
            pv: vec![mv],
        }
    }

    fn options(level: i32, seed: u64) -> Options {
        Options {
            skill_level: level,
            skill_seed: seed,
            ..Options::default()
        }
    }

    #[test]
    fn levels_cap_the_depth() {
        assert_eq!(Skill::of(&options(2, 0)), None);
        for (level, cap) in [(0, 3), (1, 5)] {
            let skill = Skill::of(&options(level, 1)).expect("weakened");
            let depth = |asked| {
                skill
                    .limit(Limits {
                        depth: asked,
                        ..Limits::default()
                    })
                    .depth
            };
            assert_eq!(
                (depth(None), depth(Some(2)), depth(Some(30))),
                (Some(cap), Some(2), Some(cap))
            );
        }
    }

    #[test]
    fn choices_stay_within_the_noise_and_repeat_under_a_seed() {
        let cp = |mv, cp| line(mv, internal(cp));
        let lines = [cp(10, 0), cp(11, -80), cp(12, -99), cp(13, -101), cp(14, -400)];
        let mut seen = std::collections::HashSet::new();
        for key in 0..500 {
            let skill = Skill::of(&options(1, 7)).expect("weakened");
            let chosen = skill.choose(&lines, key).expect("a line").pv[0];
            assert_eq!(skill.choose(&lines, key).expect("a line").pv[0], chosen);
            seen.insert(chosen);
        }
        assert!(seen.contains(&10) && seen.contains(&11), "{seen:?}");
        assert!(!seen.contains(&13) && !seen.contains(&14), "{seen:?}");
    }

    #[test]
    fn elo_grows_with_nodes_and_falling_noise() {
        let skills: Vec<Skill> = (800..=2800).step_by(100).map(|elo| Skill::by_elo(elo, 1)).collect();
        let noisy = skills.partition_point(|s| s.noise > 0);
        assert!(skills[..noisy].is_sorted_by_key(|s| s.nodes) && skills[noisy..].is_sorted_by_key(|s| s.nodes));
        assert!(skills.is_sorted_by_key(|s| -s.noise));
        assert_eq!(skills.last().map(|s| s.noise), Some(0));
    }
}
