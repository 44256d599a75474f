//! A simulated window of the app on one machine of a team: the production journal with a mirror of
//! the log, and the cashier.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Mutex;
use std::task::{Context, Waker};
use std::time::Duration;

use balcao::cashier::{self, Clock, JournalAccess, Report};
use balcao::journal::money::MoneyJournal;
use balcao::trade::withdrawal::Retyped;
use balcao::trade::{Clocks, IdempotencyKey, JournalTrouble, Money, Withdrawal};

use super::outside::TeamWire;
use crate::bank::Ms;
use crate::memory::MemoryDisk;
use crate::samples::WINDOW;

pub struct Window {
    /// Must be the first field, because fields are dropped in order. The attempt must release its
    /// locks before the journal is dropped.
    attempt: Option<Pin<Box<dyn Future<Output = ()>>>>,
    pub disk: MemoryDisk,
    journal: Rc<Mutex<MoneyJournal>>,
    pub wire: TeamWire,
    reports: Rc<RefCell<Vec<Report>>>,
    /// For each withdrawal, the conflicting withdrawals that the operator has accepted.
    pub accepted: BTreeMap<IdempotencyKey, Vec<IdempotencyKey>>,
}

/// The journal, on a thread that may be busy.
struct JournalQueue {
    journal: Rc<Mutex<MoneyJournal>>,
    wire: TeamWire,
}

impl JournalAccess for JournalQueue {
    async fn with_journal<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut MoneyJournal) -> R + Send + 'static,
    ) -> Result<R, JournalTrouble> {
        self.wire.wait_for_journal().await;
        self.journal.with_journal(job).await
    }
}

impl Window {
    /// Starts a process that uses this disk.
    pub fn start(
        disk: MemoryDisk,
        wire: TeamWire,
        takeover_wait: Duration,
    ) -> Result<Window, JournalTrouble> {
        disk.join_team();
        let mut journal = disk.open(false)?;
        journal.attach_log(wire.log.clone(), wire.clocks.boot_clock(), takeover_wait);
        Ok(Window {
            attempt: None,
            disk,
            journal: Rc::new(Mutex::new(journal)),
            wire,
            reports: Rc::default(),
            accepted: BTreeMap::new(),
        })
    }

    /// Calls `use_journal` with the locked journal.
    pub fn journal<T>(&self, use_journal: impl FnOnce(&mut MoneyJournal) -> T) -> T {
        use_journal(&mut self.journal.lock().expect("one thread"))
    }

    pub fn now(&self) -> Clocks {
        self.wire.clocks.now()
    }

    /// Returns a withdrawal as this window reads it, or `None` if the window cannot read it.
    pub fn get(&self, key: IdempotencyKey) -> Option<Withdrawal> {
        self.journal(|journal| journal.get(key)).ok().flatten()
    }

    /// Returns the confirmation that the operator has given for this withdrawal by typing its
    /// amount again.
    pub fn retyped(&self, key: IdempotencyKey, amount: Money) -> Option<Retyped> {
        let shown_keys = self.accepted.get(&key)?.clone();
        Some(Retyped { amount, shown_keys })
    }

    /// Starts to send a withdrawal. The attempt runs until it ends or has to wait.
    pub fn send(&mut self, key: IdempotencyKey, retyped: Option<Retyped>) {
        let wire = self.wire.clone();
        let journal = JournalQueue {
            journal: self.journal.clone(),
            wire: wire.clone(),
        };
        let reports = self.reports.clone();
        self.attempt = Some(Box::pin(async move {
            let on_report = async |report| reports.borrow_mut().push(report);
            let clocks = wire.clocks.clone();
            let mut unrecorded = cashier::attempt(
                (key, retyped.as_ref()),
                &WINDOW,
                &journal,
                &wire,
                &clocks,
                on_report,
            )
            .await;
            while let Some(end) = unrecorded {
                wire.retry_later().await;
                unrecorded = end.record(&journal, on_report).await;
            }
        }));
        self.resume();
    }

    /// Continues the attempt in flight, if there is one.
    pub fn resume(&mut self) {
        let Some(attempt) = &mut self.attempt else {
            return;
        };
        if attempt
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
            .is_ready()
        {
            self.attempt = None;
        }
    }

    /// The true time at which the attempt in flight continues, or `None` if there is no attempt.
    pub fn due(&self) -> Option<Ms> {
        self.attempt.as_ref().map(|_| *self.wire.due.borrow())
    }

    pub fn is_sending(&self) -> bool {
        self.attempt.is_some()
    }

    /// Returns all reports of the cashier since the last call.
    pub fn take_reports(&self) -> Vec<Report> {
        self.reports.take()
    }
}
