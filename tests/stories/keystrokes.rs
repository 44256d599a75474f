//! Tests that frequent tasks need few key presses: each test performs a task and counts its keys.

use crate::counter::Counter;
use crate::links::osc52;
use crate::shop::Shop;

/// The simulated user, with a count of the keys pressed. Typed values are not counted.
struct Hands<'c> {
    counter: &'c mut Counter,
    presses: usize,
}

impl<'c> Hands<'c> {
    fn at(counter: &'c mut Counter) -> Hands<'c> {
        Hands { counter, presses: 0 }
    }

    async fn press(&mut self, key: &str) {
        assert!(!key.contains(' '), "one key at a time");
        self.counter.press(key).await;
        self.presses += 1;
    }

    /// Types a value that only the seller can know, such as an amount. Its key presses are not
    /// counted.
    async fn type_value(&mut self, value: &str) {
        self.counter.type_text(value).await;
    }
}

/// The seller presses `n`, types the amount, presses `Tab`, types the description, and presses
/// `Ctrl-S`. The app then copies the URL by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_made_and_copied_with_three_keys() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.press("1").await;
    counter.written();

    let mut hands = Hands::at(&mut counter);
    hands.press("n").await;
    hands.type_value("4990").await;
    hands.press("Tab").await;
    hands.type_value("Camiseta azul M").await;
    assert!(shop.ledger().links.is_empty(), "nothing is asked for before the last key");
    hands.press("Ctrl-S").await;
    assert_eq!(hands.presses, 3);

    counter.wait_for_word("said-link-copied-terminal").await;
    let [made] = &shop.ledger().links[..] else { panic!("one link") };
    assert_eq!(counter.written(), osc52(&made.url));
    counter.close().await;
}

/// With the cursor on a link, `d` and `Ctrl-S` create and copy a new link like it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_repeated_and_copied_with_two_keys() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.make_link("4990", "Camiseta azul M").await;
    counter.wait_for_word("said-link-copied-terminal").await;
    counter.press("Esc").await;
    counter.written();
    let copies = counter.heard("Copied");

    let mut hands = Hands::at(&mut counter);
    hands.press("d").await;
    assert_eq!(shop.ledger().links.len(), 1, "nothing is asked for before the last key");
    hands.press("Ctrl-S").await;
    assert_eq!(hands.presses, 2);

    counter.wait_to_hear_more("Copied", copies).await;
    let [first, second] = &shop.ledger().links[..] else { panic!("two links") };
    assert_ne!(first.url, second.url);
    assert_eq!(counter.written(), osc52(&second.url));
    counter.close().await;
}

/// With the cursor on an earlier withdrawal to the same destination, the seller presses `d`, types
/// the amount, and opens the review with `Ctrl-S`. The review focuses the back button, so `Tab` and
/// `Enter` confirm.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_destination_is_paid_with_four_keys() {
    let (shop, mut counter) = Shop::new().await.entered().await;
    counter.withdraw(&shop, "10010").await;
    counter.press("Esc").await;
    let (ends, quotes) = (counter.ends(), counter.heard("Quoted"));
    let reviews = counter.heard("Reviewed");

    let mut hands = Hands::at(&mut counter);
    hands.press("d").await;
    {
        let _still = shop.clock.stop_for_a_while();
        hands.type_value("20020").await;
        shop.clock.forward_ms(400);
    }
    hands.counter.wait_to_hear_more("Quoted", quotes).await;
    hands.press("Ctrl-S").await;
    hands.counter.wait_to_hear_more("Reviewed", reviews).await;
    hands.counter.assert_sees("[ Voltar ]");
    hands.counter.assert_sees("111.444.777-35");
    shop.clock.forward_ms(600);
    hands.press("Tab").await;
    assert_eq!(shop.ledger().payouts.len(), 1, "nothing leaves before the last key");
    hands.press("Enter").await;
    assert_eq!(hands.presses, 4);

    counter.wait_for_end(ends).await;
    let paid = shop.ledger().payouts;
    let paid: Vec<_> = paid.iter().map(|payout| payout.amount.to_string()).collect();
    assert_eq!(paid, ["100.10", "200.20"]);
    counter.close().await;
}
