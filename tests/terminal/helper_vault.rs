//! Tests of the vault that uses a helper command, which is the seller's own program for storing
//! credentials.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use balcao::contract::Contract;
use balcao::runtime::world::{ContractConsent, ProfileVault};
use balcao::sandbox::{Options, Scene};
use balcao::service::{BaseUrl, Limits};
use balcao::vault::{HelperCommand, VaultHandle};
use serde_json::Value;
use tokio::runtime::Runtime;

use super::seller::{
    SUBMIT, create_link, discard_form, paste_jwt, submit_login, type_login, type_withdrawal,
};
use super::support::bank::Bank;
use super::support::in_play::PASSWORD;
use super::support::place::TestHome;
use super::support::pty::{Launch, Tui};
use super::support::run::program;

/// A helper command for tests. It stores each entry in a file, and records its arguments and
/// environment.
///
/// If a file named `full` exists, it refuses to store credentials. If a file named `hangs` exists,
/// it does not respond.
const HELPER: &str = r#"#!/bin/sh
PATH=/usr/bin:/bin
HERE=${0%/*}
echo "$@" >>"$HERE/seen"
env >>"$HERE/seen"
[ ! -e "$HERE/hangs" ] || exec sleep 300
file() { echo "$HERE/entry-$(printf %s "$1" | cksum | tr ' ' -)"; }
case $1 in
store)
    all=$(cat) place=${all#*'"ServerURL":"'}
    place=${place%%'"'*}
    case $place in
    */api-token | */jwt) [ ! -e "$HERE/full" ] || { echo 'disk full' >&2; exit 1; } ;;
    esac
    printf %s "$all" >"$(file "$place")"
    ;;
get) cat "$(file "$(cat)")" 2>/dev/null || { echo 'credentials not found'; exit 1; } ;;
erase) rm "$(file "$(cat)")" 2>/dev/null || { echo 'credentials not found'; exit 1; } ;;
esac
"#;

/// The directory of a helper command. A profile uses this command as its vault.
pub struct Helper {
    pub folder: PathBuf,
}

impl Helper {
    pub fn of(home: &TestHome, bank: &Bank) -> Helper {
        Helper::at(home, &bank.url(), "")
    }

    /// Like [`Helper::of`], but with another service address, and with additional configuration
    /// lines for the profile.
    pub fn at(home: &TestHome, url: &str, more: &str) -> Helper {
        let helper = Helper {
            folder: home.home_dir().join("helper"),
        };
        fs::create_dir(&helper.folder).unwrap();
        // Let a shell write the script, because Linux does not execute a file that is open for
        // writing. If this process wrote it, processes of other tests could inherit the open file.
        let write = ["-c", "printf %s \"$1\" >\"$0\" && /bin/chmod 755 \"$0\""];
        let path = helper.folder.join("keeps");
        let mut shell = program("/bin/sh", home, &write);
        assert!(shell.arg(&path).arg(HELPER).status().unwrap().success());
        let config = format!(
            "[profiles.loja]\nbase-url = '{url}'\nvault-helper = '{}'\n{more}",
            path.display()
        );
        home.write_config("config.toml", &config);
        agree_to_origin(home, url, &path);
        helper
    }

    /// Returns the number of stored credentials.
    pub fn entry_count(&self) -> usize {
        let paths = fs::read_dir(&self.folder)
            .unwrap()
            .map(|entry| entry.unwrap().path());
        let is_entry = |path: &PathBuf| path.to_string_lossy().contains("/entry-");
        let entries = paths
            .filter(is_entry)
            .map(|path| fs::read_to_string(path).unwrap());
        let is_credential = |entry: &String| entry.contains("/api-token") || entry.contains("/jwt");
        entries.filter(is_credential).count()
    }
}

/// Stores the seller's agreement to the origin of the service, as an earlier login has left it.
fn agree_to_origin(home: &TestHome, url: &str, command: &Path) {
    let origin = BaseUrl::parse(url).unwrap().origin().clone();
    let variables = home.environment();
    let variable = |name| {
        let found = variables.iter().find(|(other, _)| *other == name);
        found.map(|(_, value)| value.clone().into_os_string())
    };
    let command = HelperCommand::new(command.to_str().unwrap(), variable).unwrap();
    let vault = ProfileVault::new("loja", &origin, VaultHandle::helper(command));
    let contract = Arc::new(Contract::built_in().with_base_url(&origin.0));
    let consent = ContractConsent::new(vault, contract, Limits::default());
    Runtime::new()
        .unwrap()
        .block_on(consent.agree_to_all())
        .unwrap();
}

/// The arguments with which a seller types the address of the service.
fn typed<'a>(url: &'a str, args: &[&'a str]) -> Vec<&'a str> {
    [&["--profile", "loja", "--base-url", url], args].concat()
}

fn start(home: &TestHome, args: &[&str]) -> Tui {
    Launch::new(home).args(args).start()
}

/// Quits while a form contains text. The first Ctrl-C only warns, and the second quits.
fn quit_from_form(mut tui: Tui) {
    tui.press("\x03");
    tui.wait_for("Ctrl-C de novo também sai");
    tui.quit();
}

/// Starts a sandbox (the "bank"). Its password occurs nowhere else, so that tests can search for
/// it. Also returns the file that contains the sandbox's state.
pub fn start_bank(home: &TestHome) -> (Bank, PathBuf) {
    let file = home.home_dir().join("bank.json");
    let scene = Scene {
        password: PASSWORD.into(),
        ..Scene::default()
    };
    (
        Bank::with(Options {
            data_file: Some(file.clone()),
            scene,
            ..Options::default()
        }),
        file,
    )
}

/// Returns the newest API token that the sandbox has issued.
pub fn newest_token(file: &Path) -> String {
    let state: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    let tokens = state["bank"]["tokens"].as_array().expect("tokens");
    let token = tokens
        .iter()
        .rfind(|token| token["credential"] == "api_token");
    token
        .and_then(|token| token["text"].as_str())
        .expect("a token")
        .to_owned()
}

#[test]
fn login_is_stored_by_command_and_nowhere_else() {
    let home = TestHome::new();
    let (bank, file) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    let mut tui = start(&home, &["--vault", "helper"]);
    type_login(&mut tui, &bank);
    paste_jwt(&mut tui, &bank);
    tui.wait_for("fica com o comando que você configurou");
    create_link(&mut tui, "Bolo");
    tui.press("\x1b");
    tui.wait_for("1 link");
    type_withdrawal(&mut tui);
    quit_from_form(tui);
    // `--vault` is not needed, because the app remembers the vault of the last login.
    let mut tui = start(&home, &[]);
    tui.press("6");
    tui.wait_for("fica com o comando que você configurou");
    tui.wait_for("● sessão ativa");
    let secrets = [newest_token(&file), bank.jwt(), bank.credentials().1];
    tui.quit();

    // Check that the important files exist. Dropping `home` searches all files for secrets, which
    // would prove nothing without these files.
    assert!(home.state_dir().join("journal/history.db").exists());
    let seen = fs::read_to_string(helper.folder.join("seen")).unwrap();
    assert!(seen.contains("store\n") && seen.contains("PATH="), "{seen}");
    // Check that the search can find secrets. The helper's entries must contain the token and the
    // JWT in Base64.
    let paths = fs::read_dir(&helper.folder)
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let entries = paths.filter(|path| !path.ends_with("seen") && !path.ends_with("keeps"));
    let entries: String = entries
        .map(|path| fs::read_to_string(path).unwrap())
        .collect();
    let is_stored_in_base64 = |secret: &str| {
        let decoded = entries.split('"').filter_map(|text| {
            use base64::prelude::{BASE64_STANDARD, Engine};
            BASE64_STANDARD.decode(text).ok()
        });
        decoded
            .into_iter()
            .any(|bytes| String::from_utf8_lossy(&bytes).contains(secret))
    };
    assert!(
        is_stored_in_base64(&secrets[0])
            && is_stored_in_base64(&secrets[1])
            && !is_stored_in_base64(&secrets[2])
    );
}

#[test]
fn unstored_login_lasts_for_the_run_and_is_retried() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    fs::write(helper.folder.join("full"), "").unwrap();
    let mut tui = start(&home, &["--vault", "helper"]);
    submit_login(&mut tui, bank.credentials());
    tui.wait_for("não deu para guardar o acesso");
    tui.press("6");
    tui.wait_for("não será guardado: o comando informou um erro");
    tui.wait_for("não foi guardado: vale só até você fechar o balcão");
    // Scroll down to the helper's error message, which is below the credentials.
    tui.press("jjjjjjjj");
    tui.wait_for("disk full");
    assert_eq!(helper.entry_count(), 0);
    // The app can use the credentials until it exits, although they were not stored.
    type_withdrawal(&mut tui);
    discard_form(&mut tui, "Novo saque");
    fs::remove_file(helper.folder.join("full")).unwrap();
    tui.press("6");
    tui.wait_for("não foi guardado");
    tui.press("r");
    tui.wait_for("fica com o comando que você configurou");
    assert_eq!(helper.entry_count(), 1);
    tui.quit();
}

#[test]
fn hanging_command_is_shown_early_and_retried_by_key() {
    let home = TestHome::new();
    let (bank, _) = start_bank(&home);
    let helper = Helper::of(&home, &bank);
    fs::write(helper.folder.join("hangs"), "").unwrap();
    let mut tui = start(&home, &typed(&bank.url(), &["--vault", "helper"]));
    tui.wait_for("não será guardado: o comando não respondeu");
    tui.type_text("ana@loja.example\tsenha");
    tui.press(SUBMIT);
    tui.wait_for("Sem chaveiro");
    tui.press("\r");
    fs::remove_file(helper.folder.join("hangs")).unwrap();
    tui.wait_until_gone("Sem chaveiro");
    quit_from_form(tui);
    let mut tui = start(&home, &["--vault", "helper"]);
    type_login(&mut tui, &bank);
    assert_eq!(helper.entry_count(), 1);
    tui.quit();
}

#[test]
fn missing_command_is_reported_without_replacement() {
    let home = TestHome::new();
    let bank = Bank::open();
    let tui = start(&home, &["--vault", "helper", "--base-url", &bank.url()]);
    assert_eq!(tui.wait_exit().exit_code(), 2);
    assert!(tui.text().contains("vault-helper"), "{}", tui.text());
    let profile = format!(
        "[profiles.loja]\nbase-url = '{}'\nvault = 'helper'\n",
        bank.url()
    );
    for (command, message) in [("keeps --now", None), ("./keeps", Some("caminho completo"))] {
        home.write_config(
            "config.toml",
            &format!("{profile}vault-helper = '{command}'\n"),
        );
        let mut tui = start(&home, &typed(&bank.url(), &[]));
        match message {
            Some(message) => {
                assert_eq!(tui.wait_exit().exit_code(), 2);
                assert!(
                    tui.text().replace('\n', " ").contains(message),
                    "{}",
                    tui.text()
                );
            }
            // The app treats the configured command as a single name with a space in it. It does
            // not split the name as a shell would, so it finds no such command.
            None => {
                tui.wait_for("não será guardado: falta o comando configurado");
                tui.quit();
            }
        }
    }
}
