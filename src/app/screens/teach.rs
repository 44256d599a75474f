//! The teaching screen: the seller corrects the API contract, using an HTTP exchange that did not
//! match the contract.
//!
//! The seller selects the value in the reply that the contract should read, or changes a setting of
//! the request. The screen previews the effect. Nothing changes until the seller saves; saved
//! settings count as agreed to.

mod line_form;
mod show;

use std::sync::Arc;

use line_form::LineForm;

use crate::app::cx::{Cx, Question};
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, in_form};
use crate::app::store::teaching::suggestion::{self, TeachSuggestion};
use crate::app::store::{domains, teaching};
use crate::app::ui::action::Action;
use crate::app::ui::list::{Move, moved};
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Store, Wait};
use crate::contract::{Contract, ReadValue, ReplyLine, ReplyTree, SentLine, TaughtLine};
use crate::trade::{Exchange, Operation, Untrusted};
use crate::words::Lang;

/// The corrections to the API contract that the seller makes from one HTTP exchange, before they
/// are saved.
#[derive(Debug, Clone)]
pub struct Teaching {
    exchange: Arc<Exchange>,
    /// The reply as a tree; `None` if the reply is not JSON.
    tree: Option<Arc<ReplyTree>>,
    lines: Vec<TaughtLine>,
    /// The API contract before the corrections.
    before: Arc<Contract>,
    /// The API contract with the corrected settings.
    contract: Arc<Contract>,
    stage: Stage,
    /// The settings whose value the seller marked as missing from the reply.
    absent: Vec<&'static ReplyLine>,
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
    Point {
        line: &'static ReplyLine,
        cursor: usize,
        /// True if the value is optional, so that going back skips it.
        is_optional: bool,
        /// True if the row that the seller picked last cannot be read as the required value, such
        /// as an amount.
        is_unfit: bool,
    },
    Edit(Box<LineForm>),
    /// The corrected settings and a sample of the next request, shown before saving.
    Review,
}

#[derive(Debug, Clone, PartialEq)]
enum OverviewRow {
    /// A setting of the API contract that reads a value from the reply.
    Sought(&'static ReplyLine),
    /// A setting of the API contract that shapes the request.
    Sent(SentLine),
    /// The row that adds a field to the request body.
    NewField,
    /// The row that opens the page with all corrections, for a last look before saving.
    Save,
}

impl Teaching {
    /// Opens the screen at the first value that the API contract could not find in the reply. If
    /// all values were found, opens the overview.
    pub fn open(store: &Store, exchange: Arc<Exchange>) -> Teaching {
        let body = exchange.reply.as_ref().ok().map(|reply| &reply.body);
        let tree = body.and_then(ReplyTree::read).map(Arc::new);
        let contract = store.setup.contract.clone();
        let mut teaching = Teaching {
            exchange,
            tree,
            lines: vec![],
            before: contract.clone(),
            contract,
            stage: Stage::Overview,
            absent: vec![],
            cursor: 0,
            saving: None,
        };
        teaching.begin(store.setup.lang);
        teaching
    }

    /// Opens the first page: the first value not found in the reply, or the request setting that
    /// the service's error message names.
    fn begin(&mut self, lang: Lang) {
        self.go_on();
        if self.was_accepted() {
            return;
        }
        let form = match suggestion::of(&self.contract, &self.exchange) {
            Some(TeachSuggestion::Line(line)) => {
                let rows = self.rows();
                let row = rows.iter().position(|row| *row == OverviewRow::Sent(line.clone()));
                self.cursor = row.unwrap_or(self.cursor);
                LineForm::of(&self.contract, self.operation(), &line, lang)
            }
            Some(TeachSuggestion::NewField(name)) => LineForm::new_field(&name),
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

    /// Opens the next page.
    ///
    /// A required value that the API contract does not find in the reply comes first. After the
    /// first correction, optional values whose names occur in the reply come next, then the review.
    /// If there is nothing to do, opens the overview.
    ///
    /// The JWT is an exception, because the seller cannot create payment links without it. Its page
    /// opens as soon as the reply may contain the JWT, and after every correction of a login.
    fn go_on(&mut self) {
        let missing = self.reply().and_then(|tree| {
            let is_changed = !self.lines.is_empty();
            let is_due = |line: &ReplyLine| match *line == ReplyLine::JWT {
                true => {
                    self.contract.needs_jwt()
                        && (is_changed && tree.has_texts()
                            || self.contract.may_be_taught(line, tree))
                }
                false => line.is_needed || is_changed && tree.names(line),
            };
            let is_read = |line| self.contract.reads(line, tree) != ReadValue::Nothing;
            let mut lines = ReplyLine::of(self.operation());
            lines.find(|line| !is_read(line) && !self.absent.contains(line) && is_due(line))
        });
        match missing {
            Some(line) => self.point(line, !line.is_needed),
            None if !self.lines.is_empty() => self.stage = Stage::Review,
            None => {
                self.stage = Stage::Overview;
                let rows = self.rows();
                let is_next = |row: &OverviewRow| {
                    matches!(row, OverviewRow::Sent(SentLine::Field(_))) && !self.was_accepted()
                };
                self.cursor = rows.iter().position(is_next).unwrap_or(0);
            }
        }
    }

    fn point(&mut self, line: &'static ReplyLine, is_optional: bool) {
        if let Some(tree) = self.reply() {
            let cursor = self.contract.guess(line, tree);
            self.stage = Stage::Point { line, cursor, is_optional, is_unfit: false };
        }
    }

    fn rows(&self) -> Vec<OverviewRow> {
        let operation = self.operation();
        let mut rows = vec![];
        if self.reply().is_some() {
            rows.extend(ReplyLine::of(operation).map(OverviewRow::Sought));
        }
        rows.extend(self.contract.sent_lines(operation).into_iter().map(OverviewRow::Sent));
        rows.extend(self.contract.body_of(operation).is_some().then_some(OverviewRow::NewField));
        rows.extend((!self.lines.is_empty()).then_some(OverviewRow::Save));
        rows
    }

    /// Adds corrected settings. Returns the validation error if the API contract rejects them.
    fn take(&mut self, lines: Vec<TaughtLine>) -> Result<(), Untrusted> {
        let mut all = self.lines.clone();
        all.retain(|old| !lines.iter().any(|new| new.name == old.name));
        all.extend(lines);
        let contract = self.before.taught(&all).map_err(|error| error.problem)?;
        // Drop settings that were changed back to their original value.
        all.retain(|line| self.before.value(&line.name) != Some(&line.value));
        (self.lines, self.contract) = (all, Arc::new(contract));
        Ok(())
    }

    /// Changes a setting of the API contract so that it reads the value under the cursor.
    fn pick(&mut self) {
        let Stage::Point { line, cursor, is_optional, .. } = self.stage else { return };
        let pointed = self.lines_for_row(line, cursor);
        let is_read = pointed.as_ref().is_some_and(|(_, read)| *read != ReadValue::Nothing);
        let taken = pointed.filter(|_| is_read).map(|(lines, _)| self.take(lines));
        match taken {
            Some(Ok(())) => self.go_on(),
            _ => self.stage = Stage::Point { line, cursor, is_optional, is_unfit: true },
        }
    }

    /// Returns the corrections with which the setting `line` reads the given row of the reply. Also
    /// returns the value that the setting then reads.
    fn lines_for_row(&self, line: &ReplyLine, row: usize) -> Option<(Vec<TaughtLine>, ReadValue)> {
        let tree = self.reply()?;
        let row = tree.rows().get(row)?;
        let lines = self.contract.pointed(line.name, &row.pointer, tree)?;
        let read = self.contract.taught(&lines).ok()?.reads(line, tree);
        Some((lines, read))
    }

    /// Opens the row under the cursor on the overview page.
    fn open_row(&mut self, lang: Lang) {
        match self.rows().get(self.cursor) {
            Some(OverviewRow::Sought(line)) => self.point(line, false),
            Some(OverviewRow::Sent(line)) => {
                let form = LineForm::of(&self.contract, self.operation(), line, lang);
                self.stage = Stage::Edit(Box::new(form));
            }
            Some(OverviewRow::NewField) => {
                self.stage = Stage::Edit(Box::new(LineForm::new_field("")))
            }
            Some(OverviewRow::Save) => self.stage = Stage::Review,
            None => {}
        }
    }

    fn save(&mut self, cx: &mut Cx) {
        let wait = cx.store.wait();
        self.saving = Some(wait);
        let (lines, exchange) = (self.lines.clone(), self.exchange.clone());
        cx.perform(Effect::Teach { ticket: wait.ticket, lines, exchange })
    }

    /// Adds the setting that was edited in the form to the corrections.
    fn take_form(&mut self) {
        let Stage::Edit(form) = &mut self.stage else { return };
        if !form.form.check() {
            return;
        }
        let form = form.clone();
        match self.take(form.lines(&self.contract, self.exchange.operation)) {
            Ok(()) => {
                // This may have been the last correction, so open the review page. Going back from
                // there leads to the next row of the overview.
                let is_new = !self.lines.is_empty();
                self.stage = if is_new { Stage::Review } else { Stage::Overview };
                self.cursor = (self.cursor + 1).min(self.rows().len() - 1);
            }
            Err(why) => {
                self.stage = Stage::Edit(Box::new(LineForm { refused: Some(why), ..*form }));
            }
        }
    }

    fn move_cursor(&mut self, to: Move) -> bool {
        let Some(last) = self.last_row() else { return false };
        match &mut self.stage {
            Stage::Point { cursor, is_unfit, .. } => {
                (*cursor, *is_unfit) = (moved(*cursor, last, to), false);
            }
            _ => self.cursor = moved(self.cursor, last, to),
        }
        true
    }

    /// Goes back one step, or skips an optional value. A dialog asks before unsaved corrections are
    /// dropped. A save that is already running continues in the background.
    fn step_back(&mut self, cx: &mut Cx) {
        match self.stage {
            _ if self.saving.is_some() => cx.close(),
            Stage::Overview if !self.lines.is_empty() => cx.ask(Question::DropForm),
            Stage::Overview => cx.close(),
            Stage::Point { line, is_optional: true, .. } => {
                self.absent.push(line);
                self.go_on();
            }
            _ => self.stage = Stage::Overview,
        }
    }

    /// Returns the index of the last row; `None` if the page has no rows.
    fn last_row(&self) -> Option<usize> {
        match &self.stage {
            Stage::Overview => self.rows().len().checked_sub(1),
            Stage::Point { .. } => self.reply()?.rows().len().checked_sub(1),
            Stage::Edit(_) | Stage::Review => None,
        }
    }
}

impl Screen for Teaching {
    fn info(&self) -> Info {
        let name = match self.stage {
            Stage::Overview => "teaching",
            Stage::Point { .. } => "pointing",
            Stage::Edit(_) => "rewording",
            Stage::Review => "writing",
        };
        let was_typed = (!self.lines.is_empty()).then_some(true);
        Info { was_typed, ..Info::of(name) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        match &self.stage {
            Stage::Edit(form) => {
                Actions::from(in_form(&form.form, None)).word(Action::Submit, "line")
            }
            _ if self.saving.is_some() => Actions::default(),
            Stage::Review => Actions::from(vec![Action::Open]).word(Action::Open, "write"),
            Stage::Overview | Stage::Point { .. } => {
                let is_overview = matches!(self.stage, Stage::Overview);
                let word = if is_overview { "change" } else { "this" };
                let offered = vec![Action::Open, Action::Down, Action::Up];
                Actions::from(offered).word(Action::Open, word)
            }
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (&self.stage, action) {
            (Stage::Point { .. }, Action::Open) => self.pick(),
            (Stage::Overview, Action::Open) => self.open_row(cx.store.setup.lang),
            (Stage::Review, Action::Open) => self.save(cx),
            (Stage::Edit(_), Action::Submit) => self.take_form(),
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
            ScreenEvent::Back => self.step_back(cx),
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
                    && !teaching::may_be_taught(cx.store, self.operation()) =>
            {
                cx.close()
            }
            _ => return false,
        }
        true
    }
}
