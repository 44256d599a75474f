//! The question which amount the service read, if its answers to two fee previews do not fit the
//! unit of amounts. The first choice decides nothing.

use crate::app::cx::{Cx, Route};
use crate::app::screen::{Actions, BodyMut, Info, Screen, ScreenBody, ScreenEvent, form_actions};
use crate::app::store::unit::{self, UnitDoubt};
use crate::app::ui::action::Action;
use crate::app::ui::block::Block;
use crate::app::ui::form::{Choice, ChoiceLabel, Field, Form, Label};
use crate::app::ui::form_page::{self, FormPage};
use crate::app::ui::parts::{pair, wrapped};
use crate::app::ui::sent_form::MIN_FAILURE_ROWS;
use crate::app::ui::{Area, Line, Page, Role};
use crate::app::{Pane, Store};
use crate::trade::unit_check::probe_amount;
use crate::trade::{Exchange, Money};
use crate::words::personal;

const FIELD: &str = "read";
const UNSURE: &str = "unit-doubt-unsure";
const AS_TYPED: &str = "typed";
const OTHER: &str = "other";

/// The form with the two amounts that the service may have read.
#[derive(Debug, Clone)]
pub struct UnitQuestion {
    form: Form,
    doubt: UnitDoubt,
}

impl UnitQuestion {
    /// Opens the question. Returns `None` if there is no doubt.
    pub fn open(store: &Store) -> Option<UnitQuestion> {
        let doubt = store.unit.doubt.clone()?;
        let options = vec![
            Choice::from_message(UNSURE, UNSURE),
            amount_choice(AS_TYPED, doubt.amount),
            amount_choice(OTHER, doubt.other_amount),
        ];
        let field = Field::choice(FIELD, Label::Word("field-unit-read"), options);
        Some(UnitQuestion {
            form: Form::new(vec![field]),
            doubt,
        })
    }
}

fn amount_choice(value: &str, amount: Money) -> Choice {
    Choice {
        value: value.into(),
        label: ChoiceLabel::External(amount.to_string().into()),
    }
}

impl Screen for UnitQuestion {
    fn info(&self) -> Info {
        Info {
            was_typed: Some(false),
            ..Info::in_pane("unit", Pane::Withdrawals)
        }
    }

    fn show(&self, store: &Store, area: Area, page: &mut Page) {
        draw(store, self, area, page);
    }

    fn actions(&self, _: &Store, _: bool) -> Actions {
        Actions::from(form_actions(&self.form, None)).word(Action::Submit, "answer")
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
        match &*self.form.value(FIELD) {
            AS_TYPED => {
                unit::dismiss_doubt(cx);
                cx.close();
                cx.press(Action::Submit);
            }
            OTHER => cx.replace_with(Route::Teach(self.doubt.exchanges[0].clone(), false)),
            _ => cx.close(),
        }
    }

    /// Closes the question if the seller has corrected the unit elsewhere.
    fn on_event(&mut self, cx: &mut Cx, event: ScreenEvent) -> bool {
        let ScreenEvent::StoreChanged = event else {
            return false;
        };
        if cx.store.unit.doubt.is_none() {
            cx.close();
        }
        true
    }
}

fn draw(store: &Store, question: &UnitQuestion, area: Area, page: &mut Page) {
    let UnitDoubt {
        amount,
        other_amount,
        exchanges,
    } = &question.doubt;
    let width = form_page::inner_width(area);
    let typed = amount.to_string();
    let other = other_amount.to_string();
    let values = [("amount", &*typed), ("other", &*other)];
    let mut head = wrapped(Role::Text, &store.with("unit-doubt-why", &values), width);
    head.push(Line::default());
    let amounts = [Some(*amount), probe_amount(*amount)].into_iter().flatten();
    for (amount, exchange) in amounts.zip(exchanges) {
        head.extend(pair(
            &amount.to_string(),
            &answer_text(store, exchange, width),
            width,
        ));
    }
    let hint = wrapped(Role::Dim, &store.text("unit-doubt-hint"), width);
    let form = FormPage {
        title: store.with("unit-doubt-title", &values),
        aside: Line::default(),
        head: vec![Block::cut(form_page::HEAD_PRIORITY, MIN_FAILURE_ROWS, head)],
        form: &question.form,
        submit: store.text("unit-doubt-submit"),
        below: vec![Block::cut(form_page::BELOW_PRIORITY, 0, hint)],
    };
    form.draw(store.words(), area, page);
}

/// The status and the beginning of the reply in this exchange.
fn answer_text(store: &Store, exchange: &Exchange, width: usize) -> String {
    let Ok(reply) = &exchange.reply else {
        return String::new();
    };
    let body = personal::excerpt(store.words(), &reply.body, width);
    format!("{} {body}", reply.status)
}
