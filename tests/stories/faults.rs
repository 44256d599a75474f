//! Every reply to a withdrawal ends in its state, and screen, ledger and journal agree.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{BankOperation, Fault, Scope, Times};
use balcao::trade::withdrawal::{Alarm, Class, NotSent, Unclear};

use crate::counter::{Counter, LIMIT};
use crate::shop::Shop;

/// A counter whose only withdrawal met this.
async fn met(shop: &Shop, fault: Fault) -> Counter {
    let mut counter = shop.open().await;
    counter.log_in().await;
    shop.control.arm(fault, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.withdraw(shop, "10000").await;
    counter
}

fn answer(status: u16) -> Fault {
    Fault::status(status)
}

/// What the screen says is what the journal says; whether it was paid.
#[track_caller]
pub fn agree(shop: &Shop, counter: &Counter, state: &str) -> bool {
    assert_eq!(shop.state(&shop.only_withdrawal()), state);
    counter.assert_sees_word(&format!("state-{state}"));
    shop.paid_once_or_never()
}

pub fn last_class(shop: &Shop) -> Class {
    let one = shop.only_withdrawal();
    one.attempts.last().unwrap().end.clone().unwrap().class
}

/// Sent again with the same key and the same bytes, it is accepted and paid once.
async fn again_and_accepted(shop: &Shop, counter: &mut Counter) {
    let before = shop.only_withdrawal().agreement;
    counter.send_again().await;
    assert!(agree(shop, counter, "accepted"));
    assert_eq!(shop.only_withdrawal().agreement, before);
    assert_eq!(shop.ledger().balance.to_string(), "4900.00");
}

macro_rules! unknown_then_accepted {
    ($($name:ident: $fault:expr, $class:pat, paid $paid:literal;)*) => { $(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let shop = Shop::new().await;
            let mut counter = met(&shop, $fault).await;
            assert_eq!(agree(&shop, &counter, "unknown"), $paid);
            assert!(matches!(last_class(&shop), $class), "{:?}", last_class(&shop));
            counter.assert_sees("Saque de R$ 100,00");
            again_and_accepted(&shop, &mut counter).await;
            let model = counter.close().await;
            assert!(model.withdrawals.open.is_empty());
        }
    )* };
}

unknown_then_accepted! {
    a_lost_answer: Fault::DropAfter, Class::Unclear(Unclear::Cut), paid true;
    a_drop_before: Fault::DropBefore, Class::Unclear(Unclear::Cut), paid false;
    a_500: answer(500), Class::Unclear(Unclear::Status), paid false;
    a_503: answer(503), Class::Unclear(Unclear::Status), paid false;
    a_500_after_it_was_paid: Fault::Answer {
        status: 500, body: None, content_type: None, bank_acts: true,
    }, Class::Unclear(Unclear::Status), paid true;
    a_408: answer(408), Class::Unclear(Unclear::Status), paid false;
    a_409: answer(409), Class::Unclear(Unclear::Conflict), paid false;
    a_208: answer(208), Class::Unclear(Unclear::OtherSuccess), paid false;
    half_a_body: Fault::TruncatedJson, Class::Unclear(Unclear::Unreadable), paid true;
    a_success_that_is_no_json: Fault::Answer {
        status: 201, body: Some("<html>".into()), content_type: None, bank_acts: true,
    }, Class::Unclear(Unclear::Unreadable), paid true;
    a_huge_body: Fault::Answer {
        status: 201, body: Some(" ".repeat(400_000)), content_type: None, bank_acts: true,
    }, Class::Unclear(Unclear::TooLarge), paid true;
}

/// A success with this body, whatever the bank did.
fn dressed(status: u16, body: &str, bank_acts: bool) -> Fault {
    Fault::Answer { status, body: Some(body.into()), content_type: None, bank_acts }
}

macro_rules! a_person_must_look {
    ($($name:ident: $fault:expr, says $said:literal, paid $paid:literal;)*) => { $(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $name() {
            let shop = Shop::new().await;
            let counter = met(&shop, $fault).await;
            assert_eq!(agree(&shop, &counter, "needs-person"), $paid);
            let Class::SaysFailed(said) = last_class(&shop) else { panic!() };
            assert_eq!(format!("{}: {}", said.member, said.word.shown()), $said);
            counter.assert_sees($said);
            assert_eq!(shop.ledger().requests.len(), 1);
            counter.close().await;
        }
    )* };
}

a_person_must_look! {
    a_success_that_says_failed: dressed(200, r#"{"status":"failed"}"#, false),
        says "status: failed", paid false;
    a_success_that_is_false: dressed(201, r#"{"success":false}"#, false),
        says "success: false", paid false;
    a_success_with_an_error: dressed(200, r#"{"error":"insufficient_balance"}"#, false),
        says "error: insufficient_balance", paid false;
    an_accepted_400: dressed(202, r#"{"statusCode":400}"#, false),
        says "statusCode: 400", paid false;
    a_payment_that_says_failed: Fault::SaysFailed, says "status: failed", paid true;
    a_refusal_that_says_requested: dressed(400, r#"{"id":"wd_1","status":"REQUESTED"}"#, true),
        says "status: REQUESTED", paid true;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_success_without_a_sign_is_unknown_and_never_accepted() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, dressed(200, "{}", false)).await;
    assert!(!agree(&shop, &counter, "unknown"));
    assert_eq!(last_class(&shop), Class::Unclear(Unclear::NoSign));
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_unclear_is_sent_again_once_the_wait_is_over_and_not_before() {
    let shop = Shop::new().await.waiting();
    let mut counter = met(&shop, Fault::DropAfter).await;
    assert!(agree(&shop, &counter, "unknown"));
    counter.assert_sees("dá para reenviar em 00:");
    counter.assert_sees("Reenviar aparece aqui");
    counter.assert_sees("conferir na conta");
    counter.press("r").await;
    assert_eq!(shop.ledger().requests.len(), 1, "the key does nothing yet");
    shop.clock.forward(Duration::from_secs(30));
    counter.wait_for_word("step-send-again").await;
    again_and_accepted(&shop, &mut counter).await;
    assert_eq!(shop.ledger().requests.len(), 2);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn another_amount_in_the_reply_is_unknown_with_that_value_shown() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, Fault::OtherAmount).await;
    assert!(agree(&shop, &counter, "unknown"));
    counter.assert_sees("101,00");
    let alarm = Class::Unclear(Unclear::EchoDiffers(Alarm::Amount {
        sent: balcao::trade::Money::from_centavos(10_000),
        got: balcao::trade::Money::from_centavos(10_100),
    }));
    assert_eq!(last_class(&shop), alarm);
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn no_answer_within_the_deadline_is_unknown() {
    let mut shop = Shop::new().await;
    // Every other request of this story has its answer before that.
    shop.limits.total = Duration::from_secs(5);
    let mut counter = met(&shop, Fault::Delay(2 * LIMIT)).await;
    assert!(agree(&shop, &counter, "unknown"));
    assert_eq!(last_class(&shop), Class::Unclear(Unclear::Timeout));
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_web_page_by_its_header_but_json_by_its_body_is_a_reply() {
    let shop = Shop::new().await;
    let counter = met(&shop, Fault::WrongContentType).await;
    assert!(agree(&shop, &counter, "accepted"));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_definite_no_is_refused_in_the_services_words() {
    for status in [400, 402, 404, 415, 422, 451] {
        let shop = Shop::new().await;
        let mut counter = met(&shop, answer(status)).await;
        assert!(!agree(&shop, &counter, "rejected"), "{status}");
        counter.assert_sees(&format!("Falha de teste {status}."));
        counter.press("s").await;
        counter.settle().await;
        assert_eq!(counter.attempts(), 1, "{status} is not sent again");
        // A new one is a new withdrawal with a new key; the refused one is named first.
        counter.review(&shop, "10000").await;
        counter.press("Tab").await;
        counter.type_text("10000").await;
        counter.confirm().await;
        assert_eq!(shop.ledger().payouts.len(), 1);
        assert_ne!(shop.ledger().payouts[0].key, shop.ledger().requests[0].key.clone().unwrap());
        counter.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_banks_own_refusal_is_shown_in_its_words() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "600000").await;
    assert!(!agree(&shop, &counter, "rejected"));
    counter.assert_sees("Saldo insuficiente.");
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_no_after_an_unclear_attempt_is_not_a_no() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, Fault::DropAfter).await;
    shop.control.arm(answer(400), BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.send_again().await;
    assert!(agree(&shop, &counter, "unknown"));
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_422_after_another_attempt_needs_a_person() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, Fault::DropAfter).await;
    shop.control.arm(answer(422), BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.send_again().await;
    assert!(agree(&shop, &counter, "needs-person"));
    counter.press("s").await;
    counter.settle().await;
    assert_eq!(counter.attempts(), 2);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_redirect_is_never_followed_and_needs_a_person() {
    for status in [301, 302, 307, 308] {
        let shop = Shop::new().await;
        let mut counter = met(&shop, answer(status)).await;
        assert!(!agree(&shop, &counter, "needs-person"), "{status}");
        counter.press("s").await;
        counter.settle().await;
        assert_eq!((counter.attempts(), shop.ledger().requests.len()), (1, 1));
        counter.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn too_many_requests_is_sent_again_by_a_key() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, answer(429)).await;
    assert!(!agree(&shop, &counter, "prepared"));
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn at_most_four_sends() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, answer(500)).await;
    shop.control.arm(answer(500), BankOperation::Withdrawal, Times::Always).unwrap();
    for _ in 0..3 {
        counter.send_again().await;
    }
    assert!(!agree(&shop, &counter, "needs-person"));
    counter.press("r r").await;
    counter.settle().await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (4, 4));
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_expired_token_is_renewed_and_the_same_withdrawal_is_sent() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, Fault::ExpiredToken).await;
    assert!(!agree(&shop, &counter, "prepared"));
    counter.assert_sees("Token expirado.");
    counter.assert_sees_word("state-refused");
    // Another send would be refused too: the login comes first, in place.
    counter.press("r L").await;
    counter.wait_for("Só quer olhar?").await;
    assert_eq!(counter.attempts(), 1);
    counter.press("Enter").await;
    counter.wait_to_hear_more("LoggedIn", 1).await;
    counter.assert_sees_word("state-in");
    again_and_accepted(&shop, &mut counter).await;
    let outcomes: Vec<_> = shop.ledger().requests.iter().map(|request| request.outcome).collect();
    assert_eq!(outcomes, [RequestOutcome::Refused, RequestOutcome::Paid]);
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_refused_connection_is_not_sent() {
    let shop = Shop::new().await.untapped();
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.review(&shop, "10000").await;
    shop.control.arm(Fault::Refuse, Scope::Any, Times::Always).unwrap();
    counter.confirm().await;
    assert!(!agree(&shop, &counter, "prepared"));
    assert_eq!(last_class(&shop), Class::NotSent(NotSent::Connect));
    assert!(shop.ledger().requests.is_empty());
    shop.control.disarm_all().unwrap();
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_not_sent_does_not_count_and_can_be_discarded() {
    let shop = Shop::new().await.untapped();
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.review(&shop, "10000").await;
    shop.control.arm(Fault::Refuse, Scope::Any, Times::Always).unwrap();
    counter.confirm().await;
    for _ in 0..5 {
        counter.send_again().await;
        assert!(!agree(&shop, &counter, "prepared"));
    }
    counter.press("X Tab Enter").await;
    counter.wait_to_hear("Decided").await;
    assert!(!agree(&shop, &counter, "discarded"));
    counter.press("s").await;
    counter.settle().await;
    assert!(shop.ledger().requests.is_empty());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logged_out_in_between_nothing_is_sent_before_the_login() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, answer(429)).await;
    counter.press("6 O Tab Enter").await;
    counter.wait_to_hear("LoggedOut").await;
    counter.press("Esc Esc 3 Enter s L").await;
    counter.wait_for("Só quer olhar?").await;
    assert_eq!((counter.attempts(), shop.ledger().requests.len()), (1, 1));
    counter.press("Enter").await;
    counter.wait_to_hear_more("LoggedIn", 1).await;
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn logged_out_in_another_window_nothing_is_sent() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, answer(429)).await;
    let mut other = shop.open().await;
    other.press("6 O Tab Enter").await;
    other.wait_to_hear("LoggedOut").await;
    counter.send_again().await;
    assert!(!agree(&shop, &counter, "prepared"));
    assert_eq!(shop.ledger().requests.len(), 1);
    assert_eq!(last_class(&shop), Class::NotSent(NotSent::NoCredential));
    counter.press("6 L").await;
    counter.wait_for("Só quer olhar?").await;
    counter.press("Enter").await;
    counter.wait_to_hear_more("LoggedIn", 1).await;
    counter.press("3 Enter").await;
    again_and_accepted(&shop, &mut counter).await;
    other.close().await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_palette_of_the_demo_arms_what_it_says() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.command("falha perder a resposta").await;
    counter.wait_to_hear("DemoDone").await;
    counter.withdraw(&shop, "10000").await;
    assert!(agree(&shop, &counter, "unknown"));
    again_and_accepted(&shop, &mut counter).await;
    counter.close().await;
}

/// At 80x24: what the service says of a centavo, and what to do next, has room.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_amount_below_the_fee_is_told_to_its_last_word() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.press("3 n").await;
    let quotes = counter.type_amount(&shop, "1").await;
    counter.wait_to_hear_more("Quoted", quotes).await;
    counter.assert_sees("amount não cobre a tarifa");
    counter.assert_sees("digita o valor mais uma vez na conferência.");
    counter.assert_sees("Nada foi enviado. Nenhum dinheiro saiu.");
    assert!(shop.tap.sent_to(crate::withdrawals::WITHDRAWALS).is_empty());
    counter.close().await;
}
