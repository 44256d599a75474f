//! `balcao team`: the journal that the operators of a team share.

use super::complaint::Complaint;
use super::{ChosenProfile, path_text, unreadable_file};
use crate::config::{TeamSettings, read_text, system_roots};
use crate::journal::money::Files;
use crate::runtime::marker::machine_name;
use crate::runtime::team::{TeamMirror, TeamPassword};
use crate::team::{DatabaseUrl, TeamDatabase, UrlError};
use crate::vault::VaultHandle;

impl ChosenProfile {
    /// The mirror of the profile's team, or `None` if it has no team. The password is in `vault`,
    /// unless an environment variable contained it.
    pub(super) fn team_mirror(&self, vault: &VaultHandle) -> Result<Option<TeamMirror>, Complaint> {
        let Some(team) = &self.profile.team else {
            return Ok(None);
        };
        let files = Files::new(self.settings.dirs.team_journal(team.id));
        let password = TeamPassword {
            from_environment: self.args.environment.team_password(),
            vault: vault.clone(),
        };
        let database = self.team_database(team)?;
        Ok(Some(TeamMirror::new(team.id, files, database, password)))
    }

    /// The database of a team, as this operator uses it on this machine.
    fn team_database(&self, team: &TeamSettings) -> Result<TeamDatabase, Complaint> {
        let url: DatabaseUrl = team.database.parse().map_err(|error: UrlError| {
            let file = path_text(&self.settings.dirs.config_file());
            let why = error.to_string().into();
            Complaint::about("complaint-team-database", [("file", file), ("why", why)])
        })?;
        let ca = team.ca.as_ref().map(|name| {
            let path = self.settings.dirs.config.join(name);
            let text = read_text(&path).map_err(|error| unreadable_file(&path, error))?;
            Ok::<_, Complaint>(text.into_bytes())
        });
        let operator = team.operator.as_deref().unwrap_or(url.user()).into();
        Ok(TeamDatabase {
            operator,
            url,
            ca: ca.transpose()?,
            system_roots: Some(system_roots::read),
            machine: machine_name().into(),
        })
    }
}
