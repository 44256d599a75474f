//! How much memory this process holds.

/// Where Linux tells.
const STATUS: &str = "/proc/self/status";

/// The memory it holds in this moment, in KiB; `None` where the system does not tell.
pub fn resident() -> Option<u64> {
    let text = std::fs::read_to_string(STATUS).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().strip_suffix(" kB")?.parse().ok()
}
