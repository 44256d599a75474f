//! Signs of several characters, which terminals measure differently: here a flag has two cells.

use super::seller::{demo, make_link};
use super::support::place::Place;

#[test]
fn a_flag_leaves_nothing_on_the_screens_that_follow() {
    let place = Place::new();
    let mut tui = demo(&place);
    make_link(&mut tui, "Camisa 🇧🇷 Brasil");
    tui.wait_for("Camisa 🇧🇷 Brasil");
    tui.press("3");
    tui.wait_for("6 saques");
    let left = |sign: &str| tui.text().contains(sign);
    assert!(!left("🇧") && !left("🇷") && !left("Brasil"), "{}", tui.text());
    tui.press("1");
    tui.wait_for("Camisa 🇧🇷 Brasil");
}
