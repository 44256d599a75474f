//! The typed statement that a withdrawal was not paid.
//!
//! It is the one thing a person can say that may cost the money twice, so the amount is typed
//! again, the harmless button has the focus, and it is only there where no send is safe any more.

use crate::app::action::Action;
use crate::app::layer::{Layer, Question};
use crate::app::{Effect, Model, act, offers, seen};
use crate::trade::withdrawal::{Decision, WithdrawalState};
use crate::trade::{AmountField, IdempotencyKey, Money};

use super::review::DEAD_MS;
use super::{ReviewFocus, guide, send};

/// The statement, while it is being typed.
#[derive(Debug, Clone, PartialEq)]
pub struct Statement {
    /// Which withdrawal.
    pub key: IdempotencyKey,
    /// What was asked for, and is typed again.
    pub amount: Money,
    /// What was typed so far.
    pub field: AmountField,
    /// Where the focus stands.
    pub focus: ReviewFocus,
    /// Before this reading of the boot clock the button is dead.
    pub armed_at_ms: u64,
}

/// Opens it over the guide.
pub fn open(model: &mut Model) -> Vec<Effect> {
    let Some(agreement) = guide::subject(model).map(|one| &one.agreement) else { return vec![] };
    let statement = Statement {
        key: agreement.key,
        amount: agreement.amount,
        field: AmountField::default(),
        focus: ReviewFocus::Back,
        armed_at_ms: model.now.boot_ms + DEAD_MS,
    };
    act::open(model, Layer::NotPaid(Box::new(statement)))
}

/// A paste types nothing, and makes the button dead for a moment.
pub fn pasted(statement: &mut Statement, now_ms: u64) {
    statement.armed_at_ms = statement.armed_at_ms.max(now_ms + DEAD_MS);
}

/// Moves the focus around.
pub fn move_focus(statement: &mut Statement, forward: bool) {
    statement.focus = statement.focus.moved(true, forward);
}

/// Presses what has the focus.
pub fn press(model: &mut Model) -> Vec<Effect> {
    let now_ms = model.now.boot_ms;
    let can_agree = offers::can_agree(model) && seen::may_press(model);
    let Some(Layer::NotPaid(statement)) = model.layers.last_mut() else { return vec![] };
    match statement.focus {
        ReviewFocus::Back => {
            model.layers.pop();
            vec![]
        }
        ReviewFocus::Amount => {
            statement.focus = ReviewFocus::Confirm;
            vec![]
        }
        ReviewFocus::Confirm if can_agree && statement.may_be_made(now_ms) => {
            let key = statement.key;
            model.layers.pop();
            vec![Effect::Decide { key, choice: Decision::StatedNotPaid }]
        }
        ReviewFocus::Confirm => vec![],
    }
}

impl Statement {
    /// Whether the amount was typed as it was asked for.
    pub fn is_typed(&self) -> bool {
        self.field.money() == Some(self.amount)
    }

    /// Whether the button would make the statement now, where it is in sight.
    pub fn may_be_made(&self, now_ms: u64) -> bool {
        now_ms >= self.armed_at_ms && self.is_typed()
    }
}

/// Takes away what lies over a withdrawal and has lost its reason: it was decided meanwhile, or it
/// is being sent.
pub fn drop_what_is_over(model: &mut Model) {
    send::drop_what_is_over(model);
    let Some(one) = guide::subject(model) else { return };
    let key = one.agreement.key;
    let has_guide = matches!(
        model.state_of(one),
        WithdrawalState::Unknown | WithdrawalState::NeedsPerson(_) | WithdrawalState::Mismatch(_)
    );
    let is_prepared = model.state_of(one) == WithdrawalState::Prepared;
    let may_state = offers::in_guide(model, one).contains(&Action::NotPaid);
    model.layers.retain(|layer| match layer {
        Layer::Guide { .. } => has_guide,
        Layer::NotPaid(statement) => statement.key == key && may_state,
        Layer::Ask(ask) => match ask.question {
            Question::Found(asked) if asked == key => has_guide,
            Question::Discard(asked) if asked == key => is_prepared,
            _ => true,
        },
        _ => true,
    });
}
