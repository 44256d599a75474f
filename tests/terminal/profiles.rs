//! Tests of switching profiles while the app is running. Each profile has its own service and
//! login.

use balcao::sandbox::{Options, Scene};

use super::seller::{accept_address, paste_jwt, submit_login, type_login};
use super::support::bank::Bank;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};

/// Configures two profiles with separate services, and a third profile. The service of the third is
/// never contacted.
fn configure_profiles(home: &TestHome) -> (Bank, Bank) {
    let scene = Scene {
        email: "bia@loja.example".into(),
        ..Scene::default()
    };
    let a = Bank::open();
    let b = Bank::with(Options {
        scene,
        ..Options::default()
    });
    let config = format!(
        "profile = 'loja-a' # a primeira\n[profiles.loja-a]\nbase-url = '{}'\n\
         [profiles.loja-b]\nbase-url = '{}'\n[profiles.torta]\nbase-url = 'http://x.example'\n",
        a.url(),
        b.url()
    );
    home.write_config("config.toml", &config);
    (a, b)
}

/// Starts the app with the first profile, whose address the seller types.
fn start(home: &TestHome, bank: &Bank) -> Tui {
    let url = bank.url();
    let args = [
        "--vault",
        "memory",
        "--profile",
        "loja-a",
        "--base-url",
        &url,
    ];
    Launch::new(home).args(&args).start()
}

/// Switches to another profile through the command palette.
fn switch_profile(tui: &mut Tui, name: &str) {
    tui.press("\x0b");
    tui.wait_for("O que dá para fazer agora");
    tui.type_text(&format!("perfil {name}"));
    tui.wait_for(&format!("Perfil: {name}"));
    tui.press("\r");
}

/// Confirms the switch to another profile, which makes the app forget the current login.
fn confirm_switch(tui: &mut Tui) {
    tui.wait_for("[ Ficar neste perfil ]");
    tui.press("\t");
    tui.wait_for("[ Trocar de perfil ]");
    tui.press("\r");
}

#[test]
fn profile_has_its_own_service_login_and_header() {
    let home = TestHome::new();
    let (a, b) = configure_profiles(&home);
    let mut requests = b.control().subscribe_requests();
    let mut tui = start(&home, &a);
    tui.wait_for("balcão · loja-a");
    tui.wait_for("◆ CONTA REAL");
    type_login(&mut tui, &a);
    paste_jwt(&mut tui, &a);
    let ana = a.credentials().0;
    tui.wait_for(&ana);
    switch_profile(&mut tui, "loja-b");
    tui.wait_for("será esquecido");
    confirm_switch(&mut tui);
    tui.wait_for("balcão · loja-b");
    // The address of the second profile was not typed.
    accept_address(&mut tui);
    assert!(!tui.text().contains("loja-a"), "{}", tui.text());
    assert!(
        requests.try_recv().is_err(),
        "nothing of the first login went to the second service"
    );
    submit_login(&mut tui, b.credentials());
    tui.wait_for("Você entrou na conta.");
    tui.press("6");
    tui.wait_for("bia@loja.example");
    assert!(!tui.text().contains(&ana), "{}", tui.text());
    switch_profile(&mut tui, "loja-a");
    confirm_switch(&mut tui);
    tui.wait_for("balcão · loja-a");
    // The login page opens again, because the login was stored only in memory.
    tui.wait_for("E-mail");
    tui.quit();
    assert_eq!(tui.active_modes(), Vec::<&str>::new());
}

#[test]
fn chosen_theme_can_be_saved_after_a_switch() {
    let home = TestHome::new();
    let (a, _b) = configure_profiles(&home);
    let mut tui = start(&home, &a);
    tui.wait_for("E-mail");
    tui.press("\x0b");
    tui.type_text("tema claro\r");
    tui.wait_for("Salvar tema e idioma");
    tui.press("\x1b");
    tui.wait_until_gone("O que dá para fazer agora");
    switch_profile(&mut tui, "loja-b");
    tui.wait_for("balcão · loja-b");
    tui.press("\x0b");
    tui.type_text("tema");
    tui.wait_for("em uso");
    tui.type_text(" salvar");
    tui.wait_for("Salvar tema e idioma");
    tui.press("\r");
    tui.wait_for("Tema e idioma salvos");
    let config = std::fs::read_to_string(home.config_dir().join("config.toml")).unwrap();
    assert!(config.contains("theme = \"light\""), "{config}");
    tui.quit();
}

#[test]
fn start_address_and_secrets_stay_with_first_profile() {
    let home = TestHome::new();
    let (a, b) = configure_profiles(&home);
    let token = b.control().api_token().expect("a token");
    let launch = Launch::new(&home).args(&["--vault", "env", "--base-url", &a.url()]);
    let launch = launch
        .env("BALCAO_TOKEN", &token)
        .env("BALCAO_LOGIN", "bia@loja.example");
    let launch = launch.env("BALCAO_ORIGIN", &a.url());
    let mut tui = launch.start();
    tui.wait_for("○ falta o JWT");
    let mut requests = b.control().subscribe_requests();
    // The first profile's credentials are not used, because the second profile has its own vault,
    // which is empty.
    switch_profile(&mut tui, "loja-b");
    tui.wait_for("balcão · loja-b");
    tui.wait_for("Endereço do serviço: confira antes de usar");
    tui.press("\x1b");
    tui.wait_until_gone("Endereço do serviço: confira antes de usar");
    tui.press("6");
    tui.wait_for("sem login");
    assert!(!tui.text().contains("bia@loja.example"), "{}", tui.text());
    assert!(requests.try_recv().is_err());
    tui.quit();
}
