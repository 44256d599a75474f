//! Bodies: the exact bytes of a request, from declared fields and what was typed into them.
//!
//! Errors are reported field by field; a valid body becomes JSON text, or a form.

use serde::Deserialize;

use super::field::{FieldFault, FieldKind, FieldSpec, InvalidField, key_kind_id};
use super::form_text::{form_pairs, form_text};
use super::json_text::{JsonMember, Sent, put, written};
use super::{AmountFormat, CreateLinkSpec, FeePreviewSpec, WithdrawalSpec};
use crate::trade::{
    IdempotencyKey, KeyFormat, LinkRequest, Money, PixKey, PixKeyError, PixKeyKind, Secret,
    as_typed,
};

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
        let mut tree: Vec<JsonMember<'t>> = Vec::new();
        // A login's other fields are masked whatever their kind: a contract file chooses the kind.
        let mut masked = self.identity.as_ref().map(|_| Vec::new());
        let mut errors = Vec::new();
        for field in &self.fields {
            match context.read(field, &mut body) {
                Ok(Some(sent)) if field.sent => {
                    let path: Vec<&str> = field.name.split('/').collect();
                    if let Some(masked) = &mut masked {
                        put(masked, &path, self.as_shown(field, &sent));
                    }
                    put(&mut tree, &path, sent);
                }
                Ok(_) => {}
                Err(fault) => errors.push(InvalidField { field: field.id.clone(), fault }),
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        body.text = self.encoding.written(&tree);
        body.masked = match masked {
            Some(masked) => self.encoding.written(&masked).to_string(),
            None => body.text.to_string(),
        };
        Ok(body)
    }

    /// Returns true if this field may be shown where requests are looked at.
    fn is_shown(&self, field: &FieldSpec) -> bool {
        self.identity.as_ref().is_none_or(|identity| *identity == field.id)
    }

    fn as_shown<'t>(&self, field: &FieldSpec, sent: &Sent<'_>) -> Sent<'t> {
        match sent {
            Sent::Text(text) if self.is_shown(field) => Sent::Text(text.clone()),
            _ => Sent::Masked,
        }
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

struct BodyContext<'f, F> {
    form: &'f BodySpec,
    typed: &'f F,
}

impl<'t, F: Fn(&FieldSpec) -> Option<FieldInput<'t>>> BodyContext<'_, F> {
    /// Returns the value that this field sends; `None` when it is optional and empty.
    fn read(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<Sent<'t>>, FieldFault> {
        let sent = match field.kind {
            FieldKind::Amount => self.amount(field, body)?,
            FieldKind::Secret => self.secret(field)?,
            FieldKind::Fixed => field.default.clone().map(Sent::Text),
            FieldKind::PixKeyKind => self.key_kind(field)?.map(Sent::Text),
            FieldKind::PixKey => self.pix_key(field, body)?.map(Sent::Text),
            FieldKind::DocumentKind => self.document_kind(field)?.map(Sent::Text),
            _ => self.text(field)?.map(Sent::Text),
        };
        if sent.is_none() && field.required {
            return Err(FieldFault::Missing);
        }
        match &sent {
            Some(Sent::Text(text) | Sent::Number(text)) if self.form.is_shown(field) => {
                body.said.push((field.id.clone(), text.clone()));
            }
            Some(Sent::Text(text) | Sent::Number(text)) => {
                body.secrets.push(Secret::new(text.clone()));
            }
            Some(Sent::Secret(secret)) => body.secrets.push(secret.duplicate()),
            Some(Sent::Masked | Sent::Object(_)) | None => {}
        }
        Ok(sent)
    }

    fn amount(&self, field: &FieldSpec, body: &mut Body) -> Result<Option<Sent<'t>>, FieldFault> {
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

    fn secret(&self, field: &FieldSpec) -> Result<Option<Sent<'t>>, FieldFault> {
        match (self.typed)(field) {
            Some(FieldInput::Secret(secret)) if !secret.is_empty() => {
                field.check_text(secret.expose())?;
                Ok(Some(Sent::Secret(secret)))
            }
            _ => Ok(None),
        }
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

    fn written(self, tree: &[JsonMember<'_>]) -> String {
        match self {
            Encoding::Json => written(tree),
            Encoding::Form => form_text(tree),
        }
    }
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
        let amount = self.amounts.value(request.amount)?;
        let mut tree = Vec::new();
        put(&mut tree, &[&self.amount], amount);
        put(&mut tree, &[&self.description], Sent::Text(request.description.clone()));
        if let Some(domain) = &request.domain {
            put(&mut tree, &[&self.domain], Sent::Text(domain.raw().to_owned()));
        }
        Some(self.call.encoding.written(&tree).to_string())
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
        let mut tree = Vec::new();
        put(&mut tree, &[&self.amount], self.amounts.value(amount)?);
        Some(self.call.encoding.written(&tree).to_string())
    }
}

impl AmountFormat {
    /// The amount as it is put into a body; `None` when it is finer than a centavo.
    fn value<'t>(self, amount: Money) -> Option<Sent<'t>> {
        let wire = self.wire(amount)?;
        Some(if self.is_text() { Sent::Text(wire) } else { Sent::Number(wire) })
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
