//! Measures the memory of this process.

use std::fs;

/// The file in which Linux reports the memory use of this process.
const STATUS: &str = "/proc/self/status";

/// The file that resets the recorded peak of memory use when 5 is written to the file.
const FORGET: &str = "/proc/self/clear_refs";

/// Resets the recorded peak of memory use, and returns the resident memory in KiB. Returns `None`
/// if the system does not support the reset.
pub fn begin() -> Option<u64> {
    fs::write(FORGET, "5").ok()?;
    read("VmRSS:")
}

/// Returns the peak of resident memory since the last call of [`begin`], in KiB.
pub fn peak() -> Option<u64> {
    read("VmHWM:")
}

fn read(name: &str) -> Option<u64> {
    let text = fs::read_to_string(STATUS).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
