//! Reads the expiry of tokens, and other dates in replies. JWTs are read but not verified, because
//! only the service can verify them.

use std::str::FromStr;
use std::time::Duration;

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, NO_PAD};
use base64::{Engine, alphabet};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use super::reply::{JsonPaths, read_json};
use crate::trade::{Untrusted, Wall};

/// The places in a login reply that may contain a token's expiry.
#[derive(Debug, Clone, PartialEq)]
pub struct Expiry {
    /// JSON paths of the remaining lifetime in seconds.
    pub seconds: JsonPaths,
    /// JSON paths of the time at which the token expires.
    pub date: JsonPaths,
}

/// A timestamp below this limit is read as seconds since 1970, any other as milliseconds.
///
/// As seconds, the limit is the year 33658. As milliseconds, it is the year 2001: no token in use
/// expired before that.
const MAX_SECONDS: i64 = 1_000_000_000_000;

impl Expiry {
    /// Returns the time at which the token expires, from the reply or else from the token itself.
    pub fn read(&self, reply: &Value, token: &str, now: Wall) -> Option<Wall> {
        let seconds = self.seconds.find(reply, read_whole_number).and_then(|seconds| {
            u64::try_from(seconds).ok().map(|seconds| now.plus(Duration::from_secs(seconds)))
        });
        seconds.or_else(|| self.date.find(reply, read_date)).or_else(|| jwt_expiry(token))
    }
}

/// Reads a number of seconds and rounds it down to a whole number. RFC 7519 also allows fractions
/// and exponents in such a number.
fn read_whole_number(value: &Value) -> Option<i64> {
    let parse = |text: &str| match text.contains(['e', 'E']) {
        true => Decimal::from_scientific(text).ok()?.floor().to_i64(),
        false => Decimal::from_str(text).ok()?.floor().to_i64(),
    };
    match value {
        Value::Number(number) => parse(&number.to_string()),
        Value::String(text) => parse(text),
        _ => None,
    }
}

fn read_date(value: &Value) -> Option<Wall> {
    match read_whole_number(value) {
        Some(seconds) => from_unix_time(seconds),
        None => Wall::parse_rfc3339(value.as_str()?),
    }
}

fn from_unix_time(count: i64) -> Option<Wall> {
    match count {
        ..0 => None,
        seconds if seconds < MAX_SECONDS => Some(Wall(seconds * 1_000)),
        milliseconds => Some(Wall(milliseconds)),
    }
}

/// Returns the expiry (`exp`) of a JWT, without verifying the token.
pub fn jwt_expiry(token: &str) -> Option<Wall> {
    from_unix_time(read_whole_number(read_claims(token)?.get("exp")?)?)
}

/// Returns the time of issue (`iat`) of a JWT, without verifying the token.
pub fn jwt_issued(token: &str) -> Option<Wall> {
    from_unix_time(read_whole_number(read_claims(token)?.get("iat")?)?)
}

/// Returns the subject (`sub`) of a JWT, without verifying the token.
pub fn jwt_subject(token: &str) -> Option<Untrusted> {
    read_claims(token)?.get("sub")?.as_str().map(Untrusted::from)
}

/// Returns true if a text has the form of a JWT: base64url parts separated by dots, with JSON in
/// the first part.
///
/// A signed token has three parts; an encrypted token has five parts and an `enc` header. The `enc`
/// header is checked because a signed token that was pasted twice also has five parts.
pub fn is_jwt(token: &str) -> bool {
    let parts: Vec<_> = token.trim().split('.').collect();
    let is_base64 = parts.iter().all(|part| from_base64(part).is_some());
    let header = from_base64(parts[0]).and_then(|header| read_json(&header));
    let Some(Value::Object(header)) = header else { return false };
    let expected = if header.contains_key("enc") { 5 } else { 3 };
    is_base64 && parts.len() == expected
}

fn read_claims(token: &str) -> Option<Value> {
    let mut parts = token.trim().split('.');
    let (_, payload, _) = (parts.next()?, parts.next()?, parts.next()?);
    if parts.next().is_some() {
        return None;
    }
    read_json(&from_base64(payload)?)
}

/// Decodes base64url or standard base64, with or without padding.
pub fn from_base64(text: &str) -> Option<Vec<u8>> {
    /// Accepts nonzero unused bits in the last character, because some encoders produce them.
    const LENIENT: GeneralPurposeConfig = NO_PAD.with_decode_allow_trailing_bits(true);
    const URL_SAFE: GeneralPurpose = GeneralPurpose::new(&alphabet::URL_SAFE, LENIENT);
    const STANDARD: GeneralPurpose = GeneralPurpose::new(&alphabet::STANDARD, LENIENT);
    let alphabet = if text.contains(['+', '/']) { STANDARD } else { URL_SAFE };
    let mut bytes = Vec::with_capacity(text.len());
    alphabet.decode_vec(text.trim_end_matches('='), &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::Contract;
    use super::*;

    /// A JWT with the three parts `{"alg":"none"}`, `{"sub":"loja-1","exp":1795239695}` and `x`.
    const JWT: &str = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJsb2phLTEiLCJleHAiOjE3OTUyMzk2OTV9.x";
    const NOW: Wall = Wall(1_000_000);

    fn read(reply: Value, token: &str) -> Option<Wall> {
        Contract::built_in().login.expiry.read(&reply, token, NOW)
    }

    #[test]
    fn jwt_is_recognized_by_its_form() {
        let (header, claims) = ("eyJhbGciOiJIUzI1NiJ9", "eyJzdWIiOiJhbmEifQ");
        for jwt in [
            format!("{header}.{claims}.c2ln"),
            format!(" {header}.{claims}.c2ln\n"),
            // An encrypted token with the header `{"alg":"dir","enc":"A128GCM"}`.
            "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..aXY.dGV4dA.dGFn".into(),
        ] {
            assert!(is_jwt(&jwt), "{jwt}");
        }
        for text in [
            String::new(),
            "isto não é um JWT".into(),
            "a.b.c".into(),
            header.into(),
            format!("{header}.{claims}"),
            format!("{header}.{claims}.c2ln.x"),
            format!("Bearer {header}.{claims}.c2ln"),
            format!("{header}.{claims}.c2 ln"),
            format!("{header}.{claims}.c2ln{header}.{claims}.c2ln"),
            format!("{header}.{claims}..{header}.{claims}."),
            format!("{header}..aXY.dGV4dA.dGFn"),
            "eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0.aXY.dGFn".into(),
        ] {
            assert!(!is_jwt(&text), "{text}");
        }
    }

    #[test]
    fn base64_read_in_both_alphabets_with_any_padding() {
        for text in ["-_8", "-_8=", "+/8", "+/8=", "+/9"] {
            assert_eq!(from_base64(text), Some(vec![0xfb, 0xff]), "{text}");
        }
        for invalid in ["a", "a.b", "YQ =", "é"] {
            assert_eq!(from_base64(invalid), None, "{invalid}");
        }
    }

    #[test]
    fn jwt_claims_are_read() {
        assert_eq!(jwt_expiry(JWT), Some(Wall(1_795_239_695_000)));
        assert_eq!(jwt_subject(JWT), Some(Untrusted::from("loja-1")));
        // A JWT with the three parts `{"alg":"none"}`, `{"iat":1795200000,"exp":1795239695}` and
        // `x`.
        let issued = "eyJhbGciOiJub25lIn0.eyJpYXQiOjE3OTUyMDAwMDAsImV4cCI6MTc5NTIzOTY5NX0.x";
        assert_eq!((jwt_issued(issued), jwt_issued(JWT)), (Some(Wall(1_795_200_000_000)), None));
        for other in ["", "a.b", "a.b.c", "a.b.c.d", "a.e30.c", "a.é.c"] {
            assert_eq!((jwt_expiry(other), jwt_subject(other)), (None, None), "{other}");
        }
    }

    #[test]
    fn seconds_with_a_fraction_are_cut_down() {
        for (exp, end) in [
            ("1795239695.5", Some(Wall(1_795_239_695_000))),
            ("1.795239695e9", Some(Wall(1_795_239_695_000))),
            ("1.9e9", Some(Wall(1_900_000_000_000))),
            ("\"1795239695.999\"", Some(Wall(1_795_239_695_000))),
            ("-0.5", None),
            ("1e400", None),
            ("\"inf\"", None),
        ] {
            let claims = format!(r#"{{"exp":{exp},"iat":{exp}}}"#);
            let claims = GeneralPurpose::new(&alphabet::URL_SAFE, NO_PAD).encode(claims);
            let jwt = format!("eyJhbGciOiJub25lIn0.{claims}.x");
            assert_eq!((jwt_expiry(&jwt), jwt_issued(&jwt)), (end, end), "{exp}");
        }
        let hour = Some(Wall(NOW.0 + 3_600_000));
        for seconds in [json!(3600.0), json!("3600.9"), json!(3.6e3)] {
            assert_eq!(read(json!({"expiresIn": seconds}), ""), hour, "{seconds}");
        }
        assert_eq!(read(json!({"expiresIn": -0.5}), ""), None);
    }

    #[test]
    fn seconds_win_over_date_and_date_over_token() {
        let hour = Some(Wall(NOW.0 + 3_600_000));
        assert_eq!(read(json!({"expiresIn": 3600, "expiresAt": "x"}), JWT), hour);
        assert_eq!(read(json!({"data": {"expires_in": "3600"}}), JWT), hour);
        let date = json!({"expiresAt": "1970-01-01T00:00:01Z"});
        assert_eq!(read(date, JWT), Some(Wall(1_000)));
        assert_eq!(read(json!({"expiresAt": 1_795_239_695}), ""), Some(Wall(1_795_239_695_000)));
        assert_eq!(
            read(json!({"expiresAt": 1_795_239_695_123_i64}), ""),
            Some(Wall(1_795_239_695_123))
        );
        assert_eq!(read(json!({}), JWT), Some(Wall(1_795_239_695_000)));
        assert_eq!(read(json!({"expiresIn": "soon"}), "opaque"), None);
    }

    #[test]
    fn extreme_numbers_clamped_or_refused_without_panic() {
        let end = Some(Wall(i64::MAX));
        for (reply, wall) in [
            (json!({"expiresIn": i64::MAX}), end),
            (json!({"expiresIn": "9223372036854775807"}), end),
            (json!({"expiresAt": i64::MAX}), end),
            (json!({"expiresIn": u64::MAX}), None),
            (json!({"expiresIn": -1}), None),
            (json!({"expiresIn": i64::MIN}), None),
            (json!({"expiresAt": i64::MIN}), None),
            (json!({"expiresAt": 99_999_999_999_i64}), Some(Wall(99_999_999_999_000))),
            // These seconds, in the year 10000, must not be mistaken for milliseconds.
            (json!({"expiresAt": 253_402_300_800_i64}), Some(Wall(253_402_300_800_000))),
            (json!({"expiresAt": "253402300800"}), Some(Wall(253_402_300_800_000))),
            (json!({"expiresAt": 1_795_239_695_000_i64}), Some(Wall(1_795_239_695_000))),
            (json!({"expiresAt": "9999-12-31T23:59:59-23:59"}), Some(Wall(253_402_387_139_000))),
            (json!({"expiresAt": "0001-01-01T00:00:00+23:59"}), Some(Wall(-62_135_683_140_000))),
            (json!({"expiresAt": "0001-01-01T00:00:00+99:99"}), None),
        ] {
            assert_eq!(read(reply.clone(), ""), wall, "{reply}");
        }
    }
}
