//! The rows of the history as JSON, for lists and for an export.

use serde_json::{Value, json};

use crate::trade::{
    Account, Charge, ChargeOutcome, LinkOutcome, Money, Nickname, PaymentLink, PixKey, Refusal,
    Untrusted, Wall,
};

/// A moment in UTC, always to the millisecond: sorting the texts sorts the moments.
pub(super) fn moment(at: Wall) -> String {
    moment_to(at, 3)
}

/// A moment in UTC with this many digits below the second.
pub(super) fn moment_to(at: Wall, digits: usize) -> String {
    let beyond = || format!("{} ms after 1970-01-01T00:00:00Z", at.0);
    at.local(0).map_or_else(beyond, |at| format!("{at:.digits$}Z"))
}

/// An amount as a JSON number with two places, or more if it is finer than a centavo.
pub(super) fn number(money: Money) -> Value {
    let money = money.centavos().map_or(money, Money::from_centavos);
    serde_json::from_str(&money.wire()).unwrap_or(Value::Null)
}

/// A payment link, with what its seller marked it as.
pub(super) fn link_json(link: &PaymentLink) -> Value {
    let (outcome, url, message) = match &link.outcome {
        LinkOutcome::Unknown => ("unknown", None, None),
        LinkOutcome::Created { url } => ("created", Some(url.raw()), None),
        LinkOutcome::Refused(refusal) => ("refused", None, said(refusal)),
        LinkOutcome::NotSent => ("not-sent", None, None),
    };
    json!({
        "at": moment(link.at),
        "account": &*link.request.account.identity,
        "amount": number(link.request.amount),
        "description": link.request.description,
        "checkoutDomain": link.request.domain.as_ref().map(|domain| domain.raw()),
        "outcome": outcome,
        "url": url,
        "message": message,
        "markedPaid": link.paid.map(moment),
    })
}

/// A direct payment, with the name of its buyer.
pub(super) fn charge_json(charge: &Charge) -> Value {
    let (outcome, [id, status, code, expires], message) = match &charge.outcome {
        ChargeOutcome::Unknown => ("unknown", [None; 4], None),
        ChargeOutcome::Created { id, status, pix_code, expires } => (
            "created",
            [id, status, pix_code, expires].map(|text| text.as_ref().map(Untrusted::raw)),
            None,
        ),
        ChargeOutcome::Refused(refusal) => ("refused", [None; 4], said(refusal)),
        ChargeOutcome::NotSent => ("not-sent", [None; 4], None),
    };
    json!({
        "at": moment(charge.at),
        "account": &*charge.request.account.identity,
        "amount": number(charge.request.amount),
        "description": charge.request.description,
        "customer": charge.request.customer,
        "outcome": outcome,
        "id": id,
        "status": status,
        "pixCode": code,
        "expires": expires,
        "message": message,
    })
}

/// What an account calls a destination.
pub(super) fn nickname_json((account, key, name): (&Account, &PixKey, &Nickname)) -> Value {
    json!({
        "account": &*account.identity,
        "origin": &*account.origin.0,
        "pixKey": key.as_str(),
        "nickname": name.as_str(),
    })
}

/// The service's own word for why it refused.
fn said(refusal: &Refusal) -> Option<&str> {
    refusal.message.as_ref().map(Untrusted::raw)
}
