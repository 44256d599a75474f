//! Creates values that are missing from a file of exported requests: tokens, JWTs and Pix codes.

use std::time::{Duration, SystemTime};

use base64::Engine;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use serde_json::json;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::contract::Contract;
use crate::trade::{Money, crc16};

/// The lifetime of a new JWT if the recording does not contain a lifetime.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(60 * 60);

const MAX_TOKEN_LENGTH: usize = 4096;

/// A new random token.
pub(super) fn token() -> String {
    token_named(&Uuid::new_v4().to_string(), 40)
}

/// A token of this length. Equal names give equal tokens.
pub(super) fn token_named(name: &str, length: usize) -> String {
    let hex: String = Sha256::digest(name)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    hex.chars()
        .cycle()
        .take(length.clamp(1, MAX_TOKEN_LENGTH))
        .collect()
}

/// A JWT that expires after `lifetime`, by default after an hour. Its signature is random.
pub(super) fn jwt(lifetime: Option<Duration>) -> String {
    #[expect(
        clippy::disallowed_methods,
        reason = "the app compares the expiry of a JWT with the clock of this machine"
    )]
    let now = SystemTime::now()
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap_or_default();
    let expires = now
        .saturating_add(lifetime.unwrap_or(DEFAULT_LIFETIME))
        .as_secs();
    let header = json!({ "alg": "HS256", "typ": "JWT" });
    let claims = json!({ "sub": "replay", "iat": now.as_secs(), "exp": expires });
    let parts = [header.to_string(), claims.to_string(), token()];
    parts
        .map(|part| BASE64_URL_SAFE_NO_PAD.encode(part))
        .join(".")
}

/// A credential for payment links. This is a JWT, or two parts joined by a colon if the API
/// contract sends the two parts in separate headers.
pub(super) fn link_credential(contract: &Contract) -> String {
    let jwt = jwt(None);
    let headers = &contract.create_link.call.credential_headers;
    if headers.iter().all(|header| header.value(&jwt).is_some()) {
        jwt
    } else {
        format!("replay:{}", token())
    }
}

/// A valid Pix code for this amount. If `amount` is `None`, the payer chooses the amount.
pub(super) fn pix_code(name: &str, amount: Option<Money>) -> String {
    let account = [
        field("00", "br.gov.bcb.pix"),
        field("01", &token_named(name, 32)),
    ]
    .concat();
    let amount = amount
        .map(|amount| field("54", &amount.wire()))
        .unwrap_or_default();
    let fields = [
        field("00", "01"),
        field("26", &account),
        field("52", "0000"),
        field("53", "986"),
        amount,
        field("58", "BR"),
        field("59", "REPLAY"),
        field("60", "SAO PAULO"),
        field("62", &field("05", "***")),
        "6304".to_owned(),
    ];
    let code = fields.concat();
    format!("{code}{:04X}", crc16(code.as_bytes()))
}

fn field(id: &str, value: &str) -> String {
    format!("{id}{:02}{value}", value.len())
}
