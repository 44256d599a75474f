//! The form in which a destination is given a nickname.

mod show;

use crate::app::cx::Cx;
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, in_form};
use crate::app::store::notice::Notice;
use crate::app::ui::action::Action;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Pane, Store};
use crate::contract::FieldFault;
use crate::trade::{Account, Nickname, PixKey};

const FIELD: &str = "nickname";

/// The form for the nickname of one destination; it is kept on this computer alone.
#[derive(Debug, Clone)]
pub struct NicknameForm {
    /// The form.
    pub sent: SentForm,
    /// The owner of the nickname.
    account: Account,
    key: PixKey,
}

impl NicknameForm {
    /// The form with the nickname that the destination has.
    pub fn open(store: &Store, (account, key): (Account, PixKey)) -> NicknameForm {
        let mut field =
            Field::text(FIELD, Label::Word("field-nickname"), false, Nickname::MOST).personal();
        if let Some(name) = store.nicknames.of(&account, &key) {
            field.fill(name.as_str());
        }
        NicknameForm { sent: SentForm::new(Form::new(vec![field])), account, key }
    }
}

impl Screen for NicknameForm {
    fn info(&self) -> Info {
        Info::in_pane("nickname", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::nickname(store, self, area, page);
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
        let wait = cx.store.wait();
        if !self.sent.form.check() {
            return;
        }
        // An empty field takes the nickname away; what cannot be seen is no empty field.
        let typed = self.sent.form.value(FIELD);
        let name = Nickname::parse(&typed);
        if name.is_none() && !typed.trim().is_empty() {
            if let Some(field) = self.sent.form.field_mut(FIELD) {
                field.error = Some(FieldError::Fault(FieldFault::ControlCharacter));
            }
            return;
        }
        self.sent.begin(wait);
        let (account, key) = (self.account.clone(), self.key.clone());
        cx.perform(Effect::Nickname { ticket: wait.ticket, account, key, name })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::Nicknamed { ticket, result }) = event else { return false };
        let Some(Ok(nicknames)) = self.sent.answer(*ticket, result) else { return true };
        let is_named = nicknames.of(&self.account, &self.key).is_some();
        cx.store.say(Notice::Nicknamed { is_named });
        cx.close();
        true
    }
}
