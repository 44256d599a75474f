//! The profiles to pick one from, each with its address, and what is wrong with the last one.

use crate::app::ui::parts::{pair, row, title, wrapped};
use crate::app::ui::scrolled::Text;
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::app::{OtherProfile, Store};
use crate::trade::Untrusted;
use crate::words::{Words, personal};

pub fn draw(store: &Store, say: &Words, cursor: usize, area: Area, page: &mut Page) {
    title(&say.text("profiles-title"), Line::default(), area, page);
    let inner = area.narrowed(1).split_top(2).1.without_right(1);
    let width = usize::from(inner.width).saturating_sub(1);
    let mut lines = wrapped(Role::Text, &say.text("profiles-what"), width);
    lines.push(Line::default());
    let here = personal::name(say, &store.setup.profile).shown_within(width);
    lines.extend(pair(&say.text("profiles-here"), &here, width));
    let others = store.setup.others.iter().enumerate();
    let mut at = 0;
    for (n, other) in others {
        lines.push(Line::default());
        // The first is seen with what is said above it.
        if n == cursor && n > 0 {
            at = lines.len();
        }
        lines.extend(profile(store, say, other, n == cursor, width));
    }
    Text::new(lines, inner).draw_around(at, store.reader(), page);
}

/// One profile: its name, its address, and what was wrong with it.
fn profile(
    store: &Store,
    say: &Words,
    other: &OtherProfile,
    is_chosen: bool,
    width: usize,
) -> Vec<Line> {
    let name = personal::name(say, &other.name).shown_within(width);
    let mut lines = vec![row(is_chosen, vec![Span::of(Role::Strong, name)])];
    let address = match &other.origin {
        Some(origin) => Untrusted::from(&*origin.0).shown(),
        None => say.text("profiles-no-address"),
    };
    let mut below = pair(&say.text("account-service"), &address, width);
    if let Some((_, wrong)) = store.profiles.trouble.as_ref().filter(|it| it.0 == other.name) {
        below.extend(wrapped(Role::Warn, &say.text("profiles-wrong"), width));
        below.extend(wrapped(Role::Text, &wrong.shown(), width));
    }
    lines.extend(below.into_iter().map(|line| line.indented(1)));
    lines
}
