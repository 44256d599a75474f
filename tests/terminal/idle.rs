//! Tests that an unused app is idle: it writes nothing, and none of its timers or threads wakes up.

#![cfg(target_os = "linux")]

use std::time::Duration;

use super::seller::{
    create_link, log_in_to_demo, send_withdrawal, start_demo, start_logged_in, type_amount,
};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::Launch;

/// The time for which a test observes the app. It is long enough for timers of one or two seconds.
const OBSERVATION_TIME: Duration = Duration::from_secs(2);

#[test]
fn login_screen_is_idle() {
    let home = TestHome::new();
    let tui = Launch::new(&home).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.wait_idle_for(OBSERVATION_TIME);
}

#[test]
fn panes_and_link_details_are_idle() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    create_link(&mut tui, "Bolo");
    tui.wait_idle_for(OBSERVATION_TIME);
    tui.press("\x1b");
    tui.wait_for("links");
    tui.wait_idle_for(OBSERVATION_TIME);
    for (pane, text) in [
        ("2", "loja-da-ana.localhost"),
        ("3", "6 saques"),
        ("4", "3 cobranças"),
        ("5", "Criar link"),
        ("6", "JWT"),
    ] {
        tui.press(pane);
        tui.wait_for(text);
        tui.wait_idle_for(OBSERVATION_TIME);
    }
}

#[test]
fn accepted_withdrawal_is_idle_after_its_motion() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start_logged_in(&home, &bank);
    send_withdrawal(&mut tui);
    tui.wait_for("ACEITO PELO SERVIÇO");
    tui.wait_for(&"╌".repeat(78));
    tui.wait_idle_for(OBSERVATION_TIME);
}

#[test]
fn form_with_typed_text_is_idle() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("49,90\tBolo");
    tui.wait_for("Bolo");
    tui.wait_idle_for(OBSERVATION_TIME);
}

#[test]
fn dialog_is_idle_again_after_typed_text() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    tui.press("6");
    tui.wait_for("JWT");
    tui.press("O");
    tui.wait_for("[ Ficar na conta ]");
    tui.press("x");
    tui.wait_for("Algo foi digitado.");
    // The app redraws the dialog once, when its button gets active.
    tui.wait_until_gone("Algo foi digitado.");
    tui.wait_idle_for(OBSERVATION_TIME);
}

#[test]
fn waiting_or_ended_story_keeps_process_asleep() {
    let home = TestHome::new();
    let story = home.home_dir().join("story.toml");
    let steps = "[[step]]\ncaption = { en = 'Make a link.' }\n\
                 [[step]]\nafter = 'link'\ncaption = { en = 'There it is.' }\n";
    std::fs::write(&story, steps).unwrap();
    let tui = Launch::new(&home)
        .args(&["demo", "--script", story.to_str().unwrap()])
        .start();
    let mut tui = log_in_to_demo(tui);
    tui.wait_for("Make a link.");
    tui.wait_idle_for(OBSERVATION_TIME);
    create_link(&mut tui, "Bolo");
    tui.wait_for("There it is.");
    tui.wait_idle_for(OBSERVATION_TIME);
}

/// Checks that the other tests could detect wake-ups. This form wakes the app every second, because
/// it updates the age of its fee quote.
#[test]
fn shown_quote_age_wakes_the_app() {
    let home = TestHome::new();
    let mut tui = start_demo(&home);
    type_amount(&mut tui, "6 saques");
    let activity = tui.wait_for_wakeup(OBSERVATION_TIME);
    assert!(
        activity.ticks < 50,
        "a second at a time, and no faster: {activity:?}"
    );
}
