//! Checkout domains (API text, section 4.2) and which of them serves a link.

use serde_json::{Value, json};

use super::Bank;
use super::request::{BankReply, BankRequest};
use super::scene::{Domain, DomainSetup};
use super::tokens::{TokenKind, admit};
use crate::sandbox::clock::Moment;

/// Lists the domains with their state.
///
/// The JWT as the credential, status 200 and the shape are *assumed*.
pub fn list(bank: &Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
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

/// The domain that serves a new link, or the refusal.
///
/// API text, section 4.1: without an active domain 400 (rule 1, body of section 7); a named one is
/// used (rule 2); otherwise the active one is resolved automatically (rule 3). With several active
/// ones the first in the list is resolved, and a named one that cannot be used is refused with
/// 400: both *assumed*.
pub fn choose<'a>(bank: &'a Bank, named: Option<&str>) -> Result<&'a Domain, BankReply> {
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
