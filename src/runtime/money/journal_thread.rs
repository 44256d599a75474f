//! The thread that owns the open journal of withdrawals.
//!
//! A call of the journal may block for seconds, for example while another program has locked the
//! database. Therefore no call runs on the money thread, which drives the requests in flight.

use tokio::sync::{Mutex as AsyncMutex, watch};

use super::other_windows::OtherProcesses;
use crate::cashier::JournalAccess;
use crate::journal::money::{ChainLink, MoneyJournal};
use crate::trade::JournalTrouble;
use crate::worker::{Job, WorkerHandle};

/// The maximum number of queued calls. There is only one call at a time, but a call whose caller
/// was dropped may still be queued.
const QUEUE: usize = 2;

/// A handle to the thread of the open journal.
pub(super) struct JournalThread {
    thread: WorkerHandle<Job<OpenJournal>>,
    /// The turn to call the journal. Callers wait here, in order, so that the queue is never full.
    turn: AsyncMutex<()>,
}

/// The open journal, on its thread.
pub(super) struct OpenJournal {
    pub journal: MoneyJournal,
    pub others: OtherProcesses,
    /// The event that the vault's marker is to name.
    marked_event: watch::Sender<ChainLink>,
    /// True if the team required approvals when this was last asked.
    needed_approval: bool,
}

impl OpenJournal {
    /// Also returns the channel of the events that the vault's marker is to name. The first is the
    /// last event of the journal.
    pub fn new(
        journal: MoneyJournal,
        others: OtherProcesses,
    ) -> (OpenJournal, watch::Receiver<ChainLink>) {
        let (marked_event, events) = watch::channel(journal.last_event());
        (
            OpenJournal {
                journal,
                others,
                marked_event,
                needed_approval: false,
            },
            events,
        )
    }

    /// Lets the vault's marker name the last event. This is done after an attempt ended and after a
    /// decision, but not before a send.
    pub fn mark_last_event(&self) {
        if self.journal.trouble().is_none() {
            self.marked_event.send_replace(self.journal.last_event());
        }
    }

    /// True if another process has written to the journal and the app has not been notified yet.
    pub fn take_unannounced_write(&mut self) -> bool {
        self.others.take_unannounced_write(&mut self.journal)
    }

    /// Reads what other machines appended to the team's log, and writes the ends that the log does
    /// not have yet.
    pub fn follow_team(&mut self) -> Followed {
        let followed = self.journal.pull().and_then(|()| self.journal.flush_ends());
        let trouble = followed.err();
        let needs_approval = self.journal.needs_approval();
        let is_rule_changed = needs_approval != self.needed_approval;
        self.needed_approval = needs_approval;
        let is_locked = trouble.as_ref().is_some_and(|trouble| !trouble.passes());
        Followed {
            must_load: self.take_unannounced_write() || is_locked || is_rule_changed,
            // Without a connection, the next one notifies this thread.
            must_try_again: trouble.is_some_and(|trouble| {
                trouble.passes() && !matches!(trouble, JournalTrouble::Offline(_))
            }),
        }
    }

    pub fn is_temporarily_blocked(&self) -> bool {
        self.journal
            .trouble()
            .is_some_and(JournalTrouble::is_transient)
    }
}

/// The result of [`OpenJournal::follow_team`].
pub(super) struct Followed {
    /// True if the app must load the list again.
    pub must_load: bool,
    /// True if the log could not be read, but may be the next time.
    pub must_try_again: bool,
}

impl JournalThread {
    pub fn new(open: OpenJournal) -> JournalThread {
        let thread = WorkerHandle::with_owned("journal", QUEUE, move || open);
        JournalThread {
            thread,
            turn: AsyncMutex::new(()),
        }
    }

    /// Runs a job on the journal's thread and returns its result.
    ///
    /// # Errors
    ///
    /// Fails if the thread could not be started or panicked.
    pub async fn call<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut OpenJournal) -> R + Send + 'static,
    ) -> Result<R, JournalTrouble> {
        let _turn = self.turn.lock().await;
        let result = self.thread.call(|open| {
            let result = job(open);
            open.others.record_own_write(&open.journal);
            result
        });
        result
            .await
            .ok_or_else(|| JournalTrouble::Io("the journal's thread does not answer".into()))
    }

    /// Closes the journal, and waits until its files are closed. All calls must have returned.
    pub fn close(&self) {
        if let Some(thread) = self.thread.close_queue() {
            thread.wait();
        }
    }
}

impl JournalAccess for JournalThread {
    async fn with_journal<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut MoneyJournal) -> R + Send + 'static,
    ) -> Result<R, JournalTrouble> {
        self.call(|open| job(&mut open.journal)).await
    }
}
