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

/// The machine's clocks, and the time by which the demo is ahead of them. All clones share that
/// time.
#[derive(Debug, Clone, Default)]
pub struct DemoClock {
    machine: MachineClocks,
    offset_ms: Arc<AtomicU64>,
}

impl DemoClock {
    /// Advances the clock and all its clones.
    pub fn forward(&self, span: Duration) {
        let span = u64::try_from(span.as_millis()).unwrap_or(u64::MAX);
        self.offset_ms.fetch_add(span, Ordering::Relaxed);
    }

    /// This clock as a time source for the sandbox.
    pub fn for_sandbox(&self) -> sandbox::TimeSource {
        let clock = self.clone();
        Arc::new(move || Moment(clock.now().wall.0))
    }
}

impl Clock for DemoClock {
    fn now(&self) -> Clocks {
        let offset_ms = self.offset_ms.load(Ordering::Relaxed);
        let now = self.machine.now();
        Clocks {
            wall: now.wall.plus(Duration::from_millis(offset_ms)),
            boot_ms: now.boot_ms.saturating_add(offset_ms),
            ..now
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forward_moves_every_clock_by_the_same_time() {
        let clock = DemoClock::default();
        let before = clock.now();
        let sandbox_time = clock.for_sandbox();
        clock.clone().forward(Duration::from_secs(600));
        let after = clock.now();
        assert!(after.wall.0 - before.wall.0 >= 600_000);
        assert!(after.boot_ms - before.boot_ms >= 600_000);
        assert!(sandbox_time().0 >= after.wall.0);
        assert_eq!(
            after.boot_id, before.boot_id,
            "the machine was not started again"
        );
    }
}
