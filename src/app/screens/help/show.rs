//! The keys, from the one table.

use crate::app::Store;
use crate::app::ui::action::Action;
use crate::app::ui::aim::Aim;
use crate::app::ui::parts::put;
use crate::app::ui::scrolled::Text;
use crate::app::ui::side_by_side::{fitting, side_by_side};
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::words::Words;

/// Columns of the keys.
const KEYS: usize = 20;

/// The least columns of keys and what they do.
const LEAST: usize = 54;

/// Draws every key that does something, by what one wants to do.
pub fn draw(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let head = area.split_top(2).0;
    put(vec![Line::of(Role::Title, format!(" {}", say.text("help-title")))], head, page);
    text(store, say, area).draw(store.reader(), page);
}

/// All keys.
pub fn text(store: &Store, say: &Words, area: Area) -> Text {
    let rest = area.split_top(2).1.without_right(1);
    let columns = fitting(usize::from(rest.width), LEAST);
    let groups = Aim::ALL.map(|aim| group(store, say, aim, columns.1));
    Text::new(side_by_side(groups.into(), columns), rest)
}

/// The keys for one aim.
fn group(store: &Store, say: &Words, aim: Aim, width: usize) -> Vec<Line> {
    let mut lines = vec![Line::of(Role::Strong, format!(" {}", say.text(aim.message())))];
    for action in Action::ALL.iter().filter(|action| Aim::of(**action) == aim) {
        let keys = store.setup.keys.keys(*action).iter();
        let keys: Vec<String> = keys.map(|key| store.reader().key_name(*key)).collect();
        if keys.is_empty() {
            continue;
        }
        let what = say.text(&format!("action-{}.help", action.name()));
        let keys = keys.join("  ");
        let keys = std::iter::once(keys.as_str()).chain(std::iter::repeat(""));
        let what = wrap(&what, width.saturating_sub(KEYS + 3));
        lines.extend(what.into_iter().zip(keys).map(|(what, keys)| {
            Line::from(vec![
                Span::of(Role::Key, format!("   {}", exactly(keys, KEYS))),
                Span::of(Role::Text, what),
            ])
        }));
    }
    lines
}
