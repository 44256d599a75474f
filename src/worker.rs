//! A thread that processes the items of a bounded queue, one after the other.
//!
//! The journal, the history and the vault each have such a worker for their slow operations.
//! [`WorkerHandle::enqueue`] never blocks, and returns an error if the queue is full or the thread
//! has ended.

use std::io;
use std::mem;
use std::sync::Arc;
use std::sync::mpsc as std_mpsc;
use std::thread::Builder;
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};

use crate::locked::Locked;

#[cfg(test)]
mod tests;

/// A handle to a worker thread. The thread starts when the first item is added, and ends when the
/// last handle is dropped.
pub struct WorkerHandle<T>(Arc<Locked<WorkerState<T>>>);

/// A job for a worker that owns a value of type `T`: a function that uses the value.
pub type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// The error for an item that could not be added to the queue. It returns the item to the caller.
#[derive(Debug)]
pub struct Rejected<T> {
    /// The item that was not added.
    pub item: T,
    /// The reason the item was not added.
    pub reason: RejectReason,
}

/// The reason an item could not be added to the queue.
#[derive(Debug)]
pub enum RejectReason {
    /// The queue is full.
    Full,
    /// The worker was closed, or its thread panicked.
    Ended,
    /// The thread could not be started. Only the first call returns this reason. Later calls return
    /// [`Ended`](RejectReason::Ended).
    NoThread(io::Error),
}

/// The state of a worker. Both fields are `None` once the worker is closed.
struct WorkerState<T> {
    /// The function that starts the thread; `None` after it was called.
    start: Option<StartThread<T>>,
    running: Option<RunningThread<T>>,
}

type StartThread<T> = Box<dyn FnOnce() -> io::Result<RunningThread<T>> + Send>;

struct RunningThread<T> {
    queue: mpsc::Sender<T>,
    ending: EndingThread,
}

/// A thread whose queue is closed. The thread processes the remaining items, drops all its values
/// and ends.
pub struct EndingThread {
    /// A channel that no message is ever sent on. It is disconnected when the thread ends.
    ended: std_mpsc::Receiver<()>,
}

impl EndingThread {
    /// Waits until the thread has ended. A panic of the thread was already reported on that thread.
    pub fn wait(self) {
        let _ = self.ended.recv();
    }

    /// Waits until the thread has ended, but at most for `limit`. Returns false if the thread is
    /// still running.
    pub fn wait_at_most(self, limit: Duration) -> bool {
        let received = self.ended.recv_timeout(limit);
        received == Err(std_mpsc::RecvTimeoutError::Disconnected)
    }
}

impl<T> Clone for WorkerHandle<T> {
    fn clone(&self) -> Self {
        WorkerHandle(self.0.clone())
    }
}

impl<T: Send + 'static> WorkerHandle<T> {
    /// Creates a worker with a thread name and a queue for at most `bound` items.
    ///
    /// `work` runs on the thread and reads items from the receiver, which returns `None` after the
    /// last item. The thread starts only when the first item is added, so that it does not delay
    /// the first frame.
    pub fn new(
        name: &'static str,
        bound: usize,
        work: impl FnOnce(mpsc::Receiver<T>) + Send + 'static,
    ) -> WorkerHandle<T> {
        let start: StartThread<T> = Box::new(move || {
            let (queue, items) = mpsc::channel(bound);
            let (ended_sender, ended) = std_mpsc::sync_channel(1);
            Builder::new().name(name.into()).spawn(move || {
                let _ended = ended_sender;
                work(items);
            })?;
            Ok(RunningThread {
                queue,
                ending: EndingThread { ended },
            })
        });
        WorkerHandle(Arc::new(Locked::new(WorkerState {
            start: Some(start),
            running: None,
        })))
    }

    /// Adds an item to the queue. The worker processes items in the order they were added.
    pub fn enqueue(&self, item: T) -> Result<(), Rejected<T>> {
        // Keep the lock until the item is in the queue. Otherwise an item could be added after the
        // queue was closed.
        let mut state = self.0.lock();
        let queue = match state.queue() {
            Ok(queue) => queue,
            Err(reason) => return Err(Rejected { item, reason }),
        };
        queue.try_send(item).map_err(|error| match error {
            mpsc::error::TrySendError::Full(item) => Rejected {
                item,
                reason: RejectReason::Full,
            },
            mpsc::error::TrySendError::Closed(item) => Rejected {
                item,
                reason: RejectReason::Ended,
            },
        })
    }

    /// True if an item is waiting in the queue or the worker is closed. A long job calls this
    /// repeatedly, and stops early if it returns true.
    pub fn should_yield(&self) -> bool {
        let state = self.0.lock();
        let queue = state.running.as_ref().map(|running| &running.queue);
        queue.is_none_or(|queue| queue.capacity() < queue.max_capacity())
    }

    /// Starts the thread unless it was started before. Use this for a worker whose thread also gets
    /// work from somewhere other than the queue.
    pub fn start(&self) -> Result<(), RejectReason> {
        self.0.lock().queue().map(drop)
    }
}

impl<T> WorkerHandle<T> {
    /// Closes the queue and returns the thread; `None` if the thread is not running.
    pub fn close_queue(&self) -> Option<EndingThread> {
        let closed = WorkerState {
            start: None,
            running: None,
        };
        let state = mem::replace(&mut *self.0.lock(), closed);
        state.running.map(|running| running.ending)
    }
}

impl<T: 'static> WorkerHandle<Job<T>> {
    /// Creates a worker that owns a value and runs jobs on it, one after the other. The function
    /// `create` creates the value on the worker's thread.
    pub fn with_owned(
        name: &'static str,
        bound: usize,
        create: impl FnOnce() -> T + Send + 'static,
    ) -> WorkerHandle<Job<T>> {
        WorkerHandle::new(name, bound, |mut jobs: mpsc::Receiver<Job<T>>| {
            let mut owned = create();
            while let Some(job) = jobs.blocking_recv() {
                job(&mut owned);
            }
        })
    }

    /// Runs a job on the worker's thread and returns its result. Returns `None` if the job could
    /// not be queued or the thread panicked.
    pub async fn call<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Option<R> {
        let (result_sender, result_receiver) = oneshot::channel();
        let enqueued = self.enqueue(Box::new(move |owned| {
            // Ignore an error: it only means that the caller is no longer waiting.
            let _ = result_sender.send(job(owned));
        }));
        enqueued.ok()?;
        result_receiver.await.ok()
    }
}

impl<T> WorkerState<T> {
    /// The queue of the worker. If the thread was never started, starts it first.
    fn queue(&mut self) -> Result<&mpsc::Sender<T>, RejectReason> {
        if let Some(start) = self.start.take() {
            self.running = Some(start().map_err(RejectReason::NoThread)?);
        }
        let running = self
            .running
            .as_ref()
            .filter(|running| !running.queue.is_closed());
        running
            .map(|running| &running.queue)
            .ok_or(RejectReason::Ended)
    }
}
