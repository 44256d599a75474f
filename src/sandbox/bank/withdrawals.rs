//! Pix withdrawals (API documentation, section 4.4) and their fee preview (section 4.5).

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Bank;
use super::amount::Amount;
use super::ledger::{Payout, RawBody, ReceivedRequest, RequestOutcome};
use super::pix_key;
use super::request::{BankReply, BankRequest, Fields};
use super::tokens::{TokenKind, check_token};
use crate::sandbox::clock::Moment;

/// The bank's first reply to a request with this idempotency key. It is stored forever. This is
/// *assumed*, because the API documentation does not say how long a key is remembered.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredReply {
    key: String,
    body: RawBody,
    reply: BankReply,
}

/// The fee and the net amount of a withdrawal, without making the withdrawal.
///
/// The parameter `?amount=`, the API token as the credential, and the reply `{amount, fee,
/// netAmount}` are *assumed*. The API documentation does not show them.
pub fn preview(bank: &Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    check_token(bank, request, TokenKind::ApiToken, now)?;
    let mut amounts = request
        .query
        .split('&')
        .filter_map(|pair| pair.strip_prefix("amount="));
    let (Some(text), None) = (amounts.next(), amounts.next()) else {
        return Err(BankReply::bad_field(
            "amount",
            "precisa vir uma vez no endereço, como ?amount=",
        ));
    };
    let amount = Amount::parse(text).map_err(|problem| BankReply::bad_field("amount", problem))?;
    let (fee, net) = fee_and_net(bank, amount)?;
    Ok(BankReply::json(
        200,
        &json!({ "amount": amount, "fee": fee, "netAmount": net }),
    ))
}

/// Processes a withdrawal request and records it in the ledger. At most one request with the same
/// idempotency key is paid.
pub fn withdraw(
    bank: &mut Bank,
    request: &BankRequest,
    now: Moment,
) -> Result<BankReply, BankReply> {
    let (outcome, reply) = decide(bank, request, now);
    record_request(bank, request, outcome, Some(reply.status), now);
    Ok(reply)
}

/// Records a withdrawal request that an injected fault dropped before the bank processed it.
pub fn record_dropped(bank: &mut Bank, request: &BankRequest, now: Moment) {
    record_request(bank, request, RequestOutcome::NeverSeen, None, now);
}

fn record_request(
    bank: &mut Bank,
    request: &BankRequest,
    outcome: RequestOutcome,
    status: Option<u16>,
    at: Moment,
) {
    let body = RawBody(request.received_body().to_vec());
    let key = request.idempotency_key.clone();
    bank.ledger.requests.push(ReceivedRequest {
        key,
        body,
        outcome,
        status,
        at,
    });
}

/// Decides whether a withdrawal request is paid, repeated or refused (API documentation, section
/// 4.4 rule 3 and section 5 rule 1).
///
/// The following rules are *assumed*. A request without a key is refused with 400. A repeated key
/// gets the first reply again if the body has the same bytes, and 422 otherwise. Refusals are
/// stored too, except 401, because the token is checked before the key.
fn decide(bank: &mut Bank, request: &BankRequest, now: Moment) -> (RequestOutcome, BankReply) {
    if let Err(refusal) = check_token(bank, request, TokenKind::ApiToken, now) {
        return (RequestOutcome::Refused, refusal);
    }
    let key = match check_key(request.idempotency_key.as_deref()) {
        Ok(key) => key.to_owned(),
        Err(refusal) => return (RequestOutcome::Refused, refusal),
    };
    if let Some(first) = bank.remembered.iter().find(|first| first.key == key) {
        if first.body.0 == request.received_body() {
            return (RequestOutcome::Replayed, first.reply.clone());
        }
        let message = "Idempotency-Key já usada com outro corpo.";
        return (RequestOutcome::Refused, BankReply::refusal(422, message));
    }
    let (outcome, reply) = match pay_out(bank, &key, request, now) {
        Ok(reply) => (RequestOutcome::Paid, reply),
        Err(refusal) => (RequestOutcome::Refused, refusal),
    };
    let body = RawBody(request.received_body().to_vec());
    bank.remembered.push(StoredReply {
        key,
        body,
        reply: reply.clone(),
    });
    (outcome, reply)
}

/// The idempotency key if it has 1 to 255 visible ASCII characters. Otherwise, returns an error
/// reply. This format is *assumed*, because the API documentation (section 8) does not show it.
fn check_key(key: Option<&str>) -> Result<&str, BankReply> {
    let Some(key) = key else {
        return Err(BankReply::refusal(
            400,
            "Cabeçalho Idempotency-Key obrigatório.",
        ));
    };
    let has_format = (1..=255).contains(&key.len()) && key.bytes().all(|b| b.is_ascii_graphic());
    has_format
        .then_some(key)
        .ok_or_else(|| BankReply::refusal(400, "Idempotency-Key inválida."))
}

/// Pays a withdrawal. Invalid data and an insufficient balance are both refused with 400 (API
/// documentation, section 7).
///
/// The request body `{amount, pixKey, pixKeyType, description}` and the reply 201 are *assumed*.
fn pay_out(
    bank: &mut Bank,
    key: &str,
    request: &BankRequest,
    now: Moment,
) -> Result<BankReply, BankReply> {
    let fields = Fields::parse(&request.body)?;
    let amount = fields.amount("amount")?;
    let pix_key = fields.text("pixKey")?;
    let kind = fields.text("pixKeyType")?;
    pix_key::check(&kind, &pix_key).map_err(|problem| fields.invalid_field("pixKey", problem))?;
    let description = fields.optional_text("description")?;
    let (fee, net) = fee_and_net(bank, amount)?;
    if bank.ledger.balance < amount {
        return Err(BankReply::refusal(400, "Saldo insuficiente."));
    }

    let payout = Payout {
        id: bank.ids.uuid(),
        key: key.to_owned(),
        amount,
        fee,
        net,
        pix_key,
        pix_key_type: kind,
        description,
        body: RawBody(request.received_body().to_vec()),
        at: now,
    };
    let reply = payout_reply(&payout);
    bank.ledger.balance = bank.ledger.balance.minus(amount);
    bank.ledger.payouts.push(payout);
    Ok(reply)
}

fn payout_reply(payout: &Payout) -> BankReply {
    let mut body = json!({
        "id": payout.id,
        "status": "processing",
        "amount": payout.amount,
        "fee": payout.fee,
        "netAmount": payout.net,
        "pixKey": payout.pix_key,
        "pixKeyType": payout.pix_key_type,
    });
    if let Some(description) = &payout.description {
        body["description"] = json!(description);
    }
    body["createdAt"] = json!(payout.at.to_iso());
    BankReply::json(201, &body)
}

/// The fee and the net amount. The net amount is `amount - fee` (API documentation, section 4.4
/// rule 2).
///
/// An amount that is not larger than the fee is refused. This rule is *assumed*.
fn fee_and_net(bank: &Bank, amount: Amount) -> Result<(Amount, Amount), BankReply> {
    let fee = bank.scene.fee.fee(amount);
    let net = amount.minus(fee);
    if net <= Amount::ZERO {
        return Err(BankReply::bad_field("amount", "não cobre a tarifa"));
    }
    Ok((fee, net))
}
