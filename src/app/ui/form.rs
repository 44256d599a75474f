//! The state of a form: its fields, the field with the focus, and the errors.
//!
//! The forms for the login, direct payments and withdrawals are built from the fields that the API
//! contract declares, so a service with other fields needs no code changes.
//! [`form_page`](crate::app::ui::form_page) draws the forms.

mod edit;
mod notes;

use std::sync::Arc;

use tui_input::Input as TextField;

use crate::app::ui::input::{Key, Pace};
use crate::trade::{AmountField, MAX_SECRET_BYTES, Money, Untrusted};

use edit::{edit_amount, edit_choice, paste};
pub use edit::{edit_text, one_line, push_amount};
pub use notes::{FieldError, Hint, Limit};

/// The name under which the runtime keeps the value of a secret field. The value itself is not in
/// the app's state.
pub type Slot = Arc<str>;

/// A form: a list of fields, followed by the submit button.
#[derive(Debug, Clone, Default)]
pub struct Form {
    /// The fields, from top to bottom.
    pub fields: Vec<Field>,
    /// The index of the field with the focus. `fields.len()` means the submit button.
    pub focus: usize,
    /// True if the user has typed anything since the form was opened.
    pub touched: bool,
}

/// A field of a form.
#[derive(Debug, Clone)]
pub struct Field {
    /// The id of the field. If the API contract declares the field, this is its id there. The
    /// request may use another name.
    pub id: Arc<str>,
    pub label: Label,
    /// True if the field must be filled in.
    pub required: bool,
    /// The kind of the field (such as text or amount), with its value.
    pub entry: Entry,
    /// True if the value is personal data, which is hidden while masking is on. In the form of a
    /// direct payment, the data about the buyer is personal. It is stored, and offered for later
    /// payments.
    pub personal: bool,
    /// True if the user has typed or chosen something in this field since the form was opened.
    pub touched: bool,
    /// The error that was found when the user last submitted or pasted.
    pub error: Option<FieldError>,
    /// A hint that is shown beside the field. The form can be submitted despite a hint.
    pub hint: Option<Hint>,
}

/// The label of a field.
#[derive(Debug, Clone, PartialEq)]
pub enum Label {
    /// A message of the program, by its message id.
    Word(&'static str),
    /// A label that is defined in the API contract, in Portuguese and in English.
    ContractText { pt: Arc<str>, en: Arc<str> },
}

/// The kind of a field (such as text or amount), with its value.
#[derive(Debug, Clone)]
pub enum Entry {
    /// A line of text of at most `max` characters.
    Text { input: TextField, max: usize },
    /// An amount. Digits are typed as on a cash register: each new digit is appended at the right.
    Amount(AmountField),
    /// A choice between options. `chosen` is the index of the chosen option, or `None` while the
    /// kind of a Pix key is still unknown.
    Choice {
        options: Vec<Choice>,
        chosen: Option<usize>,
    },
    /// A secret. The app's state contains only its length. The runtime keeps the secret itself
    /// under the name `slot`.
    Secret { slot: Slot, len: usize },
}

/// An option of a choice field.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The value that the field has if this option is chosen.
    pub value: Arc<str>,
    pub label: ChoiceLabel,
}

/// The label of an option.
#[derive(Debug, Clone, PartialEq)]
pub enum ChoiceLabel {
    /// A message of the program, or a label from the API contract.
    Label(Label),
    /// A text from outside the program, such as a host name.
    External(Untrusted),
}

/// The result of pressing a key in a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// The field does not use this key, so the key may trigger an action.
    Ignored,
    /// The field used the key, but its value is the same as before.
    Unchanged,
    /// The typed character was dropped, because the field is full.
    Full,
    /// The value of the field changed.
    Changed,
}

impl Choice {
    /// Creates an option whose label is one of the program's own messages.
    pub fn from_message(value: &str, id: &'static str) -> Choice {
        Choice {
            value: value.into(),
            label: ChoiceLabel::Label(Label::Word(id)),
        }
    }

    /// Creates an option whose value is also its label. The value is a text from outside the
    /// program.
    pub fn from_external_text(value: &str) -> Choice {
        Choice {
            value: value.into(),
            label: ChoiceLabel::External(value.into()),
        }
    }
}

impl Field {
    pub fn money(&self) -> Option<Money> {
        self.amount_field()?.money()
    }

    pub fn text(name: &str, label: Label, required: bool, max: usize) -> Field {
        Field::new(
            name,
            label,
            required,
            Entry::Text {
                input: TextField::default(),
                max,
            },
        )
    }

    pub fn amount(name: &str, label: Label) -> Field {
        Field::new(name, label, true, Entry::Amount(AmountField::default()))
    }

    /// Creates a choice field in which the first option is chosen.
    pub fn choice(name: &str, label: Label, options: Vec<Choice>) -> Field {
        Field::new(
            name,
            label,
            true,
            Entry::Choice {
                options,
                chosen: Some(0),
            },
        )
    }

    pub fn secret(name: &str, label: Label, slot: Slot) -> Field {
        Field::new(name, label, true, Entry::Secret { slot, len: 0 })
    }

    pub fn new(name: &str, label: Label, required: bool, entry: Entry) -> Field {
        Field {
            id: name.into(),
            label,
            required,
            entry,
            personal: false,
            touched: false,
            error: None,
            hint: None,
        }
    }

    /// The field marked as personal data. Its value is then hidden while masking is on.
    pub fn personal(self) -> Field {
        Field {
            personal: true,
            ..self
        }
    }

    /// True if the field has no value.
    pub fn is_empty(&self) -> bool {
        match &self.entry {
            Entry::Text { input, .. } => input.value().trim().is_empty(),
            Entry::Amount(amount) => amount.money().is_none(),
            Entry::Choice { .. } => self.chosen().is_none(),
            Entry::Secret { len, .. } => *len == 0,
        }
    }

    /// The value as text. The text is always empty for a secret.
    pub fn value(&self) -> String {
        match &self.entry {
            Entry::Text { input, .. } => input.value().trim().to_owned(),
            Entry::Amount(amount) => amount.money().map(Money::wire).unwrap_or_default(),
            Entry::Choice { .. } => self
                .chosen()
                .map(|choice| choice.value.to_string())
                .unwrap_or_default(),
            Entry::Secret { .. } => String::new(),
        }
    }

    pub fn chosen(&self) -> Option<&Choice> {
        match &self.entry {
            Entry::Choice { options, chosen } => options.get((*chosen)?),
            _ => None,
        }
    }

    /// Selects the option with this value. If there is no such option, no option is selected.
    pub fn choose_value(&mut self, value: Option<&str>) {
        if let Entry::Choice { options, chosen } = &mut self.entry {
            *chosen = options
                .iter()
                .position(|option| Some(&*option.value) == value);
        }
    }

    pub fn fill(&mut self, text: &str) {
        if let Entry::Text { input, .. } = &mut self.entry {
            *input = TextField::new(text.to_owned());
        }
    }

    fn slot(&self) -> Option<&Slot> {
        match &self.entry {
            Entry::Secret { slot, .. } => Some(slot),
            _ => None,
        }
    }

    /// The maximum length or amount of the field's value. Returns `None` for a choice field.
    fn limit(&self) -> Option<Limit> {
        match self.entry {
            Entry::Text { max, .. } => Some(Limit::Characters(max)),
            Entry::Amount(_) => Some(Limit::Amount(AmountField::max_amount())),
            Entry::Secret { .. } => Some(Limit::Characters(MAX_SECRET_BYTES)),
            Entry::Choice { .. } => None,
        }
    }

    fn edit(&mut self, key: Key, pace: Pace) -> Edited {
        match &mut self.entry {
            Entry::Text { input, max } => edit_text(input, *max, key),
            Entry::Amount(amount) => edit_amount(amount, key, pace),
            Entry::Choice { options, chosen } => edit_choice(options.len(), chosen, key),
            Entry::Secret { .. } => Edited::Ignored,
        }
    }

    pub fn amount_field(&self) -> Option<&AmountField> {
        match &self.entry {
            Entry::Amount(amount) => Some(amount),
            _ => None,
        }
    }

    pub fn amount_mut(&mut self) -> Option<&mut AmountField> {
        match &mut self.entry {
            Entry::Amount(amount) => Some(amount),
            _ => None,
        }
    }
}

impl Form {
    /// Creates a form with the focus on its first field.
    pub fn new(fields: Vec<Field>) -> Form {
        Form {
            fields,
            focus: 0,
            touched: false,
        }
    }

    /// The field with the focus, or `None` if the submit button has the focus.
    pub fn focused(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    pub fn focused_mut(&mut self) -> Option<&mut Field> {
        self.fields.get_mut(self.focus)
    }

    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| &*field.id == name)
    }

    /// The form with the field of this name marked as personal data.
    pub fn with_personal(mut self, name: &str) -> Form {
        if let Some(field) = self.field_mut(name) {
            field.personal = true;
        }
        self
    }

    pub fn field_mut(&mut self, name: &str) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| &*field.id == name)
    }

    /// The value of the field with this name. The text is empty if there is no such field.
    pub fn value(&self, name: &str) -> String {
        self.field(name).map(Field::value).unwrap_or_default()
    }

    /// The value of the form's first amount field that has a value.
    pub fn money(&self) -> Option<Money> {
        self.fields.iter().find_map(Field::money)
    }

    /// True if the submit button has the focus.
    pub fn is_on_button(&self) -> bool {
        self.focus >= self.fields.len()
    }

    /// True if the focused field takes printable keys as text.
    pub fn takes_text(&self) -> bool {
        self.focused()
            .is_some_and(|field| !matches!(field.entry, Entry::Choice { .. }))
    }

    /// The slot of the focused field, or `None` if it is not a secret field.
    pub fn secret_slot(&self) -> Option<&Slot> {
        self.focused()?.slot()
    }

    /// The slots of all secret fields.
    pub fn secret_slots(&self) -> Vec<Slot> {
        self.fields
            .iter()
            .filter_map(Field::slot)
            .cloned()
            .collect()
    }

    /// Applies a key press to the field with the focus.
    pub fn edit(&mut self, key: Key, pace: Pace) -> Edited {
        let Some(field) = self.fields.get_mut(self.focus) else {
            return Edited::Ignored;
        };
        let edited = field.edit(key, pace);
        match edited {
            Edited::Changed => {
                field.error = field
                    .amount_field()
                    .and_then(AmountField::fault)
                    .map(FieldError::of);
                field.hint = field.check_hint(false);
                (field.touched, self.touched) = (true, true);
            }
            // The text is refused, because the dropped character would be missing in it.
            Edited::Full if matches!(field.entry, Entry::Text { .. }) => {
                field.error = field.limit().map(FieldError::TooLong);
            }
            Edited::Full => field.hint = field.limit().map(Hint::Full),
            Edited::Unchanged | Edited::Ignored => {}
        }
        edited
    }

    /// Pastes text into the field with the focus. Returns the amount that the text has replaced, if
    /// there was one.
    ///
    /// An empty text changes nothing. Terminals send it if the clipboard contains only a picture.
    pub fn paste(&mut self, text: &Untrusted) -> Option<AmountField> {
        if text.is_empty() {
            return None;
        }
        let field = self.fields.get_mut(self.focus)?;
        let replaced = field
            .amount_field()
            .filter(|amount| !amount.is_empty())
            .cloned();
        field.error = paste(&mut field.entry, text).err();
        field.hint = None;
        (field.touched, self.touched) = (true, true);
        replaced
    }

    /// Updates the length of a secret field after the runtime has changed the secret itself.
    pub fn secret_edited(&mut self, edited: &Slot, new_len: usize) {
        for field in &mut self.fields {
            if let Entry::Secret { slot, len } = &mut field.entry
                && slot == edited
            {
                self.touched |= *len != new_len;
                *len = new_len;
                (field.error, field.hint) = (None, None);
            }
        }
    }

    /// Shows the hint that this secret field is full, so that the last typed character was dropped.
    pub fn secret_full(&mut self, full: &Slot) {
        for field in self
            .fields
            .iter_mut()
            .filter(|field| field.slot() == Some(full))
        {
            field.hint = field.limit().map(Hint::Full);
        }
    }

    /// Moves the focus to the next field. After the last field comes the button, and then the first
    /// field.
    pub fn next(&mut self) {
        self.focus = (self.focus + 1) % (self.fields.len() + 1);
    }

    /// Moves the focus to the previous field. Before the first field comes the button.
    pub fn prev(&mut self) {
        self.focus = self.focus.checked_sub(1).unwrap_or(self.fields.len());
    }

    /// The form's amount. If no amount was typed, marks the amount field as invalid and returns
    /// `None`.
    pub fn money_or_fault(&mut self) -> Option<Money> {
        let money = self.money();
        let index = self
            .fields
            .iter()
            .position(|field| matches!(field.entry, Entry::Amount(_)));
        if money.is_none()
            && let Some(index) = index
        {
            self.fields[index].error.get_or_insert(FieldError::Missing);
            self.focus = index;
        }
        money
    }

    /// Marks required fields that are empty, and moves the focus to the first error. Returns true
    /// if there are no errors.
    ///
    /// First clears the errors of an earlier submit, because a change in another field may have
    /// fixed them. Errors from pasting remain.
    pub fn check(&mut self) -> bool {
        for field in &mut self.fields {
            use FieldError::{Fault, Missing, NotAPixCode, NotAnAddress, OtherAmount};
            field.error.take_if(|error| {
                matches!(
                    error,
                    Missing | Fault(_) | NotAnAddress | NotAPixCode | OtherAmount
                )
            });
            if field.required && field.is_empty() && field.error.is_none() {
                field.error = Some(FieldError::Missing);
            }
        }
        self.focus_first_error()
    }

    /// True if a field cannot be submitted.
    pub fn has_error(&self) -> bool {
        self.fields.iter().any(|field| field.error.is_some())
    }

    /// Moves the focus to the first field with an error. Returns true if there are no errors.
    pub fn focus_first_error(&mut self) -> bool {
        let first_error = self.fields.iter().position(|field| field.error.is_some());
        self.focus = first_error.unwrap_or(self.focus);
        first_error.is_none()
    }

    /// Replaces the value of a text field, as if the user had typed the new value. Moves the focus
    /// to that field.
    pub fn replace(&mut self, name: &str, text: &str) {
        if let Some(index) = self.fields.iter().position(|field| &*field.id == name) {
            self.fields[index].fill(text);
            (self.fields[index].error, self.fields[index].hint) = (None, None);
            self.fields[index].touched = true;
            (self.focus, self.touched) = (index, true);
        }
    }

    pub fn choose(&mut self, name: &str, index: usize) {
        if let Some(Field {
            entry: Entry::Choice { options, chosen },
            ..
        }) = self.field_mut(name)
        {
            *chosen = Some(index.min(options.len().saturating_sub(1)));
        }
    }

    pub fn chosen(&self, name: &str) -> Option<usize> {
        match self.field(name)?.entry {
            Entry::Choice { chosen, .. } => chosen,
            _ => None,
        }
    }

    /// Fills in an amount that the first typed digit replaces.
    pub fn propose_amount(&mut self, name: &str, amount: Money) {
        if let Some(Field {
            entry: Entry::Amount(field),
            ..
        }) = self.field_mut(name)
        {
            field.propose(amount);
        }
    }

    /// Marks a field as invalid, and moves the focus to that field.
    pub fn fault(&mut self, name: &str, error: FieldError) {
        if let Some(index) = self.fields.iter().position(|field| &*field.id == name) {
            self.fields[index].error = Some(error);
            self.focus = index;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::ui::input::Code;

    impl Field {
        fn entry_text(&self) -> &str {
            match &self.entry {
                Entry::Text { input, .. } => input.value(),
                _ => panic!("no text"),
            }
        }
    }

    fn type_text(form: &mut Form, text: &str) {
        for c in text.chars() {
            form.edit(Key::plain(Code::Char(c)), Pace::Deliberate);
        }
    }

    #[test]
    fn amount_fills_from_right_and_ignores_letters() {
        let mut form = Form::new(vec![Field::amount("amount", Label::Word("amount"))]);
        type_text(&mut form, "49q90");
        assert_eq!(form.money(), Some(Money::from_centavos(4_990)));
        form.edit(Key::plain(Code::Backspace), Pace::Deliberate);
        assert_eq!(form.money(), Some(Money::from_centavos(499)));
    }

    #[test]
    fn ambiguous_pasted_amount_is_refused() {
        let mut form = Form::new(vec![Field::amount("amount", Label::Word("amount"))]);
        form.paste(&"1.234".into());
        assert!(matches!(
            form.fields[0].error,
            Some(FieldError::Ambiguous(_))
        ));
        assert!(!form.check());
        form.paste(&"R$ 1.234,56".into());
        assert_eq!(form.money(), Some(Money::from_centavos(123_456)));
        assert!(form.check());
    }

    #[test]
    fn pasted_line_ends_and_tabs_become_one_space() {
        for (pasted, expected) in [
            ("Camiseta\r\n\tazul \n M", "Camiseta azul M"),
            ("\n\tuma  linha \u{1b}\r\n", "uma  linha"),
            ("a\u{2028}b\u{85}c", "a b c"),
            ("\t\r\n", ""),
        ] {
            let mut form = Form::new(vec![Field::text("d", Label::Word("d"), true, 50)]);
            form.paste(&pasted.into());
            assert_eq!(form.value("d"), expected, "{pasted:?}");
            assert_eq!(form.fields[0].error, None);
        }
    }

    #[test]
    fn cut_or_refused_input_names_the_limit() {
        let mut form = Form::new(vec![
            Field::text("d", Label::Word("d"), false, 5),
            Field::amount("amount", Label::Word("amount")),
            Field::secret("s", Label::Word("s"), "s".into()),
        ]);
        let max_text = Limit::Characters(5);
        form.paste(&"ab\r\ncdefg".into());
        assert_eq!(form.value("d"), "ab cd");
        assert_eq!(form.fields[0].error, Some(FieldError::TooLong(max_text)));
        // A character that exceeds the limit is refused, and so is the text until it is edited.
        form.fields[0].fill("abcd");
        type_text(&mut form, "e");
        assert_eq!(
            (&form.fields[0].error, &form.fields[0].hint),
            (&None, &None)
        );
        type_text(&mut form, "f");
        assert_eq!(form.value("d"), "abcde");
        assert_eq!(form.fields[0].error, Some(FieldError::TooLong(max_text)));
        assert!(!form.check());
        press(&mut form, "Backspace");
        assert_eq!(
            (&form.fields[0].error, &form.fields[0].hint),
            (&None, &None)
        );

        form.next();
        let max_amount = Limit::Amount(AmountField::max_amount());
        type_text(&mut form, "9999999999991");
        assert_eq!(form.money(), Some(AmountField::max_amount()));
        assert_eq!(form.fields[1].hint, Some(Hint::Full(max_amount)));
        form.paste(&"R$ 10.000.000.000,00".into());
        assert_eq!(form.fields[1].error, Some(FieldError::TooLong(max_amount)));
        assert_eq!(form.fields[1].hint, None);

        form.secret_full(&"s".into());
        assert_eq!(
            form.fields[2].hint,
            Some(Hint::Full(Limit::Characters(MAX_SECRET_BYTES)))
        );
        form.secret_edited(&"s".into(), 3);
        assert_eq!(form.fields[2].hint, None);
    }

    #[test]
    fn check_focuses_the_first_error() {
        let mut form = Form::new(vec![
            Field::amount("amount", Label::Word("amount")),
            Field::text("d", Label::Word("d"), true, 5),
        ]);
        type_text(&mut form, "100");
        form.next();
        form.next();
        assert!(form.is_on_button());
        assert!(!form.check());
        assert_eq!(form.focus, 1);
        assert_eq!(form.fields[1].error, Some(FieldError::Missing));
    }

    fn press(form: &mut Form, keys: &str) {
        for key in keys.split_whitespace() {
            let key = key
                .parse()
                .unwrap_or_else(|()| panic!("no such key: {key}"));
            form.edit(key, Pace::Deliberate);
        }
    }

    #[test]
    fn word_keys_move_cursor_and_delete_whole_words() {
        let mut form = Form::new(vec![Field::text("d", Label::Word("d"), false, 80)]);
        for (keys, value) in [
            ("Ctrl-W", "Pão de açúcar, 2 "),
            ("Alt-Backspace", "Pão de açúcar, 2 "),
            ("Ctrl-Left Ctrl-Left Ctrl-W", "Pão de 2 maçãs"),
            ("Alt-b Alt-b Alt-Backspace", "Pão de 2 maçãs"),
            ("Alt-Left Alt-b Ctrl-W", "Pão de 2 maçãs"),
            ("Home Ctrl-Right Ctrl-W", "de açúcar, 2 maçãs"),
            ("Home Alt-f Alt-f Alt-Backspace", "Pão açúcar, 2 maçãs"),
            ("Home Alt-Right Alt-f Ctrl-W", "Pão açúcar, 2 maçãs"),
        ] {
            form.fields[0].fill("Pão de açúcar, 2 maçãs");
            press(&mut form, keys);
            assert_eq!(form.fields[0].entry_text(), value, "{keys}");
        }
        // A combining accent counts as part of the letter before it.
        form.fields[0].fill("um cafe\u{301}");
        press(&mut form, "Ctrl-W");
        assert_eq!(form.fields[0].entry_text(), "um ");
    }

    #[test]
    fn deleting_a_word_clears_the_amount() {
        for key in ["Ctrl-W", "Alt-Backspace"] {
            let mut form = Form::new(vec![Field::amount("amount", Label::Word("amount"))]);
            type_text(&mut form, "4990");
            press(&mut form, key);
            assert_eq!(form.money(), None, "{key}");
        }
    }
}
