//! Tests that the output of a panic contains no secret. A child process panics, because a panic
//! hook affects the whole process.

use std::fs::{self, File};
use std::io::{self, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::process::Command;

use balcao::contract::FieldInput;
use balcao::runtime::environment_secrets::EnvironmentSecrets;
use balcao::runtime::terminal::{Device, TerminalGuard};
use balcao::service::LoggedIn;
use balcao::trade::{Secret, SecretField, VaultKind, Wall};
use balcao::vault::StoredCredential;

use crate::guarded_vault::guarded;
use crate::secrets::Wanted;
use crate::test_env::{PASSWORD, TestEnv};

/// The environment variable that contains a directory. The child process writes its output and its
/// secrets there.
const FOLDER: &str = "BALCAO_PANICS_IN";

/// A terminal backend that writes its output to a file.
struct OnPaper(File);

impl Write for OnPaper {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

impl Device for OnPaper {
    fn set_raw(&mut self, _: bool) -> io::Result<()> {
        Ok(())
    }
}

/// The entry point of the child process, which the test below starts. Does nothing in an ordinary
/// test run.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn as_a_child() {
    let Some(folder) = std::env::var_os(FOLDER) else { return };
    let folder = Path::new(&folder);
    let terminal = OnPaper(File::create(folder.join("terminal")).unwrap());
    let guard = TerminalGuard::enter(terminal, false).unwrap();
    guard.hook_panics();
    let mut env = TestEnv::new().await;
    env.is_demo = false;
    env.vault = guarded(VaultKind::Memory, |stored| match stored {
        None | Some("balcao/probe" | "balcao/text") => Ok(()),
        Some(credential) => panic!("the vault broke over {credential}"),
    });
    let mut app = env.open().await;
    app.wait_for("Só quer olhar?").await;
    app.type_text("ana@loja-da-ana.example").await;
    app.press("Enter").await;
    app.type_text(PASSWORD).await;
    app.press("Enter").await;
    app.wait_for_word("said-logged-in-for-run").await;
    let tokens = [env.control.api_token().unwrap(), env.control.jwt().unwrap()];
    fs::write(folder.join("secrets"), tokens.join("\n")).unwrap();
    // Panic while the app is logged in. The panic message contains the debug output of every type
    // that can contain a secret.
    let [token, jwt] = &tokens;
    let [one, two, three, four] = [PASSWORD, token, jwt, token].map(|it| Secret::new(it.into()));
    let mut field = SecretField::new();
    field.insert_text(PASSWORD);
    let logged_in = LoggedIn {
        identity: "ana".into(),
        token: two,
        at: Wall(0),
        expires: None,
        jwt: Some((three, None)),
    };
    let given = EnvironmentSecrets { token: Some(four), jwt: Some(Secret::new(jwt.clone())) };
    let stored = StoredCredential {
        identity: "ana@loja-da-ana.example".into(),
        secret: Secret::new(token.clone()),
        since: None,
        expires: None,
        note: None,
    };
    let all = (FieldInput::Secret(&one), field, logged_in, given, stored);
    let broken = catch_unwind(AssertUnwindSafe(|| panic!("the screen broke over {all:?}")));
    assert!(broken.is_err());
    app.close().await;
}

#[test]
fn panic_output_and_terminal_show_no_secret() {
    let folder = tempfile::tempdir().unwrap();
    let child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "panics::as_a_child", "--nocapture"])
        .env(FOLDER, folder.path())
        .env("RUST_BACKTRACE", "full")
        .output()
        .unwrap();
    let said = String::from_utf8(child.stderr).unwrap();
    assert!(child.status.success(), "{said}");
    // Check that the output contains both panic messages, with their values that are not secret.
    // Otherwise, this test would prove nothing.
    let vault = said.find("the vault broke over balcao/").expect("the vault's");
    let screen = said.find("the screen broke over (Secret").expect("the screen's");
    assert!(vault < screen, "in the order in which they came: {said}");
    assert!(said.contains("identity: \"ana@loja-da-ana.example\""), "{said}");
    let secrets = fs::read_to_string(folder.path().join("secrets")).unwrap();
    let wanted = Wanted::of(secrets.lines().chain([PASSWORD]));
    let terminal = fs::read(folder.path().join("terminal")).unwrap();
    assert!(!terminal.is_empty(), "it was taken over and given back");
    for bytes in [said.as_bytes(), &child.stdout, &terminal] {
        assert_eq!(wanted.found_in(bytes), None, "{said}");
    }
}
