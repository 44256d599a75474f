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
pub struct OtherWindows {
    inbox: Inbox,
    /// The number of the last journal event that the app has received.
    heard_up_to: Cell<Option<i64>>,
    /// The number of the last journal event for which the app was asked to load the list again.
    announced: Cell<Option<i64>>,
    /// The accounts with an attempt of another process. For each, a thread waits for the end of
    /// that attempt.
    waited: Rc<RefCell<Vec<Account>>>,
}

impl OtherWindows {
    pub fn new(inbox: Inbox) -> OtherWindows {
        let (heard_up_to, announced) = (Cell::default(), Cell::default());
        OtherWindows { inbox, heard_up_to, announced, waited: Rc::default() }
    }

    /// Returns true if another process has written to the journal and the app has not been notified
    /// yet. Returns true only once for each write.
    pub fn wrote(&self, journal: &Mutex<MoneyJournal>) -> bool {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.catch_up().is_err() {
            // The journal can no longer be read. Return true, because the app must load it to show
            // the problem.
            return true;
        }
        let now = Some(journal.events());
        self.heard_up_to.get() != now && self.announced.replace(now) != now
    }

    /// Records that the app knows about an event that this process wrote. The reply to the app's
    /// command contains this event.
    pub fn note_own_write(&self, journal: &MoneyJournal) {
        // If another process wrote before this event, mark nothing, because the app must still be
        // notified of that write.
        if self.heard_up_to.get().is_some_and(|heard_up_to| heard_up_to + 1 == journal.events()) {
            self.heard_up_to.set(Some(journal.events()));
        }
    }

    /// Returns the withdrawals that changed after the last event that the app knows. Then marks all
    /// events up to `as_of` as known.
    pub fn changed(
        &self,
        journal: &mut MoneyJournal,
        as_of: i64,
    ) -> Result<Vec<Withdrawal>, JournalTrouble> {
        let changed = self
            .heard_up_to
            .get()
            .map(|heard_up_to| journal.changed_since(heard_up_to))
            .transpose()?;
        self.heard_up_to.set(Some(as_of));
        Ok(changed.unwrap_or_default())
    }

    /// Returns the withdrawals that other processes are sending now. A background task waits for
    /// the end of each attempt and then notifies the app.
    pub fn sending(
        &self,
        journal: &mut MoneyJournal,
        open: &[Withdrawal],
        own: &[IdempotencyKey],
    ) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        let without_end = |one: &&Withdrawal| one.attempts.last().is_some_and(|a| a.end.is_none());
        let mut accounts: Vec<&Account> = Vec::new();
        for one in open.iter().filter(without_end) {
            if !own.contains(&one.agreement.key) && !accounts.contains(&&one.agreement.account) {
                accounts.push(&one.agreement.account);
            }
        }
        let mut sending = Vec::new();
        for account in accounts {
            if let Some(key) = journal.in_flight(account)?.filter(|key| !own.contains(key)) {
                sending.push(key);
                self.wait_for_end(journal, account);
            }
        }
        Ok(sending)
    }

    /// Waits in the background until another process's attempt for this account ends or that
    /// process dies. Then the app is notified, so that it loads the list again.
    fn wait_for_end(&self, journal: &MoneyJournal, account: &Account) {
        if self.waited.borrow().contains(account) {
            return;
        }
        let end = journal.flight_end(account);
        let (ended, has_ended) = oneshot::channel();
        // Use a separate thread, because waiting for a file lock blocks and cannot be cancelled.
        // The program can exit while this thread waits.
        let waiting = thread::Builder::new().name("other window".into()).spawn(move || {
            let _ = ended.send(end.wait().is_ok());
        });
        if waiting.is_err() {
            return;
        }
        self.waited.borrow_mut().push(account.clone());
        let (inbox, waited, account) = (self.inbox.clone(), self.waited.clone(), account.clone());
        tokio::task::spawn_local(async move {
            let ended = has_ended.await;
            waited.borrow_mut().retain(|other| *other != account);
            // If the wait failed, do nothing, because the next load of the list shows the outcome.
            if ended == Ok(true) {
                inbox.send(Msg::JournalChanged).await;
            }
        });
    }
}
