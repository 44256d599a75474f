//! The directories for the program's settings and data.

use std::path::{Path, PathBuf};

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};
use uuid::Uuid;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dirs {
    /// The directory of the seller's settings, such as `config.toml`.
    pub config: PathBuf,
    /// The directory of the journals (withdrawals) and the history (payment links and direct
    /// payments).
    pub state: PathBuf,
}

/// The reason why the directories cannot be determined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoDirs {
    /// There is no home directory, and `BALCAO_CONFIG_DIR` or `BALCAO_STATE_DIR` is not set.
    NoHome,
    /// An environment variable contains a relative path.
    Relative {
        variable: &'static str,
        path: PathBuf,
    },
}

impl Dirs {
    /// The directories that environment variables name, or else the platform's usual ones.
    ///
    /// An empty variable counts as not set. A relative path is an error, because the location of
    /// the journal would then depend on the current directory.
    pub fn find(variable: impl Fn(&str) -> Option<PathBuf>) -> Result<Dirs, NoDirs> {
        let absolute_path = |name: &'static str| match variable(name) {
            Some(path) if path.as_os_str().is_empty() => Ok(None),
            Some(path) if path.is_relative() => Err(NoDirs::Relative {
                variable: name,
                path,
            }),
            path => Ok(path),
        };
        let config = absolute_path("BALCAO_CONFIG_DIR")?;
        let state = absolute_path("BALCAO_STATE_DIR")?;
        let (config, state) = match (config, state) {
            (Some(config), Some(state)) => return Ok(Dirs { config, state }),
            paths => paths,
        };
        let platform = choose_app_strategy(AppStrategyArgs {
            top_level_domain: "br".into(),
            author: "balcao".into(),
            app_name: "balcao".into(),
        });
        let platform = platform.map_err(|_| NoDirs::NoHome)?;
        let platform_state = platform.state_dir().unwrap_or_else(|| platform.data_dir());
        let config = config.unwrap_or_else(|| platform.config_dir());
        let dirs = Dirs {
            config,
            state: state.unwrap_or(platform_state),
        };
        let relative = [&dirs.config, &dirs.state]
            .into_iter()
            .find(|path| path.is_relative());
        match relative.cloned() {
            Some(path) => Err(NoDirs::Relative {
                variable: "HOME",
                path,
            }),
            None => Ok(dirs),
        }
    }

    /// The path of `config.toml`.
    pub fn config_file(&self) -> PathBuf {
        self.config.join("config.toml")
    }

    /// The directory of the journal for the sandbox at this origin.
    pub fn sandbox_journal(&self, origin: &str) -> PathBuf {
        self.state
            .join("sandbox")
            .join("journals")
            .join(directory_name(origin))
    }

    /// The directory of this machine's mirror of a team's journal.
    pub fn team_journal(&self, team: Uuid) -> PathBuf {
        self.state.join("teams").join(team.to_string())
    }
}

/// Converts an origin to a directory name, such as `https-api.example.com` or
/// `http-127.0.0.1-8787`.
fn directory_name(origin: &str) -> PathBuf {
    let mut name = String::new();
    for c in origin.chars() {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' | '.' | '_' => name.push(c),
            _ if name.ends_with('-') => {}
            _ => name.push('-'),
        }
    }
    Path::new(name.trim_matches(['.', '-'])).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sandbox_journal_path_cannot_escape_its_directory() {
        let dirs = Dirs {
            config: "/c".into(),
            state: "/s".into(),
        };
        assert_eq!(
            dirs.sandbox_journal("http://127.0.0.1:8787"),
            Path::new("/s/sandbox/journals/http-127.0.0.1-8787")
        );
        assert_eq!(
            dirs.sandbox_journal("../../etc"),
            Path::new("/s/sandbox/journals/etc")
        );
    }

    fn find_dirs(config: Option<&str>, state: Option<&str>) -> Result<Dirs, NoDirs> {
        Dirs::find(|name| match name {
            "BALCAO_CONFIG_DIR" => config.map(PathBuf::from),
            "BALCAO_STATE_DIR" => state.map(PathBuf::from),
            _ => None,
        })
    }

    #[test]
    fn empty_variable_counts_as_not_set() {
        let dirs = find_dirs(Some("/c"), Some("/s")).unwrap();
        assert_eq!((dirs.config, dirs.state), ("/c".into(), "/s".into()));
        let unset = find_dirs(Some("/c"), None);
        assert_eq!(find_dirs(Some("/c"), Some("")), unset);
        assert!(unset.is_ok_and(|dirs| dirs.state.is_absolute()));
    }

    #[test]
    fn relative_path_in_a_variable_is_an_error() {
        for path in [".", "state", "../state", "./s"] {
            let expected = NoDirs::Relative {
                variable: "BALCAO_STATE_DIR",
                path: path.into(),
            };
            assert_eq!(find_dirs(Some("/c"), Some(path)), Err(expected));
            let expected = NoDirs::Relative {
                variable: "BALCAO_CONFIG_DIR",
                path: path.into(),
            };
            assert_eq!(find_dirs(Some(path), Some("/s")), Err(expected));
        }
    }
}
