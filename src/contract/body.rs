//! Bodies: the exact bytes of a request, from declared fields and what was typed into them.
//!
//! Errors are reported field by field; a valid body becomes JSON text, or a form.

use serde::Deserialize;
use serde_json::{Map, Value};

use super::field::{FieldFault, FieldKind, FieldSpec, InvalidField, key_kind_id};
use super::headers::percent_decoded;
use super::{AmountFormat, CreateLinkSpec, FeePreviewSpec, WithdrawalSpec};
use crate::trade::{
    IdempotencyKey, KeyFormat, LinkRequest, Money, PixKey, PixKeyError, PixKeyKind, Secret,
    as_typed,
};

/// The mark in the place of a value that is not shown; no body that is sent has one.
pub(super) const MASKED: &str = "…";

/// The fields of a body, in their order.
#[derive(Debug, Clone, PartialEq)]
pub struct BodySpec {
    /// The fields.
    pub fields: Vec<FieldSpec>,
    /// The way it is written.
    pub encoding: Encoding,
    /// The way amounts are written in it, and in what it is answered with.
    pub amounts: AmountFormat,
    /// The id of the one field that may be shown, in a login; `None` where every field may be.
    pub identity: Option<String>,
}

/// The way a body is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// JSON.
    Json,
    /// A form: `application/x-www-form-urlencoded`.
    Form,
}

/// The input of one field, typed or chosen.
#[derive(Debug, Clone, Copy)]
pub enum FieldInput<'a> {
    /// Text, or the id of a choice.
    Text(&'a str),
    /// An amount.
    Amount(Money),
    /// A secret, which is never shown.
    Secret(&'a Secret),
}

/// A body that can be sent, and what it says in the trade's own words.
#[derive(Default)]
pub struct Body {
    text: String,
    /// The first amount in it, if it has one.
    pub amount: Option<Money>,
    /// The PIX key in it, if it has one.
    pub destination: Option<PixKey>,
    said: Vec<(String, String)>,
    masked: String,
    secrets: Vec<Secret>,
}

impl BodySpec {
    /// The field with this id.
    pub fn field(&self, id: &str) -> Option<&FieldSpec> {
        self.fields.iter().find(|field| field.id == id)
    }

    /// The body for what was typed, or everything that is wrong with it.
    ///
    /// An optional field that is empty is absent from the body.
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

    /// Returns true if this field may be shown where requests are looked at.
    ///
    /// A login's other fields are masked whatever their kind: a contract file chooses the kind.
    fn is_shown(&self, field: &FieldSpec) -> bool {
        self.identity.as_ref().is_none_or(|identity| *identity == field.id)
    }
}

impl Body {
    /// The text, byte for byte as it is sent.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as it may be looked at, a mark in the place of all that a login does not show.
    pub fn masked(&self) -> &str {
        &self.masked
    }

    /// What is masked in it, so that it is masked also where a reply says it back.
    pub fn secrets(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(Secret::expose)
    }

    /// Returns the value of a field that may be shown, in the form in which it is sent.
    pub fn said(&self, field: &str) -> Option<&str> {
        self.said.iter().find(|(id, _)| id == field).map(|(_, text)| text.as_str())
    }
}

struct BodyContext<'f, 't> {
    form: &'f BodySpec,
    typed: &'f dyn Fn(&FieldSpec) -> Option<FieldInput<'t>>,
}

impl BodyContext<'_, '_> {
    /// Returns the value that this field sends; `None` when it is optional and empty.
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

    /// The text typed into a field, or its default, trimmed; `None` when that is nothing.
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

    /// The kind that is chosen anywhere in the form.
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
        // A kind without a key would be half a destination.
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
        // Without its kind the key cannot be read; that error stands at the kind if it is required.
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
        // A document that cannot be read is an error at its own field, once.
        let Ok(document) = document(&text) else { return Ok(None) };
        let word = field.key_word(document.kind()).ok_or(FieldFault::NotAChoice)?;
        Ok(Some(word.to_owned()))
    }
}

impl Encoding {
    /// Returns the way in which these bytes are written: what was agreed is sent as it was, also
    /// where the contract wants another way by now.
    pub fn of(body: &str) -> Encoding {
        if form_pairs(body).is_some() { Encoding::Form } else { Encoding::Json }
    }

    /// The content type of such a body.
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

    /// The same as it may be looked at: the mark is for eyes, and not encoded.
    fn masked(self, tree: &Map<String, Value>) -> String {
        match self {
            Encoding::Json => self.written(tree),
            Encoding::Form => self.written(tree).replace(&encoded(MASKED), MASKED),
        }
    }
}

/// Puts a value at its path; an object stands where its first member was declared.
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

/// Adds the pairs of a form: a value inside another one is `outer[inner]`, as gateways read it.
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

/// The pairs of a form, decoded; `None` for a text that is none.
///
/// JSON is never one: it has quotation marks or brackets, which a form has encoded.
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
    /// The amount exactly as it goes into the body, with its name.
    pub fn amount_sent(&self, amount: Money) -> Option<String> {
        Some(match self.call.encoding {
            Encoding::Json => format!("\"{}\": {}", self.amount, self.amounts.literal(amount)?),
            Encoding::Form => format!("{}={}", self.amount, self.amounts.wire(amount)?),
        })
    }

    /// The body that asks for a link; without a named domain `checkoutDomain` is absent.
    ///
    /// `None` when the amount is finer than a centavo.
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
    /// The key as a body carries it: without the quotation marks that a header may want.
    pub fn key_text(&self, key: IdempotencyKey) -> String {
        key.header(match self.key_format {
            KeyFormat::Quoted => KeyFormat::Plain,
            format => format,
        })
    }
}

impl FeePreviewSpec {
    /// The body that asks for a preview by POST; `None` when it is finer than a centavo.
    pub fn body(&self, amount: Money) -> Option<String> {
        let amount = (self.amount.clone(), self.amounts.value(amount)?);
        Some(self.call.encoding.written(&Map::from_iter([amount])))
    }
}

impl AmountFormat {
    /// The amount as it is put into a body; `None` when it is finer than a centavo.
    fn value(self, amount: Money) -> Option<Value> {
        let wire = self.wire(amount)?;
        if self.is_text() { Some(wire.into()) } else { wire.parse().ok().map(Value::Number) }
    }
}

/// A CPF or a CNPJ: their lengths differ, and nothing is guessed.
fn document(text: &str) -> Result<PixKey, PixKeyError> {
    let characters = text.chars().filter(|c| c.is_ascii_alphanumeric()).count();
    let kind = if characters > 11 { PixKeyKind::Cnpj } else { PixKeyKind::Cpf };
    PixKey::parse(kind, text)
}

fn with_or_without_plus(phone: &str, plus: bool) -> String {
    if plus { phone.to_owned() } else { phone.trim_start_matches('+').to_owned() }
}

/// Loose on purpose: the service decides, and an identity may have letters a PIX key cannot.
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
            // A member is a value or holds others: no contract has both under one name.
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
