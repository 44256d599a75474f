//! The desktop's own clipboard, on a thread of its own.

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

type Copy = (String, oneshot::Sender<bool>);

/// The thread that owns the clipboard, once something was copied.
///
/// A desktop that does not answer blocks this thread and no other; further copies go another way
/// after one wait, because the queue has a single place.
#[derive(Debug, Default)]
pub(super) struct Native {
    thread: Mutex<Option<SyncSender<Copy>>>,
}

impl Native {
    /// Whether the desktop took the text in time.
    pub(super) async fn set(&self, text: &str, limit: Duration) -> bool {
        let (reply, taken) = oneshot::channel();
        self.send((text.to_owned(), reply))
            && matches!(tokio::time::timeout(limit, taken).await, Ok(Ok(true)))
    }

    fn send(&self, copy: Copy) -> bool {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            *thread = start();
        }
        thread.as_ref().is_some_and(|copies| copies.try_send(copy).is_ok())
    }
}

fn start() -> Option<SyncSender<Copy>> {
    let (sender, copies) = sync_channel(1);
    let work = move || own(&copies);
    thread::Builder::new().name("clipboard".into()).spawn(work).ok()?;
    Some(sender)
}

fn own(copies: &Receiver<Copy>) {
    // Kept between two copies: the text is there as long as its owner is.
    let mut clipboard = None;
    while let Ok((text, reply)) = copies.recv() {
        // A copy that already went another way must not come up later, over a newer one.
        if reply.is_closed() {
            continue;
        }
        if clipboard.is_none() {
            clipboard = arboard::Clipboard::new().ok();
        }
        let taken = clipboard.as_mut().is_some_and(|own| own.set_text(text).is_ok());
        if !taken {
            clipboard = None;
        }
        let _ = reply.send(taken);
    }
}
