//! `balcao demo --kiosk`: a demo that strangers may use, usually over SSH.
//!
//! A kiosk reads no file of the account, and its environment only through
//! [`environment`](crate::config::environment). All its files are in a directory of its own.

use std::path::{Path, PathBuf};

use super::DemoArgs;
use crate::app::store::setup::Kiosk;
use crate::cli::complaint::Complaint;
use crate::cli::{AUTOMATIC, GlobalArgs, Settings, shown};
use crate::config::{Config, Dirs, built_in_keys};
use crate::journal::RunDir;
use crate::view::Theme;

/// The kind and the files of a kiosk.
pub struct KioskFiles {
    pub kind: Kiosk,
    /// The directory of all its files, which is removed on drop.
    pub dir: RunDir,
}

/// The maximum number of kiosks of one account at the same time. The threads of more would exceed
/// the limit in `assets/kiosk/balcao-kiosk.service`.
const MOST_VISITORS: usize = 80;

/// Creates the directory of a kiosk, if these arguments ask for one, and removes those of kiosks
/// that were killed. Refuses flags that a kiosk does not support.
///
/// The location is fixed, because a visitor could choose `TMPDIR`.
pub fn open(args: &GlobalArgs, wanted: &DemoArgs) -> Result<Option<KioskFiles>, Complaint> {
    if !wanted.kiosk {
        return Ok(None);
    }
    if let Some(flag) = unsupported(args, wanted) {
        return Err(Complaint::about("complaint-kiosk-with", [("flag", flag.into())]));
    }
    // Without this call, crossterm would read `NO_COLOR`.
    crossterm::style::force_color_output(true);
    let user = rustix::process::geteuid().as_raw();
    let parent = PathBuf::from(format!("/tmp/balcao-kiosk-{user}"));
    let dir = RunDir::create(&parent).map_err(|error| {
        let values = [("dir", shown(&parent)), ("why", error.to_string().into())];
        Complaint::about("complaint-kiosk-dir", values)
    })?;
    match dir.others < MOST_VISITORS {
        true => Ok(Some(KioskFiles { kind: Kiosk { for_room: wanted.room }, dir })),
        false => Err(Complaint::about("complaint-kiosk-full", [])),
    }
}

impl KioskFiles {
    /// Returns the default settings. Their files, which do not exist, would be in the kiosk's own
    /// directory.
    pub fn settings(&self) -> Settings {
        let dir: &Path = self.dir.as_ref();
        let places = Dirs { config: dir.join("config"), state: dir.join("state") };
        Settings { places, config: Config { keys: built_in_keys(), ..Config::default() } }
    }
}

/// Returns the first given flag that reads or keeps something outside the kiosk.
fn unsupported(args: &GlobalArgs, wanted: &DemoArgs) -> Option<&'static str> {
    let is_file = |name: &String| name != AUTOMATIC && Theme::named(name).is_none();
    let given = [
        ("--keep", wanted.keep.is_some()),
        ("--faults", wanted.faults.is_some()),
        ("--script", wanted.script.is_some()),
        ("--share", wanted.share.is_some()),
        ("--profile", args.profile.is_some()),
        ("--base-url", args.base_url.is_some()),
        ("--vault", args.vault.is_some()),
        ("--theme", args.theme.as_ref().is_some_and(is_file)),
    ];
    given.into_iter().find_map(|(flag, is_given)| is_given.then_some(flag))
}
