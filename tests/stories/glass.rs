//! The terminal of a story: what is drawn on it can be waited for.

use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};

use balcao::app::ui::input::Pace;
use balcao::runtime::Arrived;
use crossterm::event::Event;
use futures_util::Stream;
use ratatui::backend::{Backend, ClearType, TestBackend, WindowSize};
use ratatui::buffer::Cell;
use ratatui::layout::{Position, Size};
use tokio::sync::{mpsc, watch};
use unicode_width::UnicodeWidthStr;

use crate::leftovers::Leftovers;

/// One frame, as somebody in front of the terminal sees it.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    /// The rows, without spaces at their ends.
    pub rows: Vec<String>,
    /// How many events of the person were done with before it was drawn.
    pub handled: u64,
}

impl Frame {
    /// Everything in one line of small letters: texts wrap, and some are set in capitals.
    pub fn flat(&self) -> String {
        flat(&self.rows.join(" "))
    }

    /// Whether this text stands somewhere, wherever its lines break.
    pub fn has(&self, text: &str) -> bool {
        self.flat().contains(&flat(text))
    }

    /// The rows as they stand there.
    pub fn text(&self) -> String {
        self.rows.join("\n")
    }
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ").to_lowercase()
}

/// A buffer for a terminal, which says when a frame is complete.
pub struct Glass {
    buffer: TestBackend,
    frames: watch::Sender<Frame>,
    handled: Arc<AtomicU64>,
    leftovers: Arc<Leftovers>,
}

impl Glass {
    pub fn new(
        (columns, rows): (u16, u16),
        handled: Arc<AtomicU64>,
        leftovers: Arc<Leftovers>,
    ) -> (Glass, watch::Receiver<Frame>) {
        let (frames, seen) = watch::channel(Frame::default());
        (Glass { buffer: TestBackend::new(columns, rows), frames, handled, leftovers }, seen)
    }

    fn rows(&self) -> Vec<String> {
        let buffer = self.buffer.buffer();
        let columns = usize::from(buffer.area.width).max(1);
        let row = |cells: &[Cell]| {
            let mut text = String::new();
            let mut covered = 0;
            for cell in cells {
                // The cell behind a wide character is part of it.
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

impl Backend for Glass {
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
        rows.iter().for_each(|row| self.leftovers.add("the screen", row));
        self.frames.send_replace(Frame { rows, handled });
        Ok(())
    }
}

/// What the person does. An event is done with when the loop asks for the next one.
pub struct Hands {
    events: mpsc::Receiver<Event>,
    taken: u64,
    handled: Arc<AtomicU64>,
}

impl Hands {
    pub fn new(events: mpsc::Receiver<Event>, handled: Arc<AtomicU64>) -> Hands {
        Hands { events, taken: 0, handled }
    }
}

impl Stream for Hands {
    type Item = io::Result<Arrived>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.handled.store(self.taken, Ordering::Release);
        let next = self.events.poll_recv(cx);
        if let Poll::Ready(Some(_)) = &next {
            self.taken += 1;
        }
        // Whoever types here is a person: bursts are for those who read bytes.
        let pace = Pace::Deliberate;
        next.map(|event| event.map(|event| Ok(Arrived { event, pace })))
    }
}
