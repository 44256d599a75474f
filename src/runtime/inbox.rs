//! The sending side of the event loop's message queue.

use tokio::sync::mpsc;

use crate::app::Msg;

#[derive(Clone)]
pub struct Inbox(mpsc::Sender<Msg>);

impl Inbox {
    pub fn new(sender: mpsc::Sender<Msg>) -> Inbox {
        Inbox(sender)
    }

    /// Sends a message, waiting while the queue is full. Drops the message if the event loop has
    /// ended.
    pub async fn send(&self, msg: Msg) {
        let _ = self.0.send(msg).await;
    }

    /// False if the event loop has ended.
    pub fn is_open(&self) -> bool {
        !self.0.is_closed()
    }

    /// Waits until the event loop has ended.
    pub async fn closed(&self) {
        self.0.closed().await;
    }

    /// Sends a message from a thread that runs no async tasks. Blocks while the queue is full.
    pub fn send_blocking(&self, msg: Msg) {
        let _ = self.0.blocking_send(msg);
    }

    /// Sends a message without waiting. If the queue is full, starts a task that sends the message
    /// later.
    pub fn post(&self, msg: Msg) {
        if let Err(mpsc::error::TrySendError::Full(msg)) = self.0.try_send(msg)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            let inbox = self.clone();
            runtime.spawn(async move { inbox.send(msg).await });
        }
    }
}
