//! The trait of a screen, and the behaviour that all screens share.
//!
//! A screen does not use the types of other screens. To open another screen, it names a
//! [`Route`](crate::app::cx::Route), a plain value that [`screens`](crate::app::screens) turns into
//! the screen. State that several screens use is in the [`Store`].
//!
//! Typing, pasting, focus, scrolling, pending requests and cancelling work the same way for every
//! list, form and dialog. A screen only returns its [`ScreenBody`] and its [`Info`]. The methods of
//! `dyn Screen` do the rest, and notify the screen with a [`ScreenEvent`].

pub mod buttons;
pub mod path_completion;
pub mod sales;
mod shared;

use std::sync::Arc;
use std::time::Duration;

use super::ui::{Area, Page};
use crate::app::cx::Cx;
use crate::app::store::frame_snapshot::{FrameSnapshot, Terms};
use crate::app::ui::Action;
pub use crate::app::ui::action::Actions;
use crate::app::ui::action::KeyScope;
use crate::app::ui::form::{Entry, Form};
use crate::app::ui::input::{Code, Key};
use crate::app::ui::list::{AnyList, Move, ShownRows};
use crate::app::ui::sent_form::SentForm;
use crate::app::{Msg, Pane, Store, Wait};
use crate::trade::{
    AmountField, CredentialKind, Exchange, IdempotencyKey, Money, Ticket, Untrusted, Withdrawal,
};

pub use buttons::{Buttons, Focus};

/// The set of key bindings that applies. It also decides whether a letter is text or a command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyContext {
    /// A list, or a text without input fields and buttons.
    List,
    /// A search field that has the focus.
    Search,
    /// A form. Letters do not run global actions here, because the user may mean to type them.
    Form,
    /// A dialog with a confirming button.
    Dialog,
    /// A dialog whose text is read page by page.
    PagedDialog,
}

impl KeyContext {
    pub fn is_dialog(self) -> bool {
        matches!(self, KeyContext::Dialog | KeyContext::PagedDialog)
    }

    /// The groups of key bindings that apply, the most specific first.
    pub fn scopes(self) -> &'static [KeyScope] {
        match self {
            KeyContext::List => &[KeyScope::Lists, KeyScope::Anywhere],
            KeyContext::Search => &[KeyScope::Forms],
            KeyContext::Form => &[KeyScope::Forms, KeyScope::Anywhere],
            KeyContext::Dialog => &[KeyScope::Dialogs, KeyScope::Anywhere],
            KeyContext::PagedDialog => &[KeyScope::Dialogs, KeyScope::Lists, KeyScope::Anywhere],
        }
    }
}

/// Properties of a screen that do not depend on the store, such as its name, its placement and its
/// pending request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Info {
    /// The name of the screen. A screen with several stages has a name for each stage.
    pub name: &'static str,
    /// The pane that the screen belongs to, if any.
    pub pane: Option<Pane>,
    /// True if the screen covers the whole terminal.
    pub is_fullscreen: bool,
    /// True if the screens below stay visible.
    pub floats: bool,
    /// True if the screen shows the details of a list row. A wide terminal shows it beside the
    /// list.
    pub is_detail: bool,
    /// True if the screen uses the full width, and not only a column of readable width.
    pub is_wide: bool,
    /// The key context, if it differs from the default for the screen's body.
    pub context: Option<KeyContext>,
    /// The pending request. Not used by a [`SentForm`], which tracks its own request.
    pub wait: Option<Wait>,
    /// True if going back does not cancel the pending request, because another screen will show the
    /// result.
    pub keeps_request_on_back: bool,
    /// The pending request that is cancelled when the screen closes.
    pub cancels: Option<Ticket>,
    /// True if closing the screen would lose typed input. If `None`, the screen's form decides.
    pub was_typed: Option<bool>,
    /// True if the screen stays open when the user clicks outside it or presses the key of a pane.
    pub blocks_pane_switch: bool,
    /// True if the user cannot go back from this screen now.
    pub has_no_way_back: bool,
    /// True if part of the terms to confirm is still unread. If `None`, the record of rendered
    /// lines decides.
    pub has_more: Option<bool>,
    /// True if a click on the confirming button presses it, instead of only focusing it.
    pub confirms_by_click: bool,
    /// The idempotency key of the withdrawal that the screen is about, if any. The screen closes
    /// when this withdrawal is sent.
    pub about: Option<IdempotencyKey>,
    /// True if the key for the next field completes the text in the focused field instead.
    pub completes: bool,
    /// The suffix of a message id, such as `login`. The message is a more specific label for the
    /// submit key than "submit".
    pub submits: Option<&'static str>,
}

impl Info {
    /// Creates the properties of a screen that covers all screens below it.
    pub fn of(name: &'static str) -> Info {
        Info {
            name,
            ..Info::default()
        }
    }

    /// Creates the properties of a pane that shows a list.
    pub fn list(name: &'static str, pane: Pane) -> Info {
        Info {
            is_wide: true,
            ..Info::in_pane(name, pane)
        }
    }

    /// Creates the properties of a screen that shows the details of a row in this pane's list.
    pub fn detail(name: &'static str, pane: Pane) -> Info {
        Info {
            is_detail: true,
            ..Info::in_pane(name, pane)
        }
    }

    /// The area for the screen: the whole body of the page, or a column of readable width.
    pub fn place(self, body: Area) -> Area {
        let is_column = !(self.is_wide || self.is_fullscreen || self.floats);
        if is_column { body.readable() } else { body }
    }

    /// Creates the properties of a screen that belongs to a pane.
    pub fn in_pane(name: &'static str, pane: Pane) -> Info {
        Info {
            pane: Some(pane),
            ..Info::of(name)
        }
    }
}

/// Accessors for the list of a pane, which is kept in the store.
#[derive(Debug, Clone, Copy)]
pub struct ListAccess {
    pub get: fn(&Store) -> &dyn AnyList,
    pub get_mut: fn(&mut Store) -> &mut dyn AnyList,
}

/// The main part of a screen: a text, a list, a form or a dialog.
///
/// This module and the router implement typing, focus, scrolling and pending requests for each
/// kind, and notify the screen with a [`ScreenEvent`].
#[derive(Debug, Clone, Copy)]
pub enum ScreenBody<'a> {
    /// A text, or a list of rows whose cursor is moved by the screen's own code.
    Text,
    /// A list that is loaded from the database.
    List(ListAccess),
    /// A form that sends no request when it is submitted.
    Form(&'a Form),
    /// A form that sends a request to the service when it is submitted.
    Sent(&'a SentForm),
    /// A dialog with two buttons and, if the seller must retype the amount, a field for the amount.
    Dialog(&'a Buttons, Option<&'a AmountField>),
}

/// The mutable counterpart of [`ScreenBody`]. A list is changed through the store.
#[derive(Debug)]
pub enum BodyMut<'a> {
    Text,
    Form(&'a mut Form),
    Sent(&'a mut SentForm),
    Dialog(&'a mut Buttons, Option<&'a mut AmountField>),
}

/// An event that a screen handles in `on_event`. Actions that the user chose by a key or a click
/// are handled in `act` instead.
#[derive(Debug, Clone, Copy)]
pub enum ScreenEvent<'a> {
    /// The user edited a field of the form.
    Edited,
    /// The user typed a key on a screen that has no form, or a key that the focused field does not
    /// use.
    Typed(Key),
    Pasted,
    Moved(Move),
    /// The user wants to go back one step. The screen closes unless it handles the event.
    Back,
    /// The user cancelled a pending request. The request may have reached the service already, so
    /// its outcome is unknown.
    Cancelled,
    /// The pane was opened, or its list needs other rows.
    Load,
    /// The user pressed the key for going back in a pane whose search text is empty. The pane then
    /// removes its filter, if it has one.
    FilterCleared,
    /// A deadline of this screen was reached while the screen was in front.
    Deadline,
    /// A message arrived. The screen identifies its own messages by the ticket or the idempotency
    /// key.
    Message(&'a Msg),
    /// The store may have changed. The screen closes itself if the item that it shows no longer
    /// exists.
    StoreChanged,
    /// A frame with this screen was rendered. The first value is the time when the user could see
    /// the frame, in milliseconds of the boot clock. The second one describes the frame.
    Rendered(u64, &'a FrameSnapshot),
    Resized,
}

/// Data that a screen refers to, such as a payment URL or a withdrawal. The router and the header
/// use this data.
#[derive(Debug, Clone, Default)]
pub struct ScreenLinks<'a> {
    /// The credential that the actions of the screen need.
    pub needs: Option<CredentialKind>,
    /// The payment URL on this screen that can be shared with a buyer.
    pub url: Option<&'a Untrusted>,
    /// The HTTP exchange whose reply did not fit the API contract, if the contract can be corrected
    /// from this screen.
    pub exchange: Option<Arc<Exchange>>,
    /// The withdrawal that the screen shows, whose state decides the screen's contents.
    pub withdrawal: Option<&'a Withdrawal>,
    /// The index of the row under the cursor, if the screen has a cursor but no list.
    pub cursor: Option<u64>,
    /// True if the screen shows the row that is under the cursor of its pane's list.
    pub is_under_cursor: bool,
    /// True if the screen has no room for the caption of the demo's guided story.
    pub hides_caption: bool,
}

/// The terms, such as an amount and a fee, that pressing the confirming button would accept.
#[derive(Debug, Clone)]
pub struct Offer {
    pub terms: Terms,
    /// True if the button can be pressed once its short delay has passed.
    pub may_confirm: bool,
    /// The amount that the terms are about. In accessible mode the user types it again to confirm.
    pub amount: Option<Money>,
}

/// A pane, or a screen that is open over a pane.
pub trait Screen {
    fn info(&self) -> Info;

    /// The main part of the screen, which handles typing, focus and pending requests.
    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Text
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Text
    }

    /// Lays out the contents of the screen in this area.
    fn show(&self, store: &Store, area: Area, page: &mut Page);

    /// The actions that are offered now, the most useful first. `has_more` is true if part of the
    /// terms to confirm is still unread.
    fn actions(&self, _store: &Store, has_more: bool) -> Actions {
        let actions = Actions::from(match self.body() {
            ScreenBody::Form(form) => form_actions(form, None),
            ScreenBody::Sent(sent) => form_actions(&sent.form, sent.wait),
            ScreenBody::Dialog(..) => dialog_actions(has_more),
            ScreenBody::Text | ScreenBody::List(_) => vec![],
        });
        match self.info().submits {
            Some(word) => actions.word(Action::Submit, word),
            None => actions,
        }
    }

    /// Runs an action that the screen offers. `Submit` submits the form, and `Press` presses the
    /// confirming button.
    fn act(&mut self, _cx: &mut Cx, _action: Action) {}

    /// Handles an event. Returns false if the screen does not handle it, so that the default
    /// behaviour applies.
    fn on_event(&mut self, _cx: &mut Cx, _event: ScreenEvent) -> bool {
        false
    }

    fn links<'s>(&'s self, _store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks::default()
    }

    /// The text that the screen shows as a QR code.
    fn qr_text<'s>(&'s self, _store: &'s Store) -> Option<&'s Untrusted> {
        None
    }

    /// The terms, such as an amount and a fee, that pressing the confirming button would accept.
    fn offer(&self, _store: &Store) -> Option<Offer> {
        None
    }

    /// Returns which list rows are visible when the screen is laid out in this area.
    fn rows(&self, _store: &Store, _area: Area) -> Option<ShownRows> {
        None
    }

    /// The time until the contents of the screen change because of the clock, such as a countdown.
    /// The deadlines of the screen's body are not included. `_front` is true if the screen receives
    /// the keys.
    fn next_deadline(&self, _store: &Store, _front: bool) -> Option<Duration> {
        None
    }
}

/// Implements `body` and `body_mut` for a screen whose body is one of its fields: a form, a form
/// that is sent, or a pair of buttons.
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

/// The key that selects the next option of a choice field, or the previous one.
pub fn choice_key(forward: bool) -> Key {
    Key::plain(if forward { Code::Right } else { Code::Left })
}

/// The actions that a form offers. The list is empty while a request is pending.
pub fn form_actions(form: &Form, wait: Option<Wait>) -> Vec<Action> {
    if wait.is_some() {
        return vec![];
    }
    let mut offered = vec![Action::Submit, Action::NextField];
    offered.extend(is_choice(form).then_some(Action::NextChoice));
    offered
}

pub fn is_choice(form: &Form) -> bool {
    form.focused()
        .is_some_and(|field| matches!(field.entry, Entry::Choice { .. }))
}

/// The actions of a confirmation dialog. While part of the terms is unread, only paging is offered.
///
/// Before the first frame nothing counts as unread, so the focus can already be moved to the
/// confirming button. That is safe, because the button works only after a frame has shown the
/// terms.
pub fn dialog_actions(has_more: bool) -> Vec<Action> {
    if has_more {
        vec![Action::PageDown, Action::PageUp]
    } else {
        vec![Action::NextButton, Action::Press]
    }
}
