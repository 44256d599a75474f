//! Credentials from the environment: used, never stored, and inherited by nobody.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use super::seller::{SUBMIT, make_link};
use super::support::bank::Bank;
use super::support::place::Place;
use super::support::pty::Launch;
use super::support::run;

/// A token like no other text.
const CANARY: &str = "canary-7Qx-4410-token";

/// The app with both credentials in its environment.
fn launch(place: &Place, bank: &Bank) -> Launch {
    let launch = Launch::new(place).args(&["--base-url", &bank.url(), "--vault", "env"]);
    let launch = launch.env("BALCAO_TOKEN", CANARY).env("BALCAO_JWT", &bank.jwt());
    launch.env("BALCAO_LOGIN", "ana@loja.example")
}

#[test]
fn a_login_is_refused_and_says_where_the_credentials_come_from() {
    let (place, bank) = (Place::new(), Bank::open());
    let mut tui = launch(&place, &bank).size(100, 34).start();
    tui.press("6");
    tui.wait_for("vem do ambiente (BALCAO_TOKEN); nada é guardado");
    tui.wait_for("ana@loja.example");
    tui.press("L");
    tui.wait_for("Senha");
    tui.type_text("senha");
    tui.wait_for("•••••");
    tui.press(SUBMIT);
    tui.wait_for("As credenciais vêm do ambiente");
    tui.press("\x1b");
    tui.wait_for("[ Continuar editando ]");
    tui.press("\t");
    tui.wait_for("[ Descartar e sair ]");
    tui.press("\r");
    tui.wait_gone("Senha");
    tui.press("O");
    tui.wait_for("Sair da conta?");
    tui.press("\t");
    tui.wait_for("[ Sair da conta ]");
    tui.press("\r");
    tui.wait_for("aqui nada é guardado nem apagado");
    assert_eq!(bank.ledger().payouts.len(), 0);
    tui.press("\x03");
    assert!(tui.wait_exit().success());
    assert!(!place.state().join("vaults.toml").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn neither_the_program_nor_its_children_have_the_secrets_in_their_environment() {
    let (place, bank) = (Place::new(), Bank::open());
    let (script, copied) = (place.bin().join("wl-copy"), place.home().join("copied"));
    let text = format!(
        "#!/bin/sh\n/bin/cat >{0}\n/usr/bin/env >{0}.env\n/bin/cat /dev/fd/3 /dev/fd/4 /dev/fd/5 \
         >{0}.fds 2>/dev/null\n: >{0}.done\n",
        copied.display()
    );
    fs::write(&script, text).unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    let mut tui = launch(&place, &bank).env("WAYLAND_DISPLAY", "wayland-0").start();
    tui.wait_for("1 Links");
    let environment = fs::read(format!("/proc/{}/environ", tui.process())).unwrap();
    let arguments = fs::read(format!("/proc/{}/cmdline", tui.process())).unwrap();
    make_link(&mut tui, "Bolo");
    tui.wait_for("copiado");
    tui.press("\x03");
    assert!(tui.wait_exit().success());
    let of_child = fs::read(place.home().join("copied.env")).unwrap();
    let pipes = fs::read(place.home().join("copied.fds")).unwrap_or_default();
    assert!(String::from_utf8_lossy(&of_child).contains("BALCAO_LOGIN=ana@loja.example"));
    assert!(String::from_utf8_lossy(&environment).contains("BALCAO_LOGIN=ana@loja.example"));
    for bytes in [environment, arguments, of_child, pipes] {
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains(CANARY) && !text.contains(&bank.jwt()), "{text}");
        assert!(!text.contains("BALCAO_TOKEN") && !text.contains("BALCAO_JWT"), "{text}");
    }
}

#[test]
fn what_is_no_token_or_nobodys_is_refused_and_never_quoted() {
    let place = Place::new();
    let args = ["--base-url", "https://api.example", "--vault", "env"];
    let long = "x".repeat(16 * 1024 + 1);
    let lines = format!("{CANARY}\n{CANARY}");
    for (value, said) in [
        (CANARY, "Ponha em BALCAO_LOGIN a conta dele"),
        (&*lines, "BALCAO_TOKEN não é um token"),
        (&*long, "BALCAO_TOKEN não é um token"),
    ] {
        // It complains before it looks at the terminal only where the value itself is wrong.
        let tui = Launch::new(&place).args(&args).env("BALCAO_TOKEN", value).start();
        assert_eq!(tui.wait_exit().exit_code(), 2);
        let text = tui.text().replace('\n', " ");
        assert!(text.contains(said), "{text}");
        assert!(!text.contains(CANARY) && !text.contains("xxxx"), "{text}");
    }
    // Where another vault is used, they are taken away all the same, and the help is printed.
    let mut command = run::command(&place, &["--version"]);
    let output = command.env("BALCAO_TOKEN", CANARY).output().unwrap();
    assert!(output.status.success(), "{output:?}");
}
