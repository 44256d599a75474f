//! The form that edits one setting of the API contract about a request, or one field of the request
//! body.

use crate::app::ui::form::{Choice, Entry, Field, Form, Label};
use crate::contract::{
    Contract, FieldKind, FieldUse, SentLine, SettingValue, TaughtField, TaughtLine,
};
use crate::trade::{Operation, Untrusted};
use crate::words::Lang;

/// The maximum length of the text in a field, in characters.
const LONGEST: usize = 200;

/// The names of the form fields for headers. At most four headers can be edited.
const HEADERS: [&str; 4] = ["1", "2", "3", "4"];

/// The ways to use a field of the request body, such as always asking for its value, in the order
/// offered by the form.
const USES: [(FieldUse, &str); 4] = [
    (FieldUse::Asked, "teach-use-asked"),
    (FieldUse::Optional, "teach-use-optional"),
    (FieldUse::Fixed, "teach-use-fixed"),
    (FieldUse::Absent, "teach-use-absent"),
];

/// The operations whose requests or replies contain an amount.
const WITH_AMOUNTS: [Operation; 4] =
    [Operation::CreateLink, Operation::DirectPayment, Operation::FeePreview, Operation::Withdrawal];

/// The choice that applies an amount format to all operations.
const EVERYWHERE: &str = "teach-amounts-everywhere";

#[derive(Debug, Clone)]
pub struct LineForm {
    pub form: Form,
    /// The setting of the API contract that is edited; `None` for a new field of the request body.
    pub line: Option<SentLine>,
    /// The error with which the API contract rejected the change.
    pub refused: Option<Untrusted>,
}

impl LineForm {
    /// Creates the form for a setting of the API contract, prefilled with its current values.
    pub fn of(contract: &Contract, operation: Operation, line: &SentLine, lang: Lang) -> LineForm {
        let fields = match line {
            SentLine::Setting { name, words } if !words.is_empty() => {
                vec![word(contract, name, words)]
            }
            SentLine::Setting { name, .. } => match contract.value(name) {
                Some(SettingValue::Texts(now)) => headers(now),
                _ => {
                    let now = texts(contract, name).join(", ");
                    vec![text("value", Label::Word(line_word(line)), &now)]
                }
            },
            SentLine::Amounts => amounts(contract, operation),
            SentLine::Field(id) => of_field(contract, operation, id, lang),
        };
        LineForm { form: Form::new(fields), line: Some(line.clone()), refused: None }
    }

    /// Creates the form for a new field of the request body.
    pub fn new_field(name: &str) -> LineForm {
        let fields = field_fields(name, "", 0, "");
        LineForm { form: Form::new(fields), line: None, refused: None }
    }

    /// Converts the form's values to settings of the API contract.
    pub fn lines(&self, contract: &Contract, operation: Operation) -> Vec<TaughtLine> {
        match &self.line {
            Some(SentLine::Setting { name, .. }) => {
                vec![TaughtLine { name: name.clone(), value: self.setting_value(contract, name) }]
            }
            Some(SentLine::Amounts) => self.amount_lines(contract, operation),
            Some(SentLine::Field(id)) => {
                contract.field_lines(operation, Some(id), &self.taught_field())
            }
            None => contract.field_lines(operation, None, &self.taught_field()),
        }
    }

    /// Returns the typed value, converted to the type of this setting of the API contract.
    fn setting_value(&self, contract: &Contract, name: &str) -> SettingValue {
        let value = self.form.value("value");
        match contract.value(name) {
            Some(SettingValue::Texts(_)) => {
                let all = self.form.fields.iter().map(Field::value);
                SettingValue::Texts(all.filter(|text| !text.is_empty()).collect())
            }
            Some(SettingValue::Wholes(_)) => {
                let numbers = value.split([',', ' ']).filter(|text| !text.is_empty());
                // Text that is not a number becomes 0. The API contract rejects 0, because it is
                // not an HTTP status.
                SettingValue::Wholes(numbers.map(|text| text.parse().unwrap_or(0)).collect())
            }
            _ => SettingValue::Text(value),
        }
    }

    /// Returns the settings of the API contract for the format of amounts, for this operation or
    /// for all operations.
    fn amount_lines(&self, contract: &Contract, operation: Operation) -> Vec<TaughtLine> {
        let taught = |name: String, key: &str| {
            Some(TaughtLine { name, value: SettingValue::Text(self.form.value(key)) })
        };
        let mut lines: Vec<_> = contract
            .amount_name(operation)
            .and_then(|name| taught(name, "amount"))
            .into_iter()
            .collect();
        let everywhere = self.form.value("where") == EVERYWHERE;
        let places: &[Operation] = if everywhere { &WITH_AMOUNTS } else { &[operation] };
        for (name, _) in places.iter().flat_map(|place| contract.amount_lines(*place)) {
            let key = name.rsplit('.').next().unwrap_or_default();
            // The form shows only the settings that its operation has.
            if self.form.field(key).is_some() {
                lines.extend(taught(name.clone(), key));
            }
        }
        lines
    }

    fn taught_field(&self) -> TaughtField {
        let becomes = self.form.value("use");
        let becomes = USES.iter().find(|(_, id)| *id == becomes);
        let is_new = self.form.field("label").is_some_and(|field| field.touched);
        let label = Some(self.form.value("label")).filter(|label| is_new && !label.is_empty());
        TaughtField {
            label,
            name: self.form.value("name"),
            becomes: becomes.map_or(FieldUse::Asked, |(becomes, _)| *becomes),
            value: self.form.value("value"),
        }
    }
}

/// Returns the values of a setting of the API contract as strings.
pub fn texts(contract: &Contract, name: &str) -> Vec<String> {
    match contract.value(name) {
        Some(SettingValue::Text(text)) => vec![text.clone()],
        Some(SettingValue::Texts(texts)) => texts.clone(),
        Some(SettingValue::Wholes(numbers)) => numbers.iter().map(i64::to_string).collect(),
        Some(other) => vec![other.text()],
        None => vec![],
    }
}

/// Returns the id of the text that names a setting of the API contract about a request.
pub fn line_word(line: &SentLine) -> &'static str {
    match line {
        SentLine::Setting { name, .. } => setting_word(name),
        SentLine::Field(_) => "teach-sent-field",
        SentLine::Amounts => "teach-sent-amounts",
    }
}

fn setting_word(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "path" => "teach-sent-path",
        "method" => "teach-sent-method",
        "amount" => "teach-sent-amount",
        "description" => "teach-sent-description",
        "domain" => "teach-sent-domain",
        "unit" => "teach-sent-unit",
        "amount_sent" => "teach-sent-amount-sent",
        "amount_read" => "teach-sent-amount-read",
        "key_header" => "teach-sent-key-header",
        "key_format" => "teach-sent-key-format",
        "key_in_body" => "teach-sent-key-in-body",
        "credential" => "teach-sent-credential",
        "encoding" => "teach-sent-encoding",
        "success" => "teach-sent-success",
        _ if name.starts_with("credential.") => "teach-sent-credential-headers",
        _ => "teach-sent-headers",
    }
}

/// Returns the id of the text that names how a field is used, such as always asking for its value.
pub fn use_word(becomes: FieldUse) -> &'static str {
    USES.iter().find(|(one, _)| *one == becomes).map_or("teach-use-asked", |(_, id)| id)
}

/// Returns how a field of the request body is used now, such as required or optional.
pub fn becomes(contract: &Contract, operation: Operation, id: &str) -> FieldUse {
    match contract.body_of(operation).and_then(|form| form.field(id)) {
        Some(field) if field.kind == FieldKind::Fixed => FieldUse::Fixed,
        Some(field) if !field.sent => FieldUse::Absent,
        Some(field) if field.required => FieldUse::Asked,
        Some(_) => FieldUse::Optional,
        None => FieldUse::Absent,
    }
}

fn text(name: &str, label: Label, value: &str) -> Field {
    let mut field = Field::text(name, label, false, LONGEST);
    field.fill(value);
    field
}

fn word(contract: &Contract, name: &str, words: &[&str]) -> Field {
    let now = texts(contract, name);
    let chosen = words.iter().position(|word| now.first().is_some_and(|now| now == word));
    let options = words.iter().map(|word| Choice::theirs(word)).collect();
    let entry = Entry::Choice { options, chosen: Some(chosen.unwrap_or(0)) };
    Field::new("value", Label::Word(setting_word(name)), true, entry)
}

/// Returns the form fields for the format of amounts. The default applies to all operations,
/// because most services use centavos everywhere or nowhere.
fn amounts(contract: &Contract, operation: Operation) -> Vec<Field> {
    let name = contract.amount_name(operation).map(|name| {
        let called = texts(contract, &name).join(", ");
        let mut field = text("amount", Label::Word("teach-sent-amount"), &called);
        field.required = true;
        field
    });
    let lines = contract.amount_lines(operation);
    let words = lines.iter().map(|(name, words)| {
        let key = name.rsplit('.').next().unwrap_or_default();
        Field { name: key.into(), ..word(contract, name, words) }
    });
    let places = [EVERYWHERE, "teach-amounts-here"].map(|id| Choice::word(id, id)).to_vec();
    let place = Field::choice("where", Label::Word("teach-amounts-where"), places);
    name.into_iter().chain(words).chain([place]).collect()
}

fn headers(now: &[String]) -> Vec<Field> {
    let now = now.iter().map(String::as_str).chain(std::iter::repeat(""));
    let field = |(name, now): (&str, &str)| text(name, Label::Word("teach-sent-header"), now);
    HEADERS.into_iter().zip(now).map(field).collect()
}

fn of_field(contract: &Contract, operation: Operation, id: &str, lang: Lang) -> Vec<Field> {
    let Some(field) = contract.body_of(operation).and_then(|form| form.field(id)) else {
        return vec![];
    };
    let now = becomes(contract, operation, id);
    let chosen = USES.iter().position(|(one, _)| *one == now).unwrap_or(0);
    let label = match lang {
        Lang::Pt => &field.label_pt,
        Lang::En => &field.label_en,
    };
    field_fields(&field.name, label, chosen, field.default.as_deref().unwrap_or_default())
}

fn field_fields(name: &str, label: &str, chosen: usize, value: &str) -> Vec<Field> {
    let mut named = text("name", Label::Word("teach-field-name"), name);
    named.required = true;
    let options = USES.map(|(_, id)| Choice::word(id, id)).to_vec();
    let entry = Entry::Choice { options, chosen: Some(chosen) };
    let used = Field::new("use", Label::Word("teach-field-use"), true, entry);
    vec![
        named,
        used,
        text("label", Label::Word("teach-field-label"), label),
        text("value", Label::Word("teach-field-value"), value),
    ]
}
