//! Tests that every kind of reply to a withdrawal leads to the right state. The screen, the
//! sandbox's ledger and the journal must agree on the state.

use std::time::Duration;

use balcao::sandbox::bank::ledger::RequestOutcome;
use balcao::sandbox::{BankOperation, Fault, Times};
use balcao::trade::withdrawal::{Alarm, Class, NotSent, Unclear};

use crate::counter::Counter;
use crate::shop::Shop;

/// Opens the app and makes a withdrawal that meets this fault in the sandbox.
pub async fn met(shop: &Shop, fault: Fault) -> Counter {
    let mut counter = shop.enter().await;
    shop.next_withdrawal(fault);
    counter.withdraw(shop, "10000").await;
    counter
}

fn answer(status: u16) -> Fault {
    Fault::status(status)
}

/// Checks that the journal contains a single withdrawal, and that both the journal and the screen
/// show it in this state. Returns whether the sandbox has paid it.
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

/// Sends the withdrawal again. Checks that its terms are unchanged, and that it is accepted and
/// paid only once.
async fn again_and_accepted(shop: &Shop, counter: &mut Counter) {
    let before = shop.only_withdrawal().agreement;
    counter.send_again().await;
    assert!(agree(shop, counter, "accepted"));
    assert_eq!(shop.only_withdrawal().agreement, before);
    assert_eq!(shop.ledger().balance.to_string(), "4900.00");
}

/// Returns a fault that makes the sandbox reply with this status and body. The sandbox pays only if
/// `bank_acts` is true.
fn dressed(status: u16, body: &str, bank_acts: bool) -> Fault {
    Fault::Answer { status, body: Some(body.into()), content_type: None, bank_acts }
}

/// If a reply does not prove whether the sandbox paid, the withdrawal can be sent again and is paid
/// only once. The module `demo` tests more replies of this kind.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unclear_reply_is_sent_again_and_paid_once() {
    for (fault, class, paid) in [
        (Fault::DropAfter, Unclear::Cut, true),
        (dressed(500, "{}", true), Unclear::Status, true),
        (dressed(201, "<html>", true), Unclear::Unreadable, true),
        (dressed(201, &" ".repeat(400_000), true), Unclear::TooLarge, true),
        (dressed(200, "{}", false), Unclear::NoSign, false),
    ] {
        let shop = Shop::new().await;
        let mut counter = met(&shop, fault).await;
        assert_eq!(agree(&shop, &counter, "unknown"), paid, "{class:?}");
        assert_eq!(last_class(&shop), Class::Unclear(class));
        counter.assert_sees("Saque de R$ 100,00");
        again_and_accepted(&shop, &mut counter).await;
        assert!(counter.close().await.withdrawals.open.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reply_that_contradicts_itself_needs_a_person() {
    for (fault, quoted, paid) in [
        (Fault::SaysFailed, "status: failed", true),
        (dressed(201, r#"{"success":false}"#, false), "success: false", false),
        (dressed(400, r#"{"id":"wd_1","status":"REQUESTED"}"#, true), "status: REQUESTED", true),
    ] {
        let shop = Shop::new().await;
        let counter = met(&shop, fault).await;
        assert_eq!(agree(&shop, &counter, "needs-person"), paid, "{quoted}");
        assert!(matches!(last_class(&shop), Class::SaysFailed(_)), "{quoted}");
        counter.assert_sees(quoted);
        assert_eq!(shop.ledger().requests.len(), 1);
        counter.close().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unclear_withdrawal_is_resent_only_after_the_wait() {
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
async fn other_amount_in_reply_is_unknown_and_shown() {
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
async fn the_banks_own_refusal_is_shown_in_its_words() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.withdraw(&shop, "600000").await;
    assert!(!agree(&shop, &counter, "rejected"));
    counter.assert_sees("Saldo insuficiente.");
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
async fn expired_token_is_renewed_and_withdrawal_resent() {
    let shop = Shop::new().await;
    let mut counter = met(&shop, Fault::ExpiredToken).await;
    assert!(!agree(&shop, &counter, "prepared"));
    counter.assert_sees("Token expirado.");
    counter.assert_sees_word("state-refused");
    // With the expired token the withdrawal would be refused again, so the app does not send it
    // until the seller has logged in.
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

/// If a withdrawal of R$ 0,01 is refused, an 80x24 terminal must show the service's whole error
/// message and the next step.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_amount_below_the_fee_is_told_to_its_last_word() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.press("3 n").await;
    let quotes = counter.type_amount(&shop, "1").await;
    counter.wait_to_hear_more("Quoted", quotes).await;
    counter.assert_sees("amount não cobre a tarifa");
    counter.assert_sees("digita o valor mais uma vez na conferência.");
    counter.assert_sees("Nada foi enviado. Nenhum dinheiro saiu.");
    assert!(shop.tap.sent_to(crate::withdrawals::WITHDRAWALS).is_empty());
    counter.close().await;
}
