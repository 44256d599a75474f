//! Untouched, it sleeps: no byte, no timer, no thread that wakes. Which screens want a moment of
//! time is told without a terminal, in `app::tests::lists`.

#![cfg(target_os = "linux")]

use std::time::Duration;

use super::seller::{demo, make_link};
use super::support::place::Place;

/// So long; what wakes up every second or two is seen.
const LENGTH: Duration = Duration::from_secs(2);

#[test]
fn on_a_list_in_details_and_in_a_form() {
    let place = Place::new();
    let mut tui = demo(&place);
    tui.wait_asleep(LENGTH);
    make_link(&mut tui, "Bolo");
    tui.wait_asleep(LENGTH);
    tui.press("\x1b");
    tui.wait_for("links");
    tui.press("n");
    tui.wait_for("Novo link de pagamento");
    tui.type_text("49,90\tBolo");
    tui.wait_for("Bolo");
    tui.wait_asleep(LENGTH);
}

/// The witness of the tests above: what counts seconds on the screen is seen to wake.
#[test]
fn only_while_the_age_of_a_quote_is_shown_it_wakes() {
    let place = Place::new();
    let mut tui = demo(&place);
    tui.press("3");
    tui.wait_for("6 saques");
    tui.press("n");
    tui.wait_for("Novo saque");
    tui.type_text("100,00");
    tui.wait_for("consultada há");
    let rest = tui.wait_awake(LENGTH);
    assert!(rest.ticks < 50, "a second at a time, and no faster: {rest:?}");
}
