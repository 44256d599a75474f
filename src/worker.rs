//! A worker: one thread that does slow things in turn, behind a queue with a bound.
//!
//! The money thread, the history's and the vault's are workers. Enqueuing an item never blocks: a
//! full queue, or a thread that is gone, is an error at once.

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use tokio::sync::{mpsc, oneshot};

#[cfg(test)]
mod tests;

/// A handle to a worker; its thread starts with the first item, and ends with the last handle.
pub struct WorkerHandle<T>(Arc<Mutex<WorkerState<T>>>);

/// One piece of work for a worker that owns a `T`.
pub type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// An item that was not enqueued, handed back to its caller.
#[derive(Debug)]
pub struct Rejected<T> {
    /// The item.
    pub item: T,
    /// The reason.
    pub reason: RejectReason,
}

/// The reason for which an item was not enqueued.
#[derive(Debug)]
pub enum RejectReason {
    /// The queue is full.
    Full,
    /// The worker was closed, or its thread panicked.
    Ended,
    /// The system gave no thread; reported once, and from then on the worker has ended.
    NoThread(io::Error),
}

/// The thread of a worker; both fields are `None` once the worker is closed.
struct WorkerState<T> {
    /// `None` once it was tried.
    start: Option<StartThread<T>>,
    running: Option<RunningThread<T>>,
}

type StartThread<T> = Box<dyn FnOnce() -> io::Result<RunningThread<T>> + Send>;

struct RunningThread<T> {
    queue: mpsc::Sender<T>,
    thread: JoinHandle<()>,
}

impl<T> Clone for WorkerHandle<T> {
    fn clone(&self) -> Self {
        WorkerHandle(self.0.clone())
    }
}

impl<T: Send + 'static> WorkerHandle<T> {
    /// A worker with a thread of this name and a queue for at most `bound` items.
    ///
    /// Nothing is started here: the first frame does not wait for threads that it does not need.
    /// The queue yields `None` after the last item.
    pub fn new(
        name: &'static str,
        bound: usize,
        work: impl FnOnce(mpsc::Receiver<T>) + Send + 'static,
    ) -> WorkerHandle<T> {
        let start: StartThread<T> = Box::new(move || {
            let (queue, items) = mpsc::channel(bound);
            let thread = Builder::new().name(name.into()).spawn(move || work(items))?;
            Ok(RunningThread { queue, thread })
        });
        WorkerHandle(Arc::new(Mutex::new(WorkerState { start: Some(start), running: None })))
    }

    /// Puts an item into the queue; items are taken out in the order in which they were put in.
    pub fn enqueue(&self, item: T) -> Result<(), Rejected<T>> {
        // Held until the item is in: once closed, nothing is taken any more.
        let mut state = self.lock();
        let queue = match state.queue() {
            Ok(queue) => queue,
            Err(reason) => return Err(Rejected { item, reason }),
        };
        queue.try_send(item).map_err(|error| match error {
            mpsc::error::TrySendError::Full(item) => Rejected { item, reason: RejectReason::Full },
            mpsc::error::TrySendError::Closed(item) => {
                Rejected { item, reason: RejectReason::Ended }
            }
        })
    }

    /// Returns true if an item waits for the one under way, or the worker is closed.
    pub fn is_wanted(&self) -> bool {
        let state = self.lock();
        let queue = state.running.as_ref().map(|running| &running.queue);
        queue.is_none_or(|queue| queue.capacity() < queue.max_capacity())
    }

    /// Starts the thread, unless it runs already; for work that has another way in as well.
    pub fn start(&self) -> Result<(), RejectReason> {
        self.lock().queue().map(drop)
    }
}

impl<T> WorkerHandle<T> {
    /// Accepts no more items; returns the thread, which handles those in the queue and then ends.
    pub fn close_queue(&self) -> Option<JoinHandle<()>> {
        let closed = WorkerState { start: None, running: None };
        let state = mem::replace(&mut *self.lock(), closed);
        state.running.map(|running| running.thread)
    }

    /// Accepts no more items, and waits for the end of the thread: nothing is open any more then.
    pub fn close(&self) {
        if let Some(thread) = self.close_queue() {
            // A panic there was reported where it happened.
            let _ = thread.join();
        }
    }

    fn lock(&self) -> MutexGuard<'_, WorkerState<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: 'static> WorkerHandle<Job<T>> {
    /// A worker that owns a value made on its thread, and does one job after the other with it.
    pub fn with_owned(
        name: &'static str,
        bound: usize,
        make: impl FnOnce() -> T + Send + 'static,
    ) -> WorkerHandle<Job<T>> {
        WorkerHandle::new(name, bound, |mut jobs: mpsc::Receiver<Job<T>>| {
            let mut owned = make();
            while let Some(job) = jobs.blocking_recv() {
                job(&mut owned);
            }
        })
    }

    /// Does a job on the thread and returns its result.
    ///
    /// `None` when the job was not enqueued, or the thread panicked.
    pub async fn call<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Option<R> {
        let (answer, answered) = oneshot::channel();
        let job = move |owned: &mut T| {
            // Where the caller waits no more, the job is done all the same.
            let _ = answer.send(job(owned));
        };
        self.enqueue(Box::new(job)).ok()?;
        answered.await.ok()
    }
}

impl<T> WorkerState<T> {
    /// The queue of a thread that runs, or starts now.
    fn queue(&mut self) -> Result<&mpsc::Sender<T>, RejectReason> {
        if let Some(start) = self.start.take() {
            self.running = Some(start().map_err(RejectReason::NoThread)?);
        }
        let running = self.running.as_ref().filter(|running| !running.queue.is_closed());
        running.map(|running| &running.queue).ok_or(RejectReason::Ended)
    }
}
