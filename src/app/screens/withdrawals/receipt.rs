//! The receipt of a withdrawal that the service accepted. The seller can read, copy and save it.

mod svg;

use crate::app::cx::Cx;
use crate::app::message::ReceiptFiles;
use crate::app::screen::{Actions, Info, Screen, ScreenEvent};
use crate::app::screens::withdrawals::show::facts;
use crate::app::store::clip::{self, Clip};
use crate::app::ui::action::Action;
use crate::app::ui::list_pane::in_full;
use crate::app::ui::parts::{pair, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{columns, exactly};
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Effect, Msg, Pane, Store};
use crate::trade::withdrawal::{Agreement, Attempt, AttemptEnd, Class};
use crate::trade::{Ticket, Untrusted, Wall, Withdrawal};
use crate::words::{dates, names, personal};

#[derive(Debug, Clone)]
pub struct Receipt {
    /// The accepted withdrawal. Acceptance is final, so the receipt never has to be updated.
    pub withdrawal: Withdrawal,
    pub saving: Saving,
}

/// The progress of saving the receipt's files.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Saving {
    /// The seller has not asked to save the files.
    #[default]
    NotRequested,
    /// The files are being written.
    Writing(Ticket),
    /// The paths of the written files.
    Saved([Untrusted; 2]),
    /// The files could not be written, for this reason given by the operating system.
    Failed(String),
}

impl Receipt {
    pub fn of(withdrawal: Withdrawal) -> Receipt {
        Receipt {
            withdrawal,
            saving: Saving::NotRequested,
        }
    }

    /// Writes the receipt's files. The action is not offered while they are already being written.
    fn save(&mut self, cx: &mut Cx, content: &ReceiptContent) {
        let ticket = cx.store.next_ticket();
        self.saving = Saving::Writing(ticket);
        let svg = svg::to_svg(content, cx.store.setup.lang);
        let name = file_name(cx.store, &self.withdrawal);
        cx.perform(Effect::SaveReceipt {
            ticket,
            files: ReceiptFiles {
                name,
                text: content.text(),
                svg,
            },
        })
    }
}

impl Screen for Receipt {
    fn info(&self) -> Info {
        Info {
            ..Info::in_pane("receipt", Pane::Withdrawals)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw(store, self, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let is_writing = matches!(self.saving, Saving::Writing(_));
        let actions = [
            (true, Action::Copy),
            (!is_writing, Action::Save),
            (true, Action::Down),
            (true, Action::Up),
        ];
        let actions = Actions::offered_if(actions).word(Action::Copy, "text");
        let is_kiosk = store.setup.kiosk().is_some();
        if is_kiosk {
            actions.word(Action::Save, "copy")
        } else {
            actions
        }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let Some(content) = ReceiptContent::of(cx.store, &self.withdrawal) else {
            return;
        };
        match action {
            Action::Copy => clip::copy(cx, Clip::Receipt, content.text().into()),
            // A kiosk writes no files, so copy the receipt instead.
            Action::Save if cx.store.setup.kiosk().is_some() => self.act(cx, Action::Copy),
            Action::Save => self.save(cx, &content),
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::ReceiptSaved { ticket, result }) = event else {
            return false;
        };
        if self.saving == Saving::Writing(*ticket) {
            // Scroll to the top, where the paths of the files are shown.
            cx.store.scroll = 0;
            self.saving = match result {
                Ok(paths) => Saving::Saved(paths.clone()),
                Err(error) => Saving::Failed(error.clone()),
            };
        }
        true
    }
}

fn draw(store: &Store, receipt: &Receipt, area: Area, page: &mut Page) {
    let Some(content) = ReceiptContent::of(store, &receipt.withdrawal) else {
        return;
    };
    title(&content.title, Line::default(), area, page);
    let inner = area.text().split_top(2).1;
    let mut lines = saving_lines(store, &receipt.saving, inner.width);
    lines.extend(content_lines(&content, usize::from(inner.width)));
    Text::compact(lines, inner).draw(store.render_cx(), page);
}

/// Lays out the paths of the saved files, or the error. In a kiosk, explains that the save key
/// copies the receipt instead.
fn saving_lines(store: &Store, saving: &Saving, width: u16) -> Vec<Line> {
    let columns = usize::from(width);
    let mut lines = match saving {
        Saving::NotRequested if store.setup.kiosk().is_some() => wrapped(
            Role::Dim,
            &store.render_cx().with_key("receipt-kiosk", Action::Save),
            columns,
        ),
        Saving::NotRequested => return vec![],
        Saving::Writing(_) => wrapped(Role::Dim, &store.text("receipt-writing"), columns),
        Saving::Saved(paths) => {
            let mut lines = wrapped(Role::Good, &store.text("receipt-saved"), columns);
            for path in paths {
                lines.extend(in_full(path, width));
            }
            lines
        }
        Saving::Failed(error) => {
            let key = store.render_cx().first_key(Action::Copy);
            let error = Untrusted::from(&**error).shown_within(200);
            let message = store.with("receipt-not-saved", &[("why", &error), ("key", key)]);
            wrapped(Role::Bad, &message, columns)
        }
    };
    lines.push(Line::default());
    lines
}

fn content_lines(content: &ReceiptContent, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for note in &content.notes {
        lines.extend(wrapped(Role::Strong, note, width));
    }
    for part in &content.parts {
        lines.push(Line::default());
        lines.extend(wrapped(Role::Strong, &part.heading, width));
        for (label, value) in &part.rows {
            lines.extend(pair(label, value, width));
        }
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Dim, &content.closing, width));
    lines
}

/// The width, in columns, of the labels in the text file.
const LABEL_WIDTH: usize = 24;

/// The contents of a receipt, independent of the file format.
#[derive(Debug, Clone, PartialEq)]
pub struct ReceiptContent {
    pub title: String,
    /// Sentences at the top that explain what a receipt is and is not.
    pub notes: Vec<String>,
    /// The two parts of a receipt: the request, and the service's reply.
    pub parts: [ReceiptSection; 2],
    /// The last sentence, about what a receipt does not prove.
    pub closing: String,
}

#[derive(Debug, Clone, PartialEq)]
pub struct ReceiptSection {
    pub heading: String,
    /// Pairs of a label and a value.
    pub rows: Vec<(String, String)>,
}

impl ReceiptContent {
    /// Creates the contents of a receipt. Returns `None` if the service accepted no send attempt.
    pub fn of(store: &Store, withdrawal: &Withdrawal) -> Option<ReceiptContent> {
        let (attempt, end) = find_accepted_attempt(withdrawal)?;
        let mut notes = vec![store.text("receipt-no-bank")];
        notes.extend(store.sandbox.then(|| store.text("receipt-sandbox")));
        let request_rows = request_rows(store, &withdrawal.agreement, attempt);
        let reply_rows = reply_rows(store, withdrawal, end);
        Some(ReceiptContent {
            title: store.text("receipt-title"),
            notes,
            parts: [
                ReceiptSection {
                    heading: store.text("receipt-asked"),
                    rows: request_rows,
                },
                ReceiptSection {
                    heading: store.text("receipt-said"),
                    rows: reply_rows,
                },
            ],
            closing: store.text("receipt-closing"),
        })
    }

    pub fn text(&self) -> String {
        let mut lines = vec![self.title.clone()];
        lines.extend(self.notes.iter().cloned());
        for part in &self.parts {
            lines.extend([String::new(), part.heading.clone()]);
            lines.extend(
                part.rows
                    .iter()
                    .map(|(label, value)| format_row(label, value)),
            );
        }
        lines.extend([String::new(), self.closing.clone(), String::new()]);
        lines.join("\n")
    }
}

/// A label and its value as plain text. After a long label, the value is on its own line.
fn format_row(label: &str, value: &str) -> String {
    let padded_label = exactly(label, LABEL_WIDTH);
    if columns(label) < LABEL_WIDTH {
        format!("  {padded_label}{value}")
    } else {
        format!("  {label}\n  {}{value}", " ".repeat(LABEL_WIDTH))
    }
}

fn find_accepted_attempt(withdrawal: &Withdrawal) -> Option<(&Attempt, &AttemptEnd)> {
    withdrawal
        .attempts
        .iter()
        .find_map(|attempt| match &attempt.end {
            Some(end) if matches!(end.class, Class::Confirmed { .. }) => Some((attempt, end)),
            _ => None,
        })
}

/// The labels and values of the request as stored in the withdrawal journal.
fn request_rows(store: &Store, agreement: &Agreement, attempt: &Attempt) -> Vec<(String, String)> {
    let header = Untrusted::from(&*agreement.key_header_name);
    let key = format!("{} ({})", store.text("outcome-key"), header.shown());
    let destination = if agreement.body.is_empty() {
        // The withdrawal journal no longer has the request body, so the destination is unknown.
        store.text("receipt-purged")
    } else {
        names::destination(store.words(), agreement.destination.as_ref())
    };
    let mut rows = vec![
        (store.text("receipt-amount"), agreement.amount.to_string()),
        (store.text("outcome-to"), destination),
    ];
    let other_members = facts::other_members(store, agreement).into_iter();
    rows.extend(other_members.map(|other| (other.label, other.value)));
    rows.extend([
        (
            store.text("outcome-quote"),
            facts::confirmed_quote_text(store.words(), agreement),
        ),
        (key, agreement.key.to_string()),
        (
            store.text("receipt-agreed"),
            format_moment(store, agreement.agreed.wall),
        ),
        (
            store.text("receipt-sent"),
            format_moment(store, attempt.began.wall),
        ),
        (
            store.text("receipt-service"),
            Untrusted::from(&*agreement.account.origin.0).shown(),
        ),
    ]);
    rows
}

/// The labels and values of the service's reply, with the service's own words.
fn reply_rows(store: &Store, withdrawal: &Withdrawal, end: &AttemptEnd) -> Vec<(String, String)> {
    let mut rows = vec![(store.text("receipt-answered"), format_moment(store, end.at))];
    rows.extend(end.status.map(|status| {
        let text = store.with("receipt-http", &[("status", &status.to_string())]);
        (store.text("receipt-status"), text)
    }));
    let id = withdrawal.service_id();
    rows.extend(id.map(|id| (store.text("receipt-id"), quote(store, id))));
    let status = withdrawal
        .service_status()
        .map(|status| names::service_status(store.words(), "outcome-status-theirs", status));
    rows.extend(status.map(|status| (store.text("outcome-status"), status)));
    let service_texts = [
        ("receipt-message", end.message.as_ref()),
        ("receipt-hint", end.hint.as_ref()),
    ];
    for (label, text) in service_texts {
        rows.extend(text.map(|text| (store.text(label), quote(store, text))));
    }
    let date = end.server_date.map(|at| format_moment(store, at));
    rows.extend(date.map(|date| (store.text("receipt-server-date"), date)));
    rows
}

fn quote(store: &Store, text: &Untrusted) -> String {
    let text = personal::service_text(store.words(), text).shown();
    store.with("theirs-quote", &[("text", &text)])
}

fn format_moment(store: &Store, at: Wall) -> String {
    dates::exactly(store.words(), at, store.setup.utc_offset_s)
}

/// The name of the files without an extension: the date and the first 8 characters of the
/// idempotency key.
pub fn file_name(store: &Store, withdrawal: &Withdrawal) -> String {
    let agreement = &withdrawal.agreement;
    let day = agreement
        .agreed
        .wall
        .rfc3339(store.setup.utc_offset_s)
        .unwrap_or_default();
    let key = agreement.key.to_string();
    let parts = [
        &*store.text("receipt-file"),
        day.get(..10).unwrap_or_default(),
        &key[..8],
    ];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("-")
}
