//! Builds forms from the fields that the API contract declares, and builds request bodies from
//! filled-in forms.
//!
//! Start reading at [`form`] and [`body`].

use std::mem::discriminant;
use std::sync::Arc;

use crate::app::ui::form::{Choice, Entry, Field, FieldError, Form, Hint, Label};
use crate::contract::{self, FieldFault, FieldInput, FieldKind};
use crate::trade::withdrawal::Agreement;
use crate::trade::{
    AmountField, KeyReading, Money, PixKey, PixKeyKind, key_readings, likely_error, other_kinds,
};
use crate::words::names::pix_key_kind_message;

/// The maximum length of a text field, if the API contract sets no limit.
const MAX_TEXT_LEN: usize = 200;

/// The field for a Pix key has room for a whole Pix code, because users paste Pix codes there by
/// mistake.
const MAX_PIX_KEY_LEN: usize = 512;

/// A request body that is ready to be sent, with the amount and the Pix key that it contains.
#[derive(Debug, Clone, PartialEq)]
pub struct ReadyBody {
    /// The bytes of the request body, exactly as they are sent.
    pub bytes: Arc<str>,
    /// The amount that the body contains, if any.
    pub amount: Option<Money>,
    /// The Pix key that the body contains, if any.
    pub destination: Option<PixKey>,
    /// JSON Pointers to the values in the body that the seller did not type: fixed values and
    /// unchanged defaults.
    pub untyped: Vec<Arc<str>>,
}

/// Builds the form again after the API contract has changed. Fields that still exist keep the
/// values that the seller typed.
pub fn rebuild_form(old: &Form, declared: &contract::BodySpec, slot_prefix: &str) -> Form {
    let focused = old.focused().map(|field| field.id.clone());
    let mut new = form(declared, slot_prefix);
    for field in &mut new.fields {
        let old_field = old
            .field(&field.id)
            .filter(|old_field| discriminant(&old_field.entry) == discriminant(&field.entry));
        let Some(old_field) = old_field else {
            continue;
        };
        field.touched = old_field.touched;
        field.personal |= old_field.personal;
        field.entry = match (&field.entry, &old_field.entry) {
            (
                Entry::Choice { options, chosen },
                Entry::Choice {
                    options: old_options,
                    chosen: old_index,
                },
            ) => {
                let value = old_index
                    .and_then(|old_index| old_options.get(old_index))
                    .map(|choice| &choice.value);
                let index = options
                    .iter()
                    .position(|choice| Some(&choice.value) == value);
                Entry::Choice {
                    options: options.clone(),
                    chosen: index.or(*chosen),
                }
            }
            (_, old_entry) => old_entry.clone(),
        };
    }
    // Move the focus to a new required field, because the seller must fill it in next.
    let focus = new
        .fields
        .iter()
        .position(|field| old.field(&field.id).is_none() && field.required);
    let focus = focus.or_else(|| {
        new.fields
            .iter()
            .position(|field| Some(&field.id) == focused.as_ref())
    });
    new.focus = focus.unwrap_or(new.fields.len());
    new.touched = old.touched;
    new
}

/// Builds the form for a request body that the API contract declares. Secret values are kept
/// outside the form, in slots named `slot_prefix`, `/` and the field id.
///
/// The field for the kind of the Pix key comes right after the key, because the program recognizes
/// the kind from the key.
pub fn form(declared: &contract::BodySpec, slot_prefix: &str) -> Form {
    let mut fields: Vec<_> = declared
        .fields
        .iter()
        .filter(|field| field.is_input())
        .collect();
    let Some([kind, key]) = key_fields(declared) else {
        return Form::new(
            fields
                .into_iter()
                .map(|spec| field(spec, slot_prefix))
                .collect(),
        );
    };
    fields.retain(|field| field.id != kind.id);
    let after_key = fields
        .iter()
        .position(|field| field.id == key.id)
        .map_or(0, |index| index + 1);
    fields.insert(after_key, kind);
    let mut form = Form::new(
        fields
            .into_iter()
            .map(|spec| field(spec, slot_prefix))
            .collect(),
    );
    if let Some(field) = form.field_mut(&kind.id) {
        field.choose_value(kind.default.as_deref());
    }
    if kind.default.is_none() {
        recognise_kind(&mut form, declared);
    }
    form
}

/// The field for the kind of the Pix key and the field for the key itself. Returns `None` if the
/// body contains no key. The service then pays to the Pix key that it has on file.
pub fn key_fields(declared: &contract::BodySpec) -> Option<[&contract::FieldSpec; 2]> {
    let of_kind = |kind| declared.fields.iter().find(|field| field.kind == kind);
    Some([of_kind(FieldKind::PixKeyKind)?, of_kind(FieldKind::PixKey)?])
}

fn field(declared: &contract::FieldSpec, slot_prefix: &str) -> Field {
    let label = Label::ContractText {
        pt: declared.label_pt.as_str().into(),
        en: declared.label_en.as_str().into(),
    };
    let entry = match declared.kind {
        FieldKind::Amount => Entry::Amount(AmountField::default()),
        FieldKind::Secret => Entry::Secret {
            slot: format!("{slot_prefix}/{}", declared.id).into(),
            len: 0,
        },
        FieldKind::PixKeyKind => choice(
            declared,
            declared.key_kinds().into_iter().map(|kind| {
                Choice::from_message(contract::key_kind_id(kind), pix_key_kind_message(kind))
            }),
        ),
        FieldKind::Choice => choice(
            declared,
            declared
                .choices
                .iter()
                .map(|choice| Choice::from_external_text(&choice.id)),
        ),
        _ => {
            let default_limit = if declared.kind == FieldKind::PixKey {
                MAX_PIX_KEY_LEN
            } else {
                MAX_TEXT_LEN
            };
            let max = declared
                .max_length
                .map_or(default_limit, |limit| limit as usize);
            let typed = declared.default.clone().unwrap_or_default();
            Entry::Text {
                input: tui_input::Input::new(typed),
                max,
            }
        }
    };
    let personal = matches!(
        declared.kind,
        FieldKind::Email | FieldKind::PixKey | FieldKind::Document | FieldKind::Phone
    );
    Field {
        personal,
        ..Field::new(&declared.id, label, declared.required, entry)
    }
}

fn choice(declared: &contract::FieldSpec, options: impl Iterator<Item = Choice>) -> Entry {
    let options: Vec<_> = options.collect();
    let default = declared.default.as_deref().unwrap_or_default();
    let chosen = options
        .iter()
        .position(|option| &*option.value == default)
        .unwrap_or(0);
    Entry::Choice {
        options,
        chosen: Some(chosen),
    }
}

/// Builds the request body from the values of the form. If a field is invalid, marks that field and
/// returns `None`.
///
/// `key` is the idempotency key, which some bodies contain.
pub fn body(
    form: &mut Form,
    declared: &contract::BodySpec,
    key: Option<&str>,
) -> Option<ReadyBody> {
    match read_values(form, declared, key) {
        Ok(body) => {
            let destination = body.destination.clone();
            let bytes: Arc<str> = body.text().into();
            let untyped = untyped(form, declared, &bytes);
            Some(ReadyBody {
                bytes,
                amount: body.amount,
                destination,
                untyped,
            })
        }
        Err(errors) => {
            for error in errors {
                form.fault(&error.field, FieldError::Fault(error.fault));
            }
            form.focus_first_error();
            hint_kind(form, declared, true);
            None
        }
    }
}

fn read_values(
    form: &Form,
    declared: &contract::BodySpec,
    key: Option<&str>,
) -> Result<contract::Body, Vec<contract::InvalidField>> {
    let values: Vec<_> = form
        .fields
        .iter()
        .map(|field| (field.id.clone(), field.value(), field.money()))
        .collect();
    declared.body(|field| {
        let value = values.iter().find(|(name, ..)| **name == *field.id);
        match field.kind {
            FieldKind::Amount => value?.2.map(FieldInput::Amount),
            FieldKind::Fixed | FieldKind::DocumentKind | FieldKind::Secret => None,
            FieldKind::RequestKey => key.map(FieldInput::Text),
            _ => Some(FieldInput::Text(&value?.1)),
        }
    })
}

/// Checks a form with secrets, such as a login form, before it is sent, and marks invalid fields.
/// The secrets are not in the form, so only a missing secret can be detected.
pub fn check_login(form: &mut Form, declared: &contract::BodySpec) -> bool {
    let errors = read_values(form, declared, None).err().unwrap_or_default();
    if !form.check() {
        return false;
    }
    for error in errors {
        let field = declared.field(&error.field);
        if field.is_none_or(|field| field.kind != FieldKind::Secret) {
            form.fault(&error.field, FieldError::Fault(error.fault));
        }
    }
    form.focus_first_error()
}

/// Selects the kind of the typed Pix key, if the key fits exactly one kind. If the key fits several
/// kinds, or only with digits that were not typed, a hint asks the user to choose.
///
/// If the user has already chosen a kind, the choice is never changed. A hint then appears if the
/// key does not fit the chosen kind.
pub fn recognise_kind(form: &mut Form, declared: &contract::BodySpec) {
    let Some([kind, key]) = key_fields(declared) else {
        return;
    };
    let readings = key_readings(&form.value(&key.id));
    let Some(field) = form.field_mut(&kind.id) else {
        return;
    };
    if field.touched {
        return hint_kind(form, declared, false);
    }
    let certain = match &readings[..] {
        [
            KeyReading {
                key,
                is_certain: true,
            },
        ] => Some(contract::key_kind_id(key.kind())),
        _ => None,
    };
    field.choose_value(certain);
    let keys: Vec<_> = readings.into_iter().map(|reading| reading.key).collect();
    let must_choose = certain.is_none() && !keys.is_empty();
    (field.error, field.hint) = (None, must_choose.then_some(Hint::ChooseKind(keys)));
}

/// Checks the form like [`Form::check`]. Also shows an error if the kind of the Pix key is unknown:
/// beside the kind if the user must choose it, otherwise beside the key.
pub fn check(form: &mut Form, declared: &contract::BodySpec) -> bool {
    let is_fine = form.check();
    let Some([kind, key]) = key_fields(declared) else {
        return is_fine;
    };
    let typed = form.value(&key.id);
    let is_undecided = form.field(&kind.id).is_some_and(Field::is_empty);
    if !is_undecided || typed.is_empty() && !key.required {
        return is_fine;
    }
    let readings = key_readings(&typed);
    let is_choice = match &readings[..] {
        [KeyReading { key, is_certain }] => !is_certain && kind.key_kinds().contains(&key.kind()),
        several => !several.is_empty(),
    };
    if is_choice {
        form.fault(&kind.id, FieldError::Missing);
        return form.focus_first_error();
    }
    if let Some(field) = form.field_mut(&kind.id) {
        field.error = None;
    }
    if let Some(field) = form.field_mut(&key.id) {
        let likely = likely_error(&typed).filter(|_| readings.is_empty());
        let likely = likely.map(|error| FieldError::Fault(FieldFault::Key(error)));
        field
            .error
            .get_or_insert(likely.unwrap_or(FieldError::NotAKey));
    }
    form.focus_first_error()
}

/// Shows a hint beside the Pix key if the key looks like another kind than the chosen kind.
///
/// `is_complete` is false while the key is being typed. Digits then get no hint if more digits
/// could complete a key of the chosen kind.
pub fn hint_kind(form: &mut Form, declared: &contract::BodySpec, is_complete: bool) {
    let Some([kind_field, key]) = key_fields(declared) else {
        return;
    };
    let chosen = form.value(&kind_field.id);
    let typed = form.value(&key.id);
    let offered = kind_field.key_kinds();
    let chosen = offered
        .iter()
        .find(|kind| contract::key_kind_id(**kind) == chosen);
    let mut other_kinds_of_key = chosen
        .map(|chosen| other_kinds(*chosen, &typed))
        .unwrap_or_default();
    other_kinds_of_key.retain(|kind| offered.contains(kind));
    let full_length = match chosen {
        Some(PixKeyKind::Cpf) => 11,
        Some(PixKeyKind::Cnpj) => 14,
        _ => 0,
    };
    let may_continue = typed.len() < full_length && typed.bytes().all(|b| b.is_ascii_digit());
    if may_continue && !is_complete {
        other_kinds_of_key.clear();
    }
    if let Some(field) = form.field_mut(&key.id) {
        field
            .hint
            .take_if(|hint| matches!(hint, Hint::OtherKind(_)));
        if !other_kinds_of_key.is_empty() {
            field.hint = Some(Hint::OtherKind(other_kinds_of_key));
        }
    }
}

/// JSON Pointers to the values in the request body that the seller did not type: fixed values and
/// unchanged defaults.
fn untyped(form: &Form, declared: &contract::BodySpec, bytes: &str) -> Vec<Arc<str>> {
    let members = contract::members(bytes).into_iter();
    let untyped_members = members.filter(|member| {
        let field = member.field(declared);
        field.is_none_or(|field| !is_typed(form, declared, field))
    });
    untyped_members
        .map(|member| member.pointer().into())
        .collect()
}

fn is_typed(form: &Form, declared: &contract::BodySpec, field: &contract::FieldSpec) -> bool {
    match field.kind {
        FieldKind::Fixed | FieldKind::RequestKey => false,
        FieldKind::DocumentKind => was_typed(form, declared, FieldKind::Document),
        FieldKind::PixKeyKind => {
            was_typed(form, declared, FieldKind::PixKeyKind)
                || was_typed(form, declared, FieldKind::PixKey)
        }
        _ => form.field(&field.id).is_some_and(|field| field.touched),
    }
}

fn was_typed(form: &Form, declared: &contract::BodySpec, kind: FieldKind) -> bool {
    let of_kind = declared.fields.iter().filter(|field| field.kind == kind);
    of_kind
        .filter_map(|field| form.field(&field.id))
        .any(|field| field.touched)
}

/// Fills in a form with the values of an earlier withdrawal (`agreement`), as if the seller had
/// typed them.
pub fn fill_from_agreement(form: &mut Form, declared: &contract::BodySpec, agreement: &Agreement) {
    let members = contract::members(&agreement.body);
    for field in declared.fields.iter().filter(|field| field.is_input()) {
        let key = agreement.destination.as_ref();
        let value = match field.kind {
            FieldKind::Amount => {
                form.propose_amount(&field.id, agreement.amount);
                None
            }
            FieldKind::PixKeyKind => key.map(|key| contract::key_kind_id(key.kind()).to_owned()),
            FieldKind::PixKey => key.map(|key| key.as_str().to_owned()),
            FieldKind::Choice => agreed_value(&members, field).and_then(|agreed_value| {
                let chosen = field
                    .choices
                    .iter()
                    .find(|choice| choice.word == agreed_value);
                chosen.map(|choice| choice.id.clone())
            }),
            _ => agreed_value(&members, field),
        };
        let Some(form_field) = form.field_mut(&field.id) else {
            continue;
        };
        // A kind that is filled in here does not count as chosen by the seller. It still changes if
        // the seller types another key.
        form_field.touched = match field.kind {
            FieldKind::Amount => true,
            FieldKind::PixKeyKind => false,
            _ => value.is_some(),
        };
        let Some(value) = value else { continue };
        match &mut form_field.entry {
            Entry::Choice { options, chosen } => {
                let index = options.iter().position(|option| *option.value == *value);
                *chosen = index.or(*chosen);
            }
            _ => form_field.fill(&value),
        }
    }
    form.touched = true;
}

fn agreed_value(members: &[contract::Member], field: &contract::FieldSpec) -> Option<String> {
    let member = members
        .iter()
        .find(|member| member.pointer() == field.pointer());
    member.map(|member| member.value.text().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::input::{Code, Key, Pace};
    use crate::contract::Contract;
    use crate::trade::PixKeyError;

    fn type_text(form: &mut Form, name: &str, text: &str) {
        form.focus = form
            .fields
            .iter()
            .position(|field| &*field.id == name)
            .unwrap();
        for c in text.chars() {
            form.edit(Key::plain(Code::Char(c)), Pace::Deliberate);
        }
    }

    #[test]
    fn withdrawal_body_has_the_declared_fields() {
        let contract = Contract::built_in();
        let mut form = form(&contract.withdrawal.form, "withdrawal");
        type_text(&mut form, "amount", "10010");
        type_text(&mut form, "key", "111.444.777-35");
        recognise_kind(&mut form, &contract.withdrawal.form);
        let ready = body(&mut form, &contract.withdrawal.form, None).unwrap();
        assert_eq!(
            &*ready.bytes,
            r#"{"amount":100.10,"pixKeyType":"cpf","pixKey":"11144477735"}"#
        );
        assert_eq!(ready.amount, Some(Money::from_centavos(10_010)));
        assert_eq!(ready.destination.unwrap().as_str(), "11144477735");
    }

    #[test]
    fn wrong_pix_key_is_reported_at_its_field() {
        let contract = Contract::built_in();
        let mut form = form(&contract.withdrawal.form, "withdrawal");
        type_text(&mut form, "amount", "10010");
        type_text(&mut form, "key", "111.444.777-36");
        assert!(!check(&mut form, &contract.withdrawal.form));
        assert_eq!(body(&mut form, &contract.withdrawal.form, None), None);
        assert!(!check(&mut form, &contract.withdrawal.form));
        let error = form.field("key").unwrap().error.clone();
        assert_eq!(
            error,
            Some(FieldError::Fault(FieldFault::Key(
                PixKeyError::CheckDigits(PixKeyKind::Cpf)
            )))
        );
        assert_eq!(&*form.focused().unwrap().id, "key");
    }
}
