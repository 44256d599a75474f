//! The form for the file of an import. The path is typed, completed or pasted.

use std::sync::Arc;

use crate::app::cx::{Cx, Route};
use crate::app::screen::path_completion::PathCompletion;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks, body, form_actions};
use crate::app::store::credentials;
use crate::app::store::imports::{self, CheckedFile, ImportCommand, ImportFault};
use crate::app::store::imports::{ImportMsg, needed};
use crate::app::ui::block::Block;
use crate::app::ui::form::{Choice, Field, FieldError, Form, Label};
use crate::app::ui::form_page::{self, BELOW_PRIORITY, FormPage};
use crate::app::ui::parts::{waiting, wrapped};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Effect, Msg, Pane, Store, Wait};
use crate::batch::BatchProgress;
use crate::csv_files::FileFault;
use crate::trade::amount::{ColumnFault, Unit};
use crate::trade::{Account, Money};

const PATH: &str = "path";

const UNIT: &str = "unit";

/// The maximum length of the typed path, in characters.
const MAX_PATH_LENGTH: usize = 4_096;

#[derive(Debug, Clone)]
pub struct FileForm {
    form: Form,
    /// The pending check of the file.
    wait: Option<Wait>,
    completion: PathCompletion,
    fault: Option<ImportFault>,
    /// The account whose newest batch was asked for.
    account: Account,
}

impl FileForm {
    /// Opens the form, and reads the newest batch of the account. If a credential is missing, opens
    /// the login over it.
    pub fn open(cx: &mut Cx) -> FileForm {
        let path = Field::text(
            PATH,
            Label::Word("field-import-file"),
            true,
            MAX_PATH_LENGTH,
        );
        let needed = needed(cx.store);
        let account = cx.store.account();
        cx.perform(Effect::Import(ImportCommand::OpenNewest(account.clone())));
        credentials::open_login_if_missing(cx, needed);
        FileForm {
            form: Form::new(vec![path]),
            wait: None,
            completion: PathCompletion::new(PATH),
            fault: None,
            account,
        }
    }

    /// The newest batch of the account, if there is one.
    fn newest<'s>(&self, store: &'s Store) -> Option<&'s BatchProgress> {
        store.imports.of_account(&store.account())
    }

    /// The seller's answer about the unit of whole numbers.
    fn unit(&self) -> Option<Unit> {
        match self.form.chosen(UNIT)? {
            0 => None,
            1 => Some(Unit::Reais),
            _ => Some(Unit::Centavos),
        }
    }

    /// Adds a field for the unit of whole numbers. The options are the two readings of an amount.
    /// The first option asks to choose one of them.
    fn ask_unit(&mut self, readings: [Money; 2]) {
        let readings = readings.map(|reading| Choice::from_external_text(&reading.to_string()));
        let mut options = vec![Choice::from_message("", "import-choose-unit")];
        options.extend(readings);
        let field = Field::choice(UNIT, Label::Word("field-import-unit"), options);
        self.form.fields.truncate(1);
        self.form.fields.push(field);
        self.form.focus = 1;
    }

    fn check(&mut self, cx: &mut Cx) {
        if !self.form.check() {
            return;
        }
        if self.form.field(UNIT).is_some() && self.unit().is_none() {
            return self.form.fault(UNIT, FieldError::Missing);
        }
        if let Some(missing) = credentials::missing_to_send(cx.store, needed(cx.store)) {
            let failure = crate::trade::Failure::NoCredential(missing);
            return credentials::open_credential_form(cx, missing, failure);
        }
        let wait = cx.store.wait();
        (self.wait, self.fault) = (Some(wait), None);
        self.completion.clear();
        cx.perform(Effect::Import(ImportCommand::Check {
            ticket: wait.ticket,
            typed: self.form.value(PATH),
            account: cx.store.account(),
            unit: self.unit(),
        }));
    }

    fn checked(&mut self, cx: &mut Cx, result: &Result<Arc<CheckedFile>, ImportFault>) {
        self.wait = None;
        match result {
            Ok(file) => {
                cx.store.imports.fault = None;
                cx.replace_with(Route::ImportCheck(file.clone()));
            }
            Err(fault) => {
                self.fault = Some(fault.clone());
                if let ImportFault::File(FileFault::Amounts(ColumnFault::UnitUnknown {
                    readings,
                    ..
                })) = fault
                {
                    self.ask_unit(*readings);
                }
            }
        }
    }

    fn edited(&mut self) {
        // A typed path is quickly typed again, so nobody is asked before it is dropped.
        self.form.touched = false;
        self.completion.clear();
        if self.form.focus == 0 {
            self.form.fields.truncate(1);
            self.fault = None;
        }
    }

    /// The text below the button: the pending check, why the file cannot be used, or the names that
    /// complete the path.
    fn status_lines(&self, store: &Store, width: usize) -> Vec<Line> {
        if let Some(wait) = self.wait {
            let text = store.text("import-reading");
            return vec![waiting(store.render_cx(), &text, wait)];
        }
        if let Some(ImportFault::File(FileFault::Amounts(ColumnFault::UnitUnknown {
            line,
            readings,
        }))) = &self.fault
        {
            let question =
                crate::words::batch::unit_question(store.words(), "file-unit", *line, *readings);
            return wrapped(Role::Warn, &question, width);
        }
        if let Some(fault) = &self.fault {
            return super::fault_lines(store, fault, width);
        }
        self.completion.lines(store, width)
    }
}

impl Screen for FileForm {
    fn info(&self) -> Info {
        Info {
            wait: self.wait,
            cancels: self.wait.map(|wait| wait.ticket),
            completes: self.completion.is_possible(&self.form),
            submits: Some("check"),
            ..Info::in_pane("import", Pane::Links)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let width = form_page::inner_width(area);
        let mut head = vec![Block::cut(
            form_page::HEAD_PRIORITY,
            1,
            wrapped(Role::Dim, &words.text("import-what"), width),
        )];
        if let Some(newest) = self.newest(store) {
            let when = super::moment(store, newest.batch.at);
            let key = store.render_cx().first_key(Action::ShowOther);
            let values = [("when", &*when), ("key", key)];
            let waiting = newest.counts.open();
            let text = if waiting > 0 {
                words.count("import-newest-waiting", waiting, &values)
            } else {
                words.with("import-newest", &values)
            };
            let role = if waiting > 0 { Role::Warn } else { Role::Dim };
            head.push(Block::new(wrapped(role, &text, width)));
        }
        let form = FormPage::new(words, ["import-title", "import-check"], &self.form);
        let status = self.status_lines(store, width);
        FormPage {
            head,
            below: vec![Block::cut(BELOW_PRIORITY, 1, status)],
            ..form
        }
        .draw(words, area, page);
    }

    body!(Form(form));

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let mut offered = form_actions(&self.form, self.wait);
        if self.newest(store).is_some() {
            offered.push(Action::ShowOther);
        }
        Actions::from(offered)
            .word(Action::Submit, "check")
            .word(Action::NextField, "complete")
            .word(Action::ShowOther, "batch")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Submit => self.check(cx),
            Action::NextField if self.wait.is_none() => self.completion.begin(cx, &self.form),
            Action::ShowOther => cx.replace_with(Route::Batch),
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Edited => self.edited(),
            ScreenEvent::Cancelled => self.wait = None,
            ScreenEvent::StoreChanged if self.account != cx.store.account() => {
                self.account = cx.store.account();
                let account = self.account.clone();
                cx.perform(Effect::Import(ImportCommand::OpenNewest(account)));
            }
            ScreenEvent::Message(msg @ Msg::PathCompleted { .. }) => {
                let is_own = self.completion.on_message(cx, &mut self.form, msg);
                self.form.touched = false;
                return is_own;
            }
            ScreenEvent::Message(Msg::Import(ImportMsg::Checked { ticket, result }))
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                self.checked(cx, result);
            }
            _ => return false,
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            needs: imports::needed(store),
            ..ScreenLinks::default()
        }
    }
}
