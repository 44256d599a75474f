//! The sentences about withdrawals that are printed once the screen was left.

use super::Words;
use super::failure::{Doing, describe};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, Money};

/// Names the end of a withdrawal that is not in the journal when the program ends.
pub fn unrecorded(words: &Words, amount: Option<Money>, end: &Failure) -> String {
    let text = describe(words, end, Doing::Withdrawal);
    let all = format!("{} {} {}", text.what, text.moved, words.text("left-unrecorded"));
    match amount {
        Some(amount) => {
            let of = words.with("left-of", &[("amount", &amount.to_string())]);
            format!("{of} {all}")
        }
        None => all,
    }
}

/// Names the state of a withdrawal; `until` is the time by when it can be sent again.
pub fn state(words: &Words, state: &WithdrawalState, amount: Money, until: Option<&str>) -> String {
    let amount = amount.to_string();
    let mut values = vec![("amount", amount.as_str())];
    let id = match state {
        WithdrawalState::Unknown if until.is_some() => {
            values.extend(until.map(|until| ("until", until)));
            "left-open-until"
        }
        WithdrawalState::Accepted => "left-accepted",
        WithdrawalState::Rejected => "left-rejected",
        WithdrawalState::Prepared => "left-prepared",
        WithdrawalState::Sending(_) | WithdrawalState::Unknown => "left-open",
        WithdrawalState::NeedsPerson(_) => "left-person",
        WithdrawalState::Mismatch(_) => "left-mismatch",
        // The attempt was refused here because it was decided elsewhere.
        WithdrawalState::Discarded
        | WithdrawalState::ResolvedPaid
        | WithdrawalState::ResolvedNotPaid => "left-decided",
    };
    words.with(id, &values)
}
