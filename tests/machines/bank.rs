//! A simulated bank. It replies to new and repeated idempotency keys and records its payouts in a
//! ledger.
//!
//! The bank shares no code with the program, so the tests compare two independent records of the
//! money. Its kinds of behaviour follow the documentation of real payment providers.

use std::sync::Arc;

/// Milliseconds of simulated true time. The machine's clocks may show a different time.
pub type Ms = u64;

pub const SECOND: Ms = 1_000;
pub const MINUTE: Ms = 60 * SECOND;
pub const HOUR: Ms = 60 * MINUTE;

/// The time that a bank of the kind [`Kind::RemembersOncePaid`] works on a request before it pays.
const WORKS: Ms = 20 * SECOND;

/// How the bank treats a repeated idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// For 24 hours, repeats its first reply to the key, even if the first reply was a 500.
    ReplaysEverything,
    /// Remembers a key only if the bank paid the request.
    KeepsSuccesses,
    /// Forgets every key 30 minutes after its first request.
    ForgetsAfterHalfAnHour,
    /// Replies 409 if a known key is repeated with another body.
    ConflictOnOtherBody,
    /// Treats a known key with another body as a new request.
    IgnoresKeyOnOtherBody,
    /// Replies 208 to a repeated key while the first request is still running.
    SaysRunning,
    /// Replies 400 to a repeated key if the first request was paid.
    RefusesDuplicates,
    /// Works on each request for 20 seconds and remembers the key only after paying. A duplicate
    /// that arrives during these 20 seconds is paid too.
    RemembersOncePaid,
    /// Forgets every key after ten minutes, the shortest retention that the program supports.
    ForgetsAfterTenMinutes,
    /// Broken: ignores the key and pays every request.
    IgnoresKeys,
    /// Broken: forgets every key after one minute.
    ForgetsAfterAMinute,
    /// Broken: forgets every key when the bank restarts.
    ForgetsOnRestart,
    /// Broken: forgets a key if the reply was an error, even if the request was paid.
    ForgetsAfterError,
}

impl Kind {
    /// The kinds of bank that are modelled on real payment providers.
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

    /// The kinds in [`Kind::REAL`] that remember a key as soon as a request arrives. Tests that
    /// resend immediately use only these kinds.
    pub const PROMPT: &'static [Kind] = Kind::REAL.split_at(Kind::REAL.len() - 1).0;

    /// The kinds of bank with which no client can avoid paying twice.
    pub const BROKEN: [Kind; 4] = [
        Kind::IgnoresKeys,
        Kind::ForgetsAfterAMinute,
        Kind::ForgetsOnRestart,
        Kind::ForgetsAfterError,
    ];

    /// Shortens the delay of a late request if this kind of bank requires it. A late request
    /// reaches the bank after its client has given up.
    ///
    /// The program resends after 30 seconds. By then a bank of the kind [`Kind::RemembersOncePaid`]
    /// must have remembered the key of the first request, because no client could detect a longer
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

/// How the bank handles a request whose key it does not remember.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// The bank pays and replies with success.
    Pays,
    /// The bank pays but replies with a 500.
    PaysAndFails,
    /// The bank does not pay and replies with a 500.
    Fails,
    /// The bank does not pay and refuses with this status.
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

/// A simulated bank with its remembered keys and its ledger.
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
    /// The time at which the bank starts to remember the key.
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

    /// Handles a request that arrives at the time `now`, and returns the HTTP status of the reply.
    /// If the bank pays, the payout normally happens `takes` milliseconds later.
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

    /// Returns true if the bank would treat this request as a repetition of an earlier request.
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

    /// Restarts the bank. A bank of the kind [`Kind::ForgetsOnRestart`] forgets all keys.
    pub fn restart(&mut self) {
        if self.kind == Kind::ForgetsOnRestart {
            self.known.clear();
        }
    }

    /// Returns how many payouts were made for this key up to the time `then`, as an account
    /// statement would show them.
    pub fn paid_by(&self, key: u128, then: Ms) -> usize {
        self.ledger.iter().filter(|payout| payout.key == key && payout.at <= then).count()
    }

    /// Returns the number of payouts for this key, including payouts scheduled for the future.
    pub fn paid(&self, key: u128) -> usize {
        self.paid_by(key, Ms::MAX)
    }
}
