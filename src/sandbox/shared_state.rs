//! The state that all connections and controls of one running sandbox share.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, watch};

use super::bank::ledger::Payment;
use super::bank::request::{BankOperation, BankReply, BankRequest};
use super::bank::{self, Bank};
use super::clock::{Moment, TimeSource};
use super::dialect::Dialect;
use super::faults::{Fault, Plan};
use super::port::Port;
use super::store::SandboxRecords;

/// The number of notices that wait for a slow listener before it misses the oldest.
const WAITING_NOTICES: usize = 256;

/// A channel of notices to whoever listens.
pub fn notices<T: Clone>() -> broadcast::Sender<T> {
    broadcast::channel(WAITING_NOTICES).0
}

/// The bank, its faults, its file and its clock.
pub struct SharedState {
    /// The port that connections come in by.
    pub port: Port,
    /// Each payment by a buyer.
    pub notices: broadcast::Sender<Payment>,
    /// Each request that came to the bank, also one that a fault took away there.
    pub asked: broadcast::Sender<BankOperation>,
    /// Each request whose answer is over.
    pub answered: broadcast::Sender<AnsweredRequest>,
    /// The number of payments by buyers; it changes with each, and when the bank starts over.
    pub paid: watch::Sender<usize>,
    /// Becomes true when the service closes.
    pub closing: watch::Sender<bool>,
    /// The secret with which it proves that it is the sandbox.
    pub secret: Option<String>,
    /// The shape of its requests and replies.
    pub dialect: Dialect,
    /// The clock that it reads.
    pub clock: TimeSource,
    /// What is changed under a lock.
    pub state: Mutex<SandboxState>,
}

/// A request that came to the bank and was answered, or whose answer was lost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnsweredRequest {
    /// The operation that was asked for.
    pub operation: BankOperation,
    /// True where the bank did it.
    pub is_done: bool,
    /// The fault that it met.
    pub fault: Option<Fault>,
}

/// The state that is changed under one lock.
pub struct SandboxState {
    /// The bank as it is now.
    pub bank: Bank,
    /// The faults that lie in wait.
    pub plan: Plan,
    /// The file that keeps the bank, if any.
    pub store: Option<SandboxRecords>,
}

impl SandboxState {
    /// Changes the bank and writes it down; what cannot be written down did not happen.
    pub fn change<T>(&mut self, act: impl FnOnce(&mut Bank) -> T) -> io::Result<T> {
        let Some(store) = &mut self.store else { return Ok(act(&mut self.bank)) };
        let before = self.bank.clone();
        let result = act(&mut self.bank);
        if let Err(error) = store.keep(&self.bank) {
            self.bank = before;
            return Err(error);
        }
        Ok(result)
    }
}

impl SharedState {
    /// The moment on the sandbox's clock.
    pub fn now(&self) -> Moment {
        (self.clock)()
    }

    /// Locks the state, for one short step.
    pub fn state(&self) -> MutexGuard<'_, SandboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the service closes.
    pub async fn closes(&self) {
        self.closing.subscribe().wait_for(|closing| *closing).await.ok();
    }

    /// Brings a request to the bank, as far as the fault lets it come.
    ///
    /// It runs to its end even when the caller hangs up meanwhile, as it would in a real bank.
    pub async fn act(
        self: &Arc<SharedState>,
        request: BankRequest,
        fault: Option<Fault>,
    ) -> BankReply {
        let shared = Arc::clone(self);
        let keeps_a_file = self.state().store.is_some();
        let act = move || shared.act_now(&request, fault.as_ref());
        if !keeps_a_file {
            return act();
        }
        // The file is synced to the disk, which must not hold up other connections.
        let done = tokio::task::spawn_blocking(act).await;
        done.unwrap_or_else(|_| BankReply::refusal(500, "O sandbox falhou."))
    }

    fn act_now(&self, request: &BankRequest, fault: Option<&Fault>) -> BankReply {
        let now = self.now();
        let acted = self.state().change(|bank| {
            if fault.is_some_and(|fault| !fault.bank_acts()) {
                bank::lose(bank, request, now);
                return BankReply { status: 500, body: String::new() };
            }
            if fault == Some(&Fault::ExpiredToken) {
                bank.expire_token_of(request, now);
            }
            bank::apply(bank, request, now)
        });
        // Nobody may be listening, which is fine.
        self.asked.send(request.operation).ok();
        acted.unwrap_or_else(|error| {
            let message = format!("O sandbox não conseguiu gravar seu arquivo de dados: {error}");
            BankReply::refusal(500, &message)
        })
    }
}
