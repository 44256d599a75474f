//! The clock of the app. It can be moved forward only if the app was opened for a replay of
//! exported requests.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::cashier::Clock;
use crate::demo::DemoClock;
use crate::runtime::clocks::MachineClocks;
use crate::runtime::sandbox_secret;
use crate::runtime::world_builder::AdvanceClock;

/// The clock of a run of the app.
pub struct RunClock {
    pub clock: Arc<dyn Clock + Send + Sync>,
    /// Moves the clock forward. `None` if the clock is that of the machine.
    pub advance: Option<AdvanceClock>,
}

impl RunClock {
    /// The clock for an app with this state directory, whose withdrawals are in the directory
    /// `journal`.
    pub fn new(state: &Path, journal: &Path) -> RunClock {
        if !sandbox_secret::is_of_replay(state) {
            return RunClock {
                clock: Arc::new(MachineClocks::for_journal(journal)),
                advance: None,
            };
        }
        let clock = DemoClock::default();
        let movable = clock.clone();
        let advance = Arc::new(move |span: Duration| movable.forward(span));
        RunClock {
            clock: Arc::new(clock),
            advance: Some(advance),
        }
    }
}
