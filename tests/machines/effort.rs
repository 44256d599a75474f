//! Controls the amount of work that the long-running tests do, and prints their results.

use std::io::Write;
use std::sync::Mutex;
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
