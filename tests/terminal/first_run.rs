//! Tests of the setup at the first start. They begin with an empty configuration and end with a
//! copied payment link.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::seller::{SUBMIT, submit_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

fn start(place: &TestHome) -> Tui {
    Launch::new(place).start()
}

/// Completes the first page of the setup, and types the service address on the second page.
fn type_address(tui: &mut Tui, bank: &Bank) {
    tui.wait_for("Conectar ao seu serviço");
    tui.wait_for("1/5");
    tui.type_text("-da-ana");
    tui.wait_for("loja-da-ana");
    tui.press("\r");
    tui.wait_for("2/5");
    tui.type_text(&bank.url());
    // The app contacts the service while the address page is still open.
    tui.wait_for("Este computador respondeu em");
}

/// Completes the pages after the address page. Chooses the documented API contract and the
/// in-memory vault.
fn choose(tui: &mut Tui) {
    tui.press("\r");
    tui.wait_for("3/5");
    tui.wait_for("documentado");
    tui.press("\r");
    tui.wait_for("4/5");
    // The in-memory vault is the last vault in the list. A kernel keyring may precede it.
    tui.wait_for("Credenciais");
    tui.wait_until("the vaults that work", |screen| screen.contents().contains('‹'));
    if !tui.text().contains("‹ só na memória ›") {
        tui.press("\x1b[C");
        tui.wait_for("‹ só na memória ›");
    }
    tui.press("\r");
    tui.wait_for("5/5");
    tui.wait_for("loja-da-ana");
}

/// Logs in and pastes the JWT. Then the form for the first payment link opens.
fn enter(tui: &mut Tui, bank: &Bank) {
    submit_login(tui, bank.credentials());
    tui.wait_for("JWT dos links");
    tui.paste(&bank.jwt());
    tui.wait_for("••••••");
    tui.press(SUBMIT);
    tui.wait_for("Novo link de pagamento");
}

fn make(tui: &mut Tui) {
    tui.type_text("49,90");
    tui.wait_for("R$ 49,90");
    tui.type_text("\tBolo");
    tui.wait_for("Bolo");
    tui.press(SUBMIT);
    tui.wait_for("link-");
    tui.wait_for("Link criado e enviado à área de transferência");
    // The beginning of the escape sequence that copies a text, if the text begins with
    // "http://loja-da-". The text is in Base64.
    let copied = b"\x1b]52;c;aHR0cDovL2xvamEtZGEt";
    tui.wait_written("the link", |all| all.windows(copied.len()).any(|at| at == copied));
}

/// Completes the whole setup. Then the login page opens.
pub fn set_up(tui: &mut Tui, bank: &Bank) {
    type_address(tui, bank);
    choose(tui);
    tui.press("\r");
    tui.wait_for("E-mail");
}

fn leave(mut tui: Tui) {
    tui.leave();
    assert_eq!(tui.still_asked(), Vec::<&str>::new());
}

#[test]
fn from_nothing_to_a_link_that_was_copied() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = start(&place);
    set_up(&mut tui, &bank);
    tui.wait_for("balcão · loja-da-ana");
    let config = place.config().join("config.toml");
    let written = fs::read_to_string(&config).unwrap();
    let expected =
        format!("[profiles.loja-da-ana]\nbase-url = \"{}\"\nvault = \"memory\"\n", bank.url());
    assert_eq!(written, expected);
    assert_eq!(fs::metadata(&config).unwrap().permissions().mode() & 0o777, 0o600);
    enter(&mut tui, &bank);
    make(&mut tui);
    leave(tui);
    // The setup must not appear at the next start, because it was completed.
    let mut tui = start(&place);
    submit_login(&mut tui, bank.credentials());
    tui.wait_for("Você entrou na conta.");
    tui.wait_for("1 link");
    assert!(!tui.text().contains("Novo link de pagamento"), "{}", tui.text());
    leave(tui);
}

#[test]
fn vault_flag_and_short_address_are_taken_over() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let mut tui = Launch::new(&place).args(&["--vault", "memory"]).start();
    tui.wait_for("1/5");
    tui.press("\r");
    tui.wait_for("2/5");
    tui.type_text(bank.url().strip_prefix("http://").unwrap());
    tui.wait_for(&format!("Endereço completo: {}", bank.url()));
    tui.press("\r");
    tui.wait_for("3/5");
    tui.press("\r");
    tui.wait_for("‹ só na memória ›");
    tui.press("\r");
    tui.wait_for("5/5");
    tui.wait_for(&bank.url());
    leave(tui);
}

#[test]
fn redacted_setup_masks_the_name_that_is_typed() {
    let place = TestHome::new();
    let mut tui = Launch::new(&place).args(&["--redact"]).start();
    tui.wait_for("1/5");
    tui.type_text("Zulmira");
    tui.wait_for("•ra");
    tui.screen(|screen| assert!(!screen.contents().contains("Zulm")));
    leave(tui);
}

#[test]
fn interrupted_setup_resumes_and_file_keeps_comments() {
    let (place, bank) = (TestHome::new(), Bank::open());
    let before = "# minhas cores\ntheme = 'mono' # de noite\n\n[links]\ncopy = true   # sempre\n";
    place.configure("config.toml", before);
    let mut tui = start(&place);
    type_address(&mut tui, &bank);
    leave(tui);
    assert_eq!(fs::read_to_string(place.config().join("config.toml")).unwrap(), before);
    let mut tui = start(&place);
    tui.wait_for("2/5");
    tui.wait_for(&bank.url());
    choose(&mut tui);
    tui.press("\r");
    tui.wait_for("E-mail");
    let written = fs::read_to_string(place.config().join("config.toml")).unwrap();
    assert!(written.starts_with(before), "{written}");
    assert!(written.contains("[profiles.loja-da-ana]"), "{written}");
    // Quit on the login page. At the next start, the login page must open again, and then the form
    // for the first payment link.
    leave(tui);
    let mut tui = start(&place);
    enter(&mut tui, &bank);
    make(&mut tui);
    leave(tui);
}

#[test]
fn address_with_password_is_not_sent_or_stored() {
    let place = TestHome::new();
    let mut tui = start(&place);
    tui.wait_for("1/5");
    tui.press("\r");
    tui.wait_for("2/5");
    tui.type_text("https://ana:canario@127.0.0.1");
    tui.wait_for("O endereço não pode levar usuário");
    tui.press("\r");
    tui.wait_for("2/5");
    leave(tui);
    let kept = fs::read_to_string(place.state().join("first-run.toml")).unwrap();
    assert!(!kept.contains("canario") && kept.contains("loja"), "{kept}");
}
