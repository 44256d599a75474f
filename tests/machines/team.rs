//! The simulation of a team: operators at two machines share one log. Everything runs on one
//! thread, so that a seed reproduces every event.
//!
//! The machine shows that nothing is paid twice under the production rules, and that the same lives
//! do pay twice under weaker rules. Start reading at `life.rs`. The submodule `chaos` uses a real
//! server instead.

mod chaos;
mod database;
mod figures;
mod life;
mod outside;
mod server;
mod tally;
mod window;

use std::ops::Range;

use self::life::{Policy, run_life};
use self::tally::{Tally, Violation};
use crate::effort::{
    Effort, Seeds, format_thousands, on_threads, print_figure, print_line, seed_from_env,
};

/// The number of threads that simulate lives at the same time.
const THREADS: usize = 2;

/// The number of consecutive seeds that a thread takes at a time.
const BLOCK: u64 = 100;

/// The seeds of the lives. A short run includes one in which two machines would send at the same
/// time if they waited too little.
fn life_seeds() -> Range<u64> {
    match Effort::from_env() {
        Effort::Small => 0..2_400,
        Effort::Usual => 0..200_000,
        Effort::Long => 0..50_000_000,
    }
}

#[test]
fn no_life_of_a_team_pays_twice_or_overlaps() {
    if let Some(seed) = seed_from_env() {
        return replay(seed);
    }
    let seeds = life_seeds();
    let count = seeds.end - seeds.start;
    let (tally, failure) = run_lives(seeds, Policy::Production, |_| true);
    print_line(&format!("{count} lives: {tally:?}"));
    if let Some((seed, violation)) = failure {
        let trace = run_life(Policy::Production, seed, true).trace.join("\n");
        panic!("BALCAO_SEED={seed}: {violation:?}\n{trace}");
    }
    print_figure(&format!(
        "{} lives of a team, some {:.1} million sends",
        format_thousands(count),
        tally.sends as f64 / 1e6
    ));
    // Check that every kind of event happened at least once. Otherwise, the simulation did not test
    // it.
    assert!(tally.counts().iter().all(|count| *count > 0), "{tally:?}");
}

#[test]
fn every_weaker_rule_is_seen_to_pay_twice() {
    // Each rule with a life in which it is known to pay twice. A short run has no other.
    for (policy, seed) in [
        (Policy::DatabaseLock, 1_399),
        (Policy::ReadIsProof, 84_324),
        (Policy::UnnoticedRewind, 330),
    ] {
        let seeds = match Effort::from_env() {
            Effort::Small => seed..seed + 1,
            Effort::Usual | Effort::Long => 0..200_000,
        };
        let is_double = |violation| violation == Violation::PaidTwice;
        let (_, failure) = run_lives(seeds, policy, is_double);
        let Some((seed, _)) = failure else {
            panic!("nothing was seen of {policy:?}")
        };
        print_line(&format!("{policy:?}: paid twice with seed {seed}"));
    }
}

#[test]
fn a_seed_replays_the_same_life() {
    for seed in 0..20 {
        let [first, second] = [0, 1].map(|_| run_life(Policy::Production, seed, true).trace);
        assert_eq!(first, second, "seed {seed}");
        assert!(first.len() > 3);
    }
}

fn replay(seed: u64) {
    let result = run_life(Policy::Production, seed, true);
    print_line(&result.trace.join("\n"));
    assert_eq!(result.violations, [], "seed {seed}");
}

/// Simulates a life for each seed. Stops early after a life with a violation for which `is_sought`
/// returns true.
fn run_lives(
    seeds: Range<u64>,
    policy: Policy,
    is_sought: impl Fn(Violation) -> bool + Sync,
) -> (Tally, Option<(u64, Violation)>) {
    let seeds = Seeds::new(seeds);
    let run_blocks = || {
        let mut tally = Tally::default();
        while let Some(block) = seeds.next_block(BLOCK) {
            for seed in block {
                let result = run_life(policy, seed, false);
                tally.add(&result.tally);
                let mut violations = result.violations.into_iter();
                if let Some(violation) = violations.find(|violation| is_sought(*violation)) {
                    seeds.stop();
                    return (tally, Some((seed, violation)));
                }
            }
        }
        (tally, None)
    };
    let mut total = (Tally::default(), None);
    for (tally, failure) in on_threads(THREADS, run_blocks) {
        total.0.add(&tally);
        total.1 = total.1.or(failure);
    }
    total
}
