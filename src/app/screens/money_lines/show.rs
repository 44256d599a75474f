//! The lines of the contract that steer money: old and new, one below the other, to the last one.

use super::Reading;
use crate::app::Store;
use crate::app::next::Purpose;
use crate::app::screen::Focus;
use crate::app::store::money_lines;
use crate::app::ui::parts::{Confirm, button, pair, quoted, title, two_buttons, waiting, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span, geometry};
use crate::contract::{Change, MoneyLines, MoneyOperation, Unit};
use crate::trade::{Untrusted, VaultTrouble};
use crate::words::{Words, failure};

/// Columns in front of a value: what was, what is.
const SIDE: usize = 9;

pub fn draw(store: &Store, reading: &Reading, area: Area, page: &mut Page) {
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
    title(&store.text("money-lines-title"), Line::default(), head, page);
    let end = if note.0.is_empty() { text.end() } else { note.1.bottom() };
    text.draw_from(page.scroll(), store.reader(), page);
    page.put(note.0, note.1);
    if reading.purpose != Purpose::Look {
        buttons(store, reading, geometry::buttons(area.narrowed(2), end), page);
    }
}

type Note = (Vec<Line>, Area);

/// The text and the note above the buttons, in the rows that each of them has.
fn laid(store: &Store, reading: &Reading, area: Area) -> (Text, Note) {
    let foot = u16::from(reading.purpose != Purpose::Look);
    let inner = area.split_bottom(foot).0.narrowed(2);
    let rest = inner.split_top(if inner.height < 12 { 1 } else { 2 }).1;
    let mut note = note(store, reading, usize::from(rest.width));
    note.truncate(usize::from(rest.height / 2));
    let (room, place) = rest.split_bottom(u16::try_from(note.len()).unwrap_or(0));
    let lines = lines(store, reading, usize::from(room.width));
    (Text::new(lines, room), (note, place))
}

/// Lays out the words about agreeing itself, in sight however far the page is scrolled.
fn note(store: &Store, reading: &Reading, width: usize) -> Vec<Line> {
    let says = |role, id: &str| wrapped(role, &store.text(id), width);
    match reading {
        Reading { purpose: Purpose::Look, .. } => vec![],
        Reading { wait: Some(wait), .. } => {
            vec![waiting(store.reader(), &store.text("money-lines-keeping"), *wait)]
        }
        Reading { trouble: Some(trouble), .. } => not_kept(store.words(), trouble, width),
        Reading { too_long: true, .. } => says(Role::Bad, "money-lines-too-long"),
        Reading { is_read: false, .. } => says(Role::Dim, "money-lines-read-on"),
        Reading { .. } => vec![],
    }
}

fn not_kept(say: &Words, trouble: &VaultTrouble, width: usize) -> Vec<Line> {
    let told = failure::vault(say, trouble);
    let what = format!("{} {}", say.text("money-lines-not-kept"), told.what);
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

fn buttons(store: &Store, reading: &Reading, row: Area, page: &mut Page) {
    let on_do = reading.buttons.focus == Focus::Confirm;
    let back = store.text("money-lines-back");
    if !reading.has_button() {
        return button(&back, !on_do, row, page);
    }
    let is_new = on_do && !page.may_press;
    let is_live = reading.may_be_agreed(store.now.boot_ms) && reading.wait.is_none() && !is_new;
    let confirm = if is_live { Confirm::Live } else { Confirm::Dead };
    let agree = store.text("money-lines-do");
    two_buttons((&back, !on_do), (&agree, on_do), confirm, row, page);
}

fn lines(store: &Store, reading: &Reading, width: usize) -> Vec<Line> {
    let mut lines = beginning(store, width);
    let in_force = store.setup.contract.money_lines();
    let mut section = None;
    for change in &reading.changes {
        lines.push(Line::default());
        if section != Some(change.operation) {
            section = Some(change.operation);
            lines.extend(wrapped(Role::Title, &store.text(heading(change.operation)), width));
        }
        lines.extend(self::change(store.words(), change, means(change, &in_force), width));
    }
    lines.extend(reading.trouble.iter().flat_map(|trouble| mend(store.words(), trouble, width)));
    lines
}

/// Lays out why this is read, whose contract it is, and what is worth a warning in it.
fn beginning(store: &Store, width: usize) -> Vec<Line> {
    let contract = &store.setup.contract;
    let is_pending = !money_lines::pending(store).is_empty();
    let why = match (is_pending, &store.agreed_lines) {
        (false, _) => "money-lines-accepted",
        (true, None) => "money-lines-why",
        (true, Some(_)) => "money-lines-why-again",
    };
    let mut lines = wrapped(Role::Text, &store.text(why), width);
    if is_pending {
        lines.extend(wrapped(Role::Warn, &store.text("money-lines-not-you"), width));
    }
    let (preview, withdrawal) =
        (contract.fee_preview.amounts.unit, contract.withdrawal.form.amounts.unit);
    if preview != withdrawal {
        let [preview, withdrawal] = [preview, withdrawal].map(|unit| store.text(unit_id(unit)));
        let values = [("preview", &*preview), ("withdrawal", &*withdrawal)];
        let text = store.with("money-lines-units", &values);
        lines.extend(wrapped(Role::Bad, &text, width));
    }
    if contract.claims_confirmed() {
        lines.extend(wrapped(Role::Warn, &store.text("money-lines-confirmed"), width));
    }
    lines.push(Line::default());
    let shown = |text: &str| Untrusted::from(text).shown();
    lines.extend(pair(&store.text("account-profile"), &shown(&store.setup.profile), width));
    lines.extend(pair(&store.text("account-service"), &shown(&store.setup.base_url), width));
    for file in contract.own_files() {
        lines.extend(pair(&store.text("money-lines-file"), &shown(file), width));
    }
    lines
}

/// Lays out one line: its name, its old and new value, and its meaning where a warning is needed.
fn change(say: &Words, change: &Change, means: Option<&'static str>, width: usize) -> Vec<Line> {
    let mut lines = wrapped(Role::Strong, &change.name.shown(), width);
    let old = value(say, change.old.as_ref(), "money-lines-was-not");
    lines.extend(side(say, "money-lines-old", Role::Dim, &old, width));
    let new = value(say, change.new.as_ref(), "money-lines-is-not");
    lines.extend(side(say, "money-lines-new", Role::Text, &new, width));
    for row in means.map(|id| wrap(&say.text(id), width.saturating_sub(2).max(1))).iter().flatten()
    {
        lines.push(Line::of(Role::Warn, format!("  {row}")));
    }
    lines
}

fn value(say: &Words, value: Option<&Untrusted>, none: &str) -> String {
    value.map_or_else(|| say.text(none), Untrusted::shown)
}

/// A value behind the word that says whether it was or is.
fn side(say: &Words, id: &str, role: Role, value: &str, width: usize) -> Vec<Line> {
    let label = say.text(id);
    let labels = std::iter::once(label.as_str()).chain(std::iter::repeat(""));
    let values = wrap(value, width.saturating_sub(SIDE).max(1));
    let line = |(value, label): (String, &str)| {
        let label = Span::of(Role::Dim, exactly(&format!("  {label}"), SIDE));
        Line::from(vec![label, Span::of(role, value)])
    };
    values.into_iter().zip(labels).map(line).collect()
}

/// Returns the words for what a line means, where a seller must know it.
fn means(change: &Change, in_force: &MoneyLines) -> Option<&'static str> {
    change.new.as_ref()?;
    let name = change.name.shown();
    let (before, last) = name.rsplit_once('.')?;
    let is_fixed = in_force.get(&format!("{before}.kind")) == Some("\"fixed\"");
    match last {
        "unit" => Some("money-lines-unit"),
        "kind" | "default" if is_fixed => Some("money-lines-fixed"),
        "default" => Some("money-lines-default"),
        "retention_seconds" => Some("money-lines-retention"),
        _ => None,
    }
}

fn heading(section: MoneyOperation) -> &'static str {
    match section {
        MoneyOperation::Withdrawal => "money-lines-withdrawal",
        MoneyOperation::FeePreview => "money-lines-fee-preview",
        MoneyOperation::DirectPayment => "money-lines-direct-payment",
        MoneyOperation::CreateLink => "money-lines-create-link",
    }
}

fn unit_id(unit: Unit) -> &'static str {
    match unit {
        Unit::Reais => "money-lines-reais",
        Unit::Centavos => "money-lines-centavos",
    }
}
