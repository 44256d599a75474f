//! `balcao demo --kiosk`: a public demo for visitors, usually over SSH.
//!
//! A kiosk does not read files of the OS user that runs it. It reads environment variables only
//! through [`environment`](crate::config::environment). All its files are in a directory of its
//! own.

use std::path::{Path, PathBuf};

use super::DemoArgs;
use crate::app::store::setup::Kiosk;
use crate::cli::complaint::Complaint;
use crate::cli::{AUTOMATIC, GlobalArgs, Settings, path_text};
use crate::config::{Config, Dirs, built_in_keys};
use crate::journal::RunDir;
use crate::runtime::clocks;
use crate::view::Theme;

/// The options of a kiosk (a public demo), and the directory of its files.
pub struct KioskFiles {
    pub kind: Kiosk,
    /// The directory of all files of this kiosk, removed on drop.
    pub dir: RunDir,
}

/// The maximum number of kiosks that one OS user may run at the same time. More kiosks would exceed
/// the limit on threads in `assets/kiosk/balcao-kiosk.service`.
const MAX_VISITORS: usize = 80;

/// Creates the directory of a kiosk if the `--kiosk` flag is set, and removes leftover directories
/// of killed kiosks. Returns an error for flags that a kiosk does not support.
///
/// The directory is always in `/tmp`, because a visitor could set `TMPDIR`.
pub fn open(args: &GlobalArgs, demo_args: &DemoArgs) -> Result<Option<KioskFiles>, Complaint> {
    if !demo_args.kiosk {
        return Ok(None);
    }
    if let Some(flag) = unsupported_flag(args, demo_args) {
        return Err(Complaint::about(
            "complaint-kiosk-with",
            [("flag", flag.into())],
        ));
    }
    if let Some(zone) = demo_args
        .time_zone
        .as_deref()
        .filter(|_| clocks::unreadable_zone().is_some())
    {
        return Err(Complaint::about(
            "complaint-kiosk-time-zone",
            [("zone", zone.into())],
        ));
    }
    // Force colours on. Otherwise, crossterm would read `NO_COLOR` from the environment, which
    // visitors can control.
    crossterm::style::force_color_output(true);
    let user = rustix::process::geteuid().as_raw();
    let parent = PathBuf::from(format!("/tmp/balcao-kiosk-{user}"));
    let dir = RunDir::create(&parent).map_err(|error| {
        let values = [
            ("dir", path_text(&parent)),
            ("why", error.to_string().into()),
        ];
        Complaint::about("complaint-kiosk-dir", values)
    })?;
    if dir.other_runs < MAX_VISITORS {
        Ok(Some(KioskFiles {
            kind: Kiosk {
                for_room: demo_args.room,
            },
            dir,
        }))
    } else {
        Err(Complaint::about("complaint-kiosk-full", []))
    }
}

impl KioskFiles {
    /// The default settings. Settings files are looked for only in the kiosk's own directory, which
    /// contains no such files.
    pub fn settings(&self) -> Settings {
        let dir: &Path = self.dir.as_ref();
        let dirs = Dirs {
            config: dir.join("config"),
            state: dir.join("state"),
        };
        Settings {
            dirs,
            config: Config {
                keys: built_in_keys(),
                ..Config::default()
            },
        }
    }
}

/// The first flag that would make a kiosk read or keep a file outside its directory.
fn unsupported_flag(args: &GlobalArgs, demo_args: &DemoArgs) -> Option<&'static str> {
    let theme = args.theme.as_ref();
    let theme_file = theme.filter(|name| *name != AUTOMATIC && Theme::named(name).is_none());
    let flags = [
        ("--keep", demo_args.keep.is_some()),
        ("--faults", demo_args.faults.is_some()),
        ("--script", demo_args.script.is_some()),
        ("--share", demo_args.share.is_some()),
        ("--profile", args.profile.is_some()),
        ("--base-url", args.base_url.is_some()),
        ("--vault", args.vault.is_some()),
        ("--theme", theme_file.is_some()),
        ("--accessible", args.accessible),
        (
            "--record",
            args.record.is_some() || demo_args.record.is_some(),
        ),
    ];
    flags
        .into_iter()
        .find_map(|(flag, is_given)| is_given.then_some(flag))
}
