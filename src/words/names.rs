//! The names that screens and reports use for states, operations, kinds of Pix keys, destinations
//! and domains.

use super::{Catalogue, personal};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    AddressFault, LinkOutcome, Operation, PaidSource, PaymentLink, PixKey, PixKeyKind, Untrusted,
};

/// Returns the name of a withdrawal's state, for lists and headings.
pub fn state(words: &Catalogue, state: &WithdrawalState) -> String {
    words.text(&format!("state-{}", state.name()))
}

/// Returns a short name for a withdrawal's state, for narrow list rows.
pub fn short_state(words: &Catalogue, state: &WithdrawalState) -> String {
    match state {
        WithdrawalState::Prepared
        | WithdrawalState::Sending(_)
        | WithdrawalState::Rejected
        | WithdrawalState::Discarded => self::state(words, state),
        state => words.text(&format!("state-{}.short", state.name())),
    }
}

/// Inserts the service's status word into the message `id`. A word for an unfinished state, such as
/// "processing", is inserted into the message's attribute `.pending` instead.
pub fn service_status(words: &Catalogue, id: &str, status: &Untrusted) -> String {
    let word = personal::service_text(words, status).shown_within(60);
    let normalized = word.to_lowercase().replace(['-', ' '], "_");
    let is_pending =
        matches!(&*normalized, "pending" | "processing" | "requested" | "in_progress" | "queued");
    let pending = format!("{id}.pending");
    words.with(if is_pending { &pending } else { id }, &[("word", &word)])
}

/// Returns the name of an API operation, for lists and headings.
pub fn operation(words: &Catalogue, operation: Operation) -> String {
    words.text(match operation {
        Operation::Login => "operation-login",
        Operation::Domains => "operation-domains",
        Operation::CreateLink => "operation-link",
        Operation::DirectPayment => "operation-charge",
        Operation::FeePreview => "operation-fee",
        Operation::Withdrawal => "operation-withdrawal",
    })
}

/// Returns the id of the message about a paid payment link or direct payment. The message depends
/// on whether the seller or the sandbox reported the payment.
pub fn paid_message(source: PaidSource) -> &'static str {
    match source {
        PaidSource::Seller => "links-marked",
        PaidSource::Sandbox => "links-paid",
    }
}

pub fn pix_key_kind(words: &Catalogue, kind: PixKeyKind) -> String {
    words.text(pix_key_kind_message(kind))
}

/// Returns the id of the message that names a kind of Pix key.
pub fn pix_key_kind_message(kind: PixKeyKind) -> &'static str {
    match kind {
        PixKeyKind::Cpf => "pix-kind-cpf",
        PixKeyKind::Cnpj => "pix-kind-cnpj",
        PixKeyKind::Phone => "pix-kind-phone",
        PixKeyKind::Email => "pix-kind-email",
        PixKeyKind::Random => "pix-kind-random",
    }
}

/// Returns the kind and the value of a Pix key. Without a key, returns a text that says that the
/// service pays to the key it has on file.
pub fn destination(words: &Catalogue, key: Option<&PixKey>) -> String {
    match key {
        Some(key) if words.masks() => masked_destination(words, key),
        Some(key) => format!("{} {}", pix_key_kind(words, key.kind()), key.pretty()),
        None => words.text("withdrawals-on-file"),
    }
}

/// Returns the kind of a Pix key, and the key itself with most of its characters hidden.
pub fn masked_destination(words: &Catalogue, key: &PixKey) -> String {
    format!("{} {}", pix_key_kind(words, key.kind()), key.masked().replace('*', "•"))
}

/// Returns a short text about a payment link for a list: its checkout domain, or the reason why the
/// link does not exist.
pub fn link_tag(words: &Catalogue, link: &PaymentLink) -> String {
    match link.outcome {
        LinkOutcome::Created { .. } => link_domain(words, link),
        LinkOutcome::Unknown => words.text("links-unknown"),
        LinkOutcome::Refused(_) => words.text("links-refused"),
        LinkOutcome::NotSent => words.text("links-not-sent"),
    }
}

/// Returns the checkout domain that was requested for a payment link. If none was requested,
/// returns a text that says that the service chooses it.
pub fn link_domain(words: &Catalogue, link: &PaymentLink) -> String {
    match &link.request.domain {
        Some(domain) => domain.shown(),
        None => words.text("links-automatic"),
    }
}

/// Returns the id of the message that explains why a service address is not valid.
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
