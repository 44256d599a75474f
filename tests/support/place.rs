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
        let home = TestHome {
            folder: TempDir::new().expect("a temporary directory"),
        };
        for name in ["home", "config", "state", "run", "tmp", "bin"] {
            DirBuilder::new()
                .mode(0o700)
                .create(home.folder.path().join(name))
                .expect(name);
        }
        home
    }

    /// Returns the app's home directory, which is also its working directory.
    pub fn home_dir(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    /// Returns the program's configuration directory (`BALCAO_CONFIG_DIR`).
    pub fn config_dir(&self) -> PathBuf {
        self.folder.path().join("config")
    }

    /// Returns the program's state directory (`BALCAO_STATE_DIR`).
    pub fn state_dir(&self) -> PathBuf {
        self.folder.path().join("state")
    }

    /// Returns the directory for the app's temporary files (`TMPDIR`).
    pub fn temp_dir(&self) -> PathBuf {
        self.folder.path().join("tmp")
    }

    /// Returns the only directory in the app's `PATH`. At first it is empty, so the app cannot
    /// start a browser.
    pub fn bin_dir(&self) -> PathBuf {
        self.folder.path().join("bin")
    }

    /// Writes a file into the configuration directory.
    pub fn write_config(&self, name: &str, text: &str) {
        fs::write(self.config_dir().join(name), text).expect("a configuration file");
    }

    /// Returns all environment variables of the app under test.
    ///
    /// They do not depend on the user who runs the tests. The app finds no keyring, because there
    /// is no D-Bus address.
    pub fn environment(&self) -> Vec<(&'static str, PathBuf)> {
        let path = |name: &str| self.folder.path().join(name);
        vec![
            ("HOME", path("home")),
            ("XDG_CONFIG_HOME", path("home/.config")),
            ("XDG_STATE_HOME", path("home/.local/state")),
            ("XDG_DATA_HOME", path("home/.local/share")),
            ("XDG_CACHE_HOME", path("home/.cache")),
            ("XDG_RUNTIME_DIR", path("run")),
            ("BALCAO_CONFIG_DIR", path("config")),
            ("BALCAO_STATE_DIR", path("state")),
            // So that every test also searches the log for secrets.
            ("BALCAO_LOG", Path::new("debug").into()),
            ("TMPDIR", path("tmp")),
            ("PATH", path("bin")),
            ("TERM", Path::new("xterm-256color").into()),
            ("LANG", Path::new("pt_BR.UTF-8").into()),
            ("TZ", Path::new("America/Sao_Paulo").into()),
        ]
    }
}

impl Drop for TestHome {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            let found = in_play::find_secrets_below(self.folder.path());
            assert!(found.is_empty(), "{found:#?}");
        }
    }
}
