//! Traces a kiosk's system calls with `strace`, while a visitor logs in, creates a payment link and
//! makes a withdrawal.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use balcao::config::built_in_keys;

use super::{VARIABLES, break_settings, kiosks_dir};
use crate::seller::{
    create_link, log_in_to_demo, open_review_and_focus_confirm, type_amount, type_destination,
};
use crate::support::place::TestHome;
use crate::support::pty::{Launch, Tui};
use crate::support::tools::{has_tools, program_path, skip_unless};

/// The system calls to trace: all calls that name a file, start a program or use the network.
const CALLS: &str = "trace=%file,execve,execveat,socket,bind,connect,sendto,sendmsg,\
                     inotify_init,inotify_init1,fanotify_init";

/// Files outside its own directory that a kiosk may read, each with the reason. A path that ends
/// with a slash includes everything in that directory.
const MAY_READ: &[(&str, &str)] = &[
    ("/lib/", "shared libraries"),
    ("/lib64/", "shared libraries"),
    ("/usr/lib/", "shared libraries"),
    ("/etc/ld.so.cache", "the list of shared libraries"),
    ("/etc/ld.so.preload", "the list of shared libraries"),
    ("/etc/localtime", "the time zone"),
    ("/usr/share/zoneinfo/", "the time zone"),
    (
        "/proc/self/",
        "the process itself; `strace` may print its number",
    ),
    ("/sys/fs/cgroup/", "its cgroup"),
    ("/dev/tty", "its terminal"),
    ("/dev/pts/", "its terminal"),
    ("/dev/urandom", "random numbers, read by SQLite"),
    ("/proc/sys/kernel/random/boot_id", "the clock"),
    ("/proc/sys/vm/overcommit_memory", "the C library's memory"),
    ("/sys/devices/system/cpu/online", "the C library's memory"),
    ("/tmp", "the parent of its own directory"),
];

/// Files outside its own directory that a kiosk may write, each with the reason.
const MAY_WRITE: &[(&str, &str)] = &[("/dev/tty", "its terminal"), ("/dev/pts/", "its terminal")];

/// A system call as `strace` logs it when the call begins.
struct Call<'a> {
    name: &'a str,
    args: &'a str,
}

impl<'a> Call<'a> {
    /// Parses a text line of the log. Returns `None` for the end of a call, a signal or an exit.
    fn of(line: &'a str) -> Option<Call<'a>> {
        let (_, call) = line.split_once(' ')?;
        let (name, args) = call.trim_start().split_once('(')?;
        let is_name = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        is_name.then_some(Call { name, args })
    }

    /// Returns the paths in the call's arguments. Relative paths are joined to the directory that
    /// `strace` prints before them.
    fn paths(&self) -> Vec<PathBuf> {
        let parts: Vec<&str> = self.args.split('"').collect();
        let path_at = |at: usize| {
            let dir = parts[at - 1]
                .rsplit_once('<')
                .and_then(|(_, rest)| rest.split_once('>'));
            let base = dir.map_or("relative", |(dir, _)| dir);
            if parts[at].is_empty() {
                PathBuf::from(base)
            } else {
                Path::new(base).join(parts[at])
            }
        };
        (1..parts.len()).step_by(2).map(path_at).collect()
    }

    /// Returns true if the call sends a message to the system log.
    fn is_log(&self) -> bool {
        self.name == "sendto" && self.args.contains("sun_path=\"/dev/log\"")
    }

    fn is_write(&self) -> bool {
        const READS: [&str; 11] = [
            "access",
            "faccessat",
            "faccessat2",
            "stat",
            "lstat",
            "newfstatat",
            "statx",
            "statfs",
            "readlink",
            "readlinkat",
            "getcwd",
        ];
        let is_open = ["open", "openat"].contains(&self.name);
        let modes = ["O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC"];
        if is_open {
            modes.iter().any(|mode| self.args.contains(mode))
        } else {
            !READS.contains(&self.name)
        }
    }

    /// Returns true if a kiosk may make this call. `own` is the kiosk's directory.
    fn is_allowed(&self, own: &Path) -> bool {
        let is_listed = |path: &Path, list: &[(&str, &str)]| {
            list.iter()
                .any(|(listed, _)| match listed.strip_suffix('/') {
                    Some(dir) => path.starts_with(dir),
                    None => path == Path::new(listed),
                })
        };
        match self.name {
            "socket" => ["SOCK_STREAM|", "SOCK_DGRAM|"]
                .iter()
                .any(|kind| self.args.starts_with(&format!("AF_UNIX, {kind}"))),
            "bind" | "connect" => self
                .args
                .contains(&format!("sun_path=\"{}/socket\"", own.display())),
            // A message over a connection contains no address, and `connect` has already been
            // checked.
            "sendto" | "sendmsg" => !self.args.contains("sa_family") || self.is_log(),
            "execve" | "execveat" | "inotify_init" | "inotify_init1" | "fanotify_init" => false,
            _ => self.paths().iter().all(|path| {
                path.starts_with(own)
                    || path.starts_with(kiosks_dir()) && self.may_remove_old_kiosk()
                    || is_listed(path, MAY_WRITE)
                    || !self.is_write() && is_listed(path, MAY_READ)
            }),
        }
    }

    /// Returns true if the call may be part of removing the directory of a kiosk that has ended.
    fn may_remove_old_kiosk(&self) -> bool {
        let opens_directory = self.name == "openat" && self.args.contains("O_DIRECTORY");
        opens_directory || ["mkdir", "statx", "newfstatat", "unlinkat"].contains(&self.name)
    }
}

/// Creates a link and makes a withdrawal in a demo, which has withdrawals of the last weeks.
fn make_link_and_withdraw(tui: &mut Tui) {
    create_link(tui, "Bolo");
    tui.press("\x1b");
    tui.wait_for("n novo");
    type_amount(tui, "6 saques");
    type_destination(tui);
    open_review_and_focus_confirm(tui);
    tui.press("\r");
    tui.wait_for("ACEITO PELO SERVIÇO");
}

/// Runs a kiosk under `strace`, logs in, and uses it. Checks that it made only the calls that the
/// lists allow.
fn run_traced((columns, rows): (u16, u16), actions: impl FnOnce(&mut Tui)) {
    if !has_tools(&["strace"]) {
        return;
    }
    let home = TestHome::new();
    break_settings(&home);
    let file = home.home_dir().join("trace");
    let log = file.to_str().expect("a plain path");
    let mut args = vec![
        "-f",
        "-y",
        "-qq",
        "--seccomp-bpf",
        "-s",
        "200",
        "-e",
        CALLS,
        "-o",
        log,
    ];
    args.extend(VARIABLES.iter().flat_map(|variable| ["-E", variable]));
    args.extend([env!("CARGO_BIN_EXE_balcao"), "demo", "--kiosk"]);
    let launch = Launch::program(&program_path("strace"), &home).args(&args);
    let mut tui = log_in_to_demo(launch.size(columns, rows).start());
    actions(&mut tui);
    tui.quit();
    assert_only_allowed_calls(&file);
}

/// Checks that a kiosk made only allowed system calls.
fn assert_only_allowed_calls(log: &Path) {
    let log = fs::read_to_string(log).unwrap();
    let process = format!("/proc/{}/", log.split(' ').next().expect("a number"));
    let log = log.replace(&process, "/proc/self/");
    let calls: Vec<Call<'_>> = log.lines().filter_map(Call::of).collect();
    let (first, calls) = calls.split_first().expect("calls");
    assert_eq!(first.name, "execve", "strace starts the kiosk");
    let bind = calls
        .iter()
        .find(|call| call.name == "bind")
        .expect("its socket");
    let socket = bind.args.split('"').nth(1).expect("a path");
    let own = Path::new(socket).parent().expect("its directory");
    assert_eq!(own.parent(), Some(&*kiosks_dir()));
    assert!(
        calls.iter().any(|call| call.name == "connect"),
        "requests are traced"
    );
    let is_written = |call: &Call<'_>| call.is_write() && call.args.contains("money.db");
    assert!(calls.iter().any(is_written), "files are traced");
    let mut logged = calls.iter().filter(|call| call.is_log());
    let line = logged.next().expect("a line in the system log");
    assert!(
        line.args.contains("began ") && line.args.contains("Z: left\""),
        "{}",
        line.args
    );
    assert_eq!(logged.count(), 0);
    let other = calls.iter().filter(|call| !call.is_allowed(own));
    let other: BTreeSet<_> = other
        .map(|call| format!("{}({}", call.name, call.args))
        .collect();
    assert!(other.is_empty(), "{other:#?}");
}

#[test]
fn kiosk_touches_only_its_own_directory() {
    run_traced((80, 24), make_link_and_withdraw);
}

/// The Esc key, in an encoding that the app recognizes without waiting for more bytes.
const ESC: &str = "\x1b[27u";

/// The title of the command palette.
const PALETTE_TITLE: &str = "┌ O que dá para fazer agora";

/// The palette commands that are not tried, because they end the kiosk or change the language.
const SKIPPED_COMMANDS: [&str; 2] = ["Fechar o balcão", "Idioma: English"];

/// The palette command that begins with a new bank and journal.
const START_OVER: &str = "Sandbox: recomeçar do zero";

/// Opens the command palette on a pane.
fn open_palette(tui: &mut Tui, pane: &str) {
    tui.type_text(&format!("{ESC}{ESC}{ESC}"));
    tui.wait_until_gone(PALETTE_TITLE);
    tui.type_text(pane);
    tui.type_text("\x0b");
    tui.wait_for(PALETTE_TITLE);
    tui.wait_until_idle();
}

/// Returns the text lines in the command palette, without the explanations of commands.
fn palette_rows(tui: &Tui) -> Vec<String> {
    let rows: Vec<String> = tui.screen(|screen| screen.rows(0, 200).collect());
    let inside = rows
        .iter()
        .filter_map(|row| row.split_once('│')?.1.rsplit_once('│'));
    let label = |row: &str| {
        row.trim()
            .trim_start_matches('▌')
            .split("  ")
            .next()
            .map(str::to_owned)
    };
    inside.filter_map(|(row, _)| label(row)).collect()
}

/// Returns all lines of the command palette on a pane.
fn palette_lines(tui: &mut Tui, pane: &str) -> BTreeSet<String> {
    open_palette(tui, pane);
    let mut lines = BTreeSet::new();
    loop {
        let before = lines.len();
        lines.extend(palette_rows(tui));
        if lines.len() == before {
            break;
        }
        tui.type_text("\x1b[6~");
        tui.wait_until_idle();
    }
    lines.retain(|line| !line.is_empty() && !line.starts_with(['›', '↓', '↑']));
    lines
}

/// Returns the letter keys and Ctrl keys of the built-in key bindings, except `q` and Ctrl-C.
fn keys() -> BTreeSet<String> {
    let rows = built_in_keys()
        .into_values()
        .flat_map(BTreeMap::into_values);
    let pressed = rows
        .flatten()
        .filter_map(|key| match key.strip_prefix("Ctrl-") {
            Some(letter) => Some(char::from(letter.as_bytes()[0] & 0x1f).to_string()),
            None => Some(key).filter(|key| key.chars().count() == 1),
        });
    pressed
        .filter(|key| !["q", "\x03"].contains(&key.as_str()))
        .collect()
}

#[test]
fn no_key_leads_out_of_a_kiosk() {
    run_traced((80, 24), |tui| {
        for pane in ["1", "3", "5"] {
            for key in keys() {
                tui.type_text(&format!("{ESC}{ESC}{ESC}{pane}"));
                tui.type_text(&key);
                tui.wait_until_idle();
            }
        }
    });
}

#[test]
fn no_palette_line_leads_out_of_a_kiosk() {
    run_traced((100, 40), |tui| {
        let mut tried = BTreeSet::from(SKIPPED_COMMANDS.map(str::to_owned));
        let mut chosen = 0;
        for pane in ["1", "2", "3", "4", "5", "6"] {
            for line in palette_lines(tui, pane) {
                if !tried.insert(line.clone()) {
                    continue;
                }
                open_palette(tui, pane);
                tui.type_text(&line);
                tui.wait_until_idle();
                // Skip this line if it is gone. An earlier command may have removed it, or may have
                // closed the palette just now.
                if palette_rows(tui).contains(&line) {
                    chosen += 1;
                    tui.press("\r");
                    if line == START_OVER {
                        // It ends later and then closes the palette.
                        tui.wait_for("Tudo novo");
                    }
                }
            }
        }
        assert!(chosen > 60, "{chosen} of {tried:?}");
    });
}

#[test]
fn kiosk_works_without_any_network() {
    // Keep the user id inside the namespace, because it is part of the kiosk directory's name.
    let namespace_args = ["--map-current-user", "--net"];
    let mut command = std::process::Command::new("unshare");
    let status = command
        .args(namespace_args)
        .arg("true")
        .stderr(std::process::Stdio::null())
        .status();
    if !skip_unless(
        status.is_ok_and(|status| status.success()),
        "unshare with a network of its own",
    ) {
        return;
    }
    let home = TestHome::new();
    let args = [
        &namespace_args[..],
        &[env!("CARGO_BIN_EXE_balcao"), "demo", "--kiosk"],
    ]
    .concat();
    let start = Launch::program(&program_path("unshare"), &home)
        .args(&args)
        .start();
    let mut tui = log_in_to_demo(start);
    make_link_and_withdraw(&mut tui);
    tui.quit();
}
