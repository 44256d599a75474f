//! Direct payments: payments by Pix code that need no checkout domain (API documentation, section
//! 4.3).

use serde_json::json;

use super::Bank;
use super::amount::Amount;
use super::ledger::LedgerCharge;
use super::pix_code;
use super::pix_key;
use super::request::{BankReply, BankRequest, Fields};
use super::tokens::{TokenKind, check_token};
use crate::sandbox::clock::Moment;

/// The status word in the reply to a new direct payment. It is *assumed*, because the API
/// documentation does not show it.
pub const PENDING_STATUS: &str = "pending";

/// Creates a direct payment. No checkout domain is needed (API documentation, section 4.1 rule 5).
///
/// The documentation shows no more, so the rest is *assumed*. The request needs the JWT, and its
/// body is `{amount, description, paymentMethod: "pix", customer}`. The reply is 201 with `{id,
/// status, amount, description, qrCode, expiresAt, createdAt}`. Other members of the request are
/// ignored.
pub fn create_charge(
    bank: &mut Bank,
    request: &BankRequest,
    now: Moment,
) -> Result<BankReply, BankReply> {
    check_token(bank, request, TokenKind::Jwt, now)?;
    let mut fields = Fields::parse(&request.body)?;
    let amount = fields.amount("amount")?;
    let description = fields.text("description")?;
    if fields.text("paymentMethod")? != "pix" {
        return Err(fields.invalid_field("paymentMethod", "só aceita pix"));
    }
    check_customer(fields.object("customer")?)?;

    let charge = add_charge(bank, amount, description, now);
    Ok(BankReply::json(
        201,
        &json!({
            "id": charge.id,
            "status": PENDING_STATUS,
            "amount": charge.amount,
            "description": charge.description,
            "qrCode": charge.qr_code,
            "expiresAt": charge.expires_at.to_iso(),
            "createdAt": now.to_iso(),
        }),
    ))
}

/// Creates a direct payment and adds it to the ledger.
pub fn add_charge(
    bank: &mut Bank,
    amount: Amount,
    description: String,
    at: Moment,
) -> LedgerCharge {
    let id = bank.ids.uuid();
    let qr_code = pix_code::build_pix_code(&id, amount, &bank.scene.store);
    let expires_at = at.plus(bank.scene.charge_life);
    let charge = LedgerCharge {
        id,
        amount,
        description,
        qr_code,
        at,
        expires_at,
        paid_at: None,
    };
    bank.ledger.charges.push(charge.clone());
    charge
}

/// Checks the buyer's data. Two rules are *assumed*: the name and the document are required, and
/// the e-mail address and the phone number are optional.
fn check_customer(mut customer: Fields<'_>) -> Result<(), BankReply> {
    customer.text("name")?;
    if let Some(email) = customer.optional_text("email")? {
        pix_key::check("email", &email.to_ascii_lowercase())
            .map_err(|problem| customer.invalid_field("email", problem))?;
    }
    customer.optional_text("phone")?;
    let document = customer.object("document")?;
    let number = document.text("number")?;
    let kind = document.text("type")?;
    if !matches!(kind.to_ascii_lowercase().as_str(), "cpf" | "cnpj") {
        return Err(document.invalid_field("type", "só aceita cpf ou cnpj"));
    }
    pix_key::check(&kind, &number).map_err(|problem| document.invalid_field("number", problem))
}
