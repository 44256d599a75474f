//! The trait of a screen: what it shows, what it offers, what it hears.
//!
//! A screen never names another one. It names a [`Route`](crate::app::cx::Route), a plain value,
//! and [`screens`](crate::app::screens) makes the screen of it. What it changes of what all screens
//! share is in the [`Store`].

pub mod buttons;

use std::sync::Arc;
use std::time::Duration;

use super::ui::{Area, Page};
use crate::app::cx::Cx;
use crate::app::store::entry;
use crate::app::store::seen::{Seen, Terms};
use crate::app::ui::Action;
use crate::app::ui::action::Place;
use crate::app::ui::form::{Edited, Entry, Form, Limit};
use crate::app::ui::input::{Code, Key};
use crate::app::ui::list::{AnyList, MOST_SEARCHED, Move, ShownRows};
use crate::app::ui::sent_form::SentForm;
use crate::app::{Effect, Msg, Notice, Pane, Store, Wait};
use crate::trade::{
    AmountField, CredentialKind, Exchange, Failure, IdempotencyKey, Untrusted, Withdrawal,
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

    /// Returns true when a letter means nothing beyond what it means here.
    pub fn keeps_letters(self) -> bool {
        self != KeyContext::List
    }
}

/// The nature of a screen, whatever stands on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Kind {
    /// Its name: another name is another screen, or another stage of one.
    pub name: &'static str,
    /// The pane it belongs to, where it belongs to one.
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
}

impl Kind {
    /// A screen of this name, which takes the place of what is under it.
    pub fn of(name: &'static str) -> Kind {
        Kind { name, ..Kind::default() }
    }

    /// The pane of this name, which is a list.
    pub fn list(name: &'static str, pane: Pane) -> Kind {
        Kind { is_wide: true, ..Kind::in_pane(name, pane) }
    }

    /// The details of a row of this pane's list.
    pub fn detail(name: &'static str, pane: Pane) -> Kind {
        Kind { is_detail: true, is_looked_at: true, ..Kind::in_pane(name, pane) }
    }

    /// Returns the part of the body it stands in: all of it, or the column that texts are read in.
    pub fn place(self, body: Area) -> Area {
        let is_column = !(self.is_wide || self.is_alone || self.floats);
        if is_column { body.column() } else { body }
    }

    /// A screen of this name that belongs to a pane.
    pub fn in_pane(name: &'static str, pane: Pane) -> Kind {
        Kind { pane: Some(pane), ..Kind::of(name) }
    }
}

/// A pane, or what lies over one. All but the first two methods have an answer for most screens.
pub trait Screen {
    /// Returns its name, its pane, and how it lies over others, whatever stands on it.
    fn kind(&self) -> Kind;

    /// Lays out what it shows.
    fn show(&self, store: &Store, area: Area, page: &mut Page);

    /// Returns true when the caption of the demo's story has no room here.
    fn hides_caption(&self, _store: &Store) -> bool {
        false
    }

    /// Returns the actions that are offered now, the most useful first; where something is agreed
    /// to, `has_more` tells whether there is more to read first.
    fn actions(&self, _store: &Store, has_more: bool) -> Vec<Action> {
        match self.form() {
            Some(form) => in_form(form, self.wait()),
            None if self.buttons().is_some() => in_dialog(has_more),
            None => vec![],
        }
    }

    /// The word of an action where it means something more exact than everywhere else.
    fn word(&self, _store: &Store, _action: Action) -> Option<&'static str> {
        None
    }

    /// Does what was asked for, and is among the actions.
    fn act(&mut self, _cx: &mut Cx, _action: Action) {}

    /// Returns the context in which keys are looked up.
    fn keys(&self, store: &Store) -> KeyContext {
        match self.form() {
            Some(_) => KeyContext::Form,
            None if self.focus().is_some() => KeyContext::Dialog,
            None if self.list(store).is_some_and(AnyList::is_searching) => KeyContext::Search,
            None => KeyContext::List,
        }
    }

    /// Returns true when printable keys are text now.
    fn takes_text(&self, store: &Store) -> bool {
        match self.form() {
            Some(form) => self.wait().is_none() && form.takes_text(),
            None if self.focus() == Some(Focus::Amount) => true,
            None => self.list(store).is_some_and(AnyList::is_searching),
        }
    }

    /// Takes a key as text, or as what mends a text; false when it is neither here.
    fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        if let Some(list) = self.list_mut(cx.store).filter(|list| list.is_searching()) {
            match list.type_key(key) {
                Edited::Ignored => return false,
                Edited::Taken => {}
                Edited::Full => cx.store.say(Notice::Full(Limit::Characters(MOST_SEARCHED))),
                Edited::Changed => self.reload(cx),
            }
            return true;
        }
        let is_busy = self.wait().is_some();
        let form = self.form_mut().filter(|form| !is_busy && form.focused().is_some());
        let edited = form.map_or(Edited::Ignored, |form| form.edit(key));
        if edited == Edited::Changed {
            self.edited(cx);
        }
        edited != Edited::Ignored
    }

    /// Takes pasted text: it never presses, submits or confirms.
    fn paste(&mut self, cx: &mut Cx, text: &Untrusted) {
        if let Some(buttons) = self.buttons_mut() {
            buttons.are_dead_from(cx.store.now.boot_ms);
        } else if self.wait().is_none()
            && let Some(form) = self.form_mut()
        {
            form.paste(text);
            self.edited(cx);
        }
    }

    /// The form that is sent to the service, where it has one.
    fn sent(&self) -> Option<&SentForm> {
        None
    }

    /// The same, to type into it and to hear how it ended.
    fn sent_mut(&mut self) -> Option<&mut SentForm> {
        None
    }

    /// The form, where it has one, whatever becomes of it.
    fn form(&self) -> Option<&Form> {
        self.sent().map(|sent| &sent.form)
    }

    /// The same, to type into it.
    fn form_mut(&mut self) -> Option<&mut Form> {
        self.sent_mut().map(|sent| &mut sent.form)
    }

    /// Hears that something was typed into the form.
    fn edited(&mut self, _cx: &mut Cx) {}

    /// Does what the form is for.
    fn submit(&mut self, _cx: &mut Cx) {}

    /// The buttons, where something is agreed to.
    fn buttons(&self) -> Option<&Buttons> {
        None
    }

    /// The same, to move the focus.
    fn buttons_mut(&mut self) -> Option<&mut Buttons> {
        None
    }

    /// Returns the place of the buttons' focus.
    fn focus(&self) -> Option<Focus> {
        self.buttons().map(|buttons| buttons.focus)
    }

    /// The field that wants an amount again, above the buttons.
    fn amount_mut(&mut self) -> Option<&mut AmountField> {
        None
    }

    /// Returns true when there is more to read before anything is agreed to; `None` where the lines
    /// that were on the screen decide that alone.
    fn has_more(&self) -> Option<bool> {
        None
    }

    /// Hears what a frame had of it, and how far it was scrolled then.
    fn was_drawn(&mut self, _scroll: u16, _seen: &Seen) {}

    /// Hears that the terminal has another size: a button that comes into sight is dead at first.
    fn was_resized(&mut self, store: &mut Store) {
        if let Some(buttons) = self.buttons_mut() {
            buttons.are_dead_from(store.now.boot_ms);
        }
    }

    /// Returns true when the agreeing button would do it, once its moment has passed in sight.
    fn may_confirm(&self, _store: &Store) -> bool {
        true
    }

    /// Returns true when a click alone may press that button.
    fn confirms_by_click(&self) -> bool {
        false
    }

    /// Does what the agreeing button says.
    fn confirm(&mut self, _cx: &mut Cx) {}

    /// Does what the harmless button says, and the key that goes back.
    fn back(&mut self, cx: &mut Cx) {
        cx.close();
    }

    /// Returns true when there is a way back now.
    fn has_way_back(&self) -> bool {
        true
    }

    /// Returns the terms that would be agreed to.
    fn terms(&self, _store: &Store) -> Option<Terms> {
        None
    }

    /// The list whose rows it shows, where that is one of the database.
    fn list<'s>(&self, _store: &'s Store) -> Option<&'s dyn AnyList> {
        None
    }

    /// The same, to search it.
    fn list_mut<'s>(&self, _store: &'s mut Store) -> Option<&'s mut dyn AnyList> {
        None
    }

    /// Asks for the rows of that list again.
    fn reload(&mut self, _cx: &mut Cx) {}

    /// Shows all rows of that list again, where a filter leaves some out.
    fn widen(&mut self, _cx: &mut Cx) {}

    /// The rows that are on the screen, in so much room.
    fn rows(&self, _store: &Store, _area: Area) -> Option<ShownRows> {
        None
    }

    /// The row under the cursor.
    fn cursor(&self, store: &Store) -> Option<u64> {
        self.list(store).map(AnyList::cursor)
    }

    /// Moves the cursor; false where there is none, and the text is scrolled.
    fn go(&mut self, cx: &mut Cx, to: Move) -> bool {
        let Some(list) = self.list_mut(cx.store) else { return false };
        if list.go(to) {
            self.reload(cx);
        }
        true
    }

    /// Does what Enter does where nothing is typed.
    fn enter(&mut self, cx: &mut Cx) {
        self.submit(cx);
    }

    /// Returns the question that is under way here.
    fn wait(&self) -> Option<Wait> {
        self.sent().and_then(|sent| sent.wait)
    }

    /// Returns true when going back leaves the question under way: it is followed elsewhere.
    fn waits_for_itself(&self) -> bool {
        false
    }

    /// Stops waiting. A request that may have reached the service is called unknown, not undone.
    fn cancel(&mut self, _cx: &mut Cx) {
        if let Some(sent) = self.sent_mut() {
            sent.fail(Failure::Cancelled);
        }
    }

    /// Hears what happened: an answer to what was asked here is known by its number or its key.
    fn hear(&mut self, _cx: &mut Cx, _msg: &Msg) {}

    /// Looks at the store again: the message that was heard may have changed what is shown here.
    fn look_again(&mut self, _cx: &mut Cx) {}

    /// A moment it was waiting for has come, while it is in front.
    fn deadline_came(&mut self, _cx: &mut Cx) {}

    /// Returns the time until it next needs a moment; `front` tells whether it has the keys.
    fn next_deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let armed = self.buttons().filter(|_| front).and_then(|buttons| buttons.armed_in(store));
        let second = self.wait().map(|wait| wait.to_next_second(store.now.boot_ms));
        let head = self.form().filter(|_| front).and_then(|_| self.needs(store));
        let head = entry::to_next_word(store, head);
        [armed, second, head].into_iter().flatten().min()
    }

    /// Returns true while there is a reason for it.
    fn lasts(&self, _store: &Store) -> bool {
        true
    }

    /// Returns what is to be done when it goes: what it asked for is cancelled, secrets are wiped.
    fn leaving(&self) -> Vec<Effect> {
        let slots = self.form().map(Form::secret_slots).unwrap_or_default();
        if slots.is_empty() { vec![] } else { vec![Effect::WipeSecrets(slots)] }
    }

    /// Returns true when something was typed here that would be lost.
    fn was_typed(&self) -> bool {
        self.form().is_some_and(|form| form.touched)
    }

    /// Returns true when a key or a click beside it may take it away and nothing is lost by that.
    fn may_be_left(&self) -> bool {
        let is_busy = self.form().is_some() && self.wait().is_some();
        !self.was_typed() && !is_busy
    }

    /// The address that is passed on from here, where one is in front.
    fn address(&self, _store: &Store) -> Option<Untrusted> {
        None
    }

    /// The text that is shown as a QR code here, where one is.
    fn pictured<'s>(&'s self, _store: &'s Store) -> Option<&'s Untrusted> {
        None
    }

    /// Returns true when it shows more on this width than on that part of it.
    fn shows_more_on(&self, _store: &Store, _wide: Area, _narrow: Area) -> bool {
        false
    }

    /// Returns the exchange that does not fit, and whose contract can be taught from here.
    fn teachable(&self, _store: &Store) -> Option<Arc<Exchange>> {
        None
    }

    /// Returns true when it is the details of the row under the cursor of its pane's list.
    fn is_under_cursor(&self, _store: &Store) -> bool {
        false
    }

    /// The credential that is needed for what can be done here.
    fn needs(&self, _store: &Store) -> Option<CredentialKind> {
        None
    }

    /// The withdrawal whose state decides what is shown.
    fn withdrawal<'s>(&'s self, _store: &'s Store) -> Option<&'s Withdrawal> {
        None
    }

    /// Returns true when it shows this withdrawal, and nothing else, until it is sent.
    fn is_about(&self, _key: IdempotencyKey) -> bool {
        false
    }
}

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
