//! API login: yields the API token, and the JWT where a contract says where.

use std::sync::Arc;

use super::Service;
use super::api_request::ApiRequest;
use super::mask::Mask;
use crate::contract::{Body, FieldKind, LoginSpec, jwt_expiry};
use crate::trade::{Failure, Operation, Secret, Wall};

/// The result of a login.
#[derive(Debug)]
pub struct LoggedIn {
    /// The identity that logged in; an e-mail in small letters, however it was typed.
    pub identity: Arc<str>,
    /// The API token.
    pub token: Secret,
    /// When the reply was here: what it yields is good from then on.
    pub at: Wall,
    /// When the token ends, if that is known.
    pub expires: Option<Wall>,
    /// The JWT for links and its end, where the contract says that the login yields one.
    pub jwt: Option<(Secret, Option<Wall>)>,
}

impl Service {
    /// Logs in with the body of the contract's login form.
    pub async fn login(&self, body: &Body) -> Result<LoggedIn, Failure> {
        let spec = &self.contract.login;
        let header = spec.token_header.as_deref();
        let api_request = ApiRequest {
            body: Some((body.text(), body.masked())),
            mask: Mask {
                identity: None,
                secrets: body.secrets().collect(),
                places: vec![&spec.token, &spec.jwt],
                every_text: true,
            },
            ..self.api_request(Operation::Login, self.address_of(Operation::Login), None)
        };
        let success = self.success(api_request).await?;
        let json = &success.json;
        let in_header = || bare(success.reply.header(header?)?);
        let Some(token) = spec.token.str(json).and_then(bare).or_else(in_header) else {
            return Err(success.unreadable(&["login.token", "login.token_header"]));
        };
        let jwt = spec.jwt.str(json).and_then(bare);
        let at = self.client.now();
        Ok(LoggedIn {
            at,
            identity: identity(spec, body).into(),
            token: Secret::new(token.to_owned()),
            expires: spec.expiry.read(json, token, at),
            jwt: jwt.map(|jwt| (Secret::new(jwt.to_owned()), jwt_expiry(jwt))),
        })
    }
}

/// Returns the account of this login.
///
/// An e-mail is the same in capitals: taken for another account, that account's open withdrawals
/// would not be seen, and could be made again.
fn identity(spec: &LoginSpec, body: &Body) -> String {
    let said = body.said(&spec.identity).unwrap_or_default();
    match spec.form.field(&spec.identity) {
        Some(field) if field.kind == FieldKind::Email => said.to_lowercase(),
        _ => said.to_owned(),
    }
}

/// A token without the word that goes before it in a header; `None` when it cannot be one.
fn bare(text: &str) -> Option<&str> {
    let text = text.trim();
    let token = match text.get(..7) {
        Some(scheme) if scheme.eq_ignore_ascii_case("bearer ") => text[7..].trim(),
        _ => text,
    };
    (!token.is_empty() && token.bytes().all(|b| b.is_ascii_graphic())).then_some(token)
}
