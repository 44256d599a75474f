//! Compares a bank's statement with links, charges and withdrawals, and marks what the seller
//! accepts.
//!
//! The page first asks for the file. The result is a list with a cursor. One key marks all certain
//! matches; a possible match is marked only by itself, with the cursor on it.

use std::sync::Arc;

use crate::app::cx::Cx;
use crate::app::screen::path_completion::PathCompletion;
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, form_actions};
use crate::app::ui::block::Block;
use crate::app::ui::form::{Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::list::moved_cursor;
use crate::app::ui::parts::{paragraph, put, row, title, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::sent_form::{MIN_FAILURE_ROWS, SentForm};
use crate::app::ui::text::{columns, fit};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::app::{Effect, HistoryCommand, Msg, Pane, Store, Wait};
use crate::statement::reconciliation::{ReconcileFault, Reconciliation, SaleMatch};
use crate::trade::{StatementMarks, Ticket, Wall};
use crate::words::statement;

const FIELD: &str = "statement";

/// The maximum length of the path, in characters.
const MAX_PATH: usize = 4_096;

/// The width from which a sale and its line are shown in one row.
const MIN_WIDE_ROW: usize = 100;

#[derive(Debug, Clone)]
pub struct Reconcile {
    pub sent: SentForm,
    completion: PathCompletion,
    /// The reason why the file could not be compared.
    fault: Option<ReconcileFault>,
    /// The result; `None` while the page asks for the file.
    pub result: Option<Arc<Reconciliation>>,
    /// The time when the file was read first. The marks of this page belong to one import.
    read_at: Wall,
    /// The index of the row under the cursor, among all rows of the result.
    pub cursor: usize,
    /// The pending comparison after marks were made.
    wait: Option<Wait>,
    /// The marks that are being written or undone.
    writing: Option<Ticket>,
}

impl Reconcile {
    pub fn open(store: &Store) -> Reconcile {
        let field = Field::text(FIELD, Label::Word("field-statement"), true, MAX_PATH);
        Reconcile {
            sent: SentForm::new(Form::new(vec![field])),
            completion: PathCompletion::new(FIELD),
            fault: None,
            result: None,
            read_at: store.now.wall,
            cursor: 0,
            wait: None,
            writing: None,
        }
    }

    /// Requests a comparison with the file.
    fn compare(&mut self, cx: &mut Cx) -> Wait {
        let wait = cx.store.wait();
        cx.perform(Effect::History(HistoryCommand::Reconcile {
            ticket: wait.ticket,
            path: self.sent.form.value(FIELD).into(),
        }));
        wait
    }

    /// Handles the result of a comparison.
    fn compared(&mut self, result: &Result<Arc<Reconciliation>, ReconcileFault>) {
        (self.sent.wait, self.wait) = (None, None);
        self.fault = result.as_ref().err().cloned();
        self.result = result.as_ref().ok().cloned();
        let rows = self.result.as_deref().map_or(0, count_rows);
        self.cursor = self.cursor.min(rows.saturating_sub(1));
    }

    /// Compares again after marks were made or undone, because the result has changed. While the
    /// page still asks for the file, there is nothing to compare.
    fn written(&mut self, cx: &mut Cx, ticket: Ticket, has_changed: bool) {
        if self.writing == Some(ticket) {
            self.writing = None;
            if has_changed && self.result.is_some() {
                self.wait = Some(self.compare(cx));
            }
        }
    }

    fn is_awaited(&self, ticket: Ticket) -> bool {
        let waits = [self.sent.wait, self.wait];
        waits.iter().flatten().any(|wait| wait.ticket == ticket)
    }

    /// True if marks can be made or undone now.
    fn is_ready(&self) -> bool {
        self.wait.is_none() && self.writing.is_none()
    }

    /// The possible match under the cursor.
    fn possible_under_cursor(&self) -> Option<&SaleMatch> {
        let result = self.result.as_deref()?;
        let above = result.payouts.len() + result.certain.len();
        result.possible.get(self.cursor.checked_sub(above)?)
    }

    /// Marks these sales as paid.
    fn mark<'m>(&mut self, cx: &mut Cx, matches: impl Iterator<Item = &'m SaleMatch>) {
        let ticket = cx.store.next_ticket();
        self.writing = Some(ticket);
        let marks = StatementMarks {
            read_at: self.read_at,
            at: cx.store.now.wall,
            marks: matches.map(SaleMatch::mark).collect(),
        };
        cx.perform(Effect::History(HistoryCommand::MarkFromStatement {
            ticket,
            marks,
        }));
    }

    fn draw_form(&self, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        let width = form_page::inner_width(area);
        let lines = match (self.sent.wait, &self.fault) {
            (Some(wait), _) => vec![waiting(
                store.render_cx(),
                &words.text("reconcile-wait"),
                wait,
            )],
            (None, Some(fault)) => wrapped(Role::Bad, &statement::fault(words, fault), width),
            (None, None) => match self.completion.lines(store, width) {
                names if names.is_empty() => {
                    wrapped(Role::Dim, &words.text("reconcile-hint"), width)
                }
                names => names,
            },
        };
        let first = wrapped(Role::Text, &words.text("reconcile-first"), width);
        let names = ["reconcile-title", "reconcile-submit"];
        FormPage {
            head: vec![Block::new(first)],
            below: vec![Block::cut(
                form_page::BELOW_PRIORITY,
                MIN_FAILURE_ROWS,
                lines,
            )],
            ..FormPage::new(words, names, &self.sent.form)
        }
        .draw(words, area, page);
    }

    fn draw_result(&self, result: &Reconciliation, store: &Store, area: Area, page: &mut Page) {
        let words = store.words();
        title(&words.text("reconcile-title"), Line::default(), area, page);
        let inside = area.narrowed(1).split_top(2).1.without_right(1);
        let width = usize::from(inside.width).saturating_sub(1);
        let text_width = usize::from(inside.readable().width).saturating_sub(3);
        let mut head = wrapped(Role::Text, &words.text("reconcile-first"), text_width);
        let mut counts = words.count("reconcile-entries", result.lines, &[]);
        if result.used > 0 {
            let used = words.count("reconcile-used", result.used, &[]);
            counts = format!("{counts} · {used}");
        }
        head.extend(wrapped(Role::Dim, &counts, text_width));
        if let Some(wait) = self.wait {
            head.push(waiting(
                store.render_cx(),
                &words.text("reconcile-wait"),
                wait,
            ));
        }
        let height = u16::try_from(head.len()).unwrap_or(u16::MAX);
        let (head_area, list) = inside.split_top(height);
        put(head, head_area, page);
        if count_rows(result) == 0 {
            let none = paragraph(Role::Text, &words.text("reconcile-none"), text_width);
            return put(none, list, page);
        }
        let mut rows = ResultLines {
            store,
            width,
            text_width,
            cursor: self.cursor,
            lines: vec![],
            count: 0,
            visible_line: 0,
        };
        rows.add_all(result);
        let visible_line = if self.cursor == 0 {
            0
        } else {
            rows.visible_line
        };
        Text::new(rows.lines, list).draw_around(visible_line, store.render_cx(), page);
    }
}

/// The number of rows of a result on which the cursor can be.
fn count_rows(result: &Reconciliation) -> usize {
    result.payouts.len()
        + result.certain.len()
        + result.possible.len()
        + result.groups.len()
        + result.contradictions.len()
}

/// The lines of a result.
struct ResultLines<'s> {
    store: &'s Store,
    width: usize,
    /// The width of wrapped texts.
    text_width: usize,
    cursor: usize,
    lines: Vec<Line>,
    /// The number of rows that were added.
    count: usize,
    /// The last line of the row under the cursor.
    visible_line: usize,
}

impl ResultLines<'_> {
    fn add_all(&mut self, result: &Reconciliation) {
        let words = self.store.words();
        let today = self.store.now.wall.local_day(self.store.setup.utc_offset_s);
        let counts = &result.counts;
        self.add_heading("reconcile-payouts", counts.payouts);
        for payout in &result.payouts {
            self.add_row(Role::Dim, &statement::payout(words, today, payout), None);
        }
        for (id, count, matches) in [
            ("reconcile-certain", counts.certain, &result.certain),
            ("reconcile-possible", counts.possible, &result.possible),
        ] {
            self.add_heading(id, count);
            for matched in matches {
                let line = statement::line(words, today, &matched.line);
                self.add_row(
                    Role::Text,
                    &statement::sale(words, today, matched),
                    Some(&line),
                );
            }
        }
        self.add_heading("reconcile-groups", counts.groups);
        for group in &result.groups {
            self.add_row(Role::Dim, &statement::group(words, group), None);
        }
        self.add_heading("reconcile-contradictions", counts.contradictions);
        for matched in &result.contradictions {
            let text = statement::contradiction(words, today, matched);
            self.add_row(Role::Warn, &text, None);
        }
    }

    /// Adds the heading of a part, unless the part is empty.
    fn add_heading(&mut self, id: &str, count: u64) {
        if count > 0 {
            let text = self.store.words().count(id, count, &[]);
            self.lines.push(Line::default());
            self.lines
                .extend(wrapped(Role::Strong, &text, self.text_width));
        }
    }

    /// Adds a row: a text and, beside or below it, the line of the statement.
    fn add_row(&mut self, role: Role, text: &str, line: Option<&str>) {
        let is_chosen = self.count == self.cursor;
        self.count += 1;
        let room = self.width.saturating_sub(2);
        let line = line.map(|line| format!("» {line}"));
        match line {
            Some(line) if self.width >= MIN_WIDE_ROW => {
                let half = room / 2;
                let left = fit(text, half.saturating_sub(2));
                let gap = " ".repeat(half.saturating_sub(columns(&left)));
                let spans = vec![
                    Span::of(role, left),
                    Span::plain(gap),
                    Span::of(role, fit(&line, room - half)),
                ];
                self.lines.push(row(is_chosen, spans));
            }
            line => {
                let texts = wrapped(role, text, room.min(self.text_width))
                    .into_iter()
                    .map(|line| line.spans);
                for spans in texts.collect::<Vec<_>>() {
                    self.lines.push(row(is_chosen, spans));
                }
                let below = line.map(|line| wrapped(role, &line, room.saturating_sub(2)));
                for line in below.into_iter().flatten() {
                    let mut spans = vec![Span::plain("  ")];
                    spans.extend(line.spans);
                    self.lines.push(row(is_chosen, spans));
                }
            }
        }
        if is_chosen {
            self.visible_line = self.lines.len().saturating_sub(1);
        }
    }
}

impl Screen for Reconcile {
    fn info(&self) -> Info {
        let name = if self.result.is_some() {
            "reconciled"
        } else {
            "reconcile"
        };
        Info {
            wait: self.wait,
            cancels: self.wait.map(|wait| wait.ticket),
            was_typed: self.result.is_some().then_some(false),
            is_wide: self.result.is_some(),
            completes: self.result.is_none() && self.completion.is_possible(&self.sent.form),
            submits: Some("compare"),
            ..Info::in_pane(name, Pane::Links)
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        if self.result.is_some() {
            ScreenBody::Text
        } else {
            ScreenBody::Sent(&self.sent)
        }
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        if self.result.is_some() {
            BodyMut::Text
        } else {
            BodyMut::Sent(&mut self.sent)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        match &self.result {
            Some(result) => self.draw_result(result, store, area, page),
            None => self.draw_form(store, area, page),
        }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        let Some(result) = self.result.as_deref() else {
            let mut offered = form_actions(&self.sent.form, self.sent.wait);
            let can_undo = self.sent.wait.is_none() && self.is_ready();
            offered.extend(can_undo.then_some(Action::UndoMarks));
            return Actions::from(offered)
                .word(Action::Submit, "compare")
                .word(Action::NextField, "complete");
        };
        let is_ready = self.is_ready();
        let has_possible = self.possible_under_cursor().is_some();
        let has_rows = count_rows(result) > 0;
        Actions::offered_if([
            (is_ready && !result.certain.is_empty(), Action::MarkCertain),
            (is_ready && has_possible, Action::MarkPaid),
            (is_ready, Action::UndoMarks),
            (has_rows, Action::Down),
            (has_rows, Action::Up),
        ])
        .word(Action::MarkPaid, "matched")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        // A kiosk does not offer this page, because its visitors must not read files.
        if cx.store.setup.kiosk().is_some() {
            return;
        }
        match action {
            Action::Submit if self.sent.form.check() => {
                self.read_at = cx.store.now.wall;
                self.fault = None;
                self.completion.clear();
                let wait = self.compare(cx);
                self.sent.begin(wait);
            }
            Action::NextField if self.sent.wait.is_none() => {
                self.completion.begin(cx, &self.sent.form);
            }
            Action::MarkCertain => {
                if let Some(result) = self.result.clone() {
                    self.mark(cx, result.certain.iter());
                }
            }
            Action::MarkPaid => {
                if let Some(matched) = self.possible_under_cursor().cloned() {
                    self.mark(cx, [&matched].into_iter());
                }
            }
            Action::UndoMarks => {
                let ticket = cx.store.next_ticket();
                self.writing = Some(ticket);
                cx.perform(Effect::History(HistoryCommand::UndoStatement(ticket)));
            }
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Edited => {
                self.fault = None;
                self.completion.clear();
            }
            ScreenEvent::Cancelled => (self.sent.wait, self.wait) = (None, None),
            ScreenEvent::Moved(to) => {
                let Some(last) = self.result.as_deref().map(count_rows) else {
                    return false;
                };
                self.cursor = moved_cursor(self.cursor, last.saturating_sub(1), to);
                cx.store.scroll = 0;
            }
            ScreenEvent::Message(msg @ Msg::PathCompleted { .. }) => {
                return self.completion.on_message(cx, &mut self.sent.form, msg);
            }
            ScreenEvent::Message(Msg::Reconciled { ticket, result }) => {
                if self.is_awaited(*ticket) {
                    self.compared(result);
                }
            }
            ScreenEvent::Message(Msg::StatementMarked { ticket, result }) => {
                self.written(cx, *ticket, result.is_ok());
            }
            ScreenEvent::Message(Msg::StatementUndone { ticket, result }) => {
                self.written(cx, *ticket, result.is_ok());
            }
            _ => return false,
        }
        true
    }
}
