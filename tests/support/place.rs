//! A private environment for the app under test: empty directories, and its own environment
//! variables.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::in_play;

/// The temporary directories of a test. When this value is dropped, it searches their files for
/// secrets and deletes the directories.
pub struct TestHome {
    folder: TempDir,
}

impl TestHome {
    pub fn new() -> TestHome {
        let place = TestHome { folder: TempDir::new().expect("a temporary directory") };
        for name in ["home", "config", "state", "run", "tmp", "bin"] {
            DirBuilder::new().mode(0o700).create(place.folder.path().join(name)).expect(name);
        }
        place
    }

    /// Returns the app's home directory, which is also its working directory.
    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Returns the program's configuration directory (`BALCAO_CONFIG_DIR`).
    pub fn config(&self) -> PathBuf {
        self.folder.path().join("config")
    }

    /// Returns the program's state directory (`BALCAO_STATE_DIR`).
    pub fn state(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// Returns the directory for the app's temporary files (`TMPDIR`).
    pub fn temporary(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Returns the only directory in the app's `PATH`. At first it is empty, so the app cannot
    /// start a browser.
    pub fn bin(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// Writes a file into the configuration directory.
    pub fn configure(&self, name: &str, text: &str) {
        fs::write(self.config().join(name), text).expect("a configuration file");
    }

    /// Returns all environment variables of the app under test.
    ///
    /// They do not depend on the user who runs the tests. The app finds no keyring, because there
    /// is no D-Bus address.
    pub fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let at = |name: &str| self.folder.path().join(name);
        vec![
            ("HOME", at("home")),
            ("XDG_CONFIG_HOME", at("home/.config")),
            ("XDG_STATE_HOME", at("home/.local/state")),
            ("XDG_DATA_HOME", at("home/.local/share")),
            ("XDG_CACHE_HOME", at("home/.cache")),
            ("XDG_RUNTIME_DIR", at("run")),
            ("BALCAO_CONFIG_DIR", at("config")),
            ("BALCAO_STATE_DIR", at("state")),
            ("TMPDIR", at("tmp")),
            ("PATH", at("bin")),
            ("TERM", Path::new("xterm-256color").into()),
            ("LANG", Path::new("pt_BR.UTF-8").into()),
            ("TZ", Path::new("America/Sao_Paulo").into()),
        ]
    }
}

impl Drop for TestHome {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let found = in_play::found_below(self.folder.path());
            assert!(found.is_empty(), "{found:#?}");
        }
    }
}
