//! The permit to send one withdrawal attempt. A permit holds the lock of the withdrawal's account.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::lock::LockGuard;
use super::money::storage::Storage;
use super::money::team::Leash;
use crate::trade::withdrawal::{SendDeadline, Window};
use crate::trade::{Account, Agreement, Clocks, IdempotencyKey, JournalTrouble, Withdrawal};

/// The right to send one attempt of one withdrawal. It proves that the attempt is already on disk.
///
/// Only the journal can create a permit. It cannot be cloned, and sending consumes it. The permit
/// holds the account's lock. No other withdrawal of the account can be sent until the permit and
/// its [`Spent`] are dropped.
///
/// ```compile_fail,E0599
/// fn twice(permit: balcao::journal::Permit) {
///     let again = permit.clone();
/// }
/// ```
///
/// ```compile_fail,E0382
/// fn twice(permit: balcao::journal::Permit) {
///     permit.spend();
///     permit.spend();
/// }
/// ```
///
/// ```compile_fail,E0451
/// fn forged(request: balcao::journal::PermittedRequest) -> balcao::journal::Permit {
///     balcao::journal::Permit { request, lock: unreachable!() }
/// }
/// ```
///
/// ```compile_fail,E0277
/// fn restored(text: &str) -> balcao::journal::Permit {
///     serde_json::from_str(text).unwrap()
/// }
/// ```
#[derive(Debug)]
#[must_use = "the attempt is on disk as begun; a permit that is dropped leaves it unknown"]
pub struct Permit {
    request: PermittedRequest,
    lock: AccountLock,
}

/// A used permit. It allows its owner to record the outcome of the attempt once.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down"]
pub struct Spent {
    pub(super) key: IdempotencyKey,
    pub(super) n: u32,
    /// The account's lock. It is held until the outcome is on disk, or cannot be recorded at all.
    _lock: AccountLock,
}

/// The request to send, with exactly the bytes that the seller confirmed.
pub struct PermittedRequest {
    agreement: Agreement,
    n: u32,
    sent_before: bool,
    send_limit: SendLimit,
}

/// The limit until which the first byte of an attempt may be sent. It is checked just before
/// sending.
#[derive(Debug, Clone)]
pub struct SendLimit {
    /// The time limit for the first byte.
    pub deadline: SendDeadline,
    /// In a team, true until the connection to the log is known to be lost.
    liveness: Option<Arc<AtomicBool>>,
}

impl SendLimit {
    /// The limit of an attempt with this deadline. In a team, the leash may shorten the deadline.
    pub fn new(mut deadline: SendDeadline, leash: Option<Leash>) -> SendLimit {
        if let Some(leash) = &leash {
            deadline.limit = deadline.limit.min(leash.limit);
        }
        SendLimit {
            deadline,
            liveness: leash.map(|leash| leash.liveness),
        }
    }

    /// True if the first byte may be sent now.
    pub fn allows(&self, now: &Clocks) -> bool {
        let is_alive = self
            .liveness
            .as_ref()
            .is_none_or(|liveness| liveness.load(Ordering::SeqCst));
        is_alive && self.deadline.allows(now)
    }
}

impl Permit {
    /// Creates a permit for the last attempt of a withdrawal. The start of the attempt must already
    /// be on disk, and in the team's log if there is a leash.
    ///
    /// Returns `None` if it is too late to send the withdrawal with the same idempotency key.
    pub(super) fn new(
        withdrawal: Withdrawal,
        lock: AccountLock,
        window: &Window,
        leash: Option<Leash>,
    ) -> Option<Permit> {
        let Withdrawal {
            agreement,
            attempts,
            ..
        } = withdrawal;
        let send_deadline = window.send_deadline(&attempts)?;
        let n = attempts.last().map_or(0, |attempt| attempt.n);
        let sent_before = attempts
            .iter()
            .rev()
            .skip(1)
            .any(|attempt| attempt.may_have_been_sent());
        Some(Permit {
            request: PermittedRequest {
                agreement,
                n,
                sent_before,
                send_limit: SendLimit::new(send_deadline, leash),
            },
            lock,
        })
    }

    /// The number of the attempt, from 1.
    pub fn n(&self) -> u32 {
        self.request.n
    }

    /// Uses up the permit. Returns the request to send, and a [`Spent`] for recording the outcome.
    pub fn spend(self) -> (Spent, PermittedRequest) {
        let spent = Spent {
            key: self.request.agreement.key,
            n: self.request.n,
            _lock: self.lock,
        };
        (spent, self.request)
    }
}

impl PermittedRequest {
    /// The terms that the seller confirmed, such as the URL, the body, the account and the amount.
    pub fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    /// The number of the attempt, from 1.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// True if an earlier attempt may have reached the service.
    pub fn sent_before(&self) -> bool {
        self.sent_before
    }

    /// The limit for sending the request. It is checked just before sending.
    pub fn send_limit(&self) -> &SendLimit {
        &self.send_limit
    }
}

/// Prints only the idempotency key and the number of the attempt. The request body contains
/// personal data, and users share logs.
impl fmt::Debug for PermittedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({} attempt {})", self.agreement.key, self.n)
    }
}

impl Spent {
    /// The idempotency key of the withdrawal.
    pub fn key(&self) -> IdempotencyKey {
        self.key
    }

    /// The number of the attempt, from 1.
    pub fn n(&self) -> u32 {
        self.n
    }
}

/// The lock of an account. While it is held, no other attempt of the account can be sent, in this
/// process or another. The lock is released on drop.
///
/// Different spellings of the same service address and login share one lock.
#[derive(Debug)]
pub struct AccountLock {
    owner: Account,
    _guard: LockGuard,
}

impl AccountLock {
    /// The locked account in its normal form.
    pub fn owner(&self) -> &Account {
        &self.owner
    }

    /// Takes the lock. Returns `None` if an attempt of the account is being sent.
    pub(super) fn take(
        storage: &dyn Storage,
        owner: Account,
    ) -> Result<Option<AccountLock>, JournalTrouble> {
        let guard = storage.lock_account(&owner)?;
        Ok(guard.map(|guard| AccountLock {
            owner,
            _guard: guard,
        }))
    }
}
