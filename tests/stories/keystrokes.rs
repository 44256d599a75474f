//! Tests that a user needs only few key presses for frequent tasks.

use crate::app::App;
use crate::links::osc52;
use crate::test_env::TestEnv;

/// A simulated user whose key presses are counted. Typed values are not counted.
struct CountingUser<'c> {
    app: &'c mut App,
    presses: usize,
}

impl<'c> CountingUser<'c> {
    fn new(app: &'c mut App) -> CountingUser<'c> {
        CountingUser { app, presses: 0 }
    }

    async fn press(&mut self, key: &str) {
        assert!(!key.contains(' '), "one key at a time");
        self.app.press(key).await;
        self.presses += 1;
    }

    /// Types a value that only the seller can know, such as an amount. These key presses are not
    /// counted.
    async fn type_value(&mut self, value: &str) {
        self.app.type_text(value).await;
    }
}

/// The keys are `n`, the amount, `Tab`, the description and `Ctrl-S`. Then the app copies the
/// link's URL automatically.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_made_and_copied_with_three_keys() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.press("1").await;
    app.take_terminal_output();

    let mut user = CountingUser::new(&mut app);
    user.press("n").await;
    user.type_value("4990").await;
    user.press("Tab").await;
    user.type_value("Camiseta azul M").await;
    assert!(
        env.ledger().links.is_empty(),
        "nothing is asked for before the last key"
    );
    user.press("Ctrl-S").await;
    assert_eq!(user.presses, 3);

    app.wait_for_localized("said-link-copied-terminal").await;
    let [link] = &env.ledger().links[..] else {
        panic!("one link")
    };
    assert_eq!(app.take_terminal_output(), osc52(&link.url));
    app.close().await;
}

/// `d` on a payment link opens a form with the link's values, and `Ctrl-S` creates a similar link.
/// Then the app copies the new link's URL automatically.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_is_repeated_and_copied_with_two_keys() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.create_link("4990", "Camiseta azul M").await;
    app.wait_for_localized("said-link-copied-terminal").await;
    app.press("Esc").await;
    app.wait_for("Camiseta azul M").await;
    app.take_terminal_output();
    let copies = app.message_count("Copied");

    let mut user = CountingUser::new(&mut app);
    user.press("d").await;
    assert_eq!(
        env.ledger().links.len(),
        1,
        "nothing is asked for before the last key"
    );
    user.press("Ctrl-S").await;
    assert_eq!(user.presses, 2);

    app.wait_for_another_message("Copied", copies).await;
    let [first, second] = &env.ledger().links[..] else {
        panic!("two links")
    };
    assert_ne!(first.url, second.url);
    assert_eq!(app.take_terminal_output(), osc52(&second.url));
    app.close().await;
}

/// The keys are `d` on an earlier withdrawal to the same Pix key, the amount, and `Ctrl-S` for the
/// review screen. `Tab` and `Enter` confirm. `Tab` is needed because the button that goes back has
/// the focus at first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn known_destination_is_paid_with_four_keys() {
    let (env, mut app) = TestEnv::new().await.into_logged_in().await;
    app.withdraw(&env, "10010").await;
    app.press("Esc").await;
    app.wait_for("R$ 100,10").await;
    let ends = app.attempt_end_count();
    let quotes = app.message_count("Quoted");
    let reviews = app.message_count("Reviewed");

    let mut user = CountingUser::new(&mut app);
    user.press("d").await;
    {
        let _pause = env.clock.pause();
        user.type_value("20020").await;
        env.clock.advance_ms(400);
    }
    user.app.wait_for_another_message("Quoted", quotes).await;
    user.press("Ctrl-S").await;
    user.app.wait_for_another_message("Reviewed", reviews).await;
    let focused = user.app.screen().reversed;
    assert!(focused.contains("[ Voltar ]"), "{focused:?} has the focus");
    user.app.assert_shows("111.444.777-35");
    env.clock.advance_ms(600);
    user.press("Tab").await;
    assert_eq!(
        env.ledger().payouts.len(),
        1,
        "nothing leaves before the last key"
    );
    user.press("Enter").await;
    assert_eq!(user.presses, 4);

    app.wait_for_attempt_end(ends).await;
    let paid = env.ledger().payouts;
    let paid: Vec<_> = paid
        .iter()
        .map(|payout| payout.amount.to_string())
        .collect();
    assert_eq!(paid, ["100.10", "200.20"]);
    app.close().await;
}
