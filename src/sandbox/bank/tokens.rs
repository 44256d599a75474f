//! The two credentials: the API token of a login (API text, section 4.6) and the JWT for links.

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::Bank;
use super::ids::Ids;
use super::request::{BankReply, BankRequest, Fields};
use super::scene::Scene;
use crate::sandbox::clock::Moment;

/// More tokens than any test issues; the oldest are forgotten beyond it.
const KEPT_TOKENS: usize = 200;

/// Which of the two credentials a token is (API text, section 5).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TokenKind {
    /// Opaque, from the login; for withdrawals and their preview.
    ApiToken,
    /// For links; for domains and direct payments too (*assumed*).
    Jwt,
}

/// A token that was given out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Token {
    text: String,
    credential: TokenKind,
    expires: Moment,
}

/// Every token that was given out and not forgotten.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Tokens(Vec<Token>);

impl Tokens {
    /// Gives out a new token.
    pub fn issue(
        &mut self,
        credential: TokenKind,
        scene: &Scene,
        ids: &mut Ids,
        now: Moment,
    ) -> String {
        let (text, expires) = match credential {
            TokenKind::ApiToken => (format!("api_{}", ids.letters(40)), now.plus(scene.token_life)),
            TokenKind::Jwt => {
                let expires = now.plus(scene.jwt_life);
                (jwt(&scene.email, now, expires, ids), expires)
            }
        };
        if self.0.len() >= KEPT_TOKENS {
            self.0.remove(0);
        }
        self.0.push(Token { text: text.clone(), credential, expires });
        text
    }

    /// The newest token of that kind that is still good.
    pub fn newest(&self, credential: TokenKind, now: Moment) -> Option<&str> {
        let good = |token: &&Token| token.credential == credential && now < token.expires;
        self.0.iter().rev().find(good).map(|token| token.text.as_str())
    }

    /// Every token, as it was given out.
    pub fn texts(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(|token| token.text.as_str())
    }

    /// Ends the life of the tokens that are meant.
    pub fn expire(&mut self, now: Moment, is_meant: impl Fn(&str) -> bool) {
        let meant = self.0.iter_mut().filter(|token| is_meant(&token.text));
        meant.for_each(|token| token.expires = token.expires.min(now));
    }
}

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

/// Lets a request through that carries a good token of the right kind; 401 otherwise.
///
/// API text, section 5 (which credential), its rule 1 and section 7 (401 on a withdrawal); 401 on
/// the other operations is *assumed*.
pub fn admit(
    bank: &Bank,
    request: &BankRequest,
    wanted: TokenKind,
    now: Moment,
) -> Result<(), BankReply> {
    let refuse = |message| Err(BankReply::refusal(401, message));
    let Some(presented) = bearer(request) else {
        return refuse("Credencial ausente: envie Authorization: Bearer.");
    };
    match bank.tokens.0.iter().find(|token| token.text == presented) {
        Some(token) if token.credential != wanted => {
            refuse("Esta credencial não serve para esta operação.")
        }
        Some(token) if token.expires <= now => refuse("Token expirado. Faça login novamente."),
        Some(_) => Ok(()),
        None => refuse("Token inválido."),
    }
}

/// The token behind the word `Bearer`.
pub fn bearer(request: &BankRequest) -> Option<&str> {
    let (scheme, token) = request.authorization.as_deref()?.split_once(' ')?;
    (scheme.eq_ignore_ascii_case("bearer") && !token.is_empty()).then_some(token)
}

/// A JWT in form; its signature is letters from the seed, because only this bank checks it.
fn jwt(subject: &str, issued: Moment, expires: Moment, ids: &mut Ids) -> String {
    let head = json!({ "alg": "HS256", "typ": "JWT" }).to_string();
    let claims =
        json!({ "sub": subject, "iat": issued.seconds(), "exp": expires.seconds() }).to_string();
    let [head, claims] = [head, claims].map(|part| BASE64_URL_SAFE_NO_PAD.encode(part));
    format!("{head}.{claims}.{}", ids.letters(43))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_jwt_has_three_parts_and_says_who_and_until_when() {
        let token = jwt("ana", Moment(5_000), Moment(9_000), &mut Ids::from_seed(1));
        let parts: Vec<&str> = token.split('.').collect();
        assert_eq!(parts.len(), 3);
        assert_eq!(parts[1], BASE64_URL_SAFE_NO_PAD.encode(br#"{"sub":"ana","iat":5,"exp":9}"#));
    }
}
