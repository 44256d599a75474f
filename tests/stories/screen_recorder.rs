//! A simulated terminal, which consists of a screen in memory and a source of key presses. Tests
//! can wait for a frame that contains a text.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use balcao::app::ui::input::Pace;
use balcao::runtime::TimedEvent;
use crossterm::event::Event;
use futures_util::Stream;
use ratatui::backend::{Backend, ClearType, TestBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use ratatui::style::Modifier;
use tokio::sync::{mpsc, watch};
use unicode_width::UnicodeWidthStr;

use crate::leftovers::Leftovers;

/// The text of a drawn frame.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The rows, without trailing spaces.
    pub rows: Vec<String>,
    /// The text in reverse video, such as the button with the focus.
    pub reversed: String,
    /// The number of input events that the app had handled when it drew this frame.
    pub handled: u64,
}

impl Frame {
    /// Returns the text of the frame as a single line in lower case. Searches then ignore line
    /// breaks and case.
    pub fn flat(&self) -> String {
        flat(&self.rows.join(" "))
    }

    /// Returns true if the frame contains this text. Ignores case and line breaks.
    pub fn has(&self, text: &str) -> bool {
        self.flat().contains(&flat(text))
    }

    pub fn text(&self) -> String {
        self.rows.join("\n")
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace()
        .collect::<Vec<_>>()
        .join(" ")
        .to_lowercase()
}

/// A terminal backend that draws into a buffer. It passes each complete frame to the test.
#[derive(Clone)]
pub struct ScreenRecorder {
    buffer: TestBackend,
    frames: watch::Sender<Frame>,
    handled: Arc<AtomicU64>,
    leftovers: Arc<Leftovers>,
}

impl ScreenRecorder {
    pub fn new(
        (columns, rows): (u16, u16),
        handled: Arc<AtomicU64>,
        leftovers: Arc<Leftovers>,
    ) -> (ScreenRecorder, watch::Receiver<Frame>) {
        let (frames, receiver) = watch::channel(Frame::default());
        (
            ScreenRecorder {
                buffer: TestBackend::new(columns, rows),
                frames,
                handled,
                leftovers,
            },
            receiver,
        )
    }

    fn rows(&self) -> Vec<String> {
        let buffer = self.buffer.buffer();
        let columns = usize::from(buffer.area.width).max(1);
        let row = |cells: &[Cell]| {
            let mut text = String::new();
            let mut covered = 0;
            for cell in cells {
                // Skip the second cell of a wide character, because the character covers two cells.
                if covered == 0 {
                    text.push_str(cell.symbol());
                    covered = cell.symbol().width().saturating_sub(1);
                } else {
                    covered -= 1;
                }
            }
            text.trim_end().to_owned()
        };
        buffer.content.chunks(columns).map(row).collect()
    }
}

impl Backend for ScreenRecorder {
    type Error = Infallible;

    fn draw<'a, I>(&mut self, content: I) -> Result<(), Infallible>
    where
        I: Iterator<Item = (u16, u16, &'a Cell)>,
    {
        self.buffer.draw(content)
    }

    fn hide_cursor(&mut self) -> Result<(), Infallible> {
        self.buffer.hide_cursor()
    }

    fn show_cursor(&mut self) -> Result<(), Infallible> {
        self.buffer.show_cursor()
    }

    fn get_cursor_position(&mut self) -> Result<Position, Infallible> {
        self.buffer.get_cursor_position()
    }

    fn set_cursor_position<P: Into<Position>>(&mut self, position: P) -> Result<(), Infallible> {
        self.buffer.set_cursor_position(position)
    }

    fn clear(&mut self) -> Result<(), Infallible> {
        self.buffer.clear()
    }

    fn clear_region(&mut self, region: ClearType) -> Result<(), Infallible> {
        self.buffer.clear_region(region)
    }

    fn size(&self) -> Result<Size, Infallible> {
        self.buffer.size()
    }

    fn window_size(&mut self) -> Result<WindowSize, Infallible> {
        self.buffer.window_size()
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        let handled = self.handled.load(Ordering::Acquire);
        let rows = self.rows();
        rows.iter()
            .for_each(|row| self.leftovers.add("the screen", row));
        let cells = self.buffer.buffer().content.iter();
        let reversed = cells
            .filter(|cell| cell.modifier.contains(Modifier::REVERSED))
            .map(Cell::symbol)
            .collect();
        self.frames.send_replace(Frame {
            rows,
            reversed,
            handled,
        });
        Ok(())
    }
}

/// The source of the simulated user's input events. An event counts as handled when the app's main
/// loop asks for the next event.
pub struct InputStream {
    events: mpsc::Receiver<Event>,
    polled: u64,
    handled: Arc<AtomicU64>,
}

impl InputStream {
    pub fn new(events: mpsc::Receiver<Event>, handled: Arc<AtomicU64>) -> InputStream {
        InputStream {
            events,
            polled: 0,
            handled,
        }
    }
}

impl Stream for InputStream {
    type Item = io::Result<TimedEvent>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.handled.store(self.polled, Ordering::Release);
        let next = self.events.poll_recv(cx);
        if let Poll::Ready(Some(_)) = &next {
            self.polled += 1;
        }
        // Report every key press as typed by hand. The app recognizes a paste by the timing of the
        // terminal's bytes, and simulated events have no such timing.
        let pace = Pace::Deliberate;
        next.map(|event| event.map(|event| Ok(TimedEvent { event, pace })))
    }
}
