//! The details by which the seller can find a withdrawal in the account at the service. Each detail
//! can be copied separately.

use crate::app::Store;
use crate::app::store::teaching;
use crate::trade::withdrawal::{Alarm, Attempt, Class, Unclear};
use crate::trade::{Clocks, Untrusted, Withdrawal};

/// A detail of a withdrawal, such as its amount, that the seller can look for in the account at the
/// service.
#[derive(Debug, Clone, PartialEq)]
pub struct LookupHint {
    pub what: LookupHintKind,
    /// The text of the detail. It is copied exactly as it is.
    pub text: Untrusted,
}

/// The kind of detail by which the seller can find a withdrawal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LookupHintKind {
    /// The amount of the withdrawal, as requested.
    Amount,
    /// The net amount, which the receiver gets after the fee. Available only if there is a fee
    /// quote.
    Net,
    /// The amount or destination in the service's response, if it differs from what was sent.
    RepliedValue,
    /// When the first attempt to send the withdrawal started.
    When,
    /// The destination, if the request contains one.
    Destination,
    /// The idempotency key of the withdrawal, as sent in its HTTP header.
    Key,
    /// The code of the withdrawal in a reply that does not prove that it was accepted.
    UnprovenCode,
}

impl Withdrawal {
    /// If a response repeats another amount or destination than the request, returns both values.
    /// The setting of the API contract that locates this value may be only a guess.
    pub fn contradiction(&self) -> Option<&Alarm> {
        self.attempts
            .iter()
            .find_map(|attempt| match &attempt.end.as_ref()?.class {
                Class::Alarm(alarm) | Class::Unclear(Unclear::EchoDiffers(alarm)) => Some(alarm),
                _ => None,
            })
    }
}

/// The times at which the first and the last attempt started. Only attempts that may have reached
/// the service are counted.
pub fn sent_between(withdrawal: &Withdrawal) -> Option<(&Clocks, &Clocks)> {
    let mut sent_attempts = withdrawal
        .attempts
        .iter()
        .filter(|attempt| attempt.may_have_been_sent());
    let first = sent_attempts.next()?;
    Some((
        &first.began,
        sent_attempts
            .next_back()
            .map_or(&first.began, |last: &Attempt| &last.began),
    ))
}

/// The details by which the seller can find the withdrawal, the most useful first.
pub fn lookup_hints(store: &Store, withdrawal: &Withdrawal) -> Vec<LookupHint> {
    let agreement = &withdrawal.agreement;
    let amount = agreement.amount.format_number();
    let mut hints = vec![hint(LookupHintKind::Amount, amount)];
    if let Some(quote) = &agreement.quote {
        hints.push(hint(LookupHintKind::Net, quote.net.format_number()));
    }
    match withdrawal.contradiction() {
        Some(Alarm::Amount { got, .. }) => {
            hints.push(hint(LookupHintKind::RepliedValue, got.format_number()))
        }
        Some(Alarm::Destination { got, .. }) => {
            hints.push(hint(LookupHintKind::RepliedValue, got.clone()));
        }
        None => {}
    }
    let sent_at = sent_between(withdrawal)
        .and_then(|(first, _)| first.wall.rfc3339(store.setup.utc_offset_s));
    if let Some(time) = sent_at {
        hints.push(hint(LookupHintKind::When, time));
    }
    if let Some(unproven) = teaching::unproven_code(store, withdrawal) {
        hints.push(hint(LookupHintKind::UnprovenCode, unproven.code));
    }
    if let Some(destination) = &agreement.destination {
        hints.push(hint(LookupHintKind::Destination, destination.pretty()));
    }
    // The header may need quotation marks around the idempotency key. They are not part of the key,
    // so remove them.
    hints.push(hint(
        LookupHintKind::Key,
        agreement.key_header.trim_matches('"'),
    ));
    hints
}

fn hint(what: LookupHintKind, text: impl Into<Untrusted>) -> LookupHint {
    LookupHint {
        what,
        text: text.into(),
    }
}
