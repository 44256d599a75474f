//! Payment links (API text, section 4.1).

use serde_json::json;

use super::Bank;
use super::amount::Amount;
use super::domains;
use super::fields::Fields;
use super::ledger::LedgerLink;
use super::request::{BankReply, BankRequest};
use super::tokens::{TokenKind, admit};
use crate::sandbox::clock::Moment;

/// Creates a payment link on one of the seller's own domains.
///
/// The order of the checks, status 201 and the fields beside `url` are *assumed*.
pub fn create(bank: &mut Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    admit(bank, request, TokenKind::Jwt, now)?;
    says_json(request)?;
    let fields = Fields::of_body(&request.body)?;
    let amount = fields.amount("amount")?;
    let description = fields.text("description")?;
    let named = fields.optional_text("checkoutDomain")?;
    let host = domains::choose(bank, named.as_deref())?.host.clone();
    let link = put_up(bank, host, amount, description, now);
    let reply = BankReply::json(
        201,
        &json!({
            "id": link.id,
            "url": link.url,
            "amount": link.amount,
            "description": link.description,
            "createdAt": now.in_iso(),
        }),
    );
    Ok(reply)
}

/// Puts a link up on a domain.
pub fn put_up(
    bank: &mut Bank,
    host: String,
    amount: Amount,
    description: String,
    at: Moment,
) -> LedgerLink {
    let id = fresh_word(bank);
    let url = address(&host, bank.port_of(&host), &id);
    let link = LedgerLink { id, url, host, amount, description, at, paid_at: None };
    bank.ledger.links.push(link.clone());
    link
}

/// The checkout's address: the seller's own host, path `/checkout/link-<link_id>`.
///
/// API text, section 2, field `url`. Plain http and the port are the sandbox's own.
fn address(host: &str, port: u16, id: &str) -> String {
    format!("http://{host}:{port}/checkout/link-{id}")
}

/// API text, section 4.1 lists `Content-type: application/json`; the status 415 is *assumed*.
fn says_json(request: &BankRequest) -> Result<(), BankReply> {
    let kind = request.content_type.as_deref().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(BankReply::refusal(415, "Envie o corpo como Content-Type: application/json."))
}

/// A word that no other link has.
fn fresh_word(bank: &mut Bank) -> String {
    loop {
        let word = bank.ids.word();
        if bank.link(&word).is_none() {
            return word;
        }
    }
}
