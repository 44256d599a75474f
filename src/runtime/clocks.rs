//! Reads the machine's clocks and the seller's time zone.

use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use jiff::Timestamp;
use jiff::tz::TimeZone;
use uuid::Uuid;

use crate::cashier::Clock;
use crate::config::{environment, read_file};
use crate::journal::money::Files;
use crate::trade::{Clocks, Wall};

/// The file with the boot id, a random id that Linux creates at each boot.
const BOOT_ID: &str = "/proc/sys/kernel/random/boot_id";

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
    /// Reads the boot id, which does not change while the machine runs.
    pub fn new() -> MachineClocks {
        MachineClocks {
            boot_id: boot_id(std::fs::read_to_string(BOOT_ID).ok().as_deref()),
        }
    }

    /// The clocks for the journal in this directory. If it is the mirror of a team's journal, their
    /// boot id names the directory too: two users of one machine have two mirrors, and their
    /// windows do not share locks.
    pub fn for_journal(dir: &Path) -> MachineClocks {
        let clocks = MachineClocks::new();
        if !Files::new(dir).is_mirror() {
            return clocks;
        }
        let Ok(metadata) = std::fs::metadata(dir) else {
            return clocks;
        };
        let [device, number] = [metadata.dev(), metadata.ino()];
        MachineClocks {
            boot_id: format!("{} {device:x}:{number:x}", clocks.boot_id).into(),
        }
    }

    pub fn now(&self) -> Clocks {
        Clocks {
            wall: system_time(),
            boot_ms: MachineClocks::boot_ms(),
            boot_id: Arc::clone(&self.boot_id),
        }
    }

    /// The time since the machine started, including sleep.
    pub fn boot_ms() -> u64 {
        use rustix::time::{ClockId, clock_gettime};
        // On Linux, the monotonic clock stops while the machine sleeps, so `Boottime` is used. On
        // other systems the monotonic clock includes sleep.
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

/// The machine's boot id. Without a boot id, returns a random id for this process.
///
/// A random id is different after the program restarts. Withdrawals can then no longer be resent,
/// because clock readings with different ids cannot be compared.
fn boot_id(file: Option<&str>) -> Arc<str> {
    let parsed = file.and_then(|text| Uuid::try_parse(text.trim()).ok());
    let valid = parsed.filter(|id| !id.is_nil());
    valid
        .unwrap_or_else(Uuid::new_v4)
        .hyphenated()
        .to_string()
        .into()
}

/// The current time for timeouts within this process.
#[expect(clippy::disallowed_methods, reason = "this is where clocks are read")]
pub fn instant() -> Instant {
    Instant::now()
}

const LOCAL_ZONE_FILE: &str = "/etc/localtime";

/// The directories of the time zone database, with one file for each zone.
const ZONE_DIRS: [&str; 4] = [
    "/usr/share/zoneinfo",
    "/usr/share/lib/zoneinfo",
    "/etc/zoneinfo",
    "/var/db/timezone/zoneinfo",
];

/// The seller's offset from UTC at the given time, in seconds. Positive offsets are east.
pub fn utc_offset_s(at: Wall) -> i32 {
    utc_offset_in(&zone(), at)
}

/// The seller's time zone. This is the zone in the variable `TZ` (in a kiosk, of its flag), or else
/// the machine's zone. Returns UTC if the zone cannot be read.
///
/// jiff's own lookup is not used, because it would block the start of the program if `TZ` names a
/// pipe or a device.
pub fn zone() -> TimeZone {
    let zone = match zone_variable() {
        Some(value) => parse_zone(&value),
        None => read_zone_file(Path::new(LOCAL_ZONE_FILE)),
    };
    zone.unwrap_or(TimeZone::UTC)
}

/// The name of the seller's time zone, such as `America/Sao_Paulo`. Returns `None` if the zone has
/// no name, or if its name is the path of a file.
pub fn zone_name() -> Option<String> {
    let name = match zone_variable() {
        Some(value) => value.strip_prefix(':').unwrap_or(&value).to_owned(),
        None => {
            let file = std::fs::read_link(LOCAL_ZONE_FILE).ok()?;
            file.to_str()?.split_once("zoneinfo/")?.1.to_owned()
        }
    };
    let is_name = !name.starts_with('/')
        && name
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "/_+-<>".contains(c));
    (is_name && parse_zone(&name).is_some()).then_some(name)
}

/// The value of `TZ` if it is set but no time zone could be read from it.
pub fn unreadable_zone() -> Option<String> {
    zone_variable().filter(|value| parse_zone(value).is_none())
}

fn zone_variable() -> Option<String> {
    let value = environment::time_zone().filter(|value| !value.is_empty())?;
    Some(value.to_string_lossy().into_owned())
}

/// Reads the time zone for a value of `TZ`: a rule such as `<-03>3`, a zone name, or a file path.
fn parse_zone(value: &str) -> Option<TimeZone> {
    let name = value.strip_prefix(':').unwrap_or(value);
    if let Ok(rules) = TimeZone::posix(name) {
        return Some(rules);
    }
    let custom_dir = environment::variable("TZDIR").map(PathBuf::from);
    let dirs = custom_dir
        .into_iter()
        .chain(ZONE_DIRS.map(PathBuf::from))
        .chain([PathBuf::new()]);
    let zone = dirs
        .map(|dir| dir.join(name))
        .find_map(|path| read_zone_file(&path));
    // The names `UTC` and `GMT` are accepted even without a zone file.
    zone.or_else(|| matches!(name, "UTC" | "GMT").then_some(TimeZone::UTC))
        .or_else(|| standard_time(name))
}

/// The standard time of a rule such as `BRT3BRST`, which has a summer time without its dates. Old
/// Brazilian servers have such a rule, but Brazil has had no summer time since 2019.
fn standard_time(rule: &str) -> Option<TimeZone> {
    let summer = skip_zone_name(rule)?.trim_start_matches(is_offset);
    let has_dates = !skip_zone_name(summer)?.chars().all(is_offset);
    let standard = rule.strip_suffix(summer).filter(|_| !has_dates)?;
    TimeZone::posix(standard).ok()
}

fn is_offset(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, '+' | '-' | ':')
}

/// The rest of a rule after a zone name, such as `BRT` or `<-03>`.
fn skip_zone_name(rule: &str) -> Option<&str> {
    if let Some(quoted) = rule.strip_prefix('<') {
        return Some(quoted.split_once('>')?.1);
    }
    let rest = rule.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    (rule.len() - rest.len() >= 3).then_some(rest)
}

/// Reads a time zone from a regular file. Pipes and devices are refused, because reading them might
/// never end.
fn read_zone_file(path: &Path) -> Option<TimeZone> {
    TimeZone::tzif("local", &read_file(path).ok()?).ok()
}

/// The offset from UTC in this zone at the given time, in seconds. Positive offsets are east.
pub fn utc_offset_in(zone: &TimeZone, at: Wall) -> i32 {
    // A time outside the calendar's range comes from a wrong clock, so any UTC offset is good
    // enough.
    let at = Timestamp::from_millisecond(at.0).unwrap_or(Timestamp::UNIX_EPOCH);
    zone.to_offset(at).seconds()
}

/// The time of the system's clock.
#[expect(clippy::disallowed_methods, reason = "this is where clocks are read")]
pub fn system_time() -> Wall {
    match SystemTime::now().duration_since(UNIX_EPOCH) {
        Ok(after) => Wall(i64::try_from(after.as_millis()).unwrap_or(i64::MAX)),
        Err(before) => Wall(-i64::try_from(before.duration().as_millis()).unwrap_or(i64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::journal::money::MoneyJournal;

    #[test]
    fn each_mirror_of_a_machine_has_its_own_boot_id() {
        let dirs = [(); 3].map(|()| tempfile::tempdir().unwrap());
        for mirror in &dirs[..2] {
            MoneyJournal::become_mirror(&Files::new(mirror.path()), Uuid::nil()).unwrap();
        }
        let ids = dirs
            .each_ref()
            .map(|dir| MachineClocks::for_journal(dir.path()).boot_id);
        let machine_id = MachineClocks::new().boot_id;
        assert!(ids[0] != ids[1] && ids[0] != machine_id && ids[1] != machine_id);
        assert_eq!(ids[2], machine_id);
        let again = MachineClocks::for_journal(dirs[0].path()).boot_id;
        assert_eq!(ids[0], again, "a restart may send again");
    }

    #[test]
    fn missing_boot_id_is_replaced_by_a_random_id() {
        let machine_id = "3f0e6c1c-7c55-4a8e-9d5a-2f1b6f1e0c9a";
        assert_eq!(&*boot_id(Some(&format!("{machine_id}\n"))), machine_id);
        for invalid in [
            None,
            Some(""),
            Some("\u{1b}[2J"),
            Some("00000000-0000-0000-0000-000000000000"),
        ] {
            let random_id = boot_id(invalid);
            assert!(Uuid::try_parse(&random_id).is_ok());
            assert_ne!(random_id, boot_id(invalid), "two processes are two starts");
        }
    }

    #[test]
    fn utc_offset_depends_on_the_date() {
        let east = TimeZone::posix("EST5EDT,M3.2.0,M11.1.0").unwrap();
        let january = Wall(1_768_435_200_000);
        let july = Wall(1_784_073_600_000);
        assert_eq!(utc_offset_in(&east, january), -5 * 3600);
        assert_eq!(utc_offset_in(&east, july), -4 * 3600);
        let brazil = TimeZone::fixed(jiff::tz::offset(-3));
        for at in [january, Wall(i64::MIN), Wall(i64::MAX)] {
            assert_eq!(utc_offset_in(&brazil, at), -3 * 3600);
        }
    }

    #[test]
    fn zone_is_read_from_rules_names_and_files_only() {
        let dir = tempfile::tempdir().unwrap();
        let path = |name: &str| dir.path().join(name).to_str().unwrap().to_owned();
        let rules = std::fs::read("/usr/share/zoneinfo/America/Sao_Paulo");
        if let Ok(rules) = rules {
            std::fs::write(path("zone"), &rules).unwrap();
            for value in ["America/Sao_Paulo", ":America/Sao_Paulo", &path("zone")] {
                let zone = parse_zone(value).expect(value);
                assert_eq!(
                    utc_offset_in(&zone, Wall(1_768_435_200_000)),
                    -3 * 3600,
                    "{value}"
                );
            }
        }
        assert_eq!(
            utc_offset_in(&parse_zone("<-03>3").unwrap(), Wall(0)),
            -3 * 3600
        );
        assert!(parse_zone("UTC").is_some());
        for value in [
            "BRT3BRST",
            "BRST+3BRDT",
            ":BRT3BRST",
            "BRT3BRST2",
            "<-03>3<-02>",
            "<-03>+03:00<-02>2",
        ] {
            let zone = parse_zone(value).expect(value);
            for at in [1_768_435_200_000, 1_784_073_600_000, 1_793_836_800_000].map(Wall) {
                assert_eq!(utc_offset_in(&zone, at), -3 * 3600, "{value}");
            }
        }
        let pipe = path("pipe");
        let mode = rustix::fs::Mode::RWXU;
        let fifo = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &*pipe, fifo, mode, 0).unwrap();
        std::fs::write(path("words"), "America/Sao_Paulo").unwrap();
        let colon = format!(":{pipe}");
        for invalid in [
            &*pipe,
            &colon,
            ":/dev/zero",
            &path("words"),
            &path(""),
            ":",
            "BRT3BRST,x",
            "BR3T",
        ] {
            assert!(parse_zone(invalid).is_none(), "{invalid}");
        }
    }

    #[test]
    fn clock_readings_are_ordered_milliseconds() {
        let clocks = MachineClocks::new();
        let first = clocks.now();
        let second = clocks.now();
        assert!(second.boot_ms >= first.boot_ms);
        assert_eq!(first.boot_id, second.boot_id);
        // Check that the value is in milliseconds. Seconds or microseconds would be outside this
        // range.
        assert!(first.wall.0 > 1_577_836_800_000 && first.wall.0 < 10_000_000_000_000);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn boot_clock_includes_sleep() {
        let uptime = std::fs::read_to_string("/proc/uptime").unwrap();
        let seconds: f64 = uptime.split(' ').next().unwrap().parse().unwrap();
        let boot_ms = MachineClocks::new().now().boot_ms;
        let uptime_ms = (seconds * 1000.0) as u64;
        assert!(
            boot_ms + 20 >= uptime_ms && boot_ms < uptime_ms + 60_000,
            "{boot_ms} against {uptime_ms}"
        );
    }
}
