//! Counts the events in the life of a team, and names the ones that must never happen.

use super::server::LogTally;

/// An event that must never happen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Violation {
    /// A payment was made twice, although every operator followed the app.
    PaidTwice,
    /// Two machines, or two windows with the same account, were sending at the same time.
    Overlap,
    /// The withdrawal's state in a journal contradicts the bank's ledger.
    Untrue,
    /// A journal could not be used, or two machines have different journals.
    NoJournal,
    /// At the end, a withdrawal was open and could not be decided.
    LeftOpen,
}

/// How often each kind of event happened. The tests check that every kind did happen.
#[derive(Debug, Clone, Default)]
pub struct Tally {
    pub log: LogTally,
    pub sends: u64,
    pub payouts: u64,
    /// Attempts that were not sent because they had begun too long ago.
    pub leash_refusals: u64,
    /// Attempts that were not sent because the connection to the log was known to be lost.
    pub cut_before_send: u64,
    /// Refusals because another machine may have been sending.
    pub waits: u64,
    /// Decisions about a withdrawal that another machine sent.
    pub takeovers: u64,
    /// Warnings about a withdrawal that another machine had prepared.
    pub prepared_clashes: u64,
    /// Writes in doubt.
    pub doubts: u64,
    /// Ends of attempts that were kept in an outbox.
    pub kept_ends: u64,
    pub forks: u64,
    pub disk_failures: u64,
    pub deaths: u64,
    pub reboots: u64,
    /// Lives in which the clocks of the machines differ in speed.
    pub drifts: u64,
}

impl Tally {
    /// The count of each kind of event.
    pub fn counts(&self) -> Vec<u64> {
        let mut counts = self.log.counts().to_vec();
        counts.extend([
            self.sends,
            self.payouts,
            self.leash_refusals,
            self.cut_before_send,
            self.waits,
            self.takeovers,
            self.prepared_clashes,
            self.doubts,
            self.kept_ends,
            self.forks,
            self.disk_failures,
            self.deaths,
            self.reboots,
            self.drifts,
        ]);
        counts
    }

    pub fn add(&mut self, other: &Tally) {
        self.log.add(&other.log);
        self.sends += other.sends;
        self.payouts += other.payouts;
        self.leash_refusals += other.leash_refusals;
        self.cut_before_send += other.cut_before_send;
        self.waits += other.waits;
        self.takeovers += other.takeovers;
        self.prepared_clashes += other.prepared_clashes;
        self.doubts += other.doubts;
        self.kept_ends += other.kept_ends;
        self.forks += other.forks;
        self.disk_failures += other.disk_failures;
        self.deaths += other.deaths;
        self.reboots += other.reboots;
        self.drifts += other.drifts;
    }
}
