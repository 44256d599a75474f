//! Tests of taking over the terminal and of restoring it, also after a panic and after SIGSTOP.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;

use super::*;

/// A fake terminal that records its calls: `Ok(text)` for a written text, `Err(raw)` for a call
/// that turns raw mode on or off.
#[derive(Clone, Default)]
pub(in crate::runtime) struct Fake {
    seen: Arc<Mutex<Vec<Result<String, bool>>>>,
    broken: Arc<AtomicBool>,
}

impl Fake {
    /// Sets whether writes to this terminal fail from now on.
    pub fn breaks(&self, broken: bool) {
        self.broken.store(broken, Ordering::SeqCst);
    }

    fn seen(&self) -> Vec<Result<String, bool>> {
        std::mem::take(&mut self.seen.lock().unwrap())
    }
}

impl Write for Fake {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.broken.load(Ordering::SeqCst) {
            return Err(io::ErrorKind::BrokenPipe.into());
        }
        let text = String::from_utf8(bytes.to_vec()).unwrap();
        let mut seen = self.seen.lock().unwrap();
        match seen.last_mut() {
            Some(Ok(before)) => before.push_str(&text),
            _ => seen.push(Ok(text)),
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Device for Fake {
    fn set_raw(&mut self, raw: bool) -> io::Result<()> {
        self.seen.lock().unwrap().push(Err(raw));
        Ok(())
    }
}

const BACK: &str = "\x1b[?2004l\x1b[0m\x1b[?25h\x1b[?1049l";

#[test]
fn wishes_are_undone_too() {
    let fake = Fake::default();
    let guard = TerminalGuard::enter(fake.clone(), true).unwrap();
    let [Err(true), Ok(entered)] = &fake.seen()[..] else { panic!("raw, then one text") };
    assert!(entered.contains("\x1b[?1000h"));
    drop(guard);
    let [Ok(left), Err(false)] = &fake.seen()[..] else { panic!("one text, then cooked") };
    assert!(left.contains("\x1b[?1000l") && left.ends_with(BACK));
}

#[test]
fn lent_it_is_taken_again_and_given_back_only_once() {
    let fake = Fake::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    let taken = || [Err(true), Ok("\x1b[?1049h\x1b[?2004h".into())];
    assert_eq!(fake.seen(), taken());
    restorer.suspend().unwrap();
    restorer.suspend().unwrap();
    assert_eq!(fake.seen(), [Ok(BACK.into()), Err(false)]);
    assert!(restorer.resume().unwrap());
    assert_eq!(fake.seen(), taken());
    // Simulate SIGSTOP: `suspend` was not called, and another program has turned off raw mode.
    assert!(restorer.resume().unwrap());
    assert_eq!(fake.seen(), [[Err(false)].to_vec(), taken().to_vec()].concat());
    restorer.suspend().unwrap();
    fake.seen();
    drop(guard);
    assert_eq!(fake.seen(), [], "it is given back already");
    assert!(!restorer.resume().unwrap());
    assert_eq!(fake.seen(), []);
}

#[test]
fn failed_resume_restores_terminal_and_can_retry() {
    for is_suspended in [true, false] {
        let fake = Fake::default();
        let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
        let screen = Fake::default();
        let mut canvas = guard.canvas(screen.clone());
        let restorer = guard.restorer();
        if is_suspended {
            restorer.suspend().unwrap();
        }
        fake.seen();
        fake.breaks(true);
        assert!(restorer.resume().is_err());
        let modes = fake.seen();
        assert!(modes.ends_with(&[Err(true), Err(false)]), "cooked at last: {modes:?}");
        canvas.write_all(b"frame").unwrap();
        assert_eq!(screen.seen(), [], "half of a terminal is not drawn on");
        fake.breaks(false);
        assert!(restorer.resume().unwrap());
        assert_eq!(fake.seen(), [Err(true), Ok("\x1b[?1049h\x1b[?2004h".into())]);
        canvas.write_all(b"frame").unwrap();
        assert_eq!(screen.seen(), [Ok("frame".into())]);
        drop(guard);
        assert_eq!(fake.seen(), [Ok(BACK.into()), Err(false)]);
    }
}

#[test]
fn it_is_given_back_once_whoever_comes_first() {
    let fake = Fake::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    fake.seen();
    thread::spawn(move || restorer.restore().unwrap()).join().unwrap();
    assert_eq!(fake.seen().len(), 2);
    guard.restorer().restore().unwrap();
    drop(guard);
    assert_eq!(fake.seen(), []);
}

#[test]
fn raw_mode_ends_also_when_nothing_can_be_written() {
    let fake = Fake::default();
    fake.breaks(true);
    assert!(TerminalGuard::enter(fake.clone(), false).is_err());
    assert_eq!(fake.seen(), [Err(true), Err(false)]);
}

#[test]
fn complaints_of_other_threads_wait_for_the_screen() {
    let fake = Fake::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let restorer = guard.restorer();
    fake.seen();
    for n in 0..MAX_MESSAGES + 5 {
        assert!(restorer.keep_message(format!("message {n}")), "kept, not printed");
    }
    assert_eq!(restorer.lock().messages.len(), MAX_MESSAGES, "a bound");
    assert_eq!(fake.seen(), [], "nothing on the screen");
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
    let fake = Fake::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    guard.hook_panics();
    fake.seen();
    let _ = thread::spawn(|| panic!("on another thread \u{1b}]0;mine\u{7}")).join();
    let mut err = io::stderr();
    writeln!(err, "kept: {}", fake.seen().is_empty()).unwrap();
    let _ = panic::catch_unwind(|| panic!("on this thread\u{1b}[2J\u{9b}2J"));
    writeln!(err, "given back: {}", fake.seen().len() == 2).unwrap();
    let _ = thread::spawn(|| panic!("too late to keep")).join();
}

const CHILD: &str = "BALCAO_TERMINAL_CHILD";

#[test]
fn a_panic_is_printed_where_it_can_be_read() {
    let child = std::process::Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "runtime::terminal::tests::as_a_child", "--nocapture"])
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
    let places: Vec<_> = lines.iter().map(|line| text.find(line).expect(line)).collect();
    assert!(places.is_sorted(), "{text}");
    // Escape sequences in a panic message must not reach the terminal.
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{9b}']), "{text:?}");
    assert!(text.contains("thread␛]0;mine") || text.contains("thread ␛]0;mine"), "{text}");
}

#[test]
fn while_it_is_lent_or_given_back_no_frame_reaches_it() {
    let fake = Fake::default();
    let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
    let mut canvas = guard.canvas(fake.clone());
    let restorer = guard.restorer();
    let mut reaches = |text: &str| {
        fake.seen();
        canvas.write_all(text.as_bytes()).unwrap();
        !fake.seen().is_empty()
    };
    assert!(reaches("one"));
    restorer.suspend().unwrap();
    assert!(!reaches("two"));
    assert!(restorer.resume().unwrap());
    assert!(reaches("three"));
    drop(guard);
    assert!(!reaches("four"));
    assert!(!restorer.resume().unwrap());
    assert!(!reaches("five"));
}

/// A slow writer. It reports when a write begins, and completes the write when the test allows it.
struct Slow {
    begun: mpsc::SyncSender<()>,
    go_on: mpsc::Receiver<()>,
    then: Fake,
}

impl Write for Slow {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.begun.send(()).unwrap();
        let _ = self.go_on.recv();
        self.then.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn frame_in_progress_delays_restore_only_briefly() {
    for hangs in [false, true] {
        let fake = Fake::default();
        let guard = TerminalGuard::enter(fake.clone(), false).unwrap();
        let ((begins, begun), (go_on, goes_on)) = (mpsc::sync_channel(1), mpsc::sync_channel(1));
        let mut canvas = guard.canvas(Slow { begun: begins, go_on: goes_on, then: fake.clone() });
        fake.seen();
        thread::scope(|scope| {
            scope.spawn(move || canvas.write_all(b"frame"));
            begun.recv().unwrap();
            let restorer = guard.restorer();
            let lending = scope.spawn(move || restorer.suspend().unwrap());
            if hangs {
                lending.join().unwrap();
                assert_eq!(fake.seen(), [Ok(BACK.into()), Err(false)]);
            }
            go_on.send(()).unwrap();
        });
        if !hangs {
            assert_eq!(fake.seen(), [Ok(format!("frame{BACK}")), Err(false)]);
        }
    }
}
