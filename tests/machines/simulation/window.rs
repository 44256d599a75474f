//! A simulated window (process) of the app: the production journal and cashier (which sends
//! withdrawals), with at most one attempt in flight.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::task::{Context, Waker};

use balcao::cashier::{self, Clock, Report};
use balcao::contract::Contract;
use balcao::journal::money::MoneyJournal;
use balcao::trade::withdrawal::Window as ResendLimits;
use balcao::trade::{Clocks, IdempotencyKey, JournalTrouble, Withdrawal};

use super::outside::ProcessClocks;
use super::wire::{Pause, SimulatedWire};
use crate::memory::MemoryDisk;

pub struct Window {
    /// Must be the first field, because fields are dropped in order. The attempt must release its
    /// locks before the journal is dropped.
    attempt: Option<Pin<Box<dyn Future<Output = ()>>>>,
    pub disk: MemoryDisk,
    journal: Rc<Mutex<MoneyJournal>>,
    /// This is an `Arc`, as in the production code.
    clocks: Arc<ProcessClocks>,
    wire: SimulatedWire,
    resend_limits: Rc<ResendLimits>,
    reports: Rc<RefCell<Vec<Report>>>,
}

impl Window {
    /// Starts a process that uses this disk. `expects_journal` is true if the vault has recorded
    /// that there is a journal.
    pub fn start(
        disk: MemoryDisk,
        wire: SimulatedWire,
        resend_limits: &Rc<ResendLimits>,
        expects_journal: bool,
    ) -> Result<Window, JournalTrouble> {
        #[expect(clippy::arc_with_non_send_sync, reason = "a life stays on its thread")]
        let clocks = Arc::new(wire.clocks.clone());
        let journal = disk.open(expects_journal)?;
        Ok(Window {
            attempt: None,
            disk,
            journal: Rc::new(Mutex::new(journal)),
            clocks,
            wire,
            resend_limits: resend_limits.clone(),
            reports: Rc::default(),
        })
    }

    /// Calls `use_journal` with the locked journal.
    pub fn journal<T>(&self, use_journal: impl FnOnce(&mut MoneyJournal) -> T) -> T {
        use_journal(&mut self.journal.lock().expect("one thread"))
    }

    pub fn now(&self) -> Clocks {
        self.clocks.now()
    }

    /// Returns the rules for sending a withdrawal again.
    pub fn resend_limits(&self) -> &ResendLimits {
        &self.resend_limits
    }

    /// Returns a withdrawal as this window (process) reads it, or `None` if the window cannot read
    /// it.
    pub fn get(&self, key: IdempotencyKey) -> Option<Withdrawal> {
        self.journal(|journal| journal.get(key)).ok().flatten()
    }

    /// Starts to send a withdrawal. The attempt runs until it ends or has to wait for a reply.
    pub fn send(&mut self, key: IdempotencyKey) {
        let journal = self.journal.clone();
        let wire = self.wire.clone();
        let clocks = self.clocks.clone();
        let resend_limits = self.resend_limits.clone();
        let reports = self.reports.clone();
        self.attempt = Some(Box::pin(async move {
            let on_report = async |report| reports.borrow_mut().push(report);
            let mut unrecorded = cashier::attempt(
                (key, None),
                &resend_limits,
                &*journal,
                &wire,
                &clocks,
                on_report,
            )
            .await;
            while let Some(end) = unrecorded {
                Pause::default().await;
                unrecorded = end.record(&*journal, on_report).await;
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

    /// Returns the API contract with which this process reads replies.
    pub fn contract(&self) -> &Arc<Contract> {
        &self.wire.contract
    }

    /// Uses an API contract that the seller has taught in this process.
    pub fn learn(&mut self, contract: Arc<Contract>) {
        self.wire.contract = contract;
    }

    pub fn is_sending(&self) -> bool {
        self.attempt.is_some()
    }

    /// Returns all reports of the cashier (which sends withdrawals) since the last call.
    pub fn reports(&self) -> Vec<Report> {
        self.reports.take()
    }
}
