//! Request bodies: turns declared fields and their input into the exact bytes to send.
//!
//! [`BodySpec::body`] checks every field and returns either one error per invalid field or a
//! [`Body`] in JSON or form encoding.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::field::{FieldFault, FieldKind, FieldSpec, InvalidField, key_kind_id};
use super::headers::percent_decoded;
use super::{AmountFormat, CreateLinkSpec, FeePreviewSpec, WithdrawalSpec};
use crate::trade::{
    IdempotencyKey, KeyFormat, LinkRequest, Money, PixKey, PixKeyError, PixKeyKind, Secret,
    as_typed,
};

/// The placeholder for a hidden value, in the masked text of a body; never sent.
pub(super) const MASKED: &str = "…";

/// The declared fields of a body, and the encoding of the body.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// The fields, in the order of the body.
    pub fields: Vec<FieldSpec>,
    /// How the body is encoded.
    pub encoding: Encoding,
    /// How amounts are written in the body and in its reply.
    pub amounts: AmountFormat,
    /// In a login, the id of the only field that may be shown on the screen. In other operations,
    /// `None`: every field may be shown.
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

/// The input of one field.
#[derive(Debug, Clone, Copy)]
pub enum FieldInput<'a> {
    /// Typed text, or the id of the selected choice.
    Text(&'a str),
    /// An amount.
    Amount(Money),
    /// A secret, which is never shown.
    Secret(&'a Secret),
}

/// A valid body, with the amount and the Pix key that it contains.
#[derive(Default)]
pub struct Body {
    text: String,
    /// The first amount in the body, if there is one.
    pub amount: Option<Money>,
    /// The Pix key in the body, if there is one.
    pub destination: Option<PixKey>,
    said: Vec<(String, String)>,
    masked: String,
    secrets: Vec<Secret>,
}

impl BodySpec {
    /// Returns the field with this id.
    pub fn field(&self, id: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.id == id)
    }

    /// Builds the body from the input of each field. An optional field without input is left out.
    ///
    /// # Errors
    ///
    /// Returns all invalid fields, each with its fault.
    pub fn body<'t>(
        &self,
        typed: impl Fn(&FieldSpec) -> Option<FieldInput<'t>>,
    ) -> Result<Body, Vec<InvalidField>> {
        let context = BodyContext { form: self, typed: &typed };
        let mut body = Body::default();
        let (mut tree, mut shown) = (Map::new(), Map::new());
        let mut errors = Vec::new();
        for field in &self.fields {
            match context.read(field, &mut body) {
                Ok(Some(sent)) if field.sent => {
                    let mask = || Value::from(MASKED);
                    let said = if self.is_shown(field) { sent.clone() } else { mask() };
                    put(&mut shown, &field.name, said);
                    put(&mut tree, &field.name, sent);
                }
                Ok(_) => {}
                Err(fault) => errors.push(InvalidField { field: field.id.clone(), fault }),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        body.text = self.encoding.written(&tree);
        body.masked = self.encoding.masked(&shown);
        Ok(body)
    }

    /// Returns true if the value of this field may be shown in the list of requests.
    ///
    /// For a login only the identity is shown. The kind of a field cannot decide this, because a
    /// contract file sets the kind.
    fn is_shown(&self, field: &FieldSpec) -> bool {
        self.identity.as_ref().is_none_or(|identity| *identity == field.id)
    }
}

impl Body {
    /// Returns the text of the body, exactly as it is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text of the body with the hidden values masked.
    pub fn masked(&self) -> &str {
        &self.masked
    }

    /// Returns the hidden values, so that they can be masked wherever they appear in the reply.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(Secret::expose)
    }

    /// Returns the value of a field as it is sent; `None` if the field is hidden or was left out.
    pub fn said(&self, field: &str) -> Option<&str> {
        self.said.iter().find(|(id, _)| id == field).map(|(_, text)| text.as_str())
    }
}

struct BodyContext<'f, 't> {
    form: &'f BodySpec,
    typed: &'f dyn Fn(&FieldSpec) -> Option<FieldInput<'t>>,
}

impl BodyContext<'_, '_> {
    /// Returns the value to send for this field; `None` if the field is optional and empty.
    fn read(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<Value>, FieldFault> {
        let text = match field.kind {
            FieldKind::Amount => None,
            FieldKind::Secret => self.secret(field)?,
            FieldKind::Fixed => field.default.clone(),
            FieldKind::PixKeyKind => self.key_kind(field)?,
            FieldKind::PixKey => self.pix_key(field, body)?,
            FieldKind::DocumentKind => self.document_kind(field)?,
            _ => self.text(field)?,
        };
        let sent = match field.kind {
            FieldKind::Amount => self.amount(field, body)?,
            _ => text.map(Value::String),
        };
        let Some(sent) = sent else {
            return if field.required { Err(FieldFault::Missing) } else { Ok(None) };
        };
        let text = sent.as_str().map_or_else(|| sent.to_string(), str::to_owned);
        match self.form.is_shown(field) {
            true => body.said.push((field.id.clone(), text)),
            false => body.secrets.push(Secret::new(text)),
        }
        Ok(Some(sent))
    }

    fn amount(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<Value>, FieldFault> {
        let Some(FieldInput::Amount(amount)) = (self.typed)(field) else { return Ok(None) };
        if !amount.is_positive() {
            return Err(FieldFault::NotPositive);
        }
        let sent = self.form.amounts.value(amount).ok_or(FieldFault::FinerThanCentavo)?;
        if field.sent {
            body.amount.get_or_insert(amount);
        }
        Ok(Some(sent))
    }

    fn secret(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let Some(FieldInput::Secret(secret)) = (self.typed)(field) else { return Ok(None) };
        let text = secret.expose();
        if text.is_empty() {
            return Ok(None);
        }
        field.check_text(text)?;
        Ok(Some(text.to_owned()))
    }

    /// Returns the trimmed text of a field, or else its default; `None` if the text is empty.
    fn typed_text(&self, field: &FieldSpec) -> Option<String> {
        let text = match (self.typed)(field) {
            Some(FieldInput::Text(text)) => text,
            Some(_) => return None,
            None => field.default.as_deref()?,
        };
        Some(text.trim().to_owned()).filter(|text| !text.is_empty())
    }

    fn text(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let Some(text) = self.typed_text(field) else { return Ok(None) };
        field.check_text(&text)?;
        let text = match field.kind {
            FieldKind::Choice => {
                let chosen = field.choices.iter().find(|choice| choice.id == text);
                chosen.ok_or(FieldFault::NotAChoice)?.word.clone()
            }
            FieldKind::Document => document(&text).map_err(FieldFault::Key)?.as_str().to_owned(),
            FieldKind::Phone => {
                let phone = PixKey::parse(PixKeyKind::Phone, &text).map_err(FieldFault::Key)?;
                with_or_without_plus(phone.as_str(), field.plus)
            }
            FieldKind::Email => {
                let address = Some(as_typed(&text)).filter(|text| looks_like_email(text));
                address.ok_or(FieldFault::Key(PixKeyError::EmailShape))?
            }
            _ => text,
        };
        Ok(Some(text))
    }

    /// Returns the kind of Pix key that is selected in the form.
    fn chosen_kind(&self) -> Option<PixKeyKind> {
        let field = self.form.fields.iter().find(|field| field.kind == FieldKind::PixKeyKind)?;
        let id = match (self.typed)(field) {
            Some(FieldInput::Text(id)) => id,
            _ => field.default.as_deref()?,
        };
        PixKeyKind::ALL.into_iter().find(|kind| key_kind_id(*kind) == id)
    }

    fn key_kind(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let Some(kind) = self.chosen_kind() else { return Ok(None) };
        // If the form has no Pix key, leave out the optional field for the key's kind.
        if !field.required && !self.has_key() {
            return Ok(None);
        }
        field.key_word(kind).map(|word| Some(word.to_owned())).ok_or(FieldFault::NotAChoice)
    }

    fn has_key(&self) -> bool {
        let keys = self.form.fields.iter().filter(|field| field.kind == FieldKind::PixKey);
        keys.map(|field| self.typed_text(field)).any(|text| text.is_some())
    }

    fn pix_key(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<String>, FieldFault> {
        let Some(text) = self.typed_text(field) else { return Ok(None) };
        // A Pix key can be checked only if its kind is known.
        let kind = self.chosen_kind().ok_or(FieldFault::NotAChoice)?;
        let key = PixKey::parse(kind, &text).map_err(FieldFault::Key)?;
        field.check_text(key.as_str())?;
        let text = match kind {
            PixKeyKind::Phone => with_or_without_plus(key.as_str(), field.plus),
            _ => key.as_str().to_owned(),
        };
        if field.sent {
            body.destination = Some(key);
        }
        Ok(Some(text))
    }

    fn document_kind(&self, field: &FieldSpec) -> Result<Option<String>, FieldFault> {
        let documents = self.form.fields.iter().find(|field| field.kind == FieldKind::Document);
        let Some(text) = documents.and_then(|document| self.typed_text(document)) else {
            return Ok(None);
        };
        // Do not report an invalid document here, because the document field reports it.
        let Ok(document) = document(&text) else { return Ok(None) };
        let word = field.key_word(document.kind()).ok_or(FieldFault::NotAChoice)?;
        Ok(Some(word.to_owned()))
    }
}

impl Encoding {
    /// Detects the encoding of an existing body.
    ///
    /// A resend sends the stored bytes of the body, but the contract's encoding may have changed
    /// since.
    pub fn of(body: &str) -> Encoding {
        if form_pairs(body).is_some() { Encoding::Form } else { Encoding::Json }
    }

    /// Returns the value of the `Content-Type` header.
    pub fn content_type(self) -> &'static str {
        match self {
            Encoding::Json => "application/json",
            Encoding::Form => "application/x-www-form-urlencoded",
        }
    }

    fn written(self, tree: &Map<String, Value>) -> String {
        match self {
            Encoding::Json => serde_json::to_string(tree).expect("a tree of texts and numbers"),
            Encoding::Form => {
                let mut pairs = Vec::new();
                push_pairs(&mut pairs, tree, "");
                pairs.join("&")
            }
        }
    }

    /// Encodes the body for the screen, with hidden values masked. The mask is not percent-encoded.
    fn masked(self, tree: &Map<String, Value>) -> String {
        match self {
            Encoding::Json => self.written(tree),
            Encoding::Form => self.written(tree).replace(&encoded(MASKED), MASKED),
        }
    }
}

/// Inserts a value at its path, such as `customer/name`, and creates the objects on the way.
fn put(members: &mut Map<String, Value>, path: &str, sent: Value) {
    let Some((name, rest)) = path.split_once('/') else {
        members.insert(path.to_owned(), sent);
        return;
    };
    let inside = members.entry(name).or_insert_with(|| Map::new().into());
    if let Value::Object(inside) = inside {
        put(inside, rest, sent);
    }
}

/// Appends the pairs of a form; a nested value is named `outer[inner]`.
fn push_pairs(pairs: &mut Vec<String>, members: &Map<String, Value>, above: &str) {
    for (name, sent) in members {
        let name = if above.is_empty() { name.clone() } else { format!("{above}[{name}]") };
        let text = match sent {
            Value::Object(inside) => {
                push_pairs(pairs, inside, &name);
                continue;
            }
            Value::String(text) => encoded(text),
            other => encoded(&other.to_string()),
        };
        pairs.push(format!("{}={text}", encoded(&name)));
    }
}

fn encoded(text: &str) -> String {
    url::form_urlencoded::byte_serialize(text.as_bytes()).collect()
}

/// Parses a form into decoded pairs; `None` if the text is not a form.
///
/// A JSON text is never a valid form, because quotation marks and brackets in a form are
/// percent-encoded.
pub(super) fn form_pairs(text: &str) -> Option<Vec<(String, String)>> {
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=')?;
        Some((decoded(name)?, decoded(value)?)).filter(|(name, _)| !name.is_empty())
    };
    text.split('&').map(pair).collect()
}

fn decoded(text: &str) -> Option<String> {
    let byte = |(byte, is_encoded): (u8, bool)| match byte {
        b'+' if !is_encoded => Some(b' '),
        b'*' | b'-' | b'.' | b'_' => Some(byte),
        byte => (is_encoded || byte.is_ascii_alphanumeric()).then_some(byte),
    };
    let bytes = percent_decoded(text)?.into_iter().map(byte);
    String::from_utf8(bytes.collect::<Option<Vec<u8>>>()?).ok()
}

impl CreateLinkSpec {
    /// Returns the amount with its name, exactly as in the body; `None` if the amount has a
    /// fraction of a centavo.
    pub fn amount_sent(&self, amount: Money) -> Option<String> {
        Some(match self.call.encoding {
            Encoding::Json => format!("\"{}\": {}", self.amount, self.amounts.literal(amount)?),
            Encoding::Form => format!("{}={}", self.amount, self.amounts.wire(amount)?),
        })
    }

    /// Builds the request body for a payment link. If no domain is chosen, the body does not
    /// contain the domain.
    ///
    /// Returns `None` if the amount has a fraction of a centavo.
    pub fn body(&self, request: &LinkRequest) -> Option<String> {
        let domain = request.domain.as_ref().map(|domain| (&self.domain, domain.raw().into()));
        let members = [
            (&self.amount, self.amounts.value(request.amount)?),
            (&self.description, request.description.as_str().into()),
        ];
        let members = members.into_iter().chain(domain);
        Some(
            self.call.encoding.written(&members.map(|(name, sent)| (name.clone(), sent)).collect()),
        )
    }
}

impl WithdrawalSpec {
    /// Returns the idempotency key as text for the request body, without quotation marks, even if
    /// the header needs them.
    pub fn key_text(&self, key: IdempotencyKey) -> String {
        key.header(match self.key_format {
            KeyFormat::Quoted => KeyFormat::Plain,
            format => format,
        })
    }
}

impl FeePreviewSpec {
    /// Builds the body of a fee preview that is sent by `POST`; `None` if the amount has a fraction
    /// of a centavo.
    pub fn body(&self, amount: Money) -> Option<String> {
        let amount = (self.amount.clone(), self.amounts.value(amount)?);
        Some(self.call.encoding.written(&Map::from_iter([amount])))
    }
}

impl AmountFormat {
    /// Converts an amount to its JSON value; `None` if the amount has a fraction of a centavo.
    fn value(self, amount: Money) -> Option<Value> {
        let wire = self.wire(amount)?;
        if self.is_text() { Some(wire.into()) } else { wire.parse().ok().map(Value::Number) }
    }
}

/// Parses a CPF or a CNPJ, depending on the length of the text.
fn document(text: &str) -> Result<PixKey, PixKeyError> {
    let characters = text.chars().filter(|c| c.is_ascii_alphanumeric()).count();
    let kind = if characters > 11 { PixKeyKind::Cnpj } else { PixKeyKind::Cpf };
    PixKey::parse(kind, text)
}

fn with_or_without_plus(phone: &str, plus: bool) -> String {
    if plus { phone.to_owned() } else { phone.trim_start_matches('+').to_owned() }
}

/// Checks only for text on both sides of an `@`.
///
/// The service validates the address, and a login may accept addresses that are not valid Pix keys.
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
        for text in ["", "a", "a=1&", "=1", "{\"a\":1}", "a=%zz", "a=%e", "a=%+1", "a=é", "a=%ff"]
        {
            assert_eq!(form_pairs(text), None, "{text}");
        }
    }

    proptest! {
        #[test]
        fn every_value_comes_back(name in "[^/]{1,9}", value in ".{0,20}") {
            // Skip the name `z`: this test uses it for an object, and a name cannot be both a value
            // and an object.
            prop_assume!(name != "z");
            let mut tree = Map::new();
            put(&mut tree, &name, value.clone().into());
            put(&mut tree, &format!("z/{name}"), "p ä&=+".into());
            let text = Encoding::Form.written(&tree);
            prop_assert!(text.is_ascii());
            let inner = (format!("z[{name}]"), "p ä&=+".to_owned());
            prop_assert_eq!(form_pairs(&text), Some(vec![(name, value), inner]));
            prop_assert!(serde_json::from_str::<Value>(&text).is_err());
        }
    }
}
