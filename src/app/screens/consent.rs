//! The consent page, on which the seller agrees to settings of the API contract that differ from
//! the built-in contract.
//!
//! The page opens before the first request if such settings are new or changed. The confirming
//! button is enabled only after the whole text was on the screen. The app continues after the
//! agreement was stored in the vault. If there is nothing to agree to, the page only shows the
//! settings.

use std::ops::Range;

use crate::app::cx::{Cx, Question, ScreenCommand};
use crate::app::screen::buttons::DEAD_MS;
use crate::app::screen::{
    Actions, Buttons, Focus, Info, KeyContext, Offer, Screen, ScreenEvent, body,
};
use crate::app::store::consent::{pending, to_read};
use crate::app::store::credentials;
use crate::app::store::frame_snapshot::{FrameSnapshot, Terms};
use crate::app::store::notice::Notice;
use crate::app::store::session::VaultStatus;
use crate::app::ui::action::Action;
use crate::app::ui::parts::{
    Confirm, all_quoted, button_places, hanging, pair, paragraph, put_button, title, waiting,
    wrapped,
};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Overflow, Page, Role, Span, consent_lines, geometry};
use crate::app::{Effect, Msg, Store, Wait};
use crate::contract::{LineChange, Unit};
use crate::trade::{Untrusted, VaultTrouble};
use crate::words::{Catalogue, failure};

/// The consent page, and how much of it the seller has read.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsentPage {
    /// The settings of the API contract that the seller has to read.
    pub lines: Vec<LineChange>,
    /// True if the seller must agree to some of the settings.
    pub is_pending: bool,
    /// The command that runs after the seller has agreed.
    then: Option<Box<ScreenCommand>>,
    /// True if there are too many settings to be read in full, so that the seller cannot agree.
    pub too_long: bool,
    /// The number of text lines shown so far, counted from the top without a gap.
    seen: u16,
    /// True if every text line was on the screen.
    pub is_read: bool,
    /// The buttons to go back and to agree.
    pub buttons: Buttons,
    /// The pending request to store the seller's agreement in the vault.
    pub wait: Option<Wait>,
    /// The reason the vault could not store the seller's agreement.
    pub trouble: Option<VaultTrouble>,
}

impl ConsentPage {
    /// Opens the page. The command `then` runs after the seller has agreed.
    pub fn open(store: &Store, then: Option<Box<ScreenCommand>>) -> ConsentPage {
        ConsentPage {
            lines: to_read(store),
            is_pending: !pending(store).is_empty(),
            then,
            too_long: store.setup.contract.lines().are_too_long(),
            seen: 0,
            is_read: false,
            buttons: Buttons::armed_at(u64::MAX),
            wait: None,
            trouble: None,
        }
    }

    /// Copies the reading progress from another consent page, if both pages show the same settings.
    pub fn resume_reading(&mut self, other: &ConsentPage) {
        if self.lines == other.lines && self.is_pending == other.is_pending {
            *self = ConsentPage { then: self.then.take(), ..other.clone() };
        }
    }

    /// Returns true if the page has a button for agreeing.
    pub fn has_button(&self) -> bool {
        self.is_pending && !self.too_long
    }

    /// Returns true if the seller can agree now by pressing the confirming button.
    pub fn may_be_agreed(&self, now_ms: u64) -> bool {
        self.has_button() && self.is_read && now_ms >= self.buttons.armed_at_ms
    }

    /// Returns true if the page was already read to its end, or if this scroll position shows the
    /// last unread lines.
    pub fn is_read_with(&self, scroll: u16, text: Overflow) -> bool {
        self.is_read || self.follows(scroll, text) && scroll >= text.lines
    }

    /// Returns true if the text at this scroll position continues the part that was already read,
    /// without a gap.
    fn follows(&self, scroll: u16, text: Overflow) -> bool {
        text.page > 0 && scroll.min(text.lines) <= self.seen
    }

    /// Records which text lines a rendered frame showed.
    ///
    /// Lines count as read only if they directly follow the lines that were read before. Lines that
    /// were skipped, by the scroll bar or by several key presses between two frames, do not count.
    /// When the last line is shown after all others, the page is completely read.
    fn on_rendered(&mut self, at_ms: u64, seen: &FrameSnapshot) {
        let (scroll, text) = (seen.scroll, seen.overflow);
        if self.is_read || !self.follows(scroll, text) {
            return;
        }
        if self.is_read_with(scroll, text) {
            self.is_read = true;
            self.buttons.armed_at_ms = at_ms.saturating_add(DEAD_MS);
        }
        let first = scroll.min(text.lines);
        self.seen = self.seen.max(first.saturating_add(text.page));
    }

    /// Resets the reading progress.
    fn begin_again(&mut self) {
        (self.seen, self.is_read) = (0, false);
        self.buttons = Buttons::armed_at(u64::MAX);
    }

    /// Handles the vault's reply to the request to store the agreement.
    fn stored(&mut self, cx: &mut Cx, result: &Result<(), VaultTrouble>) {
        if let Err(trouble) = result {
            (self.wait, self.trouble) = (None, Some(trouble.clone()));
            self.buttons.focus = Focus::Back;
            self.buttons.armed_at_ms = cx.store.now.boot_ms + DEAD_MS;
            return;
        }
        // `then` never resends a withdrawal, because a resend may move money and needs its own key
        // press.
        cx.close();
        match self.then.take() {
            _ if !cx.is_front => {}
            Some(then) => cx.commands.push(*then),
            None => cx.store.notify(Notice::good("said-consent-stored")),
        }
        credentials::begin_session(cx);
    }

    fn show_buttons(&self, store: &Store, row: Area, page: &mut Page) {
        let back = store.text("consent-back");
        if !self.has_button() {
            let [place, _] = button_places(row, [&back, ""]);
            let focused = self.buttons.focus != Focus::Confirm;
            return put_button(&back, focused, Confirm::Live, place, page);
        }
        // Until the page was read to its end, the button is visible but disabled.
        let is_new = self.buttons.focus == Focus::Confirm && !page.can_confirm;
        let would = self.may_be_agreed(store.now.boot_ms) && self.wait.is_none();
        let confirm = if would && !is_new { Confirm::Live } else { Confirm::Dead };
        self.buttons.show([&back, &store.text("consent-do")], confirm, row, page);
    }

    /// Reloads the settings after the API contract or the seller's agreement changed.
    fn read_again(&mut self, cx: &mut Cx) {
        let (lines, is_pending) = (to_read(cx.store), !pending(cx.store).is_empty());
        if self.lines != lines {
            self.lines = lines;
            self.begin_again();
        }
        // If the seller has agreed in another instance of the program, close this page and
        // continue.
        let is_over = self.is_pending && !is_pending;
        self.is_pending = is_pending;
        if is_over {
            credentials::begin_session(cx);
        }
        if is_over || self.lines.is_empty() {
            cx.close();
        }
    }
}

impl Screen for ConsentPage {
    fn info(&self) -> Info {
        let context = if self.has_button() { KeyContext::PagedDialog } else { KeyContext::List };
        Info {
            context: Some(context),
            wait: self.wait,
            has_more: Some(!self.is_read),
            ..Info::of("agreeing")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (mut text, mut note) = layout(store, self, self.is_read, area);
        let overflow = text.overflow();
        page.shows(text.shown(page.scroll()), overflow);
        // The text lines of this frame already count as read, because the button is shown in the
        // same frame.
        let is_read = self.is_read_with(page.scroll(), overflow);
        page.reads(is_read);
        if is_read != self.is_read {
            (text, note) = layout(store, self, is_read, area);
        }
        let head = area.split_top(text.area.y - area.y).0;
        title(&store.text("consent-title"), Line::default(), head, page);
        let end = if note.0.is_empty() { text.end() } else { note.1.bottom() };
        text.draw_from(page.scroll(), store.render_cx(), page);
        page.put(note.0, note.1);
        if self.is_pending {
            self.show_buttons(store, geometry::buttons(area.narrowed(2), end), page);
        }
    }

    fn actions(&self, _: &Store, has_more: bool) -> Actions {
        Actions::from(match (self.wait, self.has_button() && !has_more) {
            (Some(_), _) => vec![],
            (None, true) => vec![Action::NextButton, Action::Press, Action::PageUp],
            (None, false) => vec![Action::PageDown, Action::PageUp],
        })
    }

    body!(Dialog(buttons), None);

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Press {
            return;
        }
        if matches!(cx.store.session.vault_status, VaultStatus::Trouble(_)) {
            // No vault is available, so offer to keep the agreement in memory.
            return cx.ask(Question::UseMemory);
        }
        let wait = cx.store.wait();
        (self.wait, self.trouble) = (Some(wait), None);
        cx.perform(Effect::Agree(wait.ticket))
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let may_confirm = self.may_be_agreed(store.now.boot_ms) && self.wait.is_none();
        Some(Offer { terms: Terms::Lines(self.lines.clone()), may_confirm })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Rendered(at_ms, seen) => self.on_rendered(at_ms, seen),
            ScreenEvent::Cancelled => self.wait = None,
            // A resize wraps the text differently, so reading starts again unless it was finished.
            ScreenEvent::Resized if !self.is_read => {
                self.begin_again();
                cx.store.scroll = 0;
            }
            ScreenEvent::Message(Msg::ConsentStored { ticket, result })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                self.stored(cx, result)
            }
            ScreenEvent::StoreChanged if self.wait.is_none() => self.read_again(cx),
            _ => return false,
        }
        true
    }
}

/// The width, in columns, of the labels "old" and "new".
const SIDE: usize = 10;

/// Returns the scrolling text of the page, and the note above the buttons with its area.
fn layout(
    store: &Store,
    reading: &ConsentPage,
    is_read: bool,
    area: Area,
) -> (Text, (Vec<Line>, Area)) {
    let foot = u16::from(reading.is_pending);
    let inner = area.split_bottom(foot).0.narrowed(2);
    let rest = inner.split_top(2).1;
    let mut note = note(store, reading, is_read, usize::from(rest.width));
    note.truncate(usize::from(rest.height / 2));
    let (room, place) = rest.split_bottom(u16::try_from(note.len()).unwrap_or(0));
    (Text::new(lines(store, reading, usize::from(room.width)), room), (note, place))
}

/// Lays out the note above the buttons, such as how to go on or why agreeing failed. The note stays
/// in place while the text above it is scrolled.
fn note(store: &Store, reading: &ConsentPage, is_read: bool, width: usize) -> Vec<Line> {
    let says = |role, id: &str| wrapped(role, &store.text(id), width);
    match reading {
        ConsentPage { is_pending: false, .. } => vec![],
        ConsentPage { wait: Some(wait), .. } => {
            vec![waiting(store.render_cx(), &store.text("consent-keeping"), *wait)]
        }
        ConsentPage { trouble: Some(trouble), .. } => {
            let what = failure::vault(store.words(), trouble).what;
            let what = format!("{} {what}", store.text("consent-not-kept"));
            wrapped(Role::Bad, &what, width)
        }
        ConsentPage { too_long: true, .. } => says(Role::Bad, "consent-too-long"),
        _ if is_read => says(Role::Warn, "consent-was-read"),
        _ => says(Role::Dim, "consent-read-on"),
    }
}

fn lines(store: &Store, reading: &ConsentPage, width: usize) -> Vec<Line> {
    let mut lines = beginning(store, reading, width);
    let has_news = reading.lines.iter().any(|line| line.changed_since_agreement);
    let mut last = None;
    for line in &reading.lines {
        lines.push(Line::default());
        if has_news
            && last.is_none_or(|(changed_since_agreement, _)| {
                changed_since_agreement != line.changed_since_agreement
            })
        {
            let id = if line.changed_since_agreement { "consent-news" } else { "consent-others" };
            lines.extend(wrapped(Role::Warn, &store.text(id), width));
        }
        if last != Some((line.changed_since_agreement, line.part)) {
            last = Some((line.changed_since_agreement, line.part));
            lines.extend(wrapped(Role::Title, &store.text(line.part), width));
        }
        lines.extend(change(store.words(), line, width));
    }
    if let Some(trouble) = &reading.trouble {
        // Show the vault's advice on what to do next at the end of the page.
        let told = failure::vault(store.words(), trouble);
        lines.extend(paragraph(Role::Text, &told.next, width));
        lines.extend(all_quoted(&told.quotes, width));
    }
    lines
}

/// Lays out the top of the page: why the page is shown, the profile with its files, and general
/// warnings about the API contract.
fn beginning(store: &Store, reading: &ConsentPage, width: usize) -> Vec<Line> {
    let contract = &store.setup.contract;
    let why = match (reading.is_pending, &store.agreed_lines) {
        (false, None) => "consent-preset",
        (false, Some(_)) => "consent-accepted",
        (true, None) => "consent-why",
        (true, Some(_)) => "consent-why-again",
    };
    let mut lines = wrapped(Role::Text, &store.text(why), width);
    if reading.is_pending {
        lines.extend(wrapped(Role::Warn, &store.text("consent-not-you"), width));
    }
    let (preview, withdrawal) =
        (contract.fee_preview.amounts.unit, contract.withdrawal.form.amounts.unit);
    if preview != withdrawal {
        let name = |unit| match unit {
            Unit::Reais => store.text("consent-reais"),
            Unit::Centavos => store.text("consent-centavos"),
        };
        let [preview, withdrawal] = [preview, withdrawal].map(name);
        let values = [("preview", &*preview), ("withdrawal", &*withdrawal)];
        let text = store.with("consent-units", &values);
        lines.extend(wrapped(Role::Bad, &text, width));
    }
    if contract.claims_confirmed() {
        lines.extend(wrapped(Role::Warn, &store.text("consent-confirmed"), width));
    }
    lines.push(Line::default());
    let shown = |text: &str| Untrusted::from(text).shown();
    lines.extend(pair(&store.text("account-profile"), &shown(&store.setup.profile), width));
    lines.extend(pair(&store.text("account-service"), &shown(&store.setup.base_url), width));
    for file in contract.own_files() {
        lines.extend(pair(&store.text("consent-file"), &shown(file), width));
    }
    lines
}

/// Lays out one changed setting of the API contract: its name, its old and new value, and warnings
/// about it.
fn change(say: &Catalogue, line: &LineChange, width: usize) -> Vec<Line> {
    let name = consent_lines::shown(&line.name);
    let name = marked(&name, 0..0, Role::Strong, width);
    let mut lines: Vec<Line> = name.into_iter().map(Line::from).collect();
    let [old, new] = consent_lines::values(say, line);
    let [in_old, in_new] = match line.old.is_some() && line.new.is_some() {
        true => consent_lines::differing(&old, &new),
        false => [0..0, 0..0],
    };
    let role = |value: &Option<_>| if value.is_some() { Role::Text } else { Role::Dim };
    lines.extend(side(say, "consent-old", (&old, in_old), role(&line.old), width));
    lines.extend(side(say, "consent-new", (&new, in_new), role(&line.new), width));
    for warning in consent_lines::warnings(say, line) {
        lines.extend(hanging(Span::of(Role::Warn, "  "), Role::Warn, &warning, width));
    }
    lines
}

/// Lays out the old or the new value of a setting, beside the label "old" or "new".
fn side(
    say: &Catalogue,
    id: &str,
    (value, differing): (&str, Range<usize>),
    role: Role,
    width: usize,
) -> Vec<Line> {
    let label = say.text(id);
    let labels = std::iter::once(label.as_str()).chain(std::iter::repeat(""));
    let rows = marked(value, differing, role, width.saturating_sub(SIDE).max(1));
    let line = |(row, label): (Vec<Span>, &str)| {
        let label = Span::of(Role::Dim, exactly(&format!("  {label}"), SIDE));
        Line::from(std::iter::once(label).chain(row).collect::<Vec<_>>())
    };
    rows.into_iter().zip(labels).map(line).collect()
}

/// Wraps the value of a setting and highlights the range `differing`, where the old and new value
/// differ.
///
/// Characters that are shown by their number, such as `‹U+202E›`, are red.
fn marked(text: &str, differing: Range<usize>, role: Role, width: usize) -> Vec<Vec<Span>> {
    let (mut end, mut in_number) = (0, false);
    let row = |row: String| {
        // Wrapping removes only spaces between rows, so each wrapped row can be found in the text.
        let start = text[end..].find(row.as_str()).map_or(end, |at| end + at);
        end = (start + row.len()).min(text.len());
        let mut spans: Vec<Span> = Vec::new();
        for (at, c) in row.char_indices() {
            in_number |= c == '‹';
            let over = match differing.contains(&(start + at)) {
                _ if in_number => Some(Role::Bad),
                true => Some(Role::Strong),
                false => None,
            };
            in_number &= c != '›';
            match spans.last_mut().filter(|last| last.over == over) {
                Some(last) => last.text.push(c),
                None => spans.push(Span { over, ..Span::of(role, c.to_string()) }),
            }
        }
        spans
    };
    wrap(text, width).into_iter().map(row).collect()
}
