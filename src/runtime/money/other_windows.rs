//! The writes and attempts of other windows in the same journal.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::app::Msg;
use crate::journal::money::MoneyJournal;
use crate::runtime::inbox::Inbox;
use crate::trade::{Account, IdempotencyKey, JournalTrouble, Withdrawal};

/// The events of other windows that this one knows.
pub struct OtherWindows {
    inbox: Inbox,
    /// The journal's last event that the app has heard of.
    heard_up_to: Cell<Option<i64>>,
    /// The last event that the app was asked to look for.
    announced: Cell<Option<i64>>,
    /// The accounts whose attempt elsewhere has a thread that waits for its end.
    waited: Rc<RefCell<Vec<Account>>>,
}

impl OtherWindows {
    /// Knows nothing yet.
    pub fn new(inbox: Inbox) -> OtherWindows {
        let (heard_up_to, announced) = (Cell::default(), Cell::default());
        OtherWindows { inbox, heard_up_to, announced, waited: Rc::default() }
    }

    /// Returns true once for each event of another window that the app has not heard of.
    pub fn wrote(&self, journal: &Mutex<MoneyJournal>) -> bool {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.catch_up().is_err() {
            // A journal that cannot be read any more is news as well.
            return true;
        }
        let now = Some(journal.events());
        self.heard_up_to.get() != now && self.announced.replace(now) != now
    }

    /// Notes an event of this window; the app hears of it by the answer to its command.
    pub fn note_own_write(&self, journal: &MoneyJournal) {
        // Events of others before it are still to be heard of.
        if self.heard_up_to.get().is_some_and(|heard_up_to| heard_up_to + 1 == journal.events()) {
            self.heard_up_to.set(Some(journal.events()));
        }
    }

    /// The withdrawals that changed since the last event that the app heard of.
    ///
    /// From now on it has heard of all events up to this one.
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

    /// The open withdrawals that another window is sending now; the end of each is waited for.
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

    /// Has the app read again when the attempt has ended, or the window that made it has died.
    fn wait_for_end(&self, journal: &MoneyJournal, account: &Account) {
        if self.waited.borrow().contains(account) {
            return;
        }
        let end = journal.flight_end(account);
        let (ended, has_ended) = oneshot::channel();
        // A thread of its own: it cannot be called back, and its end is not waited for.
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
            // Where a lock cannot be waited for, the next look of any kind shows it.
            if ended == Ok(true) {
                inbox.send(Msg::JournalChanged).await;
            }
        });
    }
}
