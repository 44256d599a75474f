//! The page that shows what is in a file before its links are created.

use std::sync::Arc;

use super::fault_lines;
use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::store::imports::{self, CheckedFile, ImportMsg, LinksToCreate};
use crate::app::ui::parts::{hanging, paragraph, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{Msg, Pane, Store};
use crate::batch::{Excerpt, Figures, Skip};
use crate::words::batch;

/// The page of a checked file.
#[derive(Debug, Clone)]
pub struct CheckPage {
    file: Arc<CheckedFile>,
    /// True if links that exist already are created again.
    sends_existing: bool,
}

impl CheckPage {
    pub fn of(file: Arc<CheckedFile>) -> CheckPage {
        CheckPage {
            file,
            sends_existing: false,
        }
    }

    fn figures(&self) -> Figures {
        let report = &self.file.report;
        if self.sends_existing {
            report.all
        } else {
            report.new
        }
    }

    fn is_beginning(&self, store: &Store) -> bool {
        store.imports.beginning == Some(self.file.ticket)
    }

    fn lines(&self, store: &Store, width: usize) -> Vec<Line> {
        let words = store.words();
        let report = &self.file.report;
        let name = self.file.name.shown();
        let file = words.count("batch-file", report.lines, &[("file", &name)]);
        let figures = self.figures();
        let mut lines = wrapped(Role::Dim, &file, width);
        lines.extend(wrapped(
            Role::Strong,
            &batch::figures(words, &figures),
            width,
        ));
        if figures.count > 0 {
            let values = [("file", &*self.file.result.shown())];
            let text = words.with("import-result", &values);
            lines.extend(wrapped(Role::Dim, &text, width));
        }
        if let Some(fault) = &store.imports.fault {
            lines.push(Line::default());
            lines.extend(fault_lines(store, fault, width));
        }
        if self.is_beginning(store) {
            lines.extend(paragraph(Role::Dim, &words.text("import-storing"), width));
        }
        lines.extend(skipped_lines(store, "import-faults", &report.faults, width));
        let existing_id = if self.sends_existing {
            "import-existing.again"
        } else {
            "import-existing"
        };
        lines.extend(skipped_lines(store, existing_id, &report.existing, width));
        lines
    }

    fn ask(&self, cx: &mut Cx) {
        let report = &self.file.report;
        let links = LinksToCreate {
            ticket: self.file.ticket,
            account: self.file.account.clone(),
            figures: self.figures(),
            faults: report.faults.total,
            existing: report.existing.total,
            sends_existing: self.sends_existing,
        };
        imports::ask_to_create(cx, links);
    }
}

/// Lays out the lines of one kind that are not sent: their number, and the first of them with the
/// number of the line and the reason.
fn skipped_lines(store: &Store, id: &str, excerpt: &Excerpt<Skip>, width: usize) -> Vec<Line> {
    if excerpt.total == 0 {
        return vec![];
    }
    let words = store.words();
    let key = store.render_cx().first_key(Action::Repeat);
    let heading = words.count(id, excerpt.total, &[("key", key)]);
    let mut lines = paragraph(Role::Warn, &heading, width);
    let now = (store.now.wall, store.setup.utc_offset_s);
    for (number, skip) in &excerpt.first {
        let label = words.with("import-line", &[("line", &number.to_string())]);
        let label = Span::of(Role::Dim, format!("  {label}  "));
        let text = batch::skip(words, *skip, now);
        lines.extend(hanging(label, Role::Text, &text, width));
    }
    let more = excerpt.total - excerpt.first.len() as u64;
    if more > 0 {
        let text = words.count("import-more-lines", more, &[]);
        lines.extend(wrapped(Role::Dim, &format!("  {text}"), width));
    }
    lines
}

impl Screen for CheckPage {
    fn info(&self) -> Info {
        Info {
            cancels: Some(self.file.ticket),
            ..Info::in_pane("import-check", Pane::Links)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (head, rest) = area.split_top(2);
        let heading = store.text("import-check-title");
        title(&heading, Line::default(), head, page);
        let rest = rest.narrowed(1).without_right(1);
        let lines = self.lines(store, usize::from(rest.width));
        Text::new(lines, rest).draw(store.render_cx(), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        // After a fault, the lines are gone, so the file must be checked again.
        let is_idle = !self.is_beginning(store) && store.imports.fault.is_none();
        let has_existing = self.file.report.existing.total > 0;
        let existing = if self.sends_existing {
            "without"
        } else {
            "existing"
        };
        Actions::offered_if([
            (is_idle && self.figures().count > 0, Action::Send),
            (is_idle && has_existing, Action::Repeat),
            (true, Action::Down),
            (true, Action::Up),
        ])
        .word(Action::Send, "links")
        .word(Action::Repeat, existing)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        match action {
            Action::Send => self.ask(cx),
            Action::Repeat => self.sends_existing = !self.sends_existing,
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            // The lines were compared with the links of one account.
            ScreenEvent::StoreChanged if cx.store.account() != self.file.account => cx.close(),
            ScreenEvent::Message(Msg::Import(ImportMsg::Begun { ticket, .. }))
                if *ticket == self.file.ticket =>
            {
                cx.replace_with(Route::Batch);
            }
            _ => return false,
        }
        true
    }
}
