//! The names of things of the trade.

use super::Words;
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{AddressFault, LinkOutcome, Operation, PaymentLink, PixKey, PixKeyKind};

/// The word for the state of a withdrawal, for lists and headlines.
pub fn state(words: &Words, state: &WithdrawalState) -> String {
    words.text(&format!("state-{}", state.name()))
}

/// The word of a state in a row that has no room for its own.
pub fn short_state(words: &Words, state: &WithdrawalState) -> String {
    match state {
        WithdrawalState::Prepared
        | WithdrawalState::Sending(_)
        | WithdrawalState::Rejected
        | WithdrawalState::Discarded => self::state(words, state),
        state => words.text(&format!("state-{}.short", state.name())),
    }
}

/// The word for an operation, for lists and headlines.
pub fn operation(words: &Words, operation: Operation) -> String {
    words.text(match operation {
        Operation::Login => "operation-login",
        Operation::Domains => "operation-domains",
        Operation::CreateLink => "operation-link",
        Operation::DirectPayment => "operation-charge",
        Operation::FeePreview => "operation-fee",
        Operation::Withdrawal => "operation-withdrawal",
    })
}

/// The kind of a PIX key.
pub fn pix_key_kind(words: &Words, kind: PixKeyKind) -> String {
    words.text(pix_key_kind_message(kind))
}

/// The message that names a kind of PIX key.
pub fn pix_key_kind_message(kind: PixKeyKind) -> &'static str {
    match kind {
        PixKeyKind::Cpf => "pix-kind-cpf",
        PixKeyKind::Cnpj => "pix-kind-cnpj",
        PixKeyKind::Phone => "pix-kind-phone",
        PixKeyKind::Email => "pix-kind-email",
        PixKeyKind::Random => "pix-kind-random",
    }
}

/// The destination of a withdrawal: the kind of the key and its normal form, or that it is the one
/// on file.
pub fn destination(words: &Words, key: Option<&PixKey>) -> String {
    match key {
        Some(key) if words.masks() => masked_destination(words, key),
        Some(key) => format!("{} {}", pix_key_kind(words, key.kind()), key.pretty()),
        None => words.text("withdrawals-on-file"),
    }
}

/// The kind of a key, and the key with most of it hidden.
pub fn masked_destination(words: &Words, key: &PixKey) -> String {
    format!("{} {}", pix_key_kind(words, key.kind()), key.masked().replace('*', "•"))
}

/// The short word beside a payment link: the domain that was asked for, or why there is no link.
pub fn link_tag(words: &Words, link: &PaymentLink) -> String {
    match link.outcome {
        LinkOutcome::Created { .. } => link_domain(words, link),
        LinkOutcome::Unknown => words.text("links-unknown"),
        LinkOutcome::Refused(_) => words.text("links-refused"),
        LinkOutcome::NotSent => words.text("links-not-sent"),
    }
}

/// The domain that was asked for, or that the service chooses one.
pub fn link_domain(words: &Words, link: &PaymentLink) -> String {
    match &link.request.domain {
        Some(domain) => domain.shown(),
        None => words.text("links-automatic"),
    }
}

/// The message about the fault of an address.
pub fn address_fault(fault: AddressFault) -> &'static str {
    match fault {
        AddressFault::NotAnAddress => "address-not-one",
        AddressFault::Scheme => "address-scheme",
        AddressFault::NotEncrypted => "address-not-encrypted",
        AddressFault::UserInfo => "address-user-info",
        AddressFault::Query => "address-query",
        AddressFault::Fragment => "address-fragment",
    }
}
