//! The keys, from the one table.

use ratatui::Frame;
use ratatui::text::Line;

use super::parts::{key_name, put};
use super::scrolled::Text;
use super::text::{exactly, wrap};
use super::{Look, Role};
use crate::app::Model;
use crate::app::action::{Action, Place};
use crate::app::geometry::Area;

/// Columns of the keys.
const KEYS: usize = 20;

/// Draws every key that does something, place by place.
pub(super) fn draw(model: &Model, look: &Look, scroll: u16, area: Area, frame: &mut Frame) {
    let head = area.split_top(2).0;
    put(vec![look.line(Role::Title, format!(" {}", look.say("help-title")))], head, frame);
    text(model, look, area).draw(model, look, scroll, frame);
}

/// All keys.
pub(super) fn text(model: &Model, look: &Look, area: Area) -> Text {
    let rest = area.split_top(2).1.without_right(1);
    Text::new(lines(model, look, usize::from(rest.width)), rest)
}

fn lines(model: &Model, look: &Look, width: usize) -> Vec<Line<'static>> {
    let mut lines = Vec::new();
    for place in Place::ALL {
        lines.push(
            look.line(Role::Strong, format!(" {}", look.say(&format!("place-{}", place.name())))),
        );
        for action in Action::ALL.iter().filter(|action| action.place() == place) {
            let keys = model.setup.keys.keys(*action).iter();
            let keys: Vec<String> = keys.map(|key| key_name(look, *key)).collect();
            if keys.is_empty() {
                continue;
            }
            let what = look.say(&format!("action-{}.help", action.name()));
            let keys = keys.join("  ");
            let keys = std::iter::once(keys.as_str()).chain(std::iter::repeat(""));
            let what = wrap(&what, width.saturating_sub(KEYS + 3));
            lines.extend(what.into_iter().zip(keys).map(|(what, keys)| {
                Line::from(vec![
                    look.span(Role::Key, format!("   {}", exactly(keys, KEYS))),
                    look.span(Role::Text, what),
                ])
            }));
        }
        lines.push(Line::default());
    }
    lines.pop();
    lines
}
