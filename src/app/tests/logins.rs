//! Tests of withdrawals that were made with another login or at another service address.

use super::*;
use crate::app::store::withdrawals::rules;

/// The withdrawal as if it had been made with this service address (`origin`) and this login
/// (`identity`).
fn with_account(mut withdrawal: Withdrawal, origin: &str, identity: &str) -> Withdrawal {
    withdrawal.agreement.account = Account {
        origin: Origin(origin.into()),
        identity: identity.into(),
    };
    withdrawal
}

fn safe_actions_for(app: &mut App, withdrawal: Withdrawal) -> Vec<Action> {
    app.load_open_withdrawals(vec![withdrawal.clone()]);
    rules::safe_actions(&app.model, &withdrawal)
}

#[test]
fn send_offered_only_to_same_login_at_same_address() {
    use Action::*;
    let mut app = App::logged_in();
    let withdrawal = unknown_withdrawal(7, 100, &app.now);
    let here = "https://api.example";
    let actions = safe_actions_for(&mut app, withdrawal.clone());
    assert_eq!(actions[0], Send);
    assert!(actions.contains(&Found));
    // The withdrawal may be sent only with exactly the same login and address. Another spelling,
    // such as upper case, counts as another login.
    for identity in ["bia@loja.example", &SELLER.to_uppercase()] {
        let actions = safe_actions_for(&mut app, with_account(withdrawal.clone(), here, identity));
        assert_eq!(actions[0], LogIn, "{identity}");
        assert!(!actions.contains(&Send) && actions.contains(&Found) && actions.contains(&Check));
    }
    for origin in [
        "https://api.example:8443",
        "https://other.example",
        "http://127.0.0.1:1",
    ] {
        let actions = safe_actions_for(&mut app, with_account(withdrawal.clone(), origin, SELLER));
        assert!(
            !actions.contains(&Send) && !actions.contains(&LogIn),
            "{origin}"
        );
        assert!(
            actions.contains(&Found) && actions.contains(&Check),
            "{origin}"
        );
    }
}

#[test]
fn withdrawal_of_other_login_is_never_sent() {
    let mut app = App::logged_in();
    let withdrawal = unknown_withdrawal(7, 100, &app.now);
    for account in [
        ("https://api.example", "bia"),
        ("https://other.example", SELLER),
    ] {
        let other = with_account(withdrawal.clone(), account.0, account.1);
        app.load_open_withdrawals(vec![other.clone()]);
        app.open_details(other);
        app.advance_ms(10_000);
        for key in ["r", "s"] {
            let effects = app.press(key);
            assert!(
                !effects
                    .iter()
                    .any(|effect| matches!(effect, Effect::Money(MoneyCommand::Attempt { .. })))
            );
        }
    }
}

/// Opens the review screen of a withdrawal. Also returns an earlier withdrawal with the same amount
/// and destination, whose outcome is unknown.
fn app_reviewing_same_payment() -> (App, Withdrawal) {
    let mut app = App::logged_in();
    app.open_review("10010");
    let destination = app.review().agreement.destination.clone();
    let mut same = unknown_withdrawal(7, 10_010, &app.now);
    same.agreement.destination = destination;
    (app, same)
}

#[test]
fn same_payment_elsewhere_requires_retyped_amount() {
    let (mut app, same) = app_reviewing_same_payment();
    let other_address = with_account(same.clone(), "https://other.example", SELLER);
    app.load_open_withdrawals(vec![other_address.clone()]);
    assert_eq!(app.reasons(), ["elsewhere 7"]);
    app.load_open_withdrawals(vec![with_account(
        same.clone(),
        "https://api.example",
        "bia",
    )]);
    assert_eq!(app.reasons(), ["elsewhere 7"]);
    // The other account's open withdrawal now has another amount, so the amount need not be typed
    // again.
    let mut other_amount = other_address;
    other_amount.agreement.amount = brl(1);
    app.load_open_withdrawals(vec![other_amount]);
    assert_eq!(app.reasons(), Vec::<String>::new());
    // The address and the login differ only in spelling, so both mean the same account. Paying
    // again is refused.
    app.load_open_withdrawals(vec![with_account(
        same,
        "https://API.example.:443",
        &SELLER.to_uppercase(),
    )]);
    assert!(matches!(app.top(), Layer::Withdraw(Flow::Form(_))));
}

#[test]
fn retyped_amount_covers_same_payment_elsewhere() {
    let (mut app, same) = app_reviewing_same_payment();
    app.load_open_withdrawals(vec![with_account(same, "https://other.example", SELLER)]);
    let key = app.review().agreement.key;
    app.deliver_no_similar_withdrawals(key);
    app.advance_ms(1_000);
    app.press("1 0 0 1 0");
    let reasons = app
        .review()
        .final_review
        .retype
        .as_ref()
        .map(|retype| retype.why.len());
    assert_eq!(reasons, Some(1));
    assert!(app.review().may_confirm(app.now.boot_ms, app.now.wall));
}

#[test]
fn open_withdrawal_of_other_login_can_be_decided() {
    let (mut app, _) = App::with_outcome(Class::Redirected);
    let mut other = unknown_withdrawal(7, 100, &app.now);
    other.attempts[0].end.as_mut().unwrap().class = Class::Redirected;
    let other = with_account(other, "https://api.example", "bia");
    app.load_open_withdrawals(vec![other.clone()]);
    app.open_details(other.clone());
    app.press("c");
    assert!(app.offers(Action::Found));
    assert!(app.offers(Action::NotPaid));
}
