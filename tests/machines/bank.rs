//! A simulated bank that receives withdrawals. It records its payouts in a ledger. How it treats a
//! repeated idempotency key depends on its [`BankKind`].
//!
//! The bank shares no code with the app, so the tests compare two independent records of the money.
//! Its behavior follows the documentation of real payment providers.

use std::sync::Arc;

/// A point in time or a duration, in milliseconds of true time. The app's clocks may be wrong.
pub type Ms = u64;

pub const SECOND: Ms = 1_000;
pub const MINUTE: Ms = 60 * SECOND;
pub const HOUR: Ms = 60 * MINUTE;

/// How long a bank of the kind [`BankKind::RemembersOncePaid`] processes a request before it pays.
const PROCESSING_TIME: Ms = 20 * SECOND;

/// How the bank treats a repeated idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BankKind {
    /// Repeats the first reply to a key for 24 hours, even if that reply was a 500.
    ReplaysEverything,
    /// Remembers a key only if its request was paid.
    KeepsSuccesses,
    /// Forgets each key 30 minutes after its first request.
    ForgetsAfterHalfAnHour,
    /// Replies 409 if a known key arrives with another body.
    ConflictOnOtherBody,
    /// Treats a known key with another body as a new request.
    IgnoresKeyOnOtherBody,
    /// Replies 208 to a repeated key while the first request is still being processed.
    SaysRunning,
    /// Replies 400 to a repeated key if its first request was paid.
    RefusesDuplicates,
    /// Processes a request for 20 seconds, and remembers its key only after paying. If the request
    /// is repeated during these 20 seconds, the bank pays it again.
    RemembersOncePaid,
    /// Forgets each key after ten minutes. The app supports no bank that forgets keys sooner.
    ForgetsAfterTenMinutes,
    /// Broken: ignores keys and pays every request.
    IgnoresKeys,
    /// Broken: forgets every key after one minute.
    ForgetsAfterAMinute,
    /// Broken: forgets all keys when the bank restarts.
    ForgetsOnRestart,
    /// Broken: forgets a key if the reply was an error, even though the request may have been paid.
    ForgetsAfterError,
}

impl BankKind {
    /// The kinds of bank that imitate real payment providers.
    pub const REAL: [BankKind; 8] = [
        BankKind::ReplaysEverything,
        BankKind::KeepsSuccesses,
        BankKind::ForgetsAfterHalfAnHour,
        BankKind::ConflictOnOtherBody,
        BankKind::IgnoresKeyOnOtherBody,
        BankKind::SaysRunning,
        BankKind::RefusesDuplicates,
        BankKind::RemembersOncePaid,
    ];

    /// The kinds of bank in [`BankKind::REAL`] that remember a key as soon as its request arrives.
    /// Tests that resend a request immediately use only these.
    pub const REMEMBERS_ON_ARRIVAL: &'static [BankKind] =
        BankKind::REAL.split_at(BankKind::REAL.len() - 1).0;

    /// The kinds of bank that can pay a withdrawal twice, even if the client makes no mistake.
    pub const BROKEN: [BankKind; 4] = [
        BankKind::IgnoresKeys,
        BankKind::ForgetsAfterAMinute,
        BankKind::ForgetsOnRestart,
        BankKind::ForgetsAfterError,
    ];

    /// Limits the delay of a request that reaches the bank after its client has given up.
    ///
    /// The app resends after 30 seconds. By then, a bank of the kind
    /// [`BankKind::RemembersOncePaid`] must have paid the first request and remembered its key. No
    /// client could detect a longer delay.
    pub fn limit_delay(self, delay: Ms) -> Ms {
        match self {
            BankKind::RemembersOncePaid => delay.min(30 * SECOND - PROCESSING_TIME - SECOND),
            _ => delay,
        }
    }

    fn retention(self) -> Ms {
        match self {
            BankKind::ForgetsAfterHalfAnHour => 30 * MINUTE,
            BankKind::ForgetsAfterTenMinutes => 10 * MINUTE,
            BankKind::ForgetsAfterAMinute => MINUTE,
            _ => 24 * HOUR,
        }
    }

    fn remembers_key(self, fate: Fate) -> bool {
        match self {
            BankKind::IgnoresKeys => false,
            BankKind::KeepsSuccesses
            | BankKind::RefusesDuplicates
            | BankKind::RemembersOncePaid => fate.pays(),
            BankKind::ForgetsAfterError => fate.status() < 400,
            _ => true,
        }
    }
}

/// How the bank handles a request with a key that it does not remember.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The bank pays and replies with success.
    Pays,
    /// The bank pays, but replies with a 500.
    PaysAndFails,
    /// The bank replies with a 500 and does not pay.
    Fails,
    /// The bank refuses with this HTTP status and does not pay.
    Refuses(u16),
}

impl Fate {
    fn pays(self) -> bool {
        matches!(self, Fate::Pays | Fate::PaysAndFails)
    }

    fn status(self) -> u16 {
        match self {
            Fate::Pays => 201,
            Fate::PaysAndFails | Fate::Fails => 500,
            Fate::Refuses(status) => status,
        }
    }
}

/// A simulated bank, with the idempotency keys that it remembers and a ledger of its payouts.
#[derive(Debug, Clone)]
pub struct Bank {
    pub kind: BankKind,
    remembered_keys: Vec<RememberedKey>,
    ledger: Vec<Payout>,
}

#[derive(Debug, Clone)]
struct RememberedKey {
    key: u128,
    body: Arc<str>,
    /// The time at which the bank began to remember the key.
    since: Ms,
    done_at: Ms,
    status: u16,
}

#[derive(Debug, Clone)]
struct Payout {
    key: u128,
    paid_at: Ms,
}

impl Bank {
    pub fn new(kind: BankKind) -> Bank {
        Bank {
            kind,
            remembered_keys: Vec::new(),
            ledger: Vec::new(),
        }
    }

    /// Handles a request that arrives at `now`, and returns the HTTP status of the reply. A payout
    /// normally happens `processing_time` milliseconds later.
    pub fn handle_request(
        &mut self,
        key: u128,
        body: &Arc<str>,
        now: Ms,
        fate: Fate,
        processing_time: Ms,
    ) -> u16 {
        if let Some(known) = self.find_remembered(key, body, now) {
            return self.status_of_repeat(known, body, now);
        }
        let processing_time = if self.kind == BankKind::RemembersOncePaid {
            PROCESSING_TIME
        } else {
            processing_time
        };
        let done_at = now + processing_time;
        if fate.pays() {
            self.ledger.push(Payout {
                key,
                paid_at: done_at,
            });
        }
        let status = fate.status();
        if self.kind.remembers_key(fate) {
            let since = if self.kind == BankKind::RemembersOncePaid {
                done_at
            } else {
                now
            };
            self.remembered_keys.push(RememberedKey {
                key,
                body: body.clone(),
                since,
                done_at,
                status,
            });
        }
        status
    }

    /// Returns true if the bank treats this request as a repetition of an earlier request.
    pub fn remembers(&self, key: u128, body: &Arc<str>, now: Ms) -> bool {
        self.find_remembered(key, body, now).is_some()
    }

    fn find_remembered(&self, key: u128, body: &Arc<str>, now: Ms) -> Option<&RememberedKey> {
        let retention = self.kind.retention();
        let is_remembered =
            |known: &&RememberedKey| (known.since..known.since + retention).contains(&now);
        let mut same_key = self
            .remembered_keys
            .iter()
            .filter(|known| known.key == key)
            .filter(is_remembered);
        match self.kind {
            BankKind::IgnoresKeyOnOtherBody => same_key.find(|known| known.body == *body),
            _ => same_key.next(),
        }
    }

    fn status_of_repeat(&self, known: &RememberedKey, body: &Arc<str>, now: Ms) -> u16 {
        match self.kind {
            BankKind::RefusesDuplicates => 400,
            BankKind::ConflictOnOtherBody if known.body != *body => 409,
            _ if known.body != *body => 422,
            BankKind::SaysRunning if now < known.done_at => 208,
            _ if now < known.done_at => 409,
            _ => known.status,
        }
    }

    /// Restarts the bank, which makes [`BankKind::ForgetsOnRestart`] forget all keys.
    pub fn restart(&mut self) {
        if self.kind == BankKind::ForgetsOnRestart {
            self.remembered_keys.clear();
        }
    }

    /// Returns how often the bank paid this key up to this time. An account statement at this
    /// time would show the same number.
    pub fn payouts_until(&self, key: u128, time: Ms) -> usize {
        self.ledger
            .iter()
            .filter(|payout| payout.key == key && payout.paid_at <= time)
            .count()
    }

    /// Returns how often the bank paid this key, including payouts that are scheduled for later.
    pub fn payout_count(&self, key: u128) -> usize {
        self.payouts_until(key, Ms::MAX)
    }
}
