//! The consent page, on which the seller agrees to settings of the API contract that differ from
//! the built-in contract.
//!
//! The page opens before the first request if such settings are new or changed. The confirming
//! button is enabled only after the whole text was on the screen. The app continues after the
//! agreement was stored in the vault. If there is nothing to agree to, the page only shows the
//! settings.

use std::ops::Range;

use crate::app::cx::{Cx, Question, ScreenCommand};
use crate::app::screen::buttons::CONFIRM_DELAY_MS;
use crate::app::screen::{
    Actions, Buttons, Focus, Info, KeyContext, Offer, Screen, ScreenEvent, body,
};
use crate::app::store::consent::{agreement, lines_to_show, pending};
use crate::app::store::credentials;
use crate::app::store::frame_snapshot::{FrameSnapshot, Terms};
use crate::app::store::notice::Notice;
use crate::app::store::session::VaultStatus;
use crate::app::ui::action::Action;
use crate::app::ui::parts::{
    ConfirmButtonState, all_quoted, button_places, hanging, pair, paragraph, put_button, title,
    waiting, wrapped,
};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Overflow, Page, Role, Span, geometry, setting_changes};
use crate::app::{Effect, Msg, Store, Wait};
use crate::contract::{SettingChange, Unit};
use crate::trade::{Untrusted, VaultTrouble};
use crate::words::{Catalogue, failure};

/// The consent page, and how much of it the seller has read.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsentPage {
    /// The settings of the API contract that the seller has to read.
    pub lines: Vec<SettingChange>,
    /// True if the seller must agree to some of the settings.
    pub is_pending: bool,
    /// The command that runs after the seller has agreed.
    next_command: Option<Box<ScreenCommand>>,
    /// True if there are too many settings to be read in full, so that the seller cannot agree.
    pub too_long: bool,
    /// The number of text lines that the seller has read, counted from the top without a gap.
    lines_read: u16,
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
    /// Opens the page. The app runs `next_command` after the seller has agreed.
    pub fn open(store: &Store, next_command: Option<Box<ScreenCommand>>) -> ConsentPage {
        ConsentPage {
            lines: lines_to_show(store),
            is_pending: !pending(store).is_empty(),
            next_command,
            too_long: store.setup.contract.all_settings().are_too_long(),
            lines_read: 0,
            is_read: false,
            buttons: Buttons::armed_at(u64::MAX),
            wait: None,
            trouble: None,
        }
    }

    /// Copies the reading progress from another consent page, if both pages show the same settings.
    pub fn resume_reading(&mut self, other: &ConsentPage) {
        if self.lines == other.lines && self.is_pending == other.is_pending {
            *self = ConsentPage {
                next_command: self.next_command.take(),
                ..other.clone()
            };
        }
    }

    pub fn has_button(&self) -> bool {
        self.is_pending && !self.too_long
    }

    /// True if the seller can agree now by pressing the confirming button.
    pub fn can_agree(&self, now_ms: u64) -> bool {
        self.has_button() && self.is_read && now_ms >= self.buttons.armed_at_ms
    }

    /// True if the seller has read the whole page, or if this scroll position shows its last unread
    /// lines.
    pub fn is_read_after(&self, scroll: u16, text: Overflow) -> bool {
        self.is_read || self.continues_reading(scroll, text) && scroll >= text.lines
    }

    /// True if this scroll position shows the next unread line, so that no line is skipped.
    fn continues_reading(&self, scroll: u16, text: Overflow) -> bool {
        text.page > 0 && scroll.min(text.lines) <= self.lines_read
    }

    /// Counts the text lines in a rendered frame as read.
    ///
    /// Lines count as read only if they directly follow the lines that were read before. Lines that
    /// were skipped between two frames do not count.
    fn on_rendered(&mut self, at_ms: u64, frame: &FrameSnapshot) {
        let scroll = frame.scroll;
        let text = frame.overflow;
        if self.is_read || !self.continues_reading(scroll, text) {
            return;
        }
        if self.is_read_after(scroll, text) {
            self.is_read = true;
            self.buttons.armed_at_ms = at_ms.saturating_add(CONFIRM_DELAY_MS);
        }
        let first = scroll.min(text.lines);
        self.lines_read = self.lines_read.max(first.saturating_add(text.page));
    }

    fn reset_reading(&mut self) {
        (self.lines_read, self.is_read) = (0, false);
        self.buttons = Buttons::armed_at(u64::MAX);
    }

    /// Handles the vault's reply to the request to store the agreement.
    fn on_stored(&mut self, cx: &mut Cx, result: &Result<(), VaultTrouble>) {
        if let Err(trouble) = result {
            (self.wait, self.trouble) = (None, Some(trouble.clone()));
            self.buttons.focus = Focus::Back;
            self.buttons.armed_at_ms = cx.store.now.boot_ms + CONFIRM_DELAY_MS;
            return;
        }
        // `next_command` never resends a withdrawal, because a resend may move money and needs its
        // own key press.
        cx.close();
        match self.next_command.take() {
            _ if !cx.is_front => {}
            Some(command) => cx.commands.push(*command),
            None => cx.store.notify(Notice::good("said-consent-stored")),
        }
        credentials::begin_session(cx);
    }

    fn draw_buttons(&self, store: &Store, row: Area, page: &mut Page) {
        let back = store.text("consent-back");
        if !self.has_button() {
            let [place, _] = button_places(row, [&back, ""]);
            let focused = self.buttons.focus != Focus::Confirm;
            return put_button(&back, focused, ConfirmButtonState::Enabled, place, page);
        }
        // The confirming button is disabled until the page was read to its end, and for a moment
        // after it got the focus or text was typed.
        let is_new = self.buttons.focus == Focus::Confirm && !page.can_confirm;
        let can_press = self.can_agree(store.now.boot_ms) && self.wait.is_none();
        let confirm = if can_press && !is_new && !page.awaits_quiet {
            ConfirmButtonState::Enabled
        } else {
            ConfirmButtonState::Disabled
        };
        self.buttons
            .show([&back, &store.text("consent-do")], confirm, row, page);
    }

    /// Reloads the settings after the API contract or the seller's agreement changed.
    fn reload(&mut self, cx: &mut Cx) {
        let lines = lines_to_show(cx.store);
        let is_pending = !pending(cx.store).is_empty();
        if self.lines != lines {
            self.lines = lines;
            self.reset_reading();
        }
        // If the seller has agreed in another instance of the program, close this page and
        // continue.
        let was_agreed = self.is_pending && !is_pending;
        self.is_pending = is_pending;
        if was_agreed {
            credentials::begin_session(cx);
        }
        if was_agreed || self.lines.is_empty() {
            cx.close();
        }
    }
}

impl Screen for ConsentPage {
    fn info(&self) -> Info {
        let context = if self.has_button() {
            KeyContext::PagedDialog
        } else {
            KeyContext::List
        };
        Info {
            context: Some(context),
            wait: self.wait,
            has_more: Some(!self.is_read),
            ..Info::of("agreeing")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        let (mut text, mut footer) = layout(store, self, self.is_read, area);
        let overflow = text.overflow();
        page.record_visible_lines(text.shown(page.scroll()), overflow);
        // Count the text lines of this frame as read now, so that the button can become enabled in
        // the same frame.
        let is_read = self.is_read_after(page.scroll(), overflow);
        page.record_is_read(is_read);
        if is_read != self.is_read {
            (text, footer) = layout(store, self, is_read, area);
        }
        let head = area.split_top(text.area.y - area.y).0;
        let title_id = if self.lines.iter().all(SettingChange::is_base_url) {
            "consent-title-origin"
        } else {
            "consent-title"
        };
        title(&store.text(title_id), Line::default(), head, page);
        let end = if footer.0.is_empty() {
            text.end()
        } else {
            footer.1.bottom()
        };
        text.draw_from(page.scroll(), store.render_cx(), page);
        page.put(footer.0, footer.1);
        if self.is_pending {
            self.draw_buttons(store, geometry::buttons(area.text(), end), page);
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
        let may_confirm = self.can_agree(store.now.boot_ms) && self.wait.is_none();
        Some(Offer {
            terms: Terms::Lines(self.lines.clone()),
            may_confirm,
            amount: None,
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Rendered(at_ms, frame) => self.on_rendered(at_ms, frame),
            ScreenEvent::Cancelled => self.wait = None,
            // A resize wraps the text differently, so reading starts again unless it was finished.
            ScreenEvent::Resized if !self.is_read => {
                self.reset_reading();
                cx.store.scroll = 0;
            }
            ScreenEvent::Message(Msg::ConsentStored { ticket, result })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                self.on_stored(cx, result)
            }
            ScreenEvent::StoreChanged if self.wait.is_none() => self.reload(cx),
            _ => return false,
        }
        true
    }
}

/// The width, in columns, of the labels "old" and "new" before the values.
const SIDE_LABEL_WIDTH: usize = 10;

/// The scrolling text of the page, and the note above the buttons with its area.
fn layout(
    store: &Store,
    consent: &ConsentPage,
    is_read: bool,
    area: Area,
) -> (Text, (Vec<Line>, Area)) {
    let foot = u16::from(consent.is_pending);
    let inner = area.split_bottom(foot).0.text();
    let body = inner.split_top(2).1;
    let mut note = note_lines(store, consent, is_read, usize::from(body.width));
    note.truncate(usize::from(body.height / 2));
    let (text_area, note_area) = body.split_bottom(u16::try_from(note.len()).unwrap_or(0));
    (
        Text::new(
            page_lines(store, consent, usize::from(text_area.width)),
            text_area,
        ),
        (note, note_area),
    )
}

/// Lays out the note above the buttons, such as how to go on or why agreeing failed. The note stays
/// in place while the text above it is scrolled.
fn note_lines(store: &Store, consent: &ConsentPage, is_read: bool, width: usize) -> Vec<Line> {
    match consent {
        ConsentPage {
            is_pending: false, ..
        } => vec![],
        ConsentPage {
            wait: Some(wait), ..
        } => {
            vec![waiting(
                store.render_cx(),
                &store.text("consent-keeping"),
                *wait,
            )]
        }
        ConsentPage {
            trouble: Some(trouble),
            ..
        } => {
            let what = failure::vault(store.words(), trouble).what;
            let what = format!("{} {what}", store.text("consent-not-kept"));
            wrapped(Role::Bad, &what, width)
        }
        ConsentPage { too_long: true, .. } => {
            wrapped(Role::Bad, &store.text("consent-too-long"), width)
        }
        _ if is_read => wrapped(Role::Warn, &store.text("consent-was-read"), width),
        _ => wrapped(Role::Dim, &store.text("consent-read-on"), width),
    }
}

fn page_lines(store: &Store, consent: &ConsentPage, width: usize) -> Vec<Line> {
    let asks_each_time = agreement(store).is_asked_each_time();
    let mut lines = intro_lines(store, consent, asks_each_time, width);
    let has_changes = consent
        .lines
        .iter()
        .any(|line| line.changed_since_agreement);
    let mut last_heading = None;
    for line in &consent.lines {
        lines.push(Line::default());
        if has_changes
            && last_heading.is_none_or(|(changed_since_agreement, _)| {
                changed_since_agreement != line.changed_since_agreement
            })
        {
            let id = if line.changed_since_agreement {
                "consent-news"
            } else {
                "consent-others"
            };
            lines.extend(wrapped(Role::Warn, &store.text(id), width));
        }
        if last_heading != Some((line.changed_since_agreement, line.section)) {
            last_heading = Some((line.changed_since_agreement, line.section));
            lines.extend(wrapped(Role::Title, &store.text(line.section), width));
        }
        let contract = &store.setup.contract;
        let is_taught = asks_each_time && contract.is_in_taught_file(&line.name);
        lines.extend(change_lines(store.words(), line, is_taught, width));
    }
    if let Some(trouble) = &consent.trouble {
        // Show the vault's advice on what to do next at the end of the page.
        let text = failure::vault(store.words(), trouble);
        lines.extend(paragraph(Role::Text, &text.next, width));
        lines.extend(all_quoted(&text.quotes, width));
    }
    lines
}

/// Lays out the top of the page: why the page is shown, the profile with its files, and general
/// warnings about the API contract.
fn intro_lines(
    store: &Store,
    consent: &ConsentPage,
    asks_each_time: bool,
    width: usize,
) -> Vec<Line> {
    let contract = &store.setup.contract;
    let reason_id = if consent.is_pending {
        setting_changes::reason(&consent.lines)
    } else if store.sandbox {
        "consent-sandbox"
    } else {
        "consent-accepted"
    };
    let mut reason = store.text(reason_id);
    if asks_each_time {
        // The page must still fit into a small window, so this is short.
        reason.push(' ');
        reason.push_str(&store.text("consent-each-time"));
    }
    let mut lines = wrapped(Role::Text, &reason, width);
    if consent.is_pending {
        lines.extend(wrapped(Role::Warn, &store.text("consent-not-you"), width));
    }
    let preview = contract.fee_preview.amounts.unit;
    let withdrawal = contract.withdrawal.form.amounts.unit;
    if preview != withdrawal {
        let [preview, withdrawal] = [preview, withdrawal].map(|unit| match unit {
            Unit::Reais => store.text("consent-reais"),
            Unit::Centavos => store.text("consent-centavos"),
        });
        let values = [("preview", &*preview), ("withdrawal", &*withdrawal)];
        let text = store.with("consent-units", &values);
        lines.extend(wrapped(Role::Bad, &text, width));
    }
    if contract.claims_confirmed() {
        lines.extend(wrapped(Role::Warn, &store.text("consent-confirmed"), width));
    }
    lines.push(Line::default());
    lines.extend(pair(
        &store.text("account-profile"),
        &Untrusted::shown_of(&store.setup.profile),
        width,
    ));
    lines.extend(pair(
        &store.text("account-service"),
        &Untrusted::shown_of(&store.setup.base_url),
        width,
    ));
    for file in contract.own_files() {
        lines.extend(pair(
            &store.text("consent-file"),
            &Untrusted::shown_of(file),
            width,
        ));
    }
    lines
}

/// Lays out one changed setting of the API contract: its name, its old and new value, and warnings
/// about it. If `is_taught` is true, also says that it is in the file that the app writes.
fn change_lines(
    words: &Catalogue,
    line: &SettingChange,
    is_taught: bool,
    width: usize,
) -> Vec<Line> {
    let name = setting_changes::escape_look_alikes(&line.name);
    let name = highlight_difference(&name, 0..0, Role::Strong, width);
    let mut lines: Vec<Line> = name.into_iter().map(Line::from).collect();
    let [old, new] = setting_changes::old_and_new_value(words, line);
    let [in_old, in_new] = if line.old.is_some() && line.new.is_some() {
        setting_changes::differing(&old, &new)
    } else {
        [0..0, 0..0]
    };
    let role = |value: &Option<_>| {
        if value.is_some() {
            Role::Text
        } else {
            Role::Dim
        }
    };
    if is_taught {
        let note = words.text("consent-taught-file");
        lines.extend(hanging(Span::of(Role::Dim, "  "), Role::Dim, &note, width));
    }
    if line.old != line.new {
        lines.extend(value_lines(
            words,
            "consent-old",
            (&old, in_old),
            role(&line.old),
            width,
        ));
    }
    lines.extend(value_lines(
        words,
        "consent-new",
        (&new, in_new),
        role(&line.new),
        width,
    ));
    for warning in setting_changes::warnings(words, line) {
        lines.extend(hanging(
            Span::of(Role::Warn, "  "),
            Role::Warn,
            &warning,
            width,
        ));
    }
    lines
}

/// Lays out the old or the new value of a setting, beside the label "old" or "new".
fn value_lines(
    words: &Catalogue,
    id: &str,
    (value, differing): (&str, Range<usize>),
    role: Role,
    width: usize,
) -> Vec<Line> {
    let label = words.text(id);
    let row_labels = std::iter::once(label.as_str()).chain(std::iter::repeat(""));
    let rows = highlight_difference(
        value,
        differing,
        role,
        width.saturating_sub(SIDE_LABEL_WIDTH).max(1),
    );
    rows.into_iter()
        .zip(row_labels)
        .map(|(row, label)| {
            let label = Span::of(Role::Dim, exactly(&format!("  {label}"), SIDE_LABEL_WIDTH));
            Line::from(std::iter::once(label).chain(row).collect::<Vec<_>>())
        })
        .collect()
}

/// Wraps the value of a setting into rows. The range `differing`, where the old and new value
/// differ, is highlighted.
///
/// Characters that are shown by their number, such as `‹U+202E›`, are red.
fn highlight_difference(
    text: &str,
    differing: Range<usize>,
    role: Role,
    width: usize,
) -> Vec<Vec<Span>> {
    let mut end = 0;
    let mut in_number = false;
    let mut rows = Vec::new();
    for row in wrap(text, width) {
        // Wrapping removes only spaces between rows, so each wrapped row can be found in the text.
        let start = text[end..].find(row.as_str()).map_or(end, |at| end + at);
        end = (start + row.len()).min(text.len());
        let mut spans: Vec<Span> = Vec::new();
        for (at, c) in row.char_indices() {
            in_number |= c == '‹';
            let override_role = if in_number {
                Some(Role::Bad)
            } else if differing.contains(&(start + at)) {
                Some(Role::Strong)
            } else {
                None
            };
            in_number &= c != '›';
            match spans.last_mut().filter(|last| last.over == override_role) {
                Some(last) => last.text.push(c),
                None => spans.push(Span {
                    over: override_role,
                    ..Span::of(role, c.to_string())
                }),
            }
        }
        rows.push(spans);
    }
    rows
}
