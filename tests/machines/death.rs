//! Lets a test process kill itself with SIGKILL at a chosen point.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex};
use std::thread;

use balcao::journal::{Disk, DiskStep};
use serde::{Deserialize, Serialize};

use crate::process::kill_self;

/// A point where a test process may kill itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum KillPoint {
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

impl std::fmt::Display for KillPoint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            KillPoint::Before(step) => write!(f, "before {:?}", DiskStep::ALL[*step]),
            KillPoint::During(step) => write!(f, "during {:?}", DiskStep::ALL[*step]),
            KillPoint::After(step) => write!(f, "after {:?}", DiskStep::ALL[*step]),
            other => write!(f, "{}", format!("{other:?}").to_lowercase()),
        }
    }
}

/// Counts how often the process reaches each point, and kills it at the planned point.
#[derive(Clone)]
pub struct PlannedKill {
    planned: Option<(KillPoint, u32)>,
    spins: u32,
    visits: Arc<Mutex<HashMap<KillPoint, u32>>>,
}

impl PlannedKill {
    /// Plans to kill the process when it reaches a point for the nth time (counted from 1). If
    /// `planned` is `None`, it is never killed.
    ///
    /// With [`KillPoint::During`], a thread kills the process after `spins` iterations of a busy
    /// loop.
    pub fn new(planned: Option<(KillPoint, u32)>, spins: u32) -> PlannedKill {
        PlannedKill {
            planned,
            spins,
            visits: Arc::default(),
        }
    }

    /// Returns how often the process reached each point.
    pub fn visits(&self) -> Vec<(KillPoint, u32)> {
        let visits = self.visits.lock().expect("one thread");
        visits
            .iter()
            .map(|(point, times)| (*point, *times))
            .collect()
    }

    /// Counts one more visit of this point. Returns true if the process must now kill itself.
    fn count_visit(&self, point: KillPoint) -> bool {
        let mut visits = self.visits.lock().expect("one thread");
        let times = visits.entry(point).or_default();
        *times += 1;
        self.planned == Some((point, *times))
    }

    /// Records that the point was reached, and kills the process if this was planned.
    pub fn visit(&self, point: KillPoint) {
        if self.count_visit(point) {
            kill_self();
        }
    }
}

/// The real disk, except that the process is killed before, during or after the planned step.
pub struct DeadlyDisk(pub PlannedKill);

impl Disk for DeadlyDisk {
    fn step(&self, step: DiskStep, act: &mut dyn FnMut() -> io::Result<()>) -> io::Result<()> {
        let number = DiskStep::ALL
            .iter()
            .position(|known| *known == step)
            .expect("a step");
        self.0.visit(KillPoint::Before(number));
        let kill_during = self.0.count_visit(KillPoint::During(number));
        if kill_during {
            let spins = self.0.spins;
            // Kill from another thread, so that the kill can interrupt SQLite in the middle of a
            // write.
            thread::spawn(move || {
                for _ in 0..spins {
                    std::hint::spin_loop();
                }
                kill_self();
            });
        }
        let result = act();
        if kill_during {
            kill_self();
        }
        self.0.visit(KillPoint::After(number));
        result
    }
}
