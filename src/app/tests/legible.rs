//! What was not read in full cannot be agreed to.

use super::*;
use crate::app::cx::Question;
use crate::app::screen::Focus;
use crate::app::screens::dialog::Dialog;
use crate::app::ui::Target;
use crate::app::ui::action::Action;
use crate::app::{next_deadline, router};
use crate::trade::withdrawal::Decision;

/// A counter at which an agreement needs twenty rows.
fn counter() -> Counter {
    let mut counter = Counter::open();
    counter.has_lines(20);
    counter
}

impl Counter {
    /// The window has so many rows, and a frame was seen since.
    fn has_rows(&mut self, rows: u16) {
        self.tell(Msg::Input(Input::Resize(Size { columns: 80, rows })));
        self.looks();
    }

    /// Clicks where the confirming button stands, or would stand.
    fn clicks_confirm(&mut self) -> Vec<Effect> {
        self.clicks(Target::Button(1))
    }

    fn ask(&self) -> &Dialog {
        let Layer::Dialog(ask) = self.top() else { panic!("no question but {:?}", self.top()) };
        ask
    }

    fn offers(&self, action: Action) -> bool {
        router::actions(&self.model).contains(&action)
    }
}

#[test]
fn a_withdrawal_that_cannot_be_read_in_full_is_not_confirmed() {
    let mut counter = counter();
    counter.reviews("10010");
    counter.keys("Tab");
    assert_eq!(counter.review().look.buttons.focus, Focus::Confirm);
    counter.has_rows(19);
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
    assert!(!counter.offers(Action::NextButton) && !counter.offers(Action::Press));
    assert!(counter.offers(Action::Back));
    counter.passes(10_000);
    // Neither by the keys nor by the place where the button would be.
    counter.keys("Tab");
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
    assert_eq!(counter.clicks_confirm(), vec![]);
    assert_eq!(counter.review().look.buttons.focus, Focus::Back);
    counter.has_rows(24);
    // What came into sight is dead for a moment, and a click only leads there.
    assert_eq!(counter.clicks_confirm(), vec![]);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(500);
    assert_eq!(counter.clicks_confirm(), vec![]);
    assert!(matches!(&counter.keys("Enter")[..], [Effect::Money(MoneyCommand::Prepare { .. })]));
}

#[test]
fn what_is_typed_where_not_all_can_be_read_answers_nothing() {
    let mut counter = counter();
    counter.has_open(vec![unknown(7, 500, &counter.now.clone())]);
    counter.reviews("10010");
    counter.has_rows(14);
    counter.keys("1 0 0 1 0");
    counter.has_rows(24);
    let retype = counter.review().look.retype.clone().unwrap();
    assert_eq!(retype.field.money(), None);
}

#[test]
fn enter_goes_back_where_not_all_can_be_read() {
    let mut counter = counter();
    counter.reviews("10010");
    counter.has_rows(14);
    assert_eq!(counter.keys("Enter"), vec![]);
    assert_eq!(counter.draft().form.money(), Some(brl(10_010)));
}

#[test]
fn a_question_that_cannot_be_read_in_full_is_not_said_yes_to() {
    let mut counter = counter();
    let withdrawal = counter.sends("10010");
    let key = withdrawal.agreement.key;
    counter.settles(&withdrawal, Class::Unauthorized);
    counter.keys("X Tab");
    assert!((counter.ask().buttons.focus == Focus::Confirm));
    counter.has_rows(19);
    assert!((counter.ask().buttons.focus == Focus::Back));
    assert!(!counter.offers(Action::NextButton) && !counter.offers(Action::Press));
    assert!(counter.offers(Action::Back));
    counter.passes(10_000);
    // Neither by the keys nor by the place where the button would be.
    counter.keys("Tab");
    assert_eq!(counter.clicks_confirm(), vec![]);
    assert_eq!(counter.ask().question, Question::Discard(key));
    assert!((counter.ask().buttons.focus == Focus::Back));
    counter.has_rows(24);
    // What came into sight is dead for a moment, and says when it is so no more.
    assert_eq!(next_deadline(&counter.model), Some(Duration::from_millis(500)));
    assert_eq!(counter.clicks_confirm(), vec![]);
    assert_eq!(counter.keys("Enter"), vec![]);
    counter.passes(500);
    let discarded = Effect::Money(MoneyCommand::Decide { key, choice: Decision::Discarded });
    assert_eq!(counter.keys("Enter"), vec![discarded]);
}

#[test]
fn enter_leaves_a_question_that_cannot_be_read_in_full_as_it_was() {
    let mut counter = counter();
    counter.sends("10010");
    counter.keys("Ctrl-C");
    counter.has_rows(14);
    assert_eq!(counter.ask().question, Question::LeaveInFlight);
    assert_eq!(counter.keys("Enter"), vec![]);
    assert!(!counter.model.leaving && !matches!(counter.top(), Layer::Dialog(_)));
}
