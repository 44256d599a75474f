//! What the person does, read on a thread of its own.
//!
//! The bytes are read and understood here and not by crossterm: its reader turns a late answer of
//! the terminal into keys, keeps a paste without an end for ever, and never lets go of a terminal
//! that is gone. Its types are what the rest of the program hears.

#[cfg(unix)]
mod decoder;
#[cfg(unix)]
mod names;
#[cfg(unix)]
mod paste;
#[cfg(unix)]
mod tty;

use std::io;
use std::task::Poll;

use crossterm::event::Event;
use futures_util::Stream;
use futures_util::stream::poll_fn;
use tokio::sync::mpsc;

/// The events that may wait for the loop; a paste is one event.
const QUEUE: usize = 1_024;

/// Everything that comes from the terminal; ends with the first error, which is told.
///
/// The first event is the size: nobody listened yet when it changed after it was asked for.
/// Reading starts when the first event is asked for, which is after the first frame. It cannot be
/// called back: it ends with the process.
pub fn events() -> impl Stream<Item = io::Result<Event>> + Unpin {
    let (sender, mut events) = mpsc::channel(QUEUE);
    let mut start = Some(move || read_on(sender));
    poll_fn(move |cx| match start.take().map(|start| start()) {
        Some(Err(error)) => Poll::Ready(Some(Err(error))),
        Some(Ok(())) | None => events.poll_recv(cx),
    })
}

#[cfg(unix)]
use tty::read_on;

#[cfg(not(unix))]
fn read_on(sender: mpsc::Sender<io::Result<Event>>) -> io::Result<()> {
    use std::iter;
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads keys")]
    fn read() -> io::Result<Event> {
        crossterm::event::read()
    }
    fn size() -> io::Result<Event> {
        crossterm::terminal::size().map(|(columns, rows)| Event::Resize(columns, rows))
    }
    let work = move || {
        for event in iter::once_with(size).chain(iter::repeat_with(read)) {
            let over = event.is_err();
            if sender.blocking_send(event).is_err() || over {
                return;
            }
        }
    };
    std::thread::Builder::new().name("keys".into()).spawn(work).map(drop)
}
