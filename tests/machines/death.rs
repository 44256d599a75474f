//! A process that ends itself at a chosen point, as `kill -9` would.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread;

use balcao::journal::{Disk, DiskStep};
use serde::{Deserialize, Serialize};

use crate::process::die;

/// Where the process may end itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// Before the durable step of this number in `DiskStep::ALL`.
    Before(usize),
    /// While it acts.
    During(usize),
    /// After it acted.
    After(usize),
    /// The cashier has the account's lock, and nothing is written.
    Locked,
    /// The attempt is on disk, and nothing is sent.
    Permitted,
    /// The cashier has said that it begins.
    Began,
    /// The wire has its answer, and nothing is written of it.
    Answered,
    /// The end is on disk.
    Settled,
}

impl std::fmt::Display for Point {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Point::Before(step) => write!(f, "before {:?}", DiskStep::ALL[*step]),
            Point::During(step) => write!(f, "during {:?}", DiskStep::ALL[*step]),
            Point::After(step) => write!(f, "after {:?}", DiskStep::ALL[*step]),
            other => write!(f, "{}", format!("{other:?}").to_lowercase()),
        }
    }
}

/// Counts the points, and ends the process at one.
#[derive(Clone)]
pub struct Death {
    dies: Option<(Point, u32)>,
    spins: u32,
    passed: Arc<Mutex<HashMap<Point, u32>>>,
}

impl Death {
    /// At this point, for the how manieth time; in the middle of a step after so many spins.
    pub fn planned(dies: Option<(Point, u32)>, spins: u32) -> Death {
        Death { dies, spins, passed: Arc::default() }
    }

    /// How often each point was passed.
    pub fn passed(&self) -> Vec<(Point, u32)> {
        let passed = self.passed.lock().expect("one thread");
        passed.iter().map(|(point, times)| (*point, *times)).collect()
    }

    /// Whether the process ends here.
    fn is_up(&self, point: Point) -> bool {
        let mut passed = self.passed.lock().expect("one thread");
        let times = passed.entry(point).or_default();
        *times += 1;
        self.dies == Some((point, *times))
    }

    /// Passes the point, or ends here.
    pub fn pass(&self, point: Point) {
        if self.is_up(point) {
            die();
        }
    }
}

/// The disk as it is, until the process ends.
pub struct DeadlyDisk(pub Death);

impl Disk for DeadlyDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let number = DiskStep::ALL.iter().position(|one| *one == step).expect("a step");
        self.0.pass(Point::Before(number));
        let dies_amid = self.0.is_up(Point::During(number));
        if dies_amid {
            let spins = self.0.spins;
            // Beside it, so that SQLite is in the middle of what it writes and syncs.
            thread::spawn(move || {
                for _ in 0..spins {
                    std::hint::spin_loop();
                }
                die();
            });
        }
        let done = act();
        if dies_amid {
            die();
        }
        self.0.pass(Point::After(number));
        done
    }
}
