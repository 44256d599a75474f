//! The key that goes on with the demo's story, where nothing is typed and it does nothing else.

use super::{front, key_context, sight, takes_text};
use crate::app::Model;
use crate::app::screen::KeyContext;
use crate::app::ui::Action;
use crate::app::ui::input::Key;
use crate::app::ui::list::ListLine;

/// The key that goes on with the story on the screen in front, if one does.
pub fn next_key(model: &Model) -> Option<Key> {
    if !model.story.can_go_on() {
        return None;
    }
    let keys = model.setup.keys.keys(Action::StoryNext).iter().copied();
    keys.into_iter().find(|key| goes_on(model, *key))
}

/// Returns true when this key goes on with the story now.
pub fn is_next_key(model: &Model, key: Key) -> bool {
    let is_bound = || model.setup.keys.keys(Action::StoryNext).contains(&key);
    model.story.can_go_on() && is_bound() && goes_on(model, key)
}

fn goes_on(model: &Model, key: Key) -> bool {
    if key.text().is_some() && (takes_text(model) || key_context(model) != KeyContext::List) {
        return false;
    }
    let places = key_context(model).places();
    match model.setup.keys.action(places, key) {
        None | Some(Action::StoryNext) => true,
        Some(Action::PageDown) => has_one_page(model),
        Some(_) => false,
    }
}

/// Returns true when the screen in front has nothing to page through.
fn has_one_page(model: &Model) -> bool {
    let text = sight::in_front(model).map(|seen| seen.overflow.lines);
    let rows = model.areas(model.size).and_then(|areas| {
        let shown = front(model, |screen, store| screen.rows(store, areas.body))?;
        let is_row = |line: &&ListLine| matches!(line, ListLine::Row(_));
        Some(shown.lines.iter().filter(is_row).count())
    });
    text == Some(0) && rows.is_none_or(|rows| rows < 2)
}
