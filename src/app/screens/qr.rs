//! A QR code alone on the screen.

mod show;

use crate::app::Store;
use crate::app::cx::{CodeText, Cx};
use crate::app::screen::{Actions, Info, Screen, ScreenLinks};
use crate::app::store::clip::Clip;
use crate::app::store::{charges, links};
use crate::app::ui::input::Size;
use crate::app::ui::{Action, Area, Page};
use crate::trade::Untrusted;

/// A code and nothing else.
#[derive(Debug, Clone)]
pub struct Qr(pub CodeText);

impl Qr {
    /// An address as a code.
    pub fn of(address: impl Into<Untrusted>) -> Qr {
        Qr(CodeText { text: address.into(), clip: Clip::Address })
    }
}

impl Screen for Qr {
    fn info(&self) -> Info {
        Info { is_alone: true, ..Info::of("qr") }
    }

    fn show(&self, store: &Store, _: Area, page: &mut Page) {
        show::alone(store, store.words(), &self.0.text, page);
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let Size { columns: width, rows: height } = store.size;
        let whole = Area { width, height, ..Area::default() };
        let caption = show::split_caption(store, &self.0.text, whole).0;
        let hides_caption = store.story.shown().is_some() && caption.height == 0;
        ScreenLinks { hides_caption, ..ScreenLinks::default() }
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        vec![Action::Copy].into()
    }

    fn pictured<'s>(&'s self, _: &'s Store) -> Option<&'s Untrusted> {
        Some(&self.0.text)
    }

    /// Copies what it shows, under the rules of what it was made from.
    fn act(&mut self, cx: &mut Cx, action: Action) {
        match (action, self.0.clip) {
            (Action::Copy, Clip::PixCode) => charges::copy_shown(cx, &self.0.text),
            (Action::Copy, _) => links::copy_shown(cx, &self.0.text),
            _ => {}
        }
    }
}
