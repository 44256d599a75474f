//! A form: fields, where the focus stands, and what is wrong with each.
//!
//! Forms are built from the contract's declared fields, so a service that wants other fields gets
//! another form without another line of code.

mod edit;

use std::sync::Arc;

use tui_input::{Input as TextField, InputRequest};

use crate::app::ui::input::Key;
use crate::contract::FieldFault;
use crate::trade::{
    AmountField, Money, Nickname, PasteError, PixKeyKind, SECRET_BYTES, Untrusted, read_pasted,
};

use edit::{edit_amount, edit_choice};
pub use edit::{edit_text, one_line};

/// A secret field of the runtime, by name: what is typed there never enters the model.
pub type Slot = Arc<str>;

/// A form. Behind the last field stands the submitting button.
#[derive(Debug, Clone, Default)]
pub struct Form {
    /// The fields, from the top.
    pub fields: Vec<Field>,
    /// The field with the focus; `fields.len()` is the button.
    pub focus: usize,
    /// True when anything was typed since it opened.
    pub touched: bool,
}

/// One field of a form.
#[derive(Debug, Clone)]
pub struct Field {
    /// Its name; for the contract's fields the name in the body.
    pub name: Arc<str>,
    /// Its name on the screen.
    pub label: Label,
    /// True when it must be filled in.
    pub required: bool,
    /// Its kind, and the value that is in it.
    pub entry: Entry,
    /// True when it names a person: what is in it is masked where others look at the screen.
    pub personal: bool,
    /// True when the seller typed or chose here since the form opened.
    pub touched: bool,
    /// The fault that was found when it was submitted or pasted into.
    pub error: Option<FieldError>,
    /// A remark beside it, which does not keep the form from being submitted.
    pub hint: Option<Hint>,
}

/// A remark beside a field that may be submitted as it is.
#[derive(Debug, Clone, PartialEq)]
pub enum Hint {
    /// The field is full: the last characters typed were not taken.
    Full(Limit),
    /// It looks like a PIX key of these kinds, none of which is the one that was chosen.
    OtherKind(Vec<PixKeyKind>),
    /// The seller calls this PIX key so.
    Called(Nickname),
}

/// The most that a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    /// A number of characters.
    Characters(usize),
    /// An amount up to this one.
    Amount(Money),
}

/// The name of a field on the screen.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Label {
    /// A message of the program's words.
    Word(&'static str),
    /// Words of the contract, in both languages.
    Said { pt: Arc<str>, en: Arc<str> },
}

/// The kind of a field, with the value that is in it.
#[derive(Debug, Clone)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum Entry {
    /// A line of text, of at most `max` characters.
    Text { input: TextField, max: usize },
    /// An amount; digits fill from the right.
    Amount(AmountField),
    /// One of several; `chosen` is its place among them.
    Choice { options: Vec<Choice>, chosen: usize },
    /// A secret: the runtime keeps it in its slot, and only its length is known here.
    Secret { slot: Slot, len: usize },
}

/// One of several things a field offers.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// The value it stands for.
    pub value: Arc<str>,
    /// Its name on the screen.
    pub label: ChoiceLabel,
}

/// The name of a choice on the screen.
#[derive(Debug, Clone, PartialEq)]
pub enum ChoiceLabel {
    /// A label, as a field has one.
    Label(Label),
    /// Words from outside, such as a host.
    Theirs(Untrusted),
}

/// The reason a field cannot be submitted.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldError {
    /// It must be filled in.
    Missing,
    /// The pasted text can be read as two amounts, and the program does not choose between them.
    Ambiguous([Money; 2]),
    /// The pasted text is no amount.
    NotAnAmount,
    /// The pasted text does not fit.
    TooLong(Limit),
    /// The contract's field does not take it.
    Fault(FieldFault),
    /// It is not what was to be typed.
    Differs,
}

impl FieldError {
    fn of(error: PasteError) -> FieldError {
        match error {
            PasteError::TooLarge => FieldError::TooLong(Limit::Amount(AmountField::most())),
            PasteError::Ambiguous { readings } => FieldError::Ambiguous(readings),
            PasteError::NotAnAmount => FieldError::NotAnAmount,
        }
    }
}

/// The effect of a key on a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edited {
    /// The key is not for the field.
    Ignored,
    /// It was taken, but the value is the same.
    Taken,
    /// It is text for which there is no room.
    Full,
    /// The value changed.
    Changed,
}

impl Choice {
    /// A choice that one of our messages names.
    pub fn word(value: &str, id: &'static str) -> Choice {
        Choice { value: value.into(), label: ChoiceLabel::Label(Label::Word(id)) }
    }

    /// A choice that is called as its value is.
    pub fn theirs(value: &str) -> Choice {
        Choice { value: value.into(), label: ChoiceLabel::Theirs(value.into()) }
    }
}

impl Field {
    /// The amount that was typed into it.
    pub fn money(&self) -> Option<Money> {
        match &self.entry {
            Entry::Amount(amount) => amount.money(),
            _ => None,
        }
    }

    /// An empty line of text.
    pub fn text(name: &str, label: Label, required: bool, max: usize) -> Field {
        Field::new(name, label, required, Entry::Text { input: TextField::default(), max })
    }

    /// An empty amount.
    pub fn amount(name: &str, label: Label) -> Field {
        Field::new(name, label, true, Entry::Amount(AmountField::default()))
    }

    /// A choice, the first chosen.
    pub fn choice(name: &str, label: Label, options: Vec<Choice>) -> Field {
        Field::new(name, label, true, Entry::Choice { options, chosen: 0 })
    }

    /// A secret, kept elsewhere.
    pub fn secret(name: &str, label: Label, slot: Slot) -> Field {
        Field::new(name, label, true, Entry::Secret { slot, len: 0 })
    }

    /// A field.
    pub fn new(name: &str, label: Label, required: bool, entry: Entry) -> Field {
        Field {
            name: name.into(),
            label,
            required,
            entry,
            personal: false,
            touched: false,
            error: None,
            hint: None,
        }
    }

    /// The same field, for something personal.
    pub fn personal(self) -> Field {
        Field { personal: true, ..self }
    }

    /// Returns true when nothing is in it.
    pub fn is_empty(&self) -> bool {
        match &self.entry {
            Entry::Text { input, .. } => input.value().trim().is_empty(),
            Entry::Amount(amount) => amount.money().is_none(),
            Entry::Choice { options, .. } => options.is_empty(),
            Entry::Secret { len, .. } => *len == 0,
        }
    }

    /// Its value as text; a secret has none here.
    pub fn value(&self) -> String {
        match &self.entry {
            Entry::Text { input, .. } => input.value().trim().to_owned(),
            Entry::Amount(amount) => amount.money().map(Money::wire).unwrap_or_default(),
            Entry::Choice { options, chosen } => {
                options.get(*chosen).map(|choice| choice.value.to_string()).unwrap_or_default()
            }
            Entry::Secret { .. } => String::new(),
        }
    }

    /// Fills a text field in.
    pub fn fill(&mut self, text: &str) {
        if let Entry::Text { input, .. } = &mut self.entry {
            *input = TextField::new(text.to_owned());
        }
    }

    /// The slot of a secret.
    fn slot(&self) -> Option<&Slot> {
        match &self.entry {
            Entry::Secret { slot, .. } => Some(slot),
            _ => None,
        }
    }

    /// Returns the most it takes; a choice has no limit of its own.
    fn limit(&self) -> Option<Limit> {
        match self.entry {
            Entry::Text { max, .. } => Some(Limit::Characters(max)),
            Entry::Amount(_) => Some(Limit::Amount(AmountField::most())),
            Entry::Secret { .. } => Some(Limit::Characters(SECRET_BYTES)),
            Entry::Choice { .. } => None,
        }
    }

    fn edit(&mut self, key: Key) -> Edited {
        match &mut self.entry {
            Entry::Text { input, max } => edit_text(input, *max, key),
            Entry::Amount(amount) => edit_amount(amount, key),
            Entry::Choice { options, chosen } => edit_choice(options.len(), chosen, key),
            Entry::Secret { .. } => Edited::Ignored,
        }
    }

    /// The amount in it, where it is one.
    pub fn amount_mut(&mut self) -> Option<&mut AmountField> {
        match &mut self.entry {
            Entry::Amount(amount) => Some(amount),
            _ => None,
        }
    }

    fn paste(&mut self, text: &Untrusted) -> Result<(), FieldError> {
        match &mut self.entry {
            Entry::Text { input, max } => {
                for c in one_line(text.raw()).chars() {
                    if input.value().chars().count() >= *max {
                        return Err(FieldError::TooLong(Limit::Characters(*max)));
                    }
                    input.handle(InputRequest::InsertChar(c));
                }
                Ok(())
            }
            Entry::Amount(amount) => match read_pasted(text.raw()) {
                Ok(money) if amount.set(money) => Ok(()),
                Ok(_) => Err(FieldError::of(PasteError::TooLarge)),
                Err(error) => Err(FieldError::of(error)),
            },
            Entry::Choice { .. } | Entry::Secret { .. } => Ok(()),
        }
    }
}

impl Form {
    /// A form with the focus on its first field.
    pub fn new(fields: Vec<Field>) -> Form {
        Form { fields, focus: 0, touched: false }
    }

    /// The field with the focus; `None` is the button.
    pub fn focused(&self) -> Option<&Field> {
        self.fields.get(self.focus)
    }

    /// The same, to change it.
    pub fn focused_mut(&mut self) -> Option<&mut Field> {
        self.fields.get_mut(self.focus)
    }

    /// The field of this name.
    pub fn field(&self, name: &str) -> Option<&Field> {
        self.fields.iter().find(|field| &*field.name == name)
    }

    /// The same form; the field of this name is about a person.
    pub fn with_personal(mut self, name: &str) -> Form {
        if let Some(field) = self.field_mut(name) {
            field.personal = true;
        }
        self
    }

    /// The field of this name, to fill it in.
    pub fn field_mut(&mut self, name: &str) -> Option<&mut Field> {
        self.fields.iter_mut().find(|field| &*field.name == name)
    }

    /// The value of the field of this name; empty when there is none.
    pub fn value(&self, name: &str) -> String {
        self.field(name).map(Field::value).unwrap_or_default()
    }

    /// The first amount that was typed into the form.
    pub fn money(&self) -> Option<Money> {
        self.fields.iter().find_map(Field::money)
    }

    /// Returns true when the focus stands on the submitting button.
    pub fn on_button(&self) -> bool {
        self.focus >= self.fields.len()
    }

    /// Returns true when printable keys are text now.
    pub fn takes_text(&self) -> bool {
        self.focused().is_some_and(|field| !matches!(field.entry, Entry::Choice { .. }))
    }

    /// The secret slot with the focus.
    pub fn secret_slot(&self) -> Option<&Slot> {
        self.focused()?.slot()
    }

    /// The slots of all its secrets.
    pub fn secret_slots(&self) -> Vec<Slot> {
        self.fields.iter().filter_map(Field::slot).cloned().collect()
    }

    /// Gives a key to the field with the focus.
    pub fn edit(&mut self, key: Key) -> Edited {
        let Some(field) = self.fields.get_mut(self.focus) else { return Edited::Ignored };
        let edited = field.edit(key);
        match edited {
            Edited::Changed => {
                let fault = field.amount_mut().and_then(|amount| amount.fault());
                (field.error, field.hint) = (fault.map(FieldError::of), None);
                (field.touched, self.touched) = (true, true);
            }
            Edited::Full => field.hint = field.limit().map(Hint::Full),
            Edited::Taken | Edited::Ignored => {}
        }
        edited
    }

    /// Gives pasted text to the field with the focus.
    pub fn paste(&mut self, text: &Untrusted) {
        let Some(field) = self.fields.get_mut(self.focus) else { return };
        (field.error, field.hint) = (field.paste(text).err(), None);
        (field.touched, self.touched) = (true, true);
    }

    /// Hears how long a secret is now.
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

    /// Hears that a secret took no more.
    pub fn secret_full(&mut self, full: &Slot) {
        for field in self.fields.iter_mut().filter(|field| field.slot() == Some(full)) {
            field.hint = field.limit().map(Hint::Full);
        }
    }

    /// Moves the focus to the next field, or to the button behind the last.
    pub fn next(&mut self) {
        self.focus = (self.focus + 1) % (self.fields.len() + 1);
    }

    /// Moves the focus to the field before.
    pub fn prev(&mut self) {
        self.focus = self.focus.checked_sub(1).unwrap_or(self.fields.len());
    }

    /// The first amount, or `None` and a fault at the field that should hold one.
    pub fn money_or_fault(&mut self) -> Option<Money> {
        let money = self.money();
        let at = self.fields.iter().position(|field| matches!(field.entry, Entry::Amount(_)));
        if let (None, Some(at)) = (money, at) {
            self.fields[at].error.get_or_insert(FieldError::Missing);
            self.focus = at;
        }
        money
    }

    /// Marks what is missing, and puts the focus on the first fault; true when there is none.
    ///
    /// A fault found at an earlier submit may be mended by another field, as the kind of a key
    /// mends the key: those are looked for anew. What could not be pasted stays refused.
    pub fn check(&mut self) -> bool {
        for field in &mut self.fields {
            if matches!(field.error, Some(FieldError::Missing | FieldError::Fault(_))) {
                field.error = None;
            }
            if field.required && field.is_empty() && field.error.is_none() {
                field.error = Some(FieldError::Missing);
            }
        }
        let fault = self.fields.iter().position(|field| field.error.is_some());
        self.focus = fault.unwrap_or(self.focus);
        fault.is_none()
    }

    /// Puts another text into a field, as if it was typed there, and the focus with it.
    pub fn replace(&mut self, name: &str, text: &str) {
        if let Some(at) = self.fields.iter().position(|field| &*field.name == name) {
            self.fields[at].fill(text);
            (self.fields[at].error, self.fields[at].hint) = (None, None);
            self.fields[at].touched = true;
            (self.focus, self.touched) = (at, true);
        }
    }

    /// Chooses one of a choice.
    pub fn choose(&mut self, name: &str, at: usize) {
        if let Some(Field { entry: Entry::Choice { options, chosen }, .. }) = self.field_mut(name) {
            *chosen = at.min(options.len().saturating_sub(1));
        }
    }

    /// Returns the place of the chosen option of a choice.
    pub fn chosen(&self, name: &str) -> Option<usize> {
        match self.field(name)?.entry {
            Entry::Choice { chosen, .. } => Some(chosen),
            _ => None,
        }
    }

    /// Fills an amount in.
    pub fn set_amount(&mut self, name: &str, amount: Money) {
        if let Some(Field { entry: Entry::Amount(field), .. }) = self.field_mut(name) {
            field.set(amount);
        }
    }

    /// Marks one field as wrong and puts the focus there.
    pub fn fault(&mut self, name: &str, error: FieldError) {
        if let Some(at) = self.fields.iter().position(|field| &*field.name == name) {
            self.fields[at].error = Some(error);
            self.focus = at;
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

    fn typed(form: &mut Form, text: &str) {
        for c in text.chars() {
            form.edit(Key::plain(Code::Char(c)));
        }
    }

    #[test]
    fn amount_fills_from_right_and_ignores_letters() {
        let mut form = Form::new(vec![Field::amount("amount", Label::Word("amount"))]);
        typed(&mut form, "49q90");
        assert_eq!(form.money(), Some(Money::from_centavos(4_990)));
        form.edit(Key::plain(Code::Backspace));
        assert_eq!(form.money(), Some(Money::from_centavos(499)));
    }

    #[test]
    fn ambiguous_pasted_amount_is_refused() {
        let mut form = Form::new(vec![Field::amount("amount", Label::Word("amount"))]);
        form.paste(&"1.234".into());
        assert!(matches!(form.fields[0].error, Some(FieldError::Ambiguous(_))));
        assert!(!form.check());
        form.paste(&"R$ 1.234,56".into());
        assert_eq!(form.money(), Some(Money::from_centavos(123_456)));
        assert!(form.check());
    }

    #[test]
    fn pasted_line_ends_and_tabs_become_one_space() {
        for (pasted, kept) in [
            ("Camiseta\r\n\tazul \n M", "Camiseta azul M"),
            ("\n\tuma  linha \u{1b}\r\n", "uma  linha"),
            ("a\u{2028}b\u{85}c", "a b c"),
            ("\t\r\n", ""),
        ] {
            let mut form = Form::new(vec![Field::text("d", Label::Word("d"), true, 50)]);
            form.paste(&pasted.into());
            assert_eq!(form.value("d"), kept, "{pasted:?}");
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
        let five = Limit::Characters(5);
        form.paste(&"ab\r\ncdefg".into());
        assert_eq!(form.value("d"), "ab cd");
        assert_eq!(form.fields[0].error, Some(FieldError::TooLong(five)));
        // What was typed beyond it is refused, and may be submitted without.
        form.fields[0].fill("abcd");
        typed(&mut form, "e");
        assert_eq!((&form.fields[0].error, &form.fields[0].hint), (&None, &None));
        typed(&mut form, "f");
        assert_eq!(form.value("d"), "abcde");
        assert_eq!(form.fields[0].hint, Some(Hint::Full(five)));
        assert!(form.fields[0].error.is_none());
        press(&mut form, "Backspace");
        assert_eq!(form.fields[0].hint, None);

        form.next();
        let most = Limit::Amount(AmountField::most());
        typed(&mut form, "9999999999991");
        assert_eq!(form.money(), Some(AmountField::most()));
        assert_eq!(form.fields[1].hint, Some(Hint::Full(most)));
        form.paste(&"R$ 10.000.000.000,00".into());
        assert_eq!(form.fields[1].error, Some(FieldError::TooLong(most)));
        assert_eq!(form.fields[1].hint, None);

        form.secret_full(&"s".into());
        assert_eq!(form.fields[2].hint, Some(Hint::Full(Limit::Characters(SECRET_BYTES))));
        form.secret_edited(&"s".into(), 3);
        assert_eq!(form.fields[2].hint, None);
    }

    #[test]
    fn checking_puts_the_focus_on_the_first_fault() {
        let mut form = Form::new(vec![
            Field::amount("amount", Label::Word("amount")),
            Field::text("d", Label::Word("d"), true, 5),
        ]);
        typed(&mut form, "100");
        form.next();
        form.next();
        assert!(form.on_button());
        assert!(!form.check());
        assert_eq!(form.focus, 1);
        assert_eq!(form.fields[1].error, Some(FieldError::Missing));
    }

    fn press(form: &mut Form, keys: &str) {
        for key in keys.split_whitespace() {
            form.edit(key.parse().unwrap_or_else(|()| panic!("no such key: {key}")));
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
        // An accent on its own belongs to the letter before it.
        form.fields[0].fill("um cafe\u{301}");
        press(&mut form, "Ctrl-W");
        assert_eq!(form.fields[0].entry_text(), "um ");
    }

    #[test]
    fn an_amount_is_one_word() {
        for key in ["Ctrl-W", "Alt-Backspace"] {
            let mut form = Form::new(vec![Field::amount("amount", Label::Word("amount"))]);
            typed(&mut form, "4990");
            press(&mut form, key);
            assert_eq!(form.money(), None, "{key}");
        }
    }
}
