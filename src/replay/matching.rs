//! Finds the recorded entry (a request with its reply) for a new request.
//!
//! The new request matches a recorded request if both have the same method, path and query. Their
//! bodies must have the same member names and kinds of values. An unmasked number must also have
//! the same value, so that amounts are compared. A mask matches every value.
//!
//! The recorded path may begin with the path of the seller's base URL. In that case only the end of
//! the recorded path is compared.

use std::collections::BTreeMap;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde_json::Value;
use url::form_urlencoded;

use super::guide::{Difference, Nearest};
use super::recording::{Entry, Recording, Request, operation_at};
use crate::contract::Contract;
use crate::trade::{Operation, Untrusted};

/// Pairs of values: a value in the recorded request, and the value at the same position in the new
/// request.
pub(super) type Pairs = Vec<(Value, Value)>;

/// The way in which the replay answers a request.
pub(super) enum ReplyChoice {
    /// Play the recorded reply with this index. The pairs are the values at the same positions in
    /// the recorded and the new request.
    Play(usize, Pairs),
    /// Accept a login, because the file contains no login.
    AcceptLogin,
    /// Refuse a withdrawal that was not recorded.
    RefuseWithdrawal,
    /// Refuse any other request that was not recorded.
    Refuse,
}

/// The recording, with the entries that were already played.
pub(super) struct Player {
    recording: Recording,
    used: Vec<bool>,
    /// The index of the first entry to play, if the entries before it are skipped.
    first: Option<usize>,
    /// The withdrawals that the replay has received, by idempotency key.
    withdrawals: BTreeMap<String, SentWithdrawal>,
}

struct SentWithdrawal {
    /// The idempotency key that all attempts of the recorded withdrawal have in the recording.
    recorded_key: Option<String>,
    /// The index of the recorded attempt that was played last.
    last: usize,
}

impl Player {
    /// Prepares to play the entries from the index `first` on, or all entries.
    pub(super) fn new(recording: Recording, first: Option<usize>) -> Player {
        let first = first.filter(|first| *first < recording.entries.len());
        let used = 0..recording.entries.len();
        let used = used
            .map(|index| first.is_some_and(|first| index < first))
            .collect();
        Player {
            recording,
            used,
            first,
            withdrawals: BTreeMap::new(),
        }
    }

    pub(super) fn contract(&self) -> &Contract {
        &self.recording.contract
    }

    pub(super) fn entry(&self, index: usize) -> &Entry {
        &self.recording.entries[index]
    }

    /// Selects the recorded entry for a request, and marks it as used.
    pub(super) fn choose(&mut self, request: &Request) -> ReplyChoice {
        let operation = operation_at(self.contract(), &request.method, &request.path);
        if operation == Some(Operation::Login) && self.lacks_login_before_first() {
            return ReplyChoice::AcceptLogin;
        }
        let is_withdrawal = self.contract().withdrawal_only.has_path(&request.path);
        let matched = if is_withdrawal {
            self.choose_withdrawal(request)
        } else {
            self.choose_other(request)
        };
        let Some((index, pairs)) = matched else {
            return match operation {
                _ if is_withdrawal => ReplyChoice::RefuseWithdrawal,
                Some(Operation::Login) if !self.recording.has_login() => ReplyChoice::AcceptLogin,
                _ => ReplyChoice::Refuse,
            };
        };
        self.used[index] = true;
        ReplyChoice::Play(index, pairs)
    }

    /// The index of the first entry to play, as long as it was not played.
    fn unplayed_first(&self) -> Option<usize> {
        self.first.filter(|first| !self.used[*first])
    }

    /// True if the first entry to play needs a login, but no login was recorded before it.
    fn lacks_login_before_first(&self) -> bool {
        let entries = &self.recording.entries;
        self.unplayed_first().is_some_and(|first| {
            entries[..=first]
                .iter()
                .all(|entry| entry.operation != Some(Operation::Login))
        })
    }

    fn choose_other(&self, request: &Request) -> Option<(usize, Pairs)> {
        let matching = |(index, _): (usize, &Entry)| self.match_entry(index, request);
        if let Some(first) = self.unplayed_first() {
            let first_entry = self.entries().skip(first).take(1);
            let first_entry = first_entry.filter(|(index, entry)| self.is_unused(*index, entry));
            // The requests that lead to the first entry get the replies from before it, preferably
            // a success.
            let earlier = |has_failed: bool| {
                let earlier = self.entries().take(first).rev();
                earlier.filter(move |(_, entry)| {
                    entry.is_repeatable() && entry.has_failed(self.contract()) == has_failed
                })
            };
            let mut entries = first_entry.chain(earlier(false)).chain(earlier(true));
            if let Some(chosen) = entries.find_map(matching) {
                return Some(chosen);
            }
        }
        let unused = self
            .entries()
            .filter(|(index, entry)| self.is_unused(*index, entry))
            .find_map(matching);
        unused.or_else(|| {
            self.entries()
                .rev()
                .filter(|(_, entry)| entry.is_repeatable())
                .find_map(matching)
        })
    }

    fn entries(&self) -> impl DoubleEndedIterator<Item = (usize, &Entry)> + ExactSizeIterator {
        self.recording.entries.iter().enumerate()
    }

    fn is_unused(&self, index: usize, entry: &Entry) -> bool {
        !self.used[index] && entry.operation != Some(Operation::Withdrawal)
    }

    fn match_entry(&self, index: usize, request: &Request) -> Option<(usize, Pairs)> {
        let recorded = &self.recording.entries[index].request;
        Some((index, match_requests(recorded, request)?))
    }

    /// Selects the recorded attempt to play for a withdrawal request. A new idempotency key gets
    /// the first attempt of the next recorded withdrawal. A known key gets the next attempt of its
    /// recorded withdrawal, or its last attempt again.
    fn choose_withdrawal(&mut self, request: &Request) -> Option<(usize, Pairs)> {
        let known = request
            .key
            .as_ref()
            .and_then(|key| self.withdrawals.get(key));
        let entries = self.recording.entries.iter().enumerate();
        let unused = entries.filter(|(index, entry)| {
            !self.used[*index] && entry.operation == Some(Operation::Withdrawal)
        });
        let mut next = unused.filter(|(_, entry)| match (known, &entry.request.key) {
            (Some(known), key) => key.is_some() && known.recorded_key == *key,
            (None, Some(key)) => self
                .withdrawals
                .values()
                .all(|withdrawal| withdrawal.recorded_key.as_ref() != Some(key)),
            (None, None) => true,
        });
        let (last, pairs) = next
            .find_map(|(index, _)| self.match_entry(index, request))
            .or_else(|| self.match_entry(known?.last, request))?;
        if let Some(key) = &request.key {
            let recorded_key = self.recording.entries[last].request.key.clone();
            self.withdrawals
                .insert(key.clone(), SentWithdrawal { recorded_key, last });
        }
        Some((last, pairs))
    }
}

impl Player {
    /// The recorded request that is most similar to a request without a match. It has the same
    /// method and path, and was not played if possible.
    pub(super) fn nearest(&self, request: &Request) -> Option<Nearest> {
        let similar = self.entries().filter(|(_, entry)| {
            entry.request.method == request.method
                && match_path(&entry.request.path, &request.path, &mut Vec::new()).is_some()
        });
        let (index, entry) = similar.min_by_key(|(index, _)| self.used[*index])?;
        let operation = entry.operation;
        let recorded = entry.request.summary(operation, self.contract());
        let new = request.summary(operation, self.contract());
        let difference = match recorded.amount {
            Some(recorded) if new.amount != Some(recorded) => Difference::Amount(recorded),
            _ if self.used[index] => Difference::Played,
            _ => Difference::Content,
        };
        Some(Nearest {
            number: index + 1,
            difference,
        })
    }
}

/// The values at the same positions in both requests; `None` if the requests do not match.
fn match_requests(recorded: &Request, request: &Request) -> Option<Pairs> {
    if recorded.method != request.method {
        return None;
    }
    let mut pairs = Vec::new();
    match_path(&recorded.path, &request.path, &mut pairs)?;
    match_form(
        &recorded.query,
        &request.query,
        |recorded, new| is_mask(recorded) || is_equal(recorded, new),
        &mut pairs,
    )?;
    match_body(&recorded.body, &request.body, &mut pairs)?;
    if let (Some(recorded), Some(new)) = (&recorded.key, &request.key) {
        pairs.push((recorded.as_str().into(), new.as_str().into()));
    }
    Some(pairs)
}

fn match_path(recorded: &str, new: &str, pairs: &mut Pairs) -> Option<()> {
    for (recorded, new) in match_segments(recorded, new)? {
        (is_mask(recorded) || recorded == new).then_some(())?;
        pairs.push((recorded.into(), new.into()));
    }
    Some(())
}

/// Pairs the segments of two paths from the end, because the recorded path may have more segments.
/// Returns `None` if the recorded path has fewer segments.
fn match_segments<'a>(recorded: &'a str, new: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let recorded: Vec<_> = recorded.split('/').skip(1).collect();
    let new: Vec<_> = new.split('/').skip(1).collect();
    let extra_segments = recorded.len().checked_sub(new.len())?;
    Some(
        recorded[extra_segments..]
            .iter()
            .copied()
            .zip(new)
            .collect(),
    )
}

fn match_body(recorded: &str, new: &str, pairs: &mut Pairs) -> Option<()> {
    match (
        serde_json::from_str::<Value>(recorded).ok(),
        serde_json::from_str::<Value>(new).ok(),
    ) {
        (Some(recorded), Some(new)) => match_value(&recorded, &new, pairs),
        (None, None) => match_form(recorded, new, is_matching_text, pairs),
        _ => None,
    }
}

/// Compares two form bodies or queries, in the order of their pairs.
fn match_form(
    recorded: &str,
    new: &str,
    is_same: impl Fn(&str, &str) -> bool,
    pairs: &mut Pairs,
) -> Option<()> {
    let recorded = parse_form(recorded);
    let new = parse_form(new);
    (recorded.len() == new.len()
        && recorded
            .iter()
            .zip(&new)
            .all(|((name, value), (new_name, new_value))| {
                (is_mask(name) || name == new_name) && is_same(value, new_value)
            }))
    .then_some(())?;
    let values = recorded
        .into_iter()
        .zip(new)
        .map(|((_, old), (_, new))| (old.into(), new.into()));
    pairs.extend(values);
    Some(())
}

fn parse_form(text: &str) -> Vec<(String, String)> {
    let parsed = form_urlencoded::parse(text.as_bytes());
    parsed.into_owned().collect()
}

/// Compares two JSON values. Adds each pair of scalars, such as strings or numbers, to `pairs`.
/// Returns `None` if the values do not match.
fn match_value(recorded: &Value, new: &Value, pairs: &mut Pairs) -> Option<()> {
    let fits = match (recorded, new) {
        (Value::Object(recorded), Value::Object(new)) => {
            (recorded.len() == new.len()).then_some(())?;
            return recorded
                .iter()
                .try_for_each(|(name, old)| match_value(old, new.get(name)?, pairs));
        }
        (Value::Array(recorded), Value::Array(new)) => {
            (recorded.len() == new.len()).then_some(())?;
            return recorded
                .iter()
                .zip(new)
                .try_for_each(|(old, new)| match_value(old, new, pairs));
        }
        (Value::String(recorded), Value::String(new)) => is_matching_text(recorded, new),
        // A recorded string matches a new number if it is a mask, because masks are always strings.
        (Value::String(recorded), Value::Number(_)) => is_mask(recorded),
        (Value::Number(recorded), Value::Number(new)) => {
            is_equal(&recorded.to_string(), &new.to_string())
        }
        (Value::Bool(_), Value::Bool(_)) | (Value::Null, Value::Null) => true,
        _ => false,
    };
    pairs.push((recorded.clone(), new.clone()));
    fits.then_some(())
}

/// True if a new text matches the recorded text. If the recorded text is a number, the new one must
/// have the same value. A mask or any other text matches everything.
fn is_matching_text(recorded: &str, new: &str) -> bool {
    is_mask(recorded) || parse_number(recorded).is_none() || is_equal(recorded, new)
}

fn is_equal(recorded: &str, new: &str) -> bool {
    let numbers = parse_number(recorded).zip(parse_number(new));
    numbers.map_or(recorded == new, |(recorded, new)| recorded == new)
}

/// Parses the number in a text. The last point or comma is the decimal separator.
fn parse_number(text: &str) -> Option<Decimal> {
    let text = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), point) if point.is_none_or(|point| point < comma) => {
            text.replace('.', "").replace(',', ".")
        }
        _ => text.replace(',', ""),
    };
    Decimal::from_str(text.trim()).ok()
}

/// True if a recorded text contains a mask, so the original text is unknown.
fn is_mask(text: &str) -> bool {
    [Untrusted::SHOWN_MASK, Untrusted::SHOWN_JWT_MASK].contains(&text)
        || text.contains('‹')
        || text.split('*').count() > 2
}
