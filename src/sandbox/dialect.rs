//! Dialects: the request and reply formats of similar payment services. They are described in TOML
//! files.
//!
//! The simulated bank itself uses one fixed format. A dialect maps each field of that format to its
//! path in the HTTP request or reply. The program's HTTP client deliberately shares no code with
//! this module. With shared code, a mistake would affect both sides, and tests could not detect it.

mod reply;
mod request;

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::bank::request::BankOperation;
use super::bank::tokens::TokenKind;

/// The names and the file contents of the built-in dialects.
const DIALECTS: [(&str, &str); 6] = [
    (
        "snake-case",
        include_str!("../../assets/dialects/snake-case.toml"),
    ),
    (
        "sibling",
        include_str!("../../assets/dialects/sibling.toml"),
    ),
    (
        "enveloped",
        include_str!("../../assets/dialects/enveloped.toml"),
    ),
    (
        "key-headers",
        include_str!("../../assets/dialects/key-headers.toml"),
    ),
    (
        "no-content",
        include_str!("../../assets/dialects/no-content.toml"),
    ),
    (
        "centavos",
        include_str!("../../assets/dialects/centavos.toml"),
    ),
];

/// The formats of all requests and replies. The default is the format in the API documentation.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Dialect {
    credentials: CredentialFormats,
    /// The headers that every request must have, such as `X-Api-Version: 1`.
    headers: Vec<String>,
    error: ErrorFormat,
    login: OperationFormat,
    domains: OperationFormat,
    create_link: OperationFormat,
    direct_payment: OperationFormat,
    fee_preview: OperationFormat,
    withdrawal: OperationFormat,
}

/// The headers that must contain each kind of credential. In a header's value, `*` is replaced
/// with the token.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct CredentialFormats {
    jwt: Vec<String>,
    api_token: Vec<String>,
}

/// The format of an error reply, and its texts about fields of the request. In these texts,
/// `{field}` is replaced with the path of the field.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct ErrorFormat {
    /// The body as JSON or as text. A name in braces, such as `{message}`, is replaced with this
    /// field of the bank's own error reply. JSON members that name a missing field are left out.
    body: Option<String>,
    /// The text if a required field is missing.
    missing: String,
    /// The text if this dialect does not define the field.
    unknown: String,
    /// The text if the kind of the Pix key is not one of `{words}`.
    kind: String,
}

/// The format of one operation. Paths in a JSON body are written like `data.amount`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct OperationFormat {
    method: Option<String>,
    /// The kinds of tokens that the operation accepts. If the list is empty, the operation accepts
    /// the same kind as the bank's own operation.
    tokens: Vec<TokenKind>,
    /// True if the request body is form data instead of JSON.
    form: bool,
    /// Maps the bank's field names to paths in the request, such as `data.amount`. If the map is
    /// empty, the request uses the bank's field names. Otherwise, a request with any other field is
    /// refused.
    request: BTreeMap<String, String>,
    /// True if fields that `request` does not define are ignored instead of refused.
    ignores_others: bool,
    amounts_sent: AmountFormat,
    /// Maps the words for the kinds of Pix keys in requests to the bank's own words. If the map is
    /// empty, the request uses the bank's words. Otherwise, any other word is refused.
    kinds: BTreeMap<String, String>,
    /// True if requests do not contain the kind of the Pix key. The kind is then guessed from the
    /// format of the key.
    kind_follows: bool,
    /// The path at which the request body must contain the idempotency key too, if any.
    key: Option<String>,
    /// Paths at which the request body must contain a value. They are checked in this order, before
    /// the bank checks its own fields.
    required: Vec<String>,
    /// The HTTP status of a successful reply, if it differs from the bank's own status.
    status: Option<u16>,
    /// True if a successful reply has no body.
    empty: bool,
    /// The HTTP status of an error reply for invalid data, if it is not 400.
    refused: Option<u16>,
    /// Maps paths in the reply to field names of the bank's own reply. If the map is empty, the
    /// reply uses the bank's field names.
    reply: BTreeMap<String, String>,
    constants: BTreeMap<String, toml::Value>,
    amounts_replied: AmountFormat,
    list: Option<ListFormat>,
    members: Option<MembersFormat>,
    /// The field of a list entry that is sent instead of the whole entry.
    entry: Option<String>,
}

/// The format of a list that is not the whole reply.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ListFormat {
    place: String,
    pages: Option<PagesFormat>,
}

/// The format of a list that is split into pages.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct PagesFormat {
    /// The number of entries on a page.
    size: usize,
    /// The query parameter that selects a page.
    parameter: String,
    /// The path in the reply from which a client learns of further pages.
    next: String,
    #[serde(default)]
    style: PagesStyle,
}

/// How pages are requested, and what a reply contains about further pages.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum PagesStyle {
    /// Each reply contains the parameter's value for the next page, or `null`.
    #[default]
    Cursor,
    /// Each reply contains the URL of the next page, or `null`.
    Link,
    /// The pages are numbered from 1. Each reply contains the number of pages.
    Number,
}

/// The format of a list that is sent as a JSON object. Each list entry is a member of the object.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct MembersFormat {
    place: String,
    /// The field in each list entry whose value becomes the name of the entry's member.
    named_by: String,
}

/// The format of amounts in JSON.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum AmountFormat {
    /// A JSON number: `97.95`.
    #[default]
    Number,
    /// A string with a decimal point: `"97.95"`.
    Text,
    /// A string in Brazilian format: `"1.097,95"`.
    Comma,
    /// An integer number of centavos: `9795`.
    Centavos,
    /// A whole number of centavos. Unlike `Centavos`, requests may also write it with decimal
    /// places: `9795.00`. An amount in reais without centavos is then accepted, too.
    WholeCentavos,
}

impl Default for ErrorFormat {
    fn default() -> ErrorFormat {
        ErrorFormat {
            body: None,
            missing: "Dados inválidos: {field} é obrigatório.".to_owned(),
            unknown: "Dados inválidos: {field} não é um campo deste serviço.".to_owned(),
            kind: "Dados inválidos: {field} deve ser {words}.".to_owned(),
        }
    }
}

impl Default for CredentialFormats {
    fn default() -> CredentialFormats {
        let bearer = vec!["Authorization: Bearer *".to_owned()];
        CredentialFormats {
            jwt: bearer.clone(),
            api_token: bearer,
        }
    }
}

/// The reason why a dialect file could not be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct DialectError(String);

impl Dialect {
    /// The names of the built-in dialects.
    pub fn names() -> impl Iterator<Item = &'static str> {
        DIALECTS.iter().map(|(name, _)| *name)
    }

    /// The built-in dialect with this name.
    pub fn named(name: &str) -> Option<Dialect> {
        let (_, text) = DIALECTS.iter().find(|(known, _)| *known == name)?;
        Dialect::read(text).ok()
    }

    /// Parses a dialect from the text of a TOML file. An error contains the line number.
    pub fn read(text: &str) -> Result<Dialect, DialectError> {
        toml::from_str(text).map_err(|error| DialectError(error.to_string()))
    }

    /// The HTTP method of an API operation in this dialect.
    pub(super) fn method(&self, operation: BankOperation) -> &str {
        let method = self.format(operation).method.as_deref();
        method.unwrap_or(operation.method_and_path().0)
    }

    /// The text that the seller pastes into the app as the JWT. If this dialect has several headers
    /// for the JWT, the text consists of their values, joined with colons.
    pub(super) fn jwt_to_paste(&self, jwt: &str) -> String {
        let values = self
            .credentials
            .jwt
            .iter()
            .filter_map(|header| header.split_once(": "));
        let values: Vec<String> = values.map(|(_, value)| value.replace('*', jwt)).collect();
        if values.len() == 1 {
            jwt.to_owned()
        } else {
            values.join(":")
        }
    }

    fn format(&self, operation: BankOperation) -> &OperationFormat {
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

/// The value at a path in a JSON value. A path is a member name, or several nested names joined
/// with dots.
fn value_at<'v>(value: &'v Value, path: &str) -> Option<&'v Value> {
    path.split('.')
        .try_fold(value, |value, name| value.as_object()?.get(name))
}

/// Sets the value at a path such as `data.amount`. Missing objects are created.
fn set_value(value: &mut Value, path: &str, new_value: Value) {
    let mut names = path.split('.').peekable();
    let mut parent = value;
    while let Some(name) = names.next() {
        if !parent.is_object() {
            *parent = Value::Object(Map::new());
        }
        let Some(members) = parent.as_object_mut() else {
            return;
        };
        let member = members.entry(name).or_insert(Value::Null);
        if names.peek().is_none() {
            *member = new_value;
            return;
        }
        parent = member;
    }
}

/// Removes and returns the value at a path such as `data.amount`. Also removes objects that become
/// empty.
fn take_value(value: &mut Value, path: &str) -> Option<Value> {
    let members = value.as_object_mut()?;
    let Some((name, rest)) = path.split_once('.') else {
        return members.shift_remove(path);
    };
    let parent = members.get_mut(name)?;
    let removed = take_value(parent, rest);
    if parent.as_object().is_some_and(Map::is_empty) {
        members.shift_remove(name);
    }
    removed
}

#[cfg(test)]
mod tests;
