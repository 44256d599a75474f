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
    Unasked,
    /// The files are being written.
    Writing(Ticket),
    /// The paths of the written files.
    Saved([Untrusted; 2]),
    /// The files could not be written, for this reason given by the operating system.
    Failed(String),
}

impl Receipt {
    pub fn of(withdrawal: Withdrawal) -> Receipt {
        Receipt { withdrawal, saving: Saving::Unasked }
    }

    /// Saves the receipt's files. Not offered while they are already being written.
    fn save(&mut self, cx: &mut Cx, paper: &ReceiptContent) {
        let ticket = cx.store.ticket();
        self.saving = Saving::Writing(ticket);
        let svg = svg::to_svg(paper, cx.store.setup.lang);
        let name = file_name(cx.store, &self.withdrawal);
        cx.perform(Effect::SaveReceipt {
            ticket,
            files: ReceiptFiles { name, text: paper.text(), svg },
        })
    }
}

impl Screen for Receipt {
    fn info(&self) -> Info {
        Info { ..Info::in_pane("receipt", Pane::Withdrawals) }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw(store, self, area, page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let is_writing = matches!(self.saving, Saving::Writing(_));
        let all = [
            (true, Action::Copy),
            (!is_writing, Action::Save),
            (true, Action::Down),
            (true, Action::Up),
        ];
        let actions = Actions::offered_if(all).word(Action::Copy, "text");
        let is_kiosk = store.setup.kiosk().is_some();
        if is_kiosk { actions.word(Action::Save, "copy") } else { actions }
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        let Some(paper) = ReceiptContent::of(cx.store, &self.withdrawal) else { return };
        match action {
            Action::Copy => clip::copy(cx, Clip::Receipt, paper.text().into()),
            // A kiosk writes no files, so copy the receipt instead.
            Action::Save if cx.store.setup.kiosk().is_some() => self.act(cx, Action::Copy),
            Action::Save => self.save(cx, &paper),
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
                Err(why) => Saving::Failed(why.clone()),
            };
        }
        true
    }
}

fn draw(store: &Store, receipt: &Receipt, area: Area, page: &mut Page) {
    let Some(paper) = ReceiptContent::of(store, &receipt.withdrawal) else { return };
    title(&paper.title, Line::default(), area, page);
    let inner = area.narrowed(2).split_top(2).1;
    let mut lines = saved(store, &receipt.saving, inner.width);
    lines.extend(on_paper(&paper, usize::from(inner.width)));
    Text::compact(lines, inner).draw(store.render_cx(), page);
}

/// Lays out the paths of the saved files, or the error. In a kiosk, explains that the save key
/// copies the receipt instead.
fn saved(store: &Store, saving: &Saving, width: u16) -> Vec<Line> {
    let columns = usize::from(width);
    let mut lines = match saving {
        Saving::Unasked if store.setup.kiosk().is_some() => {
            wrapped(Role::Dim, &store.render_cx().with_key("receipt-kiosk", Action::Save), columns)
        }
        Saving::Unasked => return vec![],
        Saving::Writing(_) => wrapped(Role::Dim, &store.text("receipt-writing"), columns),
        Saving::Saved(paths) => {
            let mut lines = wrapped(Role::Good, &store.text("receipt-saved"), columns);
            for path in paths {
                lines.extend(in_full(path, width));
            }
            lines
        }
        Saving::Failed(why) => {
            let key = store.render_cx().first_key(Action::Copy);
            let why = Untrusted::from(&**why).shown_within(200);
            let said = store.with("receipt-not-saved", &[("why", &why), ("key", key)]);
            wrapped(Role::Bad, &said, columns)
        }
    };
    lines.push(Line::default());
    lines
}

fn on_paper(paper: &ReceiptContent, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for note in &paper.notes {
        lines.extend(wrapped(Role::Strong, note, width));
    }
    for part in &paper.parts {
        lines.push(Line::default());
        lines.extend(wrapped(Role::Strong, &part.heading, width));
        for (label, value) in &part.rows {
            lines.extend(pair(label, value, width));
        }
    }
    lines.push(Line::default());
    lines.extend(wrapped(Role::Dim, &paper.closing, width));
    lines
}

/// The width, in columns, of the labels in the text file.
const LABEL: usize = 24;

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
        let (attempt, end) = accepted(withdrawal)?;
        let mut notes = vec![store.text("receipt-no-bank")];
        notes.extend(store.sandbox.then(|| store.text("receipt-sandbox")));
        let asked = asked(store, &withdrawal.agreement, attempt);
        let said = said(store, withdrawal, end);
        Some(ReceiptContent {
            title: store.text("receipt-title"),
            notes,
            parts: [
                ReceiptSection { heading: store.text("receipt-asked"), rows: asked },
                ReceiptSection { heading: store.text("receipt-said"), rows: said },
            ],
            closing: store.text("receipt-closing"),
        })
    }

    pub fn text(&self) -> String {
        let mut lines = vec![self.title.clone()];
        lines.extend(self.notes.iter().cloned());
        for part in &self.parts {
            lines.extend([String::new(), part.heading.clone()]);
            lines.extend(part.rows.iter().map(|(label, value)| row(label, value)));
        }
        lines.extend([String::new(), self.closing.clone(), String::new()]);
        lines.join("\n")
    }
}

/// Returns a label and its value as plain text. After a long label, the value is on its own line.
fn row(label: &str, value: &str) -> String {
    let name = exactly(label, LABEL);
    match columns(label) < LABEL {
        true => format!("  {name}{value}"),
        false => format!("  {label}\n  {}{value}", " ".repeat(LABEL)),
    }
}

fn accepted(withdrawal: &Withdrawal) -> Option<(&Attempt, &AttemptEnd)> {
    withdrawal.attempts.iter().find_map(|attempt| match &attempt.end {
        Some(end) if matches!(end.class, Class::Confirmed { .. }) => Some((attempt, end)),
        _ => None,
    })
}

/// Returns the labels and values of the request as stored in the withdrawal journal.
fn asked(store: &Store, agreement: &Agreement, attempt: &Attempt) -> Vec<(String, String)> {
    let header = Untrusted::from(&*agreement.key_header_name);
    let key = format!("{} ({})", store.text("outcome-key"), header.shown());
    let to = match agreement.body.is_empty() {
        // The withdrawal journal no longer has the request body, so the destination is unknown.
        true => store.text("receipt-purged"),
        false => names::destination(store.words(), agreement.destination.as_ref()),
    };
    let mut rows = vec![
        (store.text("receipt-amount"), agreement.amount.to_string()),
        (store.text("outcome-to"), to),
    ];
    let others = facts::other_members(store, agreement).into_iter();
    rows.extend(others.map(|other| (other.label, other.value)));
    rows.extend([
        (store.text("outcome-quote"), facts::quoted(store.words(), agreement)),
        (key, agreement.key.to_string()),
        (store.text("receipt-agreed"), moment(store, agreement.agreed.wall)),
        (store.text("receipt-sent"), moment(store, attempt.began.wall)),
        (store.text("receipt-service"), Untrusted::from(&*agreement.account.origin.0).shown()),
    ]);
    rows
}

/// Returns the labels and values of the service's reply, with the service's own words.
fn said(store: &Store, withdrawal: &Withdrawal, end: &AttemptEnd) -> Vec<(String, String)> {
    let mut rows = vec![(store.text("receipt-answered"), moment(store, end.at))];
    let http = |status: u16| store.with("receipt-http", &[("status", &status.to_string())]);
    rows.extend(end.status.map(|status| (store.text("receipt-status"), http(status))));
    let theirs = |theirs: &Untrusted| {
        let theirs = personal::theirs(store.words(), theirs).shown();
        store.with("theirs-quote", &[("text", &theirs)])
    };
    let id = withdrawal.service_id();
    rows.extend(id.map(|id| (store.text("receipt-id"), theirs(id))));
    let quoted = [
        ("outcome-status", withdrawal.service_status()),
        ("receipt-message", end.message.as_ref()),
        ("receipt-hint", end.hint.as_ref()),
    ];
    for (label, words) in quoted {
        rows.extend(words.map(|words| (store.text(label), theirs(words))));
    }
    let date = end.server_date.map(|at| moment(store, at));
    rows.extend(date.map(|date| (store.text("receipt-server-date"), date)));
    rows
}

fn moment(store: &Store, at: Wall) -> String {
    dates::exactly(store.words(), at, store.setup.utc_offset_s)
}

/// Returns the name of the files without an extension: the date and the first 8 characters of the
/// idempotency key.
pub fn file_name(store: &Store, withdrawal: &Withdrawal) -> String {
    let agreement = &withdrawal.agreement;
    let day = agreement.agreed.wall.rfc3339(store.setup.utc_offset_s).unwrap_or_default();
    let key = agreement.key.to_string();
    let parts = [&*store.text("receipt-file"), day.get(..10).unwrap_or_default(), &key[..8]];
    let parts: Vec<&str> = parts.into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("-")
}
