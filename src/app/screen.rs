//! The trait of a screen, and the behaviour that screens share.
//!
//! A screen never names another one. It names a [`Route`](crate::app::cx::Route), a plain value,
//! and [`screens`](crate::app::screens) makes the screen of it. What all screens share is in the
//! [`Store`].
//!
//! Typing, pasting, focus, moving, waiting and cancelling are the same for every list, form or
//! dialog. A screen names its [`Body`] and its [`Info`]; the methods of `dyn Screen` do the rest,
//! and tell the screen by an [`Event`].

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
    AmountField, CredentialKind, Exchange, Failure, IdempotencyKey, Ticket, Untrusted, Withdrawal,
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
/// of it by an [`Event`].
#[derive(Debug, Clone, Copy)]
pub enum Body<'a> {
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
#[expect(missing_docs, reason = "as in `Body`")]
pub enum BodyMut<'a> {
    Text,
    Form(&'a mut Form),
    Sent(&'a mut SentForm),
    Dialog(&'a mut Buttons, Option<&'a mut AmountField>),
}

/// Something that happened on a screen, besides the actions that a person asked for.
#[derive(Debug, Clone, Copy)]
pub enum Event<'a> {
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
    /// A frame had this of the screen, scrolled so far.
    Rendered(u16, &'a Seen),
    /// The terminal has another size.
    Resized,
}

/// What a screen is about, for those around it.
#[derive(Debug, Clone, Default)]
pub struct Links<'a> {
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
    fn body(&self) -> Body<'_> {
        Body::Text
    }

    /// The same, to change it.
    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Text
    }

    /// Lays out what it shows.
    fn show(&self, store: &Store, area: Area, page: &mut Page);

    /// Returns the actions that are offered now, the most useful first; where something is agreed
    /// to, `has_more` tells whether there is more to read first.
    fn actions(&self, _store: &Store, has_more: bool) -> Vec<Action> {
        match self.body() {
            Body::Form(form) => in_form(form, None),
            Body::Sent(sent) => in_form(&sent.form, sent.wait),
            Body::Dialog(..) => in_dialog(has_more),
            Body::Text | Body::List(_) => vec![],
        }
    }

    /// The word of an action where it means something more exact than everywhere else.
    fn word(&self, _store: &Store, _action: Action) -> Option<&'static str> {
        None
    }

    /// Does what was asked for: `Submit` does what the form is for, `Press` what the agreeing
    /// button says, and every other action is among those that are offered.
    fn act(&mut self, _cx: &mut Cx, _action: Action) {}

    /// Takes note of an event; false when it is left to what the body does.
    fn on_event(&mut self, _cx: &mut Cx, _event: Event) -> bool {
        false
    }

    /// Takes an answer: what was asked here is known by its number or its key.
    fn on_message(&mut self, _cx: &mut Cx, _msg: &Msg) {}

    /// Looks at the store again: the message may have changed what is shown here.
    fn on_store_change(&mut self, _cx: &mut Cx) {}

    /// Returns false when its subject is gone, so that it closes.
    fn is_valid(&self, _store: &Store) -> bool {
        true
    }

    /// Returns what it is about.
    fn links<'s>(&'s self, _store: &'s Store) -> Links<'s> {
        Links::default()
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

    /// Returns true when it shows more on this width than on that part of it.
    fn shows_more_on(&self, _store: &Store, _wide: Area, _narrow: Area) -> bool {
        false
    }
}

/// What every screen does by its body and its facts.
impl<'s> dyn Screen + 's {
    /// The form, if it has one.
    pub fn form(&self) -> Option<&Form> {
        match self.body() {
            Body::Form(form) => Some(form),
            Body::Sent(sent) => Some(&sent.form),
            Body::Text | Body::List(_) | Body::Dialog(..) => None,
        }
    }

    /// The same, to type into it.
    pub fn form_mut(&mut self) -> Option<&mut Form> {
        match self.body_mut() {
            BodyMut::Form(form) => Some(form),
            BodyMut::Sent(sent) => Some(&mut sent.form),
            BodyMut::Text | BodyMut::Dialog(..) => None,
        }
    }

    /// The form that is sent to the service, if it has one.
    pub fn sent(&self) -> Option<&SentForm> {
        match self.body() {
            Body::Sent(sent) => Some(sent),
            _ => None,
        }
    }

    /// The buttons, if something is agreed to.
    pub fn buttons(&self) -> Option<&Buttons> {
        match self.body() {
            Body::Dialog(buttons, _) => Some(buttons),
            _ => None,
        }
    }

    /// The same, to move the focus.
    pub fn buttons_mut(&mut self) -> Option<&mut Buttons> {
        match self.body_mut() {
            BodyMut::Dialog(buttons, _) => Some(buttons),
            _ => None,
        }
    }

    /// The field that takes an amount again, above the buttons.
    pub fn amount_mut(&mut self) -> Option<&mut AmountField> {
        match self.body_mut() {
            BodyMut::Dialog(_, amount) => amount,
            _ => None,
        }
    }

    /// Returns the place of the buttons' focus.
    pub fn focus(&self) -> Option<Focus> {
        self.buttons().map(|buttons| buttons.focus)
    }

    /// The list whose rows it shows, if that is one of the database.
    pub fn list<'a>(&self, store: &'a Store) -> Option<&'a dyn AnyList> {
        match self.body() {
            Body::List(list) => Some((list.of)(store)),
            _ => None,
        }
    }

    /// The same, to search it.
    pub fn list_mut<'a>(&self, store: &'a mut Store) -> Option<&'a mut dyn AnyList> {
        match self.body() {
            Body::List(list) => Some((list.of_mut)(store)),
            _ => None,
        }
    }

    /// The row under the cursor.
    pub fn cursor(&self, store: &Store) -> Option<u64> {
        self.list(store).map(AnyList::cursor).or_else(|| self.links(store).cursor)
    }

    /// Returns the question that is under way here.
    pub fn wait(&self) -> Option<Wait> {
        match self.body() {
            Body::Sent(sent) => sent.wait,
            _ => self.info().wait,
        }
    }

    /// Returns the context in which keys are looked up.
    pub fn keys(&self, store: &Store) -> KeyContext {
        let by_body = || match self.body() {
            Body::Form(_) | Body::Sent(_) => KeyContext::Form,
            Body::Dialog(..) => KeyContext::Dialog,
            Body::List(list) if (list.of)(store).is_searching() => KeyContext::Search,
            Body::List(_) | Body::Text => KeyContext::List,
        };
        self.info().context.unwrap_or_else(by_body)
    }

    /// Returns true when printable keys are text now.
    pub fn takes_text(&self, store: &Store) -> bool {
        match self.body() {
            Body::Form(form) => form.takes_text(),
            Body::Sent(sent) => sent.wait.is_none() && sent.form.takes_text(),
            Body::Dialog(buttons, _) => buttons.focus == Focus::Amount,
            Body::List(_) | Body::Text => self.keys(store) == KeyContext::Search,
        }
    }

    /// Takes a key as text, or as what mends a text; false when it is neither here.
    pub fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        if let Some(list) = self.list_mut(cx.store).filter(|list| list.is_searching()) {
            match list.type_key(key) {
                Edited::Ignored => return false,
                Edited::Taken => {}
                Edited::Full => cx.store.say(Notice::Full(Limit::Characters(MOST_SEARCHED))),
                Edited::Changed => _ = self.on_event(cx, Event::Load),
            }
            return true;
        }
        let is_busy = self.wait().is_some();
        let form = self.form_mut().filter(|form| !is_busy && form.focused().is_some());
        match form.map(|form| form.edit(key)) {
            None => self.on_event(cx, Event::Typed(key)),
            Some(Edited::Ignored) => false,
            Some(Edited::Taken | Edited::Full) => true,
            Some(Edited::Changed) => {
                self.on_event(cx, Event::Edited);
                true
            }
        }
    }

    /// Takes pasted text: it never presses, submits or confirms.
    pub fn paste(&mut self, cx: &mut Cx, text: &Untrusted) {
        let is_busy = self.wait().is_some();
        if self.on_event(cx, Event::Pasted) {
            return;
        }
        if let Some(buttons) = self.buttons_mut() {
            buttons.are_dead_from(cx.store.now.boot_ms);
        } else if let Some(form) = self.form_mut().filter(|_| !is_busy) {
            form.paste(text);
            self.on_event(cx, Event::Edited);
        }
    }

    /// Moves the cursor; false when there is none, and the text is scrolled.
    pub fn go(&mut self, cx: &mut Cx, to: Move) -> bool {
        if self.on_event(cx, Event::Moved(to)) {
            return true;
        }
        let Some(list) = self.list_mut(cx.store).filter(|list| !list.has_no_row()) else {
            return false;
        };
        if list.go(to) {
            self.on_event(cx, Event::Load);
        }
        true
    }

    /// One step back.
    pub fn back(&mut self, cx: &mut Cx) {
        if !self.on_event(cx, Event::Back) {
            cx.close();
        }
    }

    /// Stops waiting.
    pub fn cancel(&mut self, cx: &mut Cx) {
        if !self.on_event(cx, Event::Cancelled)
            && let BodyMut::Sent(sent) = self.body_mut()
        {
            sent.fail(Failure::Cancelled);
        }
    }

    /// Takes note of another size: a button that comes into sight is dead at first.
    pub fn resize(&mut self, cx: &mut Cx) {
        if !self.on_event(cx, Event::Resized)
            && let Some(buttons) = self.buttons_mut()
        {
            buttons.are_dead_from(cx.store.now.boot_ms);
        }
    }

    /// Returns the time until it next needs a moment; `front` tells whether it has the keys.
    pub fn deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let now_ms = store.now.boot_ms;
        let body = match self.body() {
            Body::Dialog(buttons, _) if front => buttons.armed_in(store),
            Body::Form(_) | Body::Sent(_) if front => {
                entry::to_next_word(store, self.links(store).needs)
            }
            _ => None,
        };
        let second = self.wait().map(|wait| wait.to_next_second(now_ms));
        [body, second, self.next_deadline(store, front)].into_iter().flatten().min()
    }

    /// Returns what is to be done when it closes: what it asked for is cancelled, secrets are wiped.
    pub fn leaving(&self) -> Vec<Effect> {
        let slots = self.form().map(Form::secret_slots).unwrap_or_default();
        let wiped = (!slots.is_empty()).then_some(Effect::WipeSecrets(slots));
        self.info().cancels.map(Effect::Cancel).into_iter().chain(wiped).collect()
    }

    /// Returns true when something was typed here that would be lost.
    pub fn was_typed(&self) -> bool {
        let in_form = || self.form().is_some_and(|form| form.touched);
        self.info().was_typed.unwrap_or_else(in_form)
    }

    /// Returns true when a key or a click beside it may take it away and nothing is lost by that.
    pub fn may_be_left(&self) -> bool {
        let is_busy = self.form().is_some() && self.wait().is_some();
        !self.info().stays && !self.was_typed() && !is_busy
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
