//! Payment links (API documentation, section 4.1) and the seller's checkout domains (section 4.2).

use serde_json::{Value, json};

use super::Bank;
use super::amount::Amount;
use super::ledger::LedgerLink;
use super::request::{BankReply, BankRequest, Fields};
use super::scene::{Domain, DomainSetup};
use super::tokens::{TokenKind, check_token};
use crate::sandbox::clock::Moment;

/// Creates a payment link on one of the seller's checkout domains.
///
/// The order of the checks, the status 201, and all reply fields except `url` are *assumed*. The
/// API documentation does not show them.
pub fn create(bank: &mut Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    check_token(bank, request, TokenKind::Jwt, now)?;
    check_content_type(request)?;
    let fields = Fields::parse(&request.body)?;
    let amount = fields.amount("amount")?;
    let description = fields.text("description")?;
    let requested_host = fields.optional_text("checkoutDomain")?;
    let host = choose_domain(bank, requested_host.as_deref())?.host.clone();
    let link = add_link(bank, host, amount, description, now);
    let reply = BankReply::json(
        201,
        &json!({
            "id": link.id,
            "url": link.url,
            "amount": link.amount,
            "description": link.description,
            "createdAt": now.to_iso(),
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
    let id = unused_id(bank);
    let url = link_url(&host, bank.port_of(&host), &id);
    let link = LedgerLink {
        id,
        url,
        host,
        amount,
        description,
        at,
        paid_at: None,
    };
    bank.ledger.links.push(link.clone());
    link
}

/// The URL of a payment link's checkout page. It consists of the seller's host and the path
/// `/checkout/link-<link_id>` (API documentation, section 2, field `url`).
///
/// Unlike the real service, the sandbox uses plain HTTP and a port. The default port 80 is omitted.
fn link_url(host: &str, port: u16, id: &str) -> String {
    let port = if port == 80 {
        String::new()
    } else {
        format!(":{port}")
    };
    format!("http://{host}{port}/checkout/link-{id}")
}

/// Refuses a request without the header `Content-type: application/json` (API documentation,
/// section 4.1). The status 415 is *assumed* (not documented).
fn check_content_type(request: &BankRequest) -> Result<(), BankReply> {
    let content_type = request.content_type.as_deref().unwrap_or_default();
    let media_type = content_type.split(';').next().unwrap_or_default().trim();
    if media_type.eq_ignore_ascii_case("application/json") {
        return Ok(());
    }
    Err(BankReply::refusal(
        415,
        "Envie o corpo como Content-Type: application/json.",
    ))
}

/// An id that no other payment link has.
fn unused_id(bank: &mut Bank) -> String {
    loop {
        let id = bank.ids.short_id();
        if bank.link(&id).is_none() {
            return id;
        }
    }
}

/// The seller's checkout domains with their states.
///
/// The JWT as the credential, the status 200 and the reply format are *assumed*, because the API
/// documentation does not show them.
pub fn domains(bank: &Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    check_token(bank, request, TokenKind::Jwt, now)?;
    let default_domain = default_domain(bank).map(|domain| domain.host.clone());
    let entries = bank.domains().map(|domain| {
        json!({
            "domain": domain.host,
            "status": domain.state.status_word(),
            "active": domain.state == DomainSetup::Active,
            "default": Some(&domain.host) == default_domain.as_ref(),
        })
    });
    Ok(BankReply::json(200, &Value::from_iter(entries)))
}

/// Chooses the checkout domain for a new payment link, or refuses the request.
///
/// The rules are in section 4.1 of the API documentation. Without an active domain, the request is
/// refused with 400 (rule 1; section 7 shows the body). If the request names a domain, that domain
/// is used (rule 2). Otherwise the active domain is used (rule 3).
///
/// Two rules are *assumed*. If several domains are active, the first one is used. If the named
/// domain is not active, the request is refused with 400.
fn choose_domain<'a>(bank: &'a Bank, requested: Option<&str>) -> Result<&'a Domain, BankReply> {
    let Some(default_domain) = default_domain(bank) else {
        return Err(BankReply::json(
            400,
            &json!({
                "message": "Domínio de checkout obrigatório.",
                "action": "Conecte um domínio próprio ativo a uma de suas lojas \
                           para criar links de pagamento.",
            }),
        ));
    };
    let Some(requested) = requested else {
        return Ok(default_domain);
    };
    active_domains(bank).find(|domain| domain.host.eq_ignore_ascii_case(requested)).ok_or_else(|| {
        BankReply::json(
            400,
            &json!({
                "message": "Domínio de checkout indisponível.",
                "action": "Escolha um dos seus domínios ativos ou deixe checkoutDomain de fora.",
            }),
        )
    })
}

fn active_domains(bank: &Bank) -> impl Iterator<Item = &Domain> {
    bank.domains()
        .filter(|domain| domain.state == DomainSetup::Active)
}

fn default_domain(bank: &Bank) -> Option<&Domain> {
    active_domains(bank).next()
}
