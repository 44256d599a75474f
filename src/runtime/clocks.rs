//! The machine's clocks, read together.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use uuid::Uuid;

use crate::cashier::Clock;
use crate::trade::{Clocks, Wall};

/// Where Linux names this start of the machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// The clocks of this machine.
#[derive(Debug, Clone)]
pub struct MachineClocks {
    boot_id: Arc<str>,
    #[cfg(not(unix))]
    started: std::time::Instant,
}

impl Clock for MachineClocks {
    fn now(&self) -> Clocks {
        MachineClocks::now(self)
    }
}

impl MachineClocks {
    /// Finds out which start of the machine this is; that does not change any more.
    pub fn new() -> MachineClocks {
        MachineClocks {
            boot_id: boot_id(std::fs::read_to_string(BOOT_ID).ok().as_deref()),
            #[cfg(not(unix))]
            started: std::time::Instant::now(),
        }
    }

    /// All clocks, now.
    pub fn now(&self) -> Clocks {
        Clocks { wall: wall(), boot_ms: self.boot_ms(), boot_id: Arc::clone(&self.boot_id) }
    }

    #[cfg(unix)]
    fn boot_ms(&self) -> u64 {
        use rustix::time::{ClockId, clock_gettime};
        // Linux's monotonic clock stands still while the machine sleeps; elsewhere it goes on.
        #[cfg(target_os = "linux")]
        let clock = ClockId::Boottime;
        #[cfg(not(target_os = "linux"))]
        let clock = ClockId::Monotonic;
        let now = clock_gettime(clock);
        let seconds = u64::try_from(now.tv_sec).unwrap_or(0);
        let millis = u64::try_from(now.tv_nsec / 1_000_000).unwrap_or(0);
        seconds.saturating_mul(1000).saturating_add(millis)
    }

    #[cfg(not(unix))]
    fn boot_ms(&self) -> u64 {
        // Counted from the start of the program, which its own boot id goes with.
        u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Default for MachineClocks {
    fn default() -> MachineClocks {
        MachineClocks::new()
    }
}

/// The machine's own name for this start, or one for this process where it has none.
///
/// A process's own name never compares equal after a restart, and that ends every window.
fn boot_id(file: Option<&str>) -> Arc<str> {
    let machine = file.and_then(|text| Uuid::try_parse(text.trim()).ok());
    let known = machine.filter(|id| !id.is_nil());
    known.unwrap_or_else(Uuid::new_v4).hyphenated().to_string().into()
}

/// The wall clock; before 1970 it is negative.
fn wall() -> Wall {
    let millis = |span: std::time::Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(after) => Wall(millis(after)),
        Err(before) => Wall(-millis(before.duration())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_machine_names_its_start_or_the_process_does() {
        let named = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
        assert_eq!(&*boot_id(Some(&format!("{named}\n"))), named);
        for nothing in
            [None, Some(""), Some("\u{1b}[2J"), Some("00000000-0000-0000-0000-000000000000")]
        {
            let own = boot_id(nothing);
            assert!(Uuid::try_parse(&own).is_ok());
            assert_ne!(own, boot_id(nothing), "two processes are two starts");
        }
    }

    #[test]
    fn two_readings_can_be_compared() {
        let clocks = MachineClocks::new();
        let first = clocks.now();
        let second = clocks.now();
        assert!(second.boot_ms >= first.boot_ms);
        assert_eq!(first.boot_id, second.boot_id);
        // The year 2020: a sanity check of the unit.
        assert!(first.wall.0 > 1_577_836_800_000 && first.wall.0 < 10_000_000_000_000);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn the_boot_clock_counts_milliseconds_with_sleep() {
        let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
        let seconds: f64 = uptime.split(' ').next().unwrap().parse().unwrap();
        let read = MachineClocks::new().now().boot_ms;
        let before = (seconds * 1000.0) as u64;
        assert!(read + 20 >= before && read < before + 60_000, "{read} against {before}");
    }
}
