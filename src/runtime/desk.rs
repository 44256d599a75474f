//! A desk: one thread that owns something slow, and a bounded queue before it.

use std::sync::mpsc::{SyncSender, sync_channel};
use std::thread;

use tokio::sync::oneshot;

/// The jobs that may wait at a desk.
const QUEUE: usize = 256;

type Job<T> = Box<dyn FnOnce(&mut T) + Send>;

/// A thread that owns a `T`.
pub struct Desk<T> {
    jobs: SyncSender<Job<T>>,
}

impl<T> Clone for Desk<T> {
    fn clone(&self) -> Self {
        Desk { jobs: self.jobs.clone() }
    }
}

impl<T: 'static> Desk<T> {
    /// Opens a desk; the thread makes what it owns, and ends with the last handle.
    pub fn open(name: &str, make: impl FnOnce() -> T + Send + 'static) -> std::io::Result<Desk<T>> {
        let (jobs, queue) = sync_channel::<Job<T>>(QUEUE);
        thread::Builder::new().name(name.to_owned()).spawn(move || {
            // Made with the first job, so that opening a desk costs the first frame nothing.
            let Ok(first) = queue.recv() else { return };
            let mut owned = make();
            first(&mut owned);
            while let Ok(job) = queue.recv() {
                job(&mut owned);
            }
        })?;
        Ok(Desk { jobs })
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
        self.jobs.try_send(Box::new(job)).ok()?;
        answered.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn jobs_are_done_in_order_on_one_thread() {
        let desk = Desk::open("test", Vec::new).unwrap();
        for n in 0..10 {
            desk.ask(move |list: &mut Vec<i32>| list.push(n)).await.unwrap();
        }
        assert_eq!(desk.ask(|list| list.len()).await, Some(10));
    }

    #[tokio::test]
    async fn a_desk_that_broke_down_says_so() {
        let desk = Desk::open("test", || ()).unwrap();
        assert_eq!(desk.ask(|()| -> u8 { panic!("on purpose") }).await, None);
        assert_eq!(desk.ask(|()| 1).await, None);
    }
}
