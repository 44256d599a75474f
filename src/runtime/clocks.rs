//! The machine's clocks, read together.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::cashier::Clock;
use crate::config::read_file;
use crate::trade::{Clocks, Wall};

/// The file in which Linux names this start of the machine.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

/// The clocks of this machine.
#[derive(Debug, Clone)]
pub struct MachineClocks {
    boot_id: Arc<str>,
}

impl Clock for MachineClocks {
    fn now(&self) -> Clocks {
        MachineClocks::now(self)
    }
}

impl MachineClocks {
    /// Reads the identity of this start of the machine, which does not change any more.
    pub fn new() -> MachineClocks {
        MachineClocks { boot_id: boot_id(std::fs::read_to_string(BOOT_ID).ok().as_deref()) }
    }

    /// All clocks, now.
    pub fn now(&self) -> Clocks {
        Clocks { wall: wall(), boot_ms: self.boot_ms(), boot_id: Arc::clone(&self.boot_id) }
    }

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

/// This instant, for the limit of a wait; it means nothing to another process.
#[expect(clippy::disallowed_methods, reason = "this is where clocks are read")]
pub fn instant() -> Instant {
    Instant::now()
}

/// The file of the machine's own time zone.
const LOCAL_ZONE: &str = "/etc/localtime";

/// The directories in which time zones are found by their names.
const ZONES: [&str; 4] = [
    "/usr/share/zoneinfo",
    "/usr/share/lib/zoneinfo",
    "/etc/zoneinfo",
    "/var/db/timezone/zoneinfo",
];

/// Seconds the seller's clock stands east of UTC at that moment.
pub fn utc_offset_s(at: Wall) -> i32 {
    offset_in(&zone(), at)
}

/// The seller's time zone: the one that `TZ` names, or the machine's; UTC if it cannot be read.
///
/// jiff's search is not used. It reads whatever `TZ` names to its end, so that a pipe or a device
/// would keep the program from starting, and it walks a whole tree of files to find a name.
pub fn zone() -> TimeZone {
    let zone = match zone_variable() {
        Some(named) => zone_named(&named),
        None => zone_in(Path::new(LOCAL_ZONE)),
    };
    zone.unwrap_or(TimeZone::UTC)
}

/// Returns what `TZ` says, if that names no time zone that can be read.
pub fn unreadable_zone() -> Option<String> {
    zone_variable().filter(|named| zone_named(named).is_none())
}

fn zone_variable() -> Option<String> {
    let named = std::env::var_os("TZ").filter(|named| !named.is_empty())?;
    Some(named.to_string_lossy().into_owned())
}

/// Reads a value of `TZ`: rules such as `<-03>3`, a name, or the path of a file.
fn zone_named(named: &str) -> Option<TimeZone> {
    if let Ok(rules) = TimeZone::posix(named) {
        return Some(rules);
    }
    let name = named.strip_prefix(':').unwrap_or(named);
    let own = std::env::var_os("TZDIR").map(PathBuf::from);
    let places = own.into_iter().chain(ZONES.map(PathBuf::from)).chain([PathBuf::new()]);
    let found = places.map(|place| place.join(name)).find_map(|path| zone_in(&path));
    // These two need no file.
    found.or_else(|| matches!(name, "UTC" | "GMT").then_some(TimeZone::UTC))
}

/// Reads the rules in a file; nothing that could be endless is read.
fn zone_in(path: &Path) -> Option<TimeZone> {
    TimeZone::tzif("local", &read_file(path).ok()?).ok()
}

fn offset_in(zone: &TimeZone, at: Wall) -> i32 {
    // A clock that shows a year no calendar has is far off anyway.
    let at = Timestamp::from_millisecond(at.0).unwrap_or(Timestamp::UNIX_EPOCH);
    zone.to_offset(at).seconds()
}

/// The wall clock; before 1970 it is negative.
#[expect(clippy::disallowed_methods, reason = "this is where clocks are read")]
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
    fn the_offset_is_that_of_the_moment() {
        let east = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap();
        let (january, july) = (Wall(1_768_435_200_000), Wall(1_784_073_600_000));
        assert_eq!(offset_in(&east, january), -5 * 3600);
        assert_eq!(offset_in(&east, july), -4 * 3600);
        let brazil = TimeZone::fixed(jiff::tz::offset(-3));
        for at in [january, Wall(i64::MIN), Wall(i64::MAX)] {
            assert_eq!(offset_in(&brazil, at), -3 * 3600);
        }
    }

    #[test]
    fn zone_is_read_from_rules_names_and_files_alone() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let rules = std::fs::read("/usr/share/zoneinfo/America/Sao_Paulo");
        if let Ok(rules) = rules {
            std::fs::write(path("zone"), &rules).unwrap();
            for named in ["America/Sao_Paulo", ":America/Sao_Paulo", &path("zone")] {
                let zone = zone_named(named).expect(named);
                assert_eq!(offset_in(&zone, Wall(1_768_435_200_000)), -3 * 3600, "{named}");
            }
        }
        assert_eq!(offset_in(&zone_named("<-03>3").unwrap(), Wall(0)), -3 * 3600);
        assert!(zone_named("UTC").is_some());
        let (pipe, mode) = (path("pipe"), rustix::fs::Mode::RWXU);
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &*pipe, fifo, mode, 0).unwrap();
        std::fs::write(path("words"), "America/Sao_Paulo").unwrap();
        let colon = format!(":{pipe}");
        for other in [&*pipe, &colon, ":/dev/zero", &path("words"), &path(""), ":"] {
            assert!(zone_named(other).is_none(), "{other}");
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
