//! Draws a player: the recorded screen, the status row below it, and the details beside it.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use super::{Player, PromptKind, SPEEDS, USUAL_SPEED};
use crate::app::ui::text::wrap;
use crate::recording::{Entry, Event, Fault, Outcome, What};
use crate::trade::{Untrusted, Wall};
use crate::words::{Catalogue, Lang, dates};

/// The width of the details, in columns.
const DETAILS: u16 = 38;

/// The maximum length of a name in the details, in columns.
const MAX_NAME: usize = 60;

/// The keys, in the order in which the status row shows as many as fit.
const KEYS: [&str; 12] = [
    "play-key-pause",
    "play-key-frames",
    "play-key-details",
    "play-key-quit",
    "play-key-events",
    "play-key-marks",
    "play-key-errors",
    "play-key-requests",
    "play-key-text",
    "play-key-time",
    "play-key-ends",
    "play-key-speed",
];

impl Player {
    /// Draws the player over the whole buffer.
    pub fn draw(&self, buffer: &mut Buffer) {
        buffer.reset();
        let area = buffer.area;
        let [left, top] = self.parts()[self.part.min(self.parts().len() - 1)];
        let screen_area = Rect {
            height: area.height.saturating_sub(1),
            ..area
        };
        self.cursor.screen().draw((left, top), screen_area, buffer);
        if self.shows_details {
            self.draw_details(screen_area, buffer);
        }
        let y = area.bottom().saturating_sub(1);
        let row = Rect::new(area.x, y, area.width, 1).intersection(area);
        let style = Style::new().add_modifier(Modifier::REVERSED);
        let text = format!(" {}", self.status(area.width.into()));
        buffer.set_style(row, style);
        buffer.set_stringn(row.x, row.y, text, row.width.into(), style);
    }

    /// The first column and row of each part of the screen that the terminal can show: one, unless
    /// the screen is larger than the terminal.
    pub(super) fn parts(&self) -> Vec<[u16; 2]> {
        let size = self.cursor.screen().size();
        let right = size.columns.saturating_sub(self.size.columns);
        let bottom = size.rows.saturating_sub(self.size.rows.saturating_sub(1));
        let mut parts = vec![[0, 0], [0, bottom], [right, 0], [right, bottom]];
        parts.sort_unstable();
        parts.dedup();
        parts
    }

    fn status(&self, columns: usize) -> String {
        let words = self.words;
        if let Some(prompt) = &self.prompt {
            let id = match prompt.kind {
                PromptKind::Text => "play-ask-text",
                PromptKind::Time => "play-ask-time",
            };
            let text = format!("{}_", Untrusted::shown_of(&prompt.text));
            return words.with(id, &[("text", &text)]);
        }
        let state = match (&self.scan, &self.playing) {
            (Some(_), _) => "play-searching",
            (None, Some(_)) => "play-playing",
            (None, None) => "play-paused",
        };
        let at = self.cursor.entry().map_or(0, |entry| entry.at);
        let recording = self.cursor.recording();
        let frame = self.cursor.frame().to_string();
        let frames = recording.frames().to_string();
        let mut parts = vec![
            format!("{} / {}", time(at), time(recording.last())),
            words.text(state),
            words.with("play-frame", &[("frame", &frame), ("frames", &frames)]),
        ];
        if self.speed != USUAL_SPEED {
            parts.insert(2, format!("{}%", SPEEDS[self.speed]));
        }
        if let Some(notice) = &self.notice {
            parts.push(notice.clone());
        } else if self.parts().len() > 1 {
            parts.push(words.text("play-part"));
        }
        let mut status = parts.join("  ");
        for key in KEYS.iter().filter(|_| self.notice.is_none()) {
            let longer = format!("{status}  {}", words.text(key));
            if longer.chars().count() + 1 > columns {
                break;
            }
            status = longer;
        }
        status
    }

    /// Draws the details at the right edge. They cover the screen if the terminal is not wider.
    fn draw_details(&self, area: Rect, buffer: &mut Buffer) {
        let width = DETAILS.min(area.width);
        let area = Rect {
            x: area.right() - width,
            width,
            ..area
        };
        for position in area.positions() {
            buffer[position].reset();
        }
        let mut lines = self.about();
        lines.extend(self.faults().iter().map(|fault| (false, fault.clone())));
        lines.push((true, self.words.text("play-events")));
        let keys = KEYS.map(|key| (false, self.words.text(key)));
        let keys_title = (true, self.words.text("play-keys"));
        // The keys have the last rows, and the events all rows between.
        let keys: Vec<_> = [keys_title].into_iter().chain(keys).collect();
        let mut rows = self.wrapped(&lines);
        let keys = self.wrapped(&keys);
        let height = usize::from(area.height);
        let room = height.saturating_sub(rows.len() + keys.len()).max(4);
        let mut events = self.wrapped(&self.event_lines());
        events.resize(room, (false, String::new()));
        rows.append(&mut events);
        rows.extend(keys);
        for ((is_title, text), y) in rows.iter().zip(area.top()..area.bottom()) {
            let style = if *is_title {
                Style::new().add_modifier(Modifier::REVERSED)
            } else {
                Style::new()
            };
            let row = Rect::new(area.x + 1, y, area.width.saturating_sub(1), 1);
            buffer.set_style(row, style);
            buffer.set_stringn(row.x, y, text, row.width.into(), style);
        }
    }

    /// Breaks lines at the width of the details.
    fn wrapped(&self, lines: &[(bool, String)]) -> Vec<(bool, String)> {
        let width = usize::from(DETAILS.min(self.size.columns).saturating_sub(2));
        let rows = lines.iter().flat_map(|(is_title, text)| {
            let rows = wrap(text, width).into_iter();
            rows.map(|row| (*is_title, row))
        });
        rows.collect()
    }

    /// The lines about the run, each with whether it is a title.
    fn about(&self) -> Vec<(bool, String)> {
        let words = self.words;
        let header = self.cursor.recording().header();
        let at = self.cursor.entry().map_or(0, |entry| entry.at);
        let now = Wall(header.started.0.saturating_add(at.into()));
        let version = header.version.shown_within(MAX_NAME);
        let mut lines = vec![(true, words.with("play-about", &[("version", &version)]))];
        let date = dates::figures(now, header.utc_offset_s);
        if let Some(date) = date.filter(|_| header.started.0 > 0) {
            let time = dates::time_exact(now, header.utc_offset_s);
            lines.push((
                false,
                words.with("play-clock", &[("date", &date), ("time", &time)]),
            ));
        }
        let language = Lang::of_tag(header.lang.shown_within(MAX_NAME).as_str());
        let theme = header.theme.shown_within(MAX_NAME);
        if let Some(language) = language.map(Lang::own_name) {
            let values = [("language", language), ("theme", &theme)];
            lines.push((false, words.with("play-look", &values)));
        }
        lines
    }

    /// The faults of the file, a sentence for each.
    pub(super) fn faults(&self) -> Vec<String> {
        let faults = self.cursor.recording().faults().iter();
        let texts = faults.map(|fault| fault_text(self.words, *fault));
        texts.collect()
    }

    /// The last events, the newest first. The newest is marked like a title if it is at the place.
    fn event_lines(&self) -> Vec<(bool, String)> {
        let here = self.cursor.entry();
        let lines = self.cursor.recent_events().map(|entry| {
            let text = format!("{} {}", time(entry.at), self.event_text(entry));
            (here == Some(entry), text)
        });
        lines.take(usize::from(self.size.rows)).collect()
    }

    fn event_text(&self, entry: &Entry) -> String {
        let words = self.words;
        let named = |id: &str, name: &Untrusted| {
            let name = name.shown_within(MAX_NAME);
            words.with(id, &[("name", &name)])
        };
        match &entry.what {
            What::Frame(_) => String::new(),
            What::Unknown => words.text("play-event-unknown"),
            What::Event(Event::Key(name)) => named("play-event-key", name),
            What::Event(Event::Message(name)) => named("play-event-message", name),
            What::Event(Event::Effect(name)) => named("play-event-effect", name),
            What::Event(Event::Mark) => words.text("play-event-mark"),
            What::Event(Event::Request {
                id,
                operation,
                outcome,
            }) => {
                let outcome = match outcome {
                    Outcome::Status(status) => format!("HTTP {status}"),
                    Outcome::Failed(name) => named("play-event-failed", name),
                };
                let [id, operation] = [id, operation].map(|it| it.shown_within(MAX_NAME));
                let values = [
                    ("id", &*id),
                    ("operation", &*operation),
                    ("outcome", &*outcome),
                ];
                words.with("play-event-request", &values)
            }
        }
    }
}

/// The sentence about a fault of a file.
pub fn fault_text(words: &Catalogue, fault: Fault) -> String {
    match fault {
        Fault::Newer(format) => words.with("play-fault-newer", &[("format", &format.to_string())]),
        Fault::Header => words.text("play-fault-header"),
        Fault::Damaged => words.text("play-fault-damaged"),
        Fault::Cut => words.text("play-fault-cut"),
    }
}

/// A time since the start, such as `01:30.5`, or `1:01:30.5` after an hour.
fn time(ms: u32) -> String {
    let seconds = ms / 1_000;
    let (hours, minutes) = (seconds / 3_600, seconds / 60 % 60);
    let rest = format!("{minutes:02}:{:02}.{}", seconds % 60, ms % 1_000 / 100);
    if hours == 0 {
        rest
    } else {
        format!("{hours}:{rest}")
    }
}
