//! The names that screens and reports use for states, operations, kinds of Pix keys, destinations
//! and domains.

use super::{Catalogue, personal};
use crate::trade::withdrawal::WithdrawalState;
use crate::trade::{
    AddressFault, Author, DomainState, Operation, Outcome, PaidSource, PaymentLink, PixKey,
    PixKeyKind, RequestResult, SaleOf, SaleRequest, Untrusted,
};

/// The name of a withdrawal's state, for lists and headings.
pub fn state(words: &Catalogue, state: &WithdrawalState) -> String {
    words.text(&format!("state-{}", state.name()))
}

/// A short name for a withdrawal's state, for narrow list rows.
pub fn short_state(words: &Catalogue, state: &WithdrawalState) -> String {
    match state {
        WithdrawalState::Prepared
        | WithdrawalState::Sending(_)
        | WithdrawalState::Rejected
        | WithdrawalState::Discarded => self::state(words, state),
        state => words.text(&format!("state-{}.short", state.name())),
    }
}

/// True if the service's status word means an unfinished state, such as "processing".
fn is_pending(word: &str) -> bool {
    let normalized = word.to_lowercase().replace(['-', ' '], "_");
    matches!(
        &*normalized,
        "pending" | "processing" | "requested" | "in_progress" | "queued" | "waiting"
    )
}

/// Inserts the service's status word into the message `id`. For an unfinished state, such as
/// "processing", returns the message's attribute `.pending`, which translates it.
pub fn service_status(words: &Catalogue, id: &str, status: &Untrusted) -> String {
    let word = personal::service_text(words, status).shown_within(60);
    if is_pending(&word) {
        return words.text(&format!("{id}.pending"));
    }
    words.with(id, &[("word", &word)])
}

/// The service's status word in the seller's words: the attribute `.short` of the message `id`. An
/// unknown word is quoted as it came.
pub fn short_service_status(words: &Catalogue, id: &str, status: &Untrusted) -> String {
    let word = personal::service_text(words, status).shown_within(20);
    if is_pending(&word) {
        return words.text(&format!("{id}.short"));
    }
    words.with("theirs-quote", &[("text", &word)])
}

/// The name of an API operation, for lists and headings.
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

/// The result of an HTTP request: the status of the reply, or a word for the failure.
pub fn request_result(words: &Catalogue, result: RequestResult) -> String {
    match result {
        RequestResult::Reply(status) => status.to_string(),
        RequestResult::NoAnswer => words.text("exchange-no-answer"),
        RequestResult::Cancelled => words.text("exchange-cancelled"),
        RequestResult::NotSent => words.text("exchange-not-sent"),
        RequestResult::Failed => words.text("exchange-failed"),
    }
}

/// The state of a checkout domain, without the service's own word for it.
pub fn domain_state(words: &Catalogue, state: &DomainState) -> String {
    words.text(match state {
        DomainState::Usable => "domain-usable",
        DomainState::Unread => "domain-unread",
        DomainState::Active => "domain-active",
        DomainState::Pending(_) => "domain-pending",
    })
}

/// The state of a checkout domain, with the service's own word for it.
pub fn full_domain_state(words: &Catalogue, state: &DomainState) -> String {
    let DomainState::Pending(Some(word)) = state else {
        return domain_state(words, state);
    };
    let word = personal::service_text(words, word).shown_within(24);
    words.with("domain-pending-word", &[("word", &word)])
}

/// The person and the machine that did something in a team, such as `Ana (caixa-1)`.
pub fn author(words: &Catalogue, author: &Author) -> String {
    let who = operator(words, author);
    words.with(
        "team-author",
        &[("who", &who), ("machine", &machine(author))],
    )
}

/// The name of a machine of a team.
pub fn machine(author: &Author) -> String {
    author.machine.shown_within(MAX_OPERATOR_WIDTH)
}

/// The maximum width of an operator's or a machine's name, in columns.
const MAX_OPERATOR_WIDTH: usize = 24;

/// The name of a person of a team.
pub fn operator(words: &Catalogue, author: &Author) -> String {
    personal::person(words, &author.operator).shown_within(MAX_OPERATOR_WIDTH)
}

/// The id of the message about a paid payment link or direct payment. The message depends on
/// whether the seller (alone, or with a statement) or the sandbox reported the payment.
pub fn paid_message(source: PaidSource) -> &'static str {
    match source {
        PaidSource::Seller | PaidSource::Statement(_) => "links-marked",
        PaidSource::Sandbox => "links-paid",
    }
}

pub fn pix_key_kind(words: &Catalogue, kind: PixKeyKind) -> String {
    words.text(pix_key_kind_message(kind))
}

/// The id of the message that names a kind of Pix key.
pub fn pix_key_kind_message(kind: PixKeyKind) -> &'static str {
    match kind {
        PixKeyKind::Cpf => "pix-kind-cpf",
        PixKeyKind::Cnpj => "pix-kind-cnpj",
        PixKeyKind::Phone => "pix-kind-phone",
        PixKeyKind::Email => "pix-kind-email",
        PixKeyKind::Random => "pix-kind-random",
    }
}

/// The kind and the value of a Pix key. Without a key, returns a text that says that the service
/// pays to the key it has on file.
pub fn destination(words: &Catalogue, key: Option<&PixKey>) -> String {
    match key {
        Some(key) if words.masks() => masked_destination(words, key),
        Some(key) => format!("{} {}", pix_key_kind(words, key.kind()), key.pretty()),
        None => words.text("withdrawals-on-file"),
    }
}

/// The kind of a Pix key, and the key itself with most of its characters hidden.
pub fn masked_destination(words: &Catalogue, key: &PixKey) -> String {
    format!(
        "{} {}",
        pix_key_kind(words, key.kind()),
        key.masked().replace('*', "•")
    )
}

/// A short text about a payment link for a list: its checkout domain, or the reason why the link
/// does not exist.
pub fn link_tag(words: &Catalogue, link: &PaymentLink) -> String {
    outcome_message(link).map_or_else(|| link_domain(words, link), |id| words.text(id))
}

/// The id of the message for the outcome of a link or direct payment; `None` if it was created.
pub fn outcome_message<R: SaleRequest>(sale: &SaleOf<R>) -> Option<&'static str> {
    let is_charge = R::OPERATION == Operation::DirectPayment;
    match sale.outcome {
        Outcome::Created(_) => None,
        Outcome::Unknown => Some("links-unknown"),
        Outcome::Refused(_) if is_charge => Some("charges-refused"),
        Outcome::Refused(_) => Some("links-refused"),
        Outcome::NotSent if is_charge => Some("charges-not-sent"),
        Outcome::NotSent => Some("links-not-sent"),
    }
}

/// The checkout domain that was requested for a payment link. If none was requested, returns a text
/// that says that the service chooses it.
pub fn link_domain(words: &Catalogue, link: &PaymentLink) -> String {
    match &link.request.domain {
        Some(domain) => domain.shown(),
        None => words.text("links-automatic"),
    }
}

/// The id of the message that explains why a service address is not valid.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    #[test]
    fn known_status_is_translated_and_others_are_quoted() {
        let words = Catalogue::of(Lang::Pt);
        let id = "charge-status-theirs";
        for (status, short) in [
            ("pending", "aguardando"),
            ("In Progress", "aguardando"),
            ("WAITING", "aguardando"),
            ("paga", "“paga”"),
            ("PENDING_Ana", "“PENDING_Ana”"),
        ] {
            assert_eq!(
                short_service_status(words, id, &status.into()),
                short,
                "{status}"
            );
        }
    }
}
