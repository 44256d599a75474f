//! Tracks what other balcao processes do with the same journal: their writes and their attempts.

use std::sync::Arc;
use std::thread;

use crate::app::Msg;
use crate::journal::money::MoneyJournal;
use crate::locked::Locked;
use crate::runtime::inbox::Inbox;
use crate::trade::{Account, IdempotencyKey, JournalTrouble, Withdrawal};

/// Records which writes and attempts of other processes the app already knows. Clones share the
/// record.
#[derive(Clone)]
pub struct OtherProcesses {
    inbox: Inbox,
    known: Arc<Locked<Known>>,
}

#[derive(Default)]
struct Known {
    /// The number of the last journal event that the app has received.
    last_known_event: Option<i64>,
    /// The number of the last journal event for which the app was asked to load the list again.
    last_announced_event: Option<i64>,
    /// The accounts for which another process is sending a withdrawal. For each account, a thread
    /// waits for the end of that attempt.
    watched_accounts: Vec<Account>,
}

impl OtherProcesses {
    pub fn new(inbox: Inbox) -> OtherProcesses {
        OtherProcesses {
            inbox,
            known: Arc::default(),
        }
    }

    /// True if another process has written to the journal and the app has not been notified yet.
    /// Returns true only once for each write.
    pub fn take_unannounced_write(&self, journal: &mut MoneyJournal) -> bool {
        if journal.catch_up().is_err() {
            // The journal can no longer be read. Return true, because the app must load it to show
            // the problem.
            return true;
        }
        let now = Some(journal.events());
        let mut known = self.known.lock();
        known.last_known_event != now && known.last_announced_event.replace(journal.events()) != now
    }

    /// If this process just wrote an event, records that the app knows it: the reply to the app's
    /// command contains it.
    pub fn record_own_write(&self, journal: &MoneyJournal) {
        // If another process wrote before this event, mark nothing, because the app must still be
        // notified of that write.
        let mut known = self.known.lock();
        let now = journal.events();
        if journal.last_own_event() == now && known.last_known_event == Some(now - 1) {
            known.last_known_event = Some(now);
        }
    }

    /// The withdrawals that changed after the last event that the app knows. Then marks all events
    /// up to `as_of` as known.
    pub fn take_changes(
        &self,
        journal: &mut MoneyJournal,
        as_of: i64,
    ) -> Result<Vec<Withdrawal>, JournalTrouble> {
        let mut known = self.known.lock();
        let changed = known
            .last_known_event
            .map(|event| journal.changed_since(event))
            .transpose()?;
        known.last_known_event = Some(as_of);
        Ok(changed.unwrap_or_default())
    }

    /// The withdrawals that other processes are sending now. A thread waits for the end of each
    /// attempt and then notifies the app.
    pub fn attempts_in_flight(
        &self,
        journal: &mut MoneyJournal,
        open: &[Withdrawal],
        own_keys: &[IdempotencyKey],
    ) -> Result<Vec<IdempotencyKey>, JournalTrouble> {
        let unfinished = open
            .iter()
            .filter(|withdrawal| withdrawal.attempts.last().is_some_and(|a| a.end.is_none()));
        let mut accounts: Vec<&Account> = Vec::new();
        for withdrawal in unfinished {
            if !own_keys.contains(&withdrawal.agreement.key)
                && !accounts.contains(&&withdrawal.agreement.account)
            {
                accounts.push(&withdrawal.agreement.account);
            }
        }
        let mut in_flight = Vec::new();
        for account in accounts {
            if let Some(key) = journal
                .in_flight(account)?
                .filter(|key| !own_keys.contains(key))
            {
                in_flight.push(key);
                self.wait_for_end(journal, account);
            }
        }
        Ok(in_flight)
    }

    /// Waits on a thread until another process's attempt for this account ends or that process
    /// dies. Then notifies the app, so that it loads the list again.
    fn wait_for_end(&self, journal: &MoneyJournal, account: &Account) {
        if self.known.lock().watched_accounts.contains(account) {
            return;
        }
        self.known.lock().watched_accounts.push(account.clone());
        let wait_for_end = journal.attempt_waiter(account);
        let others = self.clone();
        let account = account.clone();
        // Waiting for a file lock blocks and cannot be cancelled. The program can exit while this
        // thread waits.
        let thread = thread::Builder::new()
            .name("other window".into())
            .spawn(move || {
                let result = wait_for_end();
                others
                    .known
                    .lock()
                    .watched_accounts
                    .retain(|other| *other != account);
                // If the wait failed, do nothing, because the next load of the list shows the
                // outcome.
                if result.is_ok() {
                    others.inbox.send_blocking(Msg::JournalChanged);
                }
            });
        if thread.is_err() {
            self.known.lock().watched_accounts.pop();
        }
    }
}
