//! The page of a batch: its progress while it is being sent, and the lines without a link.

use super::fault_lines;
use crate::app::cx::{Cx, Question, Route};
use crate::app::screen::{Actions, Info, Screen, ScreenEvent, ScreenLinks};
use crate::app::store::imports::{self, ImportCommand};
use crate::app::ui::list::moved_above_text;
use crate::app::ui::parts::{pair, paragraph, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Action, Area, Line, Page, Role, Span, bar, symbols};
use crate::app::{Effect, Pane, Store};
use crate::batch::{BatchProgress, BatchStage, PauseReason};
use crate::trade::{FailedLine, LineState, Untrusted};
use crate::words::{batch, names};

/// The maximum width of the progress bar, in columns.
const MAX_BAR_WIDTH: usize = 40;

/// The page of the batch in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BatchPage {
    /// The index of the failed line under the cursor.
    cursor: usize,
}

fn progress(store: &Store) -> Option<&BatchProgress> {
    store.imports.progress.as_ref()
}

impl BatchPage {
    /// The failed line under the cursor.
    fn selected<'s>(&self, store: &'s Store) -> Option<&'s FailedLine> {
        let failed = &progress(store)?.failed;
        failed.get(self.cursor.min(failed.len().saturating_sub(1)))
    }
}

impl Screen for BatchPage {
    fn info(&self) -> Info {
        Info::in_pane("batch", Pane::Links)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (head, rest) = area.split_top(2);
        let heading = store.text("batch-title");
        let Some(progress) = progress(store) else {
            return title(&heading, Line::default(), head, page);
        };
        let when = Line::of(Role::Dim, super::moment(store, progress.batch.at));
        title(&heading, when, head, page);
        let rest = rest.narrowed(1).without_right(1);
        let width = usize::from(rest.width).saturating_sub(1);
        let mut lines = progress_lines(store, progress, width);
        let selected = self.selected(store).map(|line| line.number);
        let mut visible_line = 0;
        if !progress.failed.is_empty() {
            lines.extend(failed_heading(store, progress, width));
        }
        for (n, line) in progress.failed.iter().enumerate() {
            let is_selected = selected == Some(line.number);
            // Keep the text above the lines visible while the cursor is on the first line.
            if is_selected && n > 0 {
                visible_line = lines.len();
            }
            lines.extend(failed_line(store, line, is_selected, width));
        }
        let more = progress.counts.failed();
        let more = more.saturating_sub(progress.failed.len() as u64);
        if more > 0 {
            let text = store.words().count("import-more-lines", more, &[]);
            lines.extend(wrapped(Role::Dim, &text, width));
        }
        Text::new(lines, rest).draw_around(visible_line, store.render_cx(), page);
    }

    fn actions(&self, store: &Store, _: bool) -> Actions {
        let Some(progress) = progress(store) else {
            return Actions::from(vec![Action::New]).word(Action::New, "file");
        };
        let is_sending = progress.is_sending();
        let is_ours = !progress.batch.is_foreign;
        let is_waiting = is_ours && !is_sending && !progress.counts.is_finished();
        let can_stop = is_sending && !store.imports.is_stopping;
        let needs_login = progress.stage == BatchStage::Paused(PauseReason::Login);
        let is_unknown = self
            .selected(store)
            .is_some_and(|line| line.state == LineState::Unknown);
        let has_failed = !progress.failed.is_empty();
        let send_word = if is_sending { "pause" } else { "continue" };
        Actions::offered_if([
            (needs_login, Action::LogIn),
            (can_stop || is_waiting, Action::Send),
            (is_ours && !is_sending && is_unknown, Action::Repeat),
            (progress.counts.made > 0, Action::CopyMessage),
            (is_waiting, Action::Discard),
            (!is_sending, Action::New),
            (has_failed, Action::Down),
            (has_failed, Action::Up),
        ])
        .word(Action::Send, send_word)
        .word(Action::Repeat, "line")
        .word(Action::CopyMessage, "addresses")
        .word(Action::Discard, "batch")
        .word(Action::New, "file")
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action == Action::New {
            cx.store.imports.has_news = false;
            return cx.replace_with(Route::Import);
        }
        let Some(progress) = progress(cx.store) else {
            return;
        };
        let batch = progress.batch.id;
        let is_sending = progress.is_sending();
        let waiting = progress.counts.open();
        match action {
            Action::Send if is_sending => imports::stop(cx),
            Action::Send => imports::go_on(cx),
            Action::Discard => cx.ask(Question::EndBatch { batch, waiting }),
            Action::CopyMessage => {
                cx.perform(Effect::Import(ImportCommand::CopyUrls(batch)));
            }
            Action::Repeat => {
                if let Some(line) = self.selected(cx.store).cloned().map(Box::new) {
                    cx.ask(Question::SendLineAgain { batch, line });
                }
            }
            _ => {}
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        if let ScreenEvent::Back = event {
            cx.store.imports.has_news = false;
            return false;
        }
        let ScreenEvent::Moved(to) = event else {
            return false;
        };
        let count = progress(cx.store).map_or(0, |progress| progress.failed.len());
        let Some(last) = count.checked_sub(1) else {
            return false;
        };
        let Some(cursor) = moved_above_text(self.cursor.min(last), last, cx.store.scroll, to)
        else {
            return false;
        };
        (self.cursor, cx.store.scroll) = (cursor, 0);
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            needs: imports::needed(store),
            ..ScreenLinks::default()
        }
    }
}

/// Lays out the progress bar, the state of the batch, its figures and its files.
fn progress_lines(store: &Store, progress: &BatchProgress, width: usize) -> Vec<Line> {
    let words = store.words();
    let counts = &progress.counts;
    let mut lines = vec![bar_line(progress, width)];
    lines.extend(stage_lines(store, progress, width));
    if let Some(fault) = &store.imports.fault {
        lines.extend(fault_lines(store, fault, width));
    }
    lines.push(Line::default());
    let figures = [
        ("import-made", counts.made),
        ("import-waiting", counts.open()),
        ("import-refused", counts.refused),
        ("import-unknown", counts.unknown),
        ("import-skipped", counts.skipped),
    ];
    for (id, count) in figures.into_iter().filter(|(_, count)| *count > 0) {
        lines.extend(pair(&words.text(id), &count.to_string(), width));
    }
    if let Some(author) = &progress.batch.author {
        let who = names::author(words, author);
        let who = words.with("team-who.batch", &[("who", &who)]);
        lines.extend(pair(&words.text("team-who"), &who, width));
    }
    let source = &progress.batch.source;
    for (id, path) in [
        ("import-file", &source.file),
        ("import-result-file", &source.result),
    ] {
        let path = Untrusted::shown_of(path);
        lines.extend(pair(&words.text(id), &path, width));
    }
    lines
}

fn bar_line(progress: &BatchProgress, width: usize) -> Line {
    let [done, all] = [progress.counts.done(), progress.counts.to_create()];
    let width = width.min(MAX_BAR_WIDTH);
    let cells = (done as u128 * width as u128) / u128::from(all.max(1));
    let cells = usize::try_from(cells).unwrap_or(width).min(width);
    let bar = ["━".repeat(cells), "─".repeat(width - cells)];
    Line::from(bar::spans(bar).to_vec())
}

/// Lays out what happens to the waiting lines.
fn stage_lines(store: &Store, progress: &BatchProgress, width: usize) -> Vec<Line> {
    let words = store.words();
    let to = store.render_cx();
    let key = to.first_key(Action::Send);
    let values = [("key", key)];
    let waiting = progress.counts.open();
    let (role, text) = match &progress.stage {
        BatchStage::Sending if store.imports.is_stopping => {
            (Role::Warn, words.text("import-stopping"))
        }
        BatchStage::Sending if progress.is_slowed => (Role::Warn, words.text("import-slowed")),
        BatchStage::Sending => (Role::Text, batch::progress(words, progress)),
        BatchStage::Finished => (Role::Good, words.text("import-finished")),
        BatchStage::Elsewhere => {
            let author = progress.batch.author.as_ref();
            let machine = author.map(names::machine).unwrap_or_default();
            let values = [("machine", &*machine)];
            (Role::Dim, words.count("import-elsewhere", waiting, &values))
        }
        BatchStage::Stopped => (Role::Warn, words.count("import-stopped", waiting, &values)),
        BatchStage::Paused(PauseReason::Login) => {
            let values = [("key", key), ("login", to.first_key(Action::LogIn))];
            (Role::Warn, words.with("import-paused-login", &values))
        }
        BatchStage::Paused(PauseReason::Failures) => {
            (Role::Warn, words.with("import-paused-failures", &values))
        }
        BatchStage::Paused(PauseReason::TeamOffline) => {
            (Role::Warn, words.with("import-paused-team", &values))
        }
        BatchStage::Broken(trouble) => {
            let why = crate::words::failure::history(words, trouble).0;
            (Role::Bad, words.with("import-broken", &[("why", &why)]))
        }
        BatchStage::NoResult(error) => {
            let why = Untrusted::shown_of(error);
            (Role::Bad, words.with("import-no-result", &[("why", &why)]))
        }
    };
    wrapped(role, &text, width)
}

/// The heading of the failed lines. If links may exist, says what to do.
fn failed_heading(store: &Store, progress: &BatchProgress, width: usize) -> Vec<Line> {
    let words = store.words();
    let text = words.count("import-failed", progress.counts.failed(), &[]);
    let mut lines = paragraph(Role::Strong, &text, width);
    if progress.counts.unknown > 0 && !progress.batch.is_foreign {
        let key = store.render_cx().first_key(Action::Repeat);
        let text = words.with("import-unknown-hint", &[("key", key)]);
        lines.extend(wrapped(Role::Dim, &text, width));
    }
    lines
}

fn failed_line(store: &Store, line: &FailedLine, is_selected: bool, width: usize) -> Vec<Line> {
    let words = store.words();
    let symbol = match line.state {
        LineState::Unknown => symbols::UNKNOWN,
        _ => symbols::REFUSED,
    };
    let number = words.with("import-line", &[("line", &line.number.to_string())]);
    let text = format!(
        " {number} · {} · {}",
        line.amount,
        Untrusted::shown_of(&line.description)
    );
    let text = crate::app::ui::text::fit(&text, width.saturating_sub(3));
    let mut lines = vec![row(
        is_selected,
        [symbol.span(symbol.sign), Span::of(Role::Text, text)],
    )];
    let reason = Untrusted::shown_of(&line.reason);
    let reason = if reason.is_empty() {
        batch::state(words, line.state)
    } else {
        reason
    };
    let reason = wrapped(Role::Dim, &reason, width.saturating_sub(3));
    lines.extend(reason.into_iter().map(|line| line.indented(3)));
    lines
}
