//! Tests of the vault with two real keyrings: a Secret Service (available, missing, locked, not set
//! up, hanging), and the kernel keyring (available, deleted with its session, access denied).
//!
//! The keyring library connects only once per process. Each test therefore runs its test binary
//! again as a child process, [`as_a_child`], in a new D-Bus session. Stored entries are read with
//! `secret-tool`.
#![cfg(target_os = "linux")]

mod pass;

use std::env;
use std::fs;
use std::io::{self, Write};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::{Command, Output};
use std::sync::Arc;
use std::time::Duration;

use balcao::trade::{CredentialKind, CredentialName, Origin, Secret, Wall};
use balcao::vault::{StoredCredential, VaultHandle};
use tokio::time::Instant;

/// The environment variable that lists the child's vault actions, separated by spaces.
const ACTIONS_VARIABLE: &str = "BALCAO_KEYRING_ORDERS";

/// The environment variable that selects the kind of vault for the child. The default is the
/// desktop keyring.
const KIND_VARIABLE: &str = "BALCAO_KEYRING_KIND";

/// The entry point of the child process. Performs the actions on the vault and prints their
/// results. Does nothing in an ordinary test run.
#[test]
fn as_a_child() {
    let Ok(actions) = env::var(ACTIONS_VARIABLE) else {
        return;
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .unwrap();
    let vault = match env::var(KIND_VARIABLE).as_deref() {
        Ok("keyutils") => VaultHandle::keyutils(),
        _ => VaultHandle::keyring(),
    };
    let mut stdout = io::stdout();
    writeln!(stdout).unwrap();
    for action in actions.split(' ') {
        let start = Instant::now();
        let result = runtime.block_on(perform_action(&vault, action));
        let late_mark = if start.elapsed() > Duration::from_millis(2_900) {
            " late"
        } else {
            ""
        };
        writeln!(stdout, "> {action}: {result}{late_mark}").unwrap();
    }
    // Exit here without waiting, because a vault operation may still hang.
}

async fn perform_action(vault: &VaultHandle, action: &str) -> String {
    let name = CredentialName {
        profile: "loja".into(),
        origin: Origin("https://pay.example".into()),
        kind: CredentialKind::ApiToken,
    };
    let credential = || {
        Arc::new(StoredCredential {
            identity: "ana".into(),
            secret: Secret::new("s3cr3t-ç".into()),
            expires: Some(Wall(1_795_000_000_000)),
            since: None,
            note: None,
        })
    };
    match action {
        "status" => format!("{:?}", vault.status().await),
        "put" => format!("{:?}", vault.put(name, credential()).await),
        "get" => match vault.get(name).await {
            Ok(Some(stored)) => format!("{} {:?}", stored.secret.expose(), stored.expires),
            Ok(None) => "nothing".into(),
            Err(trouble) => format!("{trouble:?}"),
        },
        "delete" => format!("{:?}", vault.delete(name).await),
        "mark" => format!("{:?}", vault.put_marker("journal", "/j").await),
        "marked" => format!("{:?}", vault.get_text("journal").await),
        "keep" => format!("{:?}", vault.put_text("contract", "ç".repeat(5_000)).await),
        "keep-longest" => {
            format!("{:?}", vault.put_text("contract", "ç".repeat(30_000)).await)
        }
        "kept" => match vault.get_text("contract").await {
            Ok(Some(text)) => format!("{} letters", text.chars().count()),
            Ok(None) => "nothing".into(),
            Err(trouble) => format!("{trouble:?}"),
        },
        other => panic!("no such order: {other}"),
    }
}

/// Runs a command in a clean environment, without the desktop settings of the user who runs the
/// tests.
fn run(home: &Path, command: &mut Command) -> Output {
    command
        .env("HOME", home)
        .env("XDG_RUNTIME_DIR", home)
        .env("SELF", env::current_exe().unwrap())
        .env_remove("XDG_DATA_HOME")
        .env_remove("XDG_CONFIG_HOME")
        .env_remove("XDG_CACHE_HOME")
        .env_remove("DISPLAY")
        .env_remove("WAYLAND_DISPLAY")
        .env_remove("GNOME_KEYRING_CONTROL")
        .output()
        .expect("the command starts")
}

/// Returns the results of the vault actions. They are the output lines that begin with `> `.
fn parse_results(output: &Output) -> Vec<String> {
    let text = String::from_utf8_lossy(&output.stdout);
    text.lines()
        .filter_map(|line| line.strip_prefix("> "))
        .map(str::to_owned)
        .collect()
}

/// Runs a child process in the D-Bus session at this address.
fn child_with_bus(home: &Path, address: &str, actions: &str) -> Vec<String> {
    let mut command = Command::new(env::current_exe().unwrap());
    command
        .args(["--exact", "keyring::as_a_child", "--nocapture"])
        .env("DBUS_SESSION_BUS_ADDRESS", address)
        .env(ACTIONS_VARIABLE, actions);
    parse_results(&run(home, &mut command))
}

#[test]
fn no_bus_is_absent() {
    let home = tempfile::tempdir().unwrap();
    assert_eq!(
        child_with_bus(home.path(), "unix:path=/nonexistent/bus", "status get put"),
        ["status: Err(Absent)", "get: Absent", "put: Err(Absent)"]
    );
}

#[test]
fn silent_bus_is_waited_for_only_once() {
    let home = tempfile::tempdir().unwrap();
    let socket = home.path().join("bus");
    // Create a socket that accepts connections, but from which nothing reads.
    let _silent = UnixListener::bind(&socket).unwrap();
    let address = format!("unix:path={}", socket.display());
    assert_eq!(
        child_with_bus(home.path(), &address, "get status put"),
        ["get: Hangs late", "status: Err(Hangs)", "put: Err(Hangs)"]
    );
}

mod needs_tools {
    use super::*;
    use crate::support::tools::has_tools;

    const TOOLS: [&str; 4] = [
        "dbus-run-session",
        "gnome-keyring-daemon",
        "secret-tool",
        "timeout",
    ];

    /// Runs a shell script in a new D-Bus session. In the script, `ask ACTIONS` runs a child
    /// process with these vault actions.
    fn session(options: &[&str], home: &Path, script: &str) -> Vec<String> {
        let script = format!(
            r#"ask() {{ {ACTIONS_VARIABLE}="$1" "$SELF" --exact keyring::as_a_child --nocapture
}}
unlock() {{ printf test-password |
    gnome-keyring-daemon --unlock --components=secrets --daemonize >/dev/null 2>&1; }}
{script}"#
        );
        let mut command = Command::new("timeout");
        command
            .args(["60", "dbus-run-session"])
            .args(options)
            .args(["--", "bash", "-c", &script]);
        parse_results(&run(home, command.env_remove("DBUS_SESSION_BUS_ADDRESS")))
    }

    /// Writes a D-Bus configuration in which only the services in the directory `services` exist.
    /// Returns the option for `dbus-run-session`.
    fn bus_with_services(home: &Path) -> String {
        let services = home.join("services");
        fs::create_dir(&services).unwrap();
        let config = home.join("bus.conf");
        let text = format!(
            r#"<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:tmpdir={home}</listen>
<servicedir>{services}</servicedir>
<policy context="default"><allow send_destination="*" eavesdrop="true"/>
<allow eavesdrop="true"/><allow own="*"/></policy></busconfig>"#,
            home = home.display(),
            services = services.display(),
        );
        fs::write(&config, text).unwrap();
        format!("--config-file={}", config.display())
    }

    #[test]
    fn real_keyring_stores_and_deletes() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"unlock
item=(service "balcao/https://pay.example loja" username api-token)
look() { echo "> outside: $(secret-tool lookup "${item[@]}")"; }
ask "status get put get mark"
look
ask "get marked put"
look
ask "delete delete get"
look
echo "> left: $(secret-tool search --all service balcao/probe 2>&1 | wc -l)""#;
        let stored = r#"s3cr3t-ç Some(Wall(1795000000000))"#;
        let value = r#"{"identity":"ana","secret":"s3cr3t-ç","expires":1795000000000}"#;
        assert_eq!(
            session(&[], home.path(), script),
            [
                "status: Ok(Keyring)",
                "get: nothing",
                "put: Ok(())",
                &format!("get: {stored}"),
                "mark: Ok(())",
                &format!("outside: {value}"),
                &format!("get: {stored}"),
                "marked: Ok(Some(\"/j\"))",
                "put: Ok(())",
                &format!("outside: {value}"),
                "delete: Ok(())",
                "delete: Ok(())",
                "get: nothing",
                "outside: ",
                "left: 0",
            ]
        );
    }

    #[test]
    fn longest_text_is_kept_in_one_entry() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"unlock
entries() { echo "> entries: $(secret-tool search --all service balcao/text 2>&1 |
  grep -c ^label)"; }
ask "kept keep-longest kept"
entries"#;
        assert_eq!(
            session(&[], home.path(), script),
            [
                "kept: nothing",
                "keep-longest: Ok(())",
                "kept: 30000 letters",
                "entries: 1"
            ]
        );
    }

    #[test]
    fn foreign_entry_is_named_and_can_be_replaced() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"unlock
item=(service "balcao/https://pay.example loja" username api-token)
printf foreign | secret-tool store --label=x "${item[@]}"
ask "get put get""#;
        let lines = session(&[], home.path(), script);
        assert_eq!(
            lines[0],
            "get: Other(\"the entry balcao/https://pay.example loja holds what this program did \
         not write; log in again to replace it\")"
        );
        assert_eq!(
            lines[1..],
            ["put: Ok(())", "get: s3cr3t-ç Some(Wall(1795000000000))"]
        );
    }

    /// Stores a second entry of the same name, with `$1` as its value. Its additional attribute
    /// makes it a new entry.
    const DUPLICATE: &str = r#"unlock
item=(service "balcao/https://pay.example loja" username api-token)
duplicate() { printf '%s' "$1" | secret-tool store --label=x "${item[@]}" copy "$1"; }
count() { echo "> entries: $(secret-tool search --all "${item[@]}" 2>&1 | grep -c ^label)"; }
ask put
"#;

    #[test]
    fn duplicated_entry_is_read_if_equal_and_deleted() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"duplicate "$(secret-tool lookup "${item[@]}")"
count
ask "get delete get"
count"#;
        assert_eq!(
            session(&[], home.path(), &format!("{DUPLICATE}{script}")),
            [
                "put: Ok(())",
                "entries: 2",
                "get: s3cr3t-ç Some(Wall(1795000000000))",
                "delete: Ok(())",
                "get: nothing",
                "entries: 0",
            ]
        );
    }

    #[test]
    fn different_duplicates_are_named_and_replaced() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"duplicate other; duplicate third
count
ask "get status put get"
count"#;
        let named = "Several(\"keyring:api-token@balcao/https://pay.example loja \
                     (service balcao/https://pay.example loja, username api-token)\")";
        assert_eq!(
            session(&[], home.path(), &format!("{DUPLICATE}{script}")),
            [
                "put: Ok(())",
                "entries: 3",
                &format!("get: {named}"),
                "status: Ok(Keyring)",
                "put: Ok(())",
                "get: s3cr3t-ç Some(Wall(1795000000000))",
                "entries: 1",
            ]
        );
    }

    #[test]
    fn locked_keyring_is_reported() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        // Ignore the exit status, because `secret-tool` may crash after it has locked the keyring.
        let script = r#"unlock
ask put
secret-tool lock --collection=login >/dev/null 2>&1
ask "status get put delete""#;
        assert_eq!(
            session(&[], home.path(), script),
            [
                "put: Ok(())",
                "status: Err(Locked)",
                "get: Locked",
                "put: Err(Locked)",
                "delete: Err(Locked)"
            ]
        );
    }

    #[test]
    fn keyring_not_set_up_is_reported_before_typing() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let no_collection = "Other(\"it has no default collection; make one in its own program\")";
        assert_eq!(
            session(&[], home.path(), "ask 'status get put'"),
            [
                format!("status: Err({no_collection})"),
                "get: nothing".into(),
                format!("put: Err({no_collection})")
            ]
        );
    }

    #[test]
    fn a_bus_without_a_secret_service_is_absent() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let config = bus_with_services(home.path());
        assert_eq!(
            session(&[&config], home.path(), "ask 'status get put'"),
            ["status: Err(Absent)", "get: Absent", "put: Err(Absent)"]
        );
    }

    #[test]
    fn silent_service_is_waited_for_only_once() {
        if !has_tools(&TOOLS) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let config = bus_with_services(home.path());
        let service = "[D-BUS Service]\nName=org.freedesktop.secrets\n\
                   Exec=/bin/sh -c \"exec sleep 20 >/dev/null 2>&1\"\n";
        fs::write(
            home.path().join("services/org.freedesktop.secrets.service"),
            service,
        )
        .unwrap();
        assert_eq!(
            session(&[&config], home.path(), "ask 'get status put'"),
            ["get: Hangs late", "status: Err(Hangs)", "put: Err(Hangs)"]
        );
    }

    /// Runs a shell script in a new session keyring of the kernel. In the script, `ask ACTIONS`
    /// runs a child process that performs these vault actions.
    fn kernel_session(home: &Path, script: &str) -> Vec<String> {
        let script = format!(
            r#"ask() {{
    {KIND_VARIABLE}=keyutils {ACTIONS_VARIABLE}="$1" "$SELF" --exact keyring::as_a_child --nocapture
}}
keys() {{ echo "> keys: $(keyctl rlist @s | wc -w)"; }}
{script}"#
        );
        let mut command = Command::new("keyctl");
        parse_results(&run(
            home,
            command.args(["session", "-", "bash", "-c", &script]),
        ))
    }

    #[test]
    fn kernel_keyring_stores_until_its_session_ends() {
        if !has_tools(&["keyctl"]) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"ask "status get put get mark keep"
outside() { keyctl print %user:"balcao/https://pay.example loja | api-token"; }
echo "> outside: $(outside)"
ask "get marked kept put delete delete get""#;
        let stored = "s3cr3t-ç Some(Wall(1795000000000))";
        assert_eq!(
            kernel_session(home.path(), script),
            [
                "status: Ok(Keyutils)",
                "get: nothing",
                "put: Ok(())",
                &format!("get: {stored}"),
                "mark: Ok(())",
                "keep: Ok(())",
                // `keyctl` prints non-ASCII text as hexadecimal digits.
                "outside: :hex:7b226964656e74697479223a22616e61222c22736563726574223a22733363723374\
                 2dc3a7222c2265787069726573223a313739353030303030303030307d",
                &format!("get: {stored}"),
                "marked: Ok(Some(\"/j\"))",
                "kept: 5000 letters",
                "put: Ok(())",
                "delete: Ok(())",
                "delete: Ok(())",
                "get: nothing",
            ]
        );
        // Another session of the same user cannot read the entries, because they are not in a
        // persistent keyring.
        let other = kernel_session(home.path(), "keys\nask \"get marked kept put\"\nkeys");
        let fresh = [
            "keys: 0",
            "get: nothing",
            "marked: Ok(None)",
            "kept: nothing",
            "put: Ok(())",
        ];
        assert_eq!(other[..5], fresh);
        assert_eq!(other[5], "keys: 1");
    }

    #[test]
    fn foreign_kernel_entry_is_named_and_replaced() {
        if !has_tools(&["keyctl"]) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        let script = r#"name="balcao/https://pay.example loja | api-token"
keyctl add user "$name" x @s >/dev/null
ask "get put get""#;
        let lines = kernel_session(home.path(), script);
        assert!(
            lines[0].contains("holds what this program did not write"),
            "{lines:?}"
        );
        assert_eq!(
            lines[1..],
            ["put: Ok(())", "get: s3cr3t-ç Some(Wall(1795000000000))"]
        );
    }

    #[test]
    fn kernel_denial_is_reported_before_typing() {
        if !has_tools(&["keyctl"]) {
            return;
        }
        let home = tempfile::tempdir().unwrap();
        // Remove all permissions from the session keyring. In a container, the session keyring may
        // belong to another user, which has the same effect.
        let script = "keyctl setperm @s 0\nask 'status get put mark'";
        assert_eq!(
            kernel_session(home.path(), script),
            [
                "status: Err(Denied)",
                "get: Denied",
                "put: Err(Denied)",
                "mark: Err(Denied)"
            ]
        );
    }
}
