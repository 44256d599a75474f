//! The form in which a destination is given a nickname.

mod show;

use crate::app::next::{Next, Step};
use crate::app::screen::{Kind, Screen};
use crate::app::store::notice::Notice;
use crate::app::ui::action::Action;
use crate::app::ui::form::{Field, FieldError, Form, Label};
use crate::app::ui::sent_form::SentForm;
use crate::app::ui::{Area, Page};
use crate::app::{Effect, Msg, Pane, Stamp, Store};
use crate::contract::FieldFault;
use crate::trade::{Account, Failure, Nickname, PixKey};

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
    fn kind(&self) -> Kind {
        Kind::in_pane("nickname", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        show::nickname(store, self, area, page);
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
        let wait = store.wait();
        if !self.sent.form.check() {
            return Next::none();
        }
        // An empty field takes the nickname away; what cannot be seen is no empty field.
        let typed = self.sent.form.value(FIELD);
        let name = Nickname::parse(&typed);
        if name.is_none() && !typed.trim().is_empty() {
            if let Some(field) = self.sent.form.field_mut(FIELD) {
                field.error = Some(FieldError::Fault(FieldFault::ControlCharacter));
            }
            return Next::none();
        }
        self.sent.begin(wait);
        let (account, key) = (self.account.clone(), self.key.clone());
        Effect::Nickname { ticket: wait.ticket, account, key, name }.into()
    }

    fn cancel(&mut self, _: &mut Store) -> Next {
        self.sent.fail(Failure::Cancelled);
        Next::none()
    }

    fn hear(&mut self, store: &mut Store, msg: &Msg, _: &Stamp) -> Next {
        let Msg::Nicknamed { ticket, result } = msg else { return Next::none() };
        let Some(Ok(nicknames)) = self.sent.answer(*ticket, result) else { return Next::none() };
        let is_named = nicknames.of(&self.account, &self.key).is_some();
        store.say(Notice::Nicknamed { is_named });
        Step::Close.into()
    }
}
