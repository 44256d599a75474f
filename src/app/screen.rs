//! The trait of a screen, and the behaviour that screens share.
//!
//! A screen never names another one. It names a [`Route`](crate::app::cx::Route), a plain value,
//! and [`screens`](crate::app::screens) makes the screen of it. What all screens share is in the
//! [`Store`].
//!
//! Typing, pasting, focus, moving, waiting and cancelling are the same for every list, form or
//! dialog. A screen names its [`ScreenBody`] and its [`Info`]; the methods of `dyn Screen` do the
//! rest, and tell the screen by a [`ScreenEvent`].

pub mod buttons;
mod shared;

use std::sync::Arc;
use std::time::Duration;

use super::ui::{Area, Page};
use crate::app::cx::Cx;
use crate::app::store::seen::{Seen, Terms};
use crate::app::ui::Action;
use crate::app::ui::action::Place;
use crate::app::ui::form::{Entry, Form};
use crate::app::ui::input::{Code, Key};
use crate::app::ui::list::{AnyList, Move, ShownRows};
use crate::app::ui::sent_form::SentForm;
use crate::app::{Msg, Pane, Store, Wait};
use crate::trade::{
    AmountField, CredentialKind, Exchange, IdempotencyKey, Ticket, Untrusted, Withdrawal,
};

pub use buttons::{Buttons, Focus};

/// The context in which keys are looked up; it also decides what letters are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyContext {
    /// A list or a text to look at.
    List,
    /// A line of text that is searched for.
    Search,
    /// A form: a letter beside a field must not wander off.
    Form,
    /// Buttons that agree to something.
    Dialog,
    /// The same, below what is read page by page.
    PagedDialog,
}

impl KeyContext {
    /// Returns the places where keys are looked up, the nearest first.
    pub fn places(self) -> &'static [Place] {
        match self {
            KeyContext::List => &[Place::Lists, Place::Anywhere],
            KeyContext::Search => &[Place::Forms],
            KeyContext::Form => &[Place::Forms, Place::Anywhere],
            KeyContext::Dialog => &[Place::Dialogs, Place::Anywhere],
            KeyContext::PagedDialog => &[Place::Dialogs, Place::Lists, Place::Anywhere],
        }
    }
}

/// The facts about a screen that need no store: what it is called and how it lies over others, and
/// what is under way on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Info {
    /// Its name: another name is another screen, or another stage of one.
    pub name: &'static str,
    /// The pane it belongs to, if it belongs to one.
    pub pane: Option<Pane>,
    /// True when it is only looked at: a key that does nothing here may say that.
    pub is_looked_at: bool,
    /// True when it has the whole terminal, and nothing stands around it.
    pub is_alone: bool,
    /// True when what is under it stays in sight.
    pub floats: bool,
    /// True when it is the details of a row: in a wide terminal they stand beside their list.
    pub is_detail: bool,
    /// True when it has use for the whole width: a list, and what stands beside it.
    pub is_wide: bool,
    /// The context in which keys are looked up, if the body does not decide it.
    pub context: Option<KeyContext>,
    /// The question that is under way here; that of a form is in the form.
    pub wait: Option<Wait>,
    /// True when going back leaves the question under way: it is followed elsewhere.
    pub waits_for_itself: bool,
    /// The question that is cancelled when the screen closes.
    pub cancels: Option<Ticket>,
    /// Whether something was typed that would be lost, if the form does not decide it.
    pub was_typed: Option<bool>,
    /// True when neither a key nor a click beside it may take it away.
    pub stays: bool,
    /// True when there is no way back now.
    pub has_no_way_back: bool,
    /// Whether there is more to read before anything is agreed to; `None` if the lines that were on
    /// the screen decide that.
    pub has_more: Option<bool>,
    /// True when a click may press the button that agrees.
    pub confirms_by_click: bool,
    /// The withdrawal that it shows, and nothing else: it is closed when that is sent.
    pub about: Option<IdempotencyKey>,
    /// The word for what its form is submitted for, if it has a more exact one.
    pub submits: Option<&'static str>,
}

impl Info {
    /// A screen of this name, which takes the place of what is under it.
    pub fn of(name: &'static str) -> Info {
        Info { name, ..Info::default() }
    }

    /// The pane of this name, which is a list.
    pub fn list(name: &'static str, pane: Pane) -> Info {
        Info { is_wide: true, ..Info::in_pane(name, pane) }
    }

    /// The details of a row of this pane's list.
    pub fn detail(name: &'static str, pane: Pane) -> Info {
        Info { is_detail: true, is_looked_at: true, ..Info::in_pane(name, pane) }
    }

    /// Returns the part of the body it stands in: all of it, or the column that texts are read in.
    pub fn place(self, body: Area) -> Area {
        let is_column = !(self.is_wide || self.is_alone || self.floats);
        if is_column { body.column() } else { body }
    }

    /// A screen of this name that belongs to a pane.
    pub fn in_pane(name: &'static str, pane: Pane) -> Info {
        Info { pane: Some(pane), ..Info::of(name) }
    }
}

/// The list of a pane in the store.
#[derive(Debug, Clone, Copy)]
pub struct ListOf {
    /// Reads it.
    pub of: fn(&Store) -> &dyn AnyList,
    /// Changes it.
    pub of_mut: fn(&mut Store) -> &mut dyn AnyList,
}

/// The part of a screen that typing, pasting, focus, scrolling and waiting are about.
///
/// What is the same for every list, form or dialog is done here and in the router; the screen hears
/// of it by an [`ScreenEvent`].
#[derive(Debug, Clone, Copy)]
pub enum ScreenBody<'a> {
    /// A text, or rows that the screen moves over by itself.
    Text,
    /// A list of the database.
    List(ListOf),
    /// A form, whatever becomes of it.
    Form(&'a Form),
    /// A form that is sent to the service.
    Sent(&'a SentForm),
    /// Two buttons, if something can be agreed to, and the amount that is typed again above them.
    Dialog(&'a Buttons, Option<&'a AmountField>),
}

/// The same, to change it.
#[derive(Debug)]
#[expect(missing_docs, reason = "as in `ScreenBody`")]
pub enum BodyMut<'a> {
    Text,
    Form(&'a mut Form),
    Sent(&'a mut SentForm),
    Dialog(&'a mut Buttons, Option<&'a mut AmountField>),
}

/// Something that happened on a screen, besides the actions that a person asked for.
#[derive(Debug, Clone, Copy)]
pub enum ScreenEvent<'a> {
    /// Something was typed into the form.
    Edited,
    /// A key was pressed that is typed here, though there is no form.
    Typed(Key),
    /// A text was pasted.
    Pasted,
    /// The cursor is to move.
    Moved(Move),
    /// One step back: unless the screen takes it, it closes.
    Back,
    /// The wait is over: a request that may have reached the service is unknown, not undone.
    Cancelled,
    /// The pane is shown, or other rows of its list are needed.
    Load,
    /// A filter of the list is taken away.
    FilterCleared,
    /// A moment came that the screen was waiting for, while it is in front.
    Deadline,
    /// A message came: what was asked here is known by its number or its key.
    Message(&'a Msg),
    /// The store may have changed: what has lost its subject closes.
    StoreChanged,
    /// A frame had this of the screen, scrolled so far.
    Rendered(u16, &'a Seen),
    /// The terminal has another size.
    Resized,
}

/// What a screen is about, for those around it.
#[derive(Debug, Clone, Default)]
pub struct ScreenLinks<'a> {
    /// The credential that is needed for what can be done here.
    pub needs: Option<CredentialKind>,
    /// The address that is passed on from here.
    pub url: Option<&'a Untrusted>,
    /// The exchange that does not fit, and whose contract can be taught from here.
    pub exchange: Option<Arc<Exchange>>,
    /// The withdrawal whose state decides what is shown.
    pub withdrawal: Option<&'a Withdrawal>,
    /// The row under the cursor, if the body does not know it.
    pub cursor: Option<u64>,
    /// True when it is the details of the row under the cursor of its pane's list.
    pub is_under_cursor: bool,
    /// True when the caption of the demo's story has no room here.
    pub hides_caption: bool,
}

/// The actions that a screen offers, the most useful first.
#[derive(Debug, Clone, Default)]
pub struct Actions {
    /// The actions.
    pub offered: Vec<Action>,
    /// The words of actions that mean something more exact here than everywhere else.
    words: Vec<(Action, &'static str)>,
}

impl From<Vec<Action>> for Actions {
    fn from(offered: Vec<Action>) -> Actions {
        Actions { offered, words: vec![] }
    }
}

impl Actions {
    /// Those of these actions that can be done now.
    pub fn those<const N: usize>(all: [(bool, Action); N]) -> Actions {
        let offered = all.into_iter().filter(|(is_offered, _)| *is_offered);
        offered.map(|(_, action)| action).collect::<Vec<_>>().into()
    }

    /// The same, with this word for an action.
    pub fn word(mut self, action: Action, word: &'static str) -> Actions {
        self.words.push((action, word));
        self
    }

    /// Returns the more exact word of an action, if it has one here.
    pub fn word_of(&self, action: Action) -> Option<&'static str> {
        self.words.iter().find(|(one, _)| *one == action).map(|(_, word)| *word)
    }
}

/// What the confirming button would agree to.
#[derive(Debug, Clone)]
pub struct Offer {
    /// The terms.
    pub terms: Terms,
    /// True when the button would do it, once its moment has passed in sight.
    pub may_confirm: bool,
}

/// A pane, or what lies over one.
pub trait Screen {
    /// Returns the facts about it that need no store.
    fn info(&self) -> Info;

    /// The part that typing, focus and waiting are about.
    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Text
    }

    /// The same, to change it.
    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Text
    }

    /// Lays out what it shows.
    fn show(&self, store: &Store, area: Area, page: &mut Page);

    /// Returns the actions that are offered now, the most useful first; where something is agreed
    /// to, `has_more` tells whether there is more to read first.
    fn actions(&self, _store: &Store, has_more: bool) -> Actions {
        let actions = Actions::from(match self.body() {
            ScreenBody::Form(form) => in_form(form, None),
            ScreenBody::Sent(sent) => in_form(&sent.form, sent.wait),
            ScreenBody::Dialog(..) => in_dialog(has_more),
            ScreenBody::Text | ScreenBody::List(_) => vec![],
        });
        match self.info().submits {
            Some(word) => actions.word(Action::Submit, word),
            None => actions,
        }
    }

    /// Does what was asked for: `Submit` does what the form is for, `Press` what the agreeing
    /// button says, and every other action is among those that are offered.
    fn act(&mut self, _cx: &mut Cx, _action: Action) {}

    /// Takes note of an event; false when it is left to what the body does.
    fn on_event(&mut self, _cx: &mut Cx, _event: ScreenEvent) -> bool {
        false
    }

    /// Returns what it is about.
    fn links<'s>(&'s self, _store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks::default()
    }

    /// The text that is shown as a QR code here.
    fn pictured<'s>(&'s self, _store: &'s Store) -> Option<&'s Untrusted> {
        None
    }

    /// Returns what would be agreed to.
    fn offer(&self, _store: &Store) -> Option<Offer> {
        None
    }

    /// The rows that are on the screen, in so much room.
    fn rows(&self, _store: &Store, _area: Area) -> Option<ShownRows> {
        None
    }

    /// Returns the time until something that is shown changes by the clock, beside what the body
    /// shows; `front` tells whether it has the keys.
    fn next_deadline(&self, _store: &Store, _front: bool) -> Option<Duration> {
        None
    }
}

/// Writes `body` and `body_mut` of a screen whose body is one of its fields: a form, a form that is
/// sent, or two buttons without an amount.
macro_rules! body {
    ($kind:ident($field:ident) $(, $amount:ident)?) => {
        fn body(&self) -> $crate::app::screen::ScreenBody<'_> {
            $crate::app::screen::ScreenBody::$kind(&self.$field $(, $amount)?)
        }

        fn body_mut(&mut self) -> $crate::app::screen::BodyMut<'_> {
            $crate::app::screen::BodyMut::$kind(&mut self.$field $(, $amount)?)
        }
    };
}

pub(crate) use body;

/// Chooses the next of a choice, or the one before.
pub fn choosing_key(forward: bool) -> Key {
    Key::plain(if forward { Code::Right } else { Code::Left })
}

/// Returns the actions that a form offers.
pub fn in_form(form: &Form, wait: Option<Wait>) -> Vec<Action> {
    if wait.is_some() {
        return vec![];
    }
    let mut offered = vec![Action::Submit, Action::NextField];
    offered.extend(is_choice(form).then_some(Action::NextChoice));
    offered
}

/// Returns true when a choice has the focus.
pub fn is_choice(form: &Form) -> bool {
    form.focused().is_some_and(|field| matches!(field.entry, Entry::Choice { .. }))
}

/// The buttons of what could be agreed to; while a frame leaves some of it unread it is only read.
///
/// Messages after the last frame do not hold back a key that moves the focus: a press counts only
/// once it was seen.
pub fn in_dialog(has_more: bool) -> Vec<Action> {
    match has_more {
        false => vec![Action::NextButton, Action::Press],
        true => vec![Action::PageDown, Action::PageUp],
    }
}
