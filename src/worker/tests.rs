use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::sync_channel;

use super::*;

#[tokio::test]
async fn jobs_run_in_order_on_one_thread() {
    let worker = WorkerHandle::with_owned("test", 4, Vec::new);
    for n in 0..10 {
        worker
            .call(move |list: &mut Vec<i32>| list.push(n))
            .await
            .unwrap();
    }
    assert_eq!(
        worker.call(|list| list.clone()).await,
        Some((0..10).collect())
    );
}

#[tokio::test]
async fn worker_that_panicked_reports_its_end() {
    let worker = WorkerHandle::with_owned("test", 4, || ());
    assert_eq!(worker.call(|()| -> u8 { panic!("on purpose") }).await, None);
    assert_eq!(worker.call(|()| 1).await, None);
    assert!(matches!(worker.start(), Err(RejectReason::Ended)));
    // The worker can be closed even though its thread has panicked.
    worker.close_queue().expect("it was started").wait();
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
async fn closed_worker_drops_its_value_and_takes_no_job() {
    let is_dropped = Arc::new(AtomicBool::new(false));
    let owned = DropFlag(is_dropped.clone());
    let worker = WorkerHandle::with_owned("test", 4, move || owned);
    let other = worker.clone();
    assert_eq!(other.call(|_| 1).await, Some(1));
    worker.close_queue().expect("it runs").wait();
    assert!(is_dropped.load(Ordering::SeqCst));
    assert_eq!(other.call(|_| 1).await, None);
}

#[test]
fn worker_closed_before_first_item_never_starts() {
    let worker = WorkerHandle::new("test", 4, |_: mpsc::Receiver<u8>| panic!("it started"));
    assert!(worker.close_queue().is_none());
    let Err(Rejected {
        item: 1,
        reason: RejectReason::Ended,
    }) = worker.enqueue(1)
    else {
        panic!("it is closed")
    };
}

#[test]
fn queued_items_run_and_excess_items_are_returned() {
    let (start_sender, start_receiver) = sync_channel::<()>(0);
    let (done_sender, done_receiver) = sync_channel(4);
    let worker = WorkerHandle::new("test", 2, move |mut items: mpsc::Receiver<u8>| {
        let _ = start_receiver.recv();
        while let Some(item) = items.blocking_recv() {
            done_sender.send(item).unwrap();
        }
    });
    // Starting the thread twice is the same as starting it once. The thread takes no item from the
    // queue until the test sends on `start_sender`.
    assert!(worker.start().is_ok() && worker.start().is_ok());
    assert!(worker.enqueue(1).is_ok() && worker.enqueue(2).is_ok());
    let Err(Rejected {
        item: 3,
        reason: RejectReason::Full,
    }) = worker.enqueue(3)
    else {
        panic!("it is full")
    };
    let thread = worker.close_queue().expect("it runs");
    let Err(Rejected {
        reason: RejectReason::Ended,
        ..
    }) = worker.enqueue(4)
    else {
        panic!("it is closed")
    };
    start_sender.send(()).unwrap();
    thread.wait();
    assert_eq!(done_receiver.iter().collect::<Vec<_>>(), [1, 2]);
}

#[test]
fn failed_thread_start_reports_reason_and_ends() {
    let start: StartThread<u8> = Box::new(|| Err(io::ErrorKind::WouldBlock.into()));
    let state = WorkerState {
        start: Some(start),
        running: None,
    };
    let worker = WorkerHandle(Arc::new(Locked::new(state)));
    let Err(Rejected {
        item: 1,
        reason: RejectReason::NoThread(error),
    }) = worker.enqueue(1)
    else {
        panic!("there is no thread")
    };
    assert_eq!(error.kind(), io::ErrorKind::WouldBlock);
    assert!(matches!(
        worker.enqueue(2),
        Err(Rejected {
            item: 2,
            reason: RejectReason::Ended
        })
    ));
}

#[test]
fn the_thread_ends_with_the_last_handle() {
    let (end_sender, end_receiver) = sync_channel(1);
    let worker = WorkerHandle::new("test", 2, move |mut items: mpsc::Receiver<u8>| {
        while items.blocking_recv().is_some() {}
        end_sender.send(()).unwrap();
    });
    let other = worker.clone();
    assert!(worker.enqueue(1).is_ok());
    drop(worker);
    assert!(other.enqueue(2).is_ok());
    drop(other);
    end_receiver.recv().unwrap();
}

#[test]
fn worker_is_wanted_while_items_wait_or_once_closed() {
    let (continue_sender, continue_receiver) = sync_channel(1);
    let (done_sender, done_receiver) = sync_channel(1);
    let worker = WorkerHandle::new("test", 4, move |mut items: mpsc::Receiver<u8>| {
        while items.blocking_recv().is_some() {
            done_sender.send(()).unwrap();
            let _ = continue_receiver.recv();
        }
    });
    assert!(worker.enqueue(1).is_ok());
    done_receiver.recv().unwrap();
    assert!(
        !worker.should_yield(),
        "the first item is under way, and nothing waits for it"
    );
    assert!(worker.enqueue(2).is_ok());
    assert!(worker.should_yield());
    continue_sender.send(()).unwrap();
    done_receiver.recv().unwrap();
    assert!(!worker.should_yield());
    let thread = worker.close_queue().expect("it runs");
    assert!(worker.should_yield());
    drop(continue_sender);
    thread.wait();
}

#[test]
fn wait_for_busy_thread_ends_at_the_limit() {
    let (continue_sender, continue_receiver) = sync_channel::<()>(1);
    let worker = WorkerHandle::new("test", 4, move |mut items: mpsc::Receiver<u8>| {
        while items.blocking_recv().is_some() {
            let _ = continue_receiver.recv();
        }
    });
    assert!(worker.enqueue(1).is_ok());
    assert!(
        !worker
            .close_queue()
            .expect("it runs")
            .wait_at_most(Duration::from_millis(20))
    );
    drop(continue_sender);
    let worker = WorkerHandle::new("test", 4, |_: mpsc::Receiver<u8>| {});
    assert!(worker.start().is_ok());
    assert!(
        worker
            .close_queue()
            .expect("it runs")
            .wait_at_most(Duration::from_secs(3_600))
    );
}
