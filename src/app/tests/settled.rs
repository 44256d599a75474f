//! The end of a withdrawal, where its own screen is not in front.

use super::*;
use crate::app::store::notice::Notice;
use crate::trade::withdrawal::{NotSent, WithdrawalState};

#[test]
fn an_end_that_comes_while_another_screen_is_in_front_is_said() {
    let settles = |keys: &str, class: Class| {
        let mut counter = Counter::open();
        let withdrawal = counter.sends("10010");
        counter.tell(Msg::AttemptBegan { key: withdrawal.agreement.key, n: 1 });
        counter.keys(keys);
        let settled = attempted(&withdrawal, &counter.now.clone(), class);
        counter.tell(Msg::Settled(Box::new(settled)));
        counter.model.notice.clone()
    };
    let said = |state| Some(Notice::Settled { amount: Money::from_centavos(10_010), state });
    for (class, state) in [
        (Class::Confirmed { id: None, status: None }, WithdrawalState::Accepted),
        (Class::DefiniteNo, WithdrawalState::Rejected),
        (Class::NotSent(NotSent::NoCredential), WithdrawalState::Prepared),
    ] {
        assert_eq!(settles("Esc 1", class.clone()), said(state.clone()));
        assert_eq!(settles("Esc", class.clone()), said(state), "its row alone is easily missed");
        assert_eq!(settles("F1 Esc", class), None, "its own screen says it");
    }
    assert_eq!(settles("Esc 1", LOST), None, "the banner has it until it is decided");
}
