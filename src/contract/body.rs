//! Builds request bodies, exactly as they are sent, from the seller's input and the fields that the
//! API contract declares.
//!
//! [`BodySpec::body`] checks every field. It returns a [`Body`] in JSON or form encoding, or one
//! error per invalid field.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::decode::percent_bytes;
use super::field::{FieldFault, FieldKind, FieldSpec, InvalidField, key_kind_id};
use super::{AmountFormat, CreateLinkSpec, FeePreviewSpec, WithdrawalSpec};
use crate::trade::{
    IdempotencyKey, KeyFormat, LinkRequest, Money, PixKey, PixKeyError, PixKeyKind, Secret,
    Untrusted, normalized_input,
};

/// The fields of a request body, as the API contract declares them, and the body's encoding.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// The fields, in their order in the form and in the body.
    pub fields: Vec<FieldSpec>,
    /// How the body is encoded.
    pub encoding: Encoding,
    /// How amounts are written in the body and in the reply to it.
    pub amounts: AmountFormat,
    /// The id of the login's field that screens may show, such as the email. For other operations
    /// this is `None`, because screens may show every field.
    pub identity: Option<String>,
}

/// How a body is encoded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// `application/json`.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
}

/// The user's input in one field.
#[derive(Debug, Clone, Copy)]
pub enum FieldInput<'a> {
    /// Typed text, or the id of a chosen option.
    Text(&'a str),
    /// An amount.
    Amount(Money),
    /// A secret, which is never shown.
    Secret(&'a Secret),
}

/// A valid request body, with the amount and the Pix key that it contains.
#[derive(Default)]
pub struct Body {
    text: String,
    /// The first amount in the body, if any.
    pub amount: Option<Money>,
    /// The Pix key in the body, if any.
    pub destination: Option<PixKey>,
    /// The values that may be shown, by field id.
    field_values: Vec<(String, String)>,
    masked: String,
    secrets: Vec<Secret>,
}

impl BodySpec {
    /// The declared field with this id.
    pub fn field(&self, id: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.id == id)
    }

    /// The amount with its name, exactly as in the body, such as `"amount":10.00`. Returns `None`
    /// if the amount includes a fraction of a centavo.
    pub fn amount_sent(&self, amount: Money) -> Option<String> {
        let field = self
            .fields
            .iter()
            .find(|field| field.kind == FieldKind::Amount)?;
        let name = field.name.rsplit('/').next().unwrap_or_default();
        self.amounts.member(self.encoding, name, amount)
    }

    /// Builds the request body from the user's input in each field. Optional fields without input
    /// are left out.
    ///
    /// # Errors
    ///
    /// Returns all invalid fields, each with its fault.
    pub fn body<'t>(
        &self,
        input: impl Fn(&FieldSpec) -> Option<FieldInput<'t>>,
    ) -> Result<Body, Vec<InvalidField>> {
        let context = BodyContext {
            form: self,
            input: &input,
        };
        let mut body = Body::default();
        let mut tree = Map::new();
        let mut masked_tree = Map::new();
        let mut errors = Vec::new();
        for field in &self.fields {
            match context.read_field(field, &mut body) {
                Ok(Some(value)) if field.sent => {
                    let shown = if self.is_shown(field) {
                        value.clone()
                    } else {
                        Value::from(Untrusted::MASKED)
                    };
                    insert_at(&mut masked_tree, &field.name, shown);
                    insert_at(&mut tree, &field.name, value);
                }
                Ok(_) => {}
                Err(fault) => errors.push(InvalidField {
                    field: field.id.clone(),
                    fault,
                }),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        body.text = self.encoding.encode(&tree);
        body.masked = self.encoding.encode_masked(&masked_tree);
        Ok(body)
    }

    /// True if the body contains the kind of the Pix key.
    pub fn sends_key_kind(&self) -> bool {
        self.fields
            .iter()
            .any(|field| field.kind == FieldKind::PixKeyKind && field.sent)
    }

    /// True if the app's list of HTTP requests may show the value of this field. In a login, only
    /// the identity is shown, such as the email.
    ///
    /// Do not rely on the field's kind, because a contract file could set the wrong kind for a
    /// secret.
    fn is_shown(&self, field: &FieldSpec) -> bool {
        self.identity
            .as_ref()
            .is_none_or(|identity| *identity == field.id)
    }
}

impl Body {
    /// The text of the body, exactly as it is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text of the body with its secrets masked.
    pub fn masked(&self) -> &str {
        &self.masked
    }

    /// The secrets in the body, so that they can be masked wherever the reply repeats them.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(Secret::expose)
    }

    /// The value of a field as it is sent. Returns `None` if the field is secret or is not in the
    /// body.
    pub fn input_text(&self, field: &str) -> Option<&str> {
        self.field_values
            .iter()
            .find(|(id, _)| id == field)
            .map(|(_, text)| text.as_str())
    }
}

struct BodyContext<'f, 't> {
    form: &'f BodySpec,
    input: &'f dyn Fn(&FieldSpec) -> Option<FieldInput<'t>>,
}

impl BodyContext<'_, '_> {
    /// The value to send for this field, or `None` if the field is optional and empty.
    fn read_field(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<Value>, FieldFault> {
        let text = match field.kind {
            FieldKind::Amount => None,
            FieldKind::Secret => self.secret(field)?,
            FieldKind::Fixed => field.default.clone(),
            FieldKind::PixKeyKind => self.key_kind_word(field)?,
            FieldKind::PixKey => self.pix_key(field, body)?,
            FieldKind::DocumentKind => self.document_kind_word(field)?,
            _ => self.text(field)?,
        };
        let value = match field.kind {
            FieldKind::Amount => self.amount(field, body)?,
            _ => text.map(Value::String),
        };
        let Some(value) = value else {
            return if field.required {
                Err(FieldFault::Missing)
            } else {
                Ok(None)
            };
        };
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        if self.form.is_shown(field) {
            body.field_values.push((field.id.clone(), text));
        } else {
            body.secrets.push(Secret::new(text));
        }
        Ok(Some(value))
    }

    fn amount(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<Value>, FieldFault> {
        let Some(FieldInput::Amount(amount)) = (self.input)(field) else {
            return Ok(None);
        };
        if !amount.is_positive() {
            return Err(FieldFault::NotPositive);
        }
        let value = self
            .form
            .amounts
            .value(amount)
            .ok_or(FieldFault::FinerThanCentavo)?;
        if field.sent {
            body.amount.get_or_insert(amount);
        }
        Ok(Some(value))
    }

    fn secret(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let Some(FieldInput::Secret(secret)) = (self.input)(field) else {
            return Ok(None);
        };
        let text = secret.expose();
        if text.is_empty() {
            return Ok(None);
        }
        field.check_text(text)?;
        Ok(Some(text.to_owned()))
    }

    /// The trimmed input of a field, or else the field's default. Returns `None` if the resulting
    /// text is empty.
    fn typed_text(&self, field: &FieldSpec) -> Option<String> {
        let text = match (self.input)(field) {
            Some(FieldInput::Text(text)) => text,
            Some(_) => return None,
            None => field.default.as_deref()?,
        };
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn text(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let Some(text) = self.typed_text(field) else {
            return Ok(None);
        };
        field.check_text(&text)?;
        let text = match field.kind {
            FieldKind::Choice => {
                let chosen = field.choices.iter().find(|choice| choice.id == text);
                chosen.ok_or(FieldFault::NotAChoice)?.word.clone()
            }
            FieldKind::Document => PixKey::from_typed_document(&text)
                .map_err(FieldFault::Key)?
                .as_str()
                .to_owned(),
            FieldKind::Phone => {
                let phone =
                    PixKey::from_typed(PixKeyKind::Phone, &text).map_err(FieldFault::Key)?;
                with_or_without_plus(phone.as_str(), field.plus)
            }
            FieldKind::Email => {
                let address = Some(normalized_input(&text)).filter(|text| looks_like_email(text));
                address.ok_or(FieldFault::Key(PixKeyError::EmailShape))?
            }
            _ => text,
        };
        Ok(Some(text))
    }

    /// The kind of Pix key, such as CPF or phone, that is selected in the form.
    fn chosen_key_kind(&self) -> Option<PixKeyKind> {
        let field = self
            .form
            .fields
            .iter()
            .find(|field| field.kind == FieldKind::PixKeyKind)?;
        let id = match (self.input)(field) {
            Some(FieldInput::Text(id)) => id,
            _ => field.default.as_deref()?,
        };
        PixKeyKind::ALL
            .into_iter()
            .find(|kind| key_kind_id(*kind) == id)
    }

    fn key_kind_word(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let Some(kind) = self.chosen_key_kind() else {
            return Ok(None);
        };
        // If the form has no Pix key, leave out the optional field for the key's kind.
        if !field.required && !self.has_pix_key() {
            return Ok(None);
        }
        field
            .key_word(kind)
            .map(|word| Some(word.to_owned()))
            .ok_or(FieldFault::NotAChoice)
    }

    fn has_pix_key(&self) -> bool {
        let keys = self
            .form
            .fields
            .iter()
            .filter(|field| field.kind == FieldKind::PixKey);
        keys.map(|field| self.typed_text(field))
            .any(|text| text.is_some())
    }

    fn pix_key(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<String>, FieldFault> {
        let Some(text) = self.typed_text(field) else {
            return Ok(None);
        };
        // A Pix key can be checked only if its kind, such as CPF or phone, is known.
        let kind = self.chosen_key_kind().ok_or(FieldFault::NotAChoice)?;
        let key = PixKey::from_typed(kind, &text).map_err(FieldFault::Key)?;
        field.check_text(key.as_str())?;
        let text = match kind {
            // Bare digits may also be a CPF, unless the body names the kind.
            PixKeyKind::Phone => {
                with_or_without_plus(key.as_str(), field.plus || !self.form.sends_key_kind())
            }
            _ => key.as_str().to_owned(),
        };
        if field.sent {
            body.destination = Some(key);
        }
        Ok(Some(text))
    }

    fn document_kind_word(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let document_field = self
            .form
            .fields
            .iter()
            .find(|field| field.kind == FieldKind::Document);
        let Some(text) = document_field.and_then(|field| self.typed_text(field)) else {
            return Ok(None);
        };
        // Ignore an invalid CPF or CNPJ here, because the field that contains it reports the same
        // error.
        let Ok(document) = PixKey::from_typed_document(&text) else {
            return Ok(None);
        };
        let word = field
            .key_word(document.kind())
            .ok_or(FieldFault::NotAChoice)?;
        Ok(Some(word.to_owned()))
    }
}

impl Encoding {
    /// Detects the encoding of an existing body.
    ///
    /// A resend sends the stored bytes of a request. The encoding in the API contract may have
    /// changed since the bytes were stored.
    pub fn of(body: &str) -> Encoding {
        if parse_form(body).is_some() {
            Encoding::Form
        } else {
            Encoding::Json
        }
    }

    /// The value of the `Content-Type` header.
    pub fn content_type(self) -> &'static str {
        match self {
            Encoding::Json => "application/json",
            Encoding::Form => "application/x-www-form-urlencoded",
        }
    }

    fn encode(self, tree: &Map<String, Value>) -> String {
        match self {
            Encoding::Json => serde_json::to_string(tree).expect("a tree of texts and numbers"),
            Encoding::Form => {
                let mut pairs = Vec::new();
                push_pairs(&mut pairs, tree, "");
                pairs.join("&")
            }
        }
    }

    /// Encodes a body whose secrets are masked, for display. The mask is not percent-encoded.
    fn encode_masked(self, tree: &Map<String, Value>) -> String {
        match self {
            Encoding::Json => self.encode(tree),
            Encoding::Form => self
                .encode(tree)
                .replace(&percent_encode(Untrusted::MASKED), Untrusted::MASKED),
        }
    }
}

/// Inserts a value at its path, such as `customer/name`, and creates missing objects on the path.
fn insert_at(members: &mut Map<String, Value>, path: &str, value: Value) {
    let Some((name, rest)) = path.split_once('/') else {
        members.insert(path.to_owned(), value);
        return;
    };
    let inside = members.entry(name).or_insert_with(|| Map::new().into());
    if let Value::Object(inside) = inside {
        insert_at(inside, rest, value);
    }
}

/// Appends name-value pairs in form encoding; a nested value is named `outer[inner]`.
fn push_pairs(pairs: &mut Vec<String>, members: &Map<String, Value>, prefix: &str) {
    for (name, value) in members {
        let name = if prefix.is_empty() {
            name.clone()
        } else {
            format!("{prefix}[{name}]")
        };
        let text = match value {
            Value::Object(inside) => {
                push_pairs(pairs, inside, &name);
                continue;
            }
            Value::String(text) => percent_encode(text),
            other => percent_encode(&other.to_string()),
        };
        pairs.push(format!("{}={text}", percent_encode(&name)));
    }
}

fn percent_encode(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Parses a text in form encoding into decoded pairs of name and value. Returns `None` if the text
/// has a different encoding.
///
/// JSON is never mistaken for a form, because quotation marks and brackets in a form are
/// percent-encoded.
pub(super) fn parse_form(text: &str) -> Option<Vec<(String, String)>> {
    text.split('&')
        .map(|pair| {
            let (name, value) = pair.split_once('=')?;
            Some((decode_form_text(name)?, decode_form_text(value)?))
                .filter(|(name, _)| !name.is_empty())
        })
        .collect()
}

fn decode_form_text(text: &str) -> Option<String> {
    let bytes = percent_bytes(text).map(|(byte, is_encoded)| match byte {
        b'+' if !is_encoded => Some(b' '),
        b'*' | b'-' | b'.' | b'_' => Some(byte),
        byte => (is_encoded || byte.is_ascii_alphanumeric()).then_some(byte),
    });
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

impl CreateLinkSpec {
    /// The amount with its name, exactly as in the body, such as `"amount":10.00`. Returns `None`
    /// if the amount includes a fraction of a centavo.
    pub fn amount_sent(&self, amount: Money) -> Option<String> {
        self.amounts
            .member(self.call.encoding, &self.amount, amount)
    }

    /// Builds the request body for a payment link. If the seller chose no checkout domain, the body
    /// omits the domain.
    ///
    /// Returns `None` if the amount includes a fraction of a centavo.
    pub fn body(&self, request: &LinkRequest) -> Option<String> {
        let domain = request
            .domain
            .as_ref()
            .map(|domain| (&self.domain, domain.raw().into()));
        let members = [
            (&self.amount, self.amounts.value(request.amount)?),
            (&self.description, request.description.as_str().into()),
        ];
        let members = members.into_iter().chain(domain);
        Some(
            self.call
                .encoding
                .encode(&members.map(|(name, value)| (name.clone(), value)).collect()),
        )
    }
}

impl WithdrawalSpec {
    /// The idempotency key as text for the request body. The text has no quotation marks, even if
    /// the key's header has them.
    pub fn key_text(&self, key: IdempotencyKey) -> String {
        key.header(match self.key_format {
            KeyFormat::Quoted => KeyFormat::Plain,
            format => format,
        })
    }
}

impl FeePreviewSpec {
    /// Builds the body of a fee preview that is sent by `POST`. Returns `None` if the amount
    /// includes a fraction of a centavo.
    pub fn body(&self, amount: Money) -> Option<String> {
        let amount = (self.amount.clone(), self.amounts.value(amount)?);
        Some(self.call.encoding.encode(&Map::from_iter([amount])))
    }
}

impl AmountFormat {
    /// Converts an amount to its JSON value. Returns `None` if the amount includes a fraction of a
    /// centavo.
    fn value(self, amount: Money) -> Option<Value> {
        let wire = self.wire(amount)?;
        if self.is_text() {
            Some(wire.into())
        } else {
            wire.parse().ok().map(Value::Number)
        }
    }
}

fn with_or_without_plus(phone: &str, plus: bool) -> String {
    if plus {
        phone.to_owned()
    } else {
        phone.trim_start_matches('+').to_owned()
    }
}

/// Checks only that there is text on both sides of an `@`.
///
/// The service does the real check. A login may accept addresses that are not valid as Pix keys.
fn looks_like_email(text: &str) -> bool {
    match text.split_once('@') {
        Some((name, host)) => {
            !name.is_empty() && !host.is_empty() && !text.contains(char::is_whitespace)
        }
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn invalid_form_text_returns_none() {
        for text in [
            "",
            "a",
            "a=1&",
            "=1",
            "{\"a\":1}",
            "a=%zz",
            "a=%e",
            "a=%+1",
            "a=é",
            "a=%ff",
        ] {
            assert_eq!(parse_form(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn form_encoding_reads_back_every_value(name in "[^/]{1,9}", value in ".{0,20}") {
            // Skip the name `z`, because the test uses it for an object: no name can have both a
            // value and members.
            prop_assume!(name != "z");
            let mut tree = Map::new();
            insert_at(&mut tree, &name, value.clone().into());
            insert_at(&mut tree, &format!("z/{name}"), "p ä&=+".into());
            let text = Encoding::Form.encode(&tree);
            prop_assert!(text.is_ascii());
            let inner = (format!("z[{name}]"), "p ä&=+".to_owned());
            prop_assert_eq!(parse_form(&text), Some(vec![(name, value), inner]));
            prop_assert!(serde_json::from_str::<Value>(&text).is_err());
        }
    }
}
