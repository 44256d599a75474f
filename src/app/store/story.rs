//! The demo's story, as far as the screen shows it: a caption, and whether it is played.

use crate::app::Store;
use crate::app::ui::area::MEASURE;
use crate::app::ui::input::Size;
use crate::app::ui::text::{columns, fit, wrap};
use crate::trade::Untrusted;

/// The most rows that a caption takes at the width it is written for; in less it may need another.
pub const MOST_ROWS: usize = 2;

/// The hint of the key that goes on, at the end of a caption.
pub fn key_hint(key: &str) -> String {
    format!("{key} › ")
}

/// Words in rows of so many columns, the last of which leaves a key its place.
pub fn beside_key(words: &str, room: usize, key: usize) -> Vec<String> {
    let mut lines = wrap(words, room);
    let least = room.saturating_sub(key);
    if let Some(last) = lines.pop_if(|last| columns(last) > least) {
        lines.extend(wrap(&last, least));
    }
    lines
}

/// The state of the demo's story.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Story {
    /// True while it is being played.
    pub playing: bool,
    /// The caption of now; it stays when the story ends.
    pub caption: Option<Untrusted>,
    /// The number of that caption, and how many there are.
    pub step: Option<(usize, usize)>,
    /// True when the presenter switched captions off.
    pub silent: bool,
}

/// Something the story says or has done.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "a field is its name")]
pub enum StoryEvent {
    /// It begins.
    Began,
    /// It says this; an empty text takes the caption away.
    Caption { words: Untrusted, step: (usize, usize) },
    /// Domains have another state; what is said of it is the caption's alone.
    DomainsMoved,
    /// A step could not be done.
    Failed,
    /// It is over.
    Ended,
}

/// Something the seller does that the sandbox does not hear of: a screen that comes to the front,
/// or what is done there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "each is its name")]
pub enum SellerEvent {
    Links,
    Domains,
    Exchanges,
    Account,
    Review,
    Receipt,
    Qr,
    Copy,
    Mark,
    GiveNickname,
}

impl SellerEvent {
    /// Every one, by the name that a script waits for it by; a screen is waited for by its own.
    pub const ALL: [(&str, SellerEvent); 10] = [
        ("links", SellerEvent::Links),
        ("domains", SellerEvent::Domains),
        ("exchanges", SellerEvent::Exchanges),
        ("account", SellerEvent::Account),
        ("review", SellerEvent::Review),
        ("receipt", SellerEvent::Receipt),
        ("qr", SellerEvent::Qr),
        ("copy", SellerEvent::Copy),
        ("mark", SellerEvent::Mark),
        ("give-nickname", SellerEvent::GiveNickname),
    ];

    /// The screen of this name comes to the front, if a script can wait for that.
    pub fn of_screen(name: &str) -> Option<SellerEvent> {
        let mut screens = SellerEvent::ALL.iter();
        screens.find(|(known, _)| *known == name).map(|(_, event)| *event)
    }
}

impl Story {
    /// The caption that is shown.
    pub fn shown(&self) -> Option<&Untrusted> {
        self.caption.as_ref().filter(|_| !self.silent)
    }

    /// The caption in the rows that it takes in a terminal of this size, behind its number. The
    /// last one leaves so many columns for the key that goes on.
    pub fn lines(&self, size: Size, key: usize) -> Vec<String> {
        let Some(words) = self.shown() else { return vec![] };
        let step = self.step.map(|(n, of)| format!("{n}/{of}  ")).unwrap_or_default();
        let room = usize::from(size.columns.min(MEASURE)).saturating_sub(columns(&step) + 2);
        let mut lines = beside_key(&words.shown(), room, key);
        if lines.len() > MOST_ROWS + 1 {
            let rest = lines.split_off(MOST_ROWS).join(" ");
            lines.push(fit(&rest, room.saturating_sub(key)).into());
        }
        let below = " ".repeat(columns(&step));
        let before = std::iter::once(step).chain(std::iter::repeat(below));
        lines.iter().zip(before).map(|(words, before)| format!(" {before}{words}")).collect()
    }

    /// Returns true when a key goes on with it: not where there is no reader.
    pub fn can_go_on(&self) -> bool {
        self.playing && !self.silent
    }

    /// Takes the words of a step; empty ones take the caption away.
    pub fn say(&mut self, words: &Untrusted, step: (usize, usize)) {
        self.caption = Some(words.clone()).filter(|words| !words.is_empty());
        self.step = self.caption.is_some().then_some(step);
    }

    /// Returns true when there are captions that can be switched on or off now.
    pub fn can_caption(&self, on: bool) -> bool {
        self.silent == on && (on || self.playing || self.caption.is_some())
    }
}

/// Ends a story that was stopped: nothing of it stays.
pub fn stopped(store: &mut Store) {
    store.story = Story { silent: store.story.silent, ..Story::default() };
}
