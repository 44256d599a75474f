//! Measures the memory that this process uses.

use std::fs;

/// The file in which Linux reports this process's memory use.
const STATUS_FILE: &str = "/proc/self/status";

/// The file that resets the peak of memory use when 5 is written to it.
const RESET_FILE: &str = "/proc/self/clear_refs";

/// Resets the peak of memory use, and returns the resident memory in KiB. Returns `None` if the
/// system cannot reset the peak.
pub fn reset_peak() -> Option<u64> {
    fs::write(RESET_FILE, "5").ok()?;
    read_field("VmRSS:")
}

/// Returns the peak of resident memory since the call of [`reset_peak`], in KiB.
pub fn peak() -> Option<u64> {
    read_field("VmHWM:")
}

fn read_field(name: &str) -> Option<u64> {
    let text = fs::read_to_string(STATUS_FILE).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
