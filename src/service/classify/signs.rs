//! The signs by which a success says in its own body that it is none.

use serde_json::Value;

use crate::contract::{Failed, JsonPaths};
use crate::trade::Untrusted;
use crate::trade::withdrawal::SaysFailed;

/// The first sign against it, looked for in every place: one good word does not outweigh a bad one.
pub(in crate::service) fn failure(
    json: &Value,
    failed: &Failed,
    status: &JsonPaths,
) -> Option<SaysFailed> {
    let found = status
        .found(json, |value| failed_word(value, &failed.words))
        .or_else(|| failed.flag.found(json, no))
        .or_else(|| failed.code.found(json, error_code))
        .or_else(|| failed.error.found(json, error));
    found.map(|(at, word)| SaysFailed { member: at.name().into(), word: Untrusted::from(word) })
}

/// The status of a refusal that says it is none: a word that is no failed one, without an error.
pub(super) fn taken(json: &Value, failed: &Failed, status: &JsonPaths) -> Option<SaysFailed> {
    let against =
        status.find(json, |value| failed_word(value, &failed.words).or(error_code(value)));
    if against.or_else(|| failed.error.find(json, error)).is_some() {
        return None;
    }
    let (at, word) =
        status.found(json, |value| value.as_str().filter(|it| !it.trim().is_empty()))?;
    Some(SaysFailed { member: at.name().into(), word: word.into() })
}

/// One of the words, whole and in any case.
fn failed_word(value: &Value, words: &[String]) -> Option<String> {
    let text = value.as_str()?.trim();
    let folded = text.to_lowercase();
    words.iter().any(|word| word.to_lowercase() == folded).then(|| text.to_owned())
}

fn no(value: &Value) -> Option<String> {
    let is_no = match value {
        Value::Bool(flag) => !flag,
        Value::String(text) => text.trim().eq_ignore_ascii_case("false"),
        _ => false,
    };
    is_no.then(|| "false".to_owned())
}

/// A number that would be an error as a status of HTTP; some write it as a text.
fn error_code(value: &Value) -> Option<String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let whole: u16 = text.split('.').next()?.parse().ok()?;
    (400..600).contains(&whole).then_some(text)
}

fn error(value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some("true".to_owned()),
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Array(items) if !items.is_empty() => Some(value.to_string()),
        Value::Object(members) if !members.is_empty() => Some(value.to_string()),
        _ => None,
    }
}
