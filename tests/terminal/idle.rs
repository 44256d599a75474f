//! Tests that an unused app is idle: it writes nothing, and none of its timers or threads wakes up.

#![cfg(target_os = "linux")]

use std::time::Duration;

use super::seller::{demo, logged_in, make_link, type_amount};
use super::support::place::TestHome;
use super::support::pty::Launch;

/// The time for which a test observes the app. It is long enough for timers of one or two seconds.
const LENGTH: Duration = Duration::from_secs(2);

#[test]
fn on_the_login_screen() {
    let place = TestHome::new();
    let tui = Launch::new(&place).args(&["demo"]).start();
    tui.wait_for("[ Entrar ]");
    tui.wait_asleep(LENGTH);
}

#[test]
fn on_each_pane_and_in_its_details() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    make_link(&mut tui, "Bolo");
    tui.wait_asleep(LENGTH);
    tui.press("\x1b");
    tui.wait_for("links");
    tui.wait_asleep(LENGTH);
    for (pane, shown) in [
        ("2", "loja-da-ana.localhost"),
        ("3", "6 saques"),
        ("4", "3 cobranças"),
        ("5", "Criar link"),
        ("6", "JWT"),
    ] {
        tui.press(pane);
        tui.wait_for(shown);
        tui.wait_asleep(LENGTH);
    }
}

#[test]
fn in_a_form_with_something_typed() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("49,90\tBolo");
    tui.wait_for("Bolo");
    tui.wait_asleep(LENGTH);
}

#[test]
fn waiting_or_ended_story_keeps_process_asleep() {
    let place = TestHome::new();
    let story = place.home().join("story.toml");
    let steps = "[[step]]\ncaption = { en = 'Make a link.' }\n\
                 [[step]]\nafter = 'link'\ncaption = { en = 'There it is.' }\n";
    std::fs::write(&story, steps).unwrap();
    let tui = Launch::new(&place).args(&["demo", "--script", story.to_str().unwrap()]).start();
    let mut tui = logged_in(tui);
    tui.wait_for("Make a link.");
    tui.wait_asleep(LENGTH);
    make_link(&mut tui, "Bolo");
    tui.wait_for("There it is.");
    tui.wait_asleep(LENGTH);
}

/// Checks that the other tests could detect wake-ups. This form wakes the app every second, because
/// it updates the age of its fee quote.
#[test]
fn only_while_the_age_of_a_quote_is_shown_it_wakes() {
    let place = TestHome::new();
    let mut tui = demo(&place);
    type_amount(&mut tui, "6 saques");
    let rest = tui.wait_awake(LENGTH);
    assert!(rest.ticks < 50, "a second at a time, and no faster: {rest:?}");
}
