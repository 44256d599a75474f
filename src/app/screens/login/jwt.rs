//! The screen on which a JWT is pasted.

mod show;

use super::keeper_is_settled;
use crate::app::next::{Next, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::store::domains;
use crate::app::store::notice::Notice;
use crate::app::ui::action::Action;
use crate::app::ui::form::{Field, Form, Label};
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Stamp, Store, Wait};
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
    /// The reason it could not be kept.
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
    fn kind(&self) -> Kind {
        Kind::of("jwt")
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
                store.say(Notice::JwtKept);
                store.entered = Some(CredentialKind::Jwt);
                Next::from(Step::Close).and(domains::refresh_if_entered(store))
            }
        }
    }
}
