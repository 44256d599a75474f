//! The screen on which a JWT is pasted.

use super::{keeper_is_settled, show};
use crate::app::action::Action;
use crate::app::form::{Field, Form, Label};
use crate::app::screen::Screen;
use crate::app::screen::route::{Next, Step};
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Said, Stamp, Store, Wait, domains};
use crate::trade::{CredentialKind, Failure};
use crate::words::Words;

/// The secret slot of the pasted JWT.
pub const JWT_SLOT: &str = "jwt/token";

/// The screen on which a JWT is pasted.
#[derive(Debug, Clone)]
pub struct JwtForm {
    /// One secret field.
    pub form: Form,
    /// It is being kept.
    pub wait: Option<Wait>,
    /// Why it could not be kept.
    pub failure: Option<Failure>,
}

impl JwtForm {
    /// The empty field, and what made it necessary.
    pub fn open(failure: Option<Failure>) -> JwtForm {
        let field = Field::secret("jwt", Label::Word("jwt-field"), JWT_SLOT.into());
        JwtForm { form: Form::new(vec![field]), wait: None, failure }
    }
}

impl Screen for JwtForm {
    fn name(&self) -> &'static str {
        "jwt"
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::jwt(store, Words::of(store.setup.lang), self, area, page);
    }

    fn word(&self, _: &Store, action: Action) -> Option<&'static str> {
        (action == Action::Submit).then_some("keep")
    }

    fn form(&self) -> Option<&Form> {
        Some(&self.form)
    }

    fn form_mut(&mut self) -> Option<&mut Form> {
        Some(&mut self.form)
    }

    fn submit(&mut self, store: &mut Store, _: &Stamp) -> Next {
        if let Err(next) = keeper_is_settled(store) {
            return next;
        }
        let wait = store.wait();
        if !self.form.check() {
            return Next::none();
        }
        (self.wait, self.failure) = (Some(wait), None);
        Effect::KeepJwt { ticket: wait.ticket, slot: JWT_SLOT.into() }.into()
    }

    fn wait(&self) -> Option<Wait> {
        self.wait
    }

    fn cancel(&mut self, _: &mut Store) -> Next {
        (self.wait, self.failure) = (None, Some(Failure::Cancelled));
        Next::none()
    }

    fn hear(&mut self, store: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        let Msg::JwtKept { ticket, result } = msg else { return Next::none() };
        if self.wait.is_none_or(|wait| wait.ticket != *ticket) {
            return Next::none();
        }
        self.wait = None;
        match result {
            Err(failure) => {
                self.failure = Some(failure.clone());
                Next::none()
            }
            Ok(credential) => {
                store.session.jwt = credential.clone();
                store.say(Said::JwtKept);
                store.entered = Some(CredentialKind::Jwt);
                Next::from(Step::Close).and(domains::refresh_if_entered(store))
            }
        }
    }
}
