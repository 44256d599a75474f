//! The terminal's key presses, clicks, pastes and size changes, as one stream of events.
//!
//! This module decodes the terminal's bytes itself, because the parsers of crossterm and termina
//! have three faults. They turn the rest of an interrupted reply into key presses. They need
//! unlimited memory for a paste or reply that never ends. They leave pasted passwords in memory.
//! Crossterm's reader also never stops when the terminal is gone. Only crossterm's event types are
//! used.

mod background;
mod decoder;
pub mod meter;
mod paste;
mod sequences;
mod tty;
mod typed_bytes;

use std::io;
use std::task::Poll;
use std::thread;

use crossterm::event::Event;
use crossterm::terminal;
use futures_util::stream::poll_fn;
use futures_util::{Stream, StreamExt};
use signal_hook::consts::SIGWINCH;
use signal_hook::iterator::Signals;
use tokio::sync::mpsc;

use crate::app::ui::input::Pace;

pub use background::QUERY as BACKGROUND_QUERY;
use tty::TtyReader;
pub use typed_bytes::TypedBytes;

/// The maximum number of terminal size changes in the queue.
const SIZE_QUEUE: usize = 16;

/// An input event from the terminal, with its timing relative to the previous input.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedEvent {
    pub event: Event,
    /// The timing of the event: after a pause, soon after other input, or in the same read as other
    /// input.
    pub pace: Pace,
}

/// The terminal's reply to a query that this program sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reply {
    /// The background colour (red, green, blue).
    Background([u8; 3]),
    /// The terminal has processed all output before the query (DSR).
    Status,
    /// The terminal supports synchronized output (DECRQM).
    Synchronized,
}

/// A callback that receives the terminal's replies, and returns true if it expected the reply.
///
/// An expected reply does not count as input, so it does not affect the timing of a key press next
/// to it. Other replies count as input, because their bytes may come from a paste.
pub type OnReply = Box<dyn FnMut(Reply) -> bool + Send>;

/// A stream of all input events of the terminal. The stream ends after an error.
///
/// The first event is the terminal's size, because it may have changed since the first frame was
/// laid out. Reading starts when the stream is first polled, which is after the first frame.
/// Replies of the terminal are passed to the callback instead of the stream.
pub fn events(on_reply: OnReply) -> impl Stream<Item = io::Result<TimedEvent>> + Unpin {
    let mut open = Some(move || open_sources(on_reply));
    let mut sources = None;
    poll_fn(move |cx| {
        if let Some(open) = open.take() {
            match open() {
                Ok(opened) => sources = Some(opened),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        let Some((sizes, tty)) = &mut sources else {
            return Poll::Ready(None);
        };
        match sizes.poll_recv(cx) {
            Poll::Ready(Some(size)) => Poll::Ready(Some(size)),
            Poll::Ready(None) | Poll::Pending => tty.poll_next_unpin(cx),
        }
    })
}

type Sources = (mpsc::Receiver<io::Result<TimedEvent>>, TtyReader);

fn open_sources(on_reply: OnReply) -> io::Result<Sources> {
    let sizes = watch_size()?;
    Ok((sizes, TtyReader::open(TypedBytes::new(on_reply))?))
}

/// Starts a thread that sends the terminal's current size, and then its size after each change.
fn watch_size() -> io::Result<mpsc::Receiver<io::Result<TimedEvent>>> {
    let (sender, sizes) = mpsc::channel(SIZE_QUEUE);
    // Subscribe to the signal before reading the size, so that no change of the size is missed.
    let mut changes = Signals::new([SIGWINCH])?;
    thread::Builder::new().name("size".into()).spawn(move || {
        let mut is_open = sender.blocking_send(current_size()).is_ok();
        while is_open && changes.forever().next().is_some() {
            is_open = sender.blocking_send(current_size()).is_ok();
        }
    })?;
    Ok(sizes)
}

fn current_size() -> io::Result<TimedEvent> {
    let (columns, rows) = terminal::size()?;
    Ok(TimedEvent {
        event: Event::Resize(columns, rows),
        pace: Pace::Unknown,
    })
}
