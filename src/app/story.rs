//! The demo's story, as far as the screen shows it: a caption, and whether it is played.

use super::update::say;
use super::{Effect, Model, Said, domains};
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
pub enum Told {
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
pub fn told(model: &mut Model, told: Told) -> Vec<Effect> {
    match told {
        Told::Began => (model.story.playing, model.story.caption) = (true, None),
        Told::Caption(words) => {
            model.story.caption = Some(words).filter(|words| !words.is_empty());
        }
        Told::DomainMoved(host) => {
            let mut effects = say(model, Said::DomainMoved(host));
            effects.extend(domains::refresh(model));
            return effects;
        }
        Told::Failed => return say(model, Said::StepFailed),
        Told::Ended => model.story.playing = false,
    }
    vec![]
}

/// It was stopped: nothing of it stays.
pub fn stopped(model: &mut Model) -> Vec<Effect> {
    (model.story.playing, model.story.caption) = (false, None);
    vec![]
}
