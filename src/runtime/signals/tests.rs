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

/// Runs the shutdown logic, and calls `then` with each cause that is passed to `tell`. Returns the
/// final cause, and all causes passed to `tell`.
fn ended(
    causes: &mpsc::Receiver<ShutdownCause>,
    graces: GracePeriods,
    mut then: impl FnMut(ShutdownCause),
) -> (ShutdownCause, Vec<ShutdownCause>) {
    let mut told = Vec::new();
    let ending = wait_for_end(causes, graces, &|| false, &mut |ending| {
        told.push(ending);
        then(ending);
    });
    (ending.unwrap(), told)
}

#[test]
fn request_ends_process_after_its_grace() {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    sender.send(ShutdownCause::Asked).unwrap();
    let graces = GracePeriods { asked: SHORT, in_flight: LONG, hung_up: LONG };
    let start = clocks::instant();
    assert_eq!(ended(&causes, graces, |_| {}), (ShutdownCause::Asked, vec![ShutdownCause::Asked]));
    assert!(start.elapsed() >= SHORT);
}

#[test]
fn asked_again_and_again_it_ends_at_once() {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    sender.send(ShutdownCause::Asked).unwrap();
    let graces = GracePeriods { asked: LONG, in_flight: LONG, hung_up: LONG };
    let again = |_| sender.send(ShutdownCause::Asked).unwrap();
    let told = vec![ShutdownCause::Asked, ShutdownCause::Asked];
    assert_eq!(ended(&causes, graces, again), (ShutdownCause::Asked, told));
}

#[test]
fn asked_twice_it_has_a_moment_for_its_last_words() {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    sender.send(ShutdownCause::Asked).unwrap();
    let graces = GracePeriods { asked: LONG, in_flight: LONG, hung_up: LONG };
    let mut times = 0;
    let once_more = |_| {
        times += 1;
        if times == 1 {
            sender.send(ShutdownCause::Asked).unwrap();
        }
    };
    let start = clocks::instant();
    let told = vec![ShutdownCause::Asked, ShutdownCause::Asked];
    assert_eq!(ended(&causes, graces, once_more), (ShutdownCause::Asked, told));
    assert!(start.elapsed() >= LAST_WORDS);
}

#[test]
fn money_in_flight_is_waited_for_but_not_for_ever() {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    sender.send(ShutdownCause::Asked).unwrap();
    let graces = GracePeriods { asked: SHORT, in_flight: SHORT * 4, hung_up: LONG };
    let start = clocks::instant();
    assert_eq!(wait_for_end(&causes, graces, &|| true, &mut |_| {}), Some(ShutdownCause::Asked));
    assert!(start.elapsed() >= SHORT * 4);
    // The attempt has finished, so the short grace period applies. The event loop has not quit.
    sender.send(ShutdownCause::Asked).unwrap();
    let graces = GracePeriods { asked: SHORT, in_flight: LONG, hung_up: LONG };
    let looks = std::cell::Cell::new(0);
    let busy_at_first = || looks.replace(looks.get() + 1) == 0;
    assert_eq!(
        wait_for_end(&causes, graces, &busy_at_first, &mut |_| {}),
        Some(ShutdownCause::Asked)
    );
    assert_eq!(looks.get(), 2);
}

#[test]
fn a_terminal_that_dies_without_a_signal_is_noticed() {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    let (terminal, mut hands) = UnixStream::pair().unwrap();
    hear_terminal(terminal.into(), sender.clone()).unwrap();
    // Unread key presses must not be taken for the loss of the terminal.
    hands.write_all(b"keys").unwrap();
    assert!(causes.recv_timeout(SHORT).is_err());
    drop(hands);
    let graces = GracePeriods { asked: LONG, in_flight: LONG, hung_up: SHORT };
    // A second report of the same loss of the terminal does not shorten the grace period.
    let start = clocks::instant();
    let signal = |_| sender.send(ShutdownCause::HungUp).unwrap();
    let told = vec![ShutdownCause::HungUp];
    assert_eq!(ended(&causes, graces, signal), (ShutdownCause::HungUp, told));
    assert!(start.elapsed() >= SHORT);
}

#[test]
fn hangup_after_request_shortens_the_grace() {
    let (sender, causes) = mpsc::sync_channel(CAUSES);
    sender.send(ShutdownCause::Asked).unwrap();
    let graces = GracePeriods { asked: LONG, in_flight: LONG, hung_up: SHORT };
    let close = |_| sender.send(ShutdownCause::HungUp).unwrap();
    let told = vec![ShutdownCause::Asked, ShutdownCause::HungUp];
    assert_eq!(ended(&causes, graces, close), (ShutdownCause::HungUp, told));
}

/// The environment variable that tells a child process which scenario to run.
const ORDER: &str = "BALCAO_SIGNALS_ORDER";

/// Runs one scenario in a child process. The tests below start these processes.
#[test]
fn as_a_child() {
    let Ok(order) = env::var(ORDER) else { return };
    let graces = GracePeriods { asked: SHORT, in_flight: SHORT, hung_up: SHORT };
    let socket = env::var_os("RESTORED").unwrap();
    let restore = move || {
        UnixDatagram::unbound().unwrap().send_to(b"given back", socket).unwrap();
    };
    match order.as_str() {
        "terminal only" => {
            let (sender, causes) = mpsc::sync_channel(CAUSES);
            hear_terminal(io::stdin().as_fd().try_clone_to_owned().unwrap(), sender).unwrap();
            start(causes, graces, || false, |_| {}, restore).unwrap();
            writeln!(io::stdout(), "listening").unwrap();
        }
        "stuck" => {
            watch(graces, || false, |_| {}, for_ever).unwrap();
            signal_hook::low_level::raise(SIGTERM).unwrap();
        }
        order => panic!("{order}"),
    }
    // The main thread blocks forever, so only this module's threads can end the process.
    for_ever();
}

fn for_ever() {
    loop {
        thread::park();
    }
}

/// Waits for the child process to report that it has restored the terminal. The report comes
/// through a socket, because a file on a busy disk could take longer than the test's time limit.
struct RestoreListener(UnixDatagram);

impl RestoreListener {
    fn at(path: &Path) -> RestoreListener {
        let socket = UnixDatagram::bind(path).unwrap();
        socket.set_nonblocking(true).unwrap();
        RestoreListener(socket)
    }

    /// Returns true once the child process reports that the terminal is restored.
    fn heard(&self) -> bool {
        self.0.recv(&mut [0; 16]).is_ok()
    }
}

const CHILD: [&str; 3] = ["--exact", "runtime::signals::tests::as_a_child", "--nocapture"];

#[test]
fn blocked_terminal_does_not_delay_the_exit() {
    let mut child = Command::new(env::current_exe().unwrap());
    child.args(CHILD).env(ORDER, "stuck").env("RESTORED", "");
    let mut child = child.stdin(process::Stdio::piped()).spawn().unwrap();
    let pipe = child.stdin.take();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    drop(pipe);
}

#[test]
fn closed_terminal_ends_process_ignoring_hangup() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("restored");
    let ear = RestoreListener::at(&path);
    let pty = native_pty_system().openpty(PtySize::default()).unwrap();
    let mut command = CommandBuilder::new("sh");
    command.args(["-c", "trap '' HUP; exec \"$@\"", "sh"]);
    command.arg(env::current_exe().unwrap());
    command.args(CHILD);
    command.env(ORDER, "terminal only");
    command.env("RESTORED", &path);
    let mut child = pty.slave.spawn_command(command).unwrap();
    drop(pty.slave);
    let mut screen = pty.master.try_clone_reader().unwrap();
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains("listening") {
        let mut bytes = [0; 1024];
        let n = screen.read(&mut bytes).unwrap();
        assert!(n > 0, "the child ended early: {}", String::from_utf8_lossy(&seen));
        seen.extend_from_slice(&bytes[..n]);
    }
    drop((screen, pty.master));
    assert_eq!(child.wait().unwrap().exit_code(), 129);
    assert!(ear.heard());
}
