//! The limit of the call that runs on a vault's thread: its time, and whether it is still wanted.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// The limit of the running call, for a vault that can stop in the middle of one.
///
/// The handle sets it before each call; a keyring, which cannot stop, never looks at it.
#[derive(Clone, Default)]
pub(super) struct CallLimit(Arc<LimitState>);

#[derive(Default)]
struct LimitState {
    running: Mutex<RunningCall>,
    stopped: Notify,
}

#[derive(Clone, Copy, Default)]
struct RunningCall {
    number: u64,
    until: Option<Instant>,
    is_stopped: bool,
}

/// Stops a call when it is dropped: its caller waits no more.
pub(super) struct StopsCall {
    pub limit: CallLimit,
    pub number: u64,
}

impl Drop for StopsCall {
    fn drop(&mut self) {
        self.limit.stop(self.number);
    }
}

impl CallLimit {
    /// A call begins, and may take this long.
    pub(super) fn begin(&self, number: u64, limit: Duration) {
        let until = Some(Instant::now() + limit);
        *self.lock() = RunningCall { number, until, is_stopped: false };
    }

    /// That call has ended: what its caller does does not matter any more.
    pub(super) fn end(&self) {
        *self.lock() = RunningCall::default();
    }

    /// Stops that call, if it is the running one.
    fn stop(&self, number: u64) {
        let mut running = self.lock();
        if running.number == number {
            running.is_stopped = true;
            self.0.stopped.notify_waiters();
        }
    }

    /// Waits until the running call has no time left, or is not wanted any more.
    pub(super) async fn reached(&self) {
        let stopped = self.0.stopped.notified();
        tokio::pin!(stopped);
        // Before the look: a stop between the look and the wait is heard too.
        stopped.as_mut().enable();
        let RunningCall { until, is_stopped, .. } = *self.lock();
        if is_stopped {
            return;
        }
        match until {
            Some(until) => tokio::select! {
                () = stopped => {}
                () = sleep_until(until) => {}
            },
            None => stopped.await,
        }
    }

    fn lock(&self) -> MutexGuard<'_, RunningCall> {
        self.0.running.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn a_call_is_stopped_by_its_own_caller_alone() {
        let limit = CallLimit::default();
        limit.begin(2, LONG);
        drop(StopsCall { limit: limit.clone(), number: 1 });
        assert!(!limit.lock().is_stopped);
        let (reached, ()) = tokio::join!(tokio::time::timeout(LONG, limit.reached()), async {
            drop(StopsCall { limit: limit.clone(), number: 2 });
        });
        reached.unwrap();
        // Also where it was stopped before anybody looked.
        tokio::time::timeout(LONG, limit.reached()).await.unwrap();
        limit.begin(3, LONG);
        assert!(!limit.lock().is_stopped);
    }

    #[tokio::test]
    async fn a_call_has_its_time_and_no_more() {
        let limit = CallLimit::default();
        let (start, time) = (Instant::now(), Duration::from_millis(20));
        limit.begin(1, time);
        tokio::time::timeout(LONG, limit.reached()).await.unwrap();
        assert!(start.elapsed() >= time);
    }
}
