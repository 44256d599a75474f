//! The terminal of accessible mode: it keeps its own line editing and echo, and the program only
//! appends text to it. The keys Ctrl-C and Ctrl-Z are input as in the full screen, because the
//! app asks or refuses while money is in flight.
//!
//! A thread reads the input, so that the time of each key is known even while the event loop is
//! busy.
//!
//! The answer to a question is read key by key, because a line does not show whether it was typed
//! or pasted. It is deliberate if its first key comes a second after the question, each key alone,
//! and if no other question was asked since then. No other line is deliberate.

use std::io::{self, Write};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossterm::event::{
    Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind,
};
use futures_util::Stream;
use futures_util::stream::poll_fn;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{read, retry_on_intr, write};
use rustix::stdio::{stdin, stdout};
use rustix::termios::{
    LocalModes, OptionalActions, QueueSelector, SpecialCodeIndex, Termios, tcflush, tcgetattr,
    tcsetattr,
};
use tokio::sync::mpsc;

use super::clocks;
use super::frame_output::FrameOutput;
use super::front_end::{FrontEnd, Step};
use super::keys::TimedEvent;
use crate::accessible::{self, PAGE_SIZE, Prompt, Transcript};
use crate::app::store::frame_snapshot::FrameSnapshot;
use crate::app::ui::Action;
use crate::app::ui::input::{Code, Key, Pace, Size};
use crate::app::{Model, chrome};
use crate::locked::Locked;
use crate::view::Theme;

/// The time between a question and the first key of an answer that may confirm something.
const QUIET_TIME: Duration = Duration::from_secs(1);

/// The maximum number of typed lines that wait for the event loop.
const LINE_QUEUE: usize = 64;

/// The maximum length of a typed line in bytes. The rest of a longer line is dropped.
const MAX_LINE_BYTES: usize = 64 * 1024;

/// The maximum length of the answer to a question in bytes.
const MAX_ANSWER_BYTES: usize = 100;

/// The keys Ctrl-C, Ctrl-Z, Ctrl-D, Backspace and Ctrl-H, as the terminal sends them.
const INTERRUPT: u8 = 0x03;
const SUSPEND: u8 = 0x1a;
const END_OF_INPUT: u8 = 0x04;
const DELETE: u8 = 0x7f;
const BACKSPACE: u8 = 0x08;

/// The number of reads without a byte, one right after another, that show that the terminal is
/// gone. A single one is the key Ctrl-D.
const MAX_EMPTY_READS: u32 = 8;

/// The time within which empty reads count as one right after another.
const EMPTY_READ_TIME: Duration = Duration::from_millis(20);

/// The state of the terminal that the event loop and the reading thread share.
#[derive(Clone, Default)]
pub struct LineTerminal(Arc<Locked<State>>);

/// The way in which the terminal gives input to the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Reading {
    /// Whole lines, with the terminal's own line editing and echo.
    #[default]
    Lines,
    /// Whole lines without an echo, for a secret.
    HiddenLines,
    /// Single keys, which the program echoes, for the answer to a question.
    Keys,
}

#[derive(Default)]
struct State {
    reading: Reading,
    /// The time of the last question.
    asked_at: Option<Instant>,
    /// The number of questions so far. A new question discards what was typed before it.
    questions: u64,
    /// The question that the last typed line answered.
    answered: u64,
    /// The terminal's own modes, while others are set. `None` while the terminal belongs to another
    /// program, such as the shell.
    own_modes: Option<Termios>,
}

/// A line that is being typed.
#[derive(Default)]
struct TypedLine {
    bytes: Vec<u8>,
    /// The pace of its keys, once one was typed in answer to a question.
    pace: Option<Pace>,
    /// The number of the question that the line answers.
    question: u64,
}

impl LineTerminal {
    /// A stream of typed lines, each as a paste. Ctrl-C, Ctrl-Z and Ctrl-D are key presses.
    pub fn lines(&self) -> io::Result<impl Stream<Item = io::Result<TimedEvent>> + Unpin + use<>> {
        let (sender, mut lines) = mpsc::channel(LINE_QUEUE);
        let terminal = self.clone();
        thread::Builder::new()
            .name("lines".into())
            .spawn(move || terminal.read(&sender))?;
        Ok(poll_fn(move |cx| lines.poll_recv(cx)))
    }

    fn read(&self, sender: &mpsc::Sender<io::Result<TimedEvent>>) {
        let mut line = TypedLine::default();
        let mut buffer = [0; 4_096];
        let mut empty_reads = 0;
        loop {
            let start = clocks::instant();
            let count = match wait_and_read(&mut buffer) {
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
            let mut echo = Vec::new();
            let event = self.take(&mut line, &buffer[..count], &mut echo);
            // If this fails, the terminal is gone.
            let _ = write(stdout(), &echo);
            // The line may be a password.
            buffer[..count].fill(0);
            if let Some(event) = event
                && sender.blocking_send(Ok(event)).is_err()
            {
                return;
            }
        }
    }

    /// Takes the bytes of one read. Returns the event that they end.
    fn take(&self, line: &mut TypedLine, bytes: &[u8], echo: &mut Vec<u8>) -> Option<TimedEvent> {
        let mut state = self.0.lock();
        let is_key = state.reading == Reading::Keys;
        if line.question != state.questions {
            *line = TypedLine {
                question: state.questions,
                ..TypedLine::default()
            };
        }
        let letter = match bytes.last() {
            None => Some('d'),
            Some(&END_OF_INPUT) if is_key && bytes.len() == 1 => Some('d'),
            Some(&INTERRUPT) => Some('c'),
            Some(&SUSPEND) => Some('z'),
            Some(_) => None,
        };
        if let Some(letter) = letter {
            *line = TypedLine::default();
            return Some(TimedEvent {
                event: Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)),
                pace: Pace::Unknown,
            });
        }
        let is_whole = if is_key {
            let pace = line.pace.unwrap_or_else(|| state.pace_of_first_key());
            // A key is one character. More bytes are a paste, or keys that waited.
            let is_alone = str::from_utf8(bytes).is_ok_and(|text| text.chars().count() == 1);
            line.pace = Some(if is_alone { pace } else { Pace::Together });
            take_keys(&mut line.bytes, bytes, echo)
        } else {
            let room = MAX_LINE_BYTES.saturating_sub(line.bytes.len());
            line.bytes
                .extend_from_slice(&bytes[..bytes.len().min(room)]);
            bytes.ends_with(b"\n")
        };
        if !is_whole {
            return None;
        }
        state.answered = line.question;
        Some(TimedEvent {
            event: Event::Paste(take_line(&mut line.bytes)),
            pace: line.pace.take().unwrap_or_default(),
        })
    }

    /// The pace of a line that was read. If another question was asked since then, the line is no
    /// answer to it.
    fn pace_now(&self, pace: Pace) -> Pace {
        let state = self.0.lock();
        if state.answered == state.questions {
            pace
        } else {
            Pace::Together
        }
    }

    /// Discards input that was typed before a question could be read. The quiet time begins now.
    fn begin_question(&self) -> io::Result<()> {
        self.set_reading(Reading::Keys)?;
        // Ignore an error: the answer would then still be too early.
        let _ = tcflush(stdin(), QueueSelector::IFlush);
        let mut state = self.0.lock();
        state.questions += 1;
        state.asked_at = Some(clocks::instant());
        Ok(())
    }

    /// Takes the terminal over again, or gives it back with its own modes.
    pub fn take_over(&self, takes: bool) -> io::Result<()> {
        let mut state = self.0.lock();
        if takes == state.own_modes.is_some() {
            return Ok(());
        }
        if takes {
            state.own_modes = Some(tcgetattr(stdin())?);
            return state.set_modes();
        }
        match state.own_modes.take() {
            Some(own) => Ok(tcsetattr(stdin(), OptionalActions::Now, &own)?),
            None => Ok(()),
        }
    }

    fn set_reading(&self, reading: Reading) -> io::Result<()> {
        let mut state = self.0.lock();
        if state.reading == reading {
            return Ok(());
        }
        state.reading = reading;
        state.set_modes()
    }
}

impl State {
    /// Deliberate if the quiet time after the question is over.
    fn pace_of_first_key(&self) -> Pace {
        match self.asked_at {
            Some(asked_at) if asked_at.elapsed() >= QUIET_TIME => Pace::Deliberate,
            _ => Pace::Together,
        }
    }

    /// Sets the modes for the current way of reading, based on the terminal's own modes.
    fn set_modes(&self) -> io::Result<()> {
        let Some(own) = &self.own_modes else {
            return Ok(());
        };
        let mut modes = own.clone();
        modes.local_modes.remove(LocalModes::ISIG);
        // These keys end a line, so that they are read at once.
        modes.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
        modes.special_codes[SpecialCodeIndex::VEOL2] = SUSPEND;
        match self.reading {
            Reading::Lines => {}
            Reading::HiddenLines => {
                modes.local_modes.remove(LocalModes::ECHO);
                // Enter is still echoed.
                modes.local_modes.insert(LocalModes::ECHONL);
            }
            Reading::Keys => {
                modes
                    .local_modes
                    .remove(LocalModes::ECHO | LocalModes::ICANON);
                modes.special_codes[SpecialCodeIndex::VMIN] = 1;
                modes.special_codes[SpecialCodeIndex::VTIME] = 0;
            }
        }
        Ok(tcsetattr(stdin(), OptionalActions::Now, &modes)?)
    }
}

/// Waits for input, and reads it. A read that began before the modes changed would ignore the key
/// Ctrl-D, so it begins only when there is input.
fn wait_and_read(buffer: &mut [u8]) -> rustix::io::Result<usize> {
    let stdin = stdin();
    let mut ready = [PollFd::new(&stdin, PollFlags::IN)];
    retry_on_intr(|| poll(&mut ready, None))?;
    retry_on_intr(|| read(stdin, &mut *buffer))
}

/// Takes typed keys into a line, and returns true if they end it. The echo is what a terminal with
/// line editing would write.
fn take_keys(line: &mut Vec<u8>, keys: &[u8], echo: &mut Vec<u8>) -> bool {
    for &byte in keys {
        match byte {
            b'\n' | b'\r' => {
                echo.push(b'\n');
                return true;
            }
            BACKSPACE | DELETE if line.is_empty() => {}
            BACKSPACE | DELETE => {
                // The other bytes of a character have no echo of their own.
                while line.pop().is_some_and(|byte| byte & 0xc0 == 0x80) {}
                echo.extend_from_slice(b"\x08 \x08");
            }
            b' '.. if line.len() < MAX_ANSWER_BYTES => {
                line.push(byte);
                echo.push(byte);
            }
            _ => {}
        }
    }
    false
}

fn take_line(line: &mut Vec<u8>) -> String {
    let bytes = std::mem::take(line);
    let mut text = String::from_utf8(bytes)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned());
    text.truncate(text.trim_end_matches(['\r', '\n']).len());
    text
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
        // Turn the echo off before the prompt appears, so that an early answer stays hidden.
        match told.prompt {
            Some(Prompt::Secret { .. }) => self.terminal.set_reading(Reading::HiddenLines)?,
            Some(Prompt::Question { .. }) | None => {}
            Some(_) => self.terminal.set_reading(Reading::Lines)?,
        }
        if !told.text.is_empty() {
            self.out.write_all(told.text.as_bytes())?;
            self.out.flush()?;
        }
        if matches!(told.prompt, Some(Prompt::Question { .. })) {
            self.terminal.begin_question()?;
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
                let _ = self.terminal.set_reading(Reading::Lines);
                let pace = self.terminal.pace_now(pace);
                self.transcript.read(model, &line, pace)
            }
            Event::Key(key) => {
                let _ = self.terminal.set_reading(Reading::Lines);
                self.transcript.end_input();
                let is_suspend = key.code == KeyCode::Char('z');
                vec![accessible::Step::Act(if is_suspend {
                    Action::Suspend
                } else {
                    Action::Leave
                })]
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A terminal that asked a question so long ago.
    fn asked(ago: Duration) -> LineTerminal {
        let terminal = LineTerminal::default();
        let mut state = terminal.0.lock();
        state.reading = Reading::Keys;
        state.questions = 1;
        state.asked_at = clocks::instant().checked_sub(ago);
        drop(state);
        terminal
    }

    /// Takes these reads. Returns the last line with its pace, and the echo.
    fn take(terminal: &LineTerminal, reads: &[&str]) -> (Option<(String, Pace)>, String) {
        let (mut line, mut echo) = (TypedLine::default(), Vec::new());
        let mut last = None;
        for read in reads {
            let event = terminal.take(&mut line, read.as_bytes(), &mut echo);
            if let Some(TimedEvent { event, pace }) = event {
                last = event.as_paste_event().map(|text| (text.to_owned(), pace));
            }
        }
        (last, String::from_utf8(echo).unwrap())
    }

    #[test]
    fn keys_after_a_second_are_a_deliberate_answer() {
        let long = Duration::from_secs(2);
        for (ago, reads, line, pace) in [
            (
                long,
                &["9", ",", "5", "0", "\n"][..],
                "9,50",
                Pace::Deliberate,
            ),
            (long, &["ç", "\n"], "ç", Pace::Deliberate),
            (Duration::ZERO, &["9", "\n"], "9", Pace::Together),
            (long, &["9,50\n"], "9,50", Pace::Together),
            (long, &["9", ",50", "\n"], "9,50", Pace::Together),
            (long, &["9", "\n100\n"], "9", Pace::Together),
            (long, &["\x1b[A", "\n"], "[A", Pace::Together),
        ] {
            let (answer, _) = take(&asked(ago), reads);
            assert_eq!(answer, Some((line.to_owned(), pace)), "{reads:?}");
        }
    }

    #[test]
    fn backspace_removes_a_whole_character() {
        let reads = ["\x7f", "1", "ç", "\x7f", "5", "\n"];
        let (answer, echo) = take(&asked(Duration::from_secs(2)), &reads);
        assert_eq!(answer, Some(("15".to_owned(), Pace::Deliberate)));
        assert_eq!(echo, "1ç\x08 \x085\n");
    }

    /// The line was read before the question could be.
    #[test]
    fn line_before_the_question_is_not_deliberate() {
        let terminal = LineTerminal::default();
        let (line, echo) = take(&terminal, &["100,00\n"]);
        assert_eq!(line, Some(("100,00".to_owned(), Pace::Unknown)));
        assert_eq!(echo, "", "the terminal echoes");
    }

    /// The answer was typed, and the terms changed before it was handled.
    #[test]
    fn answer_to_an_earlier_question_is_not_deliberate() {
        let terminal = asked(Duration::from_secs(2));
        let (answer, _) = take(&terminal, &["9", "\n"]);
        let (_, pace) = answer.unwrap();
        assert_eq!(terminal.pace_now(pace), Pace::Deliberate);
        terminal.0.lock().questions += 1;
        assert_eq!(terminal.pace_now(pace), Pace::Together);
    }
}
