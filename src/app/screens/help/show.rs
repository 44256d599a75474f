//! The keys, from the one table.

use crate::app::Store;
use crate::app::ui::aim::Aim;
use crate::app::ui::parts::put;
use crate::app::ui::scrolled::Text;
use crate::app::ui::side_by_side::{fitting, side_by_side};
use crate::app::ui::text::{columns, exactly, wrap};
use crate::app::ui::{Action, Area, Line, Page, Role, Span};
use crate::words::Words;

/// The least columns of keys and what they do.
const LEAST: usize = 48;

/// Draws every key that does something, by what one wants to do.
pub fn draw(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let (head, rest) = area.split_top(2);
    put(vec![Line::of(Role::Title, format!(" {}", say.text("help-title")))], head, page);
    let rest = rest.without_right(1);
    let room = fitting(usize::from(rest.width), LEAST);
    let keys = Action::ALL.iter().map(|action| columns(&keys_of(store, *action)));
    let widths = ((keys.max().unwrap_or(0) + 3).min(room.1 / 2), room.1);
    let groups = Aim::ALL.map(|aim| group(store, say, aim, widths));
    Text::new(side_by_side(groups.into(), room), rest).draw(store.reader(), page);
}

/// The names of all keys of an action.
fn keys_of(store: &Store, action: Action) -> String {
    let keys = store.setup.keys.keys(action).iter();
    keys.map(|key| store.reader().key_name(*key)).collect::<Vec<_>>().join("  ")
}

/// The keys for one aim, in so many columns, and all in so many.
fn group(
    store: &Store,
    say: &Words,
    (aim, name): (Aim, &str),
    (keys_width, width): (usize, usize),
) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Strong, format!(" {}", say.text(name)))];
    let is_here = |action: &&Action| {
        Aim::of(**action) == aim && (**action != Action::StoryNext || store.setup.demo.is_some())
    };
    for action in Action::ALL.iter().filter(is_here) {
        let keys = keys_of(store, *action);
        if keys.is_empty() {
            continue;
        }
        let what = say.text(&format!("action-{}.help", action.name()));
        let keys = std::iter::once(keys.as_str()).chain(std::iter::repeat(""));
        let what = wrap(&what, width.saturating_sub(keys_width + 3));
        lines.extend(what.into_iter().zip(keys).map(|(what, keys)| {
            Line::from(vec![
                Span::of(Role::Key, format!("   {}", exactly(keys, keys_width))),
                Span::of(Role::Text, what),
            ])
        }));
    }
    lines
}
