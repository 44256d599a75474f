//! A bank in one file: how long it remembers a key, what it answers to it again, and its ledger.
//!
//! It shares nothing with the program. The kinds are those that real providers document.

use std::sync::Arc;

/// Milliseconds of true time, which no clock of the machine shows for certain.
pub type Ms = u64;

pub const SECOND: Ms = 1_000;
pub const MINUTE: Ms = 60 * SECOND;
pub const HOUR: Ms = 60 * MINUTE;

/// How long a bank that remembers a key only once it has paid works on a request.
const WORKS: Ms = 20 * SECOND;

/// What a provider makes of an idempotency key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Replays whatever it answered, even a 500, for 24 hours.
    ReplaysEverything,
    /// Keeps only what it paid.
    KeepsSuccesses,
    /// Forgets every key after 30 minutes.
    ForgetsAfterHalfAnHour,
    /// Answers 409 when the body is another one.
    ConflictOnOtherBody,
    /// Takes the same key with another body for a new request.
    IgnoresKeyOnOtherBody,
    /// Says 208 while the first request is still running.
    SaysRunning,
    /// Answers 400 to a duplicate of what it paid.
    RefusesDuplicates,
    /// Works on a request for 20 seconds, and remembers its key only once it has paid: the same
    /// again meanwhile is paid again.
    RemembersOncePaid,
    /// Forgets every key after ten minutes: no provider says so, and none may forget sooner.
    ForgetsAfterTenMinutes,
    /// Broken: looks at no key.
    IgnoresKeys,
    /// Broken: forgets every key after a minute.
    ForgetsAfterAMinute,
    /// Broken: forgets every key when it starts again.
    ForgetsOnRestart,
    /// Broken: forgets a key whose request it answered with an error, though it paid.
    ForgetsAfterError,
}

impl Kind {
    /// As real providers are.
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

    /// Those of them that know a key from its first request on, for machines in which no time
    /// passes before a resend.
    pub const PROMPT: &'static [Kind] = Kind::REAL.split_at(Kind::REAL.len() - 1).0;

    /// As no provider may be: nothing a client does is safe with these.
    pub const BROKEN: [Kind; 4] = [
        Kind::IgnoresKeys,
        Kind::ForgetsAfterAMinute,
        Kind::ForgetsOnRestart,
        Kind::ForgetsAfterError,
    ];

    /// How late a request may reach it after its client gave up, so that it is remembered within
    /// the half minute that a resend waits: what takes longer no client can see.
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

/// What becomes of a request the bank has not seen before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fate {
    /// Paid, and said so.
    Pays,
    /// Paid, and answered with a 500.
    PaysAndFails,
    /// Not paid, and answered with a 500.
    Fails,
    /// Not paid, for a reason of the business.
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

/// The bank: what it remembers, and what it paid.
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
    /// When it began to be remembered.
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

    /// Takes a request; the status it answers. A payment is made so long after.
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

    /// Whether it would answer this as a request that it remembers.
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

    /// The bank's own machine starts again.
    pub fn restart(&mut self) {
        if self.kind == Kind::ForgetsOnRestart {
            self.known.clear();
        }
    }

    /// How often this key was paid by then, as a person sees it in the account.
    pub fn paid_by(&self, key: u128, then: Ms) -> usize {
        self.ledger.iter().filter(|payout| payout.key == key && payout.at <= then).count()
    }

    /// How often this key was paid or certainly will be.
    pub fn paid(&self, key: u128) -> usize {
        self.paid_by(key, Ms::MAX)
    }
}
