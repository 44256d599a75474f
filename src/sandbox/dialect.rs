//! Dialects: the other shapes in which the service of a neighbour speaks, as data.
//!
//! The bank knows one shape of each request and reply. A dialect says where the parts of it stand
//! on the wire, for the sandbox alone: nothing here is shared with the client's contract, so that a
//! mistake in the one is not made up for by the same mistake in the other.

mod reply;
mod request;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::bank::request::BankOperation;

/// The dialects that come with the program: their names and their files.
const DIALECTS: [(&str, &str); 6] = [
    ("snake-case", include_str!("../../assets/dialects/snake-case.toml")),
    ("sibling", include_str!("../../assets/dialects/sibling.toml")),
    ("enveloped", include_str!("../../assets/dialects/enveloped.toml")),
    ("key-headers", include_str!("../../assets/dialects/key-headers.toml")),
    ("no-content", include_str!("../../assets/dialects/no-content.toml")),
    ("centavos", include_str!("../../assets/dialects/centavos.toml")),
];

/// The shape of every request and reply; by default that of the API text.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    credentials: CredentialShapes,
    /// Headers that every request has to have, such as `X-Api-Version: 1`.
    headers: Vec<String>,
    error: ErrorShape,
    login: Shape,
    domains: Shape,
    create_link: Shape,
    direct_payment: Shape,
    fee_preview: Shape,
    withdrawal: Shape,
}

/// How a credential comes in: every header has to be there, `*` is where the token stands.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CredentialShapes {
    jwt: Vec<String>,
    api_token: Vec<String>,
}

/// The shape of a refusal: places on the wire, and what of the bank's refusal stands there.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ErrorShape {
    places: BTreeMap<String, String>,
    constants: BTreeMap<String, toml::Value>,
}

/// The shape of one operation. A place is a name, or names with dots between.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Shape {
    method: Option<String>,
    /// True when the body is a form.
    form: bool,
    /// The bank's names, and where on the wire they stand; without any, as the bank has them.
    request: BTreeMap<String, String>,
    amounts_sent: AmountShape,
    /// True when the kind of a Pix key is not sent, and follows from the key.
    kind_follows: bool,
    /// Where the body repeats the idempotency key.
    key: Option<String>,
    /// Members that have to be in the body, of which the bank knows nothing.
    wanted: Vec<String>,
    /// The status of a success, where it is another one.
    status: Option<u16>,
    /// True when a success has no body.
    empty: bool,
    /// The status of a refusal of data, where it is another one.
    refused: Option<u16>,
    /// Places on the wire, and what of the bank's reply stands there; without any, all of it.
    reply: BTreeMap<String, String>,
    constants: BTreeMap<String, toml::Value>,
    amounts_replied: AmountShape,
    list: Option<ListShape>,
    members: Option<MembersShape>,
}

/// The shape of a list in pages.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListShape {
    place: String,
    page: usize,
    cursor: String,
    next: String,
}

/// The shape of a list whose entries are the members of an object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct MembersShape {
    place: String,
    /// The bank's name of what a member is named by.
    named_by: String,
}

/// The form of an amount.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AmountShape {
    /// `97.95`.
    #[default]
    Number,
    /// `"97.95"`.
    Text,
    /// `"1.097,95"`.
    Comma,
    /// `9795`.
    Centavos,
}

impl Default for CredentialShapes {
    fn default() -> CredentialShapes {
        let bearer = || vec!["Authorization: Bearer *".to_owned()];
        CredentialShapes { jwt: bearer(), api_token: bearer() }
    }
}

/// The reason why there is no such dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DialectError(String);

impl Dialect {
    /// The names of those that come with the program.
    pub fn names() -> impl Iterator<Item = &'static str> {
        DIALECTS.iter().map(|(name, _)| *name)
    }

    /// The one of this name that comes with the program.
    pub fn named(name: &str) -> Option<Dialect> {
        let (_, text) = DIALECTS.iter().find(|(own, _)| *own == name)?;
        Dialect::read(text).ok()
    }

    /// Reads a file that describes one; an error names its line.
    pub fn read(text: &str) -> Result<Dialect, DialectError> {
        toml::from_str(text).map_err(|error| DialectError(error.to_string()))
    }

    /// The method that asks for an operation.
    pub(super) fn method(&self, operation: BankOperation) -> &str {
        let own = self.shape(operation).method.as_deref();
        own.unwrap_or(operation.method_and_path().0)
    }

    /// The text that is pasted as the JWT: in two headers it has two parts.
    pub(super) fn pasted(&self, jwt: &str) -> String {
        let values = self.credentials.jwt.iter().filter_map(|header| header.split_once(": "));
        let values: Vec<String> = values.map(|(_, value)| value.replace('*', jwt)).collect();
        if values.len() == 1 { jwt.to_owned() } else { values.join(":") }
    }

    fn shape(&self, operation: BankOperation) -> &Shape {
        match operation {
            BankOperation::Login => &self.login,
            BankOperation::Domains => &self.domains,
            BankOperation::CreateLink => &self.create_link,
            BankOperation::DirectPayment => &self.direct_payment,
            BankOperation::FeePreview => &self.fee_preview,
            BankOperation::Withdrawal => &self.withdrawal,
        }
    }
}

/// The value at a place in a JSON value: names with dots between.
fn at<'v>(value: &'v Value, place: &str) -> Option<&'v Value> {
    place.split('.').try_fold(value, |value, name| value.as_object()?.get(name))
}

/// Puts a value at a place.
fn put(value: &mut Value, place: &str, new: Value) {
    let mut names = place.split('.').peekable();
    let mut inside = value;
    while let Some(name) = names.next() {
        if !inside.is_object() {
            *inside = Value::Object(Map::new());
        }
        let Some(members) = inside.as_object_mut() else { return };
        let member = members.entry(name).or_insert(Value::Null);
        if names.peek().is_none() {
            *member = new;
            return;
        }
        inside = member;
    }
}

/// Takes the value at a place away; objects that are empty then go with it.
fn take(value: &mut Value, place: &str) -> Option<Value> {
    let members = value.as_object_mut()?;
    let Some((name, rest)) = place.split_once('.') else { return members.shift_remove(place) };
    let inside = members.get_mut(name)?;
    let taken = take(inside, rest);
    if inside.as_object().is_some_and(Map::is_empty) {
        members.shift_remove(name);
    }
    taken
}

#[cfg(test)]
mod tests;
