//! `balcao team`: the journal that the operators of a team share.

mod check;
mod connect;
mod import;
mod init;
mod join;
mod leave;
pub(super) mod share;
mod words;

use std::path::{Component, Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand};

use super::complaint::Complaint;
use super::{ChosenProfile, GlobalArgs, path_text, unreadable_file};
use crate::config::{Dirs, TeamSettings, read_text, system_roots};
use crate::journal::LockGuard;
use crate::journal::money::Files;
use crate::runtime::marker::machine_name;
use crate::runtime::team::{TeamMirror, TeamPassword};
use crate::team::{DatabaseUrl, TeamDatabase};
use crate::trade::{JournalTrouble, Untrusted};
use crate::vault::VaultHandle;
use crate::words::Catalogue;

#[derive(Debug, Clone, Subcommand)]
pub enum TeamCommand {
    Init(init::InitArgs),
    Join(JoinArgs),
    Import(JoinArgs),
    Check {
        #[arg(long)]
        json: bool,
    },
    Leave,
}

/// The arguments of the commands that make a profile a member of a team.
#[derive(Debug, Clone, Args)]
pub struct JoinArgs {
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    #[arg(long)]
    password_stdin: bool,
}

pub fn run(args: &GlobalArgs, command: TeamCommand) -> Result<ExitCode, Complaint> {
    match command {
        TeamCommand::Init(init) => init::run(args, init)?,
        TeamCommand::Join(join) => join::run(args, &join)?,
        TeamCommand::Import(join) => import::run(args, &join)?,
        TeamCommand::Check { json } => return check::run(args, json),
        TeamCommand::Leave => leave::run(args)?,
    }
    Ok(ExitCode::SUCCESS)
}

impl ChosenProfile {
    /// The mirror of the profile's team, or `None` if it has no team. The password is in `vault`,
    /// unless an environment variable contained it.
    pub(super) fn team_mirror(&self, vault: &VaultHandle) -> Result<Option<TeamMirror>, Complaint> {
        let Some(team) = &self.profile.team else {
            return Ok(None);
        };
        let files = Files::new(self.settings.dirs.team_journal(team.id));
        let password = self.team_password(vault);
        let database = self.team_database(team)?;
        Ok(Some(TeamMirror::new(team.id, files, database, password)))
    }

    fn team_password(&self, vault: &VaultHandle) -> TeamPassword {
        TeamPassword {
            from_environment: self.args.environment.team_password(),
            vault: vault.clone(),
        }
    }

    /// The database of a team, as this operator uses it on this machine.
    fn team_database(&self, team: &TeamSettings) -> Result<TeamDatabase, Complaint> {
        let dirs = &self.settings.dirs;
        let url: Result<DatabaseUrl, _> = team.database.parse();
        let url = url.map_err(|error| {
            let file = path_text(&dirs.config_file());
            Complaint::new(move |catalogue| {
                let why = catalogue.text(words::url_error(error));
                let values = [("file", &*file.shown()), ("why", &why)];
                catalogue.with("complaint-team-database", &values)
            })
        })?;
        team_database(dirs, url, team.ca.as_deref(), team.operator.as_deref())
    }

    /// The team of the profile, or an error if it has none.
    fn required_team(&self, words: &Catalogue) -> Result<&TeamSettings, Complaint> {
        self.profile.team.as_ref().ok_or_else(|| {
            let profile = Untrusted::shown_of(&self.name);
            Complaint::refused(words.with("team-none", &[("profile", &profile)]))
        })
    }
}

/// The database at this address. `ca` names a file in the configuration directory.
fn team_database(
    dirs: &Dirs,
    url: DatabaseUrl,
    ca: Option<&str>,
    operator: Option<&str>,
) -> Result<TeamDatabase, Complaint> {
    let ca = ca.map(|name| {
        let path = dirs.config.join(name);
        let text = read_text(&path).map_err(|error| unreadable_file(&path, error))?;
        Ok::<_, Complaint>(text.into_bytes())
    });
    let operator = operator.unwrap_or(url.user()).into();
    Ok(TeamDatabase {
        operator,
        url,
        ca: ca.transpose()?,
        system_roots: Some(system_roots::read),
        machine: machine_name().into(),
    })
}

/// Parses the value of `--database`. The error does not quote it, because it may contain a
/// password.
fn parse_url(text: &str) -> Result<DatabaseUrl, Complaint> {
    text.parse().map_err(|error| {
        Complaint::new(move |catalogue| {
            let why = catalogue.text(words::url_error(error));
            catalogue.with("complaint-team-url", &[("why", &why)])
        })
    })
}

/// The name of a certificate file in the configuration directory, for the settings file. `path` may
/// be relative to this directory.
fn ca_name(dirs: &Dirs, path: &Path) -> Result<String, Complaint> {
    let inside = path.strip_prefix(&dirs.config).unwrap_or(path);
    let is_inside = inside
        .components()
        .all(|part| matches!(part, Component::Normal(_)));
    match inside.to_str().filter(|name| is_inside && !name.is_empty()) {
        Some(name) => Ok(name.to_owned()),
        None => Err(Complaint::about(
            "complaint-team-ca",
            [
                ("file", path_text(path)),
                ("folder", path_text(&dirs.config)),
            ],
        )),
    }
}

/// Prevents windows from opening a journal. Succeeds on a file system without locks.
///
/// # Errors
///
/// Fails if a window has it open.
fn lock_windows_out(words: &Catalogue, files: &Files) -> Result<Option<LockGuard>, Complaint> {
    match files.lock_unused() {
        Ok(lock) => Ok(Some(lock)),
        Err(JournalTrouble::Busy(_)) => Err(Complaint::refused(words.text("team-leave-windows"))),
        Err(_) => Ok(None),
    }
}

/// The error for a problem with the mirror in this directory.
fn mirror_error(words: &Catalogue, dir: &Path, trouble: &JournalTrouble) -> Complaint {
    let dir = path_text(dir);
    Complaint::refused(super::complaint::describe_journal_trouble(
        words, &dir, trouble,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::words::Lang;

    #[test]
    fn certificate_outside_configuration_is_refused() {
        let dirs = Dirs {
            config: "/cfg".into(),
            state: "/state".into(),
        };
        for (path, expected) in [
            ("ca.pem", Some("ca.pem")),
            ("certs/ca.pem", Some("certs/ca.pem")),
            ("/cfg/ca.pem", Some("ca.pem")),
            ("/tmp/ca.pem", None),
            ("../ca.pem", None),
            ("/cfg/../ca.pem", None),
            ("/cfg", None),
            ("", None),
        ] {
            let name = ca_name(&dirs, Path::new(path));
            match (name, expected) {
                (Ok(name), expected) => assert_eq!(Some(&*name), expected),
                (Err(error), None) => {
                    let text = error.describe(Catalogue::of(Lang::En));
                    assert!(text.contains("/cfg"), "{text}");
                }
                (Err(_), Some(_)) => panic!("{path}"),
            }
        }
    }

    #[test]
    fn error_of_an_address_does_not_quote_it() {
        for lang in Lang::ALL {
            let error = parse_url("postgres://ana:segredo@db/loja").err().unwrap();
            let text = error.describe(Catalogue::of(lang));
            assert!(!text.contains("segredo"), "{text}");
            assert_eq!(error.exit(), 2);
        }
    }
}
