//! The lines of the contract that steer money: old and new, one below the other, to the last one.

use ratatui::Frame;
use ratatui::text::Line;

use super::failure;
use super::parts::{LABEL, button, dead_button, pair, quoted, title, waiting, wrapped};
use super::scrolled::Text;
use super::text::{exactly, wrap};
use super::{Look, Role};
use crate::app::geometry::{self, Area};
use crate::app::money_lines::{self, Purpose, Reading};
use crate::app::{Model, Wait, seen};
use crate::contract::{Change, MoneyLines, MoneyOperation, Unit};
use crate::trade::{Untrusted, VaultTrouble};

/// Columns in front of a value: what was, what is.
const SIDE: usize = 9;

/// Draws the page.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    reading: &Reading,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    let (text, note) = laid(model, look, reading, area);
    let head = area.split_top(text.area.y - area.y).0;
    title(look, &look.say("money-lines-title"), Line::default(), head, frame);
    text.draw(model, look, scroll, frame);
    super::parts::put(note.0, note.1, frame);
    if reading.purpose != Purpose::Look {
        buttons(model, look, reading, geometry::buttons(area.narrowed(2)), frame);
    }
}

/// All that is to be read.
pub(super) fn text(model: &Model, look: &Look, reading: &Reading, area: Area) -> Text {
    laid(model, look, reading, area).0
}

type Note = (Vec<Line<'static>>, Area);

/// The text and the note above the buttons, in the rows that each of them has.
fn laid(model: &Model, look: &Look, reading: &Reading, area: Area) -> (Text, Note) {
    let foot = u16::from(reading.purpose != Purpose::Look);
    let inner = area.split_bottom(foot).0.narrowed(2);
    let rest = inner.split_top(if inner.height < 12 { 1 } else { 2 }).1;
    let mut note = note(model, look, reading, usize::from(rest.width));
    note.truncate(usize::from(rest.height / 2));
    let (room, place) = rest.split_bottom(u16::try_from(note.len()).unwrap_or(0));
    let lines = lines(model, look, reading, usize::from(room.width));
    (Text::new(lines, room), (note, place))
}

/// What is said of agreeing itself, in sight however far the page is scrolled.
fn note(model: &Model, look: &Look, reading: &Reading, width: usize) -> Vec<Line<'static>> {
    let says = |role, id: &str| wrapped(look, role, &look.say(id), width);
    match reading {
        Reading { purpose: Purpose::Look, .. } => vec![],
        Reading { wait: Some(wait), .. } => vec![keeping(model, look, *wait)],
        Reading { trouble: Some(trouble), .. } => not_kept(look, trouble, width),
        Reading { too_long: true, .. } => says(Role::Bad, "money-lines-too-long"),
        Reading { is_read: false, .. } => says(Role::Dim, "money-lines-read-on"),
        Reading { .. } => vec![],
    }
}

fn keeping(model: &Model, look: &Look, wait: Wait) -> Line<'static> {
    waiting(model, look, &look.say("money-lines-keeping"), wait)
}

fn not_kept(look: &Look, trouble: &VaultTrouble, width: usize) -> Vec<Line<'static>> {
    let told = failure::vault(look, trouble);
    let what = format!("{} {}", look.say("money-lines-not-kept"), told.what);
    wrapped(look, Role::Bad, &what, width)
}

/// What to do about a vault that did not keep it: below everything, where whoever read it stands.
fn mend(look: &Look, trouble: &VaultTrouble, width: usize) -> Vec<Line<'static>> {
    let told = failure::vault(look, trouble);
    let mut lines = vec![Line::default()];
    lines.extend(wrapped(look, Role::Text, &told.next, width));
    for (label, words) in &told.quotes {
        lines.extend(quoted(look, label, words, width));
    }
    lines
}

fn buttons(model: &Model, look: &Look, reading: &Reading, row: Area, frame: &mut Frame) {
    let [back, agree] = [0, 1].map(|n| geometry::button(row, n));
    button(look, &look.say("money-lines-back"), !reading.on_do, back, frame);
    if reading.has_button() {
        let is_new = reading.on_do && !seen::may_press(model);
        let is_live = reading.may_be_agreed(model.now.boot_ms) && reading.wait.is_none() && !is_new;
        let draw = if is_live { button } else { dead_button };
        draw(look, &look.say("money-lines-do"), reading.on_do, agree, frame);
    }
}

/// Everything there is to read.
fn lines(model: &Model, look: &Look, reading: &Reading, width: usize) -> Vec<Line<'static>> {
    let mut lines = beginning(model, look, width);
    let in_force = model.setup.contract.money_lines();
    let mut section = None;
    for change in &reading.changes {
        lines.push(Line::default());
        if section != Some(change.operation) {
            section = Some(change.operation);
            lines.extend(wrapped(look, Role::Title, &look.say(heading(change.operation)), width));
        }
        lines.extend(self::change(look, change, means(change, &in_force), width));
    }
    lines.extend(reading.trouble.iter().flat_map(|trouble| mend(look, trouble, width)));
    lines
}

/// Why this is read, whose contract it is, and what is worth a warning in it.
fn beginning(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let contract = &model.setup.contract;
    let is_pending = !money_lines::pending(model).is_empty();
    let why = match (is_pending, &model.money_lines.agreed) {
        (false, _) => "money-lines-accepted",
        (true, None) => "money-lines-why",
        (true, Some(_)) => "money-lines-why-again",
    };
    let mut lines = wrapped(look, Role::Text, &look.say(why), width);
    if is_pending {
        lines.extend(wrapped(look, Role::Warn, &look.say("money-lines-not-you"), width));
    }
    let (preview, withdrawal) = (contract.fee_preview.unit, contract.withdrawal.form.unit);
    if preview != withdrawal {
        let [preview, withdrawal] = [preview, withdrawal].map(|unit| look.say(unit_id(unit)));
        let values = [("preview", &*preview), ("withdrawal", &*withdrawal)];
        let text = look.words.with("money-lines-units", &values);
        lines.extend(wrapped(look, Role::Bad, &text, width));
    }
    if contract.claims_confirmed() {
        lines.extend(wrapped(look, Role::Warn, &look.say("money-lines-confirmed"), width));
    }
    lines.push(Line::default());
    let shown = |text: &str| Untrusted::from(text).shown();
    lines.extend(pair(look, &look.say("account-profile"), &shown(&model.setup.profile), width));
    lines.extend(pair(look, &look.say("account-service"), &shown(&model.setup.base_url), width));
    for file in contract.own_files() {
        lines.extend(pair(look, &look.say("money-lines-file"), &shown(file), width));
    }
    lines
}

/// One line: its name, what it said, what it says, and what that means where it means much.
fn change(
    look: &Look,
    change: &Change,
    means: Option<&'static str>,
    width: usize,
) -> Vec<Line<'static>> {
    let mut lines = wrapped(look, Role::Strong, &change.name.shown(), width);
    let old = value(look, change.old.as_ref(), "money-lines-was-not");
    lines.extend(side(look, "money-lines-old", Role::Dim, &old, width));
    let new = value(look, change.new.as_ref(), "money-lines-is-not");
    lines.extend(side(look, "money-lines-new", Role::Text, &new, width));
    for row in means.map(|id| wrap(&look.say(id), width.saturating_sub(2).max(1))).iter().flatten()
    {
        lines.push(look.line(Role::Warn, format!("  {row}")));
    }
    lines
}

fn value(look: &Look, value: Option<&Untrusted>, none: &str) -> String {
    value.map_or_else(|| look.say(none), Untrusted::shown)
}

/// A value behind the word that says whether it was or is.
fn side(look: &Look, id: &str, role: Role, value: &str, width: usize) -> Vec<Line<'static>> {
    let label = look.say(id);
    let labels = std::iter::once(label.as_str()).chain(std::iter::repeat(""));
    let values = wrap(value, width.saturating_sub(SIDE).max(1));
    let line = |(value, label): (String, &str)| {
        let label = look.span(Role::Dim, exactly(&format!("  {label}"), SIDE));
        Line::from(vec![label, look.span(role, value)])
    };
    values.into_iter().zip(labels).map(line).collect()
}

/// What a line means, where a seller must know it.
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

/// What the account pane says of the contract; nothing where it is the program's own.
pub(super) fn in_account(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let contract = &model.setup.contract;
    let (pending, own) = (money_lines::pending(model).len(), contract.own_changes().len());
    let (role, text) = match (pending, own) {
        (0, 0) => (Role::Text, String::new()),
        (0, own) => (Role::Text, look.words.count("account-contract-accepted", own as u64, &[])),
        (n, _) => (Role::Warn, look.words.count("account-contract-pending", n as u64, &[])),
    };
    let claims = contract.claims_confirmed().then(|| look.say("money-lines-confirmed"));
    let said = [(role, text), (Role::Warn, claims.unwrap_or_default())];
    let mut lines = Vec::new();
    for (role, text) in said.iter().filter(|(_, text)| !text.is_empty()) {
        for row in wrap(text, width.saturating_sub(LABEL).max(1)) {
            let label = if lines.is_empty() { look.say("account-contract") } else { String::new() };
            let label = look.span(Role::Dim, exactly(&label, LABEL));
            lines.push(Line::from(vec![label, look.span(*role, row)]));
        }
    }
    lines
}
