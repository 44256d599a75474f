//! Controls the amount of work that the long-running tests do, and prints their results.

use std::io::Write;
use std::sync::Mutex;
use std::thread;

/// The amount of work that the long-running tests do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// A few seconds of work without optimization, for a plain `cargo test`.
    Small,
    /// As much work as CI does (`.ci/run`).
    Usual,
    /// Hours of work, started by hand.
    Long,
}

impl Effort {
    /// Reads the environment variable `BALCAO_MACHINES`: `usual`, `long`, or unset for
    /// [`Effort::Small`].
    pub fn wanted() -> Effort {
        match std::env::var("BALCAO_MACHINES").as_deref() {
            Err(_) => Effort::Small,
            Ok("usual") => Effort::Usual,
            Ok("long") => Effort::Long,
            Ok(other) => panic!("BALCAO_MACHINES={other}: usual or long"),
        }
    }
}

/// Calls `work` for each item, on `threads` parallel threads.
pub fn each<I: Iterator<Item: Send> + Send>(threads: usize, all: I, work: impl Fn(I::Item) + Sync) {
    let all = Mutex::new(all);
    let next = || all.lock().expect("no panic").next();
    let lead = || {
        while let Some(one) = next() {
            work(one);
        }
    };
    thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(lead))));
}

/// Returns the seed from the environment variable `BALCAO_SEED`. If set, tests run only this seed.
pub fn seed() -> Option<u64> {
    let seed = std::env::var("BALCAO_SEED").ok()?;
    Some(seed.parse().expect("BALCAO_SEED is a number"))
}

/// Prints a test result to standard error.
pub fn say(text: &str) {
    // Do not use `println!`, because the test runner hides the output of tests that pass.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a figure that CONTRIBUTING.md quotes. The script `.ci/machine` checks that both agree.
pub fn promised(figure: &str) {
    say(&format!("figure: {figure}"));
}

/// Formats a number with thousands separators: 44,869,321.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let (first, rest) = digits.split_at((digits.len() + 2) % 3 + 1);
    let groups = rest.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    [first.to_owned()].into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// Rounds to a multiple of fifty, because the exact number differs between machines and
/// CONTRIBUTING.md quotes it.
pub fn some(number: usize) -> usize {
    (number + 25) / 50 * 50
}
