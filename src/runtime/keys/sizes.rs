//! The terminal's size, now and after each change of it.

use std::io;
use std::thread;

use crossterm::event::Event;
use crossterm::terminal;
use signal_hook::consts::SIGWINCH;
use signal_hook::iterator::Signals;
use tokio::sync::mpsc;

/// The sizes that may wait for the loop; with more the thread waits, and reads the newest then.
const QUEUE: usize = 16;

/// Starts a thread that sleeps until the size changes.
pub fn sizes() -> io::Result<mpsc::Receiver<io::Result<Event>>> {
    let (sender, sizes) = mpsc::channel(QUEUE);
    // From here on every change is heard; the first size is read after that.
    let mut changes = Signals::new([SIGWINCH])?;
    let tell = move || {
        let mut next = Some(size());
        while let Some(event) = next {
            if sender.blocking_send(event).is_err() {
                return;
            }
            next = changes.forever().next().map(|_| size());
        }
    };
    thread::Builder::new().name("size".into()).spawn(tell)?;
    Ok(sizes)
}

fn size() -> io::Result<Event> {
    let (columns, rows) = terminal::size()?;
    Ok(Event::Resize(columns, rows))
}
