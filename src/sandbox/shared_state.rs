//! The state of a running sandbox, shared by all connections and [`Control`](super::Control)
//! handles.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, watch};

use super::bank::ledger::Payment;
use super::bank::request::{BankOperation, BankReply, BankRequest};
use super::bank::{self, Bank};
use super::clock::{Moment, TimeSource};
use super::dialect::Dialect;
use super::faults::{Fault, FaultPlan};
use super::port::Port;
use super::store::SandboxRecords;

/// The capacity of a broadcast channel, in messages. If a receiver is too slow, it misses the
/// oldest messages.
const CHANNEL_CAPACITY: usize = 256;

pub fn new_broadcast<T: Clone>() -> broadcast::Sender<T> {
    broadcast::channel(CHANNEL_CAPACITY).0
}

pub struct SharedState {
    /// The port on which the sandbox accepts connections.
    pub port: Port,
    /// Broadcasts each payment that a buyer makes.
    pub payments: broadcast::Sender<Payment>,
    /// Broadcasts the operation of each API request after the bank has processed the request or a
    /// fault has dropped it.
    pub processed: broadcast::Sender<BankOperation>,
    /// Broadcasts each finished request. A request is finished when its response is ready or the
    /// client has disconnected.
    pub finished: broadcast::Sender<FinishedRequest>,
    /// The number of payments that buyers have made. It changes with each payment, and when the
    /// bank is reset.
    pub payment_count: watch::Sender<usize>,
    /// Becomes true when the sandbox closes.
    pub closing: watch::Sender<bool>,
    /// The secret for proving to clients that this server is the sandbox, if any.
    pub secret: Option<String>,
    /// The format of requests and replies.
    pub dialect: Dialect,
    pub clock: TimeSource,
    pub state: Mutex<SandboxState>,
}

/// A finished API request. Either its response is ready, or a fault or a disconnect has prevented
/// the response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishedRequest {
    pub operation: BankOperation,
    /// True if the bank's reply was a success.
    pub is_success: bool,
    /// The fault that was applied to the request, if any.
    pub fault: Option<Fault>,
}

/// The part of the sandbox's state that is protected by a mutex.
pub struct SandboxState {
    pub bank: Bank,
    /// The active faults.
    pub plan: FaultPlan,
    /// The data file that stores the bank's state, if any.
    pub store: Option<SandboxRecords>,
}

impl SandboxState {
    /// Changes the bank, and saves it to the data file. If the bank cannot be saved, the change is
    /// undone.
    pub fn change<T>(&mut self, edit: impl FnOnce(&mut Bank) -> T) -> io::Result<T> {
        let Some(store) = &mut self.store else {
            return Ok(edit(&mut self.bank));
        };
        let before = self.bank.clone();
        let result = edit(&mut self.bank);
        if let Err(error) = store.save(&self.bank) {
            self.bank = before;
            return Err(error);
        }
        Ok(result)
    }
}

impl SharedState {
    pub fn now(&self) -> Moment {
        (self.clock)()
    }

    /// Locks the mutable state. Callers must hold the lock only briefly.
    pub fn state(&self) -> MutexGuard<'_, SandboxState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the sandbox closes.
    pub async fn closed(&self) {
        self.closing
            .subscribe()
            .wait_for(|closing| *closing)
            .await
            .ok();
    }

    /// Passes a request to the bank, unless the fault drops the request.
    ///
    /// Even if the client disconnects, the bank finishes processing the request, like a real bank.
    pub async fn process(
        self: &Arc<SharedState>,
        request: BankRequest,
        fault: Option<Fault>,
    ) -> BankReply {
        let shared = Arc::clone(self);
        let has_data_file = self.state().store.is_some();
        let process = move || shared.process_now(&request, fault.as_ref());
        if !has_data_file {
            return process();
        }
        // Use a separate thread, because writing the data file blocks the thread.
        let result = tokio::task::spawn_blocking(process).await;
        result.unwrap_or_else(|_| BankReply::refusal(500, "O sandbox falhou."))
    }

    fn process_now(&self, request: &BankRequest, fault: Option<&Fault>) -> BankReply {
        let now = self.now();
        let reply = self.state().change(|bank| {
            if fault.is_some_and(|fault| !fault.bank_acts()) {
                bank::record_dropped(bank, request, now);
                return BankReply {
                    status: 500,
                    body: String::new(),
                };
            }
            if fault == Some(&Fault::ExpiredToken) {
                bank.expire_token_of(request, now);
            }
            bank::apply(bank, request, now)
        });
        // Ignore an error. It only means that there is no receiver.
        self.processed.send(request.operation).ok();
        reply.unwrap_or_else(|error| {
            let message = format!("O sandbox não conseguiu gravar seu arquivo de dados: {error}");
            BankReply::refusal(500, &message)
        })
    }
}
