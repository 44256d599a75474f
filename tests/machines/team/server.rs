//! The simulated database server of a team, and the connection of a window to it.
//!
//! The server has a primary and a standby. A row is visible as soon as the primary has it, and
//! acknowledged once the standby has it too. If the standby takes over, rows that were never
//! acknowledged are lost.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use balcao::journal::money::{Checksum, EventRow, Log, NotAppended};
use balcao::trade::{Author, JournalTrouble};

use crate::chance::Random;

/// The number of machines in a team.
pub const MACHINES: usize = 2;

/// The server, which all windows of all machines share.
#[derive(Clone)]
pub struct Server(Arc<Mutex<State>>);

pub struct State {
    random: Random,
    /// The percentage of appends to which a fault happens.
    pub faults: u64,
    rows: Vec<LogRow>,
    /// The number of servers that were in charge, one after the other.
    timeline: u32,
    /// The number of rows that the standby has.
    replicated: usize,
    /// Rows whose connections were lost, and which have not arrived yet.
    late: Vec<LogRow>,
    pub is_offline: [bool; MACHINES],
    /// The machine whose session holds the lock of the database. Only a weaker policy uses it.
    pub lock_holder: Option<usize>,
    pub tally: LogTally,
}

#[derive(Clone)]
struct LogRow {
    row: EventRow,
    before: Checksum,
}

/// How often each kind of event happened at the server.
#[derive(Debug, Clone, Copy, Default)]
pub struct LogTally {
    pub appends: u64,
    pub outruns: u64,
    pub lost_before: u64,
    pub lost_after: u64,
    pub late: u64,
    pub late_landings: u64,
    pub offline: u64,
    /// Takeovers by the standby that lost rows.
    pub takeovers: u64,
    /// Rewinds to an earlier state, which lost acknowledged rows.
    pub rewinds: u64,
}

impl LogTally {
    pub fn counts(&self) -> [u64; 9] {
        [
            self.appends,
            self.outruns,
            self.lost_before,
            self.lost_after,
            self.late,
            self.late_landings,
            self.offline,
            self.takeovers,
            self.rewinds,
        ]
    }

    pub fn add(&mut self, other: &LogTally) {
        self.appends += other.appends;
        self.outruns += other.outruns;
        self.lost_before += other.lost_before;
        self.lost_after += other.lost_after;
        self.late += other.late;
        self.late_landings += other.late_landings;
        self.offline += other.offline;
        self.takeovers += other.takeovers;
        self.rewinds += other.rewinds;
    }
}

impl Server {
    pub fn new(mut random: Random) -> Server {
        let faults = random.one_of(&[0, 10, 30]);
        Server(Arc::new(Mutex::new(State {
            random,
            faults,
            rows: Vec::new(),
            timeline: 1,
            replicated: 0,
            late: Vec::new(),
            is_offline: [false; MACHINES],
            lock_holder: None,
            tally: LogTally::default(),
        })))
    }

    pub fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets the standby take over. Rows that were never acknowledged are lost, and late ones cannot
    /// arrive any more.
    pub fn take_over(&self) {
        let mut state = self.state();
        let replicated = state.replicated;
        state.timeline += 1;
        state.tally.takeovers += u64::from(state.rows.len() > replicated);
        state.rows.truncate(replicated);
        state.late.clear();
        state.lock_holder = None;
    }

    /// Restores an earlier state, without up to three acknowledged rows. Returns true if rows were
    /// lost.
    pub fn rewind(&self) -> bool {
        let mut state = self.state();
        let lost = 1 + state.random.below(3) as usize;
        let length = state.replicated.saturating_sub(lost);
        let is_shorter = length < state.replicated;
        state.tally.rewinds += u64::from(is_shorter);
        state.rows.truncate(length);
        state.late.clear();
        state.replicated = length;
        state.lock_holder = None;
        is_shorter
    }

    /// Returns true if the log has this row.
    pub fn contains(&self, n: i64, sum: &Checksum) -> bool {
        let state = self.state();
        let row = state.rows.get(n as usize - 1);
        row.is_some_and(|logged| logged.row.sum == *sum)
    }

    /// The number of rows, and the checksum of the last one.
    pub fn end(&self) -> (i64, Option<Checksum>) {
        let state = self.state();
        let last = state.rows.last().map(|last| last.row.sum);
        (state.rows.len() as i64, last)
    }
}

impl State {
    /// Inserts a row if it follows the last one.
    fn insert(&mut self, new: LogRow) -> bool {
        let fits = new.row.n == self.rows.len() as i64 + 1
            && self
                .rows
                .last()
                .is_none_or(|last| last.row.sum == new.before);
        if fits {
            self.rows.push(new);
        }
        fits
    }

    /// Lets late rows arrive. A row that does not fit any more is refused.
    fn land_late_rows(&mut self) {
        for late in std::mem::take(&mut self.late) {
            if self.random.percent_chance(50) {
                self.late.push(late);
            } else if self.insert(late) {
                self.tally.late_landings += 1;
            }
        }
    }

    fn append(&mut self, new: LogRow) -> Result<(), NotAppended> {
        self.tally.appends += 1;
        self.land_late_rows();
        if self.random.percent_chance(self.faults) {
            match self.random.below(3) {
                0 => self.tally.lost_before += 1,
                1 => {
                    self.tally.lost_after += 1;
                    if self.insert(new) && self.random.percent_chance(50) {
                        self.replicated = self.rows.len();
                    }
                }
                _ => {
                    self.tally.late += 1;
                    self.late.push(new);
                }
            }
            return Err(NotAppended::Doubt("the connection was cut".into()));
        }
        if !self.insert(new) {
            self.tally.outruns += 1;
            return Err(NotAppended::Outrun);
        }
        self.replicated = self.rows.len();
        Ok(())
    }
}

/// The connection of one window to the server.
#[derive(Clone)]
pub struct MemoryLog {
    server: Server,
    machine: usize,
    liveness: Arc<Mutex<Arc<AtomicBool>>>,
    /// True if this connection takes a row that it reads for one that is durable. Only a weaker
    /// policy does.
    trusts_reads: bool,
}

impl MemoryLog {
    pub fn new(server: &Server, machine: usize, trusts_reads: bool) -> MemoryLog {
        let liveness = Arc::new(AtomicBool::new(true));
        MemoryLog {
            server: server.clone(),
            machine,
            liveness: Arc::new(Mutex::new(liveness)),
            trusts_reads,
        }
    }

    /// Ends the connection, and lets the client know. A later call connects again.
    pub fn cut(&self) {
        let mut liveness = self.liveness.lock().expect("one thread");
        liveness.store(false, Ordering::SeqCst);
        *liveness = Arc::new(AtomicBool::new(true));
    }

    fn reach(&self) -> Result<MutexGuard<'_, State>, JournalTrouble> {
        let mut state = self.server.state();
        if state.is_offline[self.machine] {
            state.tally.offline += 1;
            return Err(JournalTrouble::Offline("no route to the server".into()));
        }
        Ok(state)
    }
}

impl Log for MemoryLog {
    fn after(&mut self, n: i64, most: i64) -> Result<Vec<EventRow>, JournalTrouble> {
        let state = self.reach()?;
        let rows = state.rows.iter().skip(n as usize).take(most as usize);
        Ok(rows.map(|logged| logged.row.clone()).collect())
    }

    fn append(&mut self, rows: &[EventRow], before: &Checksum) -> Result<(), NotAppended> {
        let row = &rows[0];
        let result = self.reach()?.append(LogRow {
            row: row.clone(),
            before: *before,
        });
        if matches!(result, Err(NotAppended::Doubt(_))) {
            self.cut();
            let found = self.after(row.n - 1, 1)?.pop();
            if self.trusts_reads && found.is_some_and(|found| found.sum == row.sum) {
                return Ok(());
            }
        }
        result
    }

    fn liveness(&self) -> Arc<AtomicBool> {
        self.liveness.lock().expect("one thread").clone()
    }

    fn erase_purged(&mut self) -> Result<(), JournalTrouble> {
        unreachable!("no operator purges")
    }

    fn timeline(&self) -> Option<u32> {
        self.reach().ok().map(|state| state.timeline)
    }

    fn needs_approval(&self) -> bool {
        false
    }

    fn author(&self) -> Author {
        Author {
            role: format!("operator {}", self.machine).into(),
            operator: "an operator".into(),
            machine: format!("machine {}", self.machine).into(),
        }
    }
}
