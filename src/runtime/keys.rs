//! Keys, clicks, pastes and sizes of the terminal, as one stream of events.
//!
//! The bytes are read and decoded here and not by crossterm or termina, whose parser comes from
//! crossterm's: both turn the rest of an answer that was cut off into keys, collect a paste or an
//! answer without an end in memory that grows without a bound, and leave a pasted password in it.
//! Crossterm's reader also never lets go of a terminal that is gone. The events are of its types.

mod background;
mod decoder;
mod names;
mod paste;
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

use super::world::Writer;
use crate::app::ui::input::Pace;

use background::HearBackground;
use tty::TtyReader;
pub use typed_bytes::TypedBytes;

/// The sizes that may wait for the loop.
const SIZES: usize = 16;

/// An event of the terminal, and how it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The event.
    pub event: Event,
    /// The pace of the input around it.
    pub pace: Pace,
}

/// The question about the background, and the receiver of its answer.
pub struct BackgroundQuestion {
    /// Writes these bytes to the terminal.
    pub ask: Writer,
    /// Hears the colour (red, green, blue), at most once.
    pub hear: HearBackground,
}

/// Returns all events of the terminal. After an error no event follows.
///
/// The size is the first event, since it may have changed after it was read for the first frame.
/// Reading starts when the first event is polled, which is after the first frame, in the runtime
/// that polls it. The question is written then, once; its answer is not an event, and nothing
/// waits for it.
pub fn events(
    question: Option<BackgroundQuestion>,
) -> impl Stream<Item = io::Result<Arrived>> + Unpin {
    let mut begin = Some(move || begin(question));
    let mut sources = None;
    poll_fn(move |cx| {
        if let Some(begin) = begin.take() {
            match begin() {
                Ok(begun) => sources = Some(begun),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        let Some((sizes, tty)) = &mut sources else { return Poll::Ready(None) };
        match sizes.poll_recv(cx) {
            Poll::Ready(Some(size)) => Poll::Ready(Some(size)),
            Poll::Ready(None) | Poll::Pending => tty.poll_next_unpin(cx),
        }
    })
}

/// The sizes, and the reader of everything that is typed.
type Sources = (mpsc::Receiver<io::Result<Arrived>>, TtyReader);

fn begin(question: Option<BackgroundQuestion>) -> io::Result<Sources> {
    let sizes = sizes()?;
    let (ask, hear) = question.map(|question| (question.ask, question.hear)).unzip();
    let tty = TtyReader::open(TypedBytes::new(hear))?;
    if let Some(ask) = ask {
        ask(background::QUESTION);
    }
    Ok((sizes, tty))
}

/// Starts a thread that sends the terminal's size, now and after each change.
fn sizes() -> io::Result<mpsc::Receiver<io::Result<Arrived>>> {
    let (sender, sizes) = mpsc::channel(SIZES);
    // The signal is caught before the first size is read, so that no change is missed.
    let mut changes = Signals::new([SIGWINCH])?;
    let size = || {
        let (columns, rows) = terminal::size()?;
        Ok(Arrived { event: Event::Resize(columns, rows), pace: Pace::Unknown })
    };
    let send_all = move || {
        let mut is_open = sender.blocking_send(size()).is_ok();
        while is_open && changes.forever().next().is_some() {
            is_open = sender.blocking_send(size()).is_ok();
        }
    };
    thread::Builder::new().name("size".into()).spawn(send_all)?;
    Ok(sizes)
}
