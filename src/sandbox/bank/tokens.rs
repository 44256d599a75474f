//! The two credentials: the API token that a login returns (API documentation, section 4.6), and
//! the JWT for creating payment links.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Bank;
use super::ids::Ids;
use super::request::{BankReply, BankRequest, Fields};
use super::scene::Scene;
use crate::sandbox::clock::Moment;

/// The maximum number of stored tokens. If there are more, the oldest ones are dropped.
const MAX_TOKENS: usize = 200;

/// The kind of a token (API documentation, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// A token that a login returns, for withdrawals and fee previews. Clients do not interpret its
    /// text.
    ApiToken,
    /// A JWT for creating payment links. Its use for listing domains and for direct payments is
    /// *assumed* (not documented).
    Jwt,
}

/// A token that the bank issued.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    text: String,
    credential: TokenKind,
    expires: Moment,
}

/// The tokens that the bank issued. The oldest tokens are dropped if there are too many.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tokens(Vec<Token>);

impl Tokens {
    /// Issues a new token and stores it.
    pub fn issue(
        &mut self,
        credential: TokenKind,
        scene: &Scene,
        ids: &mut Ids,
        now: Moment,
    ) -> String {
        let (text, expires) = match credential {
            TokenKind::ApiToken => (
                format!("api_{}", ids.hex_digits(40)),
                now.plus(scene.token_life),
            ),
            TokenKind::Jwt => {
                let expires = now.plus(scene.jwt_life);
                (jwt(&scene.email, now, expires, ids), expires)
            }
        };
        if self.0.len() >= MAX_TOKENS {
            self.0.remove(0);
        }
        self.0.push(Token {
            text: text.clone(),
            credential,
            expires,
        });
        text
    }

    /// The newest valid token of this kind.
    pub fn newest(&self, credential: TokenKind, now: Moment) -> Option<&str> {
        self.0
            .iter()
            .rev()
            .find(|token| token.credential == credential && now < token.expires)
            .map(|token| token.text.as_str())
    }

    /// The text of every stored token.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|token| token.text.as_str())
    }

    /// Makes every token expire for which `is_selected` returns true.
    pub fn expire(&mut self, now: Moment, is_selected: impl Fn(&str) -> bool) {
        let selected = self.0.iter_mut().filter(|token| is_selected(&token.text));
        selected.for_each(|token| token.expires = token.expires.min(now));
    }
}

/// Issues an API token if the e-mail address and the password are correct.
///
/// Section 4.6 of the API documentation states that withdrawals need this token. The documentation
/// shows no more, so the rest is *assumed*. The request body is `{email, password}`. The reply is
/// 200 with `{token, expiresIn}`, where `expiresIn` is a number of seconds. A wrong login gets 401.
pub fn log_in(bank: &mut Bank, request: &BankRequest, now: Moment) -> Result<BankReply, BankReply> {
    let fields = Fields::parse(&request.body)?;
    let email = fields.text("email")?;
    let password = fields.text("password")?;
    let is_correct =
        email.eq_ignore_ascii_case(&bank.scene.email) && password == bank.scene.password;
    if !is_correct {
        return Err(BankReply::refusal(401, "E-mail ou senha incorretos."));
    }
    let token = bank
        .tokens
        .issue(TokenKind::ApiToken, &bank.scene, &mut bank.ids, now);
    let seconds = bank.scene.token_life.as_secs();
    Ok(BankReply::json(
        200,
        &json!({ "token": token, "expiresIn": seconds }),
    ))
}

/// An error reply with status 401, unless the request has a valid token of the kind `expected`, or
/// of a kind that this request accepts instead.
///
/// The API documentation lists the credential of each operation (section 5 and its rule 1) and
/// shows 401 for a withdrawal (section 7). The status 401 for other operations is *assumed*.
pub fn check_token(
    bank: &Bank,
    request: &BankRequest,
    expected: TokenKind,
    now: Moment,
) -> Result<(), BankReply> {
    let refuse = |message| Err(BankReply::refusal(401, message));
    let Some(presented) = bearer(request) else {
        return refuse("Credencial ausente: envie Authorization: Bearer.");
    };
    let accepted = match request.accepted_tokens.as_slice() {
        [] => &[expected],
        accepted => accepted,
    };
    match bank.tokens.0.iter().find(|token| token.text == presented) {
        Some(token) if !accepted.contains(&token.credential) => {
            refuse("Esta credencial não serve para esta operação.")
        }
        Some(token) if token.expires <= now => refuse("Token expirado. Faça login novamente."),
        Some(_) => Ok(()),
        None => refuse("Token inválido."),
    }
}

/// The token in the request's `Authorization: Bearer` header.
pub fn bearer(request: &BankRequest) -> Option<&str> {
    let (scheme, token) = request.authorization.as_deref()?.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// A token in the format of a JWT. Its signature consists only of digits from the seed, because no
/// other program verifies it.
fn jwt(subject: &str, issued: Moment, expires: Moment, ids: &mut Ids) -> String {
    let head = json!({ "alg": "HS256", "typ": "JWT" }).to_string();
    let claims =
        json!({ "sub": subject, "iat": issued.seconds(), "exp": expires.seconds() }).to_string();
    let [head, claims] = [head, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part));
    format!("{head}.{claims}.{}", ids.hex_digits(43))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jwt_contains_subject_and_expiry() {
        let token = jwt("ana", Moment(5_000), Moment(9_000), &mut Ids::from_seed(1));
        let parts: Vec<&str> = token.split('.').collect();
        assert_eq!(parts.len(), 3);
        assert_eq!(
            parts[1],
            BASE64_URL_SAFE_NO_PAD.encode(br#"{"sub":"ana","iat":5,"exp":9}"#)
        );
    }
}
