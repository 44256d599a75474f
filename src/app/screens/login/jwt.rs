//! The screen on which a JWT is pasted.

mod show;

use super::begin;
use crate::app::cx::Cx;
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, in_form};
use crate::app::store::domains;
use crate::app::store::session::Keeper;
use crate::app::ui::form::{Field, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Action, Area, Page};
use crate::app::{Effect, Msg, Notice, Store};
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
    fn info(&self) -> Info {
        Info::of("jwt")
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::jwt(store, store.words(), self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(in_form(&self.sent.form, self.sent.wait)).word(Action::Submit, "keep")
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
        if let Some(ticket) = begin(cx, &mut self.sent) {
            cx.perform(Effect::KeepJwt { ticket, slot: JWT_SLOT.into() });
        }
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::JwtKept { ticket, result }) = event else { return false };
        let Some(Ok(credential)) = self.sent.answer(*ticket, result) else { return true };
        cx.store.session.jwt = credential.clone();
        cx.store.say(match cx.store.session.keeper {
            Keeper::Trouble(_) => Notice::LoggedInForRun,
            _ => Notice::JwtKept,
        });
        cx.store.entered = Some(CredentialKind::Jwt);
        cx.close();
        domains::refresh_if_entered(cx);
        true
    }
}
