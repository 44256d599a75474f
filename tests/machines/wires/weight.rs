//! How much memory this process holds, and held.

use std::fs;

/// Where Linux tells.
const STATUS: &str = "/proc/self/status";

/// Where Linux forgets the peak so far, when it is told 5.
const FORGET: &str = "/proc/self/clear_refs";

/// The memory it holds in this moment, in KiB, from which on the peak is measured anew; `None`
/// where the system does not tell.
pub fn begin() -> Option<u64> {
    fs::write(FORGET, "5").ok()?;
    read("VmRSS:")
}

/// The most that it held since then at any instant, in KiB.
pub fn peak() -> Option<u64> {
    read("VmHWM:")
}

fn read(name: &str) -> Option<u64> {
    let text = fs::read_to_string(STATUS).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
