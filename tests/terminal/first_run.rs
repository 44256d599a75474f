//! Tests of the setup at the first start. They begin with an empty configuration and end with a
//! copied payment link.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::seller::{SUBMIT, accept_address, submit_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

fn start(home: &TestHome) -> Tui {
    Launch::new(home).start()
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
fn complete_other_pages(tui: &mut Tui) {
    tui.press("\r");
    tui.wait_for("3/5");
    tui.wait_for("documentado");
    tui.press("\r");
    tui.wait_for("4/5");
    // The in-memory vault is the last vault in the list. A kernel keyring may precede it.
    tui.wait_for("Credenciais");
    tui.wait_until("the vaults that work", |screen| {
        screen.contents().contains('‹')
    });
    if !tui.text().contains("‹ só na memória ›") {
        tui.press("\x1b[C");
        tui.wait_for("‹ só na memória ›");
    }
    tui.press("\r");
    tui.wait_for("5/5");
    tui.wait_for("loja-da-ana");
}

/// Logs in and pastes the JWT. The app then opens the form for the first payment link.
fn log_in_with_jwt(tui: &mut Tui, bank: &Bank) {
    submit_login(tui, bank.credentials());
    tui.wait_for("JWT dos links");
    tui.paste(&bank.jwt());
    tui.wait_for("••••••");
    tui.press(SUBMIT);
    tui.wait_for("Novo link de pagamento");
}

fn create_first_link(tui: &mut Tui) {
    tui.type_text("49,90");
    tui.wait_for("R$ 49,90");
    tui.type_text("\tBolo");
    tui.wait_for("Bolo");
    tui.press(SUBMIT);
    tui.wait_for("link-");
    tui.wait_for("Link criado e enviado à área de transferência");
    // The beginning of the escape sequence that copies a text, if the text begins with
    // "http://loja-da-". The text is in Base64.
    let sequence_start = b"\x1b]52;c;aHR0cDovL2xvamEtZGEt";
    tui.wait_for_output("the link", |bytes| {
        bytes
            .windows(sequence_start.len())
            .any(|at| at == sequence_start)
    });
}

/// Completes the whole setup. Then the login page opens.
pub fn complete_setup(tui: &mut Tui, bank: &Bank) {
    type_address(tui, bank);
    complete_other_pages(tui);
    tui.press("\r");
    tui.wait_for("E-mail");
}

fn quit(mut tui: Tui) {
    tui.quit();
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

#[test]
fn first_run_ends_with_a_copied_link() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = start(&home);
    complete_setup(&mut tui, &bank);
    tui.wait_for("balcão · loja-da-ana");
    let config = home.config_dir().join("config.toml");
    let written = fs::read_to_string(&config).unwrap();
    let expected = format!(
        "[profiles.loja-da-ana]\nbase-url = \"{}\"\nvault = \"memory\"\n",
        bank.url()
    );
    assert_eq!(written, expected);
    assert_eq!(
        fs::metadata(&config).unwrap().permissions().mode() & 0o777,
        0o600
    );
    log_in_with_jwt(&mut tui, &bank);
    create_first_link(&mut tui);
    quit(tui);
    // The setup must not appear at the next start, because it was completed. No vault stores the
    // agreement to the address, so the app asks for it.
    let mut tui = start(&home);
    accept_address(&mut tui);
    submit_login(&mut tui, bank.credentials());
    tui.wait_for("Você entrou na conta.");
    tui.wait_for("1 link");
    assert!(
        !tui.text().contains("Novo link de pagamento"),
        "{}",
        tui.text()
    );
    quit(tui);
}

#[test]
fn vault_flag_and_short_address_are_taken_over() {
    let home = TestHome::new();
    let bank = Bank::open();
    let mut tui = Launch::new(&home).args(&["--vault", "memory"]).start();
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
    quit(tui);
}

#[test]
fn redacted_setup_masks_the_name_that_is_typed() {
    let home = TestHome::new();
    let mut tui = Launch::new(&home).args(&["--redact"]).start();
    tui.wait_for("1/5");
    tui.type_text("Zulmira");
    tui.wait_for("•ra");
    tui.screen(|screen| assert!(!screen.contents().contains("Zulm")));
    quit(tui);
}

#[test]
fn interrupted_setup_resumes_and_file_keeps_comments() {
    let home = TestHome::new();
    let bank = Bank::open();
    let before = "# minhas cores\ntheme = 'mono' # de noite\n\n[links]\ncopy = true   # sempre\n";
    home.write_config("config.toml", before);
    let mut tui = start(&home);
    type_address(&mut tui, &bank);
    quit(tui);
    assert_eq!(
        fs::read_to_string(home.config_dir().join("config.toml")).unwrap(),
        before
    );
    let mut tui = start(&home);
    tui.wait_for("2/5");
    tui.wait_for(&bank.url());
    complete_other_pages(&mut tui);
    tui.press("\r");
    tui.wait_for("E-mail");
    let written = fs::read_to_string(home.config_dir().join("config.toml")).unwrap();
    assert!(written.starts_with(before), "{written}");
    assert!(written.contains("[profiles.loja-da-ana]"), "{written}");
    // Quit on the login page. At the next start, the login page must open again, and then the form
    // for the first payment link. The vault in memory has not kept the agreement to the address.
    quit(tui);
    let mut tui = start(&home);
    accept_address(&mut tui);
    log_in_with_jwt(&mut tui, &bank);
    create_first_link(&mut tui);
    quit(tui);
}

#[test]
fn address_with_password_is_not_sent_or_stored() {
    let home = TestHome::new();
    let mut tui = start(&home);
    tui.wait_for("1/5");
    tui.press("\r");
    tui.wait_for("2/5");
    tui.type_text("https://ana:canario@127.0.0.1");
    tui.wait_for("O endereço não pode levar usuário");
    tui.press("\r");
    tui.wait_for("2/5");
    quit(tui);
    let stored = fs::read_to_string(home.state_dir().join("first-run.toml")).unwrap();
    assert!(
        !stored.contains("canario") && stored.contains("loja"),
        "{stored}"
    );
}
