//! The question that a refusal leads to: whether the request should have a field under the name
//! that the service wants, or leave out a field that the service does not know.
//!
//! The seller sees the old and the new settings, and the request as it would be sent. Only settings
//! that were on the screen can be agreed to.

use super::review::{next_step_lines, sample_request_lines};
use super::{OverviewRow, Stage, Teaching};
use crate::app::Store;
use crate::app::cx::{Cx, Route};
use crate::app::screen::buttons::CONFIRM_DELAY_MS;
use crate::app::screen::{Buttons, Focus};
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::teaching;
use crate::app::store::teaching::suggestion::{Renaming, TeachSuggestion};
use crate::app::store::withdrawals::QuoteState;
use crate::app::ui::action::Action;
use crate::app::ui::parts::wrapped;
use crate::app::ui::scrolled::{TermsText, Text};
use crate::app::ui::setting_changes::{escape_look_alikes, old_and_new_value, warnings};
use crate::app::ui::{Area, Line, Page, Role, geometry};
use crate::contract::{Contract, NameFault, RequestPart, SettingChange};
use crate::trade::{Operation, Untrusted};
use crate::words::{Catalogue, Lang};

/// The question, with its buttons.
#[derive(Debug, Clone)]
pub struct FieldQuestion {
    suggestion: TeachSuggestion,
    /// The settings that the answer "yes" changes.
    changes: Vec<SettingChange>,
    /// The buttons for declining and for agreeing.
    pub buttons: Buttons,
}

impl FieldQuestion {
    /// Creates the question. After the usual pause, Enter agrees: the lesson itself pays nothing,
    /// and a withdrawal's form, review and confirmation follow.
    fn new(suggestion: TeachSuggestion, changes: Vec<SettingChange>, now_ms: u64) -> FieldQuestion {
        let armed_at_ms = now_ms.saturating_add(CONFIRM_DELAY_MS);
        let buttons = Buttons {
            focus: Focus::Confirm,
            armed_at_ms,
        };
        FieldQuestion {
            suggestion,
            changes,
            buttons,
        }
    }

    /// The terms that the answer "yes" agrees to.
    pub fn terms(&self) -> Terms {
        Terms::Lines(self.changes.clone())
    }

    pub fn draw(&self, store: &Store, teaching: &Teaching, area: Area, page: &mut Page) {
        let lines = self.lines(store, teaching, usize::from(area.width));
        let text = Text::compact(lines, area.without_bottom(1));
        let terms = match text.overflow().lines {
            0 => TermsText::whole(text),
            _ => TermsText::paged(text),
        };
        let row = geometry::buttons(area, terms.end());
        terms.draw(store.render_cx(), Line::default(), page);
        let is_allowed = self.buttons.are_armed(store) && teaching.saving.is_none();
        let confirm = self.buttons.confirm_button_state(is_allowed, page);
        let labels = ["teach-question-back", "teach-question-do"].map(|id| store.text(id));
        self.buttons
            .show([&labels[0], &labels[1]], confirm, row, page);
    }

    fn lines(&self, store: &Store, teaching: &Teaching, width: usize) -> Vec<Line> {
        let words = store.words();
        let mut lines = vec![];
        for sentence in self.sentences(words, teaching) {
            lines.extend(wrapped(Role::Strong, &sentence, width));
        }
        lines.push(Line::default());
        for change in &self.changes {
            let name = escape_look_alikes(&change.name);
            let [old, new] = old_and_new_value(words, change);
            let values = [("name", &*name), ("old", &*old), ("new", &*new)];
            lines.extend(wrapped(
                Role::Good,
                &words.with("teach-change", &values),
                width,
            ));
            for warning in warnings(words, change) {
                lines.extend(wrapped(Role::Warn, &warning, width));
            }
        }
        lines.extend(sample_request_lines(words, teaching, width));
        lines.extend(next_step_lines(store, teaching, width));
        lines
    }

    /// The questions, one for each field.
    fn sentences(&self, words: &Catalogue, teaching: &Teaching) -> Vec<String> {
        let contract = &teaching.original;
        let operation = teaching.operation();
        let old_name = |part| {
            let name = contract.part_name(operation, part).unwrap_or_default();
            Untrusted::from(name).shown_within(60)
        };
        match &self.suggestion {
            TeachSuggestion::Rename(renamings) => renamings
                .iter()
                .map(|Renaming { part, name }| {
                    let field = part_label(words, contract, operation, part);
                    let new = Untrusted::from(name.as_str()).shown_within(60);
                    let values = [
                        ("new", &*new),
                        ("field", &*field),
                        ("old", &*old_name(part)),
                    ];
                    words.with("teach-rename", &values)
                })
                .collect(),
            TeachSuggestion::LeaveOut(part) => {
                let field = part_label(words, contract, operation, part);
                let values = [("name", &*old_name(part)), ("field", &*field)];
                vec![words.with("teach-leave-out", &values)]
            }
            TeachSuggestion::KeyWords(_, kinds) => {
                let kinds: Vec<_> = kinds.iter().map(|(_, word)| word.as_str()).collect();
                let kinds = Untrusted::from(kinds.join(", ")).shown_within(120);
                vec![words.with("teach-key-words", &[("words", &kinds)])]
            }
            _ => vec![],
        }
    }
}

/// The label of a part of the request.
fn part_label(
    words: &Catalogue,
    contract: &Contract,
    operation: Operation,
    part: &RequestPart,
) -> String {
    let id = match part {
        RequestPart::Field(id) => id,
        RequestPart::Setting { name, .. } if name.ends_with(".description") => {
            return words.text("field-description");
        }
        RequestPart::Setting { name, .. } if name.ends_with(".domain") => {
            return words.text("field-domain");
        }
        _ => return words.text("teach-part-amount"),
    };
    let field = contract.body_of(operation).and_then(|form| form.field(id));
    let label = field.map_or("", |field| match words.lang() {
        Lang::Pt => &field.label_pt,
        Lang::En => &field.label_en,
    });
    Untrusted::from(label).shown_within(40)
}

/// Lays out why a name that the refusal mentions is not taught.
pub fn untaught_lines(words: &Catalogue, teaching: &Teaching, width: usize) -> Vec<Line> {
    let Some((name, fault)) = &teaching.untaught else {
        return vec![];
    };
    let name = escape_look_alikes(&Untrusted::from(name.as_str()));
    let name = Untrusted::from(name).shown_within(60);
    let values = [
        ("name", &*name),
        ("why", &*words.text(name_fault_id(*fault))),
    ];
    wrapped(Role::Warn, &words.with("teach-untaught", &values), width)
}

/// The text id of the reason why a name is not taught.
pub fn name_fault_id(fault: NameFault) -> &'static str {
    match fault {
        NameFault::Unreadable => "teach-name-unreadable",
        NameFault::Documented => "teach-name-documented",
        NameFault::Taken => "teach-name-taken",
        NameFault::Secret => "teach-name-secret",
        NameFault::Destination => "teach-name-destination",
        NameFault::Amount => "teach-name-amount",
    }
}

impl Teaching {
    /// The text id of what happens to the refused request after the lesson.
    pub(super) fn next_step_id(&self) -> Option<&'static str> {
        match self.operation() {
            _ if !self.continues || !teaching::is_definite_refusal(&self.exchange) => None,
            Operation::Login => Some("teach-then-login"),
            Operation::CreateLink => Some("teach-then-link"),
            Operation::DirectPayment => Some("teach-then-charge"),
            Operation::Withdrawal => Some("teach-then-withdrawal"),
            _ => None,
        }
    }

    /// Asks whether the request should change as the refusal suggests. If the API contract does not
    /// allow the change, the overview stays open, where the seller can change the field.
    pub(super) fn ask(&mut self, suggestion: TeachSuggestion, store: &Store) {
        let part = suggestion.part().cloned();
        part.iter().for_each(|part| self.move_to_part(part));
        let settings = suggestion.settings(&self.contract, self.operation());
        if self.apply_corrections(settings).is_ok() && !self.corrections.is_empty() {
            let new = self.contract.all_settings();
            let changes = new.changes_from(&self.original.all_settings());
            let question = FieldQuestion::new(suggestion, changes, store.now.boot_ms);
            self.stage = Stage::Question(Box::new(question));
        }
    }

    /// Moves the cursor of the overview to a part of the request.
    pub(super) fn move_to_part(&mut self, part: &RequestPart) {
        let part = OverviewRow::RequestSetting(part.clone());
        let row = self.rows().iter().position(|row| *row == part);
        self.cursor = row.unwrap_or(self.cursor);
    }

    /// Drops all corrections that were not saved.
    pub(super) fn drop_corrections(&mut self) {
        self.corrections.clear();
        self.contract = self.original.clone();
        self.read_values();
    }

    /// Continues with the refused request, after the lesson was saved.
    ///
    /// A login or a payment link is sent again, if the service certainly did not act on the refused
    /// request. A withdrawal is never sent from here: its form opens, filled in, and a new review
    /// with a new fee quote.
    pub(super) fn continue_request(&self, cx: &mut Cx) {
        if !self.continues {
            return;
        }
        if self.sends_again() && cx.is_front {
            cx.press(Action::Submit);
        }
        if let Some(withdrawal) = teaching::rejected_withdrawal(cx.store, &self.exchange) {
            let agreement = Box::new(withdrawal.agreement.clone());
            let at_ms = cx.store.now.boot_ms;
            let quote = QuoteState::Due {
                amount: agreement.amount,
                at_ms,
            };
            cx.open(Route::WithdrawAgain(agreement, quote));
            if cx.is_front {
                cx.press(Action::Submit);
            }
        }
    }

    /// True if the refused request is sent again after the lesson is saved.
    fn sends_again(&self) -> bool {
        self.continues
            && teaching::is_definite_refusal(&self.exchange)
            && matches!(self.operation(), Operation::Login | Operation::CreateLink)
    }
}
