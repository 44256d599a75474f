//! Keys, clicks and pastes, read on a thread of their own.
//!
//! The bytes are read and understood here and not by crossterm: its reader turns a late answer of
//! the terminal into keys, keeps a paste without an end for ever, and never lets go of a terminal
//! that is gone. The events are of its types.

mod background;
mod decoder;
mod names;
mod paste;
mod tty;

use std::io;
use std::task::Poll;

use crossterm::event::Event;
use futures_util::Stream;
use futures_util::stream::poll_fn;
use tokio::sync::mpsc;

use tty::{HearBackground, read_on};

/// The events that may wait for the loop; a paste is one event.
const QUEUE: usize = 1_024;

/// Writes bytes to the terminal.
pub type Ask = Box<dyn Fn(&[u8]) + Send + Sync>;

/// The question about the background, and the one who hears its answer.
pub struct BackgroundQuestion {
    /// Writes these bytes to the terminal.
    pub ask: Ask,
    /// Hears the colour (red, green, blue), at most once.
    pub hear: HearBackground,
}

/// All events of the terminal; the stream ends with the first error.
///
/// The first event is the size, which may have changed since it was read for the first frame.
/// Reading starts when the first event is polled, which is after the first frame. It cannot be
/// stopped: it ends with the process.
///
/// A question is asked then, once; its answer is nobody's key, and nothing waits for it.
pub fn events(
    question: Option<BackgroundQuestion>,
) -> impl Stream<Item = io::Result<Event>> + Unpin {
    let (sender, mut events) = mpsc::channel(QUEUE);
    let mut start = Some(move || {
        let (ask, hear) = question.map(|question| (question.ask, question.hear)).unzip();
        read_on(sender, hear)?;
        if let Some(ask) = ask {
            ask(background::QUESTION);
        }
        Ok(())
    });
    poll_fn(move |cx| match start.take().map(|start| start()) {
        Some(Err(error)) => Poll::Ready(Some(Err(error))),
        Some(Ok(())) | None => events.poll_recv(cx),
    })
}
