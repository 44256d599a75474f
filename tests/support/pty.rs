//! Runs the real app in a pseudo-terminal. A test can read the app's screen, type keys, and measure
//! the app's activity.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, OpenOptions};
use std::io::{self, Read, Write};
use std::num::NonZeroU16;
use std::os::unix::fs::OpenOptionsExt;
use std::path::PathBuf;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, mpsc};
use std::thread;
use std::time::Duration;

use balcao::runtime::clocks;
use portable_pty::{CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use rustix::io::retry_on_intr;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process, waitid};
use rustix::termios::{OptionalActions, SpecialCodeIndex, tcgetattr, tcsetattr};

use super::in_play;
use super::place::TestHome;
use super::slow_line::SlowLine;

/// The time limit for all waits. It is long, because the machine may be busy.
pub const LIMIT: Duration = Duration::from_secs(60);

/// The number of steps into which the wait for the app's exit is split.
const LOOKS: u32 = 60;

/// Starts a program in a pseudo-terminal.
///
/// ```ignore
/// let place = Place::new();
/// let mut tui = Launch::new(&place).args(&["demo"]).size(120, 40).start();
/// tui.wait_for("1 Links");
/// tui.press("\x1b");
/// tui.type_text("49,90");
/// tui.wait_for("R$ 49,90");
/// tui.resize(80, 24);
/// tui.signal(Signal::TERM);
/// assert!(tui.wait_exit().success());
/// assert!(!tui.is_alternate());
/// ```
pub struct Launch {
    command: CommandBuilder,
    size: PtySize,
    /// The slow connection between the program and the terminal, if any.
    line: Option<SlowLine>,
    /// True if the terminal answers no query.
    is_mute: bool,
}

/// The query that asks whether the terminal has processed all output (DSR), and the terminal's
/// answer.
const QUESTION: &[u8] = b"\x1b[5n";
const ANSWER: &[u8] = b"\x1b[0n";

impl Launch {
    /// Prepares to start the `balcao` program of this crate.
    pub fn new(place: &TestHome) -> Launch {
        Launch::program(env!("CARGO_BIN_EXE_balcao"), place)
    }

    /// Prepares to start another program. `path` is its full path.
    pub fn program(path: &str, place: &TestHome) -> Launch {
        let mut command = CommandBuilder::new(path);
        command.env_clear();
        for (name, value) in place.environment() {
            command.env(name, value);
        }
        command.cwd(place.home());
        Launch { command, size: size_of(80, 24), line: None, is_mute: false }
    }

    pub fn args(mut self, args: &[&str]) -> Launch {
        self.command.args(args);
        self
    }

    pub fn env(mut self, name: &str, value: &str) -> Launch {
        in_play::add_variable(name, value);
        self.command.env(name, value);
        self
    }

    pub fn size(mut self, columns: u16, rows: u16) -> Launch {
        self.size = size_of(columns, rows);
        self
    }

    /// Connects the program and the terminal over a slow line.
    pub fn over(mut self, line: SlowLine) -> Launch {
        self.line = Some(line);
        self
    }

    /// Makes the terminal answer no query. A test can then type the bytes of an answer itself.
    pub fn mute(mut self) -> Launch {
        self.is_mute = true;
        self
    }

    pub fn start(self) -> Tui {
        let pair = native_pty_system().openpty(self.size).expect("a pseudo-terminal");
        let mut child = pair.slave.spawn_command(self.command).expect("the program starts");
        // Close this copy of the slave side, because the reader gets end-of-file only after all
        // copies are closed.
        drop(pair.slave);
        let pid = child.process_id().and_then(|pid| i32::try_from(pid).ok());
        let pid = pid.and_then(Pid::from_raw).expect("a process id");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let mut hands = pair.master.take_writer().expect("a writer");
        if let Some(line) = self.line {
            (reader, hands) = (Box::new(line.receive(reader)), Box::new(line.send(hands)));
        }
        let hands = Arc::new(Mutex::new(Some(hands)));
        let shared = Arc::new(Shared::new(self.size));
        let seen = Arc::clone(&shared);
        let asked = answer_with(&hands);
        let is_mute = self.is_mute;
        let eyes = thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                let Some(questions) = seen.take(&buffer[..read]) else { break };
                (0..questions).filter(|_| !is_mute).for_each(|_| _ = asked.send(()));
            }
            drop(reader);
            seen.change(|seen| seen.is_over = true);
        });
        let ended = Arc::clone(&shared);
        thread::spawn(move || {
            let its_end = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            retry_on_intr(|| waitid(WaitId::Pid(pid), its_end)).expect("an end that can be seen");
            // Collect the exit status while holding the lock. The system may then use the process
            // id again, and `Tui::signal` must not signal another process.
            ended.change(|seen| seen.exit = Some(child.wait().expect("the program has ended")));
        });
        let (master, eyes) = (Some(pair.master), Some(eyes));
        Tui { shared, master, hands, eyes, pid, shown: Mutex::default() }
    }
}

/// The writer for the terminal's input, or `None` after the terminal was closed.
type Hands = Arc<Mutex<Option<Box<dyn Write + Send>>>>;

fn write_to(hands: &Hands, bytes: &[u8]) -> io::Result<()> {
    let mut hands = hands.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    match hands.as_mut() {
        Some(hands) => hands.write_all(bytes).and_then(|()| hands.flush()),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// Starts a thread that answers a query for each message on the channel. The thread that reads the
/// program's output cannot do this, because it must never wait for the program.
fn answer_with(hands: &Hands) -> mpsc::SyncSender<()> {
    let (sender, asked) = mpsc::sync_channel(64);
    let hands = Arc::downgrade(hands);
    thread::spawn(move || {
        for () in asked {
            let Some(hands) = hands.upgrade() else { return };
            // Ignore errors, because the program may have ended.
            let _ = write_to(&hands, ANSWER);
        }
    });
    sender
}

/// A running program and its pseudo-terminal.
pub struct Tui {
    shared: Arc<Shared>,
    master: Option<Box<dyn MasterPty + Send>>,
    hands: Hands,
    eyes: Option<thread::JoinHandle<()>>,
    pid: Pid,
    /// The app's screen rows, arguments and environment variables so far, each with a description.
    /// They are searched for secrets.
    shown: Mutex<BTreeSet<(&'static str, Vec<u8>)>>,
}

/// The app's activity in a period without input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Rest {
    /// The processor time that the app used, in ticks. A tick is usually 10 ms.
    pub ticks: u64,
    /// The number of times that a thread of the app started to run again after waiting for
    /// something (voluntary context switches).
    pub wakeups: u64,
    /// The number of bytes that the app wrote to the terminal.
    pub bytes: usize,
}

impl Tui {
    /// Waits until the screen shows this text.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?} to appear"), |screen| screen.contents().contains(text));
    }

    /// Waits until this text is no longer on the screen.
    #[track_caller]
    pub fn wait_gone(&self, text: &str) {
        self.wait_until(&format!("{text:?} to go"), |screen| !screen.contents().contains(text));
    }

    /// Waits until the screen satisfies a condition.
    #[track_caller]
    pub fn wait_until(&self, what: &str, is_there: impl Fn(&vt100::Screen) -> bool) {
        let seen = self.shared.wait(LIMIT, |seen| is_there(seen.parser.screen()) || seen.is_over);
        let screen = seen.parser.screen();
        assert!(
            is_there(screen),
            "waited for {what}; exit: {:?}; the screen:\n{}",
            seen.exit,
            screen.contents()
        );
        let rows: Vec<String> = screen.rows(0, u16::MAX).collect();
        drop(seen);
        self.note_what_it_shows(rows);
    }

    /// Records the screen's rows and, on Linux, the app's arguments and environment variables.
    ///
    /// When this `Tui` is dropped, all recorded data is searched for secrets. Files in `/proc` that
    /// cannot be read are skipped.
    fn note_what_it_shows(&self, rows: Vec<String>) {
        let mut shown = self.shown.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        shown.extend(rows.into_iter().map(|row| ("a row of its screen", row.into_bytes())));
        #[cfg(target_os = "linux")]
        for (what, file) in [("its arguments", "cmdline"), ("its environment", "environ")] {
            shown.extend(fs::read(self.in_proc().join(file)).ok().map(|bytes| (what, bytes)));
        }
    }

    /// Waits until the bytes that the app has sent to the terminal satisfy a condition.
    #[track_caller]
    pub fn wait_written(&self, what: &str, is_there: impl Fn(&[u8]) -> bool) {
        let seen = self.shared.wait(LIMIT, |seen| is_there(&seen.written) || seen.is_over);
        assert!(is_there(&seen.written), "waited for {what}");
    }

    /// Returns all bytes that the app has sent to the terminal.
    pub fn written(&self) -> Vec<u8> {
        self.shared.lock().written.clone()
    }

    /// Calls `look` with the current screen, and returns its result.
    pub fn screen<T>(&self, look: impl FnOnce(&vt100::Screen) -> T) -> T {
        look(self.shared.lock().parser.screen())
    }

    pub fn text(&self) -> String {
        self.shared.lock().parser.screen().contents()
    }

    /// Returns the cursor's column and row (counted from 0), or `None` if the cursor is hidden.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        let seen = self.shared.lock();
        let (row, column) = seen.parser.screen().cursor_position();
        (!seen.parser.screen().hide_cursor()).then_some((column, row))
    }

    /// Returns true if the terminal shows the alternate screen. It must be off after the app has
    /// exited.
    pub fn is_alternate(&self) -> bool {
        self.shared.lock().parser.screen().alternate_screen()
    }

    /// Returns the terminal modes that the app has turned on but not off. The list must be empty
    /// after the app has exited.
    pub fn still_asked(&self) -> Vec<&'static str> {
        let seen = self.shared.lock();
        let screen = seen.parser.screen();
        let asked = [
            ("the other screen", screen.alternate_screen()),
            ("no cursor", screen.hide_cursor()),
            ("marked pastes", screen.bracketed_paste()),
            ("the mouse", screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None),
        ];
        asked.into_iter().filter_map(|(what, is)| is.then_some(what)).collect()
    }

    pub fn type_text(&mut self, text: &str) {
        write_to(&self.hands, text.as_bytes()).expect("the terminal takes keys");
    }

    /// Types text. Does nothing if the terminal is already closed.
    pub fn try_type(&mut self, text: &str) {
        let _ = write_to(&self.hands, text.as_bytes());
    }

    /// Types text on another thread, because the program may never read all of it.
    pub fn type_unread(&mut self, text: String) {
        let hands = Arc::clone(&self.hands);
        thread::spawn(move || write_to(&hands, text.as_bytes()));
    }

    /// Stops reading the program's output. The program's writes then block when the terminal's
    /// buffer is full.
    pub fn stop_reading(&self) {
        self.shared.change(|seen| seen.must_let_go = true);
    }

    /// Types a letter into a field, and returns the time until the cursor moves.
    #[track_caller]
    pub fn time_letter(&mut self, letter: &str) -> Duration {
        let cursor = |seen: &Seen| seen.parser.screen().cursor_position();
        let before = cursor(&self.shared.lock());
        let start = clocks::instant();
        self.type_text(letter);
        let seen = self.shared.wait(LIMIT, |seen| cursor(seen) != before || seen.is_over);
        let time = start.elapsed();
        assert_ne!(cursor(&seen), before, "the screen:\n{}", seen.parser.screen().contents());
        time
    }

    /// Sends the bytes of a key press. Pauses before Tab and Enter, because the app ignores a
    /// confirmation right after other input.
    ///
    /// After a single Esc, a test must wait for the effect of Esc. Otherwise, the app combines Esc
    /// with the next key to an Alt key press.
    pub fn press(&mut self, key: &str) {
        if matches!(key, "\t" | "\r") {
            self.pause();
        }
        self.type_text(key);
    }

    /// Waits until the app is idle. An idle app has handled all of its input.
    pub fn pause(&self) {
        // Give up after 15 tries, because some programs are never idle.
        self.falls_quiet(15);
    }

    /// Waits for a period of 100 ms without activity, up to `tries` times. Returns false if the app
    /// was active in each period.
    pub fn falls_quiet(&self, tries: u32) -> bool {
        (0..tries).any(|_| {
            #[cfg(target_os = "linux")]
            let before = self.effort();
            self.look_on(Duration::from_millis(100));
            #[cfg(target_os = "linux")]
            if let (Some(before), Some(after)) = (before, self.effort()) {
                return (after.wakeups_since(&before), after.ticks) == (0, before.ticks);
            }
            true
        })
    }

    /// Pastes text. The text is enclosed in the escape sequences of a bracketed paste.
    pub fn paste(&mut self, text: &str) {
        self.type_text(&format!("\x1b[200~{text}\x1b[201~"));
    }

    pub fn resize(&mut self, columns: u16, rows: u16) {
        self.shared.lock().parser.set_size(cells(rows), cells(columns));
        let master = self.master.as_ref().expect("the terminal is alive");
        master.resize(size_of(columns, rows)).expect("the terminal can be resized");
    }

    /// Sends a signal to the app, unless the app has already ended.
    pub fn signal(&self, signal: Signal) {
        let seen = self.shared.lock();
        if seen.exit.is_none() {
            kill_process(self.pid, signal).expect("the signal can be sent");
        }
    }

    /// Waits until the app exits, but at most for this time.
    pub fn look_on(&self, length: Duration) {
        drop(self.shared.wait(length, |seen| seen.exit.is_some()));
    }

    pub fn has_ended(&self) -> bool {
        self.shared.lock().exit.is_some()
    }

    /// Waits until the operating system reports that the process is stopped.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_stopped(&self) {
        for _ in 0..1_000 {
            let stat = fs::read_to_string(self.in_proc().join("stat")).unwrap_or_default();
            if stat.rsplit_once(") ").is_some_and(|(_, rest)| rest.starts_with('T')) {
                return;
            }
            drop(self.shared.wait(LIMIT / 1_000, |seen| seen.is_over));
        }
        panic!("it runs on:\n{}", self.text());
    }

    /// Kills the app immediately, so that it cannot clean up.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Waits until the app exits. Panics if it still runs after [`LIMIT`].
    #[track_caller]
    pub fn wait_exit(&self) -> ExitStatus {
        self.wait_exit_within(LIMIT)
    }

    /// Waits until the app exits and its output ends. Panics if this takes longer than `limit`.
    #[track_caller]
    pub fn wait_exit_within(&self, limit: Duration) -> ExitStatus {
        let is_gone = |seen: &Seen| seen.exit.is_some() && seen.is_over;
        // Wait in steps, because a suspension of the machine then uses up only one step.
        for _ in 1..LOOKS {
            if is_gone(&self.shared.wait(limit / LOOKS, is_gone)) {
                break;
            }
        }
        let seen = self.shared.wait(limit / LOOKS, is_gone);
        let text = seen.parser.screen().contents();
        seen.exit.clone().unwrap_or_else(|| panic!("still running after {limit:?}:\n{text}"))
    }

    /// Closes the terminal, as if the user had closed its window or an SSH connection was lost.
    pub fn hang_up(&mut self) {
        let master = self.master.take().expect("the terminal is alive");
        let name = master.tty_name().expect("the terminal has a name");
        let no_control = i32::try_from(rustix::fs::OFlags::NOCTTY.bits()).expect("a flag");
        let slave = OpenOptions::new().read(true).write(true).custom_flags(no_control).open(name);
        let mut slave = slave.expect("the terminal can be opened");
        // Dropping the writer sends Enter and the end-of-file character, if the terminal has such a
        // character. Unset this character first, because the Enter could press a button.
        let mut modes = tcgetattr(&slave).expect("the terminal has modes");
        modes.special_codes[SpecialCodeIndex::VEOF] = 0;
        tcsetattr(&slave, OptionalActions::Now, &modes).expect("the terminal takes modes");
        drop(self.hands.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take());
        // The reading thread still keeps the terminal open. To end this thread, set `must_let_go`
        // and wake the thread with a byte.
        self.shared.change(|seen| seen.must_let_go = true);
        slave.write_all(b"\0").expect("the terminal takes a byte");
        drop(slave);
        if let Some(eyes) = self.eyes.take() {
            eyes.join().expect("the reading thread ends");
        }
        drop(master);
    }

    /// Waits for this time without typing anything, and returns the app's activity in this time.
    #[cfg(target_os = "linux")]
    pub fn rest(&self, length: Duration) -> Rest {
        let before = self.effort().expect("the process is there");
        let bytes = self.shared.lock().written.len();
        let seen = self.shared.wait(length, |seen| seen.exit.is_some());
        assert!(seen.exit.is_none(), "it ended while it was to rest: {:?}", seen.exit);
        let bytes = seen.written.len() - bytes;
        drop(seen);
        let after = self.effort().expect("the process is there");
        Rest { ticks: after.ticks - before.ticks, wakeups: after.wakeups_since(&before), bytes }
    }

    /// Waits until the app has been completely idle for a period of this length.
    ///
    /// Tries this 15 times before the test fails, because earlier input may still cause work.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_asleep(&self, length: Duration) {
        let mut seen = Vec::new();
        for _ in 0..15 {
            let rest = self.rest(length);
            if (rest.wakeups, rest.bytes) == (0, 0) {
                return;
            }
            seen.push(rest);
        }
        panic!("it never sleeps for {length:?}: {seen:#?}\n{}", self.text());
    }

    /// Waits until the app has woken up and written something within a period of this length.
    /// Returns the app's activity in this period.
    ///
    /// Tries this 15 times before the test fails, because a busy machine may not run the app at
    /// first.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_awake(&self, length: Duration) -> Rest {
        let mut seen = Vec::new();
        for _ in 0..15 {
            let rest = self.rest(length);
            if rest.wakeups > 0 && rest.bytes > 0 {
                return rest;
            }
            seen.push(rest);
        }
        panic!("it never wakes in {length:?}: {seen:#?}\n{}", self.text());
    }

    /// Returns the processor time that the app has used so far, in ticks, or `None` after the app
    /// has exited.
    #[cfg(target_os = "linux")]
    pub fn ticks(&self) -> Option<u64> {
        self.effort().map(|effort| effort.ticks)
    }

    /// Waits until the app exits. Returns the processor time in ticks that the app used since
    /// `before`, measured just before its exit.
    #[cfg(target_os = "linux")]
    #[track_caller]
    fn ticks_until_exit(&self, before: Option<u64>, limit: Duration) -> u64 {
        let mut last = self.ticks().or(before);
        for _ in 0..LOOKS {
            let seen = self.shared.wait(limit / LOOKS, |seen| seen.exit.is_some());
            if seen.exit.is_some() {
                return last.zip(before).map_or(0, |(last, before)| last - before);
            }
            drop(seen);
            last = self.ticks().or(last);
        }
        panic!("still running after {limit:?}");
    }

    /// Checks that the app exits within `limit` after its terminal disappeared, without a panic or
    /// a busy loop. `before` is its processor time before that, in ticks of usually 10 ms.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn expect_quiet_exit(&self, before: Option<u64>, limit: Duration) {
        let ticks = self.ticks_until_exit(before, limit);
        assert!(ticks < 50, "{ticks} ticks with its terminal gone");
        assert_ne!(self.wait_exit().exit_code(), 101, "a panic, though nobody sees it");
    }

    #[cfg(target_os = "linux")]
    pub fn process(&self) -> u32 {
        u32::try_from(self.pid.as_raw_pid()).expect("a process id")
    }

    /// Returns the app's peak memory use in bytes.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(self.in_proc().join("status")).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kib.expect("its memory") * 1024
    }

    /// Returns the directory in `/proc` that describes the program.
    #[cfg(target_os = "linux")]
    fn in_proc(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}", self.pid.as_raw_pid()))
    }

    /// Returns the app's processor time and context switches so far, or `None` after the app has
    /// exited.
    #[cfg(target_os = "linux")]
    fn effort(&self) -> Option<Effort> {
        let process = self.in_proc();
        let stat = fs::read_to_string(process.join("stat")).ok()?;
        // Find the last closing parenthesis, because the process name is in parentheses and may
        // itself contain more of them.
        let after_name = stat.rsplit_once(')')?.1;
        let fields: Vec<&str> = after_name.split_whitespace().collect();
        let ticks = |field: usize| fields[field].parse::<u64>().expect("a number");
        let mut switches = BTreeMap::new();
        for thread in fs::read_dir(process.join("task")).ok()? {
            let thread = thread.ok()?;
            // Skip this thread if it has just ended.
            let Ok(status) = fs::read_to_string(thread.path().join("status")) else { continue };
            let line = status.lines().find_map(|l| l.strip_prefix("voluntary_ctxt_switches:"));
            let count = line.and_then(|count| count.trim().parse().ok()).unwrap_or(0);
            switches.insert(thread.file_name(), count);
        }
        Some(Effort { ticks: ticks(11) + ticks(12), switches })
    }
}

/// The processor time of a process in ticks, and the number of voluntary context switches of each
/// thread.
#[cfg(target_os = "linux")]
struct Effort {
    ticks: u64,
    switches: BTreeMap<std::ffi::OsString, u64>,
}

#[cfg(target_os = "linux")]
impl Effort {
    /// Returns how often threads have woken up since `before`. A thread that has ended since then
    /// counts as one.
    fn wakeups_since(&self, before: &Effort) -> u64 {
        let woke = |(thread, count): (&_, &u64)| {
            count - before.switches.get(thread).copied().unwrap_or(0).min(*count)
        };
        let ended = before.switches.keys().filter(|thread| !self.switches.contains_key(*thread));
        self.switches.iter().map(woke).sum::<u64>() + ended.count() as u64
    }
}

/// Kills the app if it is still running, and checks that its screen and output contained no secret.
impl Drop for Tui {
    fn drop(&mut self) {
        let seen = self.shared.lock();
        if seen.exit.is_none() {
            let _ = kill_process(self.pid, Signal::KILL);
        }
        if thread::panicking() {
            return;
        }
        let wanted = in_play::wanted();
        let shown = self.shown.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        shown.insert(("what it wrote", seen.written.clone()));
        drop(seen);
        for (what, bytes) in &*shown {
            assert_eq!(wanted.found_in(bytes), None, "a secret is in {what}");
        }
    }
}

/// The state that the test shares with the thread that reads the terminal. After every change,
/// `changed` is notified.
struct Shared {
    seen: Mutex<Seen>,
    changed: Condvar,
}

struct Seen {
    parser: vt100::Parser,
    written: Vec<u8>,
    is_over: bool,
    must_let_go: bool,
    exit: Option<ExitStatus>,
}

impl Shared {
    fn new(size: PtySize) -> Shared {
        let parser = vt100::Parser::new(cells(size.rows), cells(size.cols), 0);
        let seen =
            Seen { parser, written: Vec::new(), is_over: false, must_let_go: false, exit: None };
        Shared { seen: Mutex::new(seen), changed: Condvar::new() }
    }

    /// Locks the state even if it is poisoned, because `drop` must still read it after a test has
    /// failed.
    fn lock(&self) -> MutexGuard<'_, Seen> {
        self.seen.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn change(&self, change: impl FnOnce(&mut Seen)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Records the program's output. Returns the number of queries that are now complete, or `None`
    /// if the test is closing the terminal. The reading thread then ends.
    fn take(&self, written: &[u8]) -> Option<usize> {
        let mut seen = self.lock();
        let asked = |seen: &Seen, from: usize| {
            let bytes = &seen.written[from..];
            bytes.windows(QUESTION.len()).filter(|bytes| *bytes == QUESTION).count()
        };
        let from = seen.written.len().saturating_sub(QUESTION.len() - 1);
        if !seen.must_let_go {
            seen.parser.process(written);
            seen.written.extend_from_slice(written);
        }
        self.changed.notify_all();
        (!seen.must_let_go).then(|| asked(&seen, from))
    }

    /// Waits until `is_so` returns true, but at most for the time `limit`. The caller has to check
    /// the condition again, because the result does not show whether the time ran out.
    fn wait(&self, limit: Duration, is_so: impl Fn(&Seen) -> bool) -> MutexGuard<'_, Seen> {
        let waited = self.changed.wait_timeout_while(self.lock(), limit, |seen| !is_so(seen));
        waited.unwrap_or_else(|poisoned| poisoned.into_inner()).0
    }
}

fn size_of(columns: u16, rows: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}
