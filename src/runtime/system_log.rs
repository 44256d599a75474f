//! Writes messages to the system log (syslog).

use std::io;
use std::os::unix::net::UnixDatagram;
use std::path::Path;
use std::process;

use jiff::Timestamp;
use jiff::tz::{Offset, TimeZone};

use crate::trade::Wall;

/// The socket of the system log.
const SOCKET: &str = "/dev/log";

/// The priority of each message: facility 3 (system daemons), severity 6 (informational).
const PRIORITY: u32 = 3 * 8 + 6;

/// Writes one line to the system log under this program name, without waiting.
///
/// # Errors
///
/// Fails if the system has no log, or if its log accepts no message at the moment.
pub fn write(name: &str, text: &str, now: Wall, utc_offset_s: i32) -> io::Result<()> {
    write_to(
        Path::new(SOCKET),
        &format_line(name, text, now, utc_offset_s),
    )
}

fn write_to(socket: &Path, line: &str) -> io::Result<()> {
    let log = UnixDatagram::unbound()?;
    log.set_nonblocking(true)?;
    log.send_to(line.as_bytes(), socket).map(drop)
}

/// Formats a line of the system log as in RFC 3164. The host name is left out, as in `syslog(3)`.
fn format_line(name: &str, text: &str, now: Wall, utc_offset_s: i32) -> String {
    let zone = TimeZone::fixed(Offset::from_seconds(utc_offset_s).unwrap_or(Offset::UTC));
    let time = timestamp(now)
        .to_zoned(zone)
        .strftime("%b %e %H:%M:%S")
        .to_string();
    format!("<{PRIORITY}>{time} {name}[{}]: {text}", process::id())
}

/// Formats a time in UTC, such as `2026-11-27T02:00:53Z`.
pub fn utc(time: Wall) -> String {
    timestamp(time).strftime("%Y-%m-%dT%H:%M:%SZ").to_string()
}

pub(super) fn timestamp(time: Wall) -> Timestamp {
    Timestamp::from_millisecond(time.0).unwrap_or(Timestamp::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIME: Wall = Wall(1_767_225_599_999);

    #[test]
    fn line_is_as_syslog_writes_it() {
        let pid = process::id();
        let expected = format!("<30>Dec 31 20:59:59 balcao-kiosk[{pid}]: idle");
        assert_eq!(
            format_line("balcao-kiosk", "idle", TIME, -3 * 3_600),
            expected
        );
        assert_eq!(utc(TIME), "2025-12-31T23:59:59Z");
    }

    #[test]
    fn full_or_missing_log_does_not_block() {
        let dir = tempfile::tempdir().unwrap();
        let socket = dir.path().join("log");
        assert!(write_to(&socket, "nobody").is_err());
        let log = UnixDatagram::bind(&socket).unwrap();
        write_to(&socket, "first").unwrap();
        // The system queues only a limited number of messages, so a write soon fails.
        assert!((0..100_000).any(|_| write_to(&socket, "more").is_err()));
        let mut read = [0; 16];
        let count = log.recv(&mut read).unwrap();
        assert_eq!(&read[..count], b"first");
    }
}
