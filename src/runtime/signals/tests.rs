//! Tests that the process ends after a signal, or when its terminal is closed.

use std::env;
use std::io::{Read, Write};
use std::os::unix::net::{UnixDatagram, UnixStream};
use std::path::Path;
use std::process::Command;

use portable_pty::{CommandBuilder, PtySize, native_pty_system};

use super::*;

const LONG: Duration = Duration::from_secs(3600);
const SHORT: Duration = Duration::from_millis(30);

/// Runs the shutdown logic, and calls `on_cause` with each reported cause. Returns the final cause,
/// and all reported causes.
fn run_shutdown(
    causes: &mpsc::Receiver<ShutdownCause>,
    graces: GracePeriods,
    mut on_cause: impl FnMut(ShutdownCause),
) -> (ShutdownCause, Vec<ShutdownCause>) {
    let mut reported = Vec::new();
    let cause = wait_for_end(causes, graces, &|| false, &mut |cause| {
        reported.push(cause);
        on_cause(cause);
    });
    (cause.unwrap(), reported)
}

#[test]
fn request_ends_process_after_its_grace() {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    sender.send(ShutdownCause::Signal).unwrap();
    let graces = GracePeriods {
        after_signal: SHORT,
        max_after_signal: LONG,
        after_hangup: LONG,
    };
    let start = clocks::instant();
    assert_eq!(
        run_shutdown(&causes, graces, |_| {}),
        (ShutdownCause::Signal, vec![ShutdownCause::Signal])
    );
    assert!(start.elapsed() >= SHORT);
}

#[test]
fn third_request_ends_process_at_once() {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    sender.send(ShutdownCause::Signal).unwrap();
    let graces = GracePeriods {
        after_signal: LONG,
        max_after_signal: LONG,
        after_hangup: LONG,
    };
    let again = |_| sender.send(ShutdownCause::Signal).unwrap();
    let expected = vec![ShutdownCause::Signal, ShutdownCause::Signal];
    assert_eq!(
        run_shutdown(&causes, graces, again),
        (ShutdownCause::Signal, expected)
    );
}

#[test]
fn second_request_leaves_time_for_messages() {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    sender.send(ShutdownCause::Signal).unwrap();
    let graces = GracePeriods {
        after_signal: LONG,
        max_after_signal: LONG,
        after_hangup: LONG,
    };
    let mut times = 0;
    let once_more = |_| {
        times += 1;
        if times == 1 {
            sender.send(ShutdownCause::Signal).unwrap();
        }
    };
    let start = clocks::instant();
    let expected = vec![ShutdownCause::Signal, ShutdownCause::Signal];
    assert_eq!(
        run_shutdown(&causes, graces, once_more),
        (ShutdownCause::Signal, expected)
    );
    assert!(start.elapsed() >= SECOND_SIGNAL_GRACE);
}

#[test]
fn withdrawal_in_flight_extends_grace_up_to_limit() {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    sender.send(ShutdownCause::Signal).unwrap();
    let graces = GracePeriods {
        after_signal: SHORT,
        max_after_signal: SHORT * 4,
        after_hangup: LONG,
    };
    let start = clocks::instant();
    assert_eq!(
        wait_for_end(&causes, graces, &|| true, &mut |_| {}),
        Some(ShutdownCause::Signal)
    );
    assert!(start.elapsed() >= SHORT * 4);
    // The attempt has finished, so the short grace period applies. The event loop has not quit.
    sender.send(ShutdownCause::Signal).unwrap();
    let graces = GracePeriods {
        after_signal: SHORT,
        max_after_signal: LONG,
        after_hangup: LONG,
    };
    let looks = std::cell::Cell::new(0);
    let busy_at_first = || looks.replace(looks.get() + 1) == 0;
    assert_eq!(
        wait_for_end(&causes, graces, &busy_at_first, &mut |_| {}),
        Some(ShutdownCause::Signal)
    );
    assert_eq!(looks.get(), 2);
}

#[test]
fn terminal_loss_without_signal_is_noticed() {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    let (terminal, mut keyboard) = UnixStream::pair().unwrap();
    watch_terminal(terminal.into(), sender.clone()).unwrap();
    // Unread key presses must not be taken for the loss of the terminal.
    keyboard.write_all(b"keys").unwrap();
    assert!(causes.recv_timeout(SHORT).is_err());
    drop(keyboard);
    let graces = GracePeriods {
        after_signal: LONG,
        max_after_signal: LONG,
        after_hangup: SHORT,
    };
    // A second report of the same loss of the terminal does not shorten the grace period.
    let start = clocks::instant();
    let signal = |_| sender.send(ShutdownCause::HungUp).unwrap();
    let expected = vec![ShutdownCause::HungUp];
    assert_eq!(
        run_shutdown(&causes, graces, signal),
        (ShutdownCause::HungUp, expected)
    );
    assert!(start.elapsed() >= SHORT);
}

#[test]
fn hangup_after_request_shortens_the_grace() {
    let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
    sender.send(ShutdownCause::Signal).unwrap();
    let graces = GracePeriods {
        after_signal: LONG,
        max_after_signal: LONG,
        after_hangup: SHORT,
    };
    let close = |_| sender.send(ShutdownCause::HungUp).unwrap();
    let expected = vec![ShutdownCause::Signal, ShutdownCause::HungUp];
    assert_eq!(
        run_shutdown(&causes, graces, close),
        (ShutdownCause::HungUp, expected)
    );
}

/// The environment variable that tells a child process which scenario to run.
const SCENARIO: &str = "BALCAO_SIGNALS_ORDER";

/// Runs one scenario in a child process. The tests below start these processes.
#[test]
fn as_a_child() {
    let Ok(scenario) = env::var(SCENARIO) else {
        return;
    };
    let graces = GracePeriods {
        after_signal: SHORT,
        max_after_signal: SHORT,
        after_hangup: SHORT,
    };
    let socket = env::var_os("RESTORED").unwrap();
    let restore = move || {
        UnixDatagram::unbound()
            .unwrap()
            .send_to(b"given back", socket)
            .unwrap();
    };
    match scenario.as_str() {
        "terminal only" => {
            let (sender, causes) = mpsc::sync_channel(CAUSE_QUEUE);
            watch_terminal(io::stdin().as_fd().try_clone_to_owned().unwrap(), sender).unwrap();
            start(causes, graces, || false, |_| {}, restore).unwrap();
            writeln!(io::stdout(), "listening").unwrap();
        }
        "stuck" => {
            watch(graces, || false, |_| {}, block_forever).unwrap();
            signal_hook::low_level::raise(SIGTERM).unwrap();
        }
        scenario => panic!("{scenario}"),
    }
    // The main thread blocks forever, so only this module's threads can end the process.
    block_forever();
}

fn block_forever() {
    loop {
        thread::park();
    }
}

/// Receives the child process's report that it has restored the terminal. The report comes through
/// a socket, because writing a file on a busy disk could take too long.
struct RestoreListener(UnixDatagram);

impl RestoreListener {
    fn at(path: &Path) -> RestoreListener {
        let socket = UnixDatagram::bind(path).unwrap();
        socket.set_nonblocking(true).unwrap();
        RestoreListener(socket)
    }

    /// True once the child process reports that the terminal is restored.
    fn has_report(&self) -> bool {
        self.0.recv(&mut [0; 16]).is_ok()
    }
}

const CHILD: [&str; 3] = [
    "--exact",
    "runtime::signals::tests::as_a_child",
    "--nocapture",
];

#[test]
fn blocked_terminal_does_not_delay_the_exit() {
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(CHILD).env(SCENARIO, "stuck").env("RESTORED", "");
    let mut child = child.stdin(process::Stdio::piped()).spawn().unwrap();
    let pipe = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    drop(pipe);
}

#[test]
fn closed_terminal_ends_process_ignoring_hangup() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("restored");
    let listener = RestoreListener::at(&path);
    let pty = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    command.arg(env::current_exe().unwrap());
    command.args(CHILD);
    command.env(SCENARIO, "terminal only");
    command.env("RESTORED", &path);
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut screen = pty.master.try_clone_reader().unwrap();
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("listening") {
        let mut bytes = [0; 1024];
        let n = screen.read(&mut bytes).unwrap();
        assert!(
            n > 0,
            "the child ended early: {}",
            String::from_utf8_lossy(&seen)
        );
        seen.extend_from_slice(&bytes[..n]);
    }
    drop((screen, pty.master));
    assert_eq!(child.wait().unwrap().exit_code(), 129);
    assert!(listener.has_report());
}
