//! The program on a screen that others see.

use super::seller::{SUBMIT, at};
use super::support::bank::Bank;
use super::support::place::Place;
use balcao::trade::personal::masked_typing;

#[test]
fn the_login_is_masked_while_it_is_typed_and_shown_again_by_the_palette() {
    let (place, bank) = (Place::new(), Bank::open());
    let (email, password) = bank.credentials();
    let mut tui = at(&place, &bank).args(&["--redact"]).start();
    tui.wait_for("MASCARADO");
    tui.wait_for("E-mail");
    tui.type_text(&email);
    tui.wait_for(&masked_typing(&email));
    tui.type_text("\t");
    tui.type_text(&password);
    tui.wait_for(&"•".repeat(password.chars().count()));
    tui.press(SUBMIT);
    tui.wait_for("Você entrou na conta.");
    tui.press("6");
    tui.wait_for("Token da API");
    assert!(!tui.text().contains(&email), "{}", tui.text());
    tui.press(":");
    tui.type_text("mostrar os dados");
    tui.wait_for("Mostrar os dados pessoais na tela");
    tui.press("\r");
    tui.wait_for(&email);
    tui.press("\x03");
    assert!(tui.wait_exit().success());
}
