//! A simulated bank that receives withdrawals. It records its payouts in a ledger, and remembers
//! idempotency keys in different ways.
//!
//! The bank shares no code with the app, so the tests compare two independent records of the money.
//! Its behavior follows the documentation of real payment providers.

use std::sync::Arc;

/// A time in milliseconds of true time. The app's clocks may differ from it.
pub type Ms = u64;

pub const SECOND: Ms = 1_000;
pub const MINUTE: Ms = 60 * SECOND;
pub const HOUR: Ms = 60 * MINUTE;

/// How long a bank of the kind [`Kind::RemembersOncePaid`] processes a request before it pays.
const WORKS: Ms = 20 * SECOND;

/// How the bank treats a repeated idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
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

impl Kind {
    /// The kinds of bank that imitate real payment providers.
    pub const REAL: [Kind; 8] = [
        Kind::ReplaysEverything,
        Kind::KeepsSuccesses,
        Kind::ForgetsAfterHalfAnHour,
        Kind::ConflictOnOtherBody,
        Kind::IgnoresKeyOnOtherBody,
        Kind::SaysRunning,
        Kind::RefusesDuplicates,
        Kind::RemembersOncePaid,
    ];

    /// The kinds of bank in [`Kind::REAL`] that remember a key as soon as its request arrives.
    /// Tests that resend a request immediately use only these.
    pub const PROMPT: &'static [Kind] = Kind::REAL.split_at(Kind::REAL.len() - 1).0;

    /// The kinds of bank that can pay a withdrawal twice, even if the client makes no mistake.
    pub const BROKEN: [Kind; 4] = [
        Kind::IgnoresKeys,
        Kind::ForgetsAfterAMinute,
        Kind::ForgetsOnRestart,
        Kind::ForgetsAfterError,
    ];

    /// Limits the delay of a request that reaches the bank after its client has given up.
    ///
    /// The app resends after 30 seconds. By then, a bank of the kind [`Kind::RemembersOncePaid`]
    /// must have paid the first request and remembered its key. No client could detect a longer
    /// delay.
    pub fn latest(self, late: Ms) -> Ms {
        match self {
            Kind::RemembersOncePaid => late.min(30 * SECOND - WORKS - SECOND),
            _ => late,
        }
    }

    fn retention(self) -> Ms {
        match self {
            Kind::ForgetsAfterHalfAnHour => 30 * MINUTE,
            Kind::ForgetsAfterTenMinutes => 10 * MINUTE,
            Kind::ForgetsAfterAMinute => MINUTE,
            _ => 24 * HOUR,
        }
    }

    fn keeps(self, fate: Fate) -> bool {
        match self {
            Kind::IgnoresKeys => false,
            Kind::KeepsSuccesses | Kind::RefusesDuplicates | Kind::RemembersOncePaid => fate.pays(),
            Kind::ForgetsAfterError => fate.status() < 400,
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
    pub kind: Kind,
    known: Vec<Known>,
    ledger: Vec<Payout>,
}

#[derive(Debug, Clone)]
struct Known {
    key: u128,
    body: Arc<str>,
    /// The time at which the bank began to remember the key.
    since: Ms,
    done: Ms,
    status: u16,
}

#[derive(Debug, Clone)]
struct Payout {
    key: u128,
    at: Ms,
}

impl Bank {
    pub fn new(kind: Kind) -> Bank {
        Bank { kind, known: Vec::new(), ledger: Vec::new() }
    }

    /// Handles a request that arrives at `now`, and returns the HTTP status of the reply. A payout
    /// normally happens `takes` milliseconds later.
    pub fn take(&mut self, key: u128, body: &Arc<str>, now: Ms, fate: Fate, takes: Ms) -> u16 {
        if let Some(known) = self.recall(key, body, now) {
            return self.again(known, body, now);
        }
        let takes = if self.kind == Kind::RemembersOncePaid { WORKS } else { takes };
        let done = now + takes;
        if fate.pays() {
            self.ledger.push(Payout { key, at: done });
        }
        let status = fate.status();
        if self.kind.keeps(fate) {
            let since = if self.kind == Kind::RemembersOncePaid { done } else { now };
            self.known.push(Known { key, body: body.clone(), since, done, status });
        }
        status
    }

    /// Returns true if the bank treats this request as a repetition of an earlier request.
    pub fn knows(&self, key: u128, body: &Arc<str>, now: Ms) -> bool {
        self.recall(key, body, now).is_some()
    }

    fn recall(&self, key: u128, body: &Arc<str>, now: Ms) -> Option<&Known> {
        let retention = self.kind.retention();
        let fresh = |known: &&Known| (known.since..known.since + retention).contains(&now);
        let mut same_key = self.known.iter().filter(|known| known.key == key).filter(fresh);
        match self.kind {
            Kind::IgnoresKeyOnOtherBody => same_key.find(|known| known.body == *body),
            _ => same_key.next(),
        }
    }

    fn again(&self, known: &Known, body: &Arc<str>, now: Ms) -> u16 {
        match self.kind {
            Kind::RefusesDuplicates => 400,
            Kind::ConflictOnOtherBody if known.body != *body => 409,
            _ if known.body != *body => 422,
            Kind::SaysRunning if now < known.done => 208,
            _ if now < known.done => 409,
            _ => known.status,
        }
    }

    /// Restarts the bank, which makes [`Kind::ForgetsOnRestart`] forget all keys.
    pub fn restart(&mut self) {
        if self.kind == Kind::ForgetsOnRestart {
            self.known.clear();
        }
    }

    /// Returns how often the bank paid this key up to the time `then`. An account statement at that
    /// time would show the same number.
    pub fn paid_by(&self, key: u128, then: Ms) -> usize {
        self.ledger.iter().filter(|payout| payout.key == key && payout.at <= then).count()
    }

    /// Returns how often the bank paid this key, including payouts that are scheduled for later.
    pub fn paid(&self, key: u128) -> usize {
        self.paid_by(key, Ms::MAX)
    }
}
