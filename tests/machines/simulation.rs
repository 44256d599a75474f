//! The simulation: cashier, journal, bank, disk and clocks run on one thread, so that a seed
//! reproduces every event.
//!
//! A simulated run is called a life. A seller uses two windows (processes) of the app to make
//! several payments, while faults and restarts happen at random. Start reading at `life.rs`.

mod life;
mod outside;
mod window;
mod wire;

use self::life::{World, run_life};
use self::outside::{STATES, Tally, Violation};
use crate::bank::BankKind;
use crate::effort::{
    Effort, Seeds, format_thousands, on_threads, print_figure, print_line, seed_from_env,
};

/// The number of threads that simulate random runs (lives) at the same time.
const THREADS: usize = 2;

/// The number of consecutive seeds that a thread takes at a time.
const BLOCK: u64 = 500;

/// Returns how many lives (random runs) to simulate with the kinds of bank that imitate real banks.
fn life_count() -> u64 {
    match Effort::from_env() {
        Effort::Small => 2_000,
        Effort::Usual => 200_000,
        Effort::Long => 50_000_000,
    }
}

#[test]
fn no_life_with_a_bank_that_keeps_its_word_pays_twice() {
    if let Some(seed) = seed_from_env() {
        return replay(seed, None);
    }
    let (tally, failure) = run_lives(life_count(), None, World::new);
    print_line(&format!("{} lives: {tally:?}", life_count()));
    if let Some((seed, violation)) = failure {
        let trace = run_life(&World::new(), seed, None, true).trace.join("\n");
        panic!("BALCAO_SEED={seed}: {violation:?}\n{trace}");
    }
    print_figure(&format!(
        "{} lives, some {:.1} million sends",
        format_thousands(life_count()),
        tally.sends as f64 / 1e6
    ));
    // Check that every kind of event happened at least once. Otherwise, the simulation did not test
    // it.
    let counts = [
        tally.resends,
        tally.refused,
        tally.disk_failures,
        tally.deaths,
        tally.unrecorded,
        tally.reboots,
        tally.payouts,
        tally.lessons,
        tally.refused_lessons,
    ];
    assert!(counts.iter().all(|count| *count > 0), "{tally:?}");
    for (state, count) in STATES.iter().zip(tally.ends) {
        assert!(count > 0, "no withdrawal ended {state}");
    }
}

#[test]
fn every_broken_bank_is_seen_to_pay_twice() {
    for kind in BankKind::BROKEN {
        let (_, failure) = run_lives(life_count(), Some(kind), World::new);
        let Some((seed, violation)) = failure else {
            panic!("nothing was seen of {kind:?}")
        };
        print_line(&format!("{kind:?}: {violation:?} with seed {seed}"));
        assert_eq!(violation, Violation::PaidTwice, "{kind:?}, seed {seed}");
    }
}

#[test]
fn immediate_resend_is_detected_as_paid_twice() {
    let (_, failure) = run_lives(
        life_count(),
        Some(BankKind::RemembersOncePaid),
        World::with_immediate_resend,
    );
    let Some((seed, violation)) = failure else {
        panic!("nothing was seen")
    };
    print_line(&format!("a resend at once: {violation:?} with seed {seed}"));
    assert_eq!(violation, Violation::PaidTwice, "seed {seed}");
}

#[test]
fn a_seed_replays() {
    let world = World::new();
    for seed in 0..20 {
        let first = run_life(&world, seed, None, true);
        let second = run_life(&world, seed, None, true);
        assert_eq!(first.trace, second.trace, "seed {seed}");
        assert!(first.trace.len() > 3);
    }
}

fn replay(seed: u64, kind: Option<BankKind>) {
    let result = run_life(&World::new(), seed, kind, true);
    print_line(&result.trace.join("\n"));
    assert_eq!(result.violation, None, "seed {seed}");
}

/// Simulates a life (random run) for each seed. Stops after `count` of them, or after a life that
/// violates a rule.
fn run_lives(
    count: u64,
    kind: Option<BankKind>,
    world: impl Fn() -> World + Sync,
) -> (Tally, Option<(u64, Violation)>) {
    let seeds = Seeds::new(0..count);
    let run_blocks = || {
        let world = world();
        let mut tally = Tally::default();
        while let Some(block) = seeds.next_block(BLOCK) {
            for seed in block {
                let result = run_life(&world, seed, kind, false);
                tally.add(&result.tally);
                if let Some(violation) = result.violation {
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
