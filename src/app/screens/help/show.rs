//! The keys, from the one table.

use crate::app::Store;
use crate::app::ui::action::{Action, Place};
use crate::app::ui::parts::put;
use crate::app::ui::scrolled::Text;
use crate::app::ui::text::{exactly, wrap};
use crate::app::ui::{Area, Line, Page, Role, Span};
use crate::words::Words;

/// Columns of the keys.
const KEYS: usize = 20;

/// Draws every key that does something, place by place.
pub fn draw(store: &Store, say: &Words, area: Area, page: &mut Page) {
    let head = area.split_top(2).0;
    put(vec![Line::of(Role::Title, format!(" {}", say.text("help-title")))], head, page);
    text(store, say, area).draw(store.reader(), page);
}

/// All keys.
pub fn text(store: &Store, say: &Words, area: Area) -> Text {
    let rest = area.split_top(2).1.without_right(1);
    Text::new(lines(store, say, usize::from(rest.width)), rest)
}

fn lines(store: &Store, say: &Words, width: usize) -> Vec<Line> {
    let mut lines = Vec::new();
    for place in Place::ALL {
        lines.push(Line::of(
            Role::Strong,
            format!(" {}", say.text(&format!("place-{}", place.name()))),
        ));
        let is_here = |action: &&Action| {
            action.place() == place && (**action != Action::StoryNext || store.setup.demo.is_some())
        };
        for action in Action::ALL.iter().filter(is_here) {
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
        lines.push(Line::default());
    }
    lines.pop();
    lines
}
