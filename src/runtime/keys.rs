//! What the person does, read on a thread of its own.
//!
//! The thread sleeps in one blocking read, and each event takes one step to the loop. The library's
//! own stream has a thread too, but hands every event over twice.

use std::io;
use std::thread;

use crossterm::event::{self, Event};
use futures_util::Stream;
use futures_util::stream::poll_fn;
use tokio::sync::mpsc;

/// The events that may wait for the loop; a paste is one event.
const QUEUE: usize = 1_024;

/// Everything that comes from the terminal; ends with the first error, which is told.
///
/// The thread cannot be called back from its read: it ends with the process.
pub fn events() -> io::Result<impl Stream<Item = io::Result<Event>> + Unpin> {
    let (sender, mut events) = mpsc::channel(QUEUE);
    thread::Builder::new().name("keys".into()).spawn(move || {
        loop {
            #[expect(clippy::disallowed_methods, reason = "this is the one place that reads keys")]
            let event = event::read();
            let over = event.is_err();
            if sender.blocking_send(event).is_err() || over {
                return;
            }
        }
    })?;
    Ok(poll_fn(move |cx| events.poll_recv(cx)))
}
