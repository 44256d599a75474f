//! Declared fields: what a form asks for and a body carries.

use serde::Deserialize;

use super::amount_format::AmountFormat;
use super::body::BodySpec;
use super::operations::OperationLines;
use super::settings::{ContractError, Section};
use crate::trade::{Operation, PixKeyError, PixKeyKind};

/// The id of the field that carries the idempotency key in a body.
pub const KEY_FIELD: &str = "key_in_body";

/// One field of a body, as the contract declares it.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldSpec {
    /// Its id in the contract, by which the program knows it.
    pub id: String,
    /// Its name on the wire; `customer/name` is `name` inside `customer`.
    pub name: String,
    /// The kind of value it holds.
    pub kind: FieldKind,
    /// Its label in Portuguese.
    pub label_pt: String,
    /// Its label in English.
    pub label_en: String,
    /// True when it must be filled in.
    pub required: bool,
    /// The options, for the kinds that are a choice.
    pub choices: Vec<FieldOption>,
    /// The characters it may have, when not all.
    pub pattern: Option<Pattern>,
    /// The fewest characters.
    pub shortest: Option<u32>,
    /// The most characters.
    pub longest: Option<u32>,
    /// The value before anything is typed.
    pub default: Option<String>,
    /// True when a telephone number is sent with its plus.
    pub plus: bool,
    /// True when it is in the body; a key's kind is asked also where the service does not want it.
    pub sent: bool,
}

/// The kind of value that a field holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FieldKind {
    /// Free text.
    Text,
    /// An e-mail address.
    Email,
    /// A secret, which is never shown: a password, a client secret.
    Secret,
    /// An amount of money.
    Amount,
    /// The kind of the PIX key.
    PixKeyKind,
    /// A PIX key, of the kind chosen beside it.
    PixKey,
    /// One of a few words.
    Choice,
    /// A CPF or CNPJ of a person or company.
    Document,
    /// The word for what the document is; follows from it, never asked.
    DocumentKind,
    /// A telephone number.
    Phone,
    /// Always its default, never asked.
    Fixed,
    /// The idempotency key, never asked.
    #[serde(skip)]
    RequestKey,
}

/// One thing that can be chosen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldOption {
    /// The program's name for it (`cpf`), or the word itself.
    pub id: String,
    /// The word on the wire.
    pub word: String,
}

/// The characters a field may have, such as `0-9A-Za-z.-`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    text: String,
    ranges: Vec<(char, char)>,
}

/// A field whose input is wrong, and the fault.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct InvalidField {
    /// The field's id.
    pub field: String,
    /// The fault.
    pub fault: FieldFault,
}

/// The fault of a field; the seller can mend each of them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FieldFault {
    /// It must be filled in.
    Missing,
    /// It has fewer characters than it needs.
    TooShort {
        /// The number it needs.
        least: u32,
    },
    /// It has more characters than it may.
    TooLong {
        /// The number it may have.
        most: u32,
    },
    /// It has characters it may not have.
    Characters {
        /// Those it may have.
        allowed: String,
    },
    /// It has a line break or another character that cannot be typed on one line.
    ControlCharacter,
    /// It is not one of the choices.
    NotAChoice,
    /// The amount is not above zero.
    NotPositive,
    /// The amount is finer than a centavo.
    FinerThanCentavo,
    /// The PIX key, document, e-mail or telephone number is not well formed.
    Key(PixKeyError),
}

impl FieldSpec {
    /// A field that is optional, and labelled with its name.
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
            shortest: None,
            longest: None,
            default: None,
            plus: true,
            sent: true,
        }
    }

    /// Returns true when a form asks for it.
    pub fn is_asked(&self) -> bool {
        !matches!(self.kind, FieldKind::Fixed | FieldKind::DocumentKind | FieldKind::RequestKey)
    }

    /// The word on the wire of a kind of PIX key; `None` when the contract has none for it.
    pub fn key_word(&self, kind: PixKeyKind) -> Option<&str> {
        let id = key_kind_id(kind);
        self.choices.iter().find(|choice| choice.id == id).map(|choice| choice.word.as_str())
    }

    /// The kinds of PIX keys that this field has words for.
    pub fn key_kinds(&self) -> Vec<PixKeyKind> {
        PixKeyKind::ALL.into_iter().filter(|kind| self.key_word(*kind).is_some()).collect()
    }

    /// Checks the length and characters of a text that is not empty.
    pub(super) fn check_text(&self, text: &str) -> Result<(), FieldFault> {
        if text.chars().any(char::is_control) {
            return Err(FieldFault::ControlCharacter);
        }
        let count = u32::try_from(text.chars().count()).unwrap_or(u32::MAX);
        if let Some(least) = self.shortest.filter(|least| count < *least) {
            return Err(FieldFault::TooShort { least });
        }
        if let Some(most) = self.longest.filter(|most| count > *most) {
            return Err(FieldFault::TooLong { most });
        }
        match &self.pattern {
            Some(pattern) if !text.chars().all(|c| pattern.allows(c)) => {
                Err(FieldFault::Characters { allowed: pattern.text.clone() })
            }
            _ => Ok(()),
        }
    }
}

impl Pattern {
    /// Reads `0-9a-f.`: characters and ranges of them; a dash at an end is itself.
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
        (!ranges.is_empty()).then(|| Pattern { text: text.to_owned(), ranges })
    }

    fn allows(&self, c: char) -> bool {
        self.ranges.iter().any(|(first, last)| (*first..=*last).contains(&c))
    }
}

/// The contract's name for a kind of PIX key.
pub fn key_kind_id(kind: PixKeyKind) -> &'static str {
    match kind {
        PixKeyKind::Cpf => "cpf",
        PixKeyKind::Cnpj => "cnpj",
        PixKeyKind::Phone => "phone",
        PixKeyKind::Email => "email",
        PixKeyKind::Random => "random",
    }
}

impl OperationLines<'_> {
    /// The fields the body names, in its order. Others may be declared and wait.
    pub(super) fn form(&self, amounts: AmountFormat) -> Result<BodySpec, ContractError> {
        let field = |id: &String| field(&self.lines.section(&format!("field.{id}")), id);
        self.lines.ids("field").iter().try_for_each(|id| field(id).map(drop))?;
        let ids = self.lines.texts("body")?;
        let fields = ids.iter().map(field).collect::<Result<Vec<_>, _>>()?;
        for (i, field) in fields.iter().enumerate() {
            if fields[..i].iter().any(|other| collide(&field.name, &other.name)) {
                let wanted = format!("each name once; `{}` is there twice", field.name);
                return self.lines.takes("body", &wanted);
            }
        }
        let has = |kind| fields.iter().any(|field| field.kind == kind);
        let mut secrets = fields.iter().filter(|field| field.kind == FieldKind::Secret);
        match self.operation {
            // What is typed into any other field is seen on the screen.
            Operation::Login if !secrets.any(|field| field.sent) => {
                return self.lines.takes("body", "a field of kind `secret`, for the password");
            }
            Operation::Login => {}
            // Other bodies are kept, and shown; a secret in them would be too.
            _ if has(FieldKind::Secret) => {
                return self.lines.takes("body", "secrets only in the login");
            }
            _ => {}
        }
        if has(FieldKind::PixKey) && !has(FieldKind::PixKeyKind) {
            let wanted = "a key's kind beside the key; `sent = false` keeps it out of the body";
            return self.lines.takes("body", wanted);
        }
        if has(FieldKind::DocumentKind) && !has(FieldKind::Document) {
            return self.lines.takes("body", "a document beside the document's kind");
        }
        Ok(BodySpec { fields, encoding: self.encoding()?, amounts, identity: None })
    }

    /// The field that carries the idempotency key in the body, if the contract wants one.
    pub(super) fn key_field(&self, form: &BodySpec) -> Result<Option<FieldSpec>, ContractError> {
        let pointer: String = self.lines.get("key_in_body")?;
        if pointer.is_empty() {
            return Ok(None);
        }
        let name = pointer.strip_prefix('/').filter(|name| !name.contains('~'));
        let Some(name) = name.filter(|name| !name.split('/').any(str::is_empty)) else {
            return self.lines.takes("key_in_body", "a JSON Pointer to a member, such as `/id`");
        };
        if let Some(other) = form.fields.iter().find(|other| collide(name, &other.name)) {
            let wanted = format!("a member of its own; `{}` is a field of the body", other.name);
            return self.lines.takes("key_in_body", &wanted);
        }
        let field = FieldSpec::new(KEY_FIELD, name, FieldKind::RequestKey);
        Ok(Some(FieldSpec { required: true, ..field }))
    }
}

/// Reads a field from its lines.
fn field(lines: &Section<'_>, id: &str) -> Result<FieldSpec, ContractError> {
    let (name, kind) = (lines.get::<String>("name")?, lines.get("kind")?);
    if name.split('/').any(str::is_empty) {
        return lines.takes("name", "a name, or names with `/` between");
    }
    let pattern = match lines.get_if_any::<String>("pattern")? {
        None => None,
        Some(text) => match Pattern::parse(&text) {
            None => return lines.takes("pattern", "characters and ranges, such as `0-9A-F`"),
            pattern => pattern,
        },
    };
    let label_en = lines.get_if_any("label.en")?.unwrap_or_else(|| name.clone());
    let label_pt = lines.get_if_any("label.pt-BR")?;
    let field = FieldSpec {
        label_pt: label_pt.unwrap_or_else(|| label_en.clone()),
        label_en,
        required: lines.get_if_any("required")?.unwrap_or(false),
        choices: choices(lines, kind)?,
        pattern,
        shortest: lines.get_if_any("shortest")?,
        longest: lines.get_if_any("longest")?,
        default: lines.get_if_any("default")?,
        plus: lines.get_if_any("plus")?.unwrap_or(true),
        sent: lines.get_if_any("sent")?.unwrap_or(true),
        ..FieldSpec::new(id, &name, kind)
    };
    match kind {
        FieldKind::Fixed if field.default.is_none() => lines.lacks("kind", "default"),
        FieldKind::Choice if field.choices.is_empty() => lines.lacks("kind", "choices"),
        _ => Ok(field),
    }
}

fn choices(lines: &Section<'_>, kind: FieldKind) -> Result<Vec<FieldOption>, ContractError> {
    if !matches!(kind, FieldKind::PixKeyKind | FieldKind::DocumentKind) {
        let words = lines.texts("choices")?.iter();
        return Ok(words
            .map(|word| FieldOption { id: word.clone(), word: word.clone() })
            .collect());
    }
    let mut choices = Vec::new();
    for id in PixKeyKind::ALL.map(key_kind_id) {
        let word = lines.get_if_any(&["words.", id].concat())?;
        choices.extend(word.map(|word| FieldOption { id: id.to_owned(), word }));
    }
    Ok(choices)
}

/// Returns true when two names cannot be in one body: equal, or one inside a value of the other.
fn collide(one: &str, other: &str) -> bool {
    let inside = |outer: &str, inner: &str| {
        inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    one == other || inside(one, other) || inside(other, one)
}
