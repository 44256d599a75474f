//! `balcao team join`: makes a profile a member of a team.

use super::connect::{GivenPassword, connect, pull, read_password};
use super::share::share_history;
use super::words::{describe_finding, offline_error};
use super::{JoinArgs, ca_name, lock_windows_out, parse_url, team_database};
use crate::cli::complaint::{self, Complaint};
use crate::cli::output::{print_line, print_note};
use crate::cli::session::vault_name;
use crate::cli::{ChosenProfile, GlobalArgs, block_on, invalid_file};
use crate::config::TeamSettings;
use crate::config::edit::{self, EditError, with_line};
use crate::contract::SettingValue;
use crate::journal::money::{EventLookup, Files, MoneyJournal, ReadOnlyJournal};
use crate::runtime::journal_location::LiveJournal;
use crate::runtime::team::wall_clock;
use crate::team::{self, Finding, TeamConnection, TeamDatabase};
use crate::trade::{Failure, Untrusted, VaultKind, VaultTrouble};
use crate::vault::VaultHandle;
use crate::words::Catalogue;
use crate::words::failure::Activity;

/// A profile that may become a member of a team: the team's database was examined. Nothing was
/// written yet.
pub(super) struct Candidate {
    pub chosen: ChosenProfile,
    pub words: &'static Catalogue,
    pub vault: VaultHandle,
    pub settings: TeamSettings,
    database: TeamDatabase,
    password: GivenPassword,
}

pub fn run(args: &GlobalArgs, join: &JoinArgs) -> Result<(), Complaint> {
    let candidate = Candidate::examine(args, join)?;
    candidate.check_live_journal()?;
    let connection = candidate.connect()?;
    let mirror = candidate.pull(&connection)?;
    candidate.share_history(&connection)?;
    candidate.become_member()?;
    candidate.report(&mirror)
}

impl Candidate {
    /// Reads the password, and examines the team's database.
    ///
    /// # Errors
    ///
    /// Fails if the profile is in another team, or if the database must not be used.
    pub fn examine(args: &GlobalArgs, join: &JoinArgs) -> Result<Candidate, Complaint> {
        let chosen = args.chosen_profile()?;
        let words = chosen.words()?;
        let known = chosen.profile.team.as_ref();
        let profile = Untrusted::shown_of(&chosen.name);
        // The address of the service must be in the settings file, because the team is.
        if chosen.profile.base_url.is_none() {
            let text = words.with("team-wants-address", &[("profile", &profile)]);
            return Err(Complaint::text(text));
        }
        let Some(url) = join.database.as_deref().or(known.map(|it| &*it.database)) else {
            return Err(Complaint::text(words.text("team-wants-database")));
        };
        let url = parse_url(url)?;
        let dirs = &chosen.settings.dirs;
        let ca = match &join.ca {
            Some(path) => Some(ca_name(dirs, path)?),
            None => known.and_then(|known| known.ca.clone()),
        };
        let operator = join.name.clone();
        let operator = operator.or(known.and_then(|known| known.operator.clone()));
        let database = team_database(dirs, url, ca.as_deref(), operator.as_deref())?;
        let vault = chosen.vault(chosen.base_url()?.origin())?;
        if vault.kind().outlives_the_program() {
            // Check before the password prompt that the vault works, because it must store the
            // password.
            let status = block_on(vault.status())?;
            status.map_err(|trouble| vault_error(words, trouble))?;
        }
        let password = read_password(args, words, &database, join.password_stdin)?;
        let Some(password) = password else {
            return Err(Complaint::refused(words.text("given-up")));
        };
        let report = block_on(team::check(&database, &password.secret, &wall_clock()))?;
        let report = report.map_err(|reason| offline_error(words, &reason))?;
        let findings = report.findings.iter();
        let findings: Vec<_> = findings.map(|it| describe_finding(words, it)).collect();
        let is_refused = report.findings.iter().any(Finding::is_refusal);
        let (false, Some(id)) = (is_refused, report.team) else {
            let refused = words.text("team-check-refused");
            return Err(Complaint::refused(format!(
                "{}\n{refused}",
                findings.join("\n")
            )));
        };
        if known.is_some_and(|known| known.id != id) {
            let text = words.with("team-other", &[("profile", &profile)]);
            return Err(Complaint::refused(text));
        }
        findings.iter().try_for_each(|text| print_line(text))?;
        let settings = TeamSettings {
            id,
            database: database.url.to_string(),
            ca,
            operator,
        };
        Ok(Candidate {
            chosen,
            words,
            vault,
            settings,
            database,
            password,
        })
    }

    /// The files of this computer's mirror of the team's journal.
    pub fn files(&self) -> Files {
        Files::new(self.chosen.settings.dirs.team_journal(self.settings.id))
    }

    pub fn connect(&self) -> Result<TeamConnection, Complaint> {
        let password = &self.password.secret;
        connect(self.words, &self.database, password, self.settings.id)
    }

    /// Reads all events of the team into the mirror.
    pub fn pull(&self, connection: &TeamConnection) -> Result<MoneyJournal, Complaint> {
        print_note(&self.words.text("team-reading"));
        pull(self.words, &self.files(), self.settings.id, connection)
    }

    /// Shares the history in the directory of the mirror, and reads that of the team.
    pub fn share_history(&self, connection: &TeamConnection) -> Result<(), Complaint> {
        let files = self.files();
        let author = self.database.author();
        share_history(self.words, files.dir(), &author, &connection.records())
    }

    /// Stores the password, and writes the team to the settings file.
    pub fn become_member(&self) -> Result<(), Complaint> {
        if !self.password.is_from_environment {
            let database = &*self.settings.database;
            let password = self.password.secret.duplicate();
            block_on(self.vault.put_team_password(database, password))?
                .map_err(|trouble| vault_error(self.words, trouble))?;
        }
        let file = self.chosen.settings.dirs.config_file();
        edit::edit_file(&file, |text| {
            with_team(text, &self.chosen.name, &self.settings)
        })
        .map_err(|error| invalid_file(&file, error))
    }

    /// Prints what the profile has become.
    pub fn report(&self, mirror: &MoneyJournal) -> Result<(), Complaint> {
        let words = self.words;
        let withdrawals = mirror.contents().withdrawals;
        let count = words.count("team-withdrawals", withdrawals, &[]);
        let profile = Untrusted::shown_of(&self.chosen.name);
        let operator = Untrusted::shown_of(&self.database.operator);
        let values = [
            ("profile", &*profile),
            ("operator", &operator),
            ("count", &count),
        ];
        print_line(&words.with("team-join-done", &values))?;
        let place = vault_name(words, self.vault.kind());
        print_line(&match self.vault.kind() {
            _ if self.password.is_from_environment => words.text("team-password-environment"),
            VaultKind::Memory => words.text("team-password-forgotten"),
            _ => words.with("team-password-stored", &[("place", &place)]),
        })
    }

    /// Prints a note if this computer's own journal contains withdrawals, because the team will not
    /// see them.
    ///
    /// # Errors
    ///
    /// Fails if a window uses that journal, or if a withdrawal in it may still be paid: the team
    /// could then pay the same again without a warning.
    fn check_live_journal(&self) -> Result<(), Complaint> {
        if self.chosen.profile.team.is_some() {
            return Ok(());
        }
        let live = LiveJournal::new(&self.chosen.settings.dirs);
        let files = Files::new(live.dir());
        // A journal that cannot be read is reported when it is used.
        let Ok(opened) = ReadOnlyJournal::open(&files) else {
            return Ok(());
        };
        drop(lock_windows_out(self.words, &files)?);
        let contents = opened.journal.contents();
        if contents.open > 0 {
            let text = self.words.count("team-join-open", contents.open, &[]);
            return Err(Complaint::refused(text));
        }
        if contents.withdrawals > 0 {
            let text = self.words.count("team-join-own", contents.withdrawals, &[]);
            print_note(&text);
        }
        Ok(())
    }
}

/// The error for a vault that cannot be used.
pub(super) fn vault_error(words: &Catalogue, trouble: VaultTrouble) -> Complaint {
    let failure = Failure::Vault(trouble);
    Complaint::text(complaint::describe_failure(
        words,
        &failure,
        Activity::Question,
    ))
}

/// The text of the settings file with the team of a profile.
fn with_team(text: &str, profile: &str, team: &TeamSettings) -> Result<String, EditError> {
    let lines = [
        ("id", Some(team.id.to_string())),
        ("database", Some(team.database.clone())),
        ("ca", team.ca.clone()),
        ("operator", team.operator.clone()),
    ];
    let mut text = text.to_owned();
    for (key, value) in lines {
        if let Some(value) = value {
            let name = ["profiles", profile, "team", key];
            text = with_line(&text, &name, &SettingValue::Text(value))?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::config::ConfigFile;

    #[test]
    fn team_is_added_beside_comments_and_replaced() {
        let before =
            "# mine\n[profiles.loja]\nbase-url = 'https://x' # there\n\n[links]\ncopy=true\n";
        let mut team = TeamSettings {
            id: Uuid::from_u128(7),
            database: "postgres://ana@db/loja".into(),
            ca: None,
            operator: Some("Ana \"A\"".into()),
        };
        let text = with_team(before, "loja", &team).unwrap();
        let file: ConfigFile = toml::from_str(&text).unwrap();
        assert_eq!(file.profiles["loja"].team.as_ref(), Some(&team));
        for part in ["# mine\n", "base-url = 'https://x' # there\n", "copy=true"] {
            assert!(text.contains(part), "{text}");
        }
        assert_eq!(with_team(&text, "loja", &team).unwrap(), text);
        team.database = "postgres://bia@db/loja".into();
        team.ca = Some("ca.pem".into());
        let text = with_team(&text, "loja", &team).unwrap();
        let file: ConfigFile = toml::from_str(&text).unwrap();
        assert_eq!(file.profiles["loja"].team.as_ref(), Some(&team));
    }
}
