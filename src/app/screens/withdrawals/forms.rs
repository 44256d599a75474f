//! Two small forms about a withdrawal: one for the amount that arrived in the bank account, and one
//! for the nickname of the destination.
//!
//! Only the amount that arrived proves that the unit of amounts in the API contract (reais or
//! centavos) is right.

use crate::app::cx::Cx;
use crate::app::screen::{
    Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, ScreenLinks, form_actions,
};
use crate::app::screens::withdrawals::show::facts;
use crate::app::store::confirming::{self, ArrivedAmount};
use crate::app::store::notice::Notice;
use crate::app::store::story::SellerEvent;
use crate::app::store::unit;
use crate::app::ui::action::Action;
use crate::app::ui::block::Block;
use crate::app::ui::form::{Choice, Field, FieldError, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::sent_form::{MIN_FAILURE_ROWS, SentForm};
use crate::app::ui::{Area, Page, Role};
use crate::app::{Effect, Msg, Pane, Store};
use crate::contract::FieldFault;
use crate::trade::{Account, Nickname, PixKey, Withdrawal};
use crate::words::failure::Activity;
use crate::words::names;

/// The choice that nothing has arrived yet.
const NOT_YET: &str = "arrived-not-yet";

/// The form for entering the amount that arrived in the bank account.
#[derive(Debug, Clone)]
pub struct ArrivedForm {
    form: Form,
    withdrawal: Withdrawal,
    /// True if a review follows the form. The form then has a second field, for money that has not
    /// arrived yet.
    is_before_review: bool,
    /// The result of checking the typed amount, if the amount did not confirm the unit (reais or
    /// centavos).
    check_result: Option<ArrivedAmount>,
}

impl ArrivedForm {
    /// Opens an empty form, because a prefilled amount would be too easy to confirm without
    /// looking.
    pub fn of(withdrawal: Withdrawal, is_before_review: bool) -> ArrivedForm {
        let mut fields = vec![Field::amount("arrived", Label::Word("field-arrived"))];
        if is_before_review {
            let options = ["arrived-yes", NOT_YET]
                .map(|id| Choice::from_message(id, id))
                .to_vec();
            fields.push(Field::choice(
                "arrival",
                Label::Word("field-has-arrived"),
                options,
            ));
        }
        ArrivedForm {
            form: Form::new(fields),
            withdrawal,
            is_before_review,
            check_result: None,
        }
    }

    pub fn check_result(&self) -> Option<ArrivedAmount> {
        self.check_result
    }
}

impl Screen for ArrivedForm {
    fn info(&self) -> Info {
        let about = Some(self.withdrawal.agreement.key);
        Info {
            about,
            ..Info::in_pane("arrived", Pane::Withdrawals)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw_arrived(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(form_actions(&self.form, None)).word(Action::Submit, "arrived")
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Form(&self.form)
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Form(&mut self.form)
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Submit {
            return;
        }
        if self.form.value("arrival") == NOT_YET && !unit::is_refuted(cx.store) {
            unit::set_answered(cx.store, &self.withdrawal);
            cx.close();
            return cx.press(Action::Submit);
        }
        let Some(arrived) = self.form.money_or_fault() else {
            return;
        };
        let result = confirming::compare_arrived_amount(&self.withdrawal, arrived);
        let contract = cx.store.setup.contract.clone();
        match result {
            ArrivedAmount::AsExpected => {
                let lines = contract.unit_settings();
                confirming::confirmed(cx.store, &lines);
                cx.perform(Effect::Confirm(lines));
                cx.close();
                if cx.is_front {
                    cx.store.notify(Notice::good("said-unit-confirmed"));
                }
                if self.is_before_review {
                    cx.press(Action::Submit);
                }
            }
            ArrivedAmount::OtherUnit => {
                let lines = contract.refuted_unit();
                confirming::confirmed(cx.store, &lines);
                cx.perform(Effect::Confirm(lines));
                self.check_result = Some(result);
            }
            ArrivedAmount::Other { .. } => {
                // This amount proves nothing, so ask no more about this withdrawal. A second
                // answer of this kind goes on to the review.
                unit::set_answered(cx.store, &self.withdrawal);
                if self.is_before_review && self.check_result == Some(result) {
                    cx.close();
                    return cx.press(Action::Submit);
                }
                if self.check_result.replace(result) == Some(result) {
                    cx.store.notify(Notice::warn("said-see-field"));
                }
            }
        }
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        let exchange = unit::is_refuted(store)
            .then(|| unit::exchange_to_teach(store))
            .flatten();
        ScreenLinks {
            exchange,
            ..ScreenLinks::default()
        }
    }

    /// Closes the form if the seller has entered the amount in another instance of the program.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else {
            return false;
        };
        if !confirming::should_ask_arrived_amount(cx.store, &self.withdrawal) {
            cx.close();
        }
        true
    }
}

/// Draws the form: the withdrawal, the field for the amount that arrived, and the result of
/// checking it.
fn draw_arrived(store: &Store, form: &ArrivedForm, area: Area, page: &mut Page) {
    let agreement = &form.withdrawal.agreement;
    let width = form_page::inner_width(area);
    let mut head = pair(
        &store.text("arrived-of"),
        &agreement.amount.to_string(),
        width,
    );
    head.extend(facts::destination_lines(store, agreement, width));
    let (role, remark) = match form.check_result {
        Some(ArrivedAmount::OtherUnit) => {
            let id = match unit::exchange_to_teach(store) {
                Some(_) => "arrived-other-unit.teach",
                None => "arrived-other-unit",
            };
            (Role::Bad, store.render_cx().with_key(id, Action::Teach))
        }
        Some(ArrivedAmount::Other { expected }) => (
            Role::Warn,
            store.with("arrived-other", &[("expected", &expected.to_string())]),
        ),
        Some(ArrivedAmount::AsExpected) | None => (Role::Dim, store.text("arrived-hint")),
    };
    let head = vec![Block::new(head)];
    let below = vec![Block::cut(
        form_page::BELOW_PRIORITY,
        MIN_FAILURE_ROWS,
        wrapped(role, &remark, width),
    )];
    let form = FormPage::new(
        store.words(),
        ["arrived-title", "arrived-submit"],
        &form.form,
    );
    FormPage {
        head,
        below,
        ..form
    }
    .draw(store.words(), area, page);
}

const FIELD: &str = "nickname";

/// The form for the nickname of a destination. Nicknames are stored only on this computer.
#[derive(Debug, Clone)]
pub struct NicknameForm {
    pub sent: SentForm,
    /// The account whose nicknames are edited.
    account: Account,
    key: PixKey,
}

impl NicknameForm {
    /// Opens the form, prefilled with the current nickname.
    pub fn open(store: &Store, (account, key): (Account, PixKey)) -> NicknameForm {
        let mut field = Field::text(
            FIELD,
            Label::Word("field-nickname"),
            false,
            Nickname::MAX_CHARS,
        )
        .personal();
        if let Some(name) = store.nicknames.of(&account, &key) {
            field.fill(name.as_str());
        }
        NicknameForm {
            sent: SentForm::new(Form::new(vec![field])),
            account,
            key,
        }
    }
}

impl Screen for NicknameForm {
    fn info(&self) -> Info {
        Info::in_pane("nickname", Pane::Withdrawals)
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw_nickname(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(form_actions(&self.sent.form, self.sent.wait)).word(Action::Submit, "keep")
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
        // An empty field removes the nickname. A name made of invisible characters only is refused.
        let typed = self.sent.form.value(FIELD);
        let name = Nickname::parse(&typed);
        if name.is_none() && !typed.trim().is_empty() {
            if let Some(field) = self.sent.form.field_mut(FIELD) {
                field.error = Some(FieldError::Fault(FieldFault::ControlCharacter));
            }
            return;
        }
        self.sent.begin(wait);
        let account = self.account.clone();
        let key = self.key.clone();
        cx.perform(Effect::Nickname {
            ticket: wait.ticket,
            account,
            key,
            name,
        });
        cx.tell_story(SellerEvent::GiveNickname);
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::Message(Msg::Nicknamed { ticket, result }) = event else {
            return false;
        };
        let Some(Ok(nicknames)) = self.sent.answer(*ticket, result) else {
            return true;
        };
        let is_named = nicknames.of(&self.account, &self.key).is_some();
        let notice_id = if is_named {
            "said-nicknamed"
        } else {
            "said-no-nickname"
        };
        cx.store.notify(Notice::good(notice_id));
        cx.close();
        true
    }
}

/// Draws the form: the complete Pix key, the nickname field, and the result of saving.
fn draw_nickname(store: &Store, form: &NicknameForm, area: Area, page: &mut Page) {
    let width = form_page::inner_width(area);
    let key = names::destination(store.words(), Some(&form.key));
    let status = form.sent.status_block(
        store.render_cx(),
        "nickname-wait",
        Activity::Question,
        width,
    );
    let status = status.unwrap_or_else(|| {
        let hint = wrapped(Role::Dim, &store.text("nickname-hint"), width);
        Block::cut(form_page::BELOW_PRIORITY, 1, hint)
    });
    let head = vec![Block::new(pair(&store.text("outcome-to"), &key, width))];
    let below = vec![status];
    let names = ["nickname-title", "nickname-submit"];
    let form = FormPage::new(store.words(), names, &form.sent.form);
    FormPage {
        head,
        below,
        ..form
    }
    .draw(store.words(), area, page);
}
