//! Tests a kiosk that nobody uses: the built-in story plays by itself, to its end.

use std::time::Duration;

use balcao::demo::AlonePace;
use crossterm::event::Event;

use crate::test_env::TestEnv;

/// A pace that is as fast as the app can follow.
const FAST: AlonePace = AlonePace {
    reading: Duration::ZERO,
    key: Duration::from_millis(100),
    letter: Duration::from_millis(1),
    longest: Duration::from_millis(1),
    stuck: Duration::from_secs(20),
};

/// How long nobody uses the kiosk before the story plays, in milliseconds.
const IDLE_MS: u64 = 120_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn story_plays_by_itself_and_a_key_ends_it() {
    let env = TestEnv::of_kiosk(FAST).await;
    let mut app = env.enter().await;
    let begun = env.ledger();
    env.clock.forward_ms(IDLE_MS);
    // The app reads its clocks with a message. A resize is one, but no use of the kiosk.
    app.act(Event::Resize(80, 24)).await;
    app.wait_to_hear("Story(Began").await;
    // The app's clocks run faster than the story: a button can be pressed only some time after it
    // was shown.
    let mut heard = 0;
    while app.heard("Story(Ended") == 0 && app.heard("Story(Stuck") == 0 {
        app.wait_to_hear_more("Story(", heard).await;
        heard = app.heard("Story(");
        // A pause in typing is over once the app reads its clocks. A resize disables the buttons
        // for a while, too.
        env.clock.forward_ms(500);
        app.act(Event::Resize(80, 24)).await;
        env.clock.forward_ms(500);
    }
    assert_eq!(app.heard("Story(Stuck"), 0, "{}", app.screen().text());
    let ledger = env.ledger();
    assert_eq!(ledger.links.len(), begun.links.len() + 1);
    assert_eq!(ledger.payouts.len(), begun.payouts.len() + 2, "the lost one is paid once");
    app.assert_sees_word("kiosk-invitation");

    app.press("x").await;
    app.wait_for_word("login-demo").await;
    assert!(env.ledger().links.len() <= begun.links.len(), "all new");
    app.close().await;
}
