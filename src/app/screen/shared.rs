//! Behaviour that every screen gets from its body and its [`Info`](super::Info): typing, pasting,
//! moving the cursor, waiting for replies and closing.

use std::time::Duration;

use super::{BodyMut, Buttons, Focus, KeyContext, Screen, ScreenBody, ScreenEvent};
use crate::app::cx::Cx;
use crate::app::store::credentials;
use crate::app::ui::form::{Edited, Form, Limit};
use crate::app::ui::input::Key;
use crate::app::ui::list::{AnyList, MAX_SEARCHED, Move};
use crate::app::ui::sent_form::SentForm;
use crate::app::{Effect, Notice, Store, Wait};
use crate::trade::{AmountField, Failure, Untrusted};

impl<'s> dyn Screen + 's {
    pub fn form(&self) -> Option<&Form> {
        match self.body() {
            ScreenBody::Form(form) => Some(form),
            ScreenBody::Sent(sent) => Some(&sent.form),
            ScreenBody::Text | ScreenBody::List(_) | ScreenBody::Dialog(..) => None,
        }
    }

    pub fn form_mut(&mut self) -> Option<&mut Form> {
        match self.body_mut() {
            BodyMut::Form(form) => Some(form),
            BodyMut::Sent(sent) => Some(&mut sent.form),
            BodyMut::Text | BodyMut::Dialog(..) => None,
        }
    }

    /// The screen's form, if it sends a request when it is submitted.
    pub fn sent(&self) -> Option<&SentForm> {
        match self.body() {
            ScreenBody::Sent(sent) => Some(sent),
            _ => None,
        }
    }

    /// The buttons, if the screen is a confirmation dialog.
    pub fn buttons(&self) -> Option<&Buttons> {
        match self.body() {
            ScreenBody::Dialog(buttons, _) => Some(buttons),
            _ => None,
        }
    }

    pub fn buttons_mut(&mut self) -> Option<&mut Buttons> {
        match self.body_mut() {
            BodyMut::Dialog(buttons, _) => Some(buttons),
            _ => None,
        }
    }

    /// The dialog's field for retyping the amount, if any.
    pub fn amount_field(&self) -> Option<&AmountField> {
        match self.body() {
            ScreenBody::Dialog(_, amount) => amount,
            _ => None,
        }
    }

    /// The dialog's field for retyping the amount, if any, mutably.
    pub fn amount_mut(&mut self) -> Option<&mut AmountField> {
        match self.body_mut() {
            BodyMut::Dialog(_, amount) => amount,
            _ => None,
        }
    }

    /// The part of a confirmation dialog that has the focus; `None` for other screens.
    pub fn focus(&self) -> Option<Focus> {
        self.buttons().map(|buttons| buttons.focus)
    }

    /// The screen's list, if its rows come from the database.
    pub fn list<'a>(&self, store: &'a Store) -> Option<&'a dyn AnyList> {
        match self.body() {
            ScreenBody::List(list) => Some((list.get)(store)),
            _ => None,
        }
    }

    /// The screen's list mutably, if its rows come from the database.
    pub fn list_mut<'a>(&self, store: &'a mut Store) -> Option<&'a mut dyn AnyList> {
        match self.body() {
            ScreenBody::List(list) => Some((list.get_mut)(store)),
            _ => None,
        }
    }

    pub fn cursor(&self, store: &Store) -> Option<u64> {
        self.list(store)
            .map(AnyList::cursor)
            .or_else(|| self.links(store).cursor)
    }

    pub fn wait(&self) -> Option<Wait> {
        match self.body() {
            ScreenBody::Sent(sent) => sent.wait,
            _ => self.info().wait,
        }
    }

    /// Returns which set of key bindings applies on this screen.
    pub fn keys(&self, store: &Store) -> KeyContext {
        self.info().context.unwrap_or_else(|| match self.body() {
            ScreenBody::Form(_) | ScreenBody::Sent(_) => KeyContext::Form,
            ScreenBody::Dialog(..) => KeyContext::Dialog,
            ScreenBody::List(list) if (list.get)(store).is_searching() => KeyContext::Search,
            ScreenBody::List(_) | ScreenBody::Text => KeyContext::List,
        })
    }

    /// True if a printable key would be typed as text now.
    pub fn takes_text(&self, store: &Store) -> bool {
        match self.body() {
            ScreenBody::Form(form) => form.takes_text(),
            ScreenBody::Sent(sent) => sent.wait.is_none() && sent.form.takes_text(),
            ScreenBody::Dialog(buttons, _) => buttons.focus == Focus::Amount,
            ScreenBody::List(_) | ScreenBody::Text => self.keys(store) == KeyContext::Search,
        }
    }

    /// Passes a key to the focused text field, which inserts the character or edits its text.
    /// Returns false if the key has no effect on this screen.
    pub fn type_key(&mut self, cx: &mut Cx, key: Key) -> bool {
        if let Some(list) = self.list_mut(cx.store).filter(|list| list.is_searching()) {
            match list.type_key(key) {
                Edited::Ignored => return false,
                Edited::Unchanged => {}
                Edited::Full => cx
                    .store
                    .notify(Notice::Full(Limit::Characters(MAX_SEARCHED))),
                Edited::Changed => _ = self.on_event(cx, ScreenEvent::Load),
            }
            return true;
        }
        let is_busy = self.wait().is_some();
        let form = self
            .form_mut()
            .filter(|form| !is_busy && form.focused().is_some());
        match form.map(|form| form.edit(key, cx.stamp.pace)) {
            None | Some(Edited::Ignored) => self.on_event(cx, ScreenEvent::Typed(key)),
            Some(Edited::Unchanged | Edited::Full) => true,
            Some(Edited::Changed) => {
                self.on_event(cx, ScreenEvent::Edited);
                true
            }
        }
    }

    /// Inserts pasted text. A paste never presses a button, submits a form or confirms terms.
    pub fn paste(&mut self, cx: &mut Cx, text: &Untrusted) {
        let is_busy = self.wait().is_some();
        if self.on_event(cx, ScreenEvent::Pasted) {
            return;
        }
        if let Some(buttons) = self.buttons_mut() {
            buttons.disable_for_delay(cx.store.now.boot_ms);
        } else if let Some(form) = self.form_mut().filter(|_| !is_busy) {
            if let Some(replaced) = form.paste(text) {
                cx.store.notify(Notice::AmountReplaced(replaced));
            }
            self.on_event(cx, ScreenEvent::Edited);
        }
    }

    /// Moves the cursor. Returns false if the screen has no cursor, so that the text is scrolled
    /// instead.
    pub fn go(&mut self, cx: &mut Cx, to: Move) -> bool {
        if self.on_event(cx, ScreenEvent::Moved(to)) {
            return true;
        }
        let Some(list) = self.list_mut(cx.store).filter(|list| !list.has_no_row()) else {
            return false;
        };
        if list.go(to) {
            self.on_event(cx, ScreenEvent::Load);
        }
        true
    }

    /// Goes back one step. The screen closes unless it handles [`ScreenEvent::Back`] itself.
    pub fn back(&mut self, cx: &mut Cx) {
        if !self.on_event(cx, ScreenEvent::Back) {
            cx.close();
        }
    }

    pub fn cancel(&mut self, cx: &mut Cx) {
        if !self.on_event(cx, ScreenEvent::Cancelled)
            && let BodyMut::Sent(sent) = self.body_mut()
        {
            sent.fail(Failure::Cancelled);
        }
    }

    /// Handles a resize of the terminal. The confirming button may have just come into view, so it
    /// is disabled for a moment.
    pub fn resize(&mut self, cx: &mut Cx) {
        if !self.on_event(cx, ScreenEvent::Resized)
            && let Some(buttons) = self.buttons_mut()
        {
            buttons.disable_for_delay(cx.store.now.boot_ms);
        }
    }

    /// The time until the screen changes without user input. `front` is true if the screen receives
    /// the keys.
    pub fn deadline(&self, store: &Store, front: bool) -> Option<Duration> {
        let now_ms = store.now.boot_ms;
        let body = match self.body() {
            ScreenBody::Dialog(buttons, _) if front => buttons.time_until_armed(store),
            ScreenBody::Form(_) | ScreenBody::Sent(_) if front => {
                credentials::until_warning_changes(store, self.links(store).needs)
            }
            _ => None,
        };
        let next_second = self.wait().map(|wait| wait.to_next_second(now_ms));
        [body, next_second, self.next_deadline(store, front)]
            .into_iter()
            .flatten()
            .min()
    }

    /// The effects of closing the screen: cancel its request and erase its secrets.
    pub fn close_effects(&self) -> Vec<Effect> {
        let slots = self.form().map(Form::secret_slots).unwrap_or_default();
        let wipe = (!slots.is_empty()).then_some(Effect::WipeSecrets(slots));
        self.info()
            .cancels
            .map(Effect::Cancel)
            .into_iter()
            .chain(wipe)
            .collect()
    }

    /// True if closing the screen would lose typed input.
    pub fn was_typed(&self) -> bool {
        self.info()
            .was_typed
            .unwrap_or_else(|| self.form().is_some_and(|form| form.touched))
    }

    /// True if nothing would be lost by closing the screen. It then closes when the user clicks
    /// outside it or presses the key of another pane.
    pub fn may_close_unasked(&self) -> bool {
        let is_busy = self.form().is_some() && self.wait().is_some();
        !self.info().blocks_pane_switch && !self.was_typed() && !is_busy
    }
}
