//! The inbox of the loop: what everybody who has something to say sends it to.

use tokio::sync::mpsc;

use crate::app::Msg;

/// A sender of messages to the loop.
#[derive(Clone)]
pub struct Inbox(mpsc::Sender<Msg>);

impl Inbox {
    /// The sender to this queue.
    pub fn new(sender: mpsc::Sender<Msg>) -> Inbox {
        Inbox(sender)
    }

    /// Sends a message and waits for room; once the loop has ended it is dropped.
    pub async fn send(&self, msg: Msg) {
        let _ = self.0.send(msg).await;
    }

    /// Sends a message from a thread that runs no tasks.
    pub fn send_blocking(&self, msg: Msg) {
        let _ = self.0.blocking_send(msg);
    }

    /// Sends a message without waiting; where there is no room, a task sends it later.
    pub fn post(&self, msg: Msg) {
        if let Err(mpsc::error::TrySendError::Full(msg)) = self.0.try_send(msg)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let inbox = self.clone();
            runtime.spawn(async move { inbox.send(msg).await });
        }
    }
}
