//! The prompts: what the next line answers, and how the person is asked for it.

use super::page_text::{button_label, without_signs};
use crate::app::Model;
use crate::app::router::{self, with_front_screen};
use crate::app::screen::{Screen, ScreenBody};
use crate::app::screens::Layer;
use crate::app::ui::form::{Choice, Entry, Form};
use crate::app::ui::text::capital;
use crate::app::ui::{Action, Page, form_page};
use crate::trade::Money;
use crate::trade::search::searchable;
use crate::words::Catalogue;

/// The meaning of the next line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Prompt {
    /// The number of a row, or a word that runs an action.
    Command,
    /// The text to search for.
    Search,
    /// The value of the field with this index.
    Field { index: usize },
    /// The value of a secret field, which the terminal must not show.
    Secret { index: usize },
    /// Enter submits the form.
    Submit,
    /// A row of the command palette, or another word for it.
    Choose,
    /// The answer that confirms the terms on the screen.
    Question { amount: Option<Money> },
    /// A request is pending, so only going back has a use.
    Wait,
}

impl Prompt {
    /// The prompt for the front screen.
    pub fn of(model: &Model) -> Prompt {
        if matches!(model.layers.last(), Some(Layer::Palette(_))) {
            return Prompt::Choose;
        }
        if router::is_searching(model) {
            return Prompt::Search;
        }
        with_front_screen(model, |screen, store| match screen.body() {
            _ if screen.wait().is_some() => Prompt::Wait,
            ScreenBody::Dialog(..) => Prompt::Question {
                amount: screen.offer(store).and_then(|offer| offer.amount),
            },
            ScreenBody::Form(form) => Prompt::of_form(form),
            ScreenBody::Sent(sent) => Prompt::of_form(&sent.form),
            ScreenBody::Text | ScreenBody::List(_) => Prompt::Command,
        })
    }

    fn of_form(form: &Form) -> Prompt {
        let index = form.focus;
        match form.focused().map(|field| &field.entry) {
            Some(Entry::Secret { .. }) => Prompt::Secret { index },
            Some(_) => Prompt::Field { index },
            None => Prompt::Submit,
        }
    }

    /// True if an empty line goes back.
    pub fn is_left_by_enter(self) -> bool {
        matches!(self, Prompt::Search | Prompt::Choose)
    }
}

/// The text of a prompt, without a line end. `None` while a request is pending.
pub fn text(words: &Catalogue, model: &Model, page: &Page, prompt: Prompt) -> Option<String> {
    let id = match prompt {
        Prompt::Command => "stream-command",
        Prompt::Search => "stream-search",
        Prompt::Choose => "stream-choose",
        Prompt::Wait => return None,
        Prompt::Submit => return Some(submit_text(words, model)),
        Prompt::Field { .. } | Prompt::Secret { .. } => {
            return with_front_screen(model, |screen, _| field_text(words, screen));
        }
        Prompt::Question { amount } => {
            let label = button_label(page).unwrap_or_else(|| words.text("stream-confirm"));
            let label = without_signs(words, &label);
            let accept = words.text("stream-accept");
            let values = [("label", &*label), ("accept", &accept)];
            let id = if amount.is_some() {
                "stream-ask-amount"
            } else {
                "stream-ask-accept"
            };
            return Some(words.with(id, &values) + " ");
        }
    };
    Some(words.text(id) + " ")
}

fn submit_text(words: &Catalogue, model: &Model) -> String {
    let actions = router::actions_with(model, false);
    let label = capital(&actions.label(words, Action::Submit));
    words.with("stream-submit", &[("label", &label)]) + " "
}

/// Asks for the field that has the focus: its label, its options and its value.
fn field_text(words: &Catalogue, screen: &dyn Screen) -> Option<String> {
    let form = screen.form()?;
    let field = form.focused()?;
    let label = form_page::label(words, &field.label) + &form_page::optional(words, field);
    let [number, count] = [form.focus + 1, form.fields.len()].map(|number| number.to_string());
    let values = [("label", &*label), ("number", &number), ("count", &count)];
    let mut text = words.with("stream-field", &values);
    let value = without_signs(words, &form_page::value_text(words, field));
    if !field.is_empty() && !value.is_empty() {
        text.push_str(&words.with("stream-field-value", &[("value", &value)]));
    }
    if let Entry::Choice { options, .. } = &field.entry {
        let options = options.iter().enumerate().map(|(index, option)| {
            format!("{} {}", index + 1, form_page::choice_label(words, option))
        });
        text.push_str(". ");
        text.push_str(&options.collect::<Vec<_>>().join(", "));
    }
    Some(text + ": ")
}

/// The index of the option that a line names by its number or by its label.
pub fn choice(words: &Catalogue, options: &[Choice], line: &str) -> Option<usize> {
    let word = searchable(line.trim());
    if let Ok(number) = word.parse::<usize>() {
        return number.checked_sub(1).filter(|index| *index < options.len());
    }
    let labels = options
        .iter()
        .map(|option| searchable(&form_page::choice_label(words, option)));
    let labels: Vec<String> = labels.collect();
    let exact = labels.iter().position(|label| *label == word);
    exact.or_else(|| {
        let mut found = (0..labels.len()).filter(|index| labels[*index].starts_with(&word));
        found.next().filter(|_| found.next().is_none())
    })
}
