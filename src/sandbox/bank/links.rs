//! Payment links (API documentation, section 4.1) and the seller's checkout domains (section 4.2).

use serde_json::{Value, json};

use super::Bank;
use super::amount::Amount;
use super::ledger::LedgerLink;
use super::request::{BankReply, BankRequest, Fields};
use super::scene::{Domain, DomainSetup};
use super::tokens::{TokenKind, admit};
use crate::sandbox::clock::Moment;

/// Creates a payment link on one of the seller's checkout domains.
///
/// The API documentation does not show everything. The order of the checks, the status 201, and all
/// reply fields except `url` are *assumed*.
pub fn create(bank: &mut Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    admit(bank, request, TokenKind::Jwt, now)?;
    says_json(request)?;
    let fields = Fields::of_body(&request.body)?;
    let amount = fields.amount("amount")?;
    let description = fields.text("description")?;
    let named = fields.optional_text("checkoutDomain")?;
    let host = choose(bank, named.as_deref())?.host.clone();
    let link = add_link(bank, host, amount, description, now);
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

/// Creates a payment link on this host and adds it to the ledger.
pub fn add_link(
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

/// Returns the URL of a payment link's checkout page. It consists of the seller's host and the path
/// `/checkout/link-<link_id>` (API documentation, section 2, field `url`).
///
/// Unlike the real service, the sandbox uses plain HTTP and a port. The default port 80 is omitted.
fn address(host: &str, port: u16, id: &str) -> String {
    let port = if port == 80 { String::new() } else { format!(":{port}") };
    format!("http://{host}{port}/checkout/link-{id}")
}

/// Refuses a request without the header `Content-type: application/json` (API documentation,
/// section 4.1). The status 415 is *assumed* (not documented).
fn says_json(request: &BankRequest) -> Result<(), BankReply> {
    let kind = request.content_type.as_deref().unwrap_or_default();
    let essence = kind.split(';').next().unwrap_or_default().trim();
    if essence.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(BankReply::refusal(415, "Envie o corpo como Content-Type: application/json."))
}

/// Returns an id that no other payment link has.
fn fresh_word(bank: &mut Bank) -> String {
    loop {
        let word = bank.ids.word();
        if bank.link(&word).is_none() {
            return word;
        }
    }
}

/// Returns the seller's checkout domains with their states.
///
/// The API documentation does not show everything. The JWT as the credential, the status 200 and
/// the reply format are *assumed*.
pub fn domains(bank: &Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    admit(bank, request, TokenKind::Jwt, now)?;
    let automatic = automatic(bank).map(|domain| domain.host.clone());
    let entry = |domain: &Domain| {
        json!({
            "domain": domain.host,
            "status": domain.state.word(),
            "active": domain.state == DomainSetup::Active,
            "default": Some(&domain.host) == automatic.as_ref(),
        })
    };
    Ok(BankReply::json(200, &Value::from_iter(bank.domains().map(entry))))
}

/// Chooses the checkout domain for a new payment link, or refuses the request.
///
/// The rules are in section 4.1 of the API documentation. Without an active domain, the request is
/// refused with 400 (rule 1; section 7 shows the body). If the request names a domain, that domain
/// is used (rule 2). Otherwise the active domain is used (rule 3).
///
/// Two rules are *assumed*. If several domains are active, the first one is used. If the named
/// domain is not active, the request is refused with 400.
fn choose<'a>(bank: &'a Bank, named: Option<&str>) -> Result<&'a Domain, BankReply> {
    let Some(automatic) = automatic(bank) else {
        return Err(BankReply::json(
            400,
            &json!({
                "message": "Domínio de checkout obrigatório.",
                "action": "Conecte um domínio próprio ativo a uma de suas lojas \
                           para criar links de pagamento.",
            }),
        ));
    };
    let Some(named) = named else { return Ok(automatic) };
    active(bank).find(|domain| domain.host.eq_ignore_ascii_case(named)).ok_or_else(|| {
        BankReply::json(
            400,
            &json!({
                "message": "Domínio de checkout indisponível.",
                "action": "Escolha um dos seus domínios ativos ou deixe checkoutDomain de fora.",
            }),
        )
    })
}

fn active(bank: &Bank) -> impl Iterator<Item = &Domain> {
    bank.domains().filter(|domain| domain.state == DomainSetup::Active)
}

fn automatic(bank: &Bank) -> Option<&Domain> {
    active(bank).next()
}
