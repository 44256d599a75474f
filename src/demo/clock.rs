//! The demo's clock: the machine's clock, which the presenter can advance.
//!
//! The app, its journal and the sandbox share this clock, so they all see the new time at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::cashier::Clock;
use crate::runtime::clocks::MachineClocks;
use crate::sandbox::{self, Moment};
use crate::trade::Clocks;

/// The machine's clocks, and the time by which the demo is ahead of them. All clones of a
/// `DemoClock` share that time.
#[derive(Debug, Clone, Default)]
pub struct DemoClock {
    machine: MachineClocks,
    ahead_ms: Arc<AtomicU64>,
}

impl DemoClock {
    /// Advances the clock and all its clones.
    pub fn forward(&self, span: Duration) {
        let span = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
        self.ahead_ms.fetch_add(span, Ordering::Relaxed);
    }

    /// Returns this clock as a time source for the sandbox.
    pub fn for_sandbox(&self) -> sandbox::TimeSource {
        let clock = self.clone();
        Arc::new(move || Moment(clock.now().wall.0))
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Clocks {
        let ahead_ms = self.ahead_ms.load(Ordering::Relaxed);
        let now = self.machine.now();
        Clocks {
            wall: now.wall.plus(Duration::from_millis(ahead_ms)),
            boot_ms: now.boot_ms.saturating_add(ahead_ms),
            ..now
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_clock_is_moved_on_alike() {
        let clock = DemoClock::default();
        let (before, sandbox) = (clock.now(), clock.for_sandbox());
        clock.clone().forward(Duration::from_secs(600));
        let after = clock.now();
        assert!(after.wall.0 - before.wall.0 >= 600_000);
        assert!(after.boot_ms - before.boot_ms >= 600_000);
        assert!(sandbox().0 >= after.wall.0);
        assert_eq!(after.boot_id, before.boot_id, "the machine was not started again");
    }
}
