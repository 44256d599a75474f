//! How long the machines run, and where they say what they found.

use std::io::Write;
use std::sync::Mutex;
use std::thread;

/// How much is tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effort {
    /// In a plain `cargo test`: seconds, without optimisation.
    Small,
    /// In `.ci/run`: what is required.
    Usual,
    /// By hand, with hours to spare.
    Long,
}

impl Effort {
    /// What `BALCAO_MACHINES` asks for: `usual`, `long`, or nothing.
    pub fn wanted() -> Effort {
        match std::env::var("BALCAO_MACHINES").as_deref() {
            Err(_) => Effort::Small,
            Ok("usual") => Effort::Usual,
            Ok("long") => Effort::Long,
            Ok(other) => panic!("BALCAO_MACHINES={other}: usual or long"),
        }
    }
}

/// Does this with each of these, on so many threads at once.
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

/// The one seed to replay, if `BALCAO_SEED` names one.
pub fn seed() -> Option<u64> {
    let seed = std::env::var("BALCAO_SEED").ok()?;
    Some(seed.parse().expect("BALCAO_SEED is a number"))
}

/// Says a figure that somebody may want to read.
pub fn say(text: &str) {
    // Not `println!`: the test runner would keep it to itself when all is well.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// Prints a figure that CONTRIBUTING must have: `.ci/machine` compares them.
pub fn promised(figure: &str) {
    say(&format!("figure: {figure}"));
}

/// Formats a number as CONTRIBUTING does: 44,869,321.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let (first, rest) = digits.split_at((digits.len() + 2) % 3 + 1);
    let groups = rest.as_bytes().chunks(3).map(|group| String::from_utf8_lossy(group).into_owned());
    [first.to_owned()].into_iter().chain(groups).collect::<Vec<_>>().join(",")
}

/// A number that is not the same everywhere, as CONTRIBUTING gives it: to the next fifty.
pub fn some(number: usize) -> usize {
    (number + 25) / 50 * 50
}
