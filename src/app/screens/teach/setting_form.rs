//! The form that edits one setting of the API contract about a request, or one field of the request
//! body.

use crate::app::ui::form::{Choice, Entry, Field, Form, Label};
use crate::contract::{
    Contract, FieldKind, FieldUse, NameFault, RequestPart, SettingValue, TaughtField, TaughtSetting,
};
use crate::trade::{Money, Operation, PixKeyKind, Untrusted};
use crate::words::Lang;

/// The maximum length of the text in a field, in characters.
const MAX_TEXT_LENGTH: usize = 200;

/// The names of the form fields for headers. At most four headers can be edited.
const HEADER_FIELD_NAMES: [&str; 4] = ["1", "2", "3", "4"];

/// The ways to use a field of the request body, such as "required" or "optional", in the order in
/// which the form offers them.
const USES: [(FieldUse, &str); 4] = [
    (FieldUse::Required, "teach-use-asked"),
    (FieldUse::Optional, "teach-use-optional"),
    (FieldUse::Fixed, "teach-use-fixed"),
    (FieldUse::Absent, "teach-use-absent"),
];

const WITHDRAWAL_OPERATIONS: [Operation; 2] = [Operation::FeePreview, Operation::Withdrawal];

const OPERATIONS_WITH_AMOUNTS: [Operation; 4] = [
    Operation::CreateLink,
    Operation::DirectPayment,
    Operation::FeePreview,
    Operation::Withdrawal,
];

/// The choice that applies an amount format to all operations.
const ALL_OPERATIONS: &str = "teach-amounts-everywhere";

/// The choice that applies an amount format to withdrawals and to their fee, because a service
/// counts both in the same unit.
const WITHDRAWALS: &str = "teach-amounts-withdrawals";

#[derive(Debug, Clone)]
pub struct SettingForm {
    pub form: Form,
    /// The setting of the API contract that is edited; `None` for a new field of the request body.
    pub line: Option<RequestPart>,
    /// The reason why the change was rejected.
    pub error: Option<FormError>,
    /// The corrections that are applied together with the change.
    pub pending: Vec<TaughtSetting>,
    /// The sent amount, if the form asks for the unit of amounts because of it.
    pub asked_amount: Option<Money>,
    /// True if the change was refused because the fee and the net amount would not add up.
    pub is_contradicted: bool,
}

/// The reason why a change is rejected.
#[derive(Debug, Clone)]
pub enum FormError {
    /// The error of the API contract.
    Contract(Untrusted),
    /// A new field with this name is not taught.
    Name(NameFault),
}

/// The form fields for the service's words for the kinds of Pix key, with their labels.
const WORD_FIELDS: [(PixKeyKind, &str, &str); 5] = [
    (PixKeyKind::Cpf, "word.cpf", "teach-word-cpf"),
    (PixKeyKind::Cnpj, "word.cnpj", "teach-word-cnpj"),
    (PixKeyKind::Phone, "word.phone", "teach-word-phone"),
    (PixKeyKind::Email, "word.email", "teach-word-email"),
    (PixKeyKind::Random, "word.random", "teach-word-random"),
];

impl SettingForm {
    /// Creates the form for a setting of the API contract, prefilled with its current values.
    pub fn of(
        contract: &Contract,
        operation: Operation,
        line: &RequestPart,
        lang: Lang,
    ) -> SettingForm {
        let fields = match line {
            RequestPart::Setting { name, words } if !words.is_empty() => {
                vec![choice_field(contract, name, words)]
            }
            RequestPart::Setting { name, .. } => match contract.value(name) {
                Some(SettingValue::Texts(current)) => header_fields(current),
                _ => {
                    let current = setting_texts(contract, name).join(", ");
                    vec![text_field(
                        "value",
                        Label::Word(setting_label_id(line)),
                        &current,
                    )]
                }
            },
            RequestPart::Amounts => amount_fields(contract, operation),
            RequestPart::Field(id) => body_field_inputs(contract, operation, id, lang),
        };
        SettingForm::new(fields, Some(line.clone()))
    }

    /// Creates the form for the format of amounts. The other unit is already chosen, for
    /// withdrawals and their fee.
    pub fn other_unit(contract: &Contract, operation: Operation, lang: Lang) -> SettingForm {
        let mut form = SettingForm::of(contract, operation, &RequestPart::Amounts, lang);
        let amounts = match operation {
            Operation::FeePreview => contract.fee_preview.amounts,
            _ => contract.withdrawal.form.amounts,
        };
        let unit = amounts.unit.other().name();
        for (name, value) in [("unit", unit), ("where", WITHDRAWALS)] {
            if let Some(field) = form.form.field_mut(name) {
                field.choose_value(Some(value));
            }
        }
        form
    }

    fn new(fields: Vec<Field>, line: Option<RequestPart>) -> SettingForm {
        SettingForm {
            form: Form::new(fields),
            line,
            error: None,
            pending: vec![],
            asked_amount: None,
            is_contradicted: false,
        }
    }

    /// Creates the form for a new field of the request body.
    pub fn new_field(name: &str) -> SettingForm {
        SettingForm::new(new_body_field_inputs(name, "", 0, ""), None)
    }

    /// Converts the form's values to settings of the API contract.
    pub fn lines(&self, contract: &Contract, operation: Operation) -> Vec<TaughtSetting> {
        match &self.line {
            Some(RequestPart::Setting { name, .. }) => {
                vec![TaughtSetting {
                    name: name.clone(),
                    value: self.setting_value(contract, name),
                }]
            }
            Some(RequestPart::Amounts) => self.amount_settings(contract, operation),
            Some(RequestPart::Field(id)) => {
                contract.field_settings(operation, Some(id), &self.taught_field())
            }
            None => contract.field_settings(operation, None, &self.taught_field()),
        }
    }

    /// The typed value, converted to the type of this setting of the API contract.
    fn setting_value(&self, contract: &Contract, name: &str) -> SettingValue {
        let value = self.form.value("value");
        match contract.value(name) {
            Some(SettingValue::Texts(_)) => {
                let values = self.form.fields.iter().map(Field::value);
                SettingValue::Texts(values.filter(|text| !text.is_empty()).collect())
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

    /// The API contract settings that set the format of amounts. Depending on the form, they apply
    /// to this operation or to all operations.
    fn amount_settings(&self, contract: &Contract, operation: Operation) -> Vec<TaughtSetting> {
        let mut lines: Vec<_> = contract
            .amount_name(operation)
            .map(|name| self.taught_setting(name, "amount"))
            .into_iter()
            .collect();
        let operations: &[Operation] = match &*self.form.value("where") {
            ALL_OPERATIONS => &OPERATIONS_WITH_AMOUNTS,
            WITHDRAWALS => &WITHDRAWAL_OPERATIONS,
            _ => &[operation],
        };
        for (name, _) in operations
            .iter()
            .flat_map(|operation| contract.amount_settings(*operation))
        {
            let key = name.rsplit('.').next().unwrap_or_default();
            // The form has fields only for the settings of its own operation, so skip all others.
            if self.form.field(key).is_some() {
                lines.push(self.taught_setting(name.clone(), key));
            }
        }
        lines
    }

    fn taught_setting(&self, name: String, key: &str) -> TaughtSetting {
        TaughtSetting {
            name,
            value: SettingValue::Text(self.form.value(key)),
        }
    }

    /// True if the form asks for the service's words for the kinds of Pix key.
    pub fn asks_for_words(&self) -> bool {
        WORD_FIELDS
            .iter()
            .any(|(_, id, _)| self.form.field(id).is_some())
    }

    pub fn taught_field(&self) -> TaughtField {
        let use_id = self.form.value("use");
        let field_use = USES.iter().find(|(_, id)| *id == use_id);
        let is_edited = self.form.field("label").is_some_and(|field| field.touched);
        let label = Some(self.form.value("label")).filter(|label| is_edited && !label.is_empty());
        let word_fields = WORD_FIELDS
            .iter()
            .filter(|(_, id, _)| self.form.field(id).is_some());
        TaughtField {
            label,
            name: self.form.value("name"),
            becomes: field_use.map_or(FieldUse::Required, |(field_use, _)| *field_use),
            value: self.form.value("value"),
            words: word_fields
                .map(|(kind, id, _)| (*kind, self.form.value(id)))
                .collect(),
        }
    }
}

/// The values of a setting of the API contract as strings.
pub fn setting_texts(contract: &Contract, name: &str) -> Vec<String> {
    match contract.value(name) {
        Some(SettingValue::Text(text)) => vec![text.clone()],
        Some(SettingValue::Texts(texts)) => texts.clone(),
        Some(SettingValue::Wholes(numbers)) => numbers.iter().map(i64::to_string).collect(),
        Some(other) => vec![other.text()],
        None => vec![],
    }
}

/// The text id of the label for a contract setting about a request.
pub fn setting_label_id(line: &RequestPart) -> &'static str {
    match line {
        RequestPart::Setting { name, .. } => setting_name_label_id(name),
        RequestPart::Field(_) => "teach-sent-field",
        RequestPart::Amounts => "teach-sent-amounts",
    }
}

fn setting_name_label_id(name: &str) -> &'static str {
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
        "pages" => "teach-sent-pages",
        "token_header" => "teach-sent-token-header",
        _ if name.starts_with("credential.") => "teach-sent-credential-headers",
        _ => "teach-sent-headers",
    }
}

/// The text id of the label for a use of a field, such as "optional".
pub fn use_label_id(field_use: FieldUse) -> &'static str {
    USES.iter()
        .find(|(candidate, _)| *candidate == field_use)
        .map_or("teach-use-asked", |(_, id)| id)
}

/// Returns how a field of the request body is used now, such as required or optional.
pub fn field_use(contract: &Contract, operation: Operation, id: &str) -> FieldUse {
    match contract.body_of(operation).and_then(|form| form.field(id)) {
        Some(field) if field.kind == FieldKind::Fixed => FieldUse::Fixed,
        Some(field) if !field.sent => FieldUse::Absent,
        Some(field) if field.required => FieldUse::Required,
        Some(_) => FieldUse::Optional,
        None => FieldUse::Absent,
    }
}

fn text_field(name: &str, label: Label, value: &str) -> Field {
    let mut field = Field::text(name, label, false, MAX_TEXT_LENGTH);
    field.fill(value);
    field
}

fn choice_field(contract: &Contract, name: &str, choices: &[&str]) -> Field {
    let current = setting_texts(contract, name);
    let chosen = choices
        .iter()
        .position(|choice| current.first().is_some_and(|current| current == choice));
    let options = choices
        .iter()
        .map(|choice| Choice::from_external_text(choice))
        .collect();
    let entry = Entry::Choice {
        options,
        chosen: Some(chosen.unwrap_or(0)),
    };
    Field::new(
        "value",
        Label::Word(setting_name_label_id(name)),
        true,
        entry,
    )
}

/// The form fields for the format of amounts. By default the format applies to all operations,
/// because most services use centavos everywhere or nowhere.
fn amount_fields(contract: &Contract, operation: Operation) -> Vec<Field> {
    let name_field = contract.amount_name(operation).map(|name| {
        let current_name = setting_texts(contract, &name).join(", ");
        let mut field = text_field("amount", Label::Word("teach-sent-amount"), &current_name);
        field.required = true;
        field
    });
    let settings = contract.amount_settings(operation);
    let choice_fields = settings.iter().map(|(name, choices)| {
        let key = name.rsplit('.').next().unwrap_or_default();
        Field {
            id: key.into(),
            ..choice_field(contract, name, choices)
        }
    });
    let mut scopes = vec![ALL_OPERATIONS, "teach-amounts-here"];
    if WITHDRAWAL_OPERATIONS.contains(&operation) {
        scopes.insert(1, WITHDRAWALS);
    }
    let options = scopes
        .into_iter()
        .map(|id| Choice::from_message(id, id))
        .collect();
    let scope_field = Field::choice("where", Label::Word("teach-amounts-where"), options);
    name_field
        .into_iter()
        .chain(choice_fields)
        .chain([scope_field])
        .collect()
}

fn header_fields(current: &[String]) -> Vec<Field> {
    let current = current
        .iter()
        .map(String::as_str)
        .chain(std::iter::repeat(""));
    HEADER_FIELD_NAMES
        .into_iter()
        .zip(current)
        .map(|(name, current)| text_field(name, Label::Word("teach-sent-header"), current))
        .collect()
}

fn body_field_inputs(
    contract: &Contract,
    operation: Operation,
    id: &str,
    lang: Lang,
) -> Vec<Field> {
    let Some(field) = contract.body_of(operation).and_then(|form| form.field(id)) else {
        return vec![];
    };
    let current_use = field_use(contract, operation, id);
    let chosen = USES
        .iter()
        .position(|(candidate, _)| *candidate == current_use)
        .unwrap_or(0);
    let label = match lang {
        Lang::Pt => &field.label_pt,
        Lang::En => &field.label_en,
    };
    if field.kind == FieldKind::PixKeyKind {
        let mut inputs = new_body_field_inputs(&field.name, "", chosen, "");
        inputs.truncate(2);
        inputs.extend(WORD_FIELDS.iter().map(|(kind, id, label)| {
            text_field(
                id,
                Label::Word(label),
                field.key_word(*kind).unwrap_or_default(),
            )
        }));
        return inputs;
    }
    new_body_field_inputs(
        &field.name,
        label,
        chosen,
        field.default.as_deref().unwrap_or_default(),
    )
}

fn new_body_field_inputs(name: &str, label: &str, chosen: usize, value: &str) -> Vec<Field> {
    let mut name_field = text_field("name", Label::Word("teach-field-name"), name);
    name_field.required = true;
    let options = USES.map(|(_, id)| Choice::from_message(id, id)).to_vec();
    let entry = Entry::Choice {
        options,
        chosen: Some(chosen),
    };
    let use_field = Field::new("use", Label::Word("teach-field-use"), true, entry);
    vec![
        name_field,
        use_field,
        text_field("label", Label::Word("teach-field-label"), label),
        text_field("value", Label::Word("teach-field-value"), value),
    ]
}
