//! Logging in, and pasting the JWT.

mod jwt;
mod show;

pub use jwt::{JWT_SLOT, JwtForm};

use crate::app::cx::{Cx, Question};
use crate::app::screen::{
    Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, ScreenLinks, in_form,
};
use crate::app::store::session::Keeper;
use crate::app::store::{domains, login, teaching};
use crate::app::ui::form::{Entry, Field, Form};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Page, declared};
use crate::app::{DemoValue, Effect, Msg, Notice, Store};
use crate::trade::{CredentialKind, Failure, Operation, Ticket, VaultKind, VaultTrouble};

/// The login screen: the contract's declared fields.
#[derive(Debug, Clone)]
pub struct LoginForm {
    /// The form.
    pub sent: SentForm,
    /// The failure that it is to mend, where something failed for want of it.
    pub why: Option<Failure>,
}

impl LoginForm {
    /// The login screen, which says what made it necessary.
    pub fn open(store: &Store, why: Option<Failure>) -> LoginForm {
        let spec = &store.setup.contract.login;
        let mut form = declared::form(&spec.form, "login").with_personal(&spec.identity);
        fill_in(store, &mut form);
        LoginForm { sent: SentForm::new(form), why }
    }
}

/// The demo fills the login in, so that Enter logs in; otherwise who it was last time stands there.
fn fill_in(store: &Store, form: &mut Form) {
    if let Some(demo) = &store.setup.demo {
        for (name, value) in &demo.login {
            let Some(field) = form.field_mut(name) else { continue };
            match (value, &mut field.entry) {
                (DemoValue::Text(text), Entry::Text { .. }) => field.fill(text),
                (DemoValue::Secret(known), Entry::Secret { len, .. }) => *len = *known,
                _ => {}
            }
        }
        form.focus = form.fields.len();
    } else if let Some(identity) = store.session.api_token.identity() {
        let name = store.setup.contract.login.identity.clone();
        if let Some(field) = form.field_mut(&name) {
            field.fill(identity);
            form.focus = form.fields.iter().position(Field::is_empty).unwrap_or(0);
        }
    }
}

/// Begins to send a form, but only once the screen has said where the credential will be kept.
fn begin(cx: &mut Cx, sent: &mut SentForm) -> Option<Ticket> {
    match cx.store.session.keeper {
        // Nothing is sent for what could not be kept.
        Keeper::Kept(VaultKind::Environment) => {
            sent.fail(Failure::Vault(VaultTrouble::ReadOnly));
            return None;
        }
        Keeper::Kept(_) => {}
        Keeper::Asking => return None,
        Keeper::Trouble(_) => {
            cx.ask(Question::UseMemory);
            return None;
        }
    }
    let wait = cx.store.wait();
    if !sent.form.check() {
        return None;
    }
    sent.begin(wait);
    Some(wait.ticket)
}

impl Screen for LoginForm {
    fn info(&self) -> Info {
        Info::of("login")
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::login(store, store.words(), self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(in_form(&self.sent.form, self.sent.wait)).word(Action::Submit, "login")
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Sent(&self.sent)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Sent(&mut self.sent)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit {
            return;
        }
        let Some(ticket) = begin(cx, &mut self.sent) else { return };
        let (mut values, mut secrets) = (vec![], vec![]);
        for field in &self.sent.form.fields {
            match &field.entry {
                Entry::Secret { slot, .. } => secrets.push((field.name.clone(), slot.clone())),
                _ => values.push((field.name.clone(), field.value())),
            }
        }
        cx.perform(Effect::LogIn { ticket, values, secrets })
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let failure = self.sent.failure.as_ref();
        ScreenLinks {
            exchange: teaching::after(store, failure, Operation::Login),
            ..ScreenLinks::default()
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        match event {
            ScreenEvent::Message(Msg::Taught { result: Ok(_), .. }) => {
                let spec = &cx.store.setup.contract.login.form;
                self.sent.form = declared::renewed(&self.sent.form, spec, "login");
                self.sent.failure = None;
            }
            ScreenEvent::Message(Msg::LoggedIn { ticket, result }) => {
                let Some(Ok(held)) = self.sent.answer(*ticket, result) else {
                    return true;
                };
                for (kind, credential) in held {
                    *cx.store.session.credential_mut(*kind) = credential.clone();
                }
                cx.store.say(match cx.store.session.keeper {
                    Keeper::Trouble(_) => Notice::LoggedInForRun,
                    _ => Notice::LoggedIn,
                });
                cx.close();
                domains::refresh_if_entered(cx);
                cx.store.entered = Some(CredentialKind::ApiToken);
                login::journal_may_be_free(cx);
            }
            // The login that nobody has begun is not needed any more.
            ScreenEvent::Message(Msg::CredentialsRead { .. })
                if cx.store.session.api_token.is_good(cx.store.now.wall)
                    && self.sent.wait.is_none()
                    && !self.sent.form.touched =>
            {
                cx.close()
            }
            _ => return false,
        }
        true
    }
}
