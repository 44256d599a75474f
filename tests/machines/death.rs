//! Lets a test process kill itself with SIGKILL at a chosen point.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread;

use balcao::journal::{Disk, DiskStep};
use serde::{Deserialize, Serialize};

use crate::process::die;

/// A point where a test process may kill itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Point {
    /// Before the disk step with this index in `DiskStep::ALL`.
    Before(usize),
    /// During the disk step with this index.
    During(usize),
    /// After the disk step with this index.
    After(usize),
    /// After the process locked the account for sending, but before it writes anything.
    Locked,
    /// After the attempt to send was written to disk, but before the request is sent.
    Permitted,
    /// After the start of the attempt was reported to the app.
    Began,
    /// After the bank's reply arrived, but before it is written to disk.
    Answered,
    /// After the outcome of the attempt was written to disk.
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

/// Counts how often the process reaches each point, and kills it at the planned point.
#[derive(Clone)]
pub struct Death {
    dies: Option<(Point, u32)>,
    spins: u32,
    passed: Arc<Mutex<HashMap<Point, u32>>>,
}

impl Death {
    /// Plans a kill: the process is killed when it reaches a point for the nth time (counted from
    /// 1).
    ///
    /// With [`Point::During`], a thread kills the process after `spins` iterations of a busy loop.
    pub fn planned(dies: Option<(Point, u32)>, spins: u32) -> Death {
        Death { dies, spins, passed: Arc::default() }
    }

    /// Returns how often the process reached each point.
    pub fn passed(&self) -> Vec<(Point, u32)> {
        let passed = self.passed.lock().expect("one thread");
        passed.iter().map(|(point, times)| (*point, *times)).collect()
    }

    /// Counts one more visit of this point. Returns true if the process must now kill itself.
    fn is_up(&self, point: Point) -> bool {
        let mut passed = self.passed.lock().expect("one thread");
        let times = passed.entry(point).or_default();
        *times += 1;
        self.dies == Some((point, *times))
    }

    /// Records that the point was reached, and kills the process if this was planned.
    pub fn pass(&self, point: Point) {
        if self.is_up(point) {
            die();
        }
    }
}

/// The real disk, except that the process is killed before, during or after the planned step.
pub struct DeadlyDisk(pub Death);

impl Disk for DeadlyDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let number = DiskStep::ALL.iter().position(|one| *one == step).expect("a step");
        self.0.pass(Point::Before(number));
        let dies_amid = self.0.is_up(Point::During(number));
        if dies_amid {
            let spins = self.0.spins;
            // Kill from another thread, so that the kill can interrupt SQLite in the middle of a
            // write.
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
