//! Texts about withdrawals that the program prints after its full-screen interface has closed.

use super::Catalogue;
use super::failure::{Activity, describe};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{Failure, Money};

/// The text to print on exit about an attempt whose outcome could not be written to the journal.
pub fn unrecorded(words: &Catalogue, amount: Option<Money>, end: &Failure) -> String {
    let text = describe(words, end, Activity::Withdrawal);
    let text_without_amount = format!(
        "{} {} {}",
        text.what,
        text.moved,
        words.text("left-unrecorded")
    );
    match amount {
        Some(amount) => {
            let amount_text = words.with("left-of", &[("amount", &amount.to_string())]);
            format!("{amount_text} {text_without_amount}")
        }
        None => text_without_amount,
    }
}

/// The text to print on exit about the state of a withdrawal. `until` is the time up to which it
/// can be sent again.
pub fn exit_line(
    words: &Catalogue,
    state: &WithdrawalState,
    amount: Money,
    until: Option<&str>,
) -> String {
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
        // In these states nothing was sent, because another process had already resolved the
        // withdrawal.
        WithdrawalState::Discarded
        | WithdrawalState::ResolvedPaid
        | WithdrawalState::ResolvedNotPaid => "left-decided",
    };
    words.with(id, &values)
}
