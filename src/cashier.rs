//! The one door money leaves by.
//!
//! [`attempt`] only orders the steps: take the account's lock, write the attempt down, send it,
//! write down how it ended, let the lock go. What is not on disk cannot be sent: sending takes a
//! [`Permit`], and only the journal makes one. An end that a journal held by somebody does not take
//! is left over as [`Unwritten`], and the lock with it.

use std::future::Future;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::journal::money::{MoneyJournal, NotSettled, WriteRefused};
use crate::journal::{Disk, Permit, Spent};
use crate::trade::withdrawal::{AttemptEnd, Window};
use crate::trade::{Clocks, IdempotencyKey, JournalTrouble, Withdrawal};

/// Reads the three clocks at once.
pub trait Clock {
    /// Returns the present reading.
    fn now(&self) -> Clocks;
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> Clocks {
        C::now(self)
    }
}

/// Sends one attempt and says how it ended.
pub trait Wire {
    /// Sends what the permit permits, once, and classifies what came back.
    ///
    /// It always gives the spent permit back, also when nothing could be sent.
    fn send(&self, permit: Permit) -> impl Future<Output = (Spent, AttemptEnd)>;
}

/// The cashier's reports while it works.
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// Nothing left this machine, and no attempt was begun.
    NotBegun {
        /// The withdrawal.
        key: IdempotencyKey,
        /// The reason.
        why: WriteRefused,
    },
    /// The attempt is on disk, and is being sent from now on.
    Began {
        /// The withdrawal.
        key: IdempotencyKey,
        /// Which attempt; 1 for the first.
        n: u32,
    },
    /// The attempt ended, and how it ended is on disk.
    Settled(Withdrawal),
    /// The attempt ended, but how it ended could not be written down.
    ///
    /// It is uncertain that it is on disk: after a restart its outcome may be unknown. Where
    /// another window only held the journal, it may be [settled](Report::Settled) later.
    Unrecorded {
        /// The withdrawal.
        key: IdempotencyKey,
        /// Which attempt.
        n: u32,
        /// The end of the attempt, known as long as this program runs.
        end: AttemptEnd,
        /// The reason it is not on disk.
        trouble: JournalTrouble,
    },
}

/// Makes one attempt to send a prepared withdrawal, or one whose outcome is unknown.
///
/// The journal is only borrowed for the writes before and after, never while the service is
/// waited for. Dropped in between, the attempt stays without an end: unknown, never forgotten.
/// What is given back is an end that somebody who holds the journal kept from being written.
pub async fn attempt<D: Disk>(
    key: IdempotencyKey,
    window: &Window,
    journal: &Mutex<MoneyJournal<D>>,
    wire: &impl Wire,
    clock: &impl Clock,
    mut report: impl FnMut(Report),
) -> Option<Unwritten> {
    let permit = match begin(key, window, journal, clock) {
        Ok(permit) => permit,
        Err(why) => {
            report(Report::NotBegun { key, why });
            return None;
        }
    };
    report(Report::Began { key, n: permit.n() });
    let (spent, end) = wire.send(permit).await;
    let ended = Unwritten { spent, end, is_told: false };
    ended.write_down(journal, report)
}

/// The end of an attempt, kept while another window holds the journal that is to record it.
///
/// With it the account's lock is held: nothing else of the account is sent while only this program
/// knows how this one ended. Dropped, both are let go, and on disk the attempt has no end.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down, and its account is locked until then"]
pub struct Unwritten {
    spent: Spent,
    end: AttemptEnd,
    is_told: bool,
}

impl Unwritten {
    /// Tries to write it down; returned while the journal is held, which is reported only once.
    pub fn write_down<D: Disk>(
        self,
        journal: &Mutex<MoneyJournal<D>>,
        mut report: impl FnMut(Report),
    ) -> Option<Unwritten> {
        let Unwritten { spent, end, is_told } = self;
        // Let go of before it is reported: whoever hears it may ask the journal.
        let settled = open(journal).settle(spent, &end);
        let NotSettled { spent, trouble } = match settled {
            Ok(withdrawal) => {
                report(Report::Settled(withdrawal));
                return None;
            }
            Err(not_settled) => not_settled,
        };
        let is_held = matches!(trouble, JournalTrouble::Busy(_));
        if !is_held || !is_told {
            let (key, n) = (spent.key(), spent.n());
            report(Report::Unrecorded { key, n, end: end.clone(), trouble });
        }
        is_held.then_some(Unwritten { spent, end, is_told: true })
    }
}

/// The lock first, so that the clocks are read when the attempt really begins.
fn begin<D: Disk>(
    key: IdempotencyKey,
    window: &Window,
    journal: &Mutex<MoneyJournal<D>>,
    clock: &impl Clock,
) -> Result<Permit, WriteRefused> {
    let mut journal = open(journal);
    let lock = journal.lock(key)?;
    journal.begin(lock, key, &clock.now(), window)
}

/// A thread that panicked with the journal in hand left it readable: each write stands on disk.
fn open<D: Disk>(journal: &Mutex<MoneyJournal<D>>) -> MutexGuard<'_, MoneyJournal<D>> {
    journal.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests;
