//! Runs the real app in a pseudo-terminal. A test can read the app's screen, type keys, and measure
//! the app's activity.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File, OpenOptions};
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
use rustix::termios::{Action, OptionalActions, SpecialCodeIndex, tcflow, tcgetattr, tcsetattr};

use super::in_play;
use super::place::TestHome;
use super::slow_line::SlowLine;

/// The time limit for all waits. It is long, because the machine may be busy.
pub const WAIT_TIMEOUT: Duration = Duration::from_secs(60);

/// The number of steps into which the wait for the app's exit is split.
const EXIT_WAIT_STEPS: u32 = 60;

/// Starts a program in a pseudo-terminal.
///
/// ```ignore
/// let home = TestHome::new();
/// let mut tui = Launch::new(&home).args(&["demo"]).size(120, 40).start();
/// tui.wait_for("1 Links");
/// tui.press("\x1b");
/// tui.type_text("49,90");
/// tui.wait_for("R$ 49,90");
/// tui.resize(80, 24);
/// tui.signal(Signal::TERM);
/// assert!(tui.wait_exit().success());
/// assert!(!tui.shows_alternate_screen());
/// ```
pub struct Launch {
    command: CommandBuilder,
    size: PtySize,
    reported_size: Option<PtySize>,
    /// The slow connection between the program and the terminal, if any.
    line: Option<SlowLine>,
    /// True if the terminal answers no query.
    is_mute: bool,
}

/// The query that asks whether the terminal has processed all output (DSR), and the terminal's
/// reply.
const STATUS_QUERY: &[u8] = b"\x1b[5n";
const STATUS_REPLY: &[u8] = b"\x1b[0n";

impl Launch {
    /// Prepares to start the `balcao` program of this crate.
    pub fn new(home: &TestHome) -> Launch {
        Launch::program(env!("CARGO_BIN_EXE_balcao"), home)
    }

    /// Prepares to start another program. `path` is its full path.
    pub fn program(path: &str, home: &TestHome) -> Launch {
        let mut command = CommandBuilder::new(path);
        command.env_clear();
        for (name, value) in home.environment() {
            command.env(name, value);
        }
        command.cwd(home.home_dir());
        Launch {
            command,
            size: size_of(80, 24),
            reported_size: None,
            line: None,
            is_mute: false,
        }
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

    /// Sets a size that the terminal reports although it has another one.
    pub fn reported_size(mut self, columns: u16, rows: u16) -> Launch {
        self.reported_size = Some(size_of(columns, rows));
        self
    }

    /// Connects the program and the terminal over a slow line.
    pub fn over_slow_line(mut self, line: SlowLine) -> Launch {
        self.line = Some(line);
        self
    }

    /// Makes the terminal answer no query. A test can then type the bytes of an answer itself.
    pub fn without_replies(mut self) -> Launch {
        self.is_mute = true;
        self
    }

    pub fn start(self) -> Tui {
        let reported_size = self.reported_size.unwrap_or(self.size);
        let pair = native_pty_system()
            .openpty(reported_size)
            .expect("a pseudo-terminal");
        let mut child = pair
            .slave
            .spawn_command(self.command)
            .expect("the program starts");
        // Close this copy of the slave side, because the reader gets end-of-file only after all
        // copies are closed.
        drop(pair.slave);
        let pid = child.process_id().and_then(|pid| i32::try_from(pid).ok());
        let pid = pid.and_then(Pid::from_raw).expect("a process id");
        let mut reader = pair.master.try_clone_reader().expect("a reader");
        let mut input = pair.master.take_writer().expect("a writer");
        if let Some(line) = self.line {
            (reader, input) = (Box::new(line.receive(reader)), Box::new(line.send(input)));
        }
        let input = Arc::new(Mutex::new(Some(input)));
        let shared = Arc::new(Shared::new(self.size));
        let shared_state = Arc::clone(&shared);
        let queries = answer_queries(&input);
        let is_mute = self.is_mute;
        let reader_thread = thread::spawn(move || {
            let mut buffer = [0; 8192];
            while let Ok(read @ 1..) = reader.read(&mut buffer) {
                let Some(query_count) = shared_state.process_output(&buffer[..read]) else {
                    break;
                };
                (0..query_count)
                    .filter(|_| !is_mute)
                    .for_each(|_| _ = queries.send(()));
            }
            drop(reader);
            shared_state.change(|state| state.output_ended = true);
        });
        let exit_state = Arc::clone(&shared);
        thread::spawn(move || {
            let wait_options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
            retry_on_intr(|| waitid(WaitId::Pid(pid), wait_options))
                .expect("an end that can be seen");
            // Collect the exit status while holding the lock. The system may then use the process
            // id again, and `Tui::signal` must not signal another process.
            exit_state
                .change(|state| state.exit = Some(child.wait().expect("the program has ended")));
        });
        let master = Some(pair.master);
        let reader_thread = Some(reader_thread);
        Tui {
            shared,
            master,
            input,
            reader_thread,
            pid,
            recorded: Mutex::default(),
        }
    }
}

/// The writer for the terminal's input, or `None` after the terminal was closed.
type TerminalInput = Arc<Mutex<Option<Box<dyn Write + Send>>>>;

fn write_to(input: &TerminalInput, bytes: &[u8]) -> io::Result<()> {
    let mut input = input
        .lock()
        .unwrap_or_else(|poisoned| poisoned.into_inner());
    match input.as_mut() {
        Some(input) => input.write_all(bytes).and_then(|()| input.flush()),
        None => Err(io::ErrorKind::BrokenPipe.into()),
    }
}

/// Starts a thread that answers a query for each message on the channel. The thread that reads the
/// program's output cannot do this, because it must never wait for the program.
fn answer_queries(input: &TerminalInput) -> mpsc::SyncSender<()> {
    let (sender, queries) = mpsc::sync_channel(64);
    let input = Arc::downgrade(input);
    thread::spawn(move || {
        for () in queries {
            let Some(input) = input.upgrade() else { return };
            // Ignore errors, because the program may have ended.
            let _ = write_to(&input, STATUS_REPLY);
        }
    });
    sender
}

/// A running program and its pseudo-terminal.
pub struct Tui {
    shared: Arc<Shared>,
    master: Option<Box<dyn MasterPty + Send>>,
    input: TerminalInput,
    reader_thread: Option<thread::JoinHandle<()>>,
    pid: Pid,
    /// The app's screen rows, arguments and environment variables so far, each with a description.
    /// They are searched for secrets.
    recorded: Mutex<BTreeSet<(&'static str, Vec<u8>)>>,
}

/// The app's activity in a period without input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Activity {
    /// The processor time that the app used, in ticks. A tick is usually 10 ms.
    pub ticks: u64,
    /// The number of times that a thread of the app started to run again after waiting for
    /// something (voluntary context switches).
    pub wakeups: u64,
    /// The number of bytes that the app wrote to the terminal.
    pub bytes: usize,
}

/// Returns true if the screen shows this text. A button, such as `[ Voltar ]`, counts only if it
/// has the focus, so that it is in reverse video.
pub fn shows(screen: &vt100::Screen, text: &str) -> bool {
    let is_button = text.starts_with("[ ") || text.ends_with(" ]");
    if !is_button {
        return screen.contents().contains(text);
    }
    let (rows, columns) = screen.size();
    (0..rows.get()).any(|row| {
        let focused_cells = (0..columns.get())
            .filter_map(|column| screen.cell(row, column))
            .filter(|cell| cell.inverse());
        let focused_text: String = focused_cells
            .map(|cell| {
                if cell.has_contents() {
                    cell.contents()
                } else {
                    " "
                }
            })
            .collect();
        focused_text.contains(text)
    })
}

/// Returns the index of the last occurrence of a sequence in the output, if there is one.
fn last_index(output: &[u8], sequence: &[u8]) -> Option<usize> {
    output
        .windows(sequence.len())
        .rposition(|part| part == sequence)
}

impl Tui {
    /// Waits until the screen shows this text. A button, such as `[ Voltar ]`, must have the focus.
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        self.wait_until(&format!("{text:?} to appear"), |screen| shows(screen, text));
    }

    /// Waits until this text is no longer on the screen, or until this button does not have the
    /// focus.
    #[track_caller]
    pub fn wait_until_gone(&self, text: &str) {
        self.wait_until(&format!("{text:?} to go"), |screen| !shows(screen, text));
    }

    /// Waits until the screen satisfies a condition.
    #[track_caller]
    pub fn wait_until(&self, what: &str, condition: impl Fn(&vt100::Screen) -> bool) {
        let state = self.shared.wait(WAIT_TIMEOUT, |state| {
            condition(state.parser.screen()) || state.output_ended
        });
        let screen = state.parser.screen();
        assert!(
            condition(screen),
            "waited for {what}; exit: {:?}; the screen:\n{}",
            state.exit,
            screen.contents()
        );
        let rows: Vec<String> = screen.rows(0, u16::MAX).collect();
        drop(state);
        self.record_screen(rows);
    }

    /// Records the screen's rows and, on Linux, the app's arguments and environment variables.
    ///
    /// When this `Tui` is dropped, all recorded data is searched for secrets. Files in `/proc` that
    /// cannot be read are skipped.
    fn record_screen(&self, rows: Vec<String>) {
        let mut recorded = self
            .recorded
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        recorded.extend(
            rows.into_iter()
                .map(|row| ("a row of its screen", row.into_bytes())),
        );
        #[cfg(target_os = "linux")]
        for (what, file) in [("its arguments", "cmdline"), ("its environment", "environ")] {
            recorded.extend(
                fs::read(self.proc_dir().join(file))
                    .ok()
                    .map(|bytes| (what, bytes)),
            );
        }
    }

    /// Waits until the bytes that the app has sent to the terminal satisfy a condition.
    #[track_caller]
    pub fn wait_for_output(&self, what: &str, condition: impl Fn(&[u8]) -> bool) {
        let state = self.shared.wait(WAIT_TIMEOUT, |state| {
            condition(&state.written) || state.output_ended
        });
        assert!(condition(&state.written), "waited for {what}");
    }

    /// Returns all bytes that the app has sent to the terminal.
    pub fn output_bytes(&self) -> Vec<u8> {
        self.shared.lock().written.clone()
    }

    /// Calls `read` with the current screen, and returns its result.
    pub fn screen<T>(&self, read: impl FnOnce(&vt100::Screen) -> T) -> T {
        read(self.shared.lock().parser.screen())
    }

    pub fn text(&self) -> String {
        self.shared.lock().parser.screen().contents()
    }

    /// Returns the cursor's column and row (counted from 0), or `None` if the cursor is hidden.
    pub fn cursor(&self) -> Option<(u16, u16)> {
        let state = self.shared.lock();
        let (row, column) = state.parser.screen().cursor_position();
        (!state.parser.screen().hide_cursor()).then_some((column, row))
    }

    /// Returns true if the terminal shows the alternate screen. It must be off after the app has
    /// exited.
    pub fn shows_alternate_screen(&self) -> bool {
        self.shared.lock().parser.screen().alternate_screen()
    }

    /// Returns the terminal modes that the app has turned on but not off. There must be none after
    /// the app has exited.
    pub fn active_modes(&self) -> Vec<&'static str> {
        let state = self.shared.lock();
        let screen = state.parser.screen();
        let modes = [
            ("the other screen", screen.alternate_screen()),
            ("no cursor", screen.hide_cursor()),
            ("marked pastes", screen.bracketed_paste()),
            (
                "the mouse",
                screen.mouse_protocol_mode() != vt100::MouseProtocolMode::None,
            ),
            (
                "focus reports",
                last_index(&state.written, b"\x1b[?1004h")
                    > last_index(&state.written, b"\x1b[?1004l"),
            ),
        ];
        modes
            .into_iter()
            .filter_map(|(name, is_on)| is_on.then_some(name))
            .collect()
    }

    pub fn type_text(&mut self, text: &str) {
        write_to(&self.input, text.as_bytes()).expect("the terminal takes keys");
    }

    /// Types text. Does nothing if the terminal is already closed.
    pub fn try_type(&mut self, text: &str) {
        let _ = write_to(&self.input, text.as_bytes());
    }

    /// Types text on another thread. The program may never read all of it, which blocks the thread.
    pub fn type_in_background(&mut self, text: String) {
        let input = Arc::clone(&self.input);
        thread::spawn(move || write_to(&input, text.as_bytes()));
    }

    /// Stops reading the program's output. The program's writes then block when the terminal's
    /// buffer is full.
    pub fn stop_reading(&self) {
        self.shared.change(|state| state.must_stop_reading = true);
    }

    /// Stops the terminal's output, as Ctrl-S does. The program's next write blocks.
    pub fn block_output(&self) {
        tcflow(self.open_slave(), Action::OOff).expect("the output can be stopped");
    }

    /// Opens the program's side of the terminal.
    fn open_slave(&self) -> File {
        let master = self.master.as_ref().expect("the terminal is alive");
        let name = master.tty_name().expect("the terminal has a name");
        let no_controlling_tty = i32::try_from(rustix::fs::OFlags::NOCTTY.bits()).expect("a flag");
        let slave = OpenOptions::new()
            .read(true)
            .write(true)
            .custom_flags(no_controlling_tty)
            .open(name);
        slave.expect("the terminal can be opened")
    }

    /// Types a letter into a field, and returns the time until the cursor moves.
    #[track_caller]
    pub fn measure_letter_delay(&mut self, letter: &str) -> Duration {
        let cursor = |state: &TerminalState| state.parser.screen().cursor_position();
        let before = cursor(&self.shared.lock());
        let start = clocks::instant();
        self.type_text(letter);
        let state = self.shared.wait(WAIT_TIMEOUT, |state| {
            cursor(state) != before || state.output_ended
        });
        let time = start.elapsed();
        assert_ne!(
            cursor(&state),
            before,
            "the screen:\n{}",
            state.parser.screen().contents()
        );
        time
    }

    /// Sends the bytes of a key press. Pauses before Tab and Enter, because the app ignores a
    /// confirmation right after other input.
    ///
    /// After a single Esc, a test must wait for the effect of Esc. Otherwise, the app combines Esc
    /// with the next key to an Alt key press.
    pub fn press(&mut self, key: &str) {
        if matches!(key, "\t" | "\r") {
            self.wait_until_idle();
        }
        self.type_text(key);
    }

    /// Waits until the app is idle. An idle app has handled all of its input.
    pub fn wait_until_idle(&self) {
        // Give up after 15 tries, because some programs are never idle.
        self.becomes_idle(15);
    }

    /// Waits for a period of 100 ms without activity, up to `tries` times. Returns false if the app
    /// was active in each period.
    pub fn becomes_idle(&self, tries: u32) -> bool {
        (0..tries).any(|_| {
            #[cfg(target_os = "linux")]
            let before = self.usage();
            self.run_for(Duration::from_millis(100));
            #[cfg(target_os = "linux")]
            if let (Some(before), Some(after)) = (before, self.usage()) {
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
        self.shared
            .lock()
            .parser
            .set_size(cells(rows), cells(columns));
        let master = self.master.as_ref().expect("the terminal is alive");
        master
            .resize(size_of(columns, rows))
            .expect("the terminal can be resized");
    }

    /// Sends a signal to the app, unless the app has already ended.
    pub fn signal(&self, signal: Signal) {
        let state = self.shared.lock();
        if state.exit.is_none() {
            kill_process(self.pid, signal).expect("the signal can be sent");
        }
    }

    /// Waits until the app exits, but at most for this time.
    pub fn run_for(&self, length: Duration) {
        drop(self.shared.wait(length, |state| state.exit.is_some()));
    }

    pub fn has_exited(&self) -> bool {
        self.shared.lock().exit.is_some()
    }

    /// Waits until the operating system reports that the process is stopped.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_stopped(&self) {
        for _ in 0..1_000 {
            let stat = fs::read_to_string(self.proc_dir().join("stat")).unwrap_or_default();
            if stat
                .rsplit_once(") ")
                .is_some_and(|(_, rest)| rest.starts_with('T'))
            {
                return;
            }
            drop(
                self.shared
                    .wait(WAIT_TIMEOUT / 1_000, |state| state.output_ended),
            );
        }
        panic!("it runs on:\n{}", self.text());
    }

    /// Kills the app immediately, so that it cannot clean up.
    pub fn kill(&self) {
        self.signal(Signal::KILL);
    }

    /// Waits until the app exits. Panics if it still runs after [`WAIT_TIMEOUT`].
    #[track_caller]
    pub fn wait_exit(&self) -> ExitStatus {
        self.wait_exit_within(WAIT_TIMEOUT)
    }

    /// Waits until the app exits and its output ends. Panics if this takes longer than `limit`.
    #[track_caller]
    pub fn wait_exit_within(&self, limit: Duration) -> ExitStatus {
        let has_exited = |state: &TerminalState| state.exit.is_some() && state.output_ended;
        // Wait in steps, because a suspension of the machine then uses up only one step.
        for _ in 1..EXIT_WAIT_STEPS {
            if has_exited(&self.shared.wait(limit / EXIT_WAIT_STEPS, has_exited)) {
                break;
            }
        }
        let state = self.shared.wait(limit / EXIT_WAIT_STEPS, has_exited);
        let text = state.parser.screen().contents();
        state
            .exit
            .clone()
            .unwrap_or_else(|| panic!("still running after {limit:?}:\n{text}"))
    }

    /// Closes the terminal, as if the user had closed its window or an SSH connection was lost.
    pub fn hang_up(&mut self) {
        let mut slave = self.open_slave();
        let master = self.master.take().expect("the terminal is alive");
        // Dropping the writer sends Enter and the end-of-file character, if the terminal has such a
        // character. Unset this character first, because the Enter could press a button.
        let mut modes = tcgetattr(&slave).expect("the terminal has modes");
        modes.special_codes[SpecialCodeIndex::VEOF] = 0;
        tcsetattr(&slave, OptionalActions::Now, &modes).expect("the terminal takes modes");
        drop(
            self.input
                .lock()
                .unwrap_or_else(|poisoned| poisoned.into_inner())
                .take(),
        );
        // The reading thread still keeps the terminal open. To end this thread, set
        // `must_stop_reading` and wake the thread with a byte.
        self.shared.change(|state| state.must_stop_reading = true);
        slave.write_all(b"\0").expect("the terminal takes a byte");
        drop(slave);
        if let Some(reader_thread) = self.reader_thread.take() {
            reader_thread.join().expect("the reading thread ends");
        }
        drop(master);
    }

    /// Waits for this time without typing anything, and returns the app's activity in this time.
    #[cfg(target_os = "linux")]
    pub fn measure_activity(&self, length: Duration) -> Activity {
        let before = self.usage().expect("the process is there");
        let bytes = self.shared.lock().written.len();
        let state = self.shared.wait(length, |state| state.exit.is_some());
        assert!(
            state.exit.is_none(),
            "it ended while it was to rest: {:?}",
            state.exit
        );
        let bytes = state.written.len() - bytes;
        drop(state);
        let after = self.usage().expect("the process is there");
        Activity {
            ticks: after.ticks - before.ticks,
            wakeups: after.wakeups_since(&before),
            bytes,
        }
    }

    /// Waits until the app has been completely idle for a period of this length.
    ///
    /// Tries this 15 times before the test fails, because earlier input may still cause work.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_idle_for(&self, length: Duration) {
        let mut periods = Vec::new();
        for _ in 0..15 {
            let activity = self.measure_activity(length);
            if (activity.wakeups, activity.bytes) == (0, 0) {
                return;
            }
            periods.push(activity);
        }
        panic!(
            "it never sleeps for {length:?}: {periods:#?}\n{}",
            self.text()
        );
    }

    /// Waits until the app has woken up and written something within a period of this length.
    /// Returns the app's activity in this period.
    ///
    /// Tries this 15 times before the test fails, because a busy machine may not run the app at
    /// first.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn wait_for_wakeup(&self, length: Duration) -> Activity {
        let mut periods = Vec::new();
        for _ in 0..15 {
            let activity = self.measure_activity(length);
            if activity.wakeups > 0 && activity.bytes > 0 {
                return activity;
            }
            periods.push(activity);
        }
        panic!(
            "it never wakes in {length:?}: {periods:#?}\n{}",
            self.text()
        );
    }

    /// Returns the processor time that the app has used so far, in ticks, or `None` after the app
    /// has exited.
    #[cfg(target_os = "linux")]
    pub fn cpu_ticks(&self) -> Option<u64> {
        self.usage().map(|usage| usage.ticks)
    }

    /// Waits until the app exits. Returns the processor time in ticks that the app used since
    /// `before`, measured just before its exit.
    #[cfg(target_os = "linux")]
    #[track_caller]
    fn ticks_until_exit(&self, before: Option<u64>, limit: Duration) -> u64 {
        let mut last = self.cpu_ticks().or(before);
        for _ in 0..EXIT_WAIT_STEPS {
            let state = self
                .shared
                .wait(limit / EXIT_WAIT_STEPS, |state| state.exit.is_some());
            if state.exit.is_some() {
                return last.zip(before).map_or(0, |(last, before)| last - before);
            }
            drop(state);
            last = self.cpu_ticks().or(last);
        }
        panic!("still running after {limit:?}");
    }

    /// Checks that the app exits within `limit` after its terminal disappeared, without a panic or
    /// a busy loop. `before` is the processor time that the app had used before that, in ticks of
    /// usually 10 ms.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn assert_clean_exit(&self, before: Option<u64>, limit: Duration) {
        let ticks = self.ticks_until_exit(before, limit);
        assert!(ticks < 50, "{ticks} ticks with its terminal gone");
        assert_ne!(
            self.wait_exit().exit_code(),
            101,
            "a panic, though nobody sees it"
        );
    }

    #[cfg(target_os = "linux")]
    pub fn process_id(&self) -> u32 {
        u32::try_from(self.pid.as_raw_pid()).expect("a process id")
    }

    /// Returns the app's peak memory use in bytes.
    #[cfg(target_os = "linux")]
    #[track_caller]
    pub fn peak_memory(&self) -> u64 {
        let status = fs::read_to_string(self.proc_dir().join("status")).expect("a process");
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok());
        kib.expect("its memory") * 1024
    }

    #[cfg(target_os = "linux")]
    fn proc_dir(&self) -> PathBuf {
        PathBuf::from(format!("/proc/{}", self.pid.as_raw_pid()))
    }

    /// Returns the app's processor time and context switches so far, or `None` after the app has
    /// exited.
    #[cfg(target_os = "linux")]
    fn usage(&self) -> Option<ProcessUsage> {
        let process = self.proc_dir();
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
            let Ok(status) = fs::read_to_string(thread.path().join("status")) else {
                continue;
            };
            let line = status
                .lines()
                .find_map(|l| l.strip_prefix("voluntary_ctxt_switches:"));
            let count = line
                .and_then(|count| count.trim().parse().ok())
                .unwrap_or(0);
            switches.insert(thread.file_name(), count);
        }
        Some(ProcessUsage {
            ticks: ticks(11) + ticks(12),
            switches,
        })
    }
}

/// The processor time of a process in ticks, and the number of voluntary context switches of each
/// thread.
#[cfg(target_os = "linux")]
struct ProcessUsage {
    ticks: u64,
    switches: BTreeMap<std::ffi::OsString, u64>,
}

#[cfg(target_os = "linux")]
impl ProcessUsage {
    /// Returns how often threads have woken up since `before`. A thread that has ended since then
    /// counts as one.
    fn wakeups_since(&self, before: &ProcessUsage) -> u64 {
        let woke = |(thread, count): (&_, &u64)| {
            count
                - before
                    .switches
                    .get(thread)
                    .copied()
                    .unwrap_or(0)
                    .min(*count)
        };
        let ended = before
            .switches
            .keys()
            .filter(|thread| !self.switches.contains_key(*thread));
        self.switches.iter().map(woke).sum::<u64>() + ended.count() as u64
    }
}

/// Kills the app if it is still running, and checks that its screen and output contained no secret.
impl Drop for Tui {
    fn drop(&mut self) {
        let state = self.shared.lock();
        if state.exit.is_none() {
            let _ = kill_process(self.pid, Signal::KILL);
        }
        if thread::panicking() {
            return;
        }
        let search = in_play::secret_search();
        let recorded = self
            .recorded
            .get_mut()
            .unwrap_or_else(|poisoned| poisoned.into_inner());
        recorded.insert(("what it wrote", state.written.clone()));
        drop(state);
        for (what, bytes) in &*recorded {
            assert_eq!(search.find_in(bytes), None, "a secret is in {what}");
        }
    }
}

/// The state that the test shares with the thread that reads the terminal. After every change,
/// `changed` is notified.
struct Shared {
    state: Mutex<TerminalState>,
    changed: Condvar,
}

struct TerminalState {
    parser: vt100::Parser,
    written: Vec<u8>,
    output_ended: bool,
    must_stop_reading: bool,
    exit: Option<ExitStatus>,
}

impl Shared {
    fn new(size: PtySize) -> Shared {
        let parser = vt100::Parser::new(cells(size.rows), cells(size.cols), 0);
        let state = TerminalState {
            parser,
            written: Vec::new(),
            output_ended: false,
            must_stop_reading: false,
            exit: None,
        };
        Shared {
            state: Mutex::new(state),
            changed: Condvar::new(),
        }
    }

    /// Locks the state even if it is poisoned, because `drop` must still read it after a test has
    /// failed.
    fn lock(&self) -> MutexGuard<'_, TerminalState> {
        self.state
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    fn change(&self, change: impl FnOnce(&mut TerminalState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    /// Records the program's output. Returns the number of queries that are now complete, or `None`
    /// if the test is closing the terminal. The reading thread then ends.
    fn process_output(&self, written: &[u8]) -> Option<usize> {
        let mut state = self.lock();
        let count_queries = |state: &TerminalState, start: usize| {
            let bytes = &state.written[start..];
            bytes
                .windows(STATUS_QUERY.len())
                .filter(|bytes| *bytes == STATUS_QUERY)
                .count()
        };
        let start = state.written.len().saturating_sub(STATUS_QUERY.len() - 1);
        if !state.must_stop_reading {
            state.parser.process(written);
            state.written.extend_from_slice(written);
        }
        self.changed.notify_all();
        (!state.must_stop_reading).then(|| count_queries(&state, start))
    }

    /// Waits until `condition` returns true, but at most for the time `limit`. The caller has to
    /// check the condition again, because it may still be false.
    fn wait(
        &self,
        limit: Duration,
        condition: impl Fn(&TerminalState) -> bool,
    ) -> MutexGuard<'_, TerminalState> {
        let result = self
            .changed
            .wait_timeout_while(self.lock(), limit, |state| !condition(state));
        result.unwrap_or_else(|poisoned| poisoned.into_inner()).0
    }
}

fn size_of(columns: u16, rows: u16) -> PtySize {
    PtySize {
        rows,
        cols: columns,
        pixel_width: 0,
        pixel_height: 0,
    }
}

fn cells(count: u16) -> NonZeroU16 {
    NonZeroU16::new(count).unwrap_or(NonZeroU16::MIN)
}
