//! The teaching screen: the seller corrects the API contract, using an HTTP exchange that did not
//! match the contract.
//!
//! The seller selects the value in the reply that the contract should read, or changes a setting of
//! the request. The screen previews the effect. Nothing changes until the seller saves; saved
//! settings count as agreed to.

mod setting_form;
mod show;

use std::sync::Arc;

use setting_form::SettingForm;

use crate::app::cx::{Cx, Question};
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, form_actions};
use crate::app::store::exchanges::bodies::{Bodies, BodiesRequest};
use crate::app::store::teaching::suggestion::{self, TeachSuggestion};
use crate::app::store::{domains, teaching};
use crate::app::ui::action::Action;
use crate::app::ui::list::{Move, moved_cursor};
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Store, Wait};
use crate::contract::{Contract, ReadValue, ReplySetting, ReplyTree, RequestPart, TaughtSetting};
use crate::trade::{Exchange, Operation, Ticket, Untrusted};
use crate::words::Lang;

/// The state of the teaching screen: one HTTP exchange, and the corrections to the API contract
/// that the seller has not saved yet.
#[derive(Debug, Clone)]
pub struct Teaching {
    exchange: Arc<Exchange>,
    /// The reply as a tree; `None` if the reply is not JSON, or until a long reply has been read.
    tree: Option<Arc<ReplyTree>>,
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
    /// The settings whose value the seller marked as missing from the reply.
    absent: Vec<&'static ReplySetting>,
    /// The index of the row under the cursor on the overview page.
    cursor: usize,
    /// The pending request to save the corrections.
    saving: Option<Wait>,
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
        /// True if the row that the seller picked last cannot be read as the required value, such
        /// as an amount.
        is_unfit: bool,
    },
    Edit(Box<SettingForm>),
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
    pub fn open(cx: &mut Cx, exchange: Arc<Exchange>) -> Teaching {
        let contract = cx.store.setup.contract.clone();
        let (ticket, exchanges) = (cx.store.next_ticket(), vec![exchange.clone()]);
        let is_short = Bodies::are_short(&exchanges);
        let request =
            BodiesRequest { ticket, exchanges, contract: contract.clone(), whole_reply: true };
        let mut teaching = Teaching {
            exchange,
            tree: None,
            reading: (!is_short).then_some(ticket),
            values: vec![],
            corrections: vec![],
            original: contract.clone(),
            contract,
            stage: Stage::Overview,
            absent: vec![],
            cursor: 0,
            saving: None,
        };
        if is_short {
            teaching.take_reply(request.read().whole_reply, cx.store.setup.lang);
        } else {
            cx.perform(Effect::ReadBodies(request));
        }
        teaching
    }

    /// Takes the reply, which was read, and opens the first page.
    fn take_reply(&mut self, tree: Option<Arc<ReplyTree>>, lang: Lang) {
        self.tree = tree;
        self.read_values();
        self.open_first_page(lang);
    }

    fn read_values(&mut self) {
        let settings = ReplySetting::of(self.operation());
        let values = self.reply().map(|tree| {
            settings.map(|line| (line, self.contract.read_value(line, tree))).collect()
        });
        self.values = values.unwrap_or_default();
    }

    /// Returns the value that a setting of the API contract reads from the reply.
    fn value(&self, line: &ReplySetting) -> &ReadValue {
        let value = self.values.iter().find(|(known, _)| *known == line);
        value.map_or(&ReadValue::Nothing, |(_, value)| value)
    }

    /// Opens the first page: the first value not found in the reply, or the request setting that
    /// the service's error message names.
    fn open_first_page(&mut self, lang: Lang) {
        self.open_next_page();
        if self.was_accepted() {
            return;
        }
        let form = match suggestion::of(&self.contract, &self.exchange) {
            Some(TeachSuggestion::Line(line)) => {
                let rows = self.rows();
                let row =
                    rows.iter().position(|row| *row == OverviewRow::RequestSetting(line.clone()));
                self.cursor = row.unwrap_or(self.cursor);
                SettingForm::of(&self.contract, self.operation(), &line, lang)
            }
            Some(TeachSuggestion::NewField(name)) => SettingForm::new_field(&name),
            None => return,
        };
        self.stage = Stage::Edit(Box::new(form));
    }

    fn operation(&self) -> Operation {
        self.exchange.operation
    }

    /// Returns true if the service accepted the request. In this case only the settings that read
    /// the reply can be wrong.
    fn was_accepted(&self) -> bool {
        self.exchange.reply.as_ref().is_ok_and(|reply| (200..300).contains(&reply.status))
    }

    /// Returns the reply, if the service accepted the request.
    fn reply(&self) -> Option<&ReplyTree> {
        self.tree.as_deref().filter(|_| self.was_accepted())
    }

    /// Opens the page for the next value that the API contract does not find in the reply. If all
    /// values are found, opens the review page if there are corrections, or else the overview.
    ///
    /// The seller is asked for optional values only after the first correction. The page for the
    /// JWT opens as soon as the reply may contain a JWT, because payment links need it.
    fn open_next_page(&mut self) {
        let missing = self.reply().and_then(|tree| {
            let is_changed = !self.corrections.is_empty();
            let is_due = |line: &ReplySetting| match *line == ReplySetting::JWT {
                true => {
                    self.contract.needs_jwt()
                        && (is_changed && tree.has_texts()
                            || self.contract.can_be_taught(line, tree))
                }
                false => line.is_required || is_changed && tree.has_matching_name(line),
            };
            let is_read = |line| *self.value(line) != ReadValue::Nothing;
            let mut lines = ReplySetting::of(self.operation());
            lines.find(|line| !is_read(line) && !self.absent.contains(line) && is_due(line))
        });
        match missing {
            Some(line) => self.open_value_selection(line, !line.is_required),
            None if !self.corrections.is_empty() => self.stage = Stage::Review,
            None => {
                self.stage = Stage::Overview;
                let rows = self.rows();
                let is_next = |row: &OverviewRow| {
                    matches!(row, OverviewRow::RequestSetting(RequestPart::Field(_)))
                        && !self.was_accepted()
                };
                self.cursor = rows.iter().position(is_next).unwrap_or(0);
            }
        }
    }

    fn open_value_selection(&mut self, line: &'static ReplySetting, is_optional: bool) {
        if let Some(tree) = self.reply() {
            let cursor = self.contract.suggest_row(line, tree);
            let preview = self.preview(line, cursor);
            self.stage = Stage::SelectValue { line, cursor, is_optional, preview, is_unfit: false };
        }
    }

    fn rows(&self) -> Vec<OverviewRow> {
        let operation = self.operation();
        let mut rows = vec![];
        if self.reply().is_some() {
            rows.extend(ReplySetting::of(operation).map(OverviewRow::ReplySetting));
        }
        rows.extend(
            self.contract.request_parts(operation).into_iter().map(OverviewRow::RequestSetting),
        );
        rows.extend(self.contract.body_of(operation).is_some().then_some(OverviewRow::NewField));
        rows.extend((!self.corrections.is_empty()).then_some(OverviewRow::Save));
        rows
    }

    /// Adds corrected settings. Returns the validation error if the API contract rejects them.
    fn apply_corrections(&mut self, corrections: Vec<TaughtSetting>) -> Result<(), Untrusted> {
        let mut merged = self.corrections.clone();
        merged.retain(|old| !corrections.iter().any(|new| new.name == old.name));
        merged.extend(corrections);
        let contract = self.original.with_taught(&merged).map_err(|error| error.problem)?;
        // Drop settings that were changed back to their original value.
        merged.retain(|line| self.original.value(&line.name) != Some(&line.value));
        (self.corrections, self.contract) = (merged, Arc::new(contract));
        self.read_values();
        Ok(())
    }

    /// Changes a setting of the API contract so that it reads the value in the row under the
    /// cursor.
    fn pick_row(&mut self) {
        let Stage::SelectValue { line, cursor, .. } = self.stage else { return };
        let correction = self.corrections_for_row(line, cursor);
        let is_read = correction.as_ref().is_some_and(|(_, value)| *value != ReadValue::Nothing);
        let result = correction.filter(|_| is_read).map(|(lines, _)| self.apply_corrections(lines));
        if result == Some(Ok(())) {
            self.open_next_page();
        } else if let Stage::SelectValue { is_unfit, .. } = &mut self.stage {
            *is_unfit = true;
        }
    }

    /// Returns the value that the setting `line` would read from the given row of the reply.
    fn preview(&self, line: &ReplySetting, row: usize) -> ReadValue {
        self.corrections_for_row(line, row).map_or(ReadValue::Nothing, |(_, value)| value)
    }

    /// Returns the corrections with which the setting `line` reads the given row of the reply. Also
    /// returns the value that the setting then reads.
    fn corrections_for_row(
        &self,
        line: &ReplySetting,
        row: usize,
    ) -> Option<(Vec<TaughtSetting>, ReadValue)> {
        let tree = self.reply()?;
        let row = tree.rows().get(row)?;
        let lines = self.contract.settings_to_read_at(line.name, &row.pointer, tree)?;
        let value = self.contract.with_taught(&lines).ok()?.read_value(line, tree);
        Some((lines, value))
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

    fn save(&mut self, cx: &mut Cx) {
        let wait = cx.store.wait();
        self.saving = Some(wait);
        let (lines, exchange) = (self.corrections.clone(), self.exchange.clone());
        cx.perform(Effect::Teach { ticket: wait.ticket, lines, exchange })
    }

    /// Adds the setting that the form edits to the corrections.
    fn apply_form(&mut self) {
        let Stage::Edit(form) = &mut self.stage else { return };
        if !form.form.check() {
            return;
        }
        let form = form.clone();
        match self.apply_corrections(form.lines(&self.contract, self.exchange.operation)) {
            Ok(()) => {
                // This may have been the last correction, so open the review page. If the seller
                // goes back from there, the cursor is on the next row of the overview.
                let has_corrections = !self.corrections.is_empty();
                self.stage = if has_corrections { Stage::Review } else { Stage::Overview };
                self.cursor = (self.cursor + 1).min(self.rows().len() - 1);
            }
            Err(error) => {
                self.stage = Stage::Edit(Box::new(SettingForm { error: Some(error), ..*form }));
            }
        }
    }

    fn move_cursor(&mut self, to: Move) -> bool {
        let Some(last) = self.last_row() else { return false };
        let Stage::SelectValue { line, cursor, .. } = self.stage else {
            self.cursor = moved_cursor(self.cursor, last, to);
            return true;
        };
        let row = moved_cursor(cursor, last, to);
        let new_preview = self.preview(line, row);
        if let Stage::SelectValue { cursor, preview, is_unfit, .. } = &mut self.stage {
            (*cursor, *preview, *is_unfit) = (row, new_preview, false);
        }
        true
    }

    /// Goes back one step, or skips an optional value. A dialog asks before unsaved corrections are
    /// dropped. A save that is already running continues in the background.
    fn go_back(&mut self, cx: &mut Cx) {
        match self.stage {
            _ if self.saving.is_some() => cx.close(),
            Stage::Overview if !self.corrections.is_empty() => cx.ask(Question::DropForm),
            Stage::Overview => cx.close(),
            Stage::SelectValue { line, is_optional: true, .. } => {
                self.absent.push(line);
                self.open_next_page();
            }
            _ => self.stage = Stage::Overview,
        }
    }

    /// Returns the index of the last row; `None` if the page has no rows.
    fn last_row(&self) -> Option<usize> {
        match &self.stage {
            _ if self.reading.is_some() => None,
            Stage::Overview => self.rows().len().checked_sub(1),
            Stage::SelectValue { .. } => self.reply()?.rows().len().checked_sub(1),
            Stage::Edit(_) | Stage::Review => None,
        }
    }
}

impl Screen for Teaching {
    fn info(&self) -> Info {
        let name = match self.stage {
            Stage::Overview => "teaching",
            Stage::SelectValue { .. } => "pointing",
            Stage::Edit(_) => "rewording",
            Stage::Review => "writing",
        };
        let was_typed = (!self.corrections.is_empty()).then_some(true);
        Info { was_typed, cancels: self.reading, ..Info::of(name) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        match &self.stage {
            Stage::Edit(form) => {
                Actions::from(form_actions(&form.form, None)).word(Action::Submit, "line")
            }
            _ if self.saving.is_some() || self.reading.is_some() => Actions::default(),
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
            (Stage::SelectValue { .. }, Action::Open) => self.pick_row(),
            (Stage::Overview, Action::Open) => self.open_row(cx.store.setup.lang),
            (Stage::Review, Action::Open) => self.save(cx),
            (Stage::Edit(_), Action::Submit) => self.apply_form(),
            _ => {}
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        let Stage::Edit(form) = &self.stage else { return ScreenBody::Text };
        ScreenBody::Form(&form.form)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        let Stage::Edit(form) = &mut self.stage else { return BodyMut::Text };
        BodyMut::Form(&mut form.form)
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Moved(to) => return self.move_cursor(to),
            ScreenEvent::Back => self.go_back(cx),
            ScreenEvent::Message(Msg::BodiesRead(ticket, bodies)) => {
                if self.reading.take_if(|reading| *reading == *ticket).is_some() {
                    self.take_reply(bodies.whole_reply.clone(), cx.store.setup.lang);
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
                }
            }
            ScreenEvent::StoreChanged
                if self.saving.is_none()
                    && !teaching::can_be_taught(cx.store, self.operation()) =>
            {
                cx.close()
            }
            _ => return false,
        }
        true
    }
}
