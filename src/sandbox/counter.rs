//! The counter: what every connection and every control of one running sandbox shares.

use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{broadcast, watch};

use super::bank::request::{Operation, Reply, Request};
use super::bank::{self, Bank, Notice};
use super::clock::{Clock, Moment};
use super::door::Entrance;
use super::faults::{Fault, Plan};
use super::store::Store;

/// How many notices wait for a slow listener before it misses the oldest.
const WAITING_NOTICES: usize = 256;

/// The bank, its faults, its file and its clock.
pub struct Counter {
    /// Where connections come in.
    pub entrance: Entrance,
    /// What happens on the buyer's side.
    pub notices: broadcast::Sender<Notice>,
    /// Each request that came to the bank's counter, also one that a fault took away there.
    pub asked: broadcast::Sender<Operation>,
    /// Becomes true when the service closes.
    pub closing: watch::Sender<bool>,
    /// What it proves with that it is the sandbox.
    pub secret: Option<String>,
    clock: Clock,
    till: Mutex<Till>,
}

/// What is changed under one lock.
pub struct Till {
    /// The bank as it is now.
    pub bank: Bank,
    /// The faults that lie in wait.
    pub plan: Plan,
    store: Option<Store>,
}

impl Till {
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

impl Counter {
    /// A counter over that bank.
    pub fn new(
        entrance: Entrance,
        bank: Bank,
        store: Option<Store>,
        clock: Clock,
        secret: Option<String>,
    ) -> Counter {
        Counter {
            entrance,
            notices: broadcast::channel(WAITING_NOTICES).0,
            asked: broadcast::channel(WAITING_NOTICES).0,
            closing: watch::channel(false).0,
            secret,
            clock,
            till: Mutex::new(Till { bank, plan: Plan::default(), store }),
        }
    }

    /// The moment on the sandbox's clock.
    pub fn now(&self) -> Moment {
        (self.clock)()
    }

    /// The till, for one short step.
    pub fn till(&self) -> MutexGuard<'_, Till> {
        self.till.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whether the next connection is turned away.
    pub fn turns_away(&self) -> bool {
        self.till().plan.turns_away()
    }

    /// The fault that a request to this operation meets.
    pub fn meet(&self, operation: Operation) -> Option<Fault> {
        self.till().plan.meet(operation)
    }

    /// Brings a request to the bank, as far as the fault lets it come.
    ///
    /// It runs to its end even when the caller hangs up meanwhile, as it would in a real bank.
    pub async fn act(self: &Arc<Counter>, request: Request, fault: Option<Fault>) -> Reply {
        let counter = Arc::clone(self);
        let keeps_a_file = self.till().store.is_some();
        let act = move || counter.act_now(&request, fault.as_ref());
        if !keeps_a_file {
            return act();
        }
        // The file is synced to the disk, which must not hold up other connections.
        let done = tokio::task::spawn_blocking(act).await;
        done.unwrap_or_else(|_| Reply::refusal(500, "O sandbox falhou."))
    }

    fn act_now(&self, request: &Request, fault: Option<&Fault>) -> Reply {
        let now = self.now();
        let acted = self.till().change(|bank| {
            if fault.is_some_and(|fault| !fault.bank_acts()) {
                bank::lose(bank, request, now);
                return Reply { status: 500, body: String::new() };
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
            Reply::refusal(500, &message)
        })
    }
}
