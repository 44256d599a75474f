//! The lines of the contract: old and new, one below the other, to the last one.

use std::ops::Range;

use super::ConsentPage;
use crate::app::Store;
use crate::app::screen::Focus;
use crate::app::ui::parts::{Confirm, button, pair, quoted, title, two_buttons, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, consent_lines, geometry};
use crate::contract::{LineChange, Unit};
use crate::trade::{Untrusted, VaultTrouble};
use crate::words::{Words, failure};

/// Columns in front of a value: what was, what is.
const SIDE: usize = 10;

pub fn draw(store: &Store, reading: &ConsentPage, area: Area, page: &mut Page) {
    let (text, note) = laid(store, reading, area);
    let overflow = text.overflow();
    page.shows(text.shown(page.scroll()), overflow);
    // What this frame shows is on the screen when its button is looked at.
    let is_read = reading.is_read_with(page.scroll(), overflow);
    page.reads(is_read);
    let mut counted = reading.clone();
    counted.is_read = is_read;
    let (reading, (text, note)) = match is_read == reading.is_read {
        true => (reading, (text, note)),
        false => (&counted, laid(store, &counted, area)),
    };
    let head = area.split_top(text.area.y - area.y).0;
    title(&store.text("consent-title"), Line::default(), head, page);
    let end = if note.0.is_empty() { text.end() } else { note.1.bottom() };
    text.draw_from(page.scroll(), store.reader(), page);
    page.put(note.0, note.1);
    if reading.is_pending {
        buttons(store, reading, geometry::buttons(area.narrowed(2), end), page);
    }
}

type Note = (Vec<Line>, Area);

/// The text and the note above the buttons, in the rows that each of them has.
fn laid(store: &Store, reading: &ConsentPage, area: Area) -> (Text, Note) {
    let foot = u16::from(reading.is_pending);
    let inner = area.split_bottom(foot).0.narrowed(2);
    let rest = inner.split_top(2).1;
    let mut note = note(store, reading, usize::from(rest.width));
    note.truncate(usize::from(rest.height / 2));
    let (room, place) = rest.split_bottom(u16::try_from(note.len()).unwrap_or(0));
    let lines = lines(store, reading, usize::from(room.width));
    (Text::new(lines, room), (note, place))
}

/// Lays out the words about agreeing itself, in sight however far the page is scrolled.
fn note(store: &Store, reading: &ConsentPage, width: usize) -> Vec<Line> {
    let says = |role, id: &str| wrapped(role, &store.text(id), width);
    match reading {
        ConsentPage { is_pending: false, .. } => vec![],
        ConsentPage { wait: Some(wait), .. } => {
            vec![waiting(store.reader(), &store.text("consent-keeping"), *wait)]
        }
        ConsentPage { trouble: Some(trouble), .. } => not_kept(store.words(), trouble, width),
        ConsentPage { too_long: true, .. } => says(Role::Bad, "consent-too-long"),
        ConsentPage { is_read: false, .. } => says(Role::Dim, "consent-read-on"),
        ConsentPage { .. } => says(Role::Warn, "consent-was-read"),
    }
}

fn not_kept(say: &Words, trouble: &VaultTrouble, width: usize) -> Vec<Line> {
    let told = failure::vault(say, trouble);
    let what = format!("{} {}", say.text("consent-not-kept"), told.what);
    wrapped(Role::Bad, &what, width)
}

/// Lays out the way out of a vault's trouble, below everything, at the end of the reading.
fn mend(say: &Words, trouble: &VaultTrouble, width: usize) -> Vec<Line> {
    let told = failure::vault(say, trouble);
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(Role::Text, &told.next, width));
    for (label, words) in &told.quotes {
        lines.extend(quoted(label, words, width));
    }
    lines
}

fn buttons(store: &Store, reading: &ConsentPage, row: Area, page: &mut Page) {
    let on_do = reading.buttons.focus == Focus::Confirm;
    let back = store.text("consent-back");
    if !reading.has_button() {
        return button(&back, !on_do, row, page);
    }
    let is_new = on_do && !page.may_press;
    let is_live = reading.may_be_agreed(store.now.boot_ms) && reading.wait.is_none() && !is_new;
    let confirm = if is_live { Confirm::Live } else { Confirm::Dead };
    let agree = store.text("consent-do");
    two_buttons((&back, !on_do), (&agree, on_do), confirm, row, page);
}

fn lines(store: &Store, reading: &ConsentPage, width: usize) -> Vec<Line> {
    let mut lines = beginning(store, reading, width);
    let has_news = reading.lines.iter().any(|line| line.is_news);
    let mut last = None;
    for line in &reading.lines {
        lines.push(Line::default());
        if has_news && last.is_none_or(|(is_news, _)| is_news != line.is_news) {
            let id = if line.is_news { "consent-news" } else { "consent-others" };
            lines.extend(wrapped(Role::Warn, &store.text(id), width));
        }
        if last != Some((line.is_news, line.part)) {
            last = Some((line.is_news, line.part));
            lines.extend(wrapped(Role::Title, &store.text(line.part), width));
        }
        lines.extend(change(store.words(), line, width));
    }
    lines.extend(reading.trouble.iter().flat_map(|trouble| mend(store.words(), trouble, width)));
    lines
}

/// Lays out why this is read, whose contract it is, and what is worth a warning in it.
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
        let [preview, withdrawal] = [preview, withdrawal].map(|unit| store.text(unit_id(unit)));
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

/// Lays out one line: its name, its old and new value, and what a seller must know about it.
fn change(say: &Words, line: &LineChange, width: usize) -> Vec<Line> {
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
        for row in wrap(&warning, width.saturating_sub(2).max(1)) {
            lines.push(Line::of(Role::Warn, format!("  {row}")));
        }
    }
    lines
}

/// A value behind the word that says whether it was or is.
fn side(
    say: &Words,
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

/// Lays out a text in rows, with marks on the differing part and, in red, on what is shown by
/// number.
fn marked(text: &str, differing: Range<usize>, role: Role, width: usize) -> Vec<Vec<Span>> {
    let (mut end, mut in_number) = (0, false);
    let row = |row: String| {
        // Rows are parts of the text; only spaces between them are left out.
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

fn unit_id(unit: Unit) -> &'static str {
    match unit {
        Unit::Reais => "consent-reais",
        Unit::Centavos => "consent-centavos",
    }
}
