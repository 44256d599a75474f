//! Tests of withdrawals that were made with another login or at another service address.

use super::*;
use crate::app::store::withdrawals::rules;

/// Returns the withdrawal as if another login at another service address had made it.
fn made_as(mut one: Withdrawal, origin: &str, identity: &str) -> Withdrawal {
    one.agreement.account = Account { origin: Origin(origin.into()), identity: identity.into() };
    one
}

fn steps_of(app: &mut App, one: Withdrawal) -> Vec<Action> {
    app.has_open(vec![one.clone()]);
    rules::safe_actions(&app.model, &one)
}

#[test]
fn send_offered_only_to_same_login_at_same_address() {
    use Action::*;
    let mut app = App::open();
    let one = unknown(7, 100, &app.now);
    let here = "https://api.example";
    let steps = steps_of(&mut app, one.clone());
    assert_eq!(steps[0], Send);
    assert!(steps.contains(&Found));
    // Only exactly the same login and address may send the withdrawal; another spelling is not
    // enough.
    for identity in ["bia@loja.example", &SELLER.to_uppercase()] {
        let steps = steps_of(&mut app, made_as(one.clone(), here, identity));
        assert_eq!(steps[0], LogIn, "{identity}");
        assert!(!steps.contains(&Send) && steps.contains(&Found) && steps.contains(&Check));
    }
    for origin in ["https://api.example:8443", "https://other.example", "http://127.0.0.1:1"] {
        let steps = steps_of(&mut app, made_as(one.clone(), origin, SELLER));
        assert!(!steps.contains(&Send) && !steps.contains(&LogIn), "{origin}");
        assert!(steps.contains(&Found) && steps.contains(&Check), "{origin}");
    }
}

#[test]
fn a_key_never_sends_what_another_login_made() {
    let mut app = App::open();
    let one = unknown(7, 100, &app.now);
    for account in [("https://api.example", "bia"), ("https://other.example", SELLER)] {
        let other = made_as(one.clone(), account.0, account.1);
        app.has_open(vec![other.clone()]);
        app.shows_details(other);
        app.passes(10_000);
        for key in ["r", "s"] {
            let wanted = app.keys(key);
            assert!(
                !wanted
                    .iter()
                    .any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. })))
            );
        }
    }
}

/// Opens the review screen of a withdrawal. Also returns an earlier withdrawal with the same amount
/// and destination, whose outcome is unknown.
fn reviews_the_same() -> (App, Withdrawal) {
    let mut app = App::open();
    app.reviews("10010");
    let destination = app.review().agreement.destination.clone();
    let mut same = unknown(7, 10_010, &app.now);
    same.agreement.destination = destination;
    (app, same)
}

#[test]
fn same_payment_elsewhere_requires_retyped_amount() {
    let (mut app, same) = reviews_the_same();
    let other_address = made_as(same.clone(), "https://other.example", SELLER);
    app.has_open(vec![other_address.clone()]);
    assert_eq!(app.reasons(), ["elsewhere 7"]);
    app.has_open(vec![made_as(same.clone(), "https://api.example", "bia")]);
    assert_eq!(app.reasons(), ["elsewhere 7"]);
    // An open withdrawal of another account is a reason to type the amount again only if the amount
    // is the same.
    let mut other_amount = other_address;
    other_amount.agreement.amount = brl(1);
    app.has_open(vec![other_amount]);
    assert_eq!(app.reasons(), Vec::<String>::new());
    // The address and the login differ only in spelling, so both mean the same account. Paying
    // again is refused.
    app.has_open(vec![made_as(same, "https://API.example.:443", &SELLER.to_uppercase())]);
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
}

#[test]
fn retyped_amount_covers_same_payment_elsewhere() {
    let (mut app, same) = reviews_the_same();
    app.has_open(vec![made_as(same, "https://other.example", SELLER)]);
    let agreed = app.review().agreement.key;
    app.is_reviewed(agreed);
    app.passes(1_000);
    app.keys("1 0 0 1 0");
    let told = app.review().look.retype.as_ref().map(|retype| retype.why.len());
    assert_eq!(told, Some(1));
    assert!(app.review().may_confirm(app.now.boot_ms, app.now.wall));
}

#[test]
fn open_withdrawal_of_other_login_can_be_decided() {
    let (mut app, _) = App::settled(Class::Redirected);
    let mut other = unknown(7, 100, &app.now);
    other.attempts[0].end.as_mut().unwrap().class = Class::Redirected;
    let other = made_as(other, "https://api.example", "bia");
    app.has_open(vec![other.clone()]);
    app.shows_details(other.clone());
    app.keys("c");
    assert!(app.offers(Action::Found));
    assert!(app.offers(Action::NotPaid));
}
