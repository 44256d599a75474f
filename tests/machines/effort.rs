//! Controls the amount of work that the long-running tests do, and prints their results.

use std::io::Write;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

/// The amount of work that the long-running tests do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A few seconds of work, even in a build without optimization. Used by a plain `cargo test`.
    Small,
    /// The amount of work that CI does (`.ci/run`).
    Usual,
    /// Hours of work, for runs that are started by hand.
    Long,
}

impl Effort {
    /// Reads the amount of work from the environment variable `BALCAO_MACHINES`, which is `usual`
    /// or `long`. Returns [`Effort::Small`] if it is not set.
    pub fn from_env() -> Effort {
        match std::env::var("BALCAO_MACHINES").as_deref() {
            Err(_) => Effort::Small,
            Ok("usual") => Effort::Usual,
            Ok("long") => Effort::Long,
            Ok(other) => panic!("BALCAO_MACHINES={other}: usual or long"),
        }
    }
}

/// Calls `work` for each item, on this number of parallel threads.
pub fn run_in_parallel<I: Iterator<Item: Send> + Send>(
    threads: usize,
    items: I,
    work: impl Fn(I::Item) + Sync,
) {
    let items = Mutex::new(items);
    let next = || items.lock().expect("no panic").next();
    let run_items = || {
        while let Some(item) = next() {
            work(item);
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(run_items))));
}

/// The seeds of the lives that parallel threads simulate, until a life fails.
pub struct Seeds {
    next: AtomicU64,
    end: u64,
    is_stopped: AtomicBool,
}

impl Seeds {
    pub fn new(seeds: Range<u64>) -> Seeds {
        Seeds {
            next: AtomicU64::new(seeds.start),
            end: seeds.end,
            is_stopped: AtomicBool::new(false),
        }
    }

    /// The next consecutive seeds for a thread. Returns `None` if all were taken, or a life failed.
    pub fn next_block(&self, length: u64) -> Option<Range<u64>> {
        let first = self.next.fetch_add(length, Ordering::Relaxed);
        let is_over = first >= self.end || self.is_stopped.load(Ordering::Relaxed);
        (!is_over).then(|| first..(first + length).min(self.end))
    }

    /// Gives out no more seeds, because a life failed.
    pub fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }
}

/// Runs the same work on this number of parallel threads. Returns all results.
pub fn on_threads<T: Send>(threads: usize, work: impl Fn() -> T + Sync) -> Vec<T> {
    thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(&work)).collect();
        let results = threads.into_iter().map(|thread| thread.join());
        results
            .map(|result| result.expect("a life panicked"))
            .collect()
    })
}

/// Returns the seed from the environment variable `BALCAO_SEED`, if it is set. Tests then run only
/// this seed.
pub fn seed_from_env() -> Option<u64> {
    let seed = std::env::var("BALCAO_SEED").ok()?;
    Some(seed.parse().expect("BALCAO_SEED is a number"))
}

/// Prints a line to standard error.
pub fn print_line(text: &str) {
    // Do not use `println!`, because the test runner hides the output of tests that pass.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a figure that CONTRIBUTING.md quotes. The script `.ci/machine` checks that the printed
/// and quoted figures are equal.
pub fn print_figure(figure: &str) {
    print_line(&format!("figure: {figure}"));
}

/// Formats a number with thousands separators, for example `44,869,321`.
pub fn format_thousands(number: u64) -> String {
    let digits = number.to_string();
    let (first, rest) = digits.split_at((digits.len() + 2) % 3 + 1);
    let groups = rest
        .as_bytes()
        .chunks(3)
        .map(|group| String::from_utf8_lossy(group).into_owned());
    [first.to_owned()]
        .into_iter()
        .chain(groups)
        .collect::<Vec<_>>()
        .join(",")
}

/// Rounds a number to a multiple of fifty. CONTRIBUTING.md quotes the rounded number, because the
/// exact number differs between computers.
pub fn round_to_fifty(number: usize) -> usize {
    (number + 25) / 50 * 50
}
