//! Login (API text, section 4.6): the way to an API token.

use serde_json::json;

use super::Bank;
use super::fields::Fields;
use super::request::{BankReply, BankRequest};
use super::tokens::TokenKind;
use crate::sandbox::clock::Moment;

/// Gives an API token for the right e-mail and password.
///
/// Body `{email, password}`, reply 200 `{token, expiresIn}` in seconds and 401 for a wrong pair
/// are *assumed*; that the token serves withdrawals is API text, section 4.6.
pub fn log_in(bank: &mut Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    let fields = Fields::of_body(&request.body)?;
    let (email, password) = (fields.text("email")?, fields.text("password")?);
    let known = email.eq_ignore_ascii_case(&bank.scene.email) && password == bank.scene.password;
    if !known {
        return Err(BankReply::refusal(401, "E-mail ou senha incorretos."));
    }
    let token = bank.tokens.issue(TokenKind::ApiToken, &bank.scene, &mut bank.ids, now);
    let life = bank.scene.token_life.as_secs();
    Ok(BankReply::json(200, &json!({ "token": token, "expiresIn": life })))
}
