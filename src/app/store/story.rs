//! The state of the demo's story (a scripted presentation): its current caption, and whether the
//! story is running.

use crate::app::Store;
use crate::app::ui::area::MEASURE;
use crate::app::ui::input::{Key, Size};
use crate::app::ui::text::{columns, fit, wrap};
use crate::trade::Untrusted;
use crate::words::Lang;

/// The maximum number of rows of a caption at full width. In a narrower terminal, a caption may
/// need one more row.
pub const MAX_ROWS: usize = 2;

/// The hint beside the caption. It names the key that continues the story.
pub fn key_hint(key: &str) -> String {
    format!("{key} › ")
}

/// Wraps a caption to `max_columns` columns. The last row leaves `hint_columns` columns free for
/// the key hint.
pub fn wrap_caption(caption: &str, max_columns: usize, hint_columns: usize) -> Vec<String> {
    let mut lines = wrap(caption, max_columns);
    let last_row_columns = max_columns.saturating_sub(hint_columns);
    if let Some(last) = lines.pop_if(|last| columns(last) > last_row_columns) {
        lines.extend(wrap(&last, last_row_columns));
    }
    lines
}

/// The state of the demo's story (a scripted presentation).
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Story {
    /// True while the story is running.
    pub playing: bool,
    /// The current caption. It stays on the screen after the story has ended.
    pub caption: Option<CaptionText>,
    /// The number of the current chapter, and how many chapters there are in total. `None` if the
    /// script has no chapters.
    pub step: Option<(usize, usize)>,
    /// True if the presenter turned captions off.
    pub silent: bool,
}

/// The text of a caption in every language, because the user can change the language while it is
/// shown.
#[derive(Debug, Clone, PartialEq)]
pub struct CaptionText {
    pub pt: Untrusted,
    pub en: Untrusted,
}

impl CaptionText {
    fn of(&self, lang: Lang) -> &Untrusted {
        match lang {
            Lang::Pt => &self.pt,
            Lang::En => &self.en,
        }
    }

    /// True if the caption has no text in any language.
    pub fn is_empty(&self) -> bool {
        self.pt.is_empty() && self.en.is_empty()
    }
}

impl From<&str> for CaptionText {
    /// Creates a caption with the same text in every language.
    fn from(text: &str) -> CaptionText {
        CaptionText {
            pt: text.into(),
            en: text.into(),
        }
    }
}

/// An event that the demo's story reports to the app.
#[derive(Debug, Clone, PartialEq)]
pub enum StoryEvent {
    /// The story began.
    Began,
    /// The story shows this caption. An empty text removes the current caption.
    Caption {
        text: CaptionText,
        step: (usize, usize),
    },
    /// The story changed the state of checkout domains. The caption explains this change, so no
    /// notice is shown.
    DomainsMoved,
    /// A step of the story failed.
    Failed,
    /// The story plays by itself, and presses this key.
    Key(Key),
    /// The story plays by itself, and the event that it waited for did not happen. The app then
    /// closes all screens, so that the story's next key presses reach a pane.
    Stuck,
    /// The story ended.
    Ended,
}

/// An action of the seller that the story's script can wait for. The sandbox cannot observe it,
/// because it happens only in the app: opening a screen, or using a function of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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
    /// All events, with the names that the story's script uses. An event for opening a screen has
    /// the name of that screen.
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

    /// The event for opening the screen with this name, or `None` if the story's script cannot wait
    /// for that screen.
    pub fn of_screen(name: &str) -> Option<SellerEvent> {
        let mut screens = SellerEvent::ALL.iter();
        screens
            .find(|(screen, _)| *screen == name)
            .map(|(_, event)| *event)
    }
}

impl Story {
    /// The current caption, or `None` if captions are turned off.
    pub fn shown(&self, lang: Lang) -> Option<&Untrusted> {
        self.caption
            .as_ref()
            .filter(|_| !self.silent)
            .map(|caption| caption.of(lang))
    }

    /// The rows of the caption in a terminal of this size. The first row begins with the chapter's
    /// number. The last row leaves `hint_columns` columns free for the key hint.
    pub fn lines(&self, lang: Lang, size: Size, hint_columns: usize) -> Vec<String> {
        let Some(caption) = self.shown(lang) else {
            return vec![];
        };
        let step = self
            .step
            .map(|(number, total)| format!("{number}/{total}  "))
            .unwrap_or_default();
        let max_columns = usize::from(size.columns.min(MEASURE)).saturating_sub(columns(&step) + 2);
        // The presenter wrote the captions, so nothing in them is masked.
        let caption = Untrusted::without_masking(|| caption.shown());
        let mut lines = wrap_caption(&caption, max_columns, hint_columns);
        if lines.len() > MAX_ROWS + 1 {
            let overflow = lines.split_off(MAX_ROWS).join(" ");
            lines.push(fit(&overflow, max_columns.saturating_sub(hint_columns)).into());
        }
        let indent = " ".repeat(columns(&step));
        let prefixes = std::iter::once(step).chain(std::iter::repeat(indent));
        lines
            .iter()
            .zip(prefixes)
            .map(|(line, prefix)| format!(" {prefix}{line}"))
            .collect()
    }

    /// True if a key press can continue the story. The story must be running, with its captions
    /// turned on.
    pub fn can_go_on(&self) -> bool {
        self.playing && !self.silent
    }

    /// Shows the caption of a step of the story. `step` is the number of its chapter, and of all
    /// chapters. An empty text removes the caption.
    pub fn notify(&mut self, text: &CaptionText, step: (usize, usize)) {
        self.caption = Some(text.clone()).filter(|text| !text.is_empty());
        self.step = Some(step).filter(|(_, total)| self.caption.is_some() && *total > 0);
    }

    /// True if captions can now be turned on (if `on` is true) or off (if `on` is false).
    pub fn can_caption(&self, on: bool) -> bool {
        self.silent == on && (on || self.playing || self.caption.is_some())
    }
}

/// Resets the state of the story after it was stopped. If captions were turned off, they stay off.
pub fn stopped(store: &mut Store) {
    store.story = Story {
        silent: store.story.silent,
        ..Story::default()
    };
}
