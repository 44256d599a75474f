//! Keys, clicks and pastes, read where the loop waits for them, or by a thread of their own.
//!
//! The bytes are read and decoded here and not by crossterm or termina, whose parser comes from
//! crossterm's: both turn the rest of an answer that was cut off into keys, collect a paste or an
//! answer without an end in memory that grows without a bound, and leave a pasted password in it.
//! Crossterm's reader also never lets go of a terminal that is gone. The events are of its types.

mod background;
mod decoder;
mod names;
mod paste;
mod polled;
mod sizes;
mod tty;
mod typed_bytes;

use std::io;
use std::task::{Context, Poll};

use crossterm::event::Event;
use futures_util::stream::poll_fn;
use futures_util::{Stream, StreamExt};
use tokio::sync::mpsc;

use crate::app::ui::input::Pace;

use background::HearBackground;
use polled::PolledTty;
pub use typed_bytes::TypedBytes;

/// An event of the terminal, and how it arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrived {
    /// The event.
    pub event: Event,
    /// The pace of the input around it.
    pub pace: Pace,
}

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
/// The size is among the first, since it may have changed after it was read for the first frame.
/// Reading starts when the first event is polled, which is after the first frame, in the runtime
/// that polls it.
///
/// A question is asked then, once; its answer is nobody's key, and nothing waits for it.
pub fn events(
    question: Option<BackgroundQuestion>,
) -> impl Stream<Item = io::Result<Arrived>> + Unpin {
    let mut begin = Some(move || TerminalEvents::begin(question));
    let mut events = None;
    poll_fn(move |cx| {
        if let Some(begin) = begin.take() {
            match begin() {
                Ok(begun) => events = Some(begun),
                Err(error) => return Poll::Ready(Some(Err(error))),
            }
        }
        events.as_mut().map_or(Poll::Ready(None), |events: &mut TerminalEvents| events.poll(cx))
    })
}

/// The two sources of events.
struct TerminalEvents {
    sizes: mpsc::Receiver<io::Result<Event>>,
    typed: Box<dyn Stream<Item = io::Result<Arrived>> + Send + Unpin>,
}

impl TerminalEvents {
    fn begin(question: Option<BackgroundQuestion>) -> io::Result<TerminalEvents> {
        let sizes = sizes::sizes()?;
        let (ask, hear) = question.map(|question| (question.ask, question.hear)).unzip();
        let bytes = TypedBytes::new(hear);
        let typed: Box<dyn Stream<Item = _> + Send + Unpin> = match polled::open() {
            Some(tty) => Box::new(PolledTty::new(tty, bytes)),
            None => {
                let mut events = tty::read_on(bytes)?;
                Box::new(poll_fn(move |cx| events.poll_recv(cx)))
            }
        };
        if let Some(ask) = ask {
            ask(background::QUESTION);
        }
        Ok(TerminalEvents { sizes, typed })
    }

    fn poll(&mut self, cx: &mut Context<'_>) -> Poll<Option<io::Result<Arrived>>> {
        match self.sizes.poll_recv(cx) {
            Poll::Ready(Some(size)) => {
                let pace = Pace::Unknown;
                Poll::Ready(Some(size.map(|event| Arrived { event, pace })))
            }
            // The end of the keys is the end of the terminal, that of the sizes is not.
            Poll::Ready(None) | Poll::Pending => self.typed.poll_next_unpin(cx),
        }
    }
}
