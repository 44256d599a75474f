//! The index of all withdrawals in memory, so that no question reads the whole file again.
//!
//! Withdrawals that are not decided are held whole; of each decided one an entry, with the numbers
//! of its events, from which it is read again when the seller looks at it.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use super::chain::{self, ChainLink, Sum};
use crate::trade::search::{Called, Term, amount_words, searchable};
use crate::trade::withdrawal::{Decision, Window, WithdrawalState};
use crate::trade::{Account, IdempotencyKey, Money, PixKey, Search, Wall, Withdrawal};

/// The status of a withdrawal, as far as that needs no clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Status {
    Prepared,
    /// Sending, unknown, or needs a person.
    Open,
    Mismatch,
    Decided {
        paid: Paid,
    },
}

/// The knowledge about the money of a decided withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Paid {
    /// Accepted by the service, or found in the account.
    Yes,
    /// Refused, or retired before anything was taken: no money moved.
    No,
    /// A person did not find it. The attempts do not prove that: a payment may still turn up.
    NotFound,
}

/// One withdrawal in the index.
pub(super) struct IndexEntry {
    pub key: IdempotencyKey,
    /// The owner, in the form in which owners are compared.
    pub owner: Arc<Account>,
    pub amount: Money,
    pub destination: Option<PixKey>,
    pub status: Status,
    /// The label of its row, unless that needs a clock.
    called: Option<Called>,
    /// The time at which it was agreed: the moment that its row shows.
    agreed: Wall,
    /// The time of the last of its events.
    pub changed: Wall,
    /// The numbers of its events.
    pub events: Vec<i64>,
    /// Of the body as it was first read; what is sent is compared with it.
    pub body: Sum,
    /// The text that a search looks at.
    words: Box<str>,
}

/// All withdrawals, in the order in which they were prepared.
pub(super) struct WithdrawalIndex {
    pub entries: Vec<IndexEntry>,
    positions: HashMap<IdempotencyKey, usize>,
    owners: Vec<Arc<Account>>,
    undecided: HashMap<IdempotencyKey, Withdrawal>,
    /// The end of the chain, as far as it was read.
    pub last: ChainLink,
    /// Its end one event before.
    pub before_last: ChainLink,
}

impl WithdrawalIndex {
    pub fn new() -> WithdrawalIndex {
        WithdrawalIndex {
            entries: Vec::new(),
            positions: HashMap::new(),
            owners: Vec::new(),
            undecided: HashMap::new(),
            last: chain::start(),
            before_last: chain::start(),
        }
    }

    pub fn entry(&self, key: IdempotencyKey) -> Option<&IndexEntry> {
        self.positions.get(&key).map(|&at| &self.entries[at])
    }

    /// A withdrawal that is held whole.
    pub fn undecided(&self, key: IdempotencyKey) -> Option<&Withdrawal> {
        self.undecided.get(&key)
    }

    /// An undecided withdrawal whose bytes are not there.
    pub fn without_body(&self) -> Option<IdempotencyKey> {
        let mut undecided = self.undecided.values().map(|withdrawal| &withdrawal.agreement);
        undecided.find(|agreement| agreement.body.is_empty()).map(|agreement| agreement.key)
    }

    /// Takes note of an event: the withdrawal as it stands after it, and where the chain ends now.
    pub fn note(&mut self, link: ChainLink, at: Wall, withdrawal: Withdrawal) {
        let key = withdrawal.agreement.key;
        let place = match self.positions.get(&key) {
            Some(&place) => place,
            None => self.add(&withdrawal),
        };
        let entry = &mut self.entries[place];
        entry.events.push(link.n);
        entry.changed = at;
        (entry.status, entry.called) = status(&withdrawal);
        if matches!(entry.status, Status::Decided { .. }) {
            self.undecided.remove(&key);
        } else {
            self.undecided.insert(key, withdrawal);
        }
        self.before_last = self.last;
        self.last = link;
    }

    fn add(&mut self, withdrawal: &Withdrawal) -> usize {
        let agreement = &withdrawal.agreement;
        let owner = self.owner(&agreement.account);
        self.entries.push(IndexEntry {
            key: agreement.key,
            owner,
            amount: agreement.amount,
            destination: agreement.destination.clone(),
            status: Status::Prepared,
            called: Some(Called::Prepared),
            agreed: agreement.agreed.wall,
            changed: agreement.agreed.wall,
            events: Vec::with_capacity(3),
            body: chain::sum_of(&agreement.body),
            words: words(agreement.key, agreement.amount, agreement.destination.as_ref()),
        });
        self.positions.insert(agreement.key, self.entries.len() - 1);
        self.entries.len() - 1
    }

    /// Returns the one copy of an owner: there are few owners, and many entries.
    fn owner(&mut self, account: &Account) -> Arc<Account> {
        let owner = account.owner();
        if let Some(known) = self.owners.iter().find(|known| ***known == owner) {
            return Arc::clone(known);
        }
        self.owners.push(Arc::new(owner));
        Arc::clone(&self.owners[self.owners.len() - 1])
    }

    /// Forgets what was purged from the disk.
    pub fn forget_person(&mut self, key: IdempotencyKey) {
        if let Some(&place) = self.positions.get(&key) {
            let entry = &mut self.entries[place];
            entry.destination = None;
            entry.body = chain::sum_of("");
            entry.words = words(key, entry.amount, None);
        }
    }

    /// Returns the entries with this amount and destination, of every account.
    pub fn alike<'a>(
        &'a self,
        amount: Money,
        destination: Option<&'a PixKey>,
    ) -> impl Iterator<Item = &'a IndexEntry> {
        self.entries.iter().filter(move |entry| {
            entry.amount == amount && entry.destination.as_ref() == destination
        })
    }

    /// Returns the rows for a search: open ones, then prepared ones, then the rest, newest first.
    pub fn listed(&self, account: Option<&Account>, search: &Search) -> Vec<IdempotencyKey> {
        let owner = account.map(Account::owner);
        let terms: Vec<_> =
            search.terms.iter().map(|term| (searchable(&term.text), term)).collect();
        let found = |entry: &&IndexEntry| {
            let found = |(text, term): &(String, &Term)| {
                entry.words.contains(text) || entry.is_meant(term, search.utc_offset_s)
            };
            owner.as_ref().is_none_or(|owner| *entry.owner == *owner) && terms.iter().all(found)
        };
        let mut groups = [Vec::new(), Vec::new(), Vec::new()];
        for entry in self.entries.iter().rev().filter(found) {
            groups[entry.status.group()].push(entry.key);
        }
        groups.concat()
    }
}

impl IndexEntry {
    /// Returns true when its row shows this in other words than the indexed ones.
    fn is_meant(&self, term: &Term, utc_offset_s: i32) -> bool {
        let is_called = |called: &Called| match called {
            Called::To(kind) => self.destination.as_ref().is_some_and(|key| key.kind() == *kind),
            Called::OnFile => self.destination.is_none(),
            called => self.called == Some(*called),
        };
        term.called.iter().any(is_called)
            || term.open.contains(&self.key)
            || term
                .destinations
                .iter()
                .any(|(owner, key)| self.destination.as_ref() == Some(key) && *self.owner == *owner)
            || !term.moments.is_empty() && {
                let agreed = figures(self.agreed, utc_offset_s);
                term.moments.iter().any(|moments| moments.hold(&agreed))
            }
    }

    /// Returns true when its bytes are gone: without any nothing is ever prepared.
    pub fn is_purged(&self) -> bool {
        self.body == chain::sum_of("")
    }

    /// Returns true when it is decided, in whichever way.
    pub fn is_decided(&self) -> bool {
        matches!(self.status, Status::Decided { .. })
    }

    /// Returns true when it is decided, and may have been paid.
    pub fn may_have_paid(&self) -> bool {
        matches!(self.status, Status::Decided { paid: Paid::Yes | Paid::NotFound })
    }

    /// Returns true when the last of its events happened not longer ago than this.
    pub fn changed_within(&self, span: Duration, now: Wall) -> bool {
        // A clock that went backwards cannot say that it is long ago.
        now.since(self.changed).is_none_or(|age| age <= span)
    }
}

impl Status {
    fn group(self) -> usize {
        match self {
            Status::Open | Status::Mismatch => 0,
            Status::Prepared => 1,
            Status::Decided { .. } => 2,
        }
    }
}

/// Returns the status that a withdrawal's own state machine gives it, and the label of its row.
fn status(withdrawal: &Withdrawal) -> (Status, Option<Called>) {
    // No clock parts open from not open: it only parts "unknown" from "needs a person".
    let none = Duration::ZERO;
    let window = Window { retention: none, deadline: none, resend_after: none };
    match withdrawal.state(&withdrawal.agreement.agreed, &window, false) {
        WithdrawalState::Prepared => (Status::Prepared, Some(Called::Prepared)),
        WithdrawalState::Mismatch(_) => (Status::Mismatch, None),
        WithdrawalState::Accepted => decided(Paid::Yes, Called::Accepted),
        WithdrawalState::ResolvedPaid => decided(Paid::Yes, Called::FoundPaid),
        WithdrawalState::Rejected => decided(Paid::No, Called::Rejected),
        WithdrawalState::Discarded => decided(Paid::No, Called::Discarded),
        WithdrawalState::ResolvedNotPaid => decided(Paid::NotFound, Called::StatedNotPaid),
        WithdrawalState::Sending(_)
        | WithdrawalState::Unknown
        | WithdrawalState::NeedsPerson(_) => (Status::Open, None),
    }
}

fn decided(paid: Paid, called: Called) -> (Status, Option<Called>) {
    (Status::Decided { paid }, Some(called))
}

/// `21/11/2026 10:42`: a moment where the seller is, as a search knows it.
fn figures(at: Wall, utc_offset_s: i32) -> String {
    let local = at.local(utc_offset_s);
    local.map_or_else(String::new, |at| at.strftime("%d/%m/%Y %H:%M").to_string())
}

fn words(key: IdempotencyKey, amount: Money, destination: Option<&PixKey>) -> Box<str> {
    let mut words = format!("{} {key}", amount_words(amount));
    if let Some(destination) = destination {
        words.push_str(&format!(" {} {}", destination.as_str(), destination.pretty()));
    }
    searchable(&words).into()
}

/// Returns true when this decision can be made in the withdrawal's state.
pub(super) fn may_decide(decision: Decision, state: &WithdrawalState) -> bool {
    match decision {
        Decision::Discarded => *state == WithdrawalState::Prepared,
        Decision::FoundPaid => state.is_open(),
        Decision::StatedNotPaid => {
            matches!(state, WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_))
        }
    }
}
