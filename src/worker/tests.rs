use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

use super::*;

#[tokio::test]
async fn jobs_are_done_in_order_on_one_thread() {
    let worker = WorkerHandle::with_owned("test", 4, Vec::new);
    for n in 0..10 {
        worker.call(move |list: &mut Vec<i32>| list.push(n)).await.unwrap();
    }
    assert_eq!(worker.call(|list| list.clone()).await, Some((0..10).collect()));
}

#[tokio::test]
async fn a_worker_that_panicked_says_so() {
    let worker = WorkerHandle::with_owned("test", 4, || ());
    assert_eq!(worker.call(|()| -> u8 { panic!("on purpose") }).await, None);
    assert_eq!(worker.call(|()| 1).await, None);
    assert!(matches!(worker.start(), Err(RejectReason::Ended)));
    // The worker can be closed even though its thread has panicked.
    worker.close();
}

/// Sets a flag when dropped.
struct DropFlag(Arc<AtomicBool>);

impl Drop for DropFlag {
    fn drop(&mut self) {
        std::thread::yield_now();
        self.0.store(true, Ordering::SeqCst);
    }
}

#[tokio::test]
async fn once_closed_nothing_is_open_and_nothing_is_taken() {
    let is_gone = Arc::new(AtomicBool::new(false));
    let owned = DropFlag(is_gone.clone());
    let worker = WorkerHandle::with_owned("test", 4, move || owned);
    let other = worker.clone();
    assert_eq!(other.call(|_| 1).await, Some(1));
    worker.close();
    assert!(is_gone.load(Ordering::SeqCst));
    assert_eq!(other.call(|_| 1).await, None);
}

#[test]
fn worker_closed_before_first_item_never_starts() {
    let worker = WorkerHandle::new("test", 4, |_: mpsc::Receiver<u8>| panic!("it started"));
    assert!(worker.close_queue().is_none());
    let Err(Rejected { item: 1, reason: RejectReason::Ended }) = worker.enqueue(1) else {
        panic!("it is closed")
    };
}

#[test]
fn queued_items_run_and_excess_items_are_returned() {
    let (begin, begins) = sync_channel::<()>(0);
    let (done, is_done) = sync_channel(4);
    let worker = WorkerHandle::new("test", 2, move |mut items: mpsc::Receiver<u8>| {
        let _ = begins.recv();
        while let Some(item) = items.blocking_recv() {
            done.send(item).unwrap();
        }
    });
    // A second start has no effect. The thread reads nothing until the test sends on `begin`.
    assert!(worker.start().is_ok() && worker.start().is_ok());
    assert!(worker.enqueue(1).is_ok() && worker.enqueue(2).is_ok());
    let Err(Rejected { item: 3, reason: RejectReason::Full }) = worker.enqueue(3) else {
        panic!("it is full")
    };
    let thread = worker.close_queue().expect("it runs");
    let Err(Rejected { reason: RejectReason::Ended, .. }) = worker.enqueue(4) else {
        panic!("it is closed")
    };
    begin.send(()).unwrap();
    thread.join().unwrap();
    assert_eq!(is_done.iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn failed_thread_start_reports_reason_and_ends() {
    let start: StartThread<u8> = Box::new(|| Err(io::ErrorKind::WouldBlock.into()));
    let state = WorkerState { start: Some(start), running: None };
    let worker = WorkerHandle(Arc::new(Mutex::new(state)));
    let Err(Rejected { item: 1, reason: RejectReason::NoThread(error) }) = worker.enqueue(1) else {
        panic!("there is no thread")
    };
    assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    assert!(matches!(worker.enqueue(2), Err(Rejected { item: 2, reason: RejectReason::Ended })));
}

#[test]
fn the_thread_ends_with_the_last_handle() {
    let (ended, has_ended) = sync_channel(1);
    let worker = WorkerHandle::new("test", 2, move |mut items: mpsc::Receiver<u8>| {
        while items.blocking_recv().is_some() {}
        ended.send(()).unwrap();
    });
    let other = worker.clone();
    assert!(worker.enqueue(1).is_ok());
    drop(worker);
    assert!(other.enqueue(2).is_ok());
    drop(other);
    has_ended.recv().unwrap();
}

#[test]
fn worker_is_wanted_while_items_wait_or_once_closed() {
    let (begin, begins) = sync_channel(1);
    let (done, is_done) = sync_channel(1);
    let worker = WorkerHandle::new("test", 4, move |mut items: mpsc::Receiver<u8>| {
        while items.blocking_recv().is_some() {
            done.send(()).unwrap();
            let _ = begins.recv();
        }
    });
    assert!(worker.enqueue(1).is_ok());
    is_done.recv().unwrap();
    assert!(!worker.is_wanted(), "the first item is under way, and nothing waits for it");
    assert!(worker.enqueue(2).is_ok());
    assert!(worker.is_wanted());
    begin.send(()).unwrap();
    is_done.recv().unwrap();
    assert!(!worker.is_wanted());
    let thread = worker.close_queue().expect("it runs");
    assert!(worker.is_wanted());
    drop(begin);
    thread.join().unwrap();
}
