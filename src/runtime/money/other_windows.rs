//! Tracks what other balcao processes do with the same journal: their writes and their attempts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::app::Msg;
use crate::journal::money::MoneyJournal;
use crate::runtime::inbox::Inbox;
use crate::trade::{Account, IdempotencyKey, JournalTrouble, Withdrawal};

/// Records which writes and attempts of other processes the app already knows.
pub struct OtherProcesses {
    inbox: Inbox,
    /// The number of the last journal event that the app has received.
    last_known_event: Cell<Option<i64>>,
    /// The number of the last journal event for which the app was asked to load the list again.
    last_announced_event: Cell<Option<i64>>,
    /// The accounts for which another process is sending a withdrawal. For each account, a thread
    /// waits for the end of that attempt.
    watched_accounts: Rc<RefCell<Vec<Account>>>,
}

impl OtherProcesses {
    pub fn new(inbox: Inbox) -> OtherProcesses {
        let (last_known_event, last_announced_event) = (Cell::default(), Cell::default());
        OtherProcesses {
            inbox,
            last_known_event,
            last_announced_event,
            watched_accounts: Rc::default(),
        }
    }

    /// Returns true if another process has written to the journal and the app has not been notified
    /// yet. Returns true only once for each write.
    pub fn take_unannounced_write(&self, journal: &Mutex<MoneyJournal>) -> bool {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.catch_up().is_err() {
            // The journal can no longer be read. Return true, because the app must load it to show
            // the problem.
            return true;
        }
        let now = Some(journal.events());
        self.last_known_event.get() != now && self.last_announced_event.replace(now) != now
    }

    /// Records that the app knows the event that this process just wrote: the reply to the app's
    /// command contains it.
    pub fn record_own_write(&self, journal: &MoneyJournal) {
        // If another process wrote before this event, mark nothing, because the app must still be
        // notified of that write.
        if self.last_known_event.get().is_some_and(|event| event + 1 == journal.events()) {
            self.last_known_event.set(Some(journal.events()));
        }
    }

    /// Returns the withdrawals that changed after the last event that the app knows. Then marks all
    /// events up to `as_of` as known.
    pub fn take_changes(
        &self,
        journal: &mut MoneyJournal,
        as_of: i64,
    ) -> Result<Vec<Withdrawal>, JournalTrouble> {
        let changed =
            self.last_known_event.get().map(|event| journal.changed_since(event)).transpose()?;
        self.last_known_event.set(Some(as_of));
        Ok(changed.unwrap_or_default())
    }

    /// Returns the withdrawals that other processes are sending now. A background task waits for
    /// the end of each attempt and then notifies the app.
    pub fn attempts_in_flight(
        &self,
        journal: &mut MoneyJournal,
        open: &[Withdrawal],
        own_keys: &[IdempotencyKey],
    ) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        let is_unfinished =
            |withdrawal: &&Withdrawal| withdrawal.attempts.last().is_some_and(|a| a.end.is_none());
        let mut accounts: Vec<&Account> = Vec::new();
        for withdrawal in open.iter().filter(is_unfinished) {
            if !own_keys.contains(&withdrawal.agreement.key)
                && !accounts.contains(&&withdrawal.agreement.account)
            {
                accounts.push(&withdrawal.agreement.account);
            }
        }
        let mut in_flight = Vec::new();
        for account in accounts {
            if let Some(key) = journal.in_flight(account)?.filter(|key| !own_keys.contains(key)) {
                in_flight.push(key);
                self.wait_for_end(journal, account);
            }
        }
        Ok(in_flight)
    }

    /// Waits in the background until another process's attempt for this account ends or that
    /// process dies. Then notifies the app, so that it loads the list again.
    fn wait_for_end(&self, journal: &MoneyJournal, account: &Account) {
        if self.watched_accounts.borrow().contains(account) {
            return;
        }
        let end = journal.attempt_waiter(account);
        let (sender, end_signal) = oneshot::channel();
        // Use a separate thread, because waiting for a file lock blocks and cannot be cancelled.
        // The program can exit while this thread waits.
        let thread = thread::Builder::new().name("other window".into()).spawn(move || {
            let _ = sender.send(end.wait().is_ok());
        });
        if thread.is_err() {
            return;
        }
        self.watched_accounts.borrow_mut().push(account.clone());
        let (inbox, watched_accounts, account) =
            (self.inbox.clone(), self.watched_accounts.clone(), account.clone());
        tokio::task::spawn_local(async move {
            let ended = end_signal.await;
            watched_accounts.borrow_mut().retain(|other| *other != account);
            // If the wait failed, do nothing, because the next load of the list shows the outcome.
            if ended == Ok(true) {
                inbox.send(Msg::JournalChanged).await;
            }
        });
    }
}
