//! A worker: one thread that does slow things in turn, behind a queue with a bound.
//!
//! The money thread, the history's and the vault's are workers. Nobody who gives one something to
//! do waits for it: a queue that is full, or a thread that is gone, is said at once.

use std::io;
use std::mem;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{Builder, JoinHandle};

use tokio::sync::{mpsc, oneshot};

#[cfg(test)]
mod tests;

/// The way to a worker; its thread starts with the first item, and ends with the last handle.
pub struct WorkerHandle<T>(Arc<Mutex<State<T>>>);

/// What a worker does that owns a `T`.
pub type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// An item that was not taken, given back.
#[derive(Debug)]
pub struct NotGiven<T> {
    /// The item.
    pub item: T,
    /// Why.
    pub why: Why,
}

/// Why a worker took nothing.
#[derive(Debug)]
pub enum Why {
    /// As many items wait as may.
    Full,
    /// The worker was closed, or its thread panicked.
    Ended,
    /// The system gave no thread; said once, and from then on the worker has ended.
    NoThread(io::Error),
}

/// Both are none once the worker is closed.
struct State<T> {
    /// None once it was tried.
    start: Option<Start<T>>,
    running: Option<Running<T>>,
}

type Start<T> = Box<dyn FnOnce() -> io::Result<Running<T>> + Send>;

struct Running<T> {
    queue: mpsc::Sender<T>,
    thread: JoinHandle<()>,
}

impl<T> Clone for WorkerHandle<T> {
    fn clone(&self) -> Self {
        WorkerHandle(self.0.clone())
    }
}

impl<T: Send + 'static> WorkerHandle<T> {
    /// A worker whose thread, named so, takes items out of a queue that holds so many.
    ///
    /// Nothing is started here: the first frame does not wait for threads that it does not need.
    /// When no more items come the queue says so, after the last of them.
    pub fn new(
        name: &'static str,
        bound: usize,
        work: impl FnOnce(mpsc::Receiver<T>) + Send + 'static,
    ) -> WorkerHandle<T> {
        let start: Start<T> = Box::new(move || {
            let (queue, items) = mpsc::channel(bound);
            let thread = Builder::new().name(name.into()).spawn(move || work(items))?;
            Ok(Running { queue, thread })
        });
        WorkerHandle(Arc::new(Mutex::new(State { start: Some(start), running: None })))
    }

    /// Puts an item into the queue; items are taken out in the order in which they were given.
    pub fn give(&self, item: T) -> Result<(), NotGiven<T>> {
        // Held until the item is in: once closed, nothing is taken any more.
        let mut state = self.lock();
        let queue = match state.queue() {
            Ok(queue) => queue,
            Err(why) => return Err(NotGiven { item, why }),
        };
        queue.try_send(item).map_err(|error| match error {
            mpsc::error::TrySendError::Full(item) => NotGiven { item, why: Why::Full },
            mpsc::error::TrySendError::Closed(item) => NotGiven { item, why: Why::Ended },
        })
    }

    /// Starts the thread, if that was not done yet; for work that has another way in as well.
    pub fn start(&self) -> Result<(), Why> {
        self.lock().queue().map(drop)
    }
}

impl<T> WorkerHandle<T> {
    /// Takes no more items; the thread, which still does what was given before and then ends.
    pub fn shut(&self) -> Option<JoinHandle<()>> {
        let closed = State { start: None, running: None };
        let state = mem::replace(&mut *self.lock(), closed);
        state.running.map(|running| running.thread)
    }

    /// Takes no more items, and waits for the end of the thread: nothing is open any more then.
    pub fn close(&self) {
        if let Some(thread) = self.shut() {
            // A panic there was told where it happened.
            let _ = thread.join();
        }
    }

    fn lock(&self) -> MutexGuard<'_, State<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T: 'static> WorkerHandle<Job<T>> {
    /// A worker that owns what is made on its thread, and does one job after the other with it.
    pub fn owning(
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

    /// Has a job done; `None` when it was not taken, or the thread panicked.
    pub async fn ask<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Option<R> {
        let (answer, answered) = oneshot::channel();
        let job = move |owned: &mut T| {
            // Nobody waits any more: the job is done all the same.
            let _ = answer.send(job(owned));
        };
        self.give(Box::new(job)).ok()?;
        answered.await.ok()
    }
}

impl<T> State<T> {
    /// The way into the queue of a thread that runs, or starts now.
    fn queue(&mut self) -> Result<&mpsc::Sender<T>, Why> {
        if let Some(start) = self.start.take() {
            self.running = Some(start().map_err(Why::NoThread)?);
        }
        let running = self.running.as_ref().filter(|running| !running.queue.is_closed());
        running.map(|running| &running.queue).ok_or(Why::Ended)
    }
}
