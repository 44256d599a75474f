//! Sends withdrawals: the only code path that moves money.
//!
//! [`attempt`] runs the steps in a fixed order: take the account's lock, write the attempt to the
//! journal, send the request, write the outcome to the journal, release the lock. Sending requires
//! a [`Permit`], and only the journal can create one, so a request that is not on disk cannot be
//! sent. If another process has locked the journal, the outcome cannot be written yet. Then
//! [`attempt`] returns an [`UnrecordedOutcome`], which keeps the account's lock and allows another
//! try.

#![warn(missing_docs)]

use std::future::Future;
use std::sync::{Mutex, PoisonError};

use crate::journal::money::{MoneyJournal, NotSettled};
use crate::journal::{Permit, Spent};
use crate::trade::withdrawal::{AttemptEnd, NotDone, Retyped, Window};
use crate::trade::{Clocks, IdempotencyKey, JournalTrouble, Withdrawal};

/// Reads three clocks at the same moment: the wall clock, the time since boot, and the id of this
/// boot.
pub trait Clock {
    /// The current values of the clocks.
    fn now(&self) -> Clocks;
}

impl<C: Clock + ?Sized> Clock for std::sync::Arc<C> {
    fn now(&self) -> Clocks {
        C::now(self)
    }
}

/// Sends a permitted withdrawal request to the payment service and returns the outcome. Tests use
/// fakes.
pub trait Wire {
    /// Sends the permitted request once and classifies the response.
    ///
    /// The permit is always returned as spent, even if nothing could be sent.
    fn send(&self, permit: Permit) -> impl Future<Output = (Spent, AttemptEnd)>;
}

/// Access to the journal. In the app, the journal is on another thread, so that a slow call never
/// delays a request in flight.
pub trait JournalAccess {
    /// Runs a job with the journal, and returns its result.
    ///
    /// # Errors
    ///
    /// Fails if the thread of the journal has ended. The job and its result are lost then.
    fn with_journal<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut MoneyJournal) -> R + Send + 'static,
    ) -> impl Future<Output = Result<R, JournalTrouble>>;
}

/// A journal on the thread of the caller. Each job blocks until it is done.
impl JournalAccess for Mutex<MoneyJournal> {
    async fn with_journal<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut MoneyJournal) -> R + Send + 'static,
    ) -> Result<R, JournalTrouble> {
        // Use the journal even if another thread panicked while holding it. It is still valid then,
        // because the next write rolls back an unfinished transaction.
        Ok(job(&mut self
            .lock()
            .unwrap_or_else(PoisonError::into_inner)))
    }
}

/// The progress of one attempt to send a withdrawal, reported to the callback of [`attempt`].
#[derive(Debug, Clone, PartialEq)]
pub enum Report {
    /// The journal gave no permit, so nothing was sent. If the last check or write failed, the
    /// attempt may be on disk, and then counts as one with an unknown outcome.
    NotBegun {
        /// The withdrawal's idempotency key.
        key: IdempotencyKey,
        /// The reason why the journal refused the attempt.
        why: NotDone,
    },
    /// The attempt is on disk, and its request is about to be sent.
    AttemptBegan {
        /// The withdrawal's idempotency key.
        key: IdempotencyKey,
        /// The number of this attempt, from 1.
        n: u32,
    },
    /// The attempt ended, and its outcome is on disk. Contains the updated withdrawal.
    Settled(Box<Withdrawal>),
    /// The attempt ended, but its outcome could not be written to the journal.
    ///
    /// The write may still have reached the disk. Otherwise, the withdrawal has an unknown outcome
    /// after a restart. If the write failed because another process had locked the journal, the
    /// write can be retried, and [`Settled`](Report::Settled) may follow.
    Unrecorded {
        /// The withdrawal's idempotency key.
        key: IdempotencyKey,
        /// The number of this attempt, from 1.
        n: u32,
        /// The outcome of the attempt, which is now only in memory.
        end: AttemptEnd,
        /// The reason why the outcome could not be written.
        trouble: JournalTrouble,
    },
}

/// Makes one attempt to send a withdrawal. The withdrawal must be prepared, or an earlier attempt
/// must have an unknown outcome. If the seller was warned about similar withdrawals, `retyped` is
/// the amount that was typed again to confirm this one.
///
/// The journal is used only for the writes before and after the request, never while waiting for
/// the service. If the future is dropped before the second write, the attempt stays in the journal
/// without an outcome. The withdrawal then counts as unknown.
///
/// Returns an [`UnrecordedOutcome`] if the outcome could not be written yet because another process
/// had locked the journal.
pub async fn attempt(
    (key, retyped): (IdempotencyKey, Option<&Retyped>),
    window: &Window,
    journal: &impl JournalAccess,
    wire: &impl Wire,
    clock: &impl Clock,
    mut report: impl AsyncFnMut(Report),
) -> Option<UnrecordedOutcome> {
    let permit = match begin(key, retyped, window, journal, clock).await {
        Ok(permit) => permit,
        Err(why) => {
            report(Report::NotBegun { key, why }).await;
            return None;
        }
    };
    report(Report::AttemptBegan { key, n: permit.n() }).await;
    let (spent, end) = wire.send(permit).await;
    let unrecorded = UnrecordedOutcome {
        spent,
        end,
        is_reported: false,
    };
    unrecorded.record(journal, report).await
}

/// The outcome of an attempt that is not yet written, for example because another process has
/// locked the journal.
///
/// This value also holds the account's lock, so no other withdrawal from the account can be sent
/// until the outcome is written. Dropping the value releases the lock and leaves the attempt on
/// disk without an outcome.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down, and its account is locked until then"]
pub struct UnrecordedOutcome {
    spent: Spent,
    end: AttemptEnd,
    is_reported: bool,
}

impl UnrecordedOutcome {
    /// Tries to write the outcome to the journal. If another process still has the journal locked,
    /// returns `self`, so that the caller can try again. Reports this failure to the callback only
    /// once.
    pub async fn record(
        self,
        journal: &impl JournalAccess,
        mut report: impl AsyncFnMut(Report),
    ) -> Option<UnrecordedOutcome> {
        let UnrecordedOutcome {
            spent,
            end,
            is_reported,
        } = self;
        let key = spent.key();
        let n = spent.n();
        let outcome = end.clone();
        let settled = journal
            .with_journal(move |journal| journal.settle(spent, &outcome))
            .await;
        let (spent, trouble) = match settled {
            Ok(Ok(withdrawal)) => {
                report(Report::Settled(Box::new(withdrawal))).await;
                return None;
            }
            Ok(Err(NotSettled { spent, trouble })) => (Some(spent), trouble),
            Err(trouble) => (None, trouble),
        };
        let spent = spent.filter(|_| trouble.passes());
        if spent.is_none() || !is_reported {
            report(Report::Unrecorded {
                key,
                n,
                end: end.clone(),
                trouble,
            })
            .await;
        }
        spent.map(|spent| UnrecordedOutcome {
            spent,
            end,
            is_reported: true,
        })
    }
}

/// Locks the account, and then records the start of the attempt in the journal. The clocks are read
/// after the account's lock is taken, so that the recorded start is not earlier than that. A later
/// wait for the journal makes the recorded start only earlier, which is safe.
async fn begin(
    key: IdempotencyKey,
    retyped: Option<&Retyped>,
    window: &Window,
    journal: &impl JournalAccess,
    clock: &impl Clock,
) -> Result<Permit, NotDone> {
    let lock = journal
        .with_journal(move |journal| journal.lock(key))
        .await??;
    let retyped = retyped.cloned();
    let now = clock.now();
    let window = window.clone();
    journal
        .with_journal(move |journal| journal.begin(lock, key, retyped.as_ref(), &now, &window))
        .await?
}

#[cfg(test)]
mod tests;
