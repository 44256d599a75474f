//! The key that goes on with the demo's story, wherever nothing is typed.

use super::{front, key_context, takes_text};
use crate::app::Model;
use crate::app::ui::Action;
use crate::app::ui::input::Key;

/// The key that goes on with the story on the screen in front, if one does.
pub fn next_key(model: &Model) -> Option<Key> {
    let keys = model.setup.keys.keys(Action::StoryNext);
    keys.iter().copied().find(|key| goes_on(model, *key))
}

/// Returns true when this key goes on with the story now.
pub fn is_next_key(model: &Model, key: Key) -> bool {
    model.setup.keys.keys(Action::StoryNext).contains(&key) && goes_on(model, key)
}

/// Whoever presents has an eye on the audience: the key means the same on every screen. A page has
/// another key; whatever else the key is bound to here, it still does. Nobody goes on to a caption
/// that is not seen.
fn goes_on(model: &Model, key: Key) -> bool {
    let is_typed = key.text().is_some() && takes_text(model);
    let does = model.setup.keys.action(key_context(model).places(), key);
    model.story.can_go_on()
        && !is_typed
        && !front(model, |screen, store| screen.links(store).hides_caption)
        && matches!(does, None | Some(Action::StoryNext | Action::PageDown))
}
