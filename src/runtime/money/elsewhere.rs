//! What other windows of the program do with the same journal.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::{Mutex, PoisonError};
use std::thread;

use tokio::sync::oneshot;

use crate::app::Msg;
use crate::journal::money::MoneyJournal;
use crate::runtime::world::Inbox;
use crate::trade::{Account, IdempotencyKey, JournalTrouble, Withdrawal};

/// What this window knows of the others.
pub struct Others {
    inbox: Inbox,
    /// The journal's last event that the app has heard of.
    told: Cell<Option<i64>>,
    /// The last event that the app was asked to look for.
    announced: Cell<Option<i64>>,
    /// The accounts whose attempt elsewhere has a thread that waits for its end.
    waited: Rc<RefCell<Vec<Account>>>,
}

impl Others {
    /// Nothing is known yet.
    pub fn new(inbox: Inbox) -> Others {
        let (told, announced) = (Cell::default(), Cell::default());
        Others { inbox, told, announced, waited: Rc::default() }
    }

    /// Whether another window wrote something that the app has not heard of; said once for each.
    pub fn wrote(&self, journal: &Mutex<MoneyJournal>) -> bool {
        let mut journal = journal.lock().unwrap_or_else(PoisonError::into_inner);
        if journal.catch_up().is_err() {
            // A journal that cannot be read any more is news as well.
            return true;
        }
        let now = Some(journal.events());
        self.told.get() != now && self.announced.replace(now) != now
    }

    /// This window wrote an event, and the app hears of it by the answer to its order.
    pub fn told_own(&self, journal: &MoneyJournal) {
        // Others that wrote before it are still to be heard of.
        if self.told.get().is_some_and(|told| told + 1 == journal.events()) {
            self.told.set(Some(journal.events()));
        }
    }

    /// The withdrawals that changed since the app was told last; now it is told up to this event.
    pub fn changed(
        &self,
        journal: &mut MoneyJournal,
        as_of: i64,
    ) -> Result<Vec<Withdrawal>, JournalTrouble> {
        let changed = self.told.get().map(|told| journal.changed_since(told)).transpose()?;
        self.told.set(Some(as_of));
        Ok(changed.unwrap_or_default())
    }

    /// Which of the open ones another window is sending now; the end of each is waited for.
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

    /// Has the app look again when the attempt ended, or the window that made it died.
    fn wait_for_end(&self, journal: &MoneyJournal, account: &Account) {
        if self.waited.borrow().contains(account) {
            return;
        }
        let end = journal.flight_end(account);
        let (ended, has_ended) = oneshot::channel();
        // A thread of its own: it cannot be called back, and nobody waits for it to end.
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
