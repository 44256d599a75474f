//! Keys, clicks, pastes and sizes of the terminal, read by threads that sleep until they come.
//!
//! The bytes are read and decoded here and not by crossterm or termina, whose parser comes from
//! crossterm's: both turn the rest of an answer that was cut off into keys, collect a paste or an
//! answer without an end in memory that grows without a bound, and leave a pasted password in it.
//! Crossterm's reader also never lets go of a terminal that is gone. The events are of its types.
//!
//! The loop's own thread could wait for the bytes as well, on Linux alone: on a quiet machine a key
//! was seen a tenth sooner so, which is too little for a second reader.

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
use futures_util::Stream;
use futures_util::stream::poll_fn;
use signal_hook::consts::SIGWINCH;
use signal_hook::iterator::Signals;
use tokio::sync::mpsc;

use super::world::Writer;
use crate::app::ui::input::Pace;

use background::HearBackground;
pub use typed_bytes::TypedBytes;

/// The events that may wait for the loop; a paste is one event.
const QUEUE: usize = 1_024;

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

/// All events of the terminal; an error is the last of them.
///
/// The size is among the first, since it may have changed after it was read for the first frame.
/// Reading starts when the first event is polled, which is after the first frame.
///
/// A question is asked then, once; its answer is nobody's key, and nothing waits for it.
pub fn events(
    question: Option<BackgroundQuestion>,
) -> impl Stream<Item = io::Result<Arrived>> + Unpin {
    let mut begin = Some(move || begin(question));
    let mut events = None;
    poll_fn(move |cx| {
        if let Some(begin) = begin.take() {
            match begin() {
                Ok(begun) => events = Some(begun),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        events.as_mut().map_or(Poll::Ready(None), |events| events.poll_recv(cx))
    })
}

/// Starts both threads, and asks the question.
fn begin(question: Option<BackgroundQuestion>) -> io::Result<mpsc::Receiver<io::Result<Arrived>>> {
    let (sender, events) = mpsc::channel(QUEUE);
    send_sizes(sender.clone())?;
    let (ask, hear) = question.map(|question| (question.ask, question.hear)).unzip();
    tty::send_typed(TypedBytes::new(hear), sender)?;
    if let Some(ask) = ask {
        ask(background::QUESTION);
    }
    Ok(events)
}

/// Starts a thread that sends the terminal's size, now and after each change of it.
fn send_sizes(sender: mpsc::Sender<io::Result<Arrived>>) -> io::Result<()> {
    // From here on every change is heard; the first size is read after that.
    let mut changes = Signals::new([SIGWINCH])?;
    let size = || {
        let (columns, rows) = terminal::size()?;
        Ok(Arrived { event: Event::Resize(columns, rows), pace: Pace::Unknown })
    };
    let send_all = move || {
        let mut is_heard = sender.blocking_send(size()).is_ok();
        while is_heard && changes.forever().next().is_some() {
            is_heard = sender.blocking_send(size()).is_ok();
        }
    };
    thread::Builder::new().name("size".into()).spawn(send_all).map(drop)
}
