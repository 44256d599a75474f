//! The log of the app, for support: `balcao.log` in the state directory.
//!
//! An [`Event`] has no free text, only numbers and names that are part of the program. So nothing
//! in the log needs to be masked.
//!
//! A thread of its own writes the lines, so that a slow disk delays no frame and no payment. It
//! starts with the first event. Errors are ignored, because nothing depends on the log.

mod event;
mod file;
mod message;
#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::sync::mpsc;

use super::clocks;
use super::display_environment::DisplayEnvironment;
use crate::app::store::session::VaultStatus;
use crate::app::{Effect, Model, Msg};
use crate::config::environment;
use crate::trade::{Exchange, Wall};
use crate::worker::WorkerHandle;

pub use event::{Event, SourcePlace};
pub use file::paths;

/// The environment variable with the level.
pub const VARIABLE: &str = "BALCAO_LOG";

/// The maximum number of events that wait for the disk. Further events are only counted.
const QUEUE: usize = 256;

/// The maximum time to wait at the end until the last events are written.
const CLOSE_LIMIT: Duration = Duration::from_millis(300);

/// The events that are written: those of a level and of all levels before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Level {
    Off,
    /// The failures of requests, stores and the terminal.
    #[default]
    Error,
    /// Also each start and end, and each request.
    Info,
    /// Also the name of each message and effect.
    Debug,
}

impl Level {
    pub const ALL: [Level; 4] = [Level::Off, Level::Error, Level::Info, Level::Debug];

    pub fn name(self) -> &'static str {
        match self {
            Level::Off => "off",
            Level::Error => "error",
            Level::Info => "info",
            Level::Debug => "debug",
        }
    }

    /// The level that the environment variable names. Returns the value of the variable if there is
    /// no such level.
    pub fn from_environment() -> Result<Level, String> {
        let value = environment::variable(VARIABLE).unwrap_or_default();
        Level::parse(&value.to_string_lossy())
    }

    fn parse(value: &str) -> Result<Level, String> {
        if value.is_empty() {
            return Ok(Level::default());
        }
        let mut levels = Level::ALL.into_iter();
        levels
            .find(|level| level.name() == value)
            .ok_or_else(|| value.to_owned())
    }
}

/// A handle to the log. Clones write to the same log.
#[derive(Clone)]
pub struct Log {
    level: Level,
    display: DisplayEnvironment,
    worker: WorkerHandle<(Wall, Event)>,
    /// The number of events that found no room in the queue since the last line.
    dropped: Arc<AtomicU64>,
}

impl Log {
    /// Creates the log in this state directory. `display` is for the line about the start.
    pub fn new(level: Level, state: &Path, display: DisplayEnvironment) -> Log {
        let dropped = Arc::<AtomicU64>::default();
        let counted = dropped.clone();
        let state = state.to_owned();
        let worker = WorkerHandle::new("log", QUEUE, move |queue| {
            write_events(queue, &state, &counted);
        });
        Log {
            level,
            display,
            worker,
            dropped,
        }
    }

    /// A log that writes nothing.
    pub fn off() -> Log {
        Log::new(Level::Off, &PathBuf::new(), DisplayEnvironment::default())
    }

    /// Writes an event if the level includes it. Never waits.
    pub fn write(&self, event: Event) {
        if event.level() <= self.level
            && self.worker.enqueue((clocks::system_time(), event)).is_err()
        {
            self.dropped.fetch_add(1, Ordering::Relaxed);
        }
    }

    /// Writes the start of a run, and its vault if that is known already.
    pub fn write_start(&self, model: &Model) {
        self.write(Event::start(model, self.display));
        if let VaultStatus::Kept(kind) = model.session.vault_status {
            self.write(Event::Vault(kind));
        }
    }

    /// Writes what a message says about a failure or the vault.
    pub fn write_message(&self, msg: &Msg) {
        if self.level > Level::Off
            && let Some(event) = message::event(msg)
        {
            self.write(event);
        }
    }

    pub fn write_effect(&self, effect: &Effect) {
        self.write(Event::Effect(effect.into()));
    }

    pub fn write_exchange(&self, exchange: &Exchange) {
        self.write(Event::request(exchange));
    }

    /// Closes the log, and waits briefly until the last events are written.
    pub fn close(&self) {
        if let Some(thread) = self.worker.close_queue() {
            thread.wait_at_most(CLOSE_LIMIT);
        }
    }
}

fn write_events(mut queue: mpsc::Receiver<(Wall, Event)>, state: &Path, dropped: &AtomicU64) {
    while let Some((at, event)) = queue.blocking_recv() {
        let missed = dropped.swap(0, Ordering::Relaxed);
        let missed = (missed > 0).then_some(Event::Dropped(missed));
        for event in missed.iter().chain([&event]) {
            _ = file::append(state, &event.to_line(at));
        }
    }
}
