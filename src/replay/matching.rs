//! Finds the recorded entry (a request with its reply) for a new request.
//!
//! The new request matches a recorded request if both have the same method, path and query, and
//! bodies with the same member names and kinds of values. An unmasked number must also have the
//! same value, so that amounts are compared. A mask matches every value.
//!
//! The recorded path may begin with the path of the seller's base URL. In that case only the end of
//! the recorded path is compared.

use std::collections::BTreeMap;
use std::str::FromStr;

use rust_decimal::Decimal;
use serde_json::Value;
use url::form_urlencoded;

use super::recording::{Entry, Recording, Request, operation_at};
use crate::contract::Contract;
use crate::trade::{Operation, Untrusted};

/// Pairs of values: a value in the recorded request, and the value at the same position in the new
/// request.
pub(super) type Pairs = Vec<(Value, Value)>;

/// The way in which the replay answers a request.
pub(super) enum Choice {
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
    /// The withdrawals that the replay has received, by idempotency key.
    sent: BTreeMap<String, SentWithdrawal>,
}

struct SentWithdrawal {
    /// The idempotency key that all attempts of the recorded withdrawal have in the recording.
    recorded_key: Option<String>,
    /// The index of the recorded attempt that was played last.
    last: usize,
}

impl Player {
    pub(super) fn new(recording: Recording) -> Player {
        let used = vec![false; recording.entries.len()];
        Player { recording, used, sent: BTreeMap::new() }
    }

    pub(super) fn contract(&self) -> &Contract {
        &self.recording.contract
    }

    pub(super) fn entry(&self, at: usize) -> &Entry {
        &self.recording.entries[at]
    }

    /// Selects the recorded entry for a request, and marks it as used.
    pub(super) fn choose(&mut self, request: &Request) -> Choice {
        let is_withdrawal = self.contract().withdrawal_only.has_path(&request.path);
        let found = match is_withdrawal {
            true => self.withdrawal(request),
            false => self.other(request),
        };
        let Some((at, pairs)) = found else {
            let operation = operation_at(self.contract(), &request.method, &request.path);
            return match operation {
                _ if is_withdrawal => Choice::RefuseWithdrawal,
                Some(Operation::Login) if !self.recording.has_login() => Choice::AcceptLogin,
                _ => Choice::Refuse,
            };
        };
        self.used[at] = true;
        Choice::Play(at, pairs)
    }

    fn other(&self, request: &Request) -> Option<(usize, Pairs)> {
        let is_free = |at: usize, entry: &Entry| {
            !self.used[at] && entry.operation != Some(Operation::Withdrawal)
        };
        let entries = || self.recording.entries.iter().enumerate();
        let fit = |(at, entry): (usize, &Entry)| Some((at, pairs(&entry.request, request)?));
        let unused = entries().filter(|(at, entry)| is_free(*at, entry)).find_map(fit);
        let repeated = || entries().rev().filter(|(_, entry)| entry.is_repeatable()).find_map(fit);
        unused.or_else(repeated)
    }

    /// Selects the next recorded attempt of the withdrawal with the request's key. After the last
    /// attempt, that attempt is selected again. A new key starts with the first attempt of the next
    /// recorded withdrawal.
    fn withdrawal(&mut self, request: &Request) -> Option<(usize, Pairs)> {
        let known = request.key.as_ref().and_then(|key| self.sent.get(key));
        let is_next = |entry: &Entry| match (known, &entry.request.key) {
            (Some(known), key) => key.is_some() && known.recorded_key == *key,
            (None, Some(key)) => {
                self.sent.values().all(|sent| sent.recorded_key.as_ref() != Some(key))
            }
            (None, None) => true,
        };
        let entries = self.recording.entries.iter().enumerate();
        let mut unused = entries.filter(|(at, entry)| {
            !self.used[*at] && entry.operation == Some(Operation::Withdrawal) && is_next(entry)
        });
        let fit = |at: usize| Some((at, pairs(&self.recording.entries[at].request, request)?));
        let again = || fit(known?.last);
        let (last, pairs) = unused.find_map(|(at, _)| fit(at)).or_else(again)?;
        if let Some(key) = &request.key {
            let recorded_key = self.recording.entries[last].request.key.clone();
            self.sent.insert(key.clone(), SentWithdrawal { recorded_key, last });
        }
        Some((last, pairs))
    }
}

/// Returns the values at the same positions in both requests; `None` if the requests do not match.
fn pairs(recorded: &Request, request: &Request) -> Option<Pairs> {
    if recorded.method != request.method {
        return None;
    }
    let mut pairs = Vec::new();
    for (recorded, new) in segments(&recorded.path, &request.path)? {
        (is_mask(recorded) || recorded == new).then_some(())?;
        pairs.push((recorded.into(), new.into()));
    }
    let is_same = |recorded: &str, new: &str| is_mask(recorded) || is_equal(recorded, new);
    form(&recorded.query, &request.query, is_same, &mut pairs)?;
    body(&recorded.body, &request.body, &mut pairs)?;
    if let (Some(recorded), Some(new)) = (&recorded.key, &request.key) {
        pairs.push((recorded.as_str().into(), new.as_str().into()));
    }
    Some(pairs)
}

/// Pairs the segments of two paths from the end, because the recorded path may have more segments.
/// Returns `None` if the recorded path has fewer segments.
fn segments<'a>(recorded: &'a str, new: &'a str) -> Option<Vec<(&'a str, &'a str)>> {
    let split = |path: &'a str| path.split('/').skip(1).collect::<Vec<_>>();
    let (recorded, new) = (split(recorded), split(new));
    let before = recorded.len().checked_sub(new.len())?;
    Some(recorded[before..].iter().copied().zip(new).collect())
}

fn body(recorded: &str, new: &str, pairs: &mut Pairs) -> Option<()> {
    let json = |text: &str| serde_json::from_str::<Value>(text).ok();
    match (json(recorded), json(new)) {
        (Some(recorded), Some(new)) => value(&recorded, &new, pairs),
        (None, None) => form(recorded, new, is_kind, pairs),
        _ => None,
    }
}

/// Compares two form bodies or queries, in the order of their pairs.
fn form(
    recorded: &str,
    new: &str,
    is_same: impl Fn(&str, &str) -> bool,
    pairs: &mut Pairs,
) -> Option<()> {
    let parsed = |text: &str| {
        let parsed = form_urlencoded::parse(text.as_bytes());
        parsed.into_owned().collect::<Vec<(String, String)>>()
    };
    let (recorded, new) = (parsed(recorded), parsed(new));
    let fits = |((name, value), (new_name, new_value)): (&(String, String), &(String, String))| {
        (is_mask(name) || name == new_name) && is_same(value, new_value)
    };
    (recorded.len() == new.len() && recorded.iter().zip(&new).all(fits)).then_some(())?;
    let values = recorded.into_iter().zip(new).map(|((_, old), (_, new))| (old.into(), new.into()));
    pairs.extend(values);
    Some(())
}

/// Compares two JSON values. Adds each pair of scalars, such as strings or numbers, to `pairs`.
/// Returns `None` if the values do not match.
fn value(recorded: &Value, new: &Value, pairs: &mut Pairs) -> Option<()> {
    let fits = match (recorded, new) {
        (Value::Object(recorded), Value::Object(new)) => {
            (recorded.len() == new.len()).then_some(())?;
            return recorded.iter().try_for_each(|(name, old)| value(old, new.get(name)?, pairs));
        }
        (Value::Array(recorded), Value::Array(new)) => {
            (recorded.len() == new.len()).then_some(())?;
            return recorded.iter().zip(new).try_for_each(|(old, new)| value(old, new, pairs));
        }
        (Value::String(recorded), Value::String(new)) => is_kind(recorded, new),
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

/// Returns true if a new text matches the recorded text. If the recorded text is a number, the new
/// one must have the same value. A mask or any other text matches everything.
fn is_kind(recorded: &str, new: &str) -> bool {
    is_mask(recorded) || number(recorded).is_none() || is_equal(recorded, new)
}

fn is_equal(recorded: &str, new: &str) -> bool {
    let both = number(recorded).zip(number(new));
    both.map_or(recorded == new, |(recorded, new)| recorded == new)
}

/// Parses the number in a text. The last point or comma is the decimal separator.
fn number(text: &str) -> Option<Decimal> {
    let text = match (text.rfind(','), text.rfind('.')) {
        (Some(comma), point) if point.is_none_or(|point| point < comma) => {
            text.replace('.', "").replace(',', ".")
        }
        _ => text.replace(',', ""),
    };
    Decimal::from_str(text.trim()).ok()
}

/// Returns true if a recorded text contains a mask, so the original text is unknown.
fn is_mask(text: &str) -> bool {
    let is_in_url = || text.split('*').count() > 2;
    [Untrusted::MASKED, Untrusted::MASKED_JWT].contains(&text) || text.contains('‹') || is_in_url()
}
