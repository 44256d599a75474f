//! Watches a kiosk (a public demo) until it ends, and writes an entry about it to the system log.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{CurrentRun, TerminalScreen};
use crate::app::{Kiosk, KioskEnd, Msg};
use crate::locked::Locked;
use crate::runtime::clocks::{self, MachineClocks};
use crate::runtime::kiosk_limits::{self, LimitsWatch};
use crate::runtime::system_log;
use crate::trade::Wall;

/// The name of a kiosk in the system log.
const LOG_NAME: &str = "balcao-kiosk";

/// A running kiosk. On drop, an entry is written to the system log.
pub struct KioskWatch {
    _limits: LimitsWatch,
    end: KioskFarewell,
}

/// Writes the log entry of a kiosk to the system log, at most once.
#[derive(Clone)]
pub struct KioskFarewell {
    began: Arc<Locked<Option<Wall>>>,
    run: CurrentRun,
    dir: PathBuf,
}

impl TerminalScreen {
    /// Watches the limits of a kiosk, such as its maximum duration. Does nothing outside a kiosk.
    pub fn watch_kiosk(
        &mut self,
        kiosk: Option<Kiosk>,
        dir: &Path,
    ) -> io::Result<Option<KioskWatch>> {
        let Some(kiosk) = kiosk else { return Ok(None) };
        let began = Arc::new(Locked::new(Some(MachineClocks::new().now().wall)));
        let end = KioskFarewell {
            began,
            run: self.current.clone(),
            dir: dir.to_owned(),
        };
        self.kiosk = Some(end.clone());
        let run = self.current.clone();
        let ended = end.clone();
        let restorer = self.guard.restorer();
        let limits = kiosk_limits::watch(
            kiosk,
            move |reason| run.end_kiosk(reason),
            move || ended.log_and_clean_up(),
            move || drop(restorer.restore()),
        )?;
        Ok(Some(KioskWatch {
            _limits: limits,
            end,
        }))
    }
}

impl Drop for KioskWatch {
    fn drop(&mut self) {
        self.end.log();
    }
}

impl KioskFarewell {
    /// Writes the log entry and removes the kiosk's directory. Called if the process is ended by
    /// something other than the event loop.
    pub fn log_and_clean_up(&self) {
        self.log();
        // Ignore an error: the next kiosk removes leftover directories.
        let _ = fs::remove_dir_all(&self.dir);
    }

    /// Writes the start, the end and the reason for the end to the system log.
    fn log(&self) {
        let began = self.began.lock().take();
        let Some(began) = began else { return };
        let now = MachineClocks::new().now().wall;
        let [began, ended] = [began, now].map(system_log::utc);
        let text = format!("began {began}, ended {ended}: {}", self.run.end_reason());
        // Ignore an error, because a missing system log does not affect the visitor.
        let _ = system_log::write(LOG_NAME, &text, now, clocks::utc_offset_s(now));
    }
}

impl CurrentRun {
    fn end_kiosk(&self, reason: KioskEnd) {
        let mut pending = self.0.lock();
        pending.kiosk_end = Some(reason);
        if let Some((inbox, _)) = &pending.run {
            // Ignore a full inbox: if the app does not end by itself, the process is ended.
            let _ = inbox.try_send(Msg::KioskEnds(reason));
        }
    }

    /// The reason why the kiosk ended, as a word for the system log.
    fn end_reason(&self) -> &'static str {
        let pending = self.0.lock();
        match (pending.kiosk_end, pending.end_requested) {
            (Some(KioskEnd::Idle), _) => "idle",
            (Some(KioskEnd::Time), _) => "time",
            (Some(KioskEnd::Memory), _) => "memory",
            (Some(KioskEnd::Cpu), _) => "processor time",
            (Some(KioskEnd::Typed), _) => "input",
            (None, Some(true)) => "hung up",
            (None, Some(false)) => "signal",
            (None, None) => "left",
        }
    }
}
