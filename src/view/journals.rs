//! The journals of withdrawals to pick one from, each with what is in it.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{pair, row, title, wrapped};
use super::scrolled::Text;
use super::text::wrap;
use super::{Look, Role, dates};
use crate::app::Model;
use crate::app::geometry::Area;
use crate::app::scroll::Overflow;
use crate::app::withdrawals::journals;
use crate::trade::{OtherJournal, Untrusted};

/// Draws them.
pub(super) fn draw(
    model: &Model,
    look: &Look,
    cursor: usize,
    scroll: u16,
    area: Area,
    frame: &mut Frame,
) {
    title(look, &look.say("journals-title"), Line::default(), area, frame);
    let Laid { text, first, .. } = laid(model, look, cursor, area);
    text.draw(model, look, first.saturating_add(scroll), frame);
}

/// What has no room of the one under the cursor.
pub(super) fn overflow(model: &Model, look: &Look, cursor: usize, area: Area) -> Overflow {
    let Laid { text, first, below } = laid(model, look, cursor, area);
    let whole = text.overflow();
    Overflow { lines: whole.lines.saturating_sub(first + below), ..whole }
}

/// All of them, and where the one under the cursor is.
struct Laid {
    text: Text,
    /// The line it begins with on the screen.
    first: u16,
    /// The lines below it.
    below: u16,
}

fn laid(model: &Model, look: &Look, cursor: usize, area: Area) -> Laid {
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let width = usize::from(inner.width).saturating_sub(1);
    let mut lines = wrapped(look, Role::Text, &look.say("journals-what"), width);
    lines.push(Line::default());
    let (mut first, mut end) = (0, 0);
    for (n, one) in journals::all(model).iter().enumerate() {
        // The first is seen with what is said above it.
        if n == cursor && n > 0 {
            first = lines.len();
        }
        lines.extend(journal(model, look, one, n == cursor, width));
        lines.push(Line::default());
        if n == cursor {
            end = lines.len();
        }
    }
    lines.pop();
    let below = lines.len().saturating_sub(end);
    let text = Text::new(lines, inner);
    let first = u16::try_from(first).unwrap_or(u16::MAX).min(text.overflow().lines);
    Laid { text, first, below: u16::try_from(below).unwrap_or(u16::MAX) }
}

/// One journal: its folder, whose it is, and what of it asks for somebody.
fn journal(
    model: &Model,
    look: &Look,
    one: &OtherJournal,
    is_chosen: bool,
    width: usize,
) -> Vec<Line<'static>> {
    let folder = Untrusted::from(one.dir.display().to_string()).shown();
    let folder = wrap(&folder, width).into_iter();
    let mut lines: Vec<_> =
        folder.map(|line| row(look, is_chosen, vec![look.span(Role::Strong, line)])).collect();
    let indented = |lines: Vec<Line<'static>>| {
        lines.into_iter().map(|mut line| {
            line.spans.insert(0, " ".into());
            line
        })
    };
    for owner in &one.owners {
        let who = Untrusted::from(&*owner.identity).shown_within(60);
        let place = Untrusted::from(&*owner.origin.0).shown_within(60);
        let account = look.words.with("account-at", &[("who", &who), ("place", &place)]);
        lines.extend(indented(pair(look, &look.say("outcome-account"), &account, width)));
    }
    let what = contents(model, look, one);
    lines.extend(indented(pair(look, &look.say("journals-in-it"), &what, width)));
    if one.holds_back() {
        lines.extend(indented(pair(look, "", &look.say("journals-holds-back"), width)));
    }
    lines
}

fn contents(model: &Model, look: &Look, one: &OtherJournal) -> String {
    if one.trouble.is_some() {
        return look.say("journals-unreadable");
    }
    if one.withdrawals == 0 {
        return look.say("journals-no-withdrawals");
    }
    let mut parts = vec![look.words.count("journals-withdrawals", one.withdrawals, &[])];
    for (id, count) in [
        ("journals-open", one.open),
        ("journals-prepared", one.prepared),
        ("journals-recent", one.recent),
    ] {
        if count > 0 {
            parts.push(look.words.count(id, count, &[]));
        }
    }
    if let Some(last) = one.last {
        let when = dates::moment(model, look, last);
        parts.push(look.words.with("journals-last", &[("when", &when)]));
    }
    parts.join(", ")
}

/// What is said in the withdrawals' pane while another journal holds new ones back.
pub(super) fn beside(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    if model.withdrawals.beside.is_empty() {
        return Vec::new();
    }
    let key = super::parts::first_key(model, look, crate::app::action::Action::Journals);
    let mut lines = wrapped(look, Role::Bad, &look.say("withdrawals-held-back"), width);
    let way = look.words.with("withdrawals-held-back-way", &[("key", &key)]);
    lines.extend(wrapped(look, Role::Text, &way, width));
    for one in &*model.withdrawals.beside {
        let folder = Untrusted::from(one.dir.display().to_string()).shown();
        lines.extend(pair(look, &look.say("locked-folder"), &folder, width));
    }
    lines
}
