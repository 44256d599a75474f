//! What the person does, read on a thread of its own.
//!
//! The thread sleeps in one blocking read, and each event takes one step to the loop. The library's
//! own stream has a thread too, but hands every event over twice.

use std::io;
use std::iter;
use std::task::Poll;
use std::thread;
use std::time::Duration;

use crossterm::event::{self, Event};
use crossterm::terminal;
use futures_util::Stream;
use futures_util::stream::poll_fn;
use tokio::sync::mpsc;

/// The events that may wait for the loop; a paste is one event.
const QUEUE: usize = 1_024;

/// Everything that comes from the terminal; ends with the first error, which is told.
///
/// The first event is the size: nobody listened yet when it changed after it was asked for.
/// The thread starts when the first event is asked for, which is after the first frame. It cannot
/// be called back from its read: it ends with the process.
pub fn events() -> impl Stream<Item = io::Result<Event>> + Unpin {
    let (sender, mut events) = mpsc::channel(QUEUE);
    let mut start = Some(move || read_on(sender));
    poll_fn(move |cx| match start.take().map(|start| start()) {
        Some(Err(error)) => Poll::Ready(Some(Err(error))),
        Some(Ok(())) | None => events.poll_recv(cx),
    })
}

fn read_on(sender: mpsc::Sender<io::Result<Event>>) -> io::Result<()> {
    let work = move || {
        for event in iter::once_with(size).chain(iter::repeat_with(read)) {
            let over = event.is_err();
            if sender.blocking_send(event).is_err() || over {
                return;
            }
        }
    };
    thread::Builder::new().name("keys".into()).spawn(work).map(drop)
}

#[expect(clippy::disallowed_methods, reason = "this is the one place that reads keys")]
fn read() -> io::Result<Event> {
    event::read()
}

/// How large the terminal is, from when on every change is an event.
fn size() -> io::Result<Event> {
    // The first look, whether something has come, begins to listen; what has come is read later.
    #[expect(clippy::disallowed_methods, reason = "this is the one place that reads keys")]
    event::poll(Duration::ZERO)?;
    let (columns, rows) = terminal::size()?;
    Ok(Event::Resize(columns, rows))
}
