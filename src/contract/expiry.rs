//! Reads the expiry of tokens, and other dates in replies. JWTs are read but not verified, because
//! only the service can verify them.

use std::str::FromStr;
use std::time::Duration;

use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig, NO_PAD};
use base64::{Engine, alphabet};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde_json::Value;

use super::Contract;
use super::reply::{JsonPaths, Pointer, read_json};
use super::reply_places::name_words;
use super::reply_setting::{EXPIRES_AT, EXPIRES_IN};
use crate::trade::{Untrusted, Wall};

/// The end of a token's life, as a reply states it.
///
/// The value itself shows which of the two it is, because services use the same names for both. A
/// number above 10^9 is a date. A smaller number is a lifetime in seconds, or in
/// minutes if the name says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplyTime {
    /// The token expires at this time.
    At(Wall),
    /// The token expires this long after the reply.
    After(Duration),
}

/// The longest lifetime, in seconds: 31 years. As a date in seconds, it is the year 2001.
const MAX_LIFETIME: i64 = 1_000_000_000;

/// A timestamp below this limit is read as seconds since 1970, any other as milliseconds.
///
/// As seconds, the limit is the year 33658. As milliseconds, it is the year 2001: no token in use
/// expired before that.
const MAX_SECONDS: i64 = 1_000_000_000_000;

impl Contract {
    /// The time at which the token expires, from the reply or else from the token itself.
    pub fn token_expiry(&self, reply: &Value, token: &str, now: Wall) -> Option<Wall> {
        let time = ReplyTime::find(self.paths(EXPIRES_IN), reply)
            .or_else(|| ReplyTime::find(self.paths(EXPIRES_AT), reply));
        time.map(|(_, time)| time.from(now))
            .or_else(|| jwt_expiry(token))
    }
}

impl ReplyTime {
    /// Reads the first time at these paths of a reply, and returns it with its path.
    pub(super) fn find<'p>(
        paths: &'p JsonPaths,
        reply: &Value,
    ) -> Option<(&'p Pointer, ReplyTime)> {
        paths.pointers.iter().find_map(|pointer| {
            let value = reply.pointer(pointer.as_str())?;
            Some((pointer, ReplyTime::read(&pointer.name(), value)?))
        })
    }

    /// Reads the value of the member with this name. Returns `None` if it is no time.
    pub(super) fn read(name: &str, value: &Value) -> Option<ReplyTime> {
        let Some(number) = read_whole_number(value) else {
            return Wall::parse_rfc3339(value.as_str()?).map(ReplyTime::At);
        };
        if number > MAX_LIFETIME {
            return from_unix_time(number).map(ReplyTime::At);
        }
        let seconds_per_unit = if is_in_minutes(name) { 60 } else { 1 };
        let seconds = u64::try_from(number).ok()? * seconds_per_unit;
        Some(ReplyTime::After(Duration::from_secs(seconds)))
    }

    /// The end of the token's life, if its reply arrived at this time.
    pub fn from(self, reply_at: Wall) -> Wall {
        match self {
            ReplyTime::At(time) => time,
            ReplyTime::After(lifetime) => reply_at.plus(lifetime),
        }
    }
}

/// True if the name says that its number is in minutes, such as `expires_in_minutes`, `validadeMin`
/// or `minutos`.
fn is_in_minutes(name: &str) -> bool {
    let words = name_words(name);
    words
        .iter()
        .any(|word| word == "min" || word == "mins" || word.starts_with("minut"))
}

/// Reads a number of seconds and rounds it down to a whole number. RFC 7519 also allows fractions
/// and exponents in such a number.
fn read_whole_number(value: &Value) -> Option<i64> {
    let text = match value {
        Value::Number(number) => &number.to_string(),
        Value::String(text) => text,
        _ => return None,
    };
    let number = if text.contains(['e', 'E']) {
        Decimal::from_scientific(text)
    } else {
        Decimal::from_str(text)
    };
    number.ok()?.floor().to_i64()
}

fn from_unix_time(count: i64) -> Option<Wall> {
    match count {
        ..0 => None,
        seconds if seconds < MAX_SECONDS => Some(Wall(seconds * 1_000)),
        milliseconds => Some(Wall(milliseconds)),
    }
}

/// The expiry (`exp`) of a JWT, without verifying the token.
pub fn jwt_expiry(token: &str) -> Option<Wall> {
    from_unix_time(read_whole_number(read_claims(token)?.get("exp")?)?)
}

/// The time of issue (`iat`) of a JWT, without verifying the token.
pub fn jwt_issued(token: &str) -> Option<Wall> {
    from_unix_time(read_whole_number(read_claims(token)?.get("iat")?)?)
}

/// The subject (`sub`) of a JWT, without verifying the token.
pub fn jwt_subject(token: &str) -> Option<Untrusted> {
    read_claims(token)?
        .get("sub")?
        .as_str()
        .map(Untrusted::from)
}

/// True if a text has the form of a JWT: base64url parts separated by dots, with JSON in the first
/// part.
///
/// A signed token has three parts; an encrypted token has five parts and an `enc` header. The `enc`
/// header is checked because a signed token that was pasted twice also has five parts.
pub fn is_jwt(token: &str) -> bool {
    let parts: Vec<_> = token.trim().split('.').collect();
    let is_base64 = parts.iter().all(|part| from_base64(part).is_some());
    let header = from_base64(parts[0]).and_then(|header| read_json(&header));
    let Some(Value::Object(header)) = header else {
        return false;
    };
    let expected = if header.contains_key("enc") { 5 } else { 3 };
    is_base64 && parts.len() == expected
}

fn read_claims(token: &str) -> Option<Value> {
    let mut parts = token.trim().split('.');
    let _header = parts.next()?;
    let payload = parts.next()?;
    let _signature = parts.next()?;
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
    let alphabet = if text.contains(['+', '/']) {
        STANDARD
    } else {
        URL_SAFE
    };
    let mut bytes = Vec::with_capacity(text.len());
    alphabet
        .decode_vec(text.trim_end_matches('='), &mut bytes)
        .ok()?;
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
        Contract::built_in().token_expiry(&reply, token, NOW)
    }

    #[test]
    fn jwt_is_recognized_by_its_form() {
        let header = "eyJhbGciOiJIUzI1NiJ9";
        let claims = "eyJzdWIiOiJhbmEifQ";
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
        assert_eq!(
            (jwt_issued(issued), jwt_issued(JWT)),
            (Some(Wall(1_795_200_000_000)), None)
        );
        for other in ["", "a.b", "a.b.c", "a.b.c.d", "a.e30.c", "a.é.c"] {
            assert_eq!(
                (jwt_expiry(other), jwt_subject(other)),
                (None, None),
                "{other}"
            );
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
        assert_eq!(
            read(json!({"expiresIn": 3600, "expiresAt": "x"}), JWT),
            hour
        );
        assert_eq!(read(json!({"data": {"expires_in": "3600"}}), JWT), hour);
        let date = json!({"expiresAt": "1970-01-01T00:00:01Z"});
        assert_eq!(read(date, JWT), Some(Wall(1_000)));
        assert_eq!(
            read(json!({"expiresAt": 1_795_239_695}), ""),
            Some(Wall(1_795_239_695_000))
        );
        assert_eq!(
            read(json!({"expiresAt": 1_795_239_695_123_i64}), ""),
            Some(Wall(1_795_239_695_123))
        );
        assert_eq!(read(json!({}), JWT), Some(Wall(1_795_239_695_000)));
        assert_eq!(read(json!({"expiresIn": "soon"}), "opaque"), None);
    }

    #[test]
    fn value_decides_if_it_is_date_or_lifetime() {
        let [hour, date] = [NOW.0 + 3_600_000, 1_795_239_695_000].map(|ms| Some(Wall(ms)));
        for (reply, expected) in [
            (json!({"expiresIn": 3600}), hour),
            (json!({"expiresAt": 3600}), hour),
            (json!({"expiresIn": 1_795_239_695}), date),
            (json!({"expiresIn": 1_795_239_695_000_i64}), date),
            (json!({"expiresIn": "2026-11-21T05:41:35Z"}), date),
            (json!({"expiresAt": "amanhã"}), None),
        ] {
            assert_eq!(read(reply.clone(), ""), expected, "{reply}");
        }
        for (name, seconds) in [
            ("expires_in_minutes", 3_600),
            ("validadeMinutos", 3_600),
            ("ttl_min", 3_600),
            ("minimo", 60),
            ("expires_in", 60),
        ] {
            let read = ReplyTime::read(name, &json!(60));
            assert_eq!(
                read,
                Some(ReplyTime::After(Duration::from_secs(seconds))),
                "{name}"
            );
        }
    }

    #[test]
    fn extreme_numbers_clamped_or_refused_without_panic() {
        let end = Some(Wall(i64::MAX));
        for (reply, wall) in [
            (json!({"expiresIn": i64::MAX}), end),
            (json!({"expiresIn": "9223372036854775807"}), end),
            (json!({"expiresAt": i64::MAX}), end),
            (json!({"expiresIn": u64::MAX}), None),
            (
                json!({"expiresIn": 1_000_000_000}),
                Some(Wall(NOW.0 + 1_000_000_000_000)),
            ),
            (json!({"expiresIn": -1}), None),
            (json!({"expiresIn": i64::MIN}), None),
            (json!({"expiresAt": i64::MIN}), None),
            (
                json!({"expiresAt": 99_999_999_999_i64}),
                Some(Wall(99_999_999_999_000)),
            ),
            // These seconds, in the year 10000, must not be mistaken for milliseconds.
            (
                json!({"expiresAt": 253_402_300_800_i64}),
                Some(Wall(253_402_300_800_000)),
            ),
            (
                json!({"expiresAt": "253402300800"}),
                Some(Wall(253_402_300_800_000)),
            ),
            (
                json!({"expiresAt": 1_795_239_695_000_i64}),
                Some(Wall(1_795_239_695_000)),
            ),
            (
                json!({"expiresAt": "9999-12-31T23:59:59-23:59"}),
                Some(Wall(253_402_387_139_000)),
            ),
            (
                json!({"expiresAt": "0001-01-01T00:00:00+23:59"}),
                Some(Wall(-62_135_683_140_000)),
            ),
            (json!({"expiresAt": "0001-01-01T00:00:00+99:99"}), None),
        ] {
            assert_eq!(read(reply.clone(), ""), wall, "{reply}");
        }
    }
}
