//! The demo's story, as far as the screen shows it: a caption, and whether it is played.

use super::screen::route::Next;
use super::{Said, Store, domains};
use crate::trade::Untrusted;

/// What is known of the story.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Story {
    /// Whether it is being played.
    pub playing: bool,
    /// What it says now; it stays when the story ends.
    pub caption: Option<Untrusted>,
    /// Whether the presenter switched captions off.
    pub silent: bool,
}

/// Something the story says or has done.
#[derive(Debug, Clone, PartialEq)]
pub enum StoryEvent {
    /// It begins.
    Began,
    /// It says this; an empty text takes the caption away.
    Caption(Untrusted),
    /// A domain has another state.
    DomainMoved(Untrusted),
    /// A step could not be done.
    Failed,
    /// It is over.
    Ended,
}

impl Story {
    /// The caption that is shown.
    pub fn shown(&self) -> Option<&Untrusted> {
        self.caption.as_ref().filter(|_| !self.silent)
    }

    /// Whether there are captions that can be switched on or off now.
    pub fn can_caption(&self, on: bool) -> bool {
        self.silent == on && (on || self.playing || self.caption.is_some())
    }
}

/// Hears what the story says.
pub fn told(store: &mut Store, told: StoryEvent) -> Next {
    match told {
        StoryEvent::Began => (store.story.playing, store.story.caption) = (true, None),
        StoryEvent::Caption(words) => {
            store.story.caption = Some(words).filter(|words| !words.is_empty());
        }
        StoryEvent::DomainMoved(host) => {
            store.say(Said::DomainMoved(host));
            return domains::refresh(store);
        }
        StoryEvent::Failed => store.say(Said::StepFailed),
        StoryEvent::Ended => store.story.playing = false,
    }
    Next::none()
}

/// It was stopped: nothing of it stays.
pub fn stopped(store: &mut Store) {
    (store.story.playing, store.story.caption) = (false, None);
}
