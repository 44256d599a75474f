use std::fs::{self, File};
use std::io::Read;
use std::sync::Arc;

use tokio::sync::watch;

use super::*;
use crate::trade::{CredentialKind, CredentialName, Origin, Secret};
use crate::vault::{StoredCredential, Vault};

/// The secret token in all tests of this file.
const TOKEN: &str = "s3cr3t-\"ç\\-canary";

/// A time limit that even a slow machine does not reach.
const LONG_LIMIT: Duration = Duration::from_secs(60);

/// A command that follows the protocol. It stores each entry in a file next to the script.
const STORING_SCRIPT: &str = r#"
file() { echo "$HERE/entry-$(printf %s "$1" | cksum | tr ' ' -)"; }
case $1 in
store) all=$(cat); place=${all#*'"ServerURL":"'}; printf %s "$all" > "$(file "${place%%'"'*}")" ;;
get) cat "$(file "$(cat)")" 2>/dev/null || {
    echo "credentials not found in native keychain"
    exit 1
} ;;
erase) rm "$(file "$(cat)")" 2>/dev/null || { echo "no such entry" >&2; exit 1; } ;;
esac"#;

/// Creates a directory with a shell script that is used as the vault command. In the script,
/// `$HERE` is the directory.
///
/// A child process writes the script, because Linux does not execute a file that this process has
/// open for writing.
fn create_command(script: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let script = format!("#!/bin/sh\nHERE=${{0%/*}}\n{script}\n");
    let mut shell = std::process::Command::new("sh");
    shell.args(["-c", "printf %s \"$1\" > \"$0\" && chmod 755 \"$0\""]);
    assert!(
        shell
            .arg(folder.path().join("keeps"))
            .arg(script)
            .status()
            .unwrap()
            .success()
    );
    folder
}

fn is_passed(name: &str) -> bool {
    PASSED_VARIABLES.split(' ').any(|known| known == name)
}

/// A fake environment with a few common variables and some that contain secrets.
fn variable(name: &str) -> Option<OsString> {
    match name {
        "GPG_TTY" => Some("/dev/tty9".into()),
        "LANG" => Some("pt_BR.UTF-8".into()),
        "PATH" => std::env::var_os("PATH"),
        _ if is_passed(name) => None,
        _ => Some(TOKEN.into()),
    }
}

fn command_in(folder: &Path) -> HelperCommand {
    let path = folder.join("keeps");
    HelperCommand::new(path.to_str().unwrap(), variable).expect("a path")
}

fn vault(folder: &Path) -> Box<dyn Vault> {
    Box::new(Helper::new(command_in(folder), RunningCall::default()))
}

fn name() -> CredentialName {
    let origin = Origin("https://pay.example".into());
    CredentialName {
        profile: "loja/ç".into(),
        origin,
        kind: CredentialKind::ApiToken,
    }
}

fn credential() -> Arc<StoredCredential> {
    Arc::new(StoredCredential {
        identity: "ana".into(),
        secret: Secret::new(TOKEN.into()),
        expires: None,
        since: None,
        note: None,
    })
}

/// The content of a file that the script wrote.
fn read_file(folder: &tempfile::TempDir, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap_or_default()
}

fn helper_failed(error: &str) -> VaultTrouble {
    VaultTrouble::HelperFailed(error.into())
}

#[test]
fn helper_stores_and_removes_credentials_and_texts() {
    let folder = create_command(STORING_SCRIPT);
    let mut vault = vault(folder.path());
    assert_eq!(vault.probe(), Ok(()));
    assert!(vault.get(&name()).unwrap().is_none());
    vault.put(&name(), &credential()).unwrap();
    vault.put(&name(), &credential()).unwrap();
    let stored = vault.get(&name()).unwrap().expect("kept");
    assert_eq!((stored.secret.expose(), &*stored.identity), (TOKEN, "ana"));
    let jwt_name = CredentialName {
        kind: CredentialKind::Jwt,
        ..name()
    };
    assert!(vault.get(&jwt_name).unwrap().is_none());

    assert_eq!(vault.get_text("journal a"), Ok(None));
    vault.put_text("journal a", "/srv/ana\n x/journal").unwrap();
    assert_eq!(
        vault.get_text("journal a"),
        Ok(Some("/srv/ana\n x/journal".into()))
    );
    assert_eq!(vault.get_text("journal"), Ok(None));
    let text = "ç\n\"".repeat(5_000);
    vault.put_text("contract", &text).unwrap();
    assert_eq!(vault.get_text("contract"), Ok(Some(text)));

    for _ in 0..2 {
        vault.delete(&name()).unwrap();
        vault.delete_text("journal a").unwrap();
        vault.delete_text("contract").unwrap();
    }
    assert!(vault.get(&name()).unwrap().is_none());
    assert_eq!(
        fs::read_dir(folder.path()).unwrap().count(),
        1,
        "nothing but the helper is left"
    );
}

#[test]
fn secret_is_passed_only_on_standard_input() {
    let script =
        format!("echo \"$@\" >> $HERE/args; env >> $HERE/env; pwd >> $HERE/env\n{STORING_SCRIPT}");
    let folder = create_command(&script);
    vault(folder.path()).put(&name(), &credential()).unwrap();
    assert_eq!(read_file(&folder, "args"), "store\n");
    let env = read_file(&folder, "env");
    assert!(
        env.contains("LANG=pt_BR.UTF-8") && env.ends_with("/\n"),
        "{env}"
    );
    assert!(!env.contains("GPG_TTY") && !env.contains(TOKEN), "{env}");
    let names = env
        .lines()
        .filter_map(|line| line.split_once('='))
        .map(|(name, _)| name);
    // Ignore the variables that the shell adds itself.
    let shell_variables = ["PWD", "OLDPWD", "SHLVL", "_"];
    let unexpected = names.filter(|name| !is_passed(name) && !shell_variables.contains(name));
    assert_eq!(unexpected.collect::<Vec<_>>(), [""; 0]);
}

#[test]
fn command_is_an_absolute_path_or_found_in_path() {
    for invalid in [
        "", "./keeps", "a/keeps", "../keeps", "-keeps", ".keeps", "keeps\n",
    ] {
        assert_eq!(HelperCommand::new(invalid, variable), None, "{invalid:?}");
    }
    let folder = create_command(STORING_SCRIPT);
    let find_program = |path: &str| {
        let variable = |name: &str| (name == "PATH").then(|| path.into());
        HelperCommand::new("keeps", variable).unwrap().program()
    };
    let directory = folder.path().to_str().unwrap();
    assert_eq!(
        find_program(&format!("bin::{directory}")),
        Some(folder.path().join("keeps"))
    );
    let second_folder = create_command(STORING_SCRIPT);
    let two_directories = format!("{directory}:{}", second_folder.path().display());
    assert_eq!(
        find_program(&two_directories),
        Some(folder.path().join("keeps")),
        "the first one counts"
    );
    // Build a relative path to the script. It must be rejected, because it depends on the working
    // directory.
    let parents = std::env::current_dir()
        .unwrap()
        .components()
        .skip(1)
        .map(|_| "../")
        .collect::<String>();
    let relative = format!("{parents}{}", &directory[1..]);
    assert!(Path::new(&relative).join("keeps").is_file());
    assert_eq!(find_program(&format!("{relative}::")), None);
}

#[test]
fn missing_or_unrunnable_command_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let not_found = VaultTrouble::NoHelper(folder.path().join("keeps").display().to_string());
    assert_eq!(vault(folder.path()).probe(), Err(not_found.clone()));
    fs::write(folder.path().join("keeps"), "no program").unwrap();
    assert_eq!(vault(folder.path()).probe(), Err(not_found));
    let folder = create_command("");
    fs::write(folder.path().join("keeps"), "#!/nowhere\n").unwrap();
    assert!(matches!(
        vault(folder.path()).probe(),
        Err(VaultTrouble::NoHelper(_))
    ));
}

/// Runs scripts that fail in different ways, and checks the error text of each.
#[test]
fn each_failure_has_its_error_text() {
    let invalid_output = "what it answered is not that of a credential helper";
    let hidden = "it ended with 1; its words are not shown, they may hold the credential";
    for (script, error) in [
        (
            "echo 'the store is locked' >&2; exit 3",
            "it ended with 3: the store is locked",
        ),
        (
            "echo 'pass not initialized'; exit 1",
            "it ended with 1: pass not initialized",
        ),
        ("exit 1", "it ended with 1"),
        ("kill -9 $$", "it was ended by signal 9"),
        (
            "printf '{\"ServerURL\":\"x\",\"Sec'; kill -9 $$",
            "it was ended by signal 9; its words \
          are not shown, they may hold the credential",
        ),
        ("printf '\\033[2Jno' >&2; exit 1", "it ended with 1: ␛[2Jno"),
        (
            "echo eyJpZGVudGl0eSI6ImFuYSIsInNlY3JldCI6 >&2; exit 1",
            hidden,
        ),
        ("echo '{}'", invalid_output),
        ("echo '[]'", invalid_output),
        ("echo", invalid_output),
        ("echo Usage: keeps", invalid_output),
        (
            "printf '{\"Username\":\"balcao\",\"Secret\":\"eyJ'",
            invalid_output,
        ),
        ("head -c 300000 /dev/zero", "it answered more than 256 KiB"),
        (
            "head -c 300000 /dev/zero >&2; sleep 300",
            "it answered more than 256 KiB",
        ),
    ] {
        let folder = create_command(script);
        let trouble = vault(folder.path()).get(&name()).expect_err(script);
        assert_eq!(trouble, helper_failed(error), "{script}");
    }
}

#[test]
fn failed_put_does_not_quote_the_credential() {
    let folder = create_command("cat >&2; exit 1");
    let trouble = vault(folder.path())
        .put(&name(), &credential())
        .unwrap_err();
    assert_eq!(
        trouble,
        helper_failed("it ended with 1; its words are not shown, they may hold the credential")
    );
    let folder = create_command("cat | tail -c 30 | head -c 12; exit 1");
    let trouble = vault(folder.path())
        .put(&name(), &credential())
        .unwrap_err();
    assert!(matches!(&trouble, VaultTrouble::HelperFailed(error) if error.contains("not shown")));
}

#[test]
fn foreign_entry_is_an_error_and_empty_is_none() {
    for secret in ["eyJpZGVudGl0eSI6", "another program", "çã", "e30="] {
        let folder = create_command(&format!(
            "echo '{{\"ServerURL\":\"x\",\"Username\":\"eve\",\"Secret\":\"{secret}\"}}'"
        ));
        let trouble = vault(folder.path()).get(&name()).unwrap_err();
        let VaultTrouble::HelperFailed(error) = trouble else {
            panic!("{trouble:?}")
        };
        assert!(
            error.contains("holds what this program did not write; log in again"),
            "{error}"
        );
        assert!(!error.contains(secret), "{error}");
    }
    let folder = create_command("echo '{\"ServerURL\":\"x\",\"Username\":\"\",\"Secret\":\"\"}'");
    assert!(vault(folder.path()).get(&name()).unwrap().is_none());
}

#[test]
fn probe_refuses_helper_returning_other_bytes() {
    let folder =
        create_command("[ $1 != get ] || echo '{\"Username\":\"balcao\",\"Secret\":\"eA==\"}'");
    let trouble = vault(folder.path()).probe().unwrap_err();
    assert_eq!(
        trouble,
        helper_failed("it gives back other bytes than it took")
    );
}

/// A script that reports its start, then hangs together with a child process.
const HANGING_SCRIPT: &str = "exec 3>$HERE/fifo; echo up >&3; sleep 300 & wait";

/// Waits until the script has started. The end of the returned file is reached only after all
/// processes of the script have exited.
fn wait_for_start(fifo: &Path) -> File {
    let mut file = File::open(fifo).unwrap();
    file.read_exact(&mut [0; 3]).unwrap();
    file
}

fn create_fifo(folder: &tempfile::TempDir) -> std::path::PathBuf {
    let fifo = folder.path().join("fifo");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    let kind = rustix::fs::FileType::Fifo;
    rustix::fs::mknodat(rustix::fs::CWD, &fifo, kind, mode, 0).unwrap();
    fifo
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn cancelled_login_kills_helper_and_its_children() {
    let folder = create_command(&format!(
        "[ $1 = erase ] && {{ echo > $HERE/erased; exit; }}\n{HANGING_SCRIPT}"
    ));
    let fifo = create_fifo(&folder);
    let handle = crate::vault::VaultHandle::helper(command_in(folder.path()));
    let login_handle = handle.clone();
    let login = tokio::spawn(async move { login_handle.put(name(), credential()).await });
    let file = tokio::task::spawn_blocking(move || wait_for_start(&fifo))
        .await
        .unwrap();
    login.abort();
    assert!(login.await.unwrap_err().is_cancelled());
    let all_exited = tokio::task::spawn_blocking(move || {
        let mut file = file;
        file.read_to_end(&mut Vec::new()).unwrap()
    });
    assert_eq!(
        tokio::time::timeout(LONG_LIMIT, all_exited)
            .await
            .expect("all are gone")
            .unwrap(),
        0
    );
    // The vault accepts calls again. This `delete` waits in the queue until `erase` has run.
    handle.delete(name()).await.unwrap();
    assert_eq!(read_file(&folder, "erased"), "\n");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn hanging_helper_is_killed_with_its_children() {
    let folder = create_command(HANGING_SCRIPT);
    let fifo = create_fifo(&folder);
    let running = RunningCall::default();
    let (caller_sender, caller) = watch::channel(());
    running.begin(LONG_LIMIT, caller);
    let mut helper = Helper::new(command_in(folder.path()), running);
    let caller_thread = std::thread::spawn(move || {
        let vault: &mut dyn Vault = &mut helper;
        vault.get(&name()).err()
    });
    let mut file = tokio::task::spawn_blocking(move || wait_for_start(&fifo))
        .await
        .unwrap();
    // The caller stops waiting after the script has started.
    drop(caller_sender);
    let all_exited =
        tokio::task::spawn_blocking(move || file.read_to_end(&mut Vec::new()).unwrap());
    assert_eq!(
        tokio::time::timeout(LONG_LIMIT, all_exited)
            .await
            .expect("all are gone")
            .unwrap(),
        0
    );
    assert_eq!(
        caller_thread.join().unwrap(),
        Some(VaultTrouble::HelperHangs)
    );
}
