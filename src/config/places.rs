//! Where files stand.

use std::path::{Path, PathBuf};

use etcetera::{AppStrategy, AppStrategyArgs, choose_app_strategy};

/// The directories of the program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Places {
    /// The seller's own settings.
    pub config: PathBuf,
    /// What the program remembers: journals and history.
    pub state: PathBuf,
}

impl Places {
    /// The platform's own places, unless the environment names others.
    ///
    /// `None` when there is neither a home directory nor both variables.
    pub fn find(variable: impl Fn(&str) -> Option<PathBuf>) -> Option<Places> {
        let own = variable("BALCAO_CONFIG_DIR").zip(variable("BALCAO_STATE_DIR"));
        if let Some((config, state)) = own {
            return Some(Places { config, state });
        }
        let platform = choose_app_strategy(AppStrategyArgs {
            top_level_domain: "br".into(),
            author: "balcao".into(),
            app_name: "balcao".into(),
        })
        .ok()?;
        let state = platform.state_dir().unwrap_or_else(|| platform.data_dir());
        Some(Places {
            config: variable("BALCAO_CONFIG_DIR").unwrap_or_else(|| platform.config_dir()),
            state: variable("BALCAO_STATE_DIR").unwrap_or(state),
        })
    }

    /// The journal of one service: a live one and a sandbox's never stand in one directory.
    pub fn journal(&self, origin: &str, sandbox: bool) -> PathBuf {
        let kind = if sandbox { "sandbox" } else { "live" };
        self.state.join(kind).join(directory_name(origin))
    }
}

/// An origin as a directory's name: `https-api.example.com`, `http-127.0.0.1-8787`.
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
    fn a_service_has_a_directory_of_its_own_that_cannot_lead_elsewhere() {
        let places = Places { config: "/c".into(), state: "/s".into() };
        assert_eq!(
            places.journal("https://api.example.com", false),
            Path::new("/s/live/https-api.example.com")
        );
        assert_eq!(
            places.journal("http://127.0.0.1:8787", true),
            Path::new("/s/sandbox/http-127.0.0.1-8787")
        );
        assert_eq!(places.journal("../../etc", false), Path::new("/s/live/etc"));
    }
}
