//! Ends the app in a kiosk when a visitor reaches a limit for the duration, input, memory or
//! processor time.
//!
//! A thread checks the limits every few seconds. It first asks the app to quit. If the process
//! still runs after a grace period, for example because a write to the terminal blocks, the thread
//! ends the process.

use std::fs;
use std::io;
use std::sync::mpsc::{self, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};

use super::keys::meter;
use super::{clocks, signals};
use crate::app::{Kiosk, KioskEnd};

/// The time between two checks of the limits.
const CHECK_INTERVAL: Duration = Duration::from_secs(3);

/// The grace period for the app to quit.
const QUIT_GRACE: Duration = Duration::from_secs(2);

/// The exit status of a kiosk process that did not quit in time.
const EXIT_STATUS: i32 = 1;

#[derive(Debug, Clone, Copy)]
struct KioskLimits {
    /// The maximum time since the last key press, click or paste.
    idle: Option<Duration>,
    /// The maximum time since the start of the process.
    total: Option<Duration>,
    /// The maximum memory in bytes, not counting the program's executable code.
    memory: u64,
    /// The maximum input in bytes, including pastes.
    typed: u64,
    /// The maximum processor time. A tenth of the elapsed time is added to it.
    cpu: Duration,
}

impl KioskLimits {
    fn for_kiosk(kiosk: Kiosk) -> KioskLimits {
        KioskLimits {
            idle: (!kiosk.for_room).then_some(Duration::from_secs(10 * 60)),
            total: (!kiosk.for_room).then_some(Duration::from_secs(30 * 60)),
            memory: 64 << 20,
            typed: 1 << 20,
            cpu: Duration::from_secs(60),
        }
    }

    fn cpu_after(&self, age: Duration) -> Duration {
        self.cpu + age / 10
    }

    fn find_reached(&self, used: &Usage) -> Option<KioskEnd> {
        let ends = [
            (KioskEnd::Memory, used.memory > self.memory),
            (KioskEnd::Typed, used.typed > self.typed),
            (KioskEnd::Cpu, used.cpu > self.cpu_after(used.age)),
            (
                KioskEnd::Time,
                self.total.is_some_and(|total| used.age >= total),
            ),
            (
                KioskEnd::Idle,
                self.idle.is_some_and(|idle| used.idle >= idle),
            ),
        ];
        ends.into_iter()
            .find_map(|(end, is_reached)| is_reached.then_some(end))
    }

    /// Sets limits at which the operating system kills the process. They are higher than the limits
    /// that this module checks, so they are reached only if these checks fail. The memory limit
    /// includes the stacks of all threads.
    fn set_backstops(&self) {
        set_limit(Resource::Data, 2 * self.memory);
        if let Some(total) = self.total {
            set_limit(Resource::Cpu, self.cpu_after(total).as_secs() * 2);
        }
    }
}

fn set_limit(resource: Resource, max: u64) {
    // Ignore an error, because the administrator may have set a lower limit.
    let _ = setrlimit(
        resource,
        Rlimit {
            current: Some(max),
            maximum: Some(max),
        },
    );
}

/// The resources that the kiosk's process has used.
#[derive(Debug, Clone, Copy, Default)]
struct Usage {
    age: Duration,
    idle: Duration,
    memory: u64,
    typed: u64,
    cpu: Duration,
}

/// Measures how much time, input, memory and processor time this process has used.
struct Gauge {
    start: Instant,
    /// The number of input events at the last check, and the time of the last check that found new
    /// events.
    events: u64,
    last_active: Instant,
}

impl Gauge {
    fn new() -> Gauge {
        let now = clocks::instant();
        Gauge {
            start: now,
            events: meter::events(),
            last_active: now,
        }
    }

    fn read(&mut self) -> Usage {
        let now = clocks::instant();
        let events = meter::events();
        if std::mem::replace(&mut self.events, events) != events {
            self.last_active = now;
        }
        let cpu = clock_gettime(ClockId::ProcessCPUTime);
        Usage {
            age: now - self.start,
            idle: now - self.last_active,
            memory: fs::read_to_string("/proc/self/status")
                .map_or(0, |status| private_memory(&status)),
            typed: meter::bytes(),
            cpu: Duration::try_from(cpu).unwrap_or_default(),
        }
    }
}

/// The memory that only this process uses, in RAM or swapped out, in bytes. `status` is the content
/// of `/proc/self/status`.
fn private_memory(status: &str) -> u64 {
    let sizes_kib = status.lines().filter_map(|line| {
        let value = line
            .strip_prefix("RssAnon:")
            .or_else(|| line.strip_prefix("VmSwap:"))?;
        value.trim().strip_suffix(" kB")?.parse::<u64>().ok()
    });
    sizes_kib.sum::<u64>() * 1024
}

/// A guard for the thread that checks the limits. Dropping it stops the checks.
pub struct LimitsWatch {
    _stop: SyncSender<()>,
}

/// Starts a thread that checks the limits of a kiosk.
///
/// `request_quit` asks the app to quit and must not block. If the process still runs after a grace
/// period, `clean_up` and `restore` (which restores the terminal) are called, and the process ends.
pub fn watch(
    kiosk: Kiosk,
    request_quit: impl FnOnce(KioskEnd) + Send + 'static,
    clean_up: impl FnOnce() + Send + 'static,
    restore: impl FnOnce() + Send + 'static,
) -> io::Result<LimitsWatch> {
    let limits = KioskLimits::for_kiosk(kiosk);
    limits.set_backstops();
    let mut gauge = Gauge::new();
    let (stop, stopped) = mpsc::sync_channel::<()>(0);
    thread::Builder::new()
        .name("limits".into())
        .spawn(move || {
            let is_over = run_checks(
                &limits,
                || gauge.read(),
                |time| stopped.recv_timeout(time) == Err(RecvTimeoutError::Timeout),
                request_quit,
            );
            if !is_over {
                return;
            }
            clean_up();
            signals::restore_and_exit(restore, EXIT_STATUS);
        })?;
    Ok(LimitsWatch { _stop: stop })
}

/// Waits until a limit is reached, and asks the app to quit. Returns true if the app did not quit
/// in time. `wait` returns false as soon as the app has quit.
fn run_checks(
    limits: &KioskLimits,
    mut measure: impl FnMut() -> Usage,
    mut wait: impl FnMut(Duration) -> bool,
    request_quit: impl FnOnce(KioskEnd),
) -> bool {
    while wait(CHECK_INTERVAL) {
        if let Some(end) = limits.find_reached(&measure()) {
            request_quit(end);
            return wait(QUIT_GRACE);
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    fn visitor() -> KioskLimits {
        KioskLimits::for_kiosk(Kiosk { for_room: false })
    }

    #[test]
    fn each_limit_ends_a_visitor() {
        let within = Usage {
            age: MINUTE * 30 - CHECK_INTERVAL,
            idle: MINUTE * 10 - CHECK_INTERVAL,
            memory: 64 << 20,
            typed: 1 << 20,
            cpu: MINUTE,
        };
        assert_eq!(visitor().find_reached(&within), None);
        let over = [
            (
                Usage {
                    age: MINUTE * 30,
                    ..within
                },
                KioskEnd::Time,
            ),
            (
                Usage {
                    idle: MINUTE * 10,
                    ..within
                },
                KioskEnd::Idle,
            ),
            (
                Usage {
                    memory: (64 << 20) + 1,
                    ..within
                },
                KioskEnd::Memory,
            ),
            (
                Usage {
                    typed: (1 << 20) + 1,
                    ..within
                },
                KioskEnd::Typed,
            ),
            (
                Usage {
                    cpu: MINUTE * 4,
                    ..within
                },
                KioskEnd::Cpu,
            ),
        ];
        for (used, end) in over {
            assert_eq!(visitor().find_reached(&used), Some(end));
        }
    }

    #[test]
    fn room_stays_open_but_is_limited_too() {
        let room = KioskLimits::for_kiosk(Kiosk { for_room: true });
        let day = MINUTE * 60 * 24;
        let used = Usage {
            age: day,
            idle: day,
            cpu: day / 20,
            ..Usage::default()
        };
        assert_eq!(room.find_reached(&used), None);
        assert_eq!(
            room.find_reached(&Usage {
                cpu: day / 5,
                ..used
            }),
            Some(KioskEnd::Cpu)
        );
        assert_eq!(
            room.find_reached(&Usage {
                memory: 65 << 20,
                ..used
            }),
            Some(KioskEnd::Memory)
        );
        assert_eq!(
            room.find_reached(&Usage {
                typed: 2 << 20,
                ..used
            }),
            Some(KioskEnd::Typed)
        );
    }

    /// Simulates an app that quits after this number of waits. Returns the waits, the limit that
    /// was reported to the app, and true if the process had to be ended.
    fn run(waits_until_quit: usize) -> (Vec<Duration>, Option<KioskEnd>, bool) {
        let mut waits = Vec::new();
        let mut reported = None;
        let mut age = MINUTE * 30 - CHECK_INTERVAL * 2;
        let read = || {
            age += CHECK_INTERVAL;
            Usage {
                age,
                ..Usage::default()
            }
        };
        let wait = |time| {
            waits.push(time);
            waits.len() <= waits_until_quit
        };
        let must_kill = run_checks(&visitor(), read, wait, |end| reported = Some(end));
        (waits, reported, must_kill)
    }

    #[test]
    fn app_that_does_not_quit_is_killed() {
        assert_eq!(
            run(9),
            (
                vec![CHECK_INTERVAL, CHECK_INTERVAL, QUIT_GRACE],
                Some(KioskEnd::Time),
                true
            )
        );
    }

    #[test]
    fn app_that_quits_in_time_is_not_killed() {
        assert_eq!(
            run(2),
            (
                vec![CHECK_INTERVAL, CHECK_INTERVAL, QUIT_GRACE],
                Some(KioskEnd::Time),
                false
            )
        );
        assert_eq!(run(1), (vec![CHECK_INTERVAL, CHECK_INTERVAL], None, false));
    }

    #[test]
    fn memory_includes_only_private_pages() {
        let status =
            "VmPeak:\t  900 kB\nRssAnon:\t    4096 kB\nRssFile:\t 16000 kB\nVmSwap:\t 2 kB\n";
        assert_eq!(private_memory(status), 4_098 * 1024);
        assert_eq!(private_memory("garbled"), 0);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn gauge_reads_what_this_process_uses() {
        let mut gauge = Gauge::new();
        let allocation = std::hint::black_box(vec![1_u8; 32 << 20]);
        let used = gauge.read();
        assert!(
            used.memory >= 30 << 20 && used.cpu > Duration::ZERO,
            "{used:?}"
        );
        drop(allocation);
    }
}
