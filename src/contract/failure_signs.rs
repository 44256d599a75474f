//! Finds the signs of a failure in the body of a reply with a success status.

use serde_json::Value;

use super::{Contract, JsonPaths, ReplyTree};
use crate::trade::withdrawal::SaysFailed;
use crate::trade::{Operation, Untrusted};

/// The signs in a reply's body that the request failed, although the status means success.
#[derive(Debug, Clone, PartialEq)]
pub struct FailureSigns {
    /// Status words that mean failure, such as `rejected`, in any letter case.
    pub words: Vec<String>,
    /// JSON paths of a status; one of `words` there means failure.
    pub status: JsonPaths,
    /// JSON paths of an error value. `true`, a text, a nonempty list or object there means failure.
    pub error: JsonPaths,
    /// JSON paths of an HTTP status code in the body; a code from 400 to 599 means failure.
    pub code: JsonPaths,
    /// JSON paths of a success flag; `false` means failure.
    pub flag: JsonPaths,
}

impl Contract {
    /// True if this reply to an operation reports a failure.
    pub fn says_no(&self, operation: Operation, reply: &ReplyTree) -> bool {
        failure_sign(&reply.json, &self.call_of(operation).failed).is_some()
    }
}

/// The first sign of a failure in the body. One sign is enough, even if other parts of the body
/// indicate success.
pub fn failure_sign(json: &Value, failed: &FailureSigns) -> Option<SaysFailed> {
    let found = failed
        .status
        .find_with_pointer(json, |value| failed_word(value, &failed.words))
        .or_else(|| failed.flag.find_with_pointer(json, false_flag))
        .or_else(|| failed.code.find_with_pointer(json, error_code))
        .or_else(|| failed.error.find_with_pointer(json, error_text));
    found.map(|(at, word)| SaysFailed {
        member: at.name().into(),
        word: Untrusted::from(word),
    })
}

/// The text if it is one of the failure words. Case is ignored.
pub fn failed_word(value: &Value, words: &[String]) -> Option<String> {
    let text = value.as_str()?.trim();
    let folded = text.to_lowercase();
    words
        .iter()
        .any(|word| word.to_lowercase() == folded)
        .then(|| text.to_owned())
}

fn false_flag(value: &Value) -> Option<String> {
    let is_no = match value {
        Value::Bool(flag) => !flag,
        Value::String(text) => text.trim().eq_ignore_ascii_case("false"),
        _ => false,
    };
    is_no.then(|| "false".to_owned())
}

/// An HTTP error code from 400 to 599, given as a number or as a string.
pub fn error_code(value: &Value) -> Option<String> {
    let text = match value {
        Value::Number(number) => number.to_string(),
        Value::String(text) => text.trim().to_owned(),
        _ => return None,
    };
    let code: u16 = text.split('.').next()?.parse().ok()?;
    (400..600).contains(&code).then_some(text)
}

/// The text of an error value, which may also be `true`, a list or an object.
pub fn error_text(value: &Value) -> Option<String> {
    match value {
        Value::Bool(true) => Some("true".to_owned()),
        Value::String(text) if !text.trim().is_empty() => Some(text.trim().to_owned()),
        Value::Array(items) if !items.is_empty() => Some(value.to_string()),
        Value::Object(members) if !members.is_empty() => Some(value.to_string()),
        _ => None,
    }
}
