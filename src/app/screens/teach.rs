//! The teaching screen: the seller corrects the API contract, using an HTTP exchange that did not
//! match the contract.
//!
//! The seller selects the value in the reply that the contract should read, or changes a setting of
//! the request. The screen previews the effect. Nothing changes until the seller saves; saved
//! settings count as agreed to.

mod field_question;
mod figures;
mod lesson;
mod review;
mod selection;
mod setting_form;
mod show;

use std::sync::Arc;

use field_question::FieldQuestion;
use setting_form::{FormError, SettingForm};

use crate::app::cx::{Cx, Question};
use crate::app::screen::{
    Actions, BodyMut, Info, Offer, Screen, ScreenBody, ScreenEvent, dialog_actions, form_actions,
};
use crate::app::store::exchanges::bodies::{Bodies, BodiesRequest};
use crate::app::store::teaching::TeachScope;
use crate::app::store::teaching::suggestion::{self, TeachSuggestion};
use crate::app::store::{domains, teaching, unit};
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Store, Wait};
use crate::contract::reply_setting::DOMAIN_STATE;
use crate::contract::{
    Contract, FigureFit, Lesson, LessonFault, NameFault, ReadValue, ReplySetting, ReplyTree,
    ReplyValueKind, RequestPart, SentValues, TaughtSetting,
};
use crate::trade::{Exchange, Operation, Ticket, Untrusted};
use crate::words::Lang;

/// The state of the teaching screen: one HTTP exchange, and the corrections to the API contract
/// that the seller has not saved yet.
#[derive(Debug, Clone)]
pub struct Teaching {
    exchange: Arc<Exchange>,
    scope: TeachScope,
    /// The values that the request sent.
    sent: SentValues,
    /// The reply as a tree; `None` if the reply is not JSON, or until a long reply has been read.
    tree: Option<Arc<ReplyTree>>,
    /// The rules for what the reply may teach, if it is the reply to a withdrawal.
    lesson: Option<Arc<Lesson>>,
    /// True if the reply reports a failure, although its status may be a success.
    says_no: bool,
    /// The pending request to the runtime to read a long reply.
    reading: Option<Ticket>,
    /// The values that the settings of the API contract read from the reply. They are read again
    /// only if the contract changes, because a reply may list thousands of domains.
    values: Vec<(&'static ReplySetting, ReadValue)>,
    corrections: Vec<TaughtSetting>,
    /// The API contract before the corrections.
    original: Arc<Contract>,
    /// The API contract with the corrected settings.
    contract: Arc<Contract>,
    stage: Stage,
    /// True if the screen below made the request, and continues with it after the lesson.
    continues: bool,
    /// A name that the refusal mentions, and the reason why it is not taught.
    untaught: Option<(String, NameFault)>,
    /// The settings whose value the seller marked as missing from the reply.
    absent: Vec<&'static ReplySetting>,
    /// The index of the row under the cursor on the overview page.
    cursor: usize,
    /// The pending request to save the corrections.
    saving: Option<Wait>,
    /// True if the seller corrects the unit of amounts first.
    asks_unit: bool,
}

/// The current page of the screen.
#[derive(Debug, Clone)]
enum Stage {
    /// The list of all settings of the API contract that read the reply or shape the request.
    Overview,
    /// The reply as a tree. The seller selects the value that a setting of the API contract should
    /// read.
    SelectValue {
        line: &'static ReplySetting,
        cursor: usize,
        /// True if the value is optional. The back key then skips the value.
        is_optional: bool,
        /// The value that the setting would read from the row under the cursor.
        preview: ReadValue,
        /// The reason why the row under the cursor may not be chosen.
        fault: Option<LessonFault>,
        /// True if the row that the seller picked last cannot be read as the required value, such
        /// as an amount.
        is_unfit: bool,
        /// How the figures of a fee preview fit what was sent, if the row under the cursor is read.
        fit: FigureFit,
    },
    Edit(Box<SettingForm>),
    /// The question whether the request should have a field under another name, or leave it out.
    Question(Box<FieldQuestion>),
    /// The corrected settings and a sample of the next request, shown before saving.
    Review,
}

#[derive(Debug, Clone, PartialEq)]
enum OverviewRow {
    /// A setting of the API contract that reads a value from the reply.
    ReplySetting(&'static ReplySetting),
    /// A setting of the API contract that shapes the request.
    RequestSetting(RequestPart),
    /// The row that adds a field to the request body.
    NewField,
    /// The row that opens the page with all corrections, for a last look before saving.
    Save,
}

impl Teaching {
    /// Opens the screen at the first value that the API contract could not find in the reply. If
    /// all values were found, opens the overview. A long reply is first read by the runtime.
    ///
    /// `continues` is true if the screen below made the request.
    pub fn open(
        cx: &mut Cx,
        exchange: Arc<Exchange>,
        scope: TeachScope,
        continues: bool,
    ) -> Teaching {
        let contract = cx.store.setup.contract.clone();
        let ticket = cx.store.next_ticket();
        let exchanges = vec![exchange.clone()];
        let is_short = Bodies::are_short(&exchanges);
        let request = BodiesRequest {
            ticket,
            exchanges,
            contract: contract.clone(),
            whole_reply: true,
        };
        let asks_unit = unit::is_asked_when_teaching(cx.store, exchange.operation);
        // If the service read another amount, its figures do not fit the one that was sent.
        let sent = if asks_unit {
            SentValues::default()
        } else {
            contract.sent_values(&exchange)
        };
        let mut teaching = Teaching {
            exchange,
            scope,
            sent,
            asks_unit,
            tree: None,
            lesson: None,
            says_no: false,
            reading: (!is_short).then_some(ticket),
            values: vec![],
            corrections: vec![],
            original: contract.clone(),
            contract,
            stage: Stage::Overview,
            continues,
            untaught: None,
            absent: vec![],
            cursor: 0,
            saving: None,
        };
        if is_short {
            teaching.take_reply(cx.store, request.read().whole_reply);
        } else {
            cx.perform(Effect::ReadBodies(request));
        }
        teaching
    }

    /// Takes the reply, which was read, and opens the first page.
    fn take_reply(&mut self, store: &Store, tree: Option<Arc<ReplyTree>>) {
        self.says_no = tree
            .as_ref()
            .is_some_and(|tree| self.contract.says_no(self.operation(), tree));
        self.tree = tree;
        self.lesson = self.prepare_lesson(store);
        self.read_values();
        self.open_first_page(store);
    }

    fn read_values(&mut self) {
        let settings = self.settings();
        let values = self.reply().map(|tree| {
            settings
                .map(|line| (line, self.contract.read_value(line, tree)))
                .collect()
        });
        self.values = values.unwrap_or_default();
    }

    /// The value that a setting of the API contract reads from the reply.
    fn value(&self, line: &ReplySetting) -> &ReadValue {
        let value = self.values.iter().find(|(known, _)| *known == line);
        value.map_or(&ReadValue::Nothing, |(_, value)| value)
    }

    fn is_read(&self, line: &ReplySetting) -> bool {
        *self.value(line) != ReadValue::Nothing
    }

    /// Opens the first page: the first value not found in the reply, or what the service's error
    /// message suggests about the request.
    fn open_first_page(&mut self, store: &Store) {
        if self.asks_unit {
            return self.propose_other_unit(store.setup.lang);
        }
        if self.was_accepted() {
            self.propose();
        }
        self.open_next_page();
        if self.was_accepted() {
            self.open_token_header(store.setup.lang);
            return;
        }
        match suggestion::of(&self.contract, &self.exchange) {
            Some(TeachSuggestion::Line(line)) => {
                self.move_to_part(&line);
                let form =
                    SettingForm::of(&self.contract, self.operation(), &line, store.setup.lang);
                self.stage = Stage::Edit(Box::new(form));
            }
            Some(TeachSuggestion::NewField(name)) => {
                self.stage = Stage::Edit(Box::new(SettingForm::new_field(&name)));
            }
            Some(TeachSuggestion::Untaught(name, fault)) => self.untaught = Some((name, fault)),
            Some(suggestion) => self.ask(suggestion, store),
            None => {}
        }
    }

    fn operation(&self) -> Operation {
        self.exchange.operation
    }

    /// True if the service accepted the request. In this case only the settings that read the reply
    /// can be wrong.
    fn was_accepted(&self) -> bool {
        let reply = self.exchange.reply.as_ref();
        reply.is_ok_and(|reply| (200..300).contains(&reply.status)) && !self.says_no
    }

    fn reply(&self) -> Option<&ReplyTree> {
        self.tree.as_deref()
    }

    /// Opens the page for the next value that the API contract does not find in the reply. If all
    /// values are found, opens the review page if there are corrections, or else the overview.
    ///
    /// The seller is asked for optional values only after the first correction. The page for the
    /// JWT opens as soon as the reply may contain a JWT, because payment links need it.
    fn open_next_page(&mut self) {
        let missing = self.reply().and_then(|tree| {
            let lines = self.settings().filter(|line| {
                !self.is_read(line) && !self.absent.contains(line) && self.is_due(line)
            });
            let lines: Vec<_> = lines.collect();
            // If only one of two figures is in the reply, ask for that one first.
            lines
                .iter()
                .find(|line| {
                    line.kind != ReplyValueKind::Amount
                        || self.contract.is_suggested(line, tree, &self.sent)
                })
                .or(lines.first())
                .copied()
        });
        match missing {
            Some(line) => self.open_value_selection(line, self.can_be_absent(line)),
            None if !self.corrections.is_empty() => self.stage = Stage::Review,
            None => {
                self.stage = Stage::Overview;
                let rows = self.rows();
                self.cursor = rows
                    .iter()
                    .position(|row| {
                        matches!(row, OverviewRow::RequestSetting(RequestPart::Field(_)))
                            && !self.was_accepted()
                    })
                    .unwrap_or(0);
            }
        }
    }

    fn rows(&self) -> Vec<OverviewRow> {
        let operation = self.operation();
        let mut rows = vec![];
        if self.reply().is_some() {
            rows.extend(self.settings().map(OverviewRow::ReplySetting));
        }
        if self.scope == TeachScope::Operation {
            let parts = self.contract.request_parts(operation).into_iter();
            rows.extend(parts.map(OverviewRow::RequestSetting));
            let has_body = self.contract.body_of(operation).is_some();
            rows.extend(has_body.then_some(OverviewRow::NewField));
        }
        rows.extend((!self.corrections.is_empty()).then_some(OverviewRow::Save));
        rows
    }

    /// Adds corrected settings. Returns the validation error if the API contract rejects them.
    fn apply_corrections(&mut self, corrections: Vec<TaughtSetting>) -> Result<(), Untrusted> {
        let mut merged = self.corrections.clone();
        merged.retain(|old| !corrections.iter().any(|new| new.name == old.name));
        merged.extend(corrections);
        let contract = self
            .original
            .with_taught(&merged)
            .map_err(|error| error.problem)?;
        // Drop settings that were changed back to their original value.
        merged.retain(|line| self.original.value(&line.name) != Some(&line.value));
        (self.corrections, self.contract) = (merged, Arc::new(contract));
        self.read_values();
        Ok(())
    }

    /// Opens the row under the cursor on the overview page.
    fn open_row(&mut self, lang: Lang) {
        match self.rows().get(self.cursor) {
            Some(OverviewRow::ReplySetting(line)) => self.open_value_selection(line, false),
            Some(OverviewRow::RequestSetting(line)) => {
                let form = SettingForm::of(&self.contract, self.operation(), line, lang);
                self.stage = Stage::Edit(Box::new(form));
            }
            Some(OverviewRow::NewField) => {
                self.stage = Stage::Edit(Box::new(SettingForm::new_field("")))
            }
            Some(OverviewRow::Save) => self.stage = Stage::Review,
            None => {}
        }
    }

    /// Adds the setting that the form edits to the corrections.
    fn apply_form(&mut self) {
        let Stage::Edit(form) = &mut self.stage else {
            return;
        };
        if !form.form.check() {
            return;
        }
        let form = form.clone();
        let operation = self.exchange.operation;
        let fault = form.line.is_none().then(|| form.taught_field());
        let fault = fault.and_then(|new| self.contract.check_new_field(operation, &new).err());
        let mut lines = form.lines(&self.contract, operation);
        lines.extend(form.pending.clone());
        let reads_wrong_figures = self
            .contract
            .with_taught(&lines)
            .is_ok_and(|it| self.reads_wrong_figures(&it));
        if reads_wrong_figures {
            self.stage = Stage::Edit(Box::new(SettingForm {
                is_contradicted: true,
                ..*form
            }));
            return;
        }
        let result = match fault {
            Some(fault) => Err(FormError::Name(fault)),
            None => self.apply_corrections(lines).map_err(FormError::Contract),
        };
        match result {
            Ok(()) if !form.pending.is_empty() => self.open_next_page(),
            Ok(()) => {
                // This may have been the last correction, so open the review page. If the seller
                // goes back from there, the cursor is on the next row of the overview.
                let has_corrections = !self.corrections.is_empty();
                self.stage = if has_corrections {
                    Stage::Review
                } else {
                    Stage::Overview
                };
                self.cursor = (self.cursor + 1).min(self.rows().len() - 1);
            }
            Err(error) => {
                self.stage = Stage::Edit(Box::new(SettingForm {
                    error: Some(error),
                    ..*form
                }));
            }
        }
    }

    /// Goes back one step, or skips an optional value. A dialog asks before unsaved corrections are
    /// dropped. A save that is already running continues in the background.
    fn go_back(&mut self, cx: &mut Cx) {
        match self.stage {
            _ if self.saving.is_some() => cx.close(),
            Stage::Question(_) => {
                self.drop_corrections();
                self.stage = Stage::Overview;
            }
            Stage::Overview if !self.corrections.is_empty() => cx.ask(Question::DropForm),
            Stage::Overview => cx.close(),
            Stage::SelectValue {
                line,
                is_optional: true,
                ..
            } => {
                self.absent.push(line);
                if line == DOMAIN_STATE {
                    self.remember_no_state();
                }
                self.open_next_page();
            }
            _ => self.stage = Stage::Overview,
        }
    }

    /// The index of the last row; `None` if the page has no rows.
    fn last_row(&self) -> Option<usize> {
        match &self.stage {
            _ if self.reading.is_some() => None,
            Stage::Overview => self.rows().len().checked_sub(1),
            Stage::SelectValue { .. } => self.reply()?.rows().len().checked_sub(1),
            Stage::Edit(_) | Stage::Question(_) | Stage::Review => None,
        }
    }
}

impl Screen for Teaching {
    fn info(&self) -> Info {
        let name = match self.stage {
            Stage::Overview => "teaching",
            Stage::SelectValue { .. } => "pointing",
            Stage::Edit(_) => "rewording",
            Stage::Question(_) => "renaming",
            Stage::Review => "writing",
        };
        let is_question = matches!(self.stage, Stage::Question(_));
        let was_typed = (!self.corrections.is_empty() && !is_question).then_some(true);
        Info {
            was_typed,
            cancels: self.reading,
            ..Info::of(name)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, has_more: bool) -> Actions {
        match &self.stage {
            Stage::Edit(form) => {
                Actions::from(form_actions(&form.form, None)).word(Action::Submit, "line")
            }
            _ if self.saving.is_some() || self.reading.is_some() => Actions::default(),
            Stage::Review if self.fault().is_some() => Actions::default(),
            Stage::Question(_) => Actions::from(dialog_actions(has_more)),
            Stage::Review => Actions::from(vec![Action::Open]).word(Action::Open, "write"),
            Stage::Overview | Stage::SelectValue { .. } => {
                let is_overview = matches!(self.stage, Stage::Overview);
                let word = if is_overview { "change" } else { "this" };
                let offered = vec![Action::Open, Action::Down, Action::Up];
                Actions::from(offered).word(Action::Open, word)
            }
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (&self.stage, action) {
            (Stage::SelectValue { .. }, Action::Open) => self.pick_row(cx.store.setup.lang),
            (Stage::Overview, Action::Open) => self.open_row(cx.store.setup.lang),
            (Stage::Review, Action::Open) if self.fault().is_none() => self.save(cx),
            (Stage::Question(_), Action::Press) => self.save(cx),
            (Stage::Edit(_), Action::Submit) => self.apply_form(),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        match &self.stage {
            Stage::Edit(form) => ScreenBody::Form(&form.form),
            Stage::Question(question) => ScreenBody::Dialog(&question.buttons, None),
            Stage::Overview | Stage::SelectValue { .. } | Stage::Review => ScreenBody::Text,
        }
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        match &mut self.stage {
            Stage::Edit(form) => BodyMut::Form(&mut form.form),
            Stage::Question(question) => BodyMut::Dialog(&mut question.buttons, None),
            Stage::Overview | Stage::SelectValue { .. } | Stage::Review => BodyMut::Text,
        }
    }

    fn offer(&self, _: &Store) -> Option<Offer> {
        let Stage::Question(question) = &self.stage else {
            return None;
        };
        Some(Offer {
            terms: question.terms(),
            may_confirm: self.saving.is_none(),
            amount: None,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Moved(to) => return self.move_cursor(to),
            ScreenEvent::Back => self.go_back(cx),
            ScreenEvent::Message(Msg::BodiesRead(ticket, bodies)) => {
                if self
                    .reading
                    .take_if(|reading| *reading == *ticket)
                    .is_some()
                {
                    self.take_reply(cx.store, bodies.whole_reply.clone());
                }
                return false;
            }
            ScreenEvent::Message(Msg::Taught { ticket, result }) => {
                let is_own = self.saving.take_if(|wait| wait.ticket == *ticket).is_some();
                if is_own && result.is_ok() {
                    cx.close();
                    if self.operation() == Operation::Domains {
                        domains::refresh_if_entered(cx)
                    }
                    self.continue_request(cx);
                }
            }
            ScreenEvent::StoreChanged
                if self.saving.is_none()
                    && teaching::scope(cx.store, &self.exchange) != Ok(self.scope) =>
            {
                cx.close()
            }
            _ => return false,
        }
        true
    }
}
