//! An in-memory index of all withdrawals. With it, queries need not read the whole file.
//!
//! Undecided withdrawals are stored in the index completely. A decided withdrawal has only an
//! [`IndexEntry`] with the numbers of its events. The events are read from disk when the withdrawal
//! is shown.

use std::collections::{BTreeMap, HashMap};
use std::ops::Deref;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use super::chain::{self, ChainLink, Checksum};
use super::replay::{ReplayIndex, Replayed};
use crate::trade::report::{WithdrawalAmounts, WithdrawalCount, WithdrawalFigures};
use crate::trade::search::{RowLabel, Term, amount_words, searchable};
use crate::trade::withdrawal::{ClashKind, OtherWithdrawal, Standing, Window, WithdrawalState};
use crate::trade::{Account, Agreement, IdempotencyKey, Money, PixKey, Search, Wall, Withdrawal};

/// A withdrawal in the index.
pub(super) struct IndexEntry {
    pub key: IdempotencyKey,
    /// The account in a normal form, so that accounts can be compared.
    pub owner: Arc<Account>,
    pub amount: Money,
    pub destination: Option<PixKey>,
    pub standing: Standing,
    /// The status label in the table row. `None` if the label depends on the current time.
    label: Option<RowLabel>,
    pub confirmed_at: Wall,
    /// The fee and the net amount to which the seller agreed.
    fee_and_net: Option<[Money; 2]>,
    /// The part of the state that figures depend on.
    count: WithdrawalCount,
    /// The time of the withdrawal's last event.
    pub changed_at: Wall,
    /// The numbers of the withdrawal's events in the journal.
    pub events: Vec<i64>,
    /// The checksum of the request body when it was first read from disk. Before each attempt, the
    /// body on disk must still have this checksum.
    pub body_sum: Checksum,
    /// The text in which a search looks for its terms, in lower case and without accents.
    words: Box<str>,
}

/// All withdrawals, in the order in which the seller confirmed them.
pub(super) struct WithdrawalIndex {
    pub entries: Vec<IndexEntry>,
    positions: HashMap<IdempotencyKey, usize>,
    owners: Vec<Arc<Account>>,
    replayed: Replayed,
    /// The last attempt of each withdrawal, if it has no end and nobody has decided the withdrawal.
    /// An earlier attempt is over, because the machine that began the next one held the lock of the
    /// account. The text is the boot id of the machine that began it.
    attempts_without_end: BTreeMap<IdempotencyKey, (u32, Arc<str>)>,
    /// The figures of the last search, and the last event at that time.
    found: Option<(Search, ChainLink, WithdrawalFigures)>,
}

impl Deref for WithdrawalIndex {
    type Target = Replayed;

    fn deref(&self) -> &Replayed {
        &self.replayed
    }
}

impl ReplayIndex for WithdrawalIndex {
    fn replayed(&self) -> &Replayed {
        &self.replayed
    }

    fn events(&self, key: IdempotencyKey) -> Option<&[i64]> {
        self.entry(key).map(|entry| &*entry.events)
    }

    fn add_event(&mut self, link: ChainLink, at: Wall, withdrawal: Withdrawal) {
        let position = match self.positions.get(&withdrawal.agreement.key) {
            Some(&position) => position,
            None => self.add(&withdrawal),
        };
        let entry = &mut self.entries[position];
        entry.events.push(link.n);
        entry.changed_at = at;
        let state = lasting_state(&withdrawal);
        (entry.standing, entry.label) = (state.standing(), row_label(&state));
        entry.count = WithdrawalCount::from(&state);
        for text in [withdrawal.service_id(), withdrawal.service_status()]
            .into_iter()
            .flatten()
        {
            let text = searchable(text.raw());
            if !entry.words.contains(&*text) {
                entry.words = format!("{} {text}", entry.words).into();
            }
        }
        let is_decided = entry.is_decided();
        let key = withdrawal.agreement.key;
        if withdrawal.agreement.body.is_empty() && !entry.is_purged() {
            self.clear_personal_data(key);
        }
        match withdrawal.attempts.last() {
            Some(last) if last.end.is_none() && withdrawal.decision.is_none() => {
                let boot_id = last.began.boot_id.clone();
                self.attempts_without_end.insert(key, (last.n, boot_id));
            }
            _ => _ = self.attempts_without_end.remove(&key),
        }
        self.replayed.add(link, withdrawal, is_decided);
    }
}

impl WithdrawalIndex {
    pub fn new() -> WithdrawalIndex {
        WithdrawalIndex {
            entries: Vec::new(),
            positions: HashMap::new(),
            owners: Vec::new(),
            replayed: Replayed::new(),
            attempts_without_end: BTreeMap::new(),
            found: None,
        }
    }

    pub fn entry(&self, key: IdempotencyKey) -> Option<&IndexEntry> {
        self.positions
            .get(&key)
            .map(|&position| &self.entries[position])
    }

    fn add(&mut self, withdrawal: &Withdrawal) -> usize {
        let agreement = &withdrawal.agreement;
        let owner = self.shared_owner(&agreement.account);
        self.entries.push(IndexEntry {
            key: agreement.key,
            owner,
            amount: agreement.amount,
            destination: agreement.destination.clone(),
            standing: Standing::Prepared,
            label: Some(RowLabel::Prepared),
            confirmed_at: agreement.agreed.wall,
            fee_and_net: WithdrawalAmounts::of(withdrawal).fee_and_net,
            count: WithdrawalCount::NotCounted,
            changed_at: agreement.agreed.wall,
            events: Vec::with_capacity(3),
            body_sum: chain::checksum_of(&agreement.body),
            words: searchable_text(agreement),
        });
        self.positions.insert(agreement.key, self.entries.len() - 1);
        self.entries.len() - 1
    }

    /// A shared copy of the account in its normal form. Sharing saves memory, because most entries
    /// have the same account.
    fn shared_owner(&mut self, account: &Account) -> Arc<Account> {
        let owner = account.normalized();
        if let Some(known) = self.owners.iter().find(|known| ***known == owner) {
            return Arc::clone(known);
        }
        self.owners.push(Arc::new(owner));
        Arc::clone(&self.owners[self.owners.len() - 1])
    }

    /// Removes the personal data of a withdrawal from the index, after the data was deleted on
    /// disk.
    pub fn clear_personal_data(&mut self, key: IdempotencyKey) {
        self.found = None;
        if let Some(&position) = self.positions.get(&key) {
            let entry = &mut self.entries[position];
            entry.destination = None;
            entry.body_sum = chain::checksum_of("");
            entry.words = searchable(&amount_and_key_words(key, entry.amount)).into();
        }
    }

    /// All conflicts of this withdrawal with other withdrawals, the most severe first. In a team, a
    /// withdrawal that another machine prepared is a conflict too.
    pub fn clashes(
        &self,
        agreement: &Agreement,
        now: Wall,
        is_team: bool,
    ) -> Vec<(ClashKind, IdempotencyKey)> {
        let owner = agreement.account.normalized();
        let mut clashes: Vec<_> = self
            .entries
            .iter()
            .filter_map(|entry| {
                let facts = entry.facts();
                // All logins of a team are those of one seller.
                let owner = if is_team { &*entry.owner } else { &owner };
                let kind = facts.clash_with(agreement, owner, now).or_else(|| {
                    let other = self.undecided(entry.key).filter(|_| is_team)?;
                    other
                        .agreement
                        .prepared_clash_with(agreement, entry.standing)
                })?;
                Some((kind, entry.key))
            })
            .collect();
        clashes.sort();
        clashes
    }

    /// The attempts that a machine may be sending, with the boot ids of the machines.
    pub fn attempts_without_end(&self) -> impl Iterator<Item = ((IdempotencyKey, u32), &str)> {
        self.attempts_without_end
            .iter()
            .map(|(key, (n, boot_id))| ((*key, *n), &**boot_id))
    }

    /// The attempts with an unclear end of all undecided withdrawals, with the boot ids of the
    /// machines.
    pub fn unclear_attempts(&self) -> impl Iterator<Item = ((IdempotencyKey, u32), &str)> {
        let attempts = self.replayed.all_undecided().flat_map(|withdrawal| {
            let key = withdrawal.agreement.key;
            let attempts = withdrawal.attempts.iter();
            attempts.map(move |attempt| (key, attempt))
        });
        attempts
            .filter(|(_, attempt)| attempt.end.is_some() && attempt.is_unclear())
            .map(|(key, attempt)| ((key, attempt.n), &*attempt.began.boot_id))
    }

    /// The withdrawals of all accounts that have this amount and this destination.
    pub fn with_amount_and_destination<'a>(
        &'a self,
        amount: Money,
        destination: Option<&'a PixKey>,
    ) -> impl Iterator<Item = &'a IndexEntry> {
        self.entries.iter().filter(move |entry| {
            entry.amount == amount && entry.destination.as_ref() == destination
        })
    }

    /// The figures of the withdrawals that the seller confirmed in a period. The end of the period
    /// is exclusive.
    pub fn figures_between(&self, [since, until]: [Wall; 2]) -> WithdrawalFigures {
        let entries = self.entries.iter();
        figures(entries.filter(|entry| (since..until).contains(&entry.confirmed_at)))
    }

    /// The figures of the withdrawals that a search finds. They are computed again only for another
    /// search, or after another event.
    pub fn found_figures(&mut self, search: &Search) -> WithdrawalFigures {
        let last = self.replayed.last;
        if let Some((of, at, figures)) = &self.found
            && (of, *at) == (search, last)
        {
            return *figures;
        }
        let found = figures(self.find(None, search).into_iter());
        self.found = Some((search.clone(), last, found));
        found
    }

    /// The keys of the withdrawals that a search finds: first open ones, then prepared ones, then
    /// decided ones, each group from newest to oldest.
    pub fn find_keys(&self, account: Option<&Account>, search: &Search) -> Vec<IdempotencyKey> {
        let mut groups = [Vec::new(), Vec::new(), Vec::new()];
        for entry in self.find(account, search) {
            groups[group(entry.standing)].push(entry.key);
        }
        groups.concat()
    }

    /// The withdrawals that a search finds, from newest to oldest.
    fn find(&self, account: Option<&Account>, search: &Search) -> Vec<&IndexEntry> {
        let owner = account.map(Account::normalized);
        let terms: Vec<_> = search
            .terms
            .iter()
            .map(|term| (searchable(&term.text), term))
            .collect();
        let span = search
            .reading
            .period
            .map(|period| period.span(search.utc_offset_s));
        let found = self.entries.iter().rev().filter(|entry| {
            owner.as_ref().is_none_or(|owner| *entry.owner == *owner)
                && span.is_none_or(|[start, end]| (start..end).contains(&entry.confirmed_at))
                && search.reading.amounts.contains(entry.amount)
                && terms.iter().all(|(text, term)| {
                    entry.words.contains(text) || entry.matches_row(term, search.utc_offset_s)
                })
        });
        found.collect()
    }
}

impl IndexEntry {
    /// True if the search term matches the label, time, nickname or state that the table row shows.
    /// The searchable text is not compared here.
    fn matches_row(&self, term: &Term, utc_offset_s: i32) -> bool {
        let has_label = term.labels.iter().any(|label| match label {
            RowLabel::To(kind) => self
                .destination
                .as_ref()
                .is_some_and(|key| key.kind() == *kind),
            RowLabel::OnFile => self.destination.is_none(),
            label => self.label == Some(*label),
        });
        has_label
            || term.open.contains(&self.key)
            || self.has_destination_of(term)
            || !term.moments.is_empty() && {
                let confirmed_at = format_local_time(self.confirmed_at, utc_offset_s);
                term.moments
                    .iter()
                    .any(|time_match| time_match.matches(&confirmed_at))
            }
    }

    fn has_destination_of(&self, term: &Term) -> bool {
        let owners = self
            .destination
            .as_ref()
            .and_then(|key| term.destinations.get(key));
        owners.is_some_and(|owners| owners.contains(&self.owner))
    }

    /// True if the personal data was deleted. The request body is then empty. The body of a new
    /// withdrawal is never empty.
    pub fn is_purged(&self) -> bool {
        self.body_sum == chain::checksum_of("")
    }

    pub fn is_decided(&self) -> bool {
        self.standing.is_decided()
    }

    /// The facts that the rules about another withdrawal depend on.
    pub fn facts(&self) -> OtherWithdrawal<'_> {
        OtherWithdrawal {
            key: self.key,
            owner: &self.owner,
            amount: self.amount,
            destination: self.destination.as_ref(),
            standing: self.standing,
            changed_at: self.changed_at,
        }
    }
}

fn figures<'e>(entries: impl Iterator<Item = &'e IndexEntry>) -> WithdrawalFigures {
    let mut figures = WithdrawalFigures::default();
    for entry in entries {
        let amounts = WithdrawalAmounts {
            amount: entry.amount,
            fee_and_net: entry.fee_and_net,
        };
        figures.add(amounts, entry.count);
    }
    figures
}

/// The position of the group to which a withdrawal belongs: open, prepared or decided.
pub(super) fn group(standing: Standing) -> usize {
    match standing {
        Standing::Open | Standing::Mismatch => 0,
        Standing::Prepared => 1,
        Standing::Paid | Standing::NotPaid | Standing::NotFound => 2,
    }
}

/// The state of a withdrawal, which does not depend on the current time if the withdrawal is
/// prepared or decided.
pub(super) fn lasting_state(withdrawal: &Withdrawal) -> WithdrawalState {
    // All time limits are zero here, because they only decide between "unknown" and "needs a
    // person", and both count as open.
    let zero = Duration::ZERO;
    let window = Window {
        retention: zero,
        deadline: zero,
        resend_after: zero,
    };
    withdrawal.state(&withdrawal.agreement.agreed, &window, false)
}

/// The label of a state in the table row, unless the label depends on the current time.
fn row_label(state: &WithdrawalState) -> Option<RowLabel> {
    match state {
        WithdrawalState::Prepared => Some(RowLabel::Prepared),
        WithdrawalState::Accepted => Some(RowLabel::Accepted),
        WithdrawalState::ResolvedPaid => Some(RowLabel::FoundPaid),
        WithdrawalState::Rejected => Some(RowLabel::Rejected),
        WithdrawalState::Discarded => Some(RowLabel::Discarded),
        WithdrawalState::ResolvedNotPaid => Some(RowLabel::StatedNotPaid),
        WithdrawalState::Mismatch(_)
        | WithdrawalState::Sending(_)
        | WithdrawalState::Unknown
        | WithdrawalState::NeedsPerson(_) => None,
    }
}

/// Formats a time as a search term contains it: `21/11/2026 10:42`.
fn format_local_time(at: Wall, utc_offset_s: i32) -> String {
    let local = at.local(utc_offset_s);
    local.map_or_else(String::new, |at| at.strftime("%d/%m/%Y %H:%M").to_string())
}

fn searchable_text(agreement: &Agreement) -> Box<str> {
    let mut words = amount_and_key_words(agreement.key, agreement.amount);
    if let Some(destination) = &agreement.destination {
        words.push_str(&format!(
            " {} {}",
            destination.as_str(),
            destination.pretty()
        ));
    }
    if let Some(quote) = &agreement.quote {
        words.push_str(&format!(
            " {} {}",
            amount_words(quote.fee),
            amount_words(quote.net)
        ));
    }
    for text in body_texts(&agreement.body) {
        words.push_str(&format!(" {text}"));
    }
    searchable(&words).into()
}

fn amount_and_key_words(key: IdempotencyKey, amount: Money) -> String {
    format!("{} {key}", amount_words(amount))
}

/// All texts in a request body, to make them searchable. The journal does not know the API
/// contract, so it cannot tell which text is the withdrawal's description.
fn body_texts(body: &str) -> Vec<String> {
    fn collect(value: Value, texts: &mut Vec<String>) {
        match value {
            Value::String(text) => texts.push(text),
            Value::Array(all) => all.into_iter().for_each(|value| collect(value, texts)),
            Value::Object(all) => all.into_iter().for_each(|(_, value)| collect(value, texts)),
            Value::Null | Value::Bool(_) | Value::Number(_) => {}
        }
    }
    let mut texts = Vec::new();
    match serde_json::from_str(body) {
        Ok(value) => collect(value, &mut texts),
        Err(_) => {
            let members = url::form_urlencoded::parse(body.as_bytes());
            texts.extend(members.map(|(_, text)| text.into_owned()));
        }
    }
    texts
}
