//! The right to send one attempt, once, and the lock under which it is made.

use std::fmt;

use super::lock::LockGuard;
use super::money::storage::Storage;
use crate::trade::withdrawal::{LeaveBy, Window};
use crate::trade::{Account, Agreement, IdempotencyKey, JournalTrouble, Withdrawal};

/// The right to send one attempt of one withdrawal; that attempt is on disk.
///
/// Only the journal makes one, it cannot be copied, and sending consumes it. It holds the account's
/// lock: while it or its [`Spent`] lives nothing else of the account can be sent.
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

/// The remainder of a permit that was used: the right to write down how it ended, once.
#[derive(Debug)]
#[must_use = "how the attempt ended must be written down"]
pub struct Spent {
    pub(super) key: IdempotencyKey,
    pub(super) n: u32,
    /// Held until the end is on disk.
    _lock: AccountLock,
}

/// The request to send: the agreement's exact bytes.
pub struct PermittedRequest {
    agreement: Agreement,
    n: u32,
    sent_before: bool,
    leave_by: LeaveBy,
}

impl Permit {
    /// A permit for the last attempt of this withdrawal, which must be durable.
    ///
    /// There is none where the window allows no send.
    pub(super) fn new(
        withdrawal: Withdrawal,
        lock: AccountLock,
        window: &Window,
    ) -> Option<Permit> {
        let Withdrawal { agreement, attempts, .. } = withdrawal;
        let leave_by = window.leave_by(&attempts)?;
        let n = attempts.last().map_or(0, |attempt| attempt.n);
        let sent_before = attempts.iter().rev().skip(1).any(|attempt| attempt.counts());
        Some(Permit { request: PermittedRequest { agreement, n, sent_before, leave_by }, lock })
    }

    /// Which attempt may be sent; 1 for the first.
    pub fn n(&self) -> u32 {
        self.request.n
    }

    /// Uses the permit up: the request to send now, and the duty to say how it ended.
    pub fn spend(self) -> (Spent, PermittedRequest) {
        let spent = Spent { key: self.request.agreement.key, n: self.request.n, _lock: self.lock };
        (spent, self.request)
    }
}

impl PermittedRequest {
    /// Returns the agreement: method, url, key header, body, account, amount, destination, quote.
    pub fn agreement(&self) -> &Agreement {
        &self.agreement
    }

    /// Which attempt this is; 1 for the first.
    pub fn n(&self) -> u32 {
        self.n
    }

    /// Returns true when a byte of an earlier attempt may have reached the service.
    pub fn sent_before(&self) -> bool {
        self.sent_before
    }

    /// Returns the time until which its bytes may leave; the sender reads the clocks just before.
    pub fn leave_by(&self) -> &LeaveBy {
        &self.leave_by
    }
}

/// The name and the number: the body is personal, and traces are passed around.
impl fmt::Debug for PermittedRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Request({} attempt {})", self.agreement.key, self.n)
    }
}

impl Spent {
    /// Which withdrawal was sent.
    pub fn key(&self) -> IdempotencyKey {
        self.key
    }

    /// Which attempt it was.
    pub fn n(&self) -> u32 {
        self.n
    }
}

/// The one attempt in flight of an account, across all windows of the program; let go on drop.
///
/// It is the owner's: one however place and login are written.
#[derive(Debug)]
pub struct AccountLock {
    owner: Account,
    _held: LockGuard,
}

impl AccountLock {
    /// Returns the account whose attempts are locked.
    pub fn owner(&self) -> &Account {
        &self.owner
    }

    /// Takes the lock, or nothing when an attempt of the account is in flight elsewhere.
    pub(super) fn take(
        storage: &dyn Storage,
        account: &Account,
    ) -> Result<Option<AccountLock>, JournalTrouble> {
        let owner = account.owner();
        let held = storage.hold_account(&owner)?;
        Ok(held.map(|held| AccountLock { owner, _held: held }))
    }
}
