//! The page on which the seller agrees to the lines of the contract.
//!
//! It opens before anything is sent, if these lines are not those that were agreed to last. It is
//! read from its first line to its last; only then is there a button that agrees, and it is dead
//! for a moment. The vault stores what is agreed to, and nothing goes on before that. Without
//! anything to agree to it only shows the lines.

mod show;

use crate::app::cx::{Cx, Question, Resume};
use crate::app::screen::{
    Actions, BodyMut, Buttons, Focus, Info, KeyContext, Offer, Screen, ScreenBody, ScreenEvent,
};
use crate::app::store::consent::{pending, to_read};
use crate::app::store::login;
use crate::app::store::seen::{Seen, Terms};
use crate::app::store::session::Keeper;
use crate::app::ui::action::Action;
use crate::app::ui::{Area, Overflow, Page};
use crate::app::{Effect, Msg, Store, Wait};
use crate::contract::LineChange;
use crate::trade::VaultTrouble;

use crate::app::screen::buttons::DEAD_MS;

/// The page while it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct ConsentPage {
    /// The lines that differ.
    pub lines: Vec<LineChange>,
    /// True if some of them have to be agreed to.
    pub is_pending: bool,
    /// The step that waits for the agreement.
    then: Option<Box<Resume>>,
    /// True when it is more than anybody can be asked to read.
    pub too_long: bool,
    /// The number of lines, from the first one on and without a gap, that frames had on the screen.
    seen: u16,
    /// True once all of them were.
    pub is_read: bool,
    /// The way back, and the button that agrees.
    pub buttons: Buttons,
    /// The question to the vault, while it is under way.
    pub wait: Option<Wait>,
    /// The reason it was not kept.
    pub trouble: Option<VaultTrouble>,
}

impl ConsentPage {
    /// Opens the page; `then` is the step that waits for the agreement.
    pub fn open(store: &Store, then: Option<Box<Resume>>) -> ConsentPage {
        ConsentPage {
            lines: to_read(store),
            is_pending: !pending(store).is_empty(),
            then,
            too_long: store.setup.contract.lines().are_too_long(),
            seen: 0,
            is_read: false,
            buttons: Buttons::armed_at(u64::MAX),
            wait: None,
            trouble: None,
        }
    }

    /// Takes over what was read of the same lines on another page.
    pub fn go_on_from(&mut self, other: &ConsentPage) {
        if self.lines == other.lines && self.is_pending == other.is_pending {
            *self = ConsentPage { then: self.then.take(), ..other.clone() };
        }
    }

    /// Returns true when there is a button that agrees at all.
    pub fn has_button(&self) -> bool {
        self.is_pending && !self.too_long
    }

    /// Returns true when that button would agree now.
    pub fn may_be_agreed(&self, now_ms: u64) -> bool {
        self.has_button() && self.is_read && now_ms >= self.buttons.armed_at_ms
    }

    /// Returns true when it is read to its end once a frame had this of it.
    pub fn is_read_with(&self, scroll: u16, text: Overflow) -> bool {
        self.is_read || self.follows(scroll, text) && scroll >= text.lines
    }

    /// Returns true when a page follows on what was seen.
    fn follows(&self, scroll: u16, text: Overflow) -> bool {
        text.page > 0 && scroll.min(text.lines) <= self.seen
    }

    /// Notes what a frame had of it.
    ///
    /// A part that was jumped over, with the scroll bar or in a burst of keys between two frames,
    /// was not read: a page counts where it follows on what was seen. The last page has the last
    /// line.
    fn was_drawn(&mut self, scroll: u16, seen: &Seen) {
        let text = seen.overflow;
        if self.is_read || !self.follows(scroll, text) {
            return;
        }
        if self.is_read_with(scroll, text) {
            self.is_read = true;
            self.buttons.armed_at_ms = seen.at_ms.saturating_add(DEAD_MS);
        }
        let first = scroll.min(text.lines);
        self.seen = self.seen.max(first.saturating_add(text.page));
    }

    /// Nothing of it was read yet.
    fn begin_again(&mut self) {
        (self.seen, self.is_read) = (0, false);
        self.buttons = Buttons::armed_at(u64::MAX);
    }

    /// Hears whether it was stored that the lines were agreed to.
    fn stored(&mut self, cx: &mut Cx, result: &Result<(), VaultTrouble>) {
        if let Err(trouble) = result {
            (self.wait, self.trouble) = (None, Some(trouble.clone()));
            self.buttons.focus = Focus::Back;
            self.buttons.armed_at_ms = cx.store.now.boot_ms + DEAD_MS;
            return;
        }
        // What may have paid is sent by a key that says so, and by no other.
        let then = self.then.take().map_or(Resume::SayStored, |then| *then);
        cx.close();
        if cx.is_front {
            cx.resume(then);
        }
        login::go_on(cx);
    }

    /// Looks for lines that have come or gone.
    fn read_again(&mut self, cx: &mut Cx) {
        let (lines, is_pending) = (to_read(cx.store), !pending(cx.store).is_empty());
        if self.lines != lines {
            self.lines = lines;
            self.begin_again();
        }
        // What was agreed to elsewhere has lost its reason, and what waited for it goes on.
        let is_over = self.is_pending && !is_pending;
        self.is_pending = is_pending;
        if is_over {
            login::go_on(cx);
        }
        if is_over || self.lines.is_empty() {
            cx.close();
        }
    }
}

impl Screen for ConsentPage {
    fn info(&self) -> Info {
        let context = if self.has_button() { KeyContext::PagedDialog } else { KeyContext::List };
        Info {
            context: Some(context),
            wait: self.wait,
            has_more: Some(!self.is_read),
            ..Info::of("agreeing")
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, has_more: bool) -> Actions {
        Actions::from(match (self.wait, self.has_button() && !has_more) {
            (Some(_), _) => vec![],
            (None, true) => vec![Action::NextButton, Action::Press, Action::PageUp],
            (None, false) => vec![Action::PageDown, Action::PageUp],
        })
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, None)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Dialog(&mut self.buttons, None)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Press {
            return;
        }
        if matches!(cx.store.session.keeper, Keeper::Trouble(_)) {
            // There is no vault to store it: the seller may choose memory.
            return cx.ask(Question::UseMemory);
        }
        let wait = cx.store.wait();
        (self.wait, self.trouble) = (Some(wait), None);
        cx.perform(Effect::Agree(wait.ticket))
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let may_confirm = self.may_be_agreed(store.now.boot_ms) && self.wait.is_none();
        Some(Offer { terms: Terms::Lines(self.lines.clone()), may_confirm })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Rendered(scroll, seen) => self.was_drawn(scroll, seen),
            ScreenEvent::Cancelled => self.wait = None,
            // Lines have other places now, so what was not read yet begins again.
            ScreenEvent::Resized if !self.is_read => {
                self.begin_again();
                cx.store.scroll = 0;
            }
            ScreenEvent::Message(Msg::ConsentStored { ticket, result })
                if self.wait.is_some_and(|wait| wait.ticket == *ticket) =>
            {
                self.stored(cx, result)
            }
            ScreenEvent::StoreChanged if self.wait.is_none() => self.read_again(cx),
            _ => return false,
        }
        true
    }
}
