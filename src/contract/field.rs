//! The fields that an API contract declares: inputs of a form and members of a request body.
//!
//! A field is declared by settings such as `withdrawal.field.key.kind`. This file reads these
//! settings and checks typed text; `body.rs` builds the body.

use serde::Deserialize;

use super::amount_format::AmountFormat;
use super::body::BodySpec;
use super::field_names::{NameFault, payment_text_fault};
use super::operations::OperationSettings;
use super::settings::{ContractError, Section};
use crate::trade::{Operation, PixKeyError, PixKeyKind};

/// The id of the body field that contains the idempotency key.
pub const KEY_FIELD: &str = "key_in_body";

/// A field of a request body, as the API contract declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldSpec {
    /// The id of the field in the API contract, such as `key` in `withdrawal.field.key.kind`.
    pub id: String,
    /// The name in the request body. `customer/name` means `name` inside the object `customer`.
    pub name: String,
    /// The kind of value, such as an amount or a Pix key.
    pub kind: FieldKind,
    /// The label of the input in Portuguese.
    pub label_pt: String,
    /// The label of the input in English.
    pub label_en: String,
    /// True if the field must have a value.
    pub required: bool,
    /// The possible values of a field that offers a choice, such as the kinds of Pix key.
    pub choices: Vec<FieldOption>,
    /// The characters that are allowed, or `None` if all are.
    pub pattern: Option<Pattern>,
    /// The minimum length of the text, in characters.
    pub min_length: Option<u32>,
    /// The maximum length of the text, in characters.
    pub max_length: Option<u32>,
    /// The initial value of the input, or the constant of a [`Fixed`](FieldKind::Fixed) field.
    pub default: Option<String>,
    /// True if a phone number is sent with the `+` before its country code.
    pub plus: bool,
    /// True if the text may be neither a Pix key nor an amount. A withdrawal has other fields for
    /// these.
    pub refuses_payment: bool,
    /// True if the request body contains the field. The form may need a field that is not sent: for
    /// example, the kind of a Pix key, to check the key.
    pub sent: bool,
}

/// The kind of a field. It decides how the value is entered and checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// Free text.
    Text,
    /// An e-mail address.
    Email,
    /// A password or another secret; never shown.
    Secret,
    /// An amount of money.
    Amount,
    /// The kind of a Pix key, chosen by the user.
    PixKeyKind,
    /// A Pix key of the kind chosen in the [`PixKeyKind`](FieldKind::PixKeyKind) field.
    PixKey,
    /// A choice among the declared options.
    Choice,
    /// A CPF or a CNPJ: the tax number of a person or a company.
    Document,
    /// The word for the type of document, CPF or CNPJ. It is derived from the document, so the form
    /// does not show the field.
    DocumentKind,
    /// A phone number.
    Phone,
    /// A constant, taken from `default`. The form does not show the field.
    Fixed,
    /// The idempotency key. The form does not show the field.
    #[serde(skip)]
    RequestKey,
}

/// An option of a field, such as one kind of Pix key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldOption {
    /// The id that the program uses, such as `cpf`. In a field of kind `choice`, the id equals the
    /// word.
    pub id: String,
    /// The word for this option in the request body.
    pub word: String,
}

/// A set of allowed characters, such as `0-9A-Za-z.-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    ranges: Vec<(char, char)>,
}

/// A form field with invalid input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidField {
    /// The id of the field.
    pub field: String,
    /// The reason why the input is invalid.
    pub fault: FieldFault,
}

/// The reason why the input of a field is invalid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldFault {
    /// A required field is empty.
    Missing,
    /// The text has fewer characters than the minimum.
    TooShort {
        /// The minimum number of characters.
        least: u32,
    },
    /// The text has more characters than the maximum.
    TooLong {
        /// The maximum number of characters.
        most: u32,
    },
    /// The text contains characters that are not allowed.
    Characters {
        /// The allowed characters, as the API contract declares them.
        allowed: String,
    },
    /// The text contains a line break or another control character.
    ControlCharacter,
    /// The value is not one of the options.
    NotAChoice,
    /// The amount is zero or negative.
    NotPositive,
    /// The amount has a fraction of a centavo.
    FinerThanCentavo,
    /// The Pix key, document, e-mail address or phone number is not well formed.
    Key(PixKeyError),
    /// The text is a Pix key or an amount, but the field is for something else.
    OtherPayment(NameFault),
}

impl FieldSpec {
    /// Creates an optional field whose label is its name.
    pub(super) fn new(id: &str, name: &str, kind: FieldKind) -> FieldSpec {
        FieldSpec {
            id: id.to_owned(),
            name: name.to_owned(),
            kind,
            label_pt: name.to_owned(),
            label_en: name.to_owned(),
            required: false,
            choices: vec![],
            pattern: None,
            min_length: None,
            max_length: None,
            default: None,
            plus: true,
            refuses_payment: false,
            sent: true,
        }
    }

    /// True if a form shows this field as an input.
    pub fn is_input(&self) -> bool {
        !matches!(
            self.kind,
            FieldKind::Fixed | FieldKind::DocumentKind | FieldKind::RequestKey
        )
    }

    /// The word that the API contract declares for a kind of Pix key, if any.
    pub fn key_word(&self, kind: PixKeyKind) -> Option<&str> {
        let id = key_kind_id(kind);
        self.choices
            .iter()
            .find(|choice| choice.id == id)
            .map(|choice| choice.word.as_str())
    }

    /// The kinds of Pix key for which the API contract declares a word.
    pub fn key_kinds(&self) -> Vec<PixKeyKind> {
        PixKeyKind::ALL
            .into_iter()
            .filter(|kind| self.key_word(*kind).is_some())
            .collect()
    }

    /// A text that the field accepts, as an example. It has at most 200 characters.
    pub fn example(&self) -> String {
        match (self.kind, self.choices.first(), &self.pattern) {
            (FieldKind::Email, ..) => "a@b.co".to_owned(),
            (FieldKind::Document, ..) => "529.982.247-25".to_owned(),
            (FieldKind::Phone, ..) => "+5511999999999".to_owned(),
            (_, Some(choice), _) => choice.id.clone(),
            (_, None, pattern) => {
                let first = pattern.iter().flat_map(|pattern| &pattern.ranges).next();
                let is_allowed = pattern
                    .as_ref()
                    .is_none_or(|pattern| "any".chars().all(|c| pattern.allows(c)));
                let letters = match first {
                    Some((letter, _)) if !is_allowed => letter.to_string(),
                    _ => "any".to_owned(),
                };
                let length = self.min_length.unwrap_or(3).max(3);
                let length = length.min(self.max_length.unwrap_or(length)).min(200);
                letters.chars().cycle().take(length as usize).collect()
            }
        }
    }

    /// Checks the characters and the length of a nonempty text.
    pub(super) fn check_text(&self, text: &str) -> Result<(), FieldFault> {
        if text.chars().any(char::is_control) {
            return Err(FieldFault::ControlCharacter);
        }
        let count = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        if let Some(least) = self.min_length.filter(|least| count < *least) {
            return Err(FieldFault::TooShort { least });
        }
        if let Some(most) = self.max_length.filter(|most| count > *most) {
            return Err(FieldFault::TooLong { most });
        }
        if let Some(pattern) = &self.pattern
            && !text.chars().all(|c| pattern.allows(c))
        {
            return Err(FieldFault::Characters {
                allowed: pattern.text.clone(),
            });
        }
        let fault = self
            .refuses_payment
            .then(|| payment_text_fault(text))
            .flatten();
        fault.map_or(Ok(()), |fault| Err(FieldFault::OtherPayment(fault)))
    }
}

impl Pattern {
    /// Parses allowed characters and ranges such as `0-9a-f.`. A dash at the start or the end is an
    /// ordinary character.
    pub(super) fn parse(text: &str) -> Option<Pattern> {
        let characters: Vec<char> = text.chars().collect();
        let mut ranges = Vec::new();
        let mut rest = characters.as_slice();
        while let [first, after @ ..] = rest {
            let (last, after) = match after {
                ['-', last, after @ ..] => (last, after),
                _ => (first, after),
            };
            if last < first {
                return None;
            }
            ranges.push((*first, *last));
            rest = after;
        }
        (!ranges.is_empty()).then(|| Pattern {
            text: text.to_owned(),
            ranges,
        })
    }

    fn allows(&self, c: char) -> bool {
        self.ranges
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&c))
    }
}

/// The id that an API contract uses for this kind of Pix key, such as `cpf`.
pub fn key_kind_id(kind: PixKeyKind) -> &'static str {
    match kind {
        PixKeyKind::Cpf => "cpf",
        PixKeyKind::Cnpj => "cnpj",
        PixKeyKind::Phone => "phone",
        PixKeyKind::Email => "email",
        PixKeyKind::Random => "random",
    }
}

impl OperationSettings<'_> {
    /// Reads the fields that the setting `body` of the API contract lists, in that order.
    ///
    /// Declared fields that are not in `body` are checked but not returned.
    pub(super) fn form(&self, amounts: AmountFormat) -> Result<BodySpec, ContractError> {
        let read = |id: &String| read_field(&self.section.section(&format!("field.{id}")), id);
        self.section
            .ids_after("field")
            .iter()
            .try_for_each(|id| read(id).map(drop))?;
        let ids = self.section.texts("body")?;
        let mut fields = ids.iter().map(read).collect::<Result<Vec<_>, _>>()?;
        if self.operation == Operation::Withdrawal {
            // A description is for people, so it may contain anything.
            for field in fields.iter_mut().filter(|field| field.id != "description") {
                field.refuses_payment = field.kind == FieldKind::Text;
            }
        }
        for (i, field) in fields.iter().enumerate() {
            if fields[..i]
                .iter()
                .any(|other| names_collide(&field.name, &other.name))
            {
                let expected = format!("each name once; `{}` is there twice", field.name);
                return self.section.invalid_value("body", &expected);
            }
        }
        let has = |kind| fields.iter().any(|field| field.kind == kind);
        let mut secrets = fields
            .iter()
            .filter(|field| field.kind == FieldKind::Secret);
        match self.operation {
            // A login needs a field of kind `secret`: in a field of another kind the password would
            // be visible while it is typed.
            Operation::Login if !secrets.any(|field| field.sent) => {
                return self
                    .section
                    .invalid_value("body", "a field of kind `secret`, for the password");
            }
            Operation::Login => {}
            // Reject secrets in all other operations, because their bodies are stored and shown on
            // the screen.
            _ if has(FieldKind::Secret) => {
                return self
                    .section
                    .invalid_value("body", "secrets only in the login");
            }
            _ => {}
        }
        if has(FieldKind::PixKey) && !has(FieldKind::PixKeyKind) {
            let expected = "a key's kind beside the key; `sent = false` keeps it out of the body";
            return self.section.invalid_value("body", expected);
        }
        if has(FieldKind::DocumentKind) && !has(FieldKind::Document) {
            return self
                .section
                .invalid_value("body", "a document beside the document's kind");
        }
        Ok(BodySpec {
            fields,
            encoding: self.encoding()?,
            amounts,
            identity: None,
        })
    }

    /// The field for the idempotency key, or `None` if the API contract does not put that key into
    /// the request body.
    pub(super) fn key_field(&self, form: &BodySpec) -> Result<Option<FieldSpec>, ContractError> {
        let pointer: String = self.section.get("key_in_body")?;
        if pointer.is_empty() {
            return Ok(None);
        }
        let name = pointer.strip_prefix('/').filter(|name| !name.contains('~'));
        let Some(name) = name.filter(|name| !name.split('/').any(str::is_empty)) else {
            return self
                .section
                .invalid_value("key_in_body", "a JSON Pointer to a member, such as `/id`");
        };
        if let Some(other) = form
            .fields
            .iter()
            .find(|other| names_collide(name, &other.name))
        {
            let expected = format!(
                "a member of its own; `{}` is a field of the body",
                other.name
            );
            return self.section.invalid_value("key_in_body", &expected);
        }
        let field = FieldSpec::new(KEY_FIELD, name, FieldKind::RequestKey);
        Ok(Some(FieldSpec {
            required: true,
            ..field
        }))
    }
}

fn read_field(section: &Section<'_>, id: &str) -> Result<FieldSpec, ContractError> {
    let name = section.get::<String>("name")?;
    let kind = section.get("kind")?;
    if name.split('/').any(str::is_empty) {
        return section.invalid_value("name", "a name, or names with `/` between");
    }
    let pattern = match section.get_optional::<String>("pattern")? {
        None => None,
        Some(text) => match Pattern::parse(&text) {
            None => {
                return section.invalid_value("pattern", "characters and ranges, such as `0-9A-F`");
            }
            pattern => pattern,
        },
    };
    let label_en = section
        .get_optional("label.en")?
        .unwrap_or_else(|| name.clone());
    let label_pt = section.get_optional("label.pt-BR")?;
    let field = FieldSpec {
        label_pt: label_pt.unwrap_or_else(|| label_en.clone()),
        label_en,
        required: section.get_optional("required")?.unwrap_or(false),
        choices: read_choices(section, kind)?,
        pattern,
        min_length: section.get_optional("shortest")?,
        max_length: section.get_optional("longest")?,
        default: section.get_optional("default")?,
        plus: section.get_optional("plus")?.unwrap_or(true),
        sent: section.get_optional("sent")?.unwrap_or(true),
        ..FieldSpec::new(id, &name, kind)
    };
    match kind {
        FieldKind::Fixed if field.default.is_none() => section.missing_setting("kind", "default"),
        FieldKind::Choice if field.choices.is_empty() => section.missing_setting("kind", "choices"),
        _ => Ok(field),
    }
}

fn read_choices(section: &Section<'_>, kind: FieldKind) -> Result<Vec<FieldOption>, ContractError> {
    if !matches!(kind, FieldKind::PixKeyKind | FieldKind::DocumentKind) {
        let words = section.texts("choices")?.iter();
        return Ok(words
            .map(|word| FieldOption {
                id: word.clone(),
                word: word.clone(),
            })
            .collect());
    }
    let mut choices = Vec::new();
    for id in PixKeyKind::ALL.map(key_kind_id) {
        let key = ["words.", id].concat();
        let word: Option<String> = section.get_optional(&key)?;
        // An empty word means that the service does not accept this kind.
        let Some(word) = word.filter(|word| !word.is_empty()) else {
            continue;
        };
        let is_ambiguous = choices.iter().any(|other: &FieldOption| {
            other.word.eq_ignore_ascii_case(&word) && (&*other.id, id) != ("cpf", "cnpj")
        });
        if is_ambiguous {
            let expected = "a word of its own: only CPF and CNPJ may share one";
            return section.invalid_value(&key, expected);
        }
        choices.push(FieldOption {
            id: id.to_owned(),
            word,
        });
    }
    Ok(choices)
}

/// True if two names cannot be in the same body. Either they are equal, or one is an object that
/// contains the other, such as `a` and `a/b`.
pub(super) fn names_collide(one: &str, other: &str) -> bool {
    one == other || is_inside(other, one) || is_inside(one, other)
}

fn is_inside(inner: &str, outer: &str) -> bool {
    inner
        .strip_prefix(outer)
        .is_some_and(|rest| rest.starts_with('/'))
}
