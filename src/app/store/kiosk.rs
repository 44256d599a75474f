//! The kiosk: a demo that strangers may use. Its rules, its limits and its end.

use crate::app::{Kiosk, Store};

/// The reason a kiosk ends by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KioskEnd {
    /// Nobody used it for 10 minutes.
    Idle,
    /// Its 30 minutes are over.
    Time,
    /// It reached its memory limit.
    Memory,
    /// It reached its limit of processor time.
    Cpu,
    /// More text was typed or pasted than it accepts.
    Typed,
}

impl KioskEnd {
    /// Returns the id of the message that explains the end.
    pub fn message(self) -> &'static str {
        match self {
            KioskEnd::Idle => "farewell-idle",
            KioskEnd::Time => "farewell-time",
            KioskEnd::Memory => "farewell-memory",
            KioskEnd::Cpu => "farewell-cpu",
            KioskEnd::Typed => "farewell-typed",
        }
    }
}

/// The state of a kiosk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct KioskState {
    /// The reason the kiosk ends, if it ends by itself.
    pub ended: Option<KioskEnd>,
}

/// Returns the rules of the kiosk; `None` if this run is not a kiosk.
pub fn of(store: &Store) -> Option<Kiosk> {
    store.setup.demo.as_ref()?.kiosk
}

/// Returns the line with which a kiosk says good-bye after its screen has closed. `None` if this
/// run is not a kiosk.
pub fn farewell(store: &Store) -> Option<String> {
    of(store)?;
    Some(store.text(store.kiosk.ended.map_or("farewell-left", KioskEnd::message)))
}
