//! The screen on which a JWT is pasted.

mod show;

use super::begin;
use crate::app::next::{Next, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::store::domains;
use crate::app::store::session::Keeper;
use crate::app::ui::form::{Field, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Msg, Notice, Stamp, Store};
use crate::trade::{CredentialKind, Failure};

/// The secret slot of the pasted JWT.
pub const JWT_SLOT: &str = "jwt/token";

/// The screen on which a JWT is pasted.
#[derive(Debug, Clone)]
pub struct JwtForm {
    /// The form.
    pub sent: SentForm,
}

impl JwtForm {
    /// The empty field, and what made it necessary.
    pub fn open(failure: Option<Failure>) -> JwtForm {
        let field = Field::secret("jwt", Label::Word("jwt-field"), JWT_SLOT.into());
        JwtForm { sent: SentForm { failure, ..SentForm::new(Form::new(vec![field])) } }
    }
}

impl Screen for JwtForm {
    fn kind(&self) -> Kind {
        Kind::of("jwt")
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::jwt(store, store.words(), self, area, page);
    }

    fn word(&self, _: &Store, action: Action) -> Option<&'static str> {
        (action == Action::Submit).then_some("keep")
    }

    fn sent(&self) -> Option<&SentForm> {
        Some(&self.sent)
    }

    fn sent_mut(&mut self) -> Option<&mut SentForm> {
        Some(&mut self.sent)
    }

    fn submit(&mut self, store: &mut Store, _: &Stamp) -> Next {
        match begin(store, &mut self.sent) {
            Ok(ticket) => Effect::KeepJwt { ticket, slot: JWT_SLOT.into() }.into(),
            Err(next) => next,
        }
    }

    fn hear(&mut self, store: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        let Msg::JwtKept { ticket, result } = msg else { return Next::none() };
        let Some(Ok(credential)) = self.sent.answer(*ticket, result) else { return Next::none() };
        store.session.jwt = credential.clone();
        store.say(match store.session.keeper {
            Keeper::Trouble(_) => Notice::LoggedInForRun,
            _ => Notice::JwtKept,
        });
        store.entered = Some(CredentialKind::Jwt);
        Next::from(Step::Close).and(domains::refresh_if_entered(store))
    }
}
