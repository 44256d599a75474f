//! What things of the trade are called.

use super::Words;
use crate::trade::PixKeyKind;
use crate::trade::withdrawal::State;

/// The word for the state of a withdrawal, for lists and headlines.
pub fn state(words: &Words, state: &State) -> String {
    words.text(match state {
        State::Prepared => "state-prepared",
        State::Sending(_) => "state-sending",
        State::Unknown => "state-unknown",
        State::Accepted => "state-accepted",
        State::Rejected => "state-rejected",
        State::NeedsPerson(_) => "state-needs-person",
        State::Mismatch(_) => "state-mismatch",
        State::Discarded => "state-discarded",
        State::ResolvedPaid => "state-resolved-paid",
        State::ResolvedNotPaid => "state-resolved-not-paid",
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
