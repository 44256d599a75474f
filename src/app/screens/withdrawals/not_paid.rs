//! The form for declaring that a withdrawal was not paid.
//!
//! A wrong declaration can lead to a second payment. So the form opens only when sending again is
//! no longer safe. The amount must be retyped, and the button that goes back has the focus at
//! first.

use crate::app::cx::Cx;
use crate::app::screen::buttons::CONFIRM_DELAY_MS;
use crate::app::screen::{
    BodyMut, Buttons, Focus, Info, Offer, Screen, ScreenBody, ScreenEvent, ScreenLinks,
};
use crate::app::screens::withdrawals::show::terms::{self, TermsBuilder, TermsLayout};
use crate::app::store::frame_snapshot::Terms;
use crate::app::store::nicknames;
use crate::app::store::withdrawals::rules;
use crate::app::ui::action::Action;
use crate::app::ui::block::Gap;
use crate::app::ui::parts::{boxed, wrapped};
use crate::app::ui::{Area, Line, Page, Role, geometry};
use crate::app::{Effect, MoneyCommand, Pane, Store};
use crate::trade::withdrawal::{Decision, WithdrawalState};
use crate::trade::{AmountField, IdempotencyKey, Money, Withdrawal};
use crate::words::attempts;

#[derive(Debug, Clone, PartialEq)]
pub struct NotPaidForm {
    pub key: IdempotencyKey,
    /// The amount of the withdrawal, which the seller must type again.
    pub amount: Money,
    /// The amount typed so far.
    pub field: AmountField,
    pub buttons: Buttons,
}

impl NotPaidForm {
    pub fn open(store: &Store, withdrawal: &Withdrawal) -> NotPaidForm {
        NotPaidForm {
            key: withdrawal.agreement.key,
            amount: withdrawal.agreement.amount,
            field: AmountField::default(),
            buttons: Buttons::armed_at(store.now.boot_ms + CONFIRM_DELAY_MS),
        }
    }

    fn withdrawal<'s>(&self, store: &'s Store) -> Option<&'s Withdrawal> {
        store.withdrawals.find(self.key)
    }

    /// True if the confirming button may be pressed: its short delay has passed, and the right
    /// amount was typed.
    pub fn may_confirm(&self, store: &Store) -> bool {
        self.buttons.are_armed(store) && self.field.money() == Some(self.amount)
    }
}

impl Screen for NotPaidForm {
    fn info(&self) -> Info {
        Info {
            floats: true,
            blocks_pane_switch: true,
            ..Info::in_pane("statement", Pane::Withdrawals)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        if let Some(withdrawal) = self.withdrawal(store) {
            draw(store, self, withdrawal, area, page);
        }
    }

    fn body(&self) -> ScreenBody<'_> {
        ScreenBody::Dialog(&self.buttons, Some(&self.field))
    }

    fn body_mut(&mut self) -> BodyMut<'_> {
        BodyMut::Dialog(&mut self.buttons, Some(&mut self.field))
    }

    fn act(&mut self, cx: &mut Cx, action: Action) {
        if action != Action::Press {
            return;
        }
        let effect = Effect::Money(MoneyCommand::Decide {
            key: self.key,
            choice: Decision::StatedNotPaid,
        });
        cx.close();
        cx.perform(effect);
    }

    fn offer(&self, store: &Store) -> Option<Offer> {
        let terms = Terms::NotPaid(Box::new(self.withdrawal(store)?.clone()));
        Some(Offer {
            terms,
            may_confirm: self.may_confirm(store),
            amount: Some(self.amount),
        })
    }

    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else {
            return false;
        };
        let offered = self
            .withdrawal(cx.store)
            .map(|withdrawal| rules::guide_actions(cx.store, withdrawal));
        if offered.is_some_and(|offered| !offered.contains(&Action::NotPaid)) {
            cx.close();
        }
        true
    }

    fn links<'s>(&'s self, store: &'s Store) -> ScreenLinks<'s> {
        ScreenLinks {
            withdrawal: self.withdrawal(store),
            ..ScreenLinks::default()
        }
    }
}

/// The width of the form's box, in columns.
const WIDTH: u16 = 70;

fn draw(store: &Store, form: &NotPaidForm, withdrawal: &Withdrawal, area: Area, page: &mut Page) {
    let parts = text_parts(
        store,
        withdrawal,
        geometry::inside(area.middle(WIDTH, 0)).width.into(),
    );
    // The height of the box: all lines, one empty row below each part, and the row with the field.
    let lines = parts.iter().map(Vec::len).sum::<usize>() + parts.len() + 1;
    let area = geometry::dialog_area(area, WIDTH, lines);
    let inside = boxed(&store.text("not-paid-title"), area, page);
    let width = usize::from(inside.width);
    let mut builder = TermsBuilder::new(width, Gap::None);
    for part in parts {
        builder.add(part);
        builder.add_gap();
    }
    let is_typing = form.buttons.focus == Focus::Amount;
    let amount = form.amount;
    let field = &form.field;
    builder.add_field(terms::amount_field_line(
        store.words(),
        amount,
        field,
        is_typing,
        width,
    ));
    let layout = TermsLayout::new(builder, inside);
    let button_row = layout.draw(store.render_cx(), is_typing.then_some(field), inside, page);
    // The confirming button is disabled until the right amount was typed.
    let confirm = form
        .buttons
        .confirm_button_state(form.may_confirm(store), page);
    let names = ["not-paid-back", "not-paid-do"].map(|id| store.text(id));
    form.buttons
        .show([&names[0], &names[1]], confirm, button_row, page);
}

/// Lays out the three parts of the text: the withdrawal, the exact statement with its effect, and
/// the risk.
fn text_parts(store: &Store, withdrawal: &Withdrawal, width: usize) -> [Vec<Line>; 3] {
    let agreement = &withdrawal.agreement;
    let amount = agreement.amount.to_string();
    let to = nicknames::destination_text(store, agreement);
    let about_text = store.with("not-paid-about", &[("amount", &amount), ("to", &to)]);
    let statement_text = match withdrawal
        .contradiction()
        .map(|alarm| attempts::both_sides(store.words(), alarm))
    {
        Some((sent, got)) => store.with("not-paid-says-neither", &[("sent", &sent), ("got", &got)]),
        None => store.text("not-paid-says"),
    };
    let unlocks = matches!(store.state_of(withdrawal), WithdrawalState::Mismatch(_));
    let effect_id = if unlocks {
        "not-paid-then-unlocks"
    } else {
        "not-paid-then"
    };
    let mut statement = wrapped(Role::Text, &statement_text, width);
    statement.extend(wrapped(Role::Text, &store.text(effect_id), width));
    let risk = wrapped(Role::Warn, &store.text("not-paid-risk"), width);
    [wrapped(Role::Strong, &about_text, width), statement, risk]
}
