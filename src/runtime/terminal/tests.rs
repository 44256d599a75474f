//! Tests of taking over the terminal and of restoring it, also after a panic and after SIGSTOP.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, mpsc};

use super::*;

/// A fake terminal that records its calls: `Ok(text)` for a written text, `Err(raw)` for a call
/// that turns raw mode on or off.
#[derive(Clone, Default)]
pub(in crate::runtime) struct FakeTerminal {
    calls: Arc<Mutex<Vec<Result<String, bool>>>>,
    broken: Arc<AtomicBool>,
}

impl FakeTerminal {
    /// Sets whether writes to this terminal fail from now on.
    pub fn set_broken(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    fn take_calls(&self) -> Vec<Result<String, bool>> {
        std::mem::take(&mut self.calls.lock().unwrap())
    }
}

impl Write for FakeTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut calls = self.calls.lock().unwrap();
        match calls.last_mut() {
            Some(Ok(before)) => before.push_str(&text),
            _ => calls.push(Ok(text)),
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Device for FakeTerminal {
    fn set_raw(&mut self, raw: bool) -> io::Result<()> {
        self.calls.lock().unwrap().push(Err(raw));
        Ok(())
    }
}

const RESTORE_BYTES: &str = "\x1b[?1004l\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";

#[test]
fn leaving_turns_mouse_reports_off() {
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), true).unwrap();
    let [Err(true), Ok(entered)] = &fake.take_calls()[..] else {
        panic!("raw, then one text")
    };
    assert!(entered.contains("\x1b[?1000h"));
    drop(guard);
    let [Ok(left), Err(false)] = &fake.take_calls()[..] else {
        panic!("one text, then cooked")
    };
    assert!(left.contains("\x1b[?1000l") && left.ends_with(RESTORE_BYTES));
}

#[test]
fn title_is_saved_once_and_restored_on_every_way_out() {
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    fake.take_calls();
    let text =
        |fake: &FakeTerminal| -> String { fake.take_calls().into_iter().flatten().collect() };
    guard
        .set_title("loja \x1b]0;x\x07da ana - default")
        .unwrap();
    let first = text(&fake);
    assert!(first.starts_with("\x1b[22;0t\x1b]2;loja ") && first.ends_with("default\x1b\\"));
    assert_eq!(
        first.matches(|c: char| c.is_control()).count(),
        3,
        "{first:?}"
    );
    guard.set_title("outra - b").unwrap();
    assert_eq!(
        text(&fake),
        "\x1b]2;outra - b\x1b\\",
        "another profile saves nothing"
    );
    restorer.suspend().unwrap();
    assert!(text(&fake).ends_with("\x1b[23;0t"));
    restorer.resume().unwrap();
    assert!(text(&fake).starts_with("\x1b[22;0t\x1b]2;outra - b\x1b\\"));
    // After SIGSTOP, the title was not restored.
    restorer.resume().unwrap();
    assert!(text(&fake).starts_with("\x1b]2;outra - b\x1b\\"));
    drop(guard);
    assert!(text(&fake).ends_with("\x1b[23;0t"));
}

#[test]
fn suspended_terminal_resumes_and_is_restored_once() {
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    let expected = || [Err(true), Ok("\x1b[?1049h\x1b[?2004h\x1b[?1004h".into())];
    assert_eq!(fake.take_calls(), expected());
    restorer.suspend().unwrap();
    restorer.suspend().unwrap();
    assert_eq!(fake.take_calls(), [Ok(RESTORE_BYTES.into()), Err(false)]);
    assert!(restorer.resume().unwrap());
    assert_eq!(fake.take_calls(), expected());
    // Simulate SIGSTOP: `suspend` was not called, and another program has turned off raw mode.
    assert!(restorer.resume().unwrap());
    assert_eq!(
        fake.take_calls(),
        [[Err(false)].to_vec(), expected().to_vec()].concat()
    );
    restorer.suspend().unwrap();
    fake.take_calls();
    drop(guard);
    assert_eq!(fake.take_calls(), [], "it is given back already");
    assert!(!restorer.resume().unwrap());
    assert_eq!(fake.take_calls(), []);
}

#[test]
fn failed_resume_restores_terminal_and_can_retry() {
    for is_suspended in [true, false] {
        let fake = FakeTerminal::default();
        let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
        let screen = FakeTerminal::default();
        let mut canvas = guard.frame_writer(screen.clone());
        let restorer = guard.restorer();
        if is_suspended {
            restorer.suspend().unwrap();
        }
        fake.take_calls();
        fake.set_broken(true);
        assert!(restorer.resume().is_err());
        let modes = fake.take_calls();
        assert!(
            modes.ends_with(&[Err(true), Err(false)]),
            "cooked at last: {modes:?}"
        );
        canvas.write_all(b"frame").unwrap();
        assert_eq!(
            screen.take_calls(),
            [],
            "half of a terminal is not drawn on"
        );
        fake.set_broken(false);
        assert!(restorer.resume().unwrap());
        assert_eq!(
            fake.take_calls(),
            [Err(true), Ok("\x1b[?1049h\x1b[?2004h\x1b[?1004h".into())]
        );
        canvas.write_all(b"frame").unwrap();
        assert_eq!(screen.take_calls(), [Ok("frame".into())]);
        drop(guard);
        assert_eq!(fake.take_calls(), [Ok(RESTORE_BYTES.into()), Err(false)]);
    }
}

#[test]
fn terminal_is_restored_only_once() {
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    fake.take_calls();
    thread::spawn(move || restorer.restore().unwrap())
        .join()
        .unwrap();
    assert_eq!(fake.take_calls().len(), 2);
    guard.restorer().restore().unwrap();
    drop(guard);
    assert_eq!(fake.take_calls(), []);
}

#[test]
fn raw_mode_ends_even_if_writes_fail() {
    let fake = FakeTerminal::default();
    fake.set_broken(true);
    assert!(TerminalGuard::enter(fake.clone(), false).is_err());
    assert_eq!(fake.take_calls(), [Err(true), Err(false)]);
}

#[test]
fn panic_messages_of_other_threads_are_kept() {
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    fake.take_calls();
    for n in 0..MAX_MESSAGES + 5 {
        assert!(
            restorer.keep_message(format!("message {n}")),
            "kept, not printed"
        );
    }
    assert_eq!(
        restorer.state.lock().messages.len(),
        MAX_MESSAGES,
        "a bound"
    );
    assert_eq!(fake.take_calls(), [], "nothing on the screen");
    drop(guard);
    assert!(!restorer.keep_message("later".into()), "printed at once");
}

/// Runs in a child process that the test below starts, because a panic hook would affect other
/// tests.
#[test]
fn as_a_child() {
    if std::env::var_os(CHILD).is_none() {
        return;
    }
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    guard.install_panic_hook(Log::off());
    fake.take_calls();
    let _ = thread::spawn(|| panic!("on another thread \u{1b}]0;mine\u{7}")).join();
    let mut err = io::stderr();
    writeln!(err, "kept: {}", fake.take_calls().is_empty()).unwrap();
    let _ = panic::catch_unwind(|| panic!("on this thread\u{1b}[2J\u{9b}2J"));
    writeln!(err, "given back: {}", fake.take_calls().len() == 2).unwrap();
    let _ = thread::spawn(|| panic!("too late to keep")).join();
}

const CHILD: &str = "BALCAO_TERMINAL_CHILD";

#[test]
fn panic_message_is_printed_after_restoring() {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "runtime::terminal::tests::as_a_child",
            "--nocapture",
        ])
        .env(CHILD, "1")
        .output()
        .unwrap();
    let text = String::from_utf8(child.stderr).unwrap();
    let lines = [
        "kept: true",
        "on another thread",
        "on this thread",
        "given back: true",
        "too late to keep",
    ];
    let positions: Vec<_> = lines
        .iter()
        .map(|line| text.find(line).expect(line))
        .collect();
    assert!(positions.is_sorted(), "{text}");
    // Escape sequences in a panic message must not reach the terminal.
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{text:?}");
    assert!(
        text.contains("thread␛]0;mine") || text.contains("thread ␛]0;mine"),
        "{text}"
    );
}

#[test]
fn suspended_or_restored_terminal_gets_no_frame() {
    let fake = FakeTerminal::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let mut canvas = guard.frame_writer(fake.clone());
    let restorer = guard.restorer();
    let mut is_written = |text: &str| {
        fake.take_calls();
        canvas.write_all(text.as_bytes()).unwrap();
        !fake.take_calls().is_empty()
    };
    assert!(is_written("one"));
    restorer.suspend().unwrap();
    assert!(!is_written("two"));
    assert!(restorer.resume().unwrap());
    assert!(is_written("three"));
    drop(guard);
    assert!(!is_written("four"));
    assert!(!restorer.resume().unwrap());
    assert!(!is_written("five"));
}

/// A slow writer. It reports when a write begins, and completes the write when the test allows it.
struct SlowWriter {
    begun: mpsc::SyncSender<()>,
    proceed: mpsc::Receiver<()>,
    inner: FakeTerminal,
}

impl Write for SlowWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.send(()).unwrap();
        let _ = self.proceed.recv();
        self.inner.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn frame_in_progress_delays_restore_only_briefly() {
    for hangs in [false, true] {
        let fake = FakeTerminal::default();
        let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
        let (report_begun, begun) = mpsc::sync_channel(1);
        let (allow, proceed) = mpsc::sync_channel(1);
        let mut canvas = guard.frame_writer(SlowWriter {
            begun: report_begun,
            proceed,
            inner: fake.clone(),
        });
        fake.take_calls();
        thread::scope(|scope| {
            scope.spawn(move || canvas.write_all(b"frame"));
            begun.recv().unwrap();
            let restorer = guard.restorer();
            let suspending = scope.spawn(move || restorer.suspend().unwrap());
            if hangs {
                suspending.join().unwrap();
                assert_eq!(fake.take_calls(), [Ok(RESTORE_BYTES.into()), Err(false)]);
            }
            allow.send(()).unwrap();
        });
        if !hangs {
            assert_eq!(
                fake.take_calls(),
                [Ok(format!("frame{RESTORE_BYTES}")), Err(false)]
            );
        }
    }
}

#[test]
fn unknown_size_comes_from_variables_or_is_80x24() {
    let none = |_: &str| None;
    let size = |columns, rows| Size { columns, rows };
    assert_eq!(drawn_size_with(0, 0, none), size(80, 24));
    assert_eq!(drawn_size_with(80, 0, none), size(80, 24));
    assert_eq!(drawn_size_with(0, 30, none), size(80, 30));
    assert_eq!(
        drawn_size_with(100, 40, |_| Some("7".into())),
        size(100, 40)
    );
    let wide = |name: &str| Some(if name == "COLUMNS" { "132" } else { "43" }.to_owned());
    assert_eq!(drawn_size_with(0, 0, wide), size(132, 43));
    assert_eq!(drawn_size_with(24, 0, wide), size(24, 43));
    for invalid in ["", "0", "-1", "x", "99999"] {
        assert_eq!(
            drawn_size_with(0, 0, |_| Some(invalid.into())),
            size(80, 24),
            "{invalid}"
        );
    }
    assert_eq!(
        drawn_size_with(0, 0, |_| Some(" 65535 ".into())),
        Size::limited(65_535, 65_535)
    );
}
