//! The terminal of accessible mode: it keeps its own line editing and echo, and the program only
//! appends text to it.
//!
//! A thread reads the typed lines, so that the time of each line is known even while the event
//! loop is busy. A line counts as deliberate if the second before it had no other input and no
//! question.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use futures_util::Stream;
use futures_util::stream::poll_fn;
use rustix::io::{read, retry_on_intr};
use rustix::stdio::stdin;
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, Termios, tcflush, tcgetattr, tcsetattr,
};
use tokio::sync::mpsc;

use super::clocks;
use super::frame_output::FrameOutput;
use super::front_end::{FrontEnd, Step};
use super::keys::TimedEvent;
use super::terminal::Device;
use crate::accessible::{self, PAGE_SIZE, Prompt, Transcript};
use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::ui::Action;
use crate::app::ui::input::{Code, Key, Pace, Size};
use crate::app::{Model, chrome};
use crate::locked::Locked;
use crate::view::Theme;

/// The time without input before a line that may confirm something.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// The maximum number of typed lines that wait for the event loop.
const LINE_QUEUE: usize = 64;

/// The maximum length of a typed line in bytes. The rest of a longer line is dropped.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// The number of reads without a byte, one right after another, that show that the terminal is
/// gone. A single one is the key Ctrl-D.
const MAX_EMPTY_READS: u32 = 8;

/// The time within which empty reads count as one right after another.
const EMPTY_READ_TIME: Duration = Duration::from_millis(20);

/// The state of the terminal that the event loop and the reading thread share.
#[derive(Clone, Default)]
pub struct LineTerminal(Arc<Locked<State>>);

#[derive(Default)]
struct State {
    /// The time of the last line or question.
    last_input: Option<Instant>,
    /// The terminal's own modes, while the echo is off.
    modes: Option<Termios>,
    /// True while the terminal belongs to another program, such as the shell.
    is_released: bool,
}

impl LineTerminal {
    /// A stream of typed lines, each as a paste. The key Ctrl-D is a key press.
    pub fn lines(&self) -> io::Result<impl Stream<Item = io::Result<TimedEvent>> + Unpin + use<>> {
        let (sender, mut lines) = mpsc::channel(LINE_QUEUE);
        let terminal = self.clone();
        thread::Builder::new()
            .name("lines".into())
            .spawn(move || terminal.read(&sender))?;
        Ok(poll_fn(move |cx| lines.poll_recv(cx)))
    }

    fn read(&self, sender: &mpsc::Sender<io::Result<TimedEvent>>) {
        let mut line = Vec::new();
        let mut buffer = [0; 4_096];
        let mut empty_reads = 0;
        loop {
            let start = clocks::instant();
            let count = match retry_on_intr(|| read(stdin(), &mut buffer)) {
                Ok(count) => count,
                Err(error) => return drop(sender.blocking_send(Err(error.into()))),
            };
            if count == 0 {
                let is_repeated = start.elapsed() < EMPTY_READ_TIME;
                empty_reads = if is_repeated { empty_reads + 1 } else { 1 };
                if empty_reads >= MAX_EMPTY_READS {
                    return;
                }
            }
            let is_line = buffer[..count].ends_with(b"\n");
            let room = MAX_LINE_BYTES.saturating_sub(line.len());
            line.extend_from_slice(&buffer[..count.min(room)]);
            // The line may be a password.
            buffer[..count].fill(0);
            let event = match (is_line, count) {
                (true, _) => Event::Paste(take_line(&mut line)),
                (false, 0) => Event::Key(KeyEvent::new(KeyCode::Char('d'), KeyModifiers::CONTROL)),
                (false, _) => continue,
            };
            let event = TimedEvent {
                event,
                pace: self.note_input(),
            };
            if sender.blocking_send(Ok(event)).is_err() {
                return;
            }
        }
    }

    /// Records an input, and returns its pace.
    fn note_input(&self) -> Pace {
        let now = clocks::instant();
        let last = self.0.lock().last_input.replace(now);
        if last.is_none_or(|last| now.duration_since(last) >= QUIET_TIME) {
            Pace::Deliberate
        } else {
            Pace::Together
        }
    }

    /// Discards input that was typed before a question could be read. The quiet time begins now.
    fn begin_question(&self) {
        // Ignore an error: the line would then still be too early.
        let _ = tcflush(stdin(), QueueSelector::IFlush);
        self.0.lock().last_input = Some(clocks::instant());
    }

    /// Turns the terminal's echo off for a secret, or on again.
    fn set_echo(&self, on: bool) -> io::Result<()> {
        let mut state = self.0.lock();
        match (on, state.modes.take()) {
            (true, Some(modes)) => tcsetattr(stdin(), OptionalActions::Now, &modes)?,
            (true, None) => {}
            (false, hidden @ Some(_)) => state.modes = hidden,
            (false, None) => {
                let modes = tcgetattr(stdin())?;
                state.hide(modes)?;
            }
        }
        Ok(())
    }
}

impl State {
    /// Turns the echo off, but not the echo of Enter.
    fn hide(&mut self, modes: Termios) -> io::Result<()> {
        let mut hidden = modes.clone();
        hidden.local_modes.remove(LocalModes::ECHO);
        hidden.local_modes.insert(LocalModes::ECHONL);
        tcsetattr(stdin(), OptionalActions::Now, &hidden)?;
        self.modes = Some(modes);
        Ok(())
    }
}

fn take_line(line: &mut Vec<u8>) -> String {
    let bytes = std::mem::take(line);
    let mut text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    text.truncate(text.trim_end_matches(['\r', '\n']).len());
    text
}

/// The terminal as a device that needs no modes. The bytes of the full screen, such as the sequence
/// for the alternate screen, are dropped.
impl Device for LineTerminal {
    /// Takes the terminal over, or gives it back with its echo.
    fn set_raw(&mut self, raw: bool) -> io::Result<()> {
        let mut state = self.0.lock();
        if raw != state.is_released {
            return Ok(());
        }
        state.is_released = !raw;
        match state.modes.take() {
            Some(modes) if raw => state.hide(modes),
            Some(modes) => {
                tcsetattr(stdin(), OptionalActions::Now, &modes)?;
                state.modes = Some(modes);
                Ok(())
            }
            None => Ok(()),
        }
    }
}

impl Write for LineTerminal {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The front end of accessible mode. It appends the text of a [`Transcript`] to the terminal.
pub struct LineFrontEnd<W> {
    out: W,
    terminal: LineTerminal,
    transcript: Transcript,
    output: FrameOutput,
}

impl<W: Write> LineFrontEnd<W> {
    pub fn new(out: W, terminal: LineTerminal) -> LineFrontEnd<W> {
        LineFrontEnd {
            out,
            terminal,
            transcript: Transcript::default(),
            output: FrameOutput::default(),
        }
    }
}

impl<W: Write + Send> FrontEnd for LineFrontEnd<W> {
    fn show(&mut self, model: &Model, _: &Arc<Theme>) -> io::Result<FrameSnapshot> {
        let page = chrome::page(model, PAGE_SIZE);
        let told = self.transcript.tell(model, &page);
        if matches!(told.prompt, Some(Prompt::Secret { .. })) {
            // Turn the echo off before the prompt appears, so that an early answer stays hidden.
            self.terminal.set_echo(false)?;
        }
        if !told.text.is_empty() {
            self.out.write_all(told.text.as_bytes())?;
            self.out.flush()?;
        }
        if matches!(told.prompt, Some(Prompt::Question { .. })) {
            self.terminal.begin_question();
        }
        Ok(FrameSnapshot::of(model, PAGE_SIZE, page))
    }

    fn output(&self) -> &FrameOutput {
        &self.output
    }

    /// Does nothing, because a line does not depend on the size of the terminal.
    fn set_size(&mut self, _: Size) -> io::Result<()> {
        Ok(())
    }

    fn reset(&mut self) -> io::Result<Size> {
        self.transcript.tell_again();
        Ok(PAGE_SIZE)
    }

    fn steps(&mut self, model: &Model, TimedEvent { event, pace }: TimedEvent) -> Vec<Step> {
        let steps = match event {
            Event::Paste(line) => {
                // If this fails, the terminal is gone.
                let _ = self.terminal.set_echo(true);
                self.transcript.read(model, &line, pace)
            }
            Event::Key(_) => {
                let _ = self.terminal.set_echo(true);
                self.transcript.end_input();
                vec![accessible::Step::Act(Action::Leave)]
            }
            _ => vec![],
        };
        steps.into_iter().map(to_step).collect()
    }

    fn next_steps(&mut self, _: &Model) -> Vec<Step> {
        self.transcript
            .next_steps()
            .into_iter()
            .map(to_step)
            .collect()
    }
}

fn to_step(step: accessible::Step) -> Step {
    let event = match step {
        accessible::Step::Act(action) => return Step::Action(action),
        accessible::Step::Key(key) => Event::Key(from_key(key)),
        accessible::Step::Paste(text) => Event::Paste(text),
        accessible::Step::Click(column, row) => Event::Mouse(MouseEvent {
            kind: MouseEventKind::Down(MouseButton::Left),
            column,
            row,
            modifiers: KeyModifiers::NONE,
        }),
    };
    let pace = Pace::Deliberate;
    Step::Event(TimedEvent { event, pace })
}

/// The terminal's event for a key.
fn from_key(key: Key) -> KeyEvent {
    let code = match key.code {
        Code::Char(c) => KeyCode::Char(c),
        Code::Function(n) => KeyCode::F(n),
        Code::Enter => KeyCode::Enter,
        Code::Esc => KeyCode::Esc,
        Code::Tab => KeyCode::Tab,
        Code::BackTab => KeyCode::BackTab,
        Code::Backspace => KeyCode::Backspace,
        Code::Delete => KeyCode::Delete,
        Code::Left => KeyCode::Left,
        Code::Right => KeyCode::Right,
        Code::Up => KeyCode::Up,
        Code::Down => KeyCode::Down,
        Code::Home => KeyCode::Home,
        Code::End => KeyCode::End,
        Code::PageUp => KeyCode::PageUp,
        Code::PageDown => KeyCode::PageDown,
    };
    let mut modifiers = KeyModifiers::NONE;
    modifiers.set(KeyModifiers::CONTROL, key.ctrl);
    modifiers.set(KeyModifiers::ALT, key.alt);
    KeyEvent::new(code, modifiers)
}
