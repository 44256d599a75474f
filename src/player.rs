//! Plays a recording: its state, its keys and its screen.
//!
//! The player acts on nothing but itself. It reads no clock: its caller passes the time since any
//! fixed point, draws it after each call, and calls [`Player::pulse`] after
//! [`Player::next_pulse`]. A paused player needs no pulse.

mod layout;

use std::time::Duration;

use crate::app::ui::input::{Code, Key, Size};
use crate::recording::{Cursor, Goal, Progress, Scan};
use crate::words::Catalogue;

pub use layout::fault_text;

/// The number of chunks that a search unpacks before the next frame is drawn, so that a key can
/// end a long search. Steps and jumps need at most two.
const CHUNKS_PER_PULSE: usize = 2;

/// The speeds in percent.
const SPEEDS: [u32; 7] = [25, 50, 100, 200, 400, 800, 1_600];

/// The index of the usual speed in [`SPEEDS`].
const USUAL_SPEED: usize = 2;

/// The maximum length of a typed text in characters.
const MAX_TYPED: usize = 60;

/// The result of a key press.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    Stay,
    Quit,
}

/// A text that is typed on the status row.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Prompt {
    kind: PromptKind,
    text: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PromptKind {
    Text,
    Time,
}

/// The point at which playing began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Playing {
    /// The time in the recording, in milliseconds.
    from: u32,
    /// The time of the caller's clock.
    since: Duration,
}

/// A player of one recording.
pub struct Player {
    cursor: Cursor,
    words: &'static Catalogue,
    size: Size,
    /// `None` if the player is paused.
    playing: Option<Playing>,
    /// An index into [`SPEEDS`].
    speed: usize,
    /// A search that is not finished.
    scan: Option<Scan>,
    prompt: Option<Prompt>,
    /// The text of the last search.
    searched: String,
    /// A sentence that is shown until the next key press.
    notice: Option<String>,
    shows_details: bool,
    /// The part of a screen that is larger than the terminal, as an index of
    /// [`parts`](Player::parts).
    part: usize,
}

impl Player {
    /// Begins at the first screen, paused. Events may come before it.
    pub fn new(mut cursor: Cursor, words: &'static Catalogue, size: Size) -> Player {
        if let Some(mut first) = cursor.to_frame(1) {
            cursor.finish(&mut first);
        }
        let mut player = Player {
            cursor,
            words,
            size,
            playing: None,
            speed: USUAL_SPEED,
            scan: None,
            prompt: None,
            searched: String::new(),
            notice: None,
            shows_details: false,
            part: 0,
        };
        let is_empty = player.cursor.entry().is_none();
        player.notice = if is_empty {
            Some(words.text("play-empty"))
        } else {
            player.faults().into_iter().next()
        };
        player
    }

    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.part = 0;
    }

    pub fn key(&mut self, key: Key, now: Duration) -> Flow {
        self.notice = None;
        if key.ctrl || key.alt {
            let is_quit = key.ctrl && key.code == Code::Char('c');
            return if is_quit { Flow::Quit } else { Flow::Stay };
        }
        if let Some(prompt) = self.prompt.take() {
            self.prompt_key(prompt, key.code);
            return Flow::Stay;
        }
        match key.code {
            Code::Esc if self.scan.is_some() => self.scan = None,
            Code::Char('q') | Code::Esc => return Flow::Quit,
            Code::Char(' ') => self.toggle(now),
            Code::Char('+' | '=') => self.set_speed(self.speed + 1, now),
            Code::Char('-') => self.set_speed(self.speed.saturating_sub(1), now),
            Code::Char('e') => self.shows_details = !self.shows_details,
            Code::Char('/') => self.ask(PromptKind::Text),
            Code::Char('t') => self.ask(PromptKind::Time),
            Code::Tab => self.part = (self.part + 1) % self.parts().len(),
            code => {
                if let Some(scan) = self.scan_for(code) {
                    self.start(scan);
                }
            }
        }
        Flow::Stay
    }

    /// The search that a key begins.
    fn scan_for(&self, code: Code) -> Option<Scan> {
        let (goal, is_back) = match code {
            Code::Home => return Some(Cursor::from_start(Goal::Entry)),
            Code::End => return Some(self.cursor.from_end(Goal::Entry)),
            Code::Right => (Goal::Frame, false),
            Code::Left => (Goal::Frame, true),
            Code::Down => (Goal::Event, false),
            Code::Up => (Goal::Event, true),
            Code::Char('m') => (Goal::Mark, false),
            Code::Char('M') => (Goal::Mark, true),
            Code::Char('x') => (Goal::Error, false),
            Code::Char('X') => (Goal::Error, true),
            Code::Char('r') => (Goal::Request, false),
            Code::Char('R') => (Goal::Request, true),
            Code::Char('n') if !self.searched.is_empty() => (Goal::text(&self.searched), false),
            Code::Char('N') if !self.searched.is_empty() => (Goal::text(&self.searched), true),
            _ => return None,
        };
        Some(self.cursor.from_here(goal, is_back))
    }

    fn ask(&mut self, kind: PromptKind) {
        self.playing = None;
        let text = String::new();
        self.prompt = Some(Prompt { kind, text });
    }

    fn prompt_key(&mut self, mut prompt: Prompt, code: Code) {
        match code {
            Code::Esc => return,
            Code::Enter if prompt.text.is_empty() => return,
            Code::Enter => return self.answer(&prompt),
            Code::Backspace => _ = prompt.text.pop(),
            Code::Char(c) if !c.is_control() && prompt.text.chars().count() < MAX_TYPED => {
                prompt.text.push(c);
            }
            _ => {}
        }
        self.prompt = Some(prompt);
    }

    fn answer(&mut self, prompt: &Prompt) {
        let scan = match prompt.kind {
            PromptKind::Text => {
                self.searched.clone_from(&prompt.text);
                self.cursor.from_here(Goal::text(&self.searched), false)
            }
            PromptKind::Time => match parse_time(&prompt.text) {
                Some(at) => self.cursor.until(at),
                None => {
                    self.notice = Some(self.words.text("play-bad-time"));
                    return;
                }
            },
        };
        self.start(scan);
    }

    /// Begins a search. Playing ends, so that the place stays.
    fn start(&mut self, scan: Scan) {
        self.playing = None;
        self.scan = Some(scan);
        self.advance();
    }

    fn advance(&mut self) {
        let Some(mut scan) = self.scan.take() else {
            return;
        };
        match self.cursor.advance(&mut scan, CHUNKS_PER_PULSE) {
            Progress::Found => {}
            Progress::NotFound => self.notice = Some(self.words.text("play-no-more")),
            Progress::Unfinished => self.scan = Some(scan),
        }
    }

    fn toggle(&mut self, now: Duration) {
        self.scan = None;
        self.playing = match self.playing {
            None if self.cursor.next_at().is_some() => {
                let from = self.cursor.entry().map_or(0, |entry| entry.at);
                Some(Playing { from, since: now })
            }
            _ => None,
        };
    }

    fn set_speed(&mut self, speed: usize, now: Duration) {
        if let Some(playing) = self.playing {
            let from = self.time_at(playing, now);
            self.playing = Some(Playing { from, since: now });
        }
        self.speed = speed.min(SPEEDS.len() - 1);
    }

    /// The time in the recording, in milliseconds.
    fn time_at(&self, playing: Playing, now: Duration) -> u32 {
        let played = now.saturating_sub(playing.since) * SPEEDS[self.speed] / 100;
        let played = u32::try_from(played.as_millis()).unwrap_or(u32::MAX);
        playing.from.saturating_add(played)
    }

    /// Continues a search, or goes to the entry that is due. Stops at the end.
    pub fn pulse(&mut self, now: Duration) {
        self.advance();
        let Some(playing) = self.playing else {
            return;
        };
        let at = self.time_at(playing, now);
        if self.cursor.next_at().is_some_and(|next| next <= at) {
            let mut scan = self.cursor.until(at);
            self.cursor.advance(&mut scan, CHUNKS_PER_PULSE);
        }
        if self.cursor.next_at().is_none() {
            self.playing = None;
        }
    }

    /// The time until the next pulse; `None` if the player needs none.
    pub fn next_pulse(&self, now: Duration) -> Option<Duration> {
        if self.scan.is_some() {
            return Some(Duration::ZERO);
        }
        let playing = self.playing?;
        let wait = self.cursor.next_at()?.saturating_sub(playing.from);
        let wait = Duration::from_millis(wait.into()) * 100 / SPEEDS[self.speed];
        Some((playing.since + wait).saturating_sub(now))
    }
}

/// The time in milliseconds that is typed as seconds, `minutes:seconds` or `hours:minutes:seconds`.
fn parse_time(text: &str) -> Option<u32> {
    let parts = text.trim().split(':');
    let parts: Option<Vec<u32>> = parts.map(|part| part.parse().ok()).collect();
    let parts = parts.filter(|parts| parts.len() <= 3)?;
    let seconds = parts
        .into_iter()
        .try_fold(0_u32, |sum, part| sum.checked_mul(60)?.checked_add(part))?;
    seconds.checked_mul(1_000)
}

#[cfg(test)]
mod tests;
