//! A desk: one thread that owns something slow, and a bounded queue before it.

use std::io;
use std::mem;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};

use tokio::sync::oneshot;

/// The jobs that may wait at a desk.
const QUEUE: usize = 256;

type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A thread that owns a `T`; it starts with the first job, and ends with the last handle.
pub struct Desk<T> {
    door: Arc<Mutex<Door<T>>>,
}

enum Door<T> {
    /// Nobody has asked for anything yet.
    Closed {
        name: &'static str,
        make: Box<dyn FnOnce() -> T + Send>,
    },
    Open {
        jobs: SyncSender<Job<T>>,
        thread: JoinHandle<()>,
    },
    /// The system gave no thread, or nothing is taken any more.
    Shut,
}

impl<T> Clone for Desk<T> {
    fn clone(&self) -> Self {
        Desk { door: self.door.clone() }
    }
}

impl<T: 'static> Desk<T> {
    /// A desk whose thread, named so, makes what it owns.
    ///
    /// Nothing is started here: the first frame does not wait for threads that it does not need.
    pub fn new(name: &'static str, make: impl FnOnce() -> T + Send + 'static) -> Desk<T> {
        Desk { door: Arc::new(Mutex::new(Door::Closed { name, make: Box::new(make) })) }
    }

    /// Has a job done; `None` when the desk is closed or its queue is full.
    pub async fn ask<R: Send + 'static>(
        &self,
        job: impl FnOnce(&mut T) -> R + Send + 'static,
    ) -> Option<R> {
        let (answer, answered) = oneshot::channel();
        let job = move |owned: &mut T| {
            // Nobody waits any more: the job is done all the same.
            let _ = answer.send(job(owned));
        };
        self.jobs()?.try_send(Box::new(job)).ok()?;
        answered.await.ok()
    }

    /// Takes no more jobs, and waits for the end of the thread: nothing is open any more then.
    pub fn close(&self) {
        let door = mem::replace(&mut *self.door(), Door::Shut);
        if let Door::Open { jobs, thread } = door {
            drop(jobs);
            // A panic there was told where it happened.
            let _ = thread.join();
        }
    }

    /// The way to the thread, which is started if it was not yet.
    fn jobs(&self) -> Option<SyncSender<Job<T>>> {
        let mut door = self.door();
        if matches!(*door, Door::Closed { .. })
            && let Door::Closed { name, make } = mem::replace(&mut *door, Door::Shut)
            && let Ok((jobs, thread)) = open(name, make)
        {
            *door = Door::Open { jobs, thread };
        }
        match &*door {
            Door::Open { jobs, .. } => Some(jobs.clone()),
            Door::Closed { .. } | Door::Shut => None,
        }
    }

    fn door(&self) -> MutexGuard<'_, Door<T>> {
        self.door.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn open<T: 'static>(
    name: &str,
    make: Box<dyn FnOnce() -> T + Send>,
) -> io::Result<(SyncSender<Job<T>>, JoinHandle<()>)> {
    let (jobs, queue) = sync_channel::<Job<T>>(QUEUE);
    let thread = thread::Builder::new().name(name.to_owned()).spawn(move || {
        let mut owned = make();
        while let Ok(job) = queue.recv() {
            job(&mut owned);
        }
    })?;
    Ok((jobs, thread))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn jobs_are_done_in_order_on_one_thread() {
        let desk = Desk::new("test", Vec::new);
        for n in 0..10 {
            desk.ask(move |list: &mut Vec<i32>| list.push(n)).await.unwrap();
        }
        assert_eq!(desk.ask(|list| list.len()).await, Some(10));
    }

    #[tokio::test]
    async fn a_desk_that_broke_down_says_so() {
        let desk = Desk::new("test", || ());
        assert_eq!(desk.ask(|()| -> u8 { panic!("on purpose") }).await, None);
        assert_eq!(desk.ask(|()| 1).await, None);
    }

    /// Takes its time to go, as a journal does.
    struct Slow(Arc<Mutex<bool>>);

    impl Drop for Slow {
        fn drop(&mut self) {
            thread::yield_now();
            *self.0.lock().unwrap() = true;
        }
    }

    #[tokio::test]
    async fn once_closed_nothing_is_open_and_nothing_is_taken() {
        let is_gone = Arc::new(Mutex::new(false));
        let owned = Slow(is_gone.clone());
        let desk = Desk::new("test", move || owned);
        let other = desk.clone();
        assert_eq!(other.ask(|_| 1).await, Some(1));
        desk.close();
        assert!(*is_gone.lock().unwrap());
        assert_eq!(other.ask(|_| 1).await, None);
    }
}
