//! The form for exporting a list to a file. It asks for the format, and whether personal data stays
//! readable.

use crate::app::cx::Cx;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, body, form_actions};
use crate::app::store::list_export::{self, ExportFault, FileFormat, ListKind};
use crate::app::store::notice::Notice;
use crate::app::ui::block::Block;
use crate::app::ui::form::{Choice, Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{waiting, wrapped};
use crate::app::ui::{Action, Area, Line, Page, Role};
use crate::app::{Msg, Store, Wait};
use crate::trade::Untrusted;
use crate::words::failure;

const FORMAT: &str = "format";

const PERSONAL: &str = "personal";

#[derive(Debug, Clone)]
pub struct ExportForm {
    list: ListKind,
    form: Form,
    /// The file that is being written.
    wait: Option<Wait>,
    fault: Option<ExportFault>,
}

impl ExportForm {
    pub fn of(list: ListKind) -> ExportForm {
        let formats = vec![
            Choice::from_message("csv", "export-csv"),
            Choice::from_message("json", "export-json"),
        ];
        let personal = vec![
            Choice::from_message("masked", "export-masked"),
            Choice::from_message("whole", "export-unmasked"),
        ];
        let form = Form::new(vec![
            Field::choice(FORMAT, Label::Word("field-export-format"), formats),
            Field::choice(PERSONAL, Label::Word("field-export-personal"), personal),
        ]);
        ExportForm {
            list,
            form,
            wait: None,
            fault: None,
        }
    }

    fn begin(&mut self, cx: &mut Cx) {
        let format = match self.form.chosen(FORMAT) {
            Some(1) => FileFormat::Json,
            _ => FileFormat::Csv,
        };
        let is_masked = self.form.chosen(PERSONAL) != Some(1);
        let (wait, effect) = list_export::begin(cx.store, self.list, format, is_masked);
        (self.wait, self.fault) = (Some(wait), None);
        cx.perform(effect);
    }

    fn status_lines(&self, store: &Store, width: usize) -> Vec<Line> {
        let words = store.words();
        if let Some(wait) = self.wait {
            let text = words.text("export-wait");
            return vec![waiting(store.render_cx(), &text, wait)];
        }
        let text = match &self.fault {
            None => {
                let id = if self.form.chosen(PERSONAL) == Some(1) {
                    "export-unmasked-means"
                } else {
                    "export-masked-means"
                };
                return wrapped(Role::Dim, &words.text(id), width);
            }
            Some(ExportFault::File(why)) => {
                let why = Untrusted::from(&**why).shown_within(200);
                words.with("export-not-saved", &[("why", &why)])
            }
            Some(ExportFault::History(trouble)) => failure::history(words, trouble).0,
            Some(ExportFault::Journal(trouble)) => {
                let text = failure::journal(words, trouble);
                format!("{} {}", text.what, text.next)
            }
        };
        wrapped(Role::Bad, &text, width)
    }
}

impl Screen for ExportForm {
    fn info(&self) -> Info {
        Info {
            wait: self.wait,
            cancels: self.wait.map(|wait| wait.ticket),
            submits: Some("export"),
            ..Info::in_pane("export", self.list.pane())
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let width = form_page::inner_width(area);
        let title = match self.list {
            ListKind::Links => "export-title-links",
            ListKind::Charges => "export-title-charges",
            ListKind::Withdrawals => "export-title-withdrawals",
        };
        let head = wrapped(Role::Dim, &words.text("export-what"), width);
        let status = self.status_lines(store, width);
        FormPage {
            head: vec![Block::cut(form_page::HEAD_PRIORITY, 1, head)],
            below: vec![Block::cut(form_page::BELOW_PRIORITY, 1, status)],
            ..FormPage::new(words, [title, "export-submit"], &self.form)
        }
        .draw(words, area, page);
    }

    body!(Form(form));

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(form_actions(&self.form, self.wait)).word(Action::Submit, "export")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        // A kiosk does not offer this page, because its visitors must not write files.
        if action == Action::Submit && self.wait.is_none() && cx.store.setup.kiosk().is_none() {
            self.begin(cx);
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Edited => {
                // Two choices are quickly made again, so nobody is asked before they are dropped.
                self.form.touched = false;
                self.fault = None;
            }
            ScreenEvent::Cancelled => self.wait = None,
            ScreenEvent::Message(Msg::ListExported { ticket, result })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                self.wait = None;
                match result {
                    Ok(file) => {
                        cx.close();
                        cx.store.notify(Notice::ListExported(file.clone()));
                    }
                    Err(fault) => self.fault = Some(fault.clone()),
                }
            }
            _ => return false,
        }
        true
    }
}
