//! A desk: one thread that owns something slow, and a bounded queue before it.

use std::io;
use std::mem;
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

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
    Open(SyncSender<Job<T>>),
    /// The system gave no thread.
    Broken,
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

    /// The way to the thread, which is started if it was not yet.
    fn jobs(&self) -> Option<SyncSender<Job<T>>> {
        let mut door = self.door.lock().unwrap_or_else(PoisonError::into_inner);
        if matches!(*door, Door::Closed { .. })
            && let Door::Closed { name, make } = mem::replace(&mut *door, Door::Broken)
            && let Ok(jobs) = open(name, make)
        {
            *door = Door::Open(jobs);
        }
        match &*door {
            Door::Open(jobs) => Some(jobs.clone()),
            Door::Closed { .. } | Door::Broken => None,
        }
    }
}

fn open<T: 'static>(
    name: &str,
    make: Box<dyn FnOnce() -> T + Send>,
) -> io::Result<SyncSender<Job<T>>> {
    let (jobs, queue) = sync_channel::<Job<T>>(QUEUE);
    thread::Builder::new().name(name.to_owned()).spawn(move || {
        let mut owned = make();
        while let Ok(job) = queue.recv() {
            job(&mut owned);
        }
    })?;
    Ok(jobs)
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
}
