//! JSON text written straight from its members, instead of through a JSON value.
//!
//! Amounts keep their exact text, and the order is the declared one.

use serde::ser::{Error as _, SerializeMap};
use serde::{Serialize, Serializer};

use crate::trade::Secret;

/// A value, before it is written.
pub(super) enum Sent<'a> {
    /// A text, escaped when it is written.
    Text(String),
    /// A secret, escaped when it is written and never copied elsewhere.
    Secret(&'a Secret),
    /// A number's own text.
    Number(String),
    /// The mark in the place of a value that is not shown; no body that is sent has one.
    Masked,
    /// Further members.
    Object(Vec<JsonMember<'a>>),
}

/// The mark in the place of a value that is not shown.
pub(super) const MASKED: &str = "…";

/// One member of an object.
pub(super) struct JsonMember<'a> {
    pub(super) name: String,
    pub(super) sent: Sent<'a>,
}

/// Puts a value at its path; an object stands where its first member was declared.
pub(super) fn put<'a>(members: &mut Vec<JsonMember<'a>>, path: &[&str], sent: Sent<'a>) {
    let [name, rest @ ..] = path else { return };
    if rest.is_empty() {
        members.push(JsonMember { name: (*name).to_owned(), sent });
        return;
    }
    let at = match members.iter().position(|member| member.name == *name) {
        Some(at) => at,
        None => {
            members.push(JsonMember { name: (*name).to_owned(), sent: Sent::Object(vec![]) });
            members.len() - 1
        }
    };
    if let Sent::Object(inside) = &mut members[at].sent {
        put(inside, rest, sent);
    }
}

/// The tree as JSON text.
pub(super) fn written(members: &[JsonMember<'_>]) -> String {
    serde_json::to_string(&JsonObject(members)).expect("every amount is a number")
}

/// An object that is written straight from the tree.
struct JsonObject<'a>(&'a [JsonMember<'a>]);

impl Serialize for JsonObject<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        for JsonMember { name, sent } in self.0 {
            match sent {
                Sent::Text(said) => map.serialize_entry(name, said)?,
                Sent::Secret(secret) => map.serialize_entry(name, secret.expose())?,
                Sent::Number(number) => {
                    let number: serde_json::Number = number.parse().map_err(S::Error::custom)?;
                    map.serialize_entry(name, &number)?;
                }
                Sent::Masked => map.serialize_entry(name, MASKED)?,
                Sent::Object(inside) => map.serialize_entry(name, &JsonObject(inside))?,
            }
        }
        map.end()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_is_read_back_as_it_was() {
        for text in ["", "\u{1}\u{1f}", "\"\\", "é😀", "plain"] {
            let secret = Secret::new(text.repeat(40));
            let mut members = Vec::new();
            put(&mut members, &["a", "\u{1}"], Sent::Secret(&secret));
            put(&mut members, &["a", "b"], Sent::Text(text.to_owned()));
            put(&mut members, &["n"], Sent::Number("1.10".to_owned()));
            let written = written(&members);
            let json: serde_json::Value = serde_json::from_str(&written).unwrap();
            assert_eq!(json["a"]["\u{1}"], secret.expose());
            assert_eq!(json["a"]["b"], text);
        }
    }
}
