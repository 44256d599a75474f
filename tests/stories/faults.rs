//! Tests that each kind of reply to a withdrawal leads to the right state. The screen, the
//! sandbox's ledger and the journal must agree about it.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{BankOperation, Fault, Times};
use balcao::trade::withdrawal::{Alarm, Class, NotSent, Unclear};

use crate::app::App;
use crate::test_env::TestEnv;

/// Opens the app, injects this fault into the sandbox, and makes a withdrawal.
pub async fn met(env: &TestEnv, fault: Fault) -> App {
    let mut app = env.enter().await;
    env.next_withdrawal(fault);
    app.withdraw(env, "10000").await;
    app
}

fn answer(status: u16) -> Fault {
    Fault::status(status)
}

/// Checks that there is only one withdrawal, and that it has this state in the journal and on the
/// screen. Returns true if the sandbox has paid it.
#[track_caller]
pub fn agree(env: &TestEnv, app: &App, state: &str) -> bool {
    assert_eq!(env.state(&env.only_withdrawal()), state);
    app.assert_sees_word(&format!("state-{state}"));
    env.paid_once_or_never()
}

pub fn last_class(env: &TestEnv) -> Class {
    let one = env.only_withdrawal();
    one.attempts.last().unwrap().end.clone().unwrap().class
}

/// Sends the withdrawal again. The terms must stay the same, the sandbox must accept the
/// withdrawal, and it must pay only once.
async fn again_and_accepted(env: &TestEnv, app: &mut App) {
    let before = env.only_withdrawal().agreement;
    app.send_again().await;
    assert!(agree(env, app, "accepted"));
    assert_eq!(env.only_withdrawal().agreement, before);
    assert_eq!(env.ledger().balance.to_string(), "4900.00");
}

/// Returns a fault with which the sandbox replies with this HTTP status and body. The sandbox pays
/// only if `bank_acts` is true.
fn dressed(status: u16, body: &str, bank_acts: bool) -> Fault {
    Fault::Answer { status, body: Some(body.into()), content_type: None, bank_acts }
}

/// If a reply does not show whether the withdrawal was paid, sending the withdrawal again must not
/// pay it twice. The module `demo` tests more replies of this kind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unclear_reply_is_sent_again_and_paid_once() {
    for (fault, class, paid) in [
        (Fault::DropAfter, Unclear::Cut, true),
        (dressed(500, "{}", true), Unclear::Status, true),
        (dressed(201, "<html>", true), Unclear::Unreadable, true),
        (dressed(201, &" ".repeat(400_000), true), Unclear::TooLarge, true),
        (dressed(200, "{}", false), Unclear::NoSign, false),
    ] {
        let env = TestEnv::new().await;
        let mut app = met(&env, fault).await;
        assert_eq!(agree(&env, &app, "unknown"), paid, "{class:?}");
        assert_eq!(last_class(&env), Class::Unclear(class));
        app.assert_sees("Saque de R$ 100,00");
        again_and_accepted(&env, &mut app).await;
        assert!(app.close().await.withdrawals.open.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reply_that_contradicts_itself_needs_a_person() {
    for (fault, quoted, paid) in [
        (Fault::SaysFailed, "status: failed", true),
        (dressed(201, r#"{"success":false}"#, false), "success: false", false),
        (dressed(400, r#"{"id":"wd_1","status":"REQUESTED"}"#, true), "status: REQUESTED", true),
    ] {
        let env = TestEnv::new().await;
        let app = met(&env, fault).await;
        assert_eq!(agree(&env, &app, "needs-person"), paid, "{quoted}");
        assert!(matches!(last_class(&env), Class::SaysFailed(_)), "{quoted}");
        app.assert_sees(quoted);
        assert_eq!(env.ledger().requests.len(), 1);
        app.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unclear_withdrawal_is_resent_only_after_the_wait() {
    let env = TestEnv::new().await.waiting();
    let mut app = met(&env, Fault::DropAfter).await;
    assert!(agree(&env, &app, "unknown"));
    app.assert_sees("dá para reenviar em 00:");
    app.assert_sees("Reenviar aparece aqui");
    app.assert_sees("conferir na conta");
    app.press("r").await;
    assert_eq!(env.ledger().requests.len(), 1, "the key does nothing yet");
    env.clock.forward(Duration::from_secs(30));
    app.wait_for_word("step-send-again").await;
    again_and_accepted(&env, &mut app).await;
    assert_eq!(env.ledger().requests.len(), 2);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn other_amount_in_reply_is_unknown_and_shown() {
    let env = TestEnv::new().await;
    let mut app = met(&env, Fault::OtherAmount).await;
    assert!(agree(&env, &app, "unknown"));
    app.assert_sees("101,00");
    let alarm = Class::Unclear(Unclear::EchoDiffers(Alarm::Amount {
        sent: balcao::trade::Money::from_centavos(10_000),
        got: balcao::trade::Money::from_centavos(10_100),
    }));
    assert_eq!(last_class(&env), alarm);
    again_and_accepted(&env, &mut app).await;
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_banks_own_refusal_is_shown_in_its_words() {
    let (env, mut app) = TestEnv::new().await.entered().await;
    app.withdraw(&env, "600000").await;
    assert!(!agree(&env, &app, "rejected"));
    app.assert_sees("Saldo insuficiente.");
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_most_four_sends() {
    let env = TestEnv::new().await;
    let mut app = met(&env, answer(500)).await;
    env.control.arm(answer(500), BankOperation::Withdrawal, Times::Always).unwrap();
    for _ in 0..3 {
        app.send_again().await;
    }
    assert!(!agree(&env, &app, "needs-person"));
    app.press("r r").await;
    app.settle().await;
    assert_eq!((app.attempts(), env.ledger().requests.len()), (4, 4));
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn expired_token_is_renewed_and_withdrawal_resent() {
    let env = TestEnv::new().await;
    let mut app = met(&env, Fault::ExpiredToken).await;
    assert!(!agree(&env, &app, "prepared"));
    app.assert_sees("Token expirado.");
    app.assert_sees_word("state-refused");
    // The withdrawal is not sent again before the next login, because the service would refuse the
    // expired token.
    app.press("r L").await;
    app.wait_for("Só quer olhar?").await;
    assert_eq!(app.attempts(), 1);
    app.press("Enter").await;
    app.wait_for_another_message("LoggedIn", 1).await;
    app.assert_sees_word("state-in");
    again_and_accepted(&env, &mut app).await;
    let outcomes: Vec<_> = env.ledger().requests.iter().map(|request| request.outcome).collect();
    assert_eq!(outcomes, [RequestOutcome::Refused, RequestOutcome::Paid]);
    app.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logged_out_in_another_window_nothing_is_sent() {
    let env = TestEnv::new().await;
    let mut app = met(&env, answer(429)).await;
    let mut other = env.open().await;
    other.press("6 O Tab Enter").await;
    other.wait_for_message("LoggedOut").await;
    app.send_again().await;
    assert!(!agree(&env, &app, "prepared"));
    assert_eq!(env.ledger().requests.len(), 1);
    assert_eq!(last_class(&env), Class::NotSent(NotSent::NoCredential));
    app.press("6 L").await;
    app.wait_for("Só quer olhar?").await;
    app.press("Enter").await;
    app.wait_for_another_message("LoggedIn", 1).await;
    app.press("3 Enter").await;
    again_and_accepted(&env, &mut app).await;
    other.close().await;
    app.close().await;
}

/// A screen of 80x24 must show the whole error message and the next step after a refusal of R$
/// 0,01.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_amount_below_the_fee_is_told_to_its_last_word() {
    let (env, mut app) = TestEnv::new().await.entered().await;
    app.press("3 n").await;
    let quotes = app.type_amount(&env, "1").await;
    app.wait_for_another_message("Quoted", quotes).await;
    app.assert_sees("amount não cobre a tarifa");
    app.assert_sees("Mude o valor; Ctrl-R consulta a taxa de novo.");
    app.assert_sees("Nada foi enviado. Nenhum dinheiro saiu.");
    assert!(env.tap.sent_to(crate::withdrawals::WITHDRAWALS).is_empty());
    app.close().await;
}
