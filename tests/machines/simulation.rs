//! The simulation: cashier, journal, bank, disk and clocks run on one thread, so that a seed
//! reproduces every event.
//!
//! A simulated run is called a life. A seller uses two windows (processes) of the app to make
//! several payments ("wishes"), while faults and restarts happen at random. Start reading at
//! `life.rs`.

mod life;
mod outside;
mod window;
mod wire;

use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use self::life::{World, live};
use self::outside::{STATES, Tally, Violation};
use crate::bank::Kind;
use crate::effort::{Effort, grouped, promised, say, seed};

/// The number of threads that simulate random runs (lives) at the same time.
const THREADS: usize = 2;

/// The number of consecutive seeds that a thread takes at a time.
const BLOCK: u64 = 500;

/// Returns how many lives (random runs) to simulate with the kinds of bank that imitate real banks.
fn lives() -> u64 {
    match Effort::wanted() {
        Effort::Small => 2_000,
        Effort::Usual => 200_000,
        Effort::Long => 50_000_000,
    }
}

#[test]
fn no_life_with_a_bank_that_keeps_its_word_pays_twice() {
    if let Some(seed) = seed() {
        return replay(seed, None);
    }
    let (tally, found) = lead(lives(), None, World::new);
    say(&format!("{} lives: {tally:?}", lives()));
    if let Some((seed, violation)) = found {
        let trace = live(&World::new(), seed, None, true).trace.join("\n");
        panic!("BALCAO_SEED={seed}: {violation:?}\n{trace}");
    }
    promised(&format!(
        "{} lives, some {:.1} million sends",
        grouped(lives()),
        tally.sends as f64 / 1e6
    ));
    // Check that every kind of event happened at least once. Otherwise, the simulation did not test
    // it.
    let happened = [
        tally.resends,
        tally.refused,
        tally.mishaps,
        tally.deaths,
        tally.unrecorded,
        tally.reboots,
        tally.payouts,
    ];
    assert!(happened.iter().all(|times| *times > 0), "{tally:?}");
    for (state, times) in STATES.iter().zip(tally.ends) {
        assert!(times > 0, "no withdrawal ended {state}");
    }
}

#[test]
fn every_broken_bank_is_seen_to_pay_twice() {
    for kind in Kind::BROKEN {
        let (_, found) = lead(lives(), Some(kind), World::new);
        let Some((seed, violation)) = found else { panic!("nothing was seen of {kind:?}") };
        say(&format!("{kind:?}: {violation:?} with seed {seed}"));
        assert_eq!(violation, Violation::PaidTwice, "{kind:?}, seed {seed}");
    }
}

#[test]
fn immediate_resend_is_detected_as_paid_twice() {
    let (_, found) = lead(lives(), Some(Kind::RemembersOncePaid), World::hasty);
    let Some((seed, violation)) = found else { panic!("nothing was seen") };
    say(&format!("a resend at once: {violation:?} with seed {seed}"));
    assert_eq!(violation, Violation::PaidTwice, "seed {seed}");
}

#[test]
fn a_seed_replays() {
    let world = World::new();
    for seed in 0..20 {
        let (one, two) = (live(&world, seed, None, true), live(&world, seed, None, true));
        assert_eq!(one.trace, two.trace, "seed {seed}");
        assert!(one.trace.len() > 3);
    }
}

fn replay(seed: u64, kind: Option<Kind>) {
    let ended = live(&World::new(), seed, kind, true);
    say(&ended.trace.join("\n"));
    assert_eq!(ended.violation, None, "seed {seed}");
}

/// Simulates a life (random run) for each seed. Stops after `lives` of them, or after a life that
/// violates a rule.
fn lead(
    lives: u64,
    kind: Option<Kind>,
    world: impl Fn() -> World + Sync,
) -> (Tally, Option<(u64, Violation)>) {
    let (next, stop) = (AtomicU64::new(0), AtomicU64::new(u64::MAX));
    let thread = || {
        let (world, mut tally, mut found) = (world(), Tally::default(), None);
        loop {
            let first = next.fetch_add(BLOCK, Ordering::Relaxed);
            if first >= lives || found.is_some() || stop.load(Ordering::Relaxed) != u64::MAX {
                return (tally, found);
            }
            for seed in first..(first + BLOCK).min(lives) {
                let ended = live(&world, seed, kind, false);
                tally.add(&ended.tally);
                if let Some(violation) = ended.violation {
                    stop.store(seed, Ordering::Relaxed);
                    found = Some((seed, violation));
                    break;
                }
            }
        }
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..THREADS).map(|_| scope.spawn(thread)).collect();
        let mut all = (Tally::default(), None);
        for thread in threads {
            let (tally, found) = thread.join().expect("a life panicked");
            all.0.add(&tally);
            all.1 = all.1.or(found);
        }
        all
    })
}
