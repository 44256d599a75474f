use std::io::{self, Write};
use std::time::Duration;

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};

use super::*;
use crate::trade::Untrusted;

mod casts;
mod hostile;
mod places;
mod written;

const SIZE: Size = Size {
    columns: 20,
    rows: 4,
};

fn ms(at: u64) -> Duration {
    Duration::from_millis(at)
}

/// A row with this text, as a frame passes it.
fn row(y: u16, text: &str, style: Style) -> (u16, Row) {
    let mut buffer = Buffer::empty(Rect::new(0, y, SIZE.columns, 1));
    buffer.set_string(0, y, text, style);
    rows_of(&buffer).next().unwrap()
}

fn plain(y: u16, text: &str) -> (u16, Row) {
    row(y, text, Style::new())
}

fn request(outcome: Outcome) -> Event {
    Event::Request {
        id: "r1".into(),
        operation: "create link".into(),
        outcome,
    }
}

/// The bytes of a recording that `record` makes.
fn file(record: impl FnOnce(&mut FileRecording<&mut Vec<u8>>)) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut recording = FileRecording::start(&mut bytes, &Header::default()).unwrap();
    record(&mut recording);
    recording.flush().unwrap();
    bytes
}

fn open(bytes: Vec<u8>) -> Cursor {
    Cursor::new(Recording::open(bytes).unwrap())
}

/// The screens of all frames from the start.
fn screens(bytes: Vec<u8>) -> Vec<String> {
    let mut cursor = open(bytes);
    let mut scan = Cursor::from_start(Goal::Frame);
    let mut screens = Vec::new();
    while cursor.finish(&mut scan) {
        screens.push(cursor.screen().text());
        scan = cursor.from_here(Goal::Frame, false);
    }
    screens
}

/// A recording of `count` frames, with an event after each of them. The rows change in turn.
fn long(count: u32) -> Vec<u8> {
    file(|it| {
        for n in 0..count {
            let at = ms(u64::from(n) * 40);
            let y = u16::try_from(n % 4).unwrap();
            it.frame(at, SIZE, [plain(y, &format!("tela {n}"))])
                .unwrap();
            it.event(at, Event::Key("Enter".into())).unwrap();
        }
    })
}

/// The chunks of a file as index ranges of its bytes.
fn chunk_starts(bytes: &[u8]) -> Vec<usize> {
    let windows = bytes.windows(4).enumerate();
    let starts = windows.filter(|(_, start)| *start == CHUNK_MAGIC);
    starts.map(|(at, _)| at).collect()
}
