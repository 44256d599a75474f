//! What things of the trade are called.

use super::Words;
use crate::trade::PixKeyKind;
use crate::trade::withdrawal::WithdrawalState;

/// The word for the state of a withdrawal, for lists and headlines.
pub fn state(words: &Words, state: &WithdrawalState) -> String {
    words.text(match state {
        WithdrawalState::Prepared => "state-prepared",
        WithdrawalState::Sending(_) => "state-sending",
        WithdrawalState::Unknown => "state-unknown",
        WithdrawalState::Accepted => "state-accepted",
        WithdrawalState::Rejected => "state-rejected",
        WithdrawalState::NeedsPerson(_) => "state-needs-person",
        WithdrawalState::Mismatch(_) => "state-mismatch",
        WithdrawalState::Discarded => "state-discarded",
        WithdrawalState::ResolvedPaid => "state-resolved-paid",
        WithdrawalState::ResolvedNotPaid => "state-resolved-not-paid",
    })
}

/// The kind of a PIX key.
pub fn pix_key_kind(words: &Words, kind: PixKeyKind) -> String {
    words.text(match kind {
        PixKeyKind::Cpf => "pix-kind-cpf",
        PixKeyKind::Cnpj => "pix-kind-cnpj",
        PixKeyKind::Phone => "pix-kind-phone",
        PixKeyKind::Email => "pix-kind-email",
        PixKeyKind::Random => "pix-kind-random",
    })
}
