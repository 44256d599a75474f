//! The program that was started to look only, as support staff do.

use super::seller::{at, type_login};
use super::support::bank::Bank;
use super::support::place::Place;

#[test]
fn it_says_so_and_opens_no_form() {
    let (place, bank) = (Place::new(), Bank::open());
    let mut tui = at(&place, &bank).args(&["--read-only"]).start();
    type_login(&mut tui, &bank);
    tui.wait_for("SÓ LEITURA");
    tui.press("3");
    tui.wait_for("Nenhum saque por aqui ainda");
    tui.press("n");
    tui.wait_for("abra sem --read-only");
    assert!(!tui.text().contains("Novo saque"), "{}", tui.text());
    tui.press("\x03");
    assert!(tui.wait_exit().success());
}
