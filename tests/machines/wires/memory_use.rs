//! Measures the memory of this process.

use std::fs;

/// The file with this process's memory use on Linux.
const STATUS: &str = "/proc/self/status";

/// Writing 5 to this file resets the peak of memory use.
const FORGET: &str = "/proc/self/clear_refs";

/// Resets the peak of memory use and returns the resident memory in KiB, or `None` on a system
/// without such a reset.
pub fn begin() -> Option<u64> {
    fs::write(FORGET, "5").ok()?;
    read("VmRSS:")
}

/// Returns the peak of resident memory since [`begin`], in KiB.
pub fn peak() -> Option<u64> {
    read("VmHWM:")
}

fn read(name: &str) -> Option<u64> {
    let text = fs::read_to_string(STATUS).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
