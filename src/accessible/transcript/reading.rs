//! The meaning of a typed line.

use super::{CONFIRM_LIMIT_MS, Pending, Transcript, next_field};
use crate::accessible::Step;
use crate::accessible::answer::{self, Answer};
use crate::accessible::list_rows::{NextRows, Numbered};
use crate::accessible::prompt::{self, Prompt};
use crate::app::router::{self, read_tracker, with_front_screen};
use crate::app::screen::Focus;
use crate::app::store::frame_snapshot::Front;
use crate::app::ui::form::{Entry, FieldError};
use crate::app::ui::input::{Code, Key, Pace};
use crate::app::ui::list::AnyList;
use crate::app::ui::{Action, failure};
use crate::app::{Model, Pane};
use crate::trade::search::searchable;
use crate::words::Catalogue;

impl Transcript {
    /// Interprets a typed line. Returns the input for the app that it means.
    pub fn read(&mut self, model: &Model, line: &str, pace: Pace) -> Vec<Step> {
        self.is_at_prompt = false;
        let steps = self.interpret(model, line, pace);
        if !steps.is_empty() {
            // The input removes the notice, so the same notice would be a new one.
            self.notice.clear();
        }
        steps
    }

    fn interpret(&mut self, model: &Model, line: &str, pace: Pace) -> Vec<Step> {
        let words = model.words();
        if matches!(
            self.pending,
            Some(Pending::Confirm {
                is_pressed: false,
                ..
            })
        ) {
            // More input came with the answer, so the answer may be part of a paste.
            self.pending = None;
            self.replies.push(words.text("stream-early"));
            return vec![];
        }
        let prompt = self.prompt.unwrap_or(Prompt::Command);
        let front = Some((Front::of(model), read_tracker::terms(model)));
        if (&self.front, prompt) != (&front, Prompt::of(model)) {
            // The line answers a question that was replaced.
            self.replies.push(words.text("stream-changed"));
            return vec![];
        }
        if let Prompt::Secret { .. } = prompt {
            let goes_back = answer::is_one_of(words, "stream-back-words", &searchable(line));
            return if goes_back {
                vec![Step::Act(Action::Back)]
            } else {
                self.fill(model, line)
            };
        }
        if let Prompt::Question { amount } = prompt {
            if answer::is_one_of(words, "stream-again-words", &searchable(line.trim())) {
                self.tell_again();
                return vec![];
            }
            return self.answer(model, answer::judge(words, amount, line, pace));
        }
        if let Prompt::Field { .. } = prompt
            && line.starts_with(' ')
        {
            // A space before a word makes it the value.
            return self.fill(model, line);
        }
        let word = searchable(line.trim());
        if let Some(steps) = self.read_word(model, prompt, &word) {
            return steps;
        }
        match prompt {
            Prompt::Search => {
                let clear = Step::Key(ctrl('u'));
                vec![
                    clear,
                    Step::Paste(line.to_owned()),
                    Step::Act(Action::Enter),
                ]
            }
            Prompt::Field { .. } | Prompt::Submit => {
                if let Some(command) = line.strip_prefix(':') {
                    return self.find_command(command, false);
                }
                self.fill(model, line)
            }
            Prompt::Choose => match self.choose_row(model, &word) {
                Some(steps) => steps,
                None => self.find_command(line, true),
            },
            Prompt::Command => match self.choose_row(model, &word) {
                Some(steps) => steps,
                None => self.run_word(model, line, &word),
            },
            Prompt::Wait => key_step(model, line).into_iter().collect(),
            Prompt::Secret { .. } | Prompt::Question { .. } => vec![],
        }
    }

    /// Interprets the words that work everywhere except in questions.
    fn read_word(&mut self, model: &Model, prompt: Prompt, word: &str) -> Option<Vec<Step>> {
        let words = model.words();
        let is = |id| answer::is_one_of(words, id, word);
        if is("stream-back-words") || (word.is_empty() && prompt.is_left_by_enter()) {
            return Some(vec![Step::Act(Action::Back)]);
        }
        if is("stream-quit-words") {
            return Some(vec![Step::Act(Action::Leave)]);
        }
        if is("stream-help-words") || (word.is_empty() && prompt == Prompt::Command) {
            self.replies.extend(help(words, model, prompt));
            return Some(vec![]);
        }
        if is("stream-again-words") {
            self.tell_again();
            return Some(vec![]);
        }
        if is("stream-more-words") && prompt == Prompt::Command {
            return Some(self.next_rows(model));
        }
        None
    }

    /// Tells the next page of a list. The rows after the visible ones are loaded first.
    fn next_rows(&mut self, model: &Model) -> Vec<Step> {
        let last = with_front_screen(model, |screen, store| screen.list(store).map(AnyList::last));
        match self.screen.rows.next_page(last) {
            NextRows::Shown => vec![],
            NextRows::Hidden => vec![Step::Act(Action::PageDown)],
            NextRows::None => {
                self.replies.push(model.words().text("stream-no-more"));
                vec![]
            }
        }
    }

    /// Chooses the row with this number. Returns `None` if the word is not a number.
    fn choose_row(&mut self, model: &Model, word: &str) -> Option<Vec<Step>> {
        let words = model.words();
        let number: u64 = word.parse().ok()?;
        let (row, (column, y)) = match self.screen.rows.find(number) {
            Numbered::Row(row, cell) => (row, cell),
            Numbered::Changed => {
                self.replies.push(words.text("stream-list-changed"));
                self.screen.rows.tell_again();
                return Some(vec![]);
            }
            Numbered::None => {
                let text = words.with("stream-no-row", &[("number", word)]);
                self.replies.push(text);
                return Some(vec![]);
            }
        };
        let cursor = with_front_screen(model, |screen, store| screen.cursor(store));
        // A click on the row under the cursor opens it. A click on another row moves the cursor.
        let clicks = if cursor == Some(row) { 1 } else { 2 };
        Some(vec![Step::Click(column, y); clicks])
    }

    /// Runs the action with this name on the screen, the action of this key, or the command that
    /// the palette finds.
    fn run_word(&mut self, model: &Model, line: &str, word: &str) -> Vec<Step> {
        let words = model.words();
        self.tell_current_row(model);
        let actions = router::actions_with(model, read_tracker::has_more(model));
        let mut offered = actions.offered.iter().copied();
        if let Some(action) =
            offered.find(|action| searchable(&actions.label(words, *action)) == word)
        {
            return vec![Step::Act(action)];
        }
        let pane = Pane::ALL
            .into_iter()
            .find(|pane| searchable(pane.name(words.lang())) == word);
        if let Some(pane) = pane {
            return vec![Step::Act(pane.action())];
        }
        match key_step(model, line) {
            Some(step) => vec![step],
            None => self.find_command(line, false),
        }
    }

    /// Tells the row under the cursor, which most actions of a list are about.
    fn tell_current_row(&mut self, model: &Model) {
        let cursor = with_front_screen(model, |screen, store| screen.cursor(store));
        let Some((row, text)) = cursor.and_then(|row| Some((row, self.screen.rows.text(row)?)))
        else {
            return;
        };
        let number = (row + 1).to_string();
        let values = [("number", &*number), ("row", text)];
        self.replies.push(model.words().with("stream-row", &values));
    }

    /// Types a word into the command palette.
    fn find_command(&mut self, line: &str, is_open: bool) -> Vec<Step> {
        let word = line.trim().to_owned();
        let mut steps = vec![if is_open {
            Step::Key(ctrl('u'))
        } else {
            Step::Act(Action::Palette)
        }];
        steps.extend(word.chars().map(|c| Step::Key(Key::plain(Code::Char(c)))));
        self.pending = Some(Pending::Palette(word));
        steps
    }

    /// Fills a line into the field of the prompt. An empty line keeps its value.
    fn fill(&mut self, model: &Model, line: &str) -> Vec<Step> {
        let words = model.words();
        let form = model.layers.last().and_then(|layer| layer.screen().form());
        let Some(form) = form else { return vec![] };
        let Some(field) = form.focused() else {
            return self.read_submit(model, line.trim());
        };
        if line.trim().is_empty() {
            return vec![next_field(model)];
        }
        if let Entry::Choice { options, chosen } = &field.entry {
            let Some(option) = prompt::choice(words, options, line) else {
                self.replies.push(words.text("stream-no-choice"));
                return vec![];
            };
            self.pending = Some(Pending::Filled(form.focus));
            return choice_steps(*chosen, option);
        }
        self.pending = Some(Pending::Filled(form.focus));
        let clear = Step::Key(ctrl('u'));
        if line.trim() == "-" {
            return vec![clear];
        }
        vec![clear, Step::Paste(line.to_owned())]
    }

    /// Interprets a line after the last field: Enter or the name of the button submits, and a
    /// number goes back to a field.
    fn read_submit(&mut self, model: &Model, line: &str) -> Vec<Step> {
        let words = model.words();
        let label = router::actions_with(model, false).label(words, Action::Submit);
        if line.is_empty() || searchable(line) == searchable(&label) {
            return vec![Step::Act(Action::Submit)];
        }
        let number = line
            .parse::<usize>()
            .ok()
            .and_then(|number| number.checked_sub(1));
        match number.and_then(|index| self.fields.get(&index)) {
            Some((column, row)) => vec![Step::Click(*column, *row)],
            None => {
                self.replies.push(words.text("stream-submit-help"));
                vec![]
            }
        }
    }

    /// Acts on the answer to a question.
    fn answer(&mut self, model: &Model, answer: Answer) -> Vec<Step> {
        let words = model.words();
        let reply = match answer {
            Answer::Accepted => {
                let until_ms = model.now.boot_ms.saturating_add(CONFIRM_LIMIT_MS);
                self.pending = Some(Pending::Confirm {
                    until_ms,
                    is_pressed: false,
                });
                return confirm_steps(model);
            }
            Answer::Back => return vec![Step::Act(Action::Back)],
            Answer::Early => words.text("stream-early"),
            Answer::OtherAmount(amount) => {
                words.with("stream-other-amount", &[("amount", &amount.to_string())])
            }
            Answer::NoAmount(error) => failure::field_error(words, &FieldError::of(error)),
            Answer::OtherWord => words.text("stream-other-word"),
        };
        self.replies.push(reply);
        vec![]
    }
}

/// The input that types the amount again, if the dialog has a field for it, and moves the focus to
/// the confirming button.
fn confirm_steps(model: &Model) -> Vec<Step> {
    let next = Step::Act(Action::NextButton);
    with_front_screen(model, |screen, store| {
        let Some(buttons) = screen.buttons() else {
            return vec![];
        };
        let amount = screen.offer(store).and_then(|offer| offer.amount);
        let field = screen.amount_field();
        let mut steps = vec![];
        let mut focus = buttons.focus;
        let mut move_to = |target, steps: &mut Vec<Step>| {
            while focus != target {
                focus = focus.moved(field.is_some(), true);
                steps.push(next.clone());
            }
        };
        if let (Some(field), Some(amount)) = (field, amount) {
            move_to(Focus::Amount, &mut steps);
            let typed = field.to_string();
            steps.extend(
                typed
                    .chars()
                    .map(|_| Step::Key(Key::plain(Code::Backspace))),
            );
            let digits = amount.wire();
            let digits = digits.chars().filter(char::is_ascii_digit);
            let digits = digits.skip_while(|digit| *digit == '0');
            steps.extend(digits.map(|digit| Step::Key(Key::plain(Code::Char(digit)))));
        }
        move_to(Focus::Confirm, &mut steps);
        steps
    })
}

/// The input that selects this option of a choice field.
fn choice_steps(chosen: Option<usize>, option: usize) -> Vec<Step> {
    let key = |code| Step::Key(Key::plain(code));
    let right = |count| vec![key(Code::Right); count];
    match chosen {
        // The first key chooses the first option.
        None => right(option + 1),
        Some(chosen) if chosen <= option => right(option - chosen),
        Some(chosen) => vec![key(Code::Left); chosen - option],
    }
}

/// The key that a line names, if it has a use here. The texts of the pages name keys.
fn key_step(model: &Model, line: &str) -> Option<Step> {
    let key: Key = line.trim().parse().ok()?;
    let scopes = router::key_context(model).scopes();
    model.setup.keys.action(scopes, key).map(|_| Step::Key(key))
}

fn ctrl(letter: char) -> Key {
    Key {
        ctrl: true,
        ..Key::plain(Code::Char(letter))
    }
}

/// The words that can be typed at a prompt.
fn help(words: &Catalogue, model: &Model, prompt: Prompt) -> Vec<String> {
    let actions = router::actions_with(model, read_tracker::has_more(model));
    let labels = actions
        .offered
        .iter()
        .map(|action| actions.label(words, *action).to_string());
    let labels: Vec<String> = labels.collect();
    let here = words.with("stream-help-here", &[("actions", &labels.join(", "))]);
    if prompt != Prompt::Command {
        return vec![words.text("stream-help-field"), here];
    }
    let panes = Pane::ALL
        .map(|pane| pane.name(words.lang()).to_lowercase())
        .join(", ");
    vec![
        here,
        words.with("stream-help-panes", &[("panes", &panes)]),
        words.text("stream-help-always"),
    ]
}
