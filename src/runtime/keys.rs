//! What the person does, read on a thread of its own.
//!
//! The bytes are read and understood here and not by crossterm: its reader turns a late answer of
//! the terminal into keys, keeps a paste without an end for ever, and never lets go of a terminal
//! that is gone. Its types are what the rest of the program hears.

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

use tty::read_on;

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
