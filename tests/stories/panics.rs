//! Tests that the output of a panic contains no secret. A child process panics, because a panic
//! hook affects the whole process.

use std::fs::{self, File};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

use balcao::contract::FieldInput;
use balcao::runtime::display_environment::DisplayEnvironment;
use balcao::runtime::environment_secrets::EnvironmentSecrets;
use balcao::runtime::log::{Level, Log};
use balcao::runtime::terminal::{Device, TerminalGuard};
use balcao::service::LoggedIn;
use balcao::trade::{Secret, SecretField, VaultKind, Wall};
use balcao::vault::StoredCredential;

use crate::guarded_vault::open_guarded_vault;
use crate::secrets::SecretSearch;
use crate::test_env::{PASSWORD, TestEnv};

/// The environment variable with the path of a directory. The child process writes its output and
/// its secrets to this directory.
const FOLDER_VARIABLE: &str = "BALCAO_PANICS_IN";

/// A terminal backend that writes its output to a file.
struct FileTerminal(File);

impl Write for FileTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Device for FileTerminal {
    fn set_raw(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }
}

/// The entry point of the child process, which the test below starts. Does nothing in an ordinary
/// test run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_a_child() {
    let Some(folder) = std::env::var_os(FOLDER_VARIABLE) else {
        return;
    };
    let folder = Path::new(&folder);
    let terminal = FileTerminal(File::create(folder.join("terminal")).unwrap());
    let guard = TerminalGuard::enter(terminal, false).unwrap();
    let log = Log::new(Level::Error, folder, DisplayEnvironment::default());
    guard.install_panic_hook(log);
    let mut env = TestEnv::new().await;
    env.is_demo = false;
    env.vault = open_guarded_vault(VaultKind::Memory, |stored| match stored {
        None | Some("balcao/probe" | "balcao/text") => Ok(()),
        Some(credential) => panic!("the vault broke over {credential}"),
    });
    let mut app = env.open().await;
    app.submit_login().await;
    app.wait_for_localized("said-logged-in-for-run").await;
    let tokens = [env.control.api_token().unwrap(), env.control.jwt().unwrap()];
    fs::write(folder.join("secrets"), tokens.join("\n")).unwrap();
    // Panic while the app is logged in. The panic message contains the debug output of every type
    // that can contain a secret.
    let [token, jwt] = &tokens;
    let [password, login_token, login_jwt, environment_token] =
        [PASSWORD, token, jwt, token].map(|secret| Secret::new(secret.into()));
    let mut field = SecretField::new();
    field.insert_text(PASSWORD);
    let logged_in = LoggedIn {
        identity: "ana".into(),
        token: login_token,
        at: Wall(0),
        expires: None,
        jwt: Some((login_jwt, None)),
    };
    let environment = EnvironmentSecrets {
        token: Some(environment_token),
        jwt: Some(Secret::new(jwt.clone())),
        team_password: None,
    };
    let stored = StoredCredential {
        identity: "ana@loja-da-ana.example".into(),
        secret: Secret::new(token.clone()),
        since: None,
        expires: None,
        note: None,
    };
    let values = (
        FieldInput::Secret(&password),
        field,
        logged_in,
        environment,
        stored,
    );
    let result = catch_unwind(AssertUnwindSafe(|| {
        panic!("the screen broke over {values:?}")
    }));
    assert!(result.is_err());
    app.close().await;
}

#[test]
fn panic_output_and_terminal_show_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "panics::as_a_child", "--nocapture"])
        .env(FOLDER_VARIABLE, folder.path())
        .env("RUST_BACKTRACE", "full")
        .output()
        .unwrap();
    let stderr = String::from_utf8(child.stderr).unwrap();
    assert!(child.status.success(), "{stderr}");
    // Check that the output contains both panic messages, and a value in them that is not secret.
    // Otherwise, this test would prove nothing.
    let vault = stderr
        .find("the vault broke over balcao/")
        .expect("the vault's");
    let screen = stderr
        .find("the screen broke over (Secret")
        .expect("the screen's");
    assert!(vault < screen, "in the order in which they came: {stderr}");
    assert!(
        stderr.contains("identity: \"ana@loja-da-ana.example\""),
        "{stderr}"
    );
    let secrets = fs::read_to_string(folder.path().join("secrets")).unwrap();
    let secret_search = SecretSearch::new(secrets.lines().chain([PASSWORD]));
    let terminal = fs::read(folder.path().join("terminal")).unwrap();
    assert!(!terminal.is_empty(), "it was taken over and given back");
    // The log has the places of both panics, and nothing of their messages.
    let log = fs::read_to_string(folder.path().join("balcao.log")).unwrap();
    let places: Vec<_> = log
        .lines()
        .filter_map(|line| line.split_once(" at="))
        .collect();
    assert_eq!(places.len(), 2, "{log}");
    for (_, place) in places {
        assert!(place.starts_with("tests/stories/panics.rs:"), "{log}");
    }
    for bytes in [stderr.as_bytes(), &child.stdout, &terminal, log.as_bytes()] {
        assert_eq!(secret_search.find_in(bytes), None, "{stderr}");
    }
}
