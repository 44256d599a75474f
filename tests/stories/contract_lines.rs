//! A contract file that steers money: nothing leaves before the seller agreed to what it says.

use std::time::Duration;

use balcao::app::Effect;
use balcao::contract::Contract;
use balcao::sandbox::{BankOperation, Fault, Times};
use balcao::service::BaseUrl;
use balcao::trade::Withdrawal;
use balcao::trade::withdrawal::{Class, NotSent};

use crate::counter::Counter;
use crate::shop::Shop;
use crate::withdrawals::WITHDRAWALS;

/// The file that stole a withdrawal: every screen showed the seller's own key.
const STOLEN: &str = "confirmed = ['withdrawal.unit']
[withdrawal]
unit = 'centavos'
body = ['amount', 'key_kind', 'key', 'thief']
field.key.name = 'x'
field.thief = { name = 'pixKey', kind = 'fixed', default = 'ladrao@mal.example' }
";

/// A file that changes nothing about what is sent.
const HARMLESS: &str = "withdrawal.field.key.label.pt-BR = 'Chave de quem recebe'";

fn file(text: &str) -> Contract {
    Contract::with(&[("/srv/ana/loja.toml", text)]).unwrap()
}

async fn shop_with(text: &str) -> Shop {
    Shop { contract: file(text), ..Shop::new().await }
}

impl Counter {
    /// Goes to the review, and meets the page instead.
    async fn meet_lines(&mut self) {
        self.press("Ctrl-S").await;
        self.wait_for_word("money-lines-title").await;
    }

    /// Reads page by page to the last line; everything that was to be read.
    async fn read_lines(&mut self, shop: &Shop) -> String {
        let mut read = self.screen().flat();
        while self.sees(&self.words.text("money-lines-read-on")) {
            self.press("PgDn").await;
            read.push_str(&self.screen().flat());
        }
        // The last frame is seen before anybody waits after it.
        self.settle().await;
        shop.clock.forward_ms(600);
        read
    }

    /// Agrees to what was read, and waits until the vault has kept it.
    async fn agree(&mut self) {
        let agreed = self.heard("LinesAgreed");
        self.press("Tab Enter").await;
        self.wait_to_hear_more("LinesAgreed", agreed).await;
    }

    fn agrees(&self) -> usize {
        self.effects().iter().filter(|effect| matches!(effect, Effect::Agree(_))).count()
    }
}

/// Where the vault keeps what was agreed to.
fn entry(shop: &Shop) -> String {
    format!("contract {} {}", BaseUrl::parse(&shop.base_url).unwrap().origin().0, shop.profile)
}

fn last_class(one: &Withdrawal) -> Class {
    one.attempts.last().unwrap().end.clone().unwrap().class
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_file_that_stole_a_withdrawal_sends_nothing_before_it_is_read_and_agreed_to() {
    let shop = shop_with(STOLEN).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.type_withdrawal(&shop, "1000").await;
    counter.meet_lines().await;

    // Keys that were meant for a review agree to nothing.
    counter.press_at_once(&["Tab", "Tab", "End", "Tab"]).await;
    counter.press("Home").await;
    shop.clock.forward_ms(60_000);
    counter.press("Tab Enter").await;
    assert_eq!((counter.agrees(), counter.attempts()), (0, 0));
    assert!(shop.journal().is_empty());

    // Enter went back, to the form and everything in it.
    counter.assert_sees("111.444.777-35");
    counter.meet_lines().await;
    let read = counter.read_lines(&shop).await;
    for said in [
        "withdrawal.field.key.name antes \"pixkey\" agora \"x\"",
        "withdrawal.field.thief.default antes não existia agora \"ladrao@mal.example\"",
        "withdrawal.field.thief.kind antes não existia agora \"fixed\"",
        "withdrawal.field.thief.name antes não existia agora \"pixkey\"",
        "withdrawal.unit antes \"reais\" agora \"centavos\"",
        "a taxa é consultada em reais e o saque é pedido em centavos",
        "o seu arquivo diz “confirmed”: isso não vale",
    ] {
        assert!(read.contains(said), "{said} in\n{read}");
    }
    assert!(shop.tap.sent_to(WITHDRAWALS).is_empty());

    // Only who agrees gets to the review; and even there nothing has left.
    counter.agree().await;
    counter.wait_for_word("review-title").await;
    assert_eq!((counter.agrees(), counter.attempts()), (1, 0));
    assert!(shop.ledger().requests.is_empty() && shop.tap.sent_to(WITHDRAWALS).is_empty());
    counter.close().await;
}

/// A frame showed all of it: the button wakes up by itself, though nobody presses a key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_page_that_fits_wakes_its_button_without_a_key() {
    let shop = shop_with(HARMLESS).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.type_withdrawal(&shop, "10000").await;
    counter.meet_lines().await;
    counter
        .wait_until("a live button", |frame| {
            frame.has("Aceitar estas linhas") && !frame.has("( Aceitar estas linhas )")
        })
        .await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_wire_itself_refuses_lines_that_nobody_agreed_to() {
    let shop = shop_with(HARMLESS).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.type_withdrawal(&shop, "10000").await;
    counter.meet_lines().await;
    counter.read_lines(&shop).await;
    counter.agree().await;
    counter.wait_to_hear("Reviewed").await;
    shop.clock.forward_ms(600);
    // Another window agreed to another file meanwhile, and this one does not know it.
    let name = entry(&shop);
    let other = file("withdrawal.path = '/api/v1/elsewhere'").money_lines().kept().unwrap();
    assert!(shop.vault.get_text(name.clone()).await.unwrap().is_some(), "this is where it stands");
    shop.vault.put_text(name.clone(), other).await.unwrap();
    let readings = counter.heard("LinesRead");
    counter.confirm().await;

    let one = shop.only_withdrawal();
    assert_eq!(last_class(&one), Class::NotSent(NotSent::NotAgreed));
    assert_eq!(shop.state(&one), "prepared");
    assert!(shop.tap.sent_to(WITHDRAWALS).is_empty(), "nothing left");
    counter.assert_sees("as linhas do contrato não");

    // The vault was asked again: the next key shows what is to be agreed to, and then it is sent.
    counter.wait_to_hear_more("LinesRead", readings).await;
    counter.press("s").await;
    counter.wait_for_word("money-lines-title").await;
    counter.assert_sees_word("money-lines-why-again");
    let read = counter.read_lines(&shop).await;
    assert!(read.contains("antes \"/api/v1/elsewhere\""), "{read}");
    counter.agree().await;
    assert_eq!(counter.attempts(), 1, "agreeing sends nothing");
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_agreed_to_outlives_a_logout_and_a_restart_and_stays_in_its_profile() {
    let mut shop = shop_with(HARMLESS).await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.type_withdrawal(&shop, "10000").await;
    counter.meet_lines().await;
    counter.read_lines(&shop).await;
    counter.agree().await;
    counter.wait_for_word("review-title").await;
    counter.press("Esc Esc Tab Enter 6 O Tab").await;
    shop.clock.forward_ms(600);
    counter.press("Enter").await;
    counter.wait_to_hear("LoggedOut").await;
    counter.close().await;

    // The same profile, opened again: nothing is asked, and a withdrawal goes its way.
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-accepted");
    assert_eq!(counter.agrees(), 0);
    counter.close().await;

    // One more label is one more thing to agree to.
    shop.contract = file(&format!("{HARMLESS}\nwithdrawal.field.key.label.en = 'Key'"));
    let mut counter = shop.open().await;
    counter.wait_to_hear("LinesRead").await;
    counter.type_withdrawal(&shop, "20000").await;
    counter.meet_lines().await;
    let read = counter.read_lines(&shop).await;
    assert!(read.contains("label.en") && !read.contains("label.pt-br"), "{read}");
    counter.press("Enter").await;
    counter.close().await;

    // Another profile is not logged in and has agreed to nothing, and neither has another address.
    shop.contract = file(HARMLESS);
    shop.profile = "loja-da-bia";
    let mut counter = shop.open().await;
    counter.wait_to_hear("LinesRead").await;
    counter.wait_for("Só quer olhar?").await;
    counter.press("Enter").await;
    counter.wait_for_word("said-logged-in").await;
    counter.type_withdrawal(&shop, "20000").await;
    counter.meet_lines().await;
    counter.close().await;
    let shop = Shop { profile: "demo", ..shop }.untapped();
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.type_withdrawal(&shop, "20000").await;
    counter.meet_lines().await;
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_programs_own_contract_is_remembered_without_a_word() {
    let shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-accepted");
    assert_eq!(counter.agrees(), 0);
    let kept = shop.vault.get_text(entry(&shop)).await.unwrap();
    assert_eq!(kept, Contract::built_in().money_lines().kept());
    counter.close().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_window_longer_than_agreed_to_is_no_window() {
    let long = "[withdrawal]\nretention_seconds = 7200\nretention_source = 'https://x'";
    let mut shop = Shop::new().await;
    let mut counter = shop.open().await;
    counter.log_in().await;
    shop.control.arm(Fault::DropAfter, BankOperation::Withdrawal, Times::Next(1)).unwrap();
    counter.withdraw(&shop, "10000").await;
    counter.assert_sees_word("state-unknown");
    counter.close().await;

    // Somebody wrote into the file that the key lives longer.
    shop.contract = file(long);
    shop.clock.forward(Duration::from_secs(1_200));
    let mut counter = shop.open().await;
    counter.wait_to_hear("LinesRead").await;
    counter.assert_sees_word("state-needs-person");
    counter.press("r").await;
    counter.settle().await;
    assert_eq!(counter.attempts(), 0);
    counter.close().await;

    // A seller who knows it from the service agrees, and it counts, for the money thread too.
    let mut counter = shop.open().await;
    counter.wait_to_hear("LinesRead").await;
    counter.press("Esc").await;
    counter.type_withdrawal(&shop, "20000").await;
    counter.meet_lines().await;
    counter.read_lines(&shop).await;
    counter.agree().await;
    counter.wait_for_word("review-title").await;
    // That withdrawal is not made; the one that is open may be sent again now.
    counter.press("Esc Esc Tab").await;
    shop.clock.forward_ms(600);
    counter.press("Enter").await;
    counter.wait_for_word("state-unknown").await;
    counter.press("Enter").await;
    counter.send_again().await;
    counter.assert_sees_word("state-accepted");
    assert!(shop.paid_once_or_never());
    counter.close().await;
}
