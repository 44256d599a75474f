//! Tests that each kind of reply to a withdrawal leads to the right state. The screen, the
//! sandbox's ledger and the journal must agree about it.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{BankOperation, Fault, Times};
use balcao::trade::withdrawal::{Alarm, Class, NotSent, Unclear};

use crate::app::App;
use crate::test_env::TestEnv;

/// Opens the app and makes a withdrawal to which the sandbox applies this fault.
pub async fn withdraw_with_fault(env: &TestEnv, fault: Fault) -> App {
    let mut app = env.open_logged_in().await;
    env.inject_withdrawal_fault(fault);
    app.withdraw(env, "10000").await;
    app
}

fn status_fault(status: u16) -> Fault {
    Fault::status(status)
}

/// Checks that the only withdrawal has this state in the journal and on the screen. Returns true if
/// the sandbox has paid it.
#[track_caller]
pub fn is_paid_with_state(env: &TestEnv, app: &App, state: &str) -> bool {
    assert_eq!(env.state_name(&env.only_withdrawal()), state);
    app.assert_shows_localized(&format!("state-{state}"));
    env.is_paid_once()
}

pub fn last_class(env: &TestEnv) -> Class {
    let withdrawal = env.only_withdrawal();
    withdrawal
        .attempts
        .last()
        .unwrap()
        .end
        .clone()
        .unwrap()
        .class
}

/// Sends the withdrawal again. The terms must stay the same, the sandbox must accept the
/// withdrawal, and it must pay only once.
async fn resend_and_assert_accepted(env: &TestEnv, app: &mut App) {
    let before = env.only_withdrawal().agreement;
    app.send_again().await;
    assert!(is_paid_with_state(env, app, "accepted"));
    assert_eq!(env.only_withdrawal().agreement, before);
    assert_eq!(env.ledger().balance.to_string(), "4900.00");
}

/// Returns a fault with which the sandbox replies with this HTTP status and body. The sandbox pays
/// only if `bank_acts` is true.
fn reply_fault(status: u16, body: &str, bank_acts: bool) -> Fault {
    Fault::Answer {
        status,
        body: Some(body.into()),
        content_type: None,
        bank_acts,
    }
}

/// If a reply does not show whether the withdrawal was paid, sending the withdrawal again must not
/// pay it twice. The module `demo` tests more replies of this kind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unclear_reply_is_sent_again_and_paid_once() {
    for (fault, class, paid) in [
        (Fault::DropAfter, Unclear::Cut, true),
        (reply_fault(500, "{}", true), Unclear::Status, true),
        (reply_fault(201, "<html>", true), Unclear::Unreadable, true),
        (
            reply_fault(201, &" ".repeat(400_000), true),
            Unclear::TooLarge,
            true,
        ),
        (reply_fault(200, "{}", false), Unclear::NoSign, false),
    ] {
        let env = TestEnv::new().await;
        let mut app = withdraw_with_fault(&env, fault).await;
        assert_eq!(is_paid_with_state(&env, &app, "unknown"), paid, "{class:?}");
        assert_eq!(last_class(&env), Class::Unclear(class));
        app.assert_shows("Saque de R$ 100,00");
        resend_and_assert_accepted(&env, &mut app).await;
        assert!(app.close().await.withdrawals.open.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reply_that_contradicts_itself_needs_a_person() {
    for (fault, quoted, paid) in [
        (Fault::SaysFailed, "status: failed", true),
        (
            reply_fault(201, r#"{"success":false}"#, false),
            "success: false",
            false,
        ),
        (
            reply_fault(400, r#"{"id":"wd_1","status":"REQUESTED"}"#, true),
            "status: REQUESTED",
            true,
        ),
    ] {
        let env = TestEnv::new().await;
        let app = withdraw_with_fault(&env, fault).await;
        assert_eq!(
            is_paid_with_state(&env, &app, "needs-person"),
            paid,
            "{quoted}"
        );
        assert!(matches!(last_class(&env), Class::SaysFailed(_)), "{quoted}");
        app.assert_shows(quoted);
        assert_eq!(env.ledger().requests.len(), 1);
        app.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unclear_withdrawal_is_resent_only_after_the_wait() {
    let env = TestEnv::new().await.with_resend_wait();
    let mut app = withdraw_with_fault(&env, Fault::DropAfter).await;
    assert!(is_paid_with_state(&env, &app, "unknown"));
    app.assert_shows("reenviar libera em ");
    app.assert_shows("Reenviar aparece aqui");
    app.assert_shows("conferir na conta");
    app.press("r").await;
    assert_eq!(env.ledger().requests.len(), 1, "the key does nothing yet");
    env.clock.advance(Duration::from_secs(30));
    app.wait_for_localized("step-send-again").await;
    resend_and_assert_accepted(&env, &mut app).await;
    assert_eq!(env.ledger().requests.len(), 2);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_amount_in_reply_is_unknown_and_shown() {
    let env = TestEnv::new().await;
    let mut app = withdraw_with_fault(&env, Fault::OtherAmount).await;
    assert!(is_paid_with_state(&env, &app, "unknown"));
    app.assert_shows("101,00");
    let alarm = Class::Unclear(Unclear::EchoDiffers(Alarm::Amount {
        sent: balcao::trade::Money::from_centavos(10_000),
        got: balcao::trade::Money::from_centavos(10_100),
    }));
    assert_eq!(last_class(&env), alarm);
    resend_and_assert_accepted(&env, &mut app).await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn refusal_of_the_bank_is_quoted() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.withdraw(&env, "600000").await;
    assert!(!is_paid_with_state(&env, &app, "rejected"));
    app.assert_shows("Saldo insuficiente.");
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_most_four_sends() {
    let env = TestEnv::new().await;
    let mut app = withdraw_with_fault(&env, status_fault(500)).await;
    env.control
        .arm(status_fault(500), BankOperation::Withdrawal, Times::Always)
        .unwrap();
    for _ in 0..3 {
        app.send_again().await;
    }
    assert!(!is_paid_with_state(&env, &app, "needs-person"));
    app.press("r r").await;
    app.settle().await;
    assert_eq!((app.attempt_count(), env.ledger().requests.len()), (4, 4));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_token_is_renewed_and_withdrawal_resent() {
    let env = TestEnv::new().await;
    let mut app = withdraw_with_fault(&env, Fault::ExpiredToken).await;
    assert!(!is_paid_with_state(&env, &app, "prepared"));
    app.assert_shows("Token expirado.");
    app.assert_shows_localized("state-refused");
    // The withdrawal is not sent again before the next login, because the service would refuse the
    // expired token.
    app.press("r L").await;
    app.wait_for("Só quer olhar?").await;
    assert_eq!(app.attempt_count(), 1);
    app.press("Enter").await;
    app.wait_for_another_message("LoggedIn", 1).await;
    app.assert_shows_localized("state-in");
    resend_and_assert_accepted(&env, &mut app).await;
    let outcomes: Vec<_> = env
        .ledger()
        .requests
        .iter()
        .map(|request| request.outcome)
        .collect();
    assert_eq!(outcomes, [RequestOutcome::Refused, RequestOutcome::Paid]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logged_out_in_another_window_nothing_is_sent() {
    let env = TestEnv::new().await;
    let mut app = withdraw_with_fault(&env, status_fault(429)).await;
    let mut other = env.open().await;
    other.press("6 O Tab Enter").await;
    other.wait_for_message("LoggedOut").await;
    app.send_again().await;
    assert!(!is_paid_with_state(&env, &app, "prepared"));
    assert_eq!(env.ledger().requests.len(), 1);
    assert_eq!(last_class(&env), Class::NotSent(NotSent::NoCredential));
    app.press("6 L").await;
    app.wait_for("Só quer olhar?").await;
    app.press("Enter").await;
    app.wait_for_another_message("LoggedIn", 1).await;
    app.press("3 Enter").await;
    resend_and_assert_accepted(&env, &mut app).await;
    other.close().await;
    app.close().await;
}

/// If the amount is R$ 0,01, the service refuses the fee preview. A screen of 80x24 must then show
/// the whole error message and the next step.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn amount_below_the_fee_shows_the_whole_error() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.press("3 n").await;
    let quotes = app.type_amount(&env, "1").await;
    app.wait_for_another_message("Quoted", quotes).await;
    app.assert_shows("amount não cobre a tarifa");
    app.assert_shows("Mude o valor. Se o motivo for outro, 5");
    app.assert_shows("Nada foi enviado. Nenhum dinheiro saiu.");
    assert!(
        env.proxy
            .requests_to(crate::withdrawals::WITHDRAWALS)
            .is_empty()
    );
    app.close().await;
}
