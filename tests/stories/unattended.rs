//! Tests of a kiosk that nobody uses. It plays a story by itself until somebody presses a key.

use std::time::Duration;

use balcao::demo::AutoplayPace;
use crossterm::event::Event;

use crate::test_env::TestEnv;

/// A pace at which the story plays without pauses.
const NO_PAUSES: AutoplayPace = AutoplayPace {
    reading: Duration::ZERO,
    key: Duration::ZERO,
    letter: Duration::ZERO,
    longest: Duration::ZERO,
    stuck: Duration::from_secs(30),
};

/// A story whose keys the kiosk can press without pauses.
const STORY: &str = r#"
    [[step]]
    caption = { pt-BR = "Um link." }
    keys = ["{links}", "{new}", "4990", "{next-field}", "Boné do roteiro", "{submit}"]
    [[step]]
    after = "link"
    caption = { pt-BR = "O link está pronto." }
    [[step]]
    after = "10s"
    caption = { pt-BR = "Fim." }
"#;

/// The time in milliseconds after which an unused kiosk begins to play the story.
const IDLE_MS: u64 = 120_000;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn story_plays_by_itself_and_a_key_ends_it() {
    let env = TestEnv::kiosk(STORY, NO_PAUSES).await;
    let mut app = env.open_logged_in().await;
    env.clock.advance_ms(IDLE_MS);
    // Send a resize, because the app reads its clocks only when a message arrives. A resize does
    // not count as use of the kiosk.
    app.send_event(Event::Resize(80, 24)).await;
    app.wait_for_message("Story(Ended").await;
    app.wait_for_message("LinkMade").await;
    app.assert_shows("Fim.");
    app.assert_shows_localized("kiosk-invitation");
    assert_eq!(
        app.message_count("Story(Stuck"),
        0,
        "{}",
        app.screen().text()
    );
    let is_link_created = || {
        env.ledger()
            .links
            .iter()
            .any(|link| link.description == "Boné do roteiro")
    };
    assert!(is_link_created());

    app.press("x").await;
    app.wait_for_localized("said-kiosk-ready").await;
    app.assert_shows_no("Fim.");
    assert!(!is_link_created(), "the demo has started over");
    app.press("Enter").await;
    app.wait_for_localized("said-logged-in").await;
    app.close().await;
}
