//! Lists the members of a request body, parsed from the body's exact bytes.
//!
//! Screens use it to show a body before it is sent. The bytes themselves are parsed, because the
//! contract may have changed since the body was built.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::body::parse_form;
use super::{BodySpec, FieldSpec};

/// The maximum nesting depth. A more deeply nested value becomes one member with its JSON text.
const MAX_DEPTH: usize = 64;

/// A single value in a body. Objects and lists are split into their members unless they are empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The names on the path to the value, such as `["customer", "name"]`. An element of a list has
    /// its index as the name.
    pub path: Vec<String>,
    /// The value.
    pub value: MemberValue,
}

/// The value of a body member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MemberValue {
    /// A string, without quotation marks and escapes.
    Text(String),
    /// Any other JSON value, exactly as written: a number, `true`, `null`, an empty list.
    Literal(String),
}

impl Member {
    /// The JSON Pointer of the member, such as `/customer/name`.
    pub fn pointer(&self) -> String {
        pointer(self.path.iter().map(String::as_str))
    }

    /// The path as a contract writes it, such as `customer/name`.
    pub fn name(&self) -> String {
        self.path.join("/")
    }

    /// The declared field of `form` from which this member was built.
    pub fn field<'f>(&self, form: &'f BodySpec) -> Option<&'f FieldSpec> {
        form.fields.iter().find(|field| {
            field.sent
                && field
                    .name
                    .split('/')
                    .eq(self.path.iter().map(String::as_str))
        })
    }
}

impl MemberValue {
    /// The value as text, without quotation marks.
    pub fn text(&self) -> &str {
        match self {
            MemberValue::Text(text) | MemberValue::Literal(text) => text,
        }
    }

    /// The value as JSON text, so a string is in quotation marks.
    pub fn literal(&self) -> String {
        match self {
            MemberValue::Text(text) => format!("\"{text}\""),
            MemberValue::Literal(text) => text.clone(),
        }
    }
}

impl FieldSpec {
    /// The JSON Pointer of the body member for this field.
    pub fn pointer(&self) -> String {
        pointer(self.name.split('/'))
    }
}

fn pointer<'n>(names: impl Iterator<Item = &'n str>) -> String {
    names
        .map(|name| format!("/{}", name.replace('~', "~0").replace('/', "~1")))
        .collect()
}

/// All members of a body in their order; a repeated name gives two members.
///
/// A body that is neither JSON nor a form gives one member without a name.
pub fn members(body: &str) -> Vec<Member> {
    if let Some(pairs) = parse_form(body) {
        return pairs
            .into_iter()
            .map(|(name, value)| Member {
                path: form_path(&name),
                value: MemberValue::Text(value),
            })
            .collect();
    }
    let mut members = Vec::new();
    let value = serde_json::from_str(body).map_or(body, RawValue::get);
    push_members(&mut members, &mut Vec::new(), value);
    members
}

/// Splits the name of a form value into a path: `outer[inner]` becomes `outer`, `inner`.
fn form_path(name: &str) -> Vec<String> {
    let inner = name.strip_suffix(']').and_then(|name| name.split_once('['));
    let Some((outer, inner)) = inner.filter(|(outer, _)| !outer.is_empty()) else {
        return vec![name.to_owned()];
    };
    std::iter::once(outer)
        .chain(inner.split("]["))
        .map(str::to_owned)
        .collect()
}

/// Appends the members of a JSON object or list. Any other value is appended as a single member.
fn push_members(members: &mut Vec<Member>, path: &mut Vec<String>, json: &str) {
    let parts = if path.len() < MAX_DEPTH {
        json_parts(json)
    } else {
        vec![]
    };
    for (name, value) in &parts {
        path.push(name.clone());
        push_members(members, path, value.get());
        path.pop();
    }
    if parts.is_empty() {
        let value = if json.starts_with('"') {
            // If the JSON string is invalid, use its raw text.
            MemberValue::Text(serde_json::from_str(json).unwrap_or_else(|_| json.to_owned()))
        } else {
            MemberValue::Literal(json.to_owned())
        };
        members.push(Member {
            path: path.clone(),
            value,
        });
    }
}

/// The members of a JSON object with their names, or the items of a list with their indexes. A
/// repeated name gives two members. Any other value has no parts.
pub fn json_parts(json: &str) -> Vec<(String, &RawValue)> {
    match json.as_bytes().first() {
        Some(b'{') => serde_json::from_str(json).map_or(vec![], |Entries(entries)| entries),
        Some(b'[') => {
            let items: Vec<&RawValue> = serde_json::from_str(json).unwrap_or_default();
            items
                .into_iter()
                .enumerate()
                .map(|(n, item)| (n.to_string(), item))
                .collect()
        }
        _ => vec![],
    }
}

/// The entries of a JSON object in their order. If a name is repeated, both entries are kept.
struct Entries<'b>(Vec<(String, &'b RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(object: D) -> Result<Entries<'de>, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Entries(entries))
            }
        }

        object.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn pointers_and_texts(body: &str) -> Vec<(String, String)> {
        members(body)
            .iter()
            .map(|it| (it.pointer(), it.value.text().to_owned()))
            .collect()
    }

    fn pairs(pairs: &[(&str, &str)]) -> Vec<(String, String)> {
        pairs
            .iter()
            .map(|(pointer, text)| ((*pointer).into(), (*text).into()))
            .collect()
    }

    #[test]
    fn every_member_is_read_as_it_is_written() {
        let body = r#" {"amount": 100.10,"to":{"key":"a\"b\u00e9","n~/":null},"l":[1e2,"x",{}]} "#;
        let expected = [
            ("/amount", "100.10"),
            ("/to/key", "a\"bé"),
            ("/to/n~0~1", "null"),
            ("/l/0", "1e2"),
            ("/l/1", "x"),
            ("/l/2", "{}"),
        ];
        assert_eq!(pointers_and_texts(body), pairs(&expected));
        // A repeated name gives two members, whether in JSON or in a form.
        let duplicate = r#"{"pixKey":"ana","pixKey":"thief"}"#;
        assert_eq!(
            pointers_and_texts(duplicate),
            pairs(&[("/pixKey", "ana"), ("/pixKey", "thief")])
        );
        let form = "amount=10.10&to%5Bkey%5D=a%2Bb&to%5Bkey%5D=thief&note=";
        let expected = [
            ("/amount", "10.10"),
            ("/to/key", "a+b"),
            ("/to/key", "thief"),
            ("/note", ""),
        ];
        assert_eq!(pointers_and_texts(form), pairs(&expected));
        // A body that is neither a JSON object nor a form is a single member.
        for body in ["", "abc", "{", "{}", "[ ]", "12", r#"{"a":1} x"#] {
            assert_eq!(pointers_and_texts(body), pairs(&[("", body)]));
        }
        assert_eq!(pointers_and_texts(r#""text""#), pairs(&[("", "text")]));
    }

    #[test]
    fn name_with_matching_brackets_is_a_path() {
        let path = ["customer", "document", "type"];
        assert_eq!(form_path("customer[document][type]"), path);
        for name in ["a", "[a]", "a]", "a[", ""] {
            assert_eq!(form_path(name), [name]);
        }
    }

    #[test]
    fn too_deep_value_is_shown_as_written() {
        let body = format!("{}1{}", "[".repeat(80), "]".repeat(80));
        let members = members(&body);
        assert_eq!(members.len(), 1);
        assert_eq!(members[0].value.text(), &body[64..80 + 1 + 16]);
    }

    /// Collects the pointers and texts of a `serde_json::Value`, to compare with `members`.
    fn push_leaves(value: &Value, pointer: &str, leaves: &mut Vec<(String, String)>) {
        let child_pointer =
            |name: &str| format!("{pointer}/{}", name.replace('~', "~0").replace('/', "~1"));
        match value {
            Value::Object(inside) if !inside.is_empty() => {
                inside
                    .iter()
                    .for_each(|(name, value)| push_leaves(value, &child_pointer(name), leaves));
            }
            Value::Array(inside) if !inside.is_empty() => {
                let inside = inside.iter().enumerate();
                inside.for_each(|(n, value)| {
                    push_leaves(value, &child_pointer(&n.to_string()), leaves)
                });
            }
            Value::String(text) => leaves.push((pointer.to_owned(), text.clone())),
            other => leaves.push((pointer.to_owned(), other.to_string())),
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            ".{0,12}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec((".{0,6}", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn members_equal_those_of_serde_json(body in any_json(), is_pretty: bool) {
            let text = if is_pretty {
                serde_json::to_string_pretty(&body).unwrap()
            } else {
                body.to_string()
            };
            let mut leaves = Vec::new();
            push_leaves(&body, "", &mut leaves);
            prop_assert_eq!(pointers_and_texts(&text), leaves);
        }

        #[test]
        fn every_text_has_at_least_one_member(text in ".{0,60}") {
            prop_assert!(!members(&text).is_empty());
        }
    }
}
